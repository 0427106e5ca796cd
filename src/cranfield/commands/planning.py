"""Planning: how many items it takes to be sure, and campaigns that are made up to try things on."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cranfield.core.options import Argument, Option, Seed
from cranfield.core.progress import Notify, Progress, silent, unheard
from cranfield.core.result import Analysis
from cranfield.core.table import Table
from cranfield.errors import FileError, InputError, several
from cranfield.statistics.intervals.planning import Plans

if TYPE_CHECKING:
    from cranfield.core.run import Run
    from cranfield.knowledge import Ontology
    from cranfield.studies.simulation import Campaign
    from cranfield.studies.vocabulary import Vocabulary

# ── plan ──────────────────────────────────────────────────────────────────────────────────────

_MEASURES = ("concept.AP", "example.AP")


def plan(
    truth: Any,
    runs: Any,
    *,
    measures: Annotated[
        list[str] | None,
        Option(
            name="measure",
            short="-m",
            metavar="NAME",
            suggest="measures",
            default=", ".join(_MEASURES),
        ),
    ] = None,
    margin: Annotated[float | None, Option(excludes=("difference",))] = None,
    difference: Annotated[float | None, Option()] = None,
    level: Annotated[float, Option(metavar="SHARE")] = 0.95,
    power: Annotated[float, Option(metavar="SHARE")] = 0.8,
    clusters: Annotated[Path | None, Option()] = None,
    extra: Any = "error",
    progress: Progress = silent,
    notify: Notify = unheard,
    **options: Any,
) -> Plans:
    """Say how many items it takes to be sure, judging by the items at hand.

    measures    Measure; may be repeated
    margin      How many items until a score is known within ± this; without it: until every other
                run differs significantly from the first. Random runs and the perfect one are left
                out.
    difference  The difference between runs that is to be detected; default: the one seen here.
    level       Of the interval, or 1 − α of the test.
    power       The chance to detect the difference.
    clusters    Items that come together, such as those of one photographer: CSV with the header
                item,group or item,split.
    """
    from cranfield import formats
    from cranfield.engine import evaluate
    from cranfield.measures.reported import reported_measures
    from cranfield.statistics import intervals
    from cranfield.studies.field import reference_remarks, remarks_on, systems_of

    for name, share in (("level", level), ("power", power)):
        _require_between(name, share, 0.0, 1.0)
    for name, size in (("margin", margin), ("difference", difference)):
        if size is not None and not (size > 0.0 and math.isfinite(size)):
            raise InputError(f"{size:g}; give a positive number, such as 0.01", parameter=name)
    systems = systems_of(runs)
    if len(systems) < (2 if margin is None else 1):
        raise InputError(
            f"there {'is' if len(systems) == 1 else 'are'} {several(len(systems), 'run')}, besides "
            "random runs and the perfect one",
            mend="give {margin}, or a second run to compare with" if systems else "give a run",
        )
    requested = measures or reported_measures(runs) or _MEASURES
    result = evaluate(truth, systems, requested, progress=progress, **options)
    doubts = remarks_on(systems, result.measures, requested, terms=result.terms)
    for remark in (*reference_remarks(runs), *doubts):
        notify(remark)
    together = None
    if clusters is not None:
        together = formats.splits.read_groups(clusters, truth.truth.items)
    first, *others = result.runs
    pairs = [(run, first) for run in others] if margin is None else [(r, None) for r in result.runs]
    return Plans(
        [
            intervals.plan(
                result,
                measure,
                run=run,
                against=against,
                margin=margin,
                difference=difference,
                level=level,
                power=power,
                clusters=together,
            )
            for measure in result.measures
            for run, against in pairs
        ]
    )


def _require_between(name: str, value: float, low: float, high: float) -> None:
    if not low < value < high:
        raise InputError(f"{value:g}; give a number between {low:g} and {high:g}", parameter=name)


# ── simulate ──────────────────────────────────────────────────────────────────────────────────

_ENDINGS = ("txt", "csv", "tsv", "npz")
_MOST_ITEMS, _MOST_CONCEPTS = 10**9, 10**6
"""More could not be held in memory by far."""
_BESIDE = ("concepts.txt", "ontology.owl", "groups.csv", "runs.csv")
"""What lies beside the truth and the runs."""


@dataclass(frozen=True)
class SimulatedCollection(Analysis):
    """A folder with a made-up truth and runs."""

    title = "A simulated collection"

    folder: Path
    items: int
    concepts: int
    runs: int

    def _facts(self) -> dict[str, Any]:
        return {
            "folder": str(self.folder),
            "items": self.items,
            "concepts": self.concepts,
            "runs": self.runs,
        }

    def _tables(self) -> list[Table]:
        return [Table("collection", [self._facts()])]

    def _remarks(self) -> list[str]:
        return [f"next: cranfield evaluate {shlex.quote(str(self.folder))}"]


def simulate(
    out: Annotated[Path, Argument(metavar="OUT")],
    *,
    items: Annotated[int, Option(minimum=1, maximum=_MOST_ITEMS)] = 3000,
    concepts: Annotated[str, Option(metavar="photo|N|ONTOLOGY|FILE")] = "photo",
    unlawful: Annotated[bool, Option()] = False,
    cardinality: Annotated[float | None, Option(default="as the frequencies say")] = None,
    dependence: Annotated[float, Option()] = 0.4,
    systems: Annotated[int, Option(minimum=0)] = 25,
    random: Annotated[str, Option(metavar="all|none|LIST")] = "all",
    unjudged: Annotated[float, Option()] = 0.0,
    seed: Seed = 2009,
    format: Annotated[
        str | None,
        Option(
            metavar="ENDING",
            default="txt, or csv if cells are unjudged, which text cannot say",
        ),
    ] = None,
    force: Annotated[bool, Option()] = False,
    progress: Progress = silent,
) -> SimulatedCollection:
    """Write a collection folder: a made-up truth, its concepts, and runs of known quality.

    Photos, and the concepts of an ontology, obey its rules, which lie beside the truth as
    ontology.owl; half of the systems repair their decisions. groups.csv says who made each run, and
    runs.csv also what it looks at: V = pictures, T = texts, M = both.

    out          Folder to write.
    items        How many items.
    concepts     The 53 photo concepts, a number of drawn ones, those of an ontology (pto2010,
                 pto2011 or a file), or a CSV file (concept,frequency,group; of a group exactly one
                 member holds).
    unlawful     Draw labels and decisions that break the rules of the ontology as they please.
    cardinality  Labels an item carries on average.
    dependence   How much concepts depend on each other, from 0 to below 1.
    systems      How many runs of systems.
    random       Random runs: 0 = uniform confidences, XX = exactly XX % of annotations are 1; all =
                 0,10,…,90.
    unjudged     Share of cells that nobody judged.
    seed         Same seed, same bytes.
    format       Ending of the files: txt, csv, tsv or npz, and .gz to pack them.
    force        Replace truth and runs of a folder that is not empty.
    """
    from cranfield.studies.simulation import Campaign, Design, draw_systems

    for name, share in (("dependence", dependence), ("unjudged", unjudged)):
        if not 0.0 <= share < 1.0:
            raise InputError(f"{share:g}; give a number from 0 to below 1", parameter=name)
    if cardinality is not None and not math.isfinite(cardinality):
        raise InputError(f"{cardinality}; give a finite number", parameter="cardinality")
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
    _write(campaign, out, ending, progress)
    return SimulatedCollection(out, *campaign.design.shape, len(campaign))


def _ending(requested: str | None, *, unjudged: bool) -> str:
    """The ending of the files, refused before any is written if they could not hold the truth."""
    if requested is None:
        return "csv" if unjudged else "txt"
    ending = requested.removeprefix(".").lower()
    if ending.removesuffix(".gz") not in _ENDINGS:
        raise InputError(
            f"{requested!r} is no ending; give {', '.join(_ENDINGS)}, or one of them and .gz",
            parameter="format",
        )
    if unjudged and ending.removesuffix(".gz") == "txt":
        raise InputError(
            "text cannot say which cells are unjudged; give csv, tsv or npz", parameter="format"
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
    from cranfield.studies.vocabulary import (
        draw_vocabulary,
        ontology_concepts,
        photo_concepts,
        read_vocabulary,
    )

    drawn = concepts.removeprefix("-").isdecimal()
    if drawn and not 1 <= int(concepts) <= _MOST_CONCEPTS:
        raise InputError(
            f"{concepts}; give at least one concept, and at most {_MOST_CONCEPTS}",
            parameter="concepts",
        )
    try:
        if drawn:
            return draw_vocabulary(int(concepts), cardinality=cardinality, seed=seed)
        if ontology is not None and concepts != "photo":
            return ontology_concepts(ontology, cardinality=cardinality, seed=seed)
        vocabulary = photo_concepts() if concepts == "photo" else read_vocabulary(concepts)
        return vocabulary if cardinality is None else vocabulary.with_cardinality(cardinality)
    except FileError:
        raise
    except InputError as error:  # the concepts are good, so it is the number that is not
        raise InputError(error.what, mend=error.mend, parameter="cardinality") from None


def _percentages(text: str) -> tuple[int, ...]:
    from cranfield.studies.reference_runs import RANDOM_PERCENTAGES

    if text in ("all", "none"):
        return RANDOM_PERCENTAGES if text == "all" else ()
    try:
        percentages = tuple(dict.fromkeys(int(part) for part in text.split(",")))
    except ValueError:
        percentages = (-1,)
    if not all(0 <= percent <= 100 for percent in percentages):
        raise InputError(
            f"{text!r}; give all, none, or percentages from 0 to 100 such as 0,10,50",
            parameter="random",
        )
    return percentages


def _clear(out: Path, *, force: bool) -> None:
    """Make room; only what this command writes is ever removed, and only if the user insists."""
    try:
        if out.exists() and any(out.iterdir()) and not force:
            raise FileError(
                out,
                "is not empty",
                mend="choose another folder, or replace its truth and runs with {force}",
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


def _write(campaign: Campaign, out: Path, ending: str, progress: Progress) -> None:
    from cranfield import formats
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
            step(1)
    _write_text(out / "groups.csv", groups)
    _write_text(out / "runs.csv", attributes)


def _write_text(path: Path, lines: Iterable[str]) -> None:
    from cranfield.core.atomic_write import replaced

    with replaced(path) as stream:
        stream.write("".join(lines).encode())


def _run_ending(run: Run, ending: str) -> str:
    """CSV and TSV hold confidences or decisions; a run that has both is written as text."""
    both = run.scores is not None and run.labels is not None
    return "txt" if both and ending.startswith(("csv", "tsv")) else ending
