"""`cranfield simulate`: write a collection with a made-up truth and runs of known quality."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.choices import finite, share
from cranfield.cli.examples import examples
from cranfield.cli.explained import Command

if TYPE_CHECKING:
    from cranfield.core.run import Run
    from cranfield.knowledge import Ontology
    from cranfield.studies.campaign import Campaign
    from cranfield.studies.vocabulary import Vocabulary

_ENDINGS = ("txt", "csv", "tsv", "npz")
_MOST_ITEMS, _MOST_CONCEPTS = 10**9, 10**6
"""More could not be held in memory by far."""
_BESIDE = ("concepts.txt", "ontology.owl", "groups.csv", "runs.csv")
"""What lies beside the truth and the runs."""


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield simulate campaign",
            "cranfield simulate small --items 100 --concepts 12 --cardinality 3 --systems 5",
            "cranfield simulate later --concepts pto2011",
            "cranfield simulate gaps --unjudged 0.3 --format csv --random none",
            "cranfield evaluate campaign",
        ),
    )(simulate)


def simulate(
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="Folder to write.", show_default=False)
    ],
    items: Annotated[
        int, typer.Option(metavar="N", min=1, max=_MOST_ITEMS, help="How many items.")
    ] = 3000,
    concepts: Annotated[
        str,
        typer.Option(
            metavar="photo|N|ONTOLOGY|FILE",
            help="The 53 photo concepts, a number of drawn ones, those of an ontology (pto2010, "
            "pto2011 or a file), or a CSV file (concept,frequency,group; of a group exactly one "
            "member holds).",
        ),
    ] = "photo",
    unlawful: Annotated[
        bool,
        typer.Option(
            "--unlawful",
            help="Draw labels and decisions that break the rules of the ontology as they please.",
        ),
    ] = False,
    cardinality: Annotated[
        float | None,
        typer.Option(
            metavar="NUMBER",
            callback=finite,
            help="Labels an item carries on average; default: as the frequencies say.",
        ),
    ] = None,
    dependence: Annotated[
        float,
        typer.Option(
            metavar="NUMBER",
            callback=share,
            help="How much concepts hang together, from 0 to below 1.",
        ),
    ] = 0.4,
    systems: Annotated[
        int, typer.Option(metavar="N", min=0, help="How many runs of systems.")
    ] = 25,
    random: Annotated[
        str,
        typer.Option(
            metavar="all|none|LIST",
            help="Random runs: 0 = uniform confidences, XX = exactly XX % of annotations are 1; "
            "all = 0,10,…,90.",
        ),
    ] = "all",
    unjudged: Annotated[
        float,
        typer.Option(metavar="NUMBER", callback=share, help="Share of cells that nobody judged."),
    ] = 0.0,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Same seed, same bytes.")] = 2009,
    format: Annotated[
        str | None,
        typer.Option(
            metavar="ENDING",
            help="Ending of the files: txt, csv, tsv or npz, and .gz to pack them; default: txt, "
            "or csv if cells are unjudged, which text cannot say.",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace truth and runs of a folder that is not empty.")
    ] = False,
) -> None:
    """Write a collection folder: a made-up truth, its concepts, and runs of known quality.

    Photos, and the concepts of an ontology, obey its rules, which lie beside the truth as
    ontology.owl; half of the systems repair their decisions. groups.csv says who made each run, and
    runs.csv also what it looks at: V = pictures, T = texts, M = both.
    """
    from cranfield.studies.campaign import Campaign, draw_systems
    from cranfield.studies.simulation import Design

    rules = _ontology(concepts)
    campaign = Campaign(
        design=Design(
            _vocabulary(concepts, rules, cardinality, seed),
            items=items,
            dependence=dependence,
            unjudged=unjudged,
            seed=seed,
            ontology=None if unlawful else rules,
        ),
        systems=draw_systems(systems, seed=seed),
        random=_percentages(random),
    )
    ending = _ending(format, unjudged=unjudged > 0)
    _clear(out, force=force)
    _write(campaign, out, ending)


def _ending(wished: str | None, *, unjudged: bool) -> str:
    """The ending of the files, refused before any is written if they could not hold the truth."""
    if wished is None:
        return "csv" if unjudged else "txt"
    ending = wished.removeprefix(".").lower()
    if ending.removesuffix(".gz") not in _ENDINGS:
        raise typer.BadParameter(
            f"{wished!r} is no ending; give {', '.join(_ENDINGS)}, or one of them and .gz",
            param_hint="--format",
        )
    if unjudged and ending.removesuffix(".gz") == "txt":
        raise typer.BadParameter(
            "text cannot say which cells are unjudged; give csv, tsv or npz", param_hint="--format"
        )
    return ending


def _ontology(concepts: str) -> Ontology | None:
    """The rules that come with the concepts; numbers and CSV files have none."""
    from cranfield.knowledge import Ontology
    from cranfield.knowledge.reading import SHIPPED, is_ontology
    from cranfield.studies.vocabulary import PHOTO_ONTOLOGY

    if concepts == "photo":
        return Ontology.load(PHOTO_ONTOLOGY)
    table = concepts.removesuffix(".gz").endswith((".csv", ".tsv"))
    if concepts in SHIPPED or (is_ontology(Path(concepts)) and not table):
        return Ontology.load(concepts)
    return None


def _vocabulary(
    concepts: str, ontology: Ontology | None, cardinality: float | None, seed: int
) -> Vocabulary:
    from cranfield.errors import FileError, InputError
    from cranfield.studies.vocabulary import (
        draw_vocabulary,
        ontology_concepts,
        photo_concepts,
        read_vocabulary,
    )

    try:
        if concepts.removeprefix("-").isdecimal():
            count = int(concepts)
            if not 1 <= count <= _MOST_CONCEPTS:
                raise typer.BadParameter(
                    f"{count}; ask for at least one concept, and at most {_MOST_CONCEPTS}",
                    param_hint="--concepts",
                )
            return draw_vocabulary(count, cardinality=cardinality, seed=seed)
        if ontology is not None and concepts != "photo":
            return ontology_concepts(ontology, cardinality=cardinality, seed=seed)
        vocabulary = photo_concepts() if concepts == "photo" else read_vocabulary(concepts)
        return vocabulary if cardinality is None else vocabulary.with_cardinality(cardinality)
    except FileError:
        raise
    except InputError as error:  # the concepts are good, so it is the wish that is not
        raise typer.BadParameter(str(error), param_hint="--cardinality") from None


def _percentages(text: str) -> tuple[int, ...]:
    from cranfield.studies.campaign import RANDOM_PERCENTAGES

    if text in ("all", "none"):
        return RANDOM_PERCENTAGES if text == "all" else ()
    try:
        found = tuple(dict.fromkeys(int(part) for part in text.split(",")))
    except ValueError:
        found = (-1,)
    if not all(0 <= percent <= 100 for percent in found):
        raise typer.BadParameter(
            f"{text!r}; give all, none, or percentages from 0 to 100 such as 0,10,50",
            param_hint="--random",
        )
    return found


def _clear(out: Path, *, force: bool) -> None:
    """Make room; only what this command writes is ever removed, and only if the user insists."""
    from cranfield.errors import FileError

    try:
        if out.exists() and any(out.iterdir()) and not force:
            raise FileError(
                out,
                "is not empty; choose another folder, or replace its truth and runs with --force",
            )
        runs = out / "runs"
        old = [*out.glob("truth.*"), *(runs.iterdir() if runs.is_dir() else ())]
        beside = [out / name for name in _BESIDE]
        for path in (*old, *beside):
            if path.is_dir() and not path.is_symlink():
                raise FileError(path, "is a folder where a file should be; move it elsewhere")
        runs.mkdir(parents=True, exist_ok=True)
        for path in (*old, *beside):
            path.unlink(missing_ok=True)
    except OSError as error:
        raise FileError(out, f"cannot be written ({error.strerror})") from None


def _write(campaign: Campaign, out: Path, ending: str) -> None:
    from rich.markup import escape

    from cranfield import formats
    from cranfield.cli.screen import output, progress
    from cranfield.studies.simulation import simulate_world

    world = simulate_world(campaign.design)
    formats.write_truth(world.truth, out / f"truth.{ending}")
    _write_text(out / "concepts.txt", (f"{name}\n" for name in world.concepts))
    if campaign.design.ontology is not None:
        campaign.design.ontology.write(out / "ontology.owl")
    groups, attributes = ["run,group\n"], ["run,group,modality\n"]
    with progress("writing", len(campaign)) as step:
        for run in campaign.runs(world):
            formats.write_run(run, out / "runs" / f"{run.name}.{_run_ending(run, ending)}")
            groups.append(f"{run.name},{run.group}\n")
            attributes.append(f"{run.name},{run.group},{run.tags.get('modality', '')}\n")
            step()
    _write_text(out / "groups.csv", groups)
    _write_text(out / "runs.csv", attributes)
    items, concepts = campaign.design.shape
    output().print(
        f"{escape(str(out))}: {items} items, {concepts} concepts, {len(campaign)} runs\n"
        f"[dim]next:[/dim] cranfield evaluate {escape(shlex.quote(str(out)))}",
        soft_wrap=True,
    )


def _write_text(path: Path, lines: Iterable[str]) -> None:
    from cranfield.core.atomic_write import replaced

    with replaced(path) as target:
        target.write("".join(lines).encode())


def _run_ending(run: Run, ending: str) -> str:
    """CSV and TSV hold confidences or decisions; a run that has both is written as text."""
    both = run.scores is not None and run.labels is not None
    return "txt" if both and ending.startswith(("csv", "tsv")) else ending
