"""`cranfield gate`: may a run replace a baseline?"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.choices import probability
from cranfield.cli.compare import Resample
from cranfield.cli.evaluate import naming, score_runs
from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import chosen_form, deliver, spare
from cranfield.cli.options import (
    Json,
    TruthPath,
    measure_option,
    output_option,
)
from cranfield.cli.outcomes import GATE_FAILED, GATE_UNDECIDED
from cranfield.cli.reading import Reading, reads
from cranfield.cli.trec_style import TopicsOption

if TYPE_CHECKING:
    from cranfield.measures import Measure
    from cranfield.statistics.gating import Gate

DEFAULT_MEASURES = ("concept.AP", "example.AP")
SEARCH_MEASURES = ("concept.AP",)
"""For TREC files, whose units are topics."""
_EXTENSIONS = {".json": "json", ".md": "markdown", ".xml": "junit", ".txt": "table"}


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield gate truth.csv new.csv --baseline old.csv --margin 0.01",
            "cranfield gate truth.csv new.csv --baseline old.csv -m concept.AP -m concept.EER "
            "--margin 0.01 --margin concept.EER=0.005",
            "cranfield gate truth.csv old.csv --save baseline.json",
            "cranfield gate truth.csv new.csv --baseline baseline.json --margin 0.01 "
            "--junit gate.xml --markdown gate.md",
        ),
    )(reads(gate))


def gate(
    reading: Reading,
    truth: TruthPath,
    run: Annotated[
        Path, typer.Argument(metavar="RUN", help="The run that is to pass.", show_default=False)
    ],
    baseline: Annotated[
        Path | None,
        typer.Option(
            "--baseline",
            metavar="FILE",
            help="The run to hold it against; or its scores: JSON of gate --save, or of evaluate "
            "--per-unit --json.",
        ),
    ] = None,
    margin: Annotated[
        list[str] | None,
        typer.Option(
            "--margin",
            metavar="[MEASURE=]NUMBER",
            help="The largest loss that does not matter, for all measures or for one; may be "
            "repeated.",
            show_default=False,
        ),
    ] = None,
    measure: Annotated[list[str] | None, measure_option("Measure", DEFAULT_MEASURES)] = None,
    level: Annotated[
        float, typer.Option(metavar="SHARE", callback=probability, help="Of the intervals.")
    ] = 0.95,
    resample: Annotated[
        Resample,
        typer.Option(
            metavar="auto|items|concepts",
            help="What runs are compared on; auto: items, but concepts (topics) of TREC files.",
        ),
    ] = Resample.auto,
    as_json: Json = False,
    output: Annotated[
        Path | None,
        output_option("Write to a file; .json .md .xml .txt say what, unless a flag does."),
    ] = None,
    junit: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write JUnit XML besides, for build servers."),
    ] = None,
    markdown: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write Markdown besides, for pull requests."),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the scores of RUN besides, as the baseline of later ones."
        ),
    ] = None,
    topics: TopicsOption = None,
) -> None:
    """Let a run pass if it is not worse than a baseline by more than a margin.

    Exit codes: 0 pass, 3 fail, 4 undecided; 1 bad input or scores that do not compare, 2 wrong
    usage. With several measures all must pass. Without --baseline scores are only saved (--save).
    """
    form = chosen_form({"json": as_json}, output, _EXTENSIONS)
    margins = _margins(margin)
    _require(baseline, margins, save)

    from cranfield.commands.run_files import named_runs
    from cranfield.formats.baselines import is_baseline, read_baseline, write_baseline
    from cranfield.measures import measure as named
    from cranfield.statistics.gating import gate as decided
    from cranfield.statistics.gating import record

    inputs = (truth, run, baseline, *reading.files)
    outputs = {"--output": output, "--junit": junit, "--markdown": markdown, "--save": save}
    for option, path in outputs.items():
        others = (other for name, other in outputs.items() if name != option)
        spare((*inputs, *others), path, option=option)
    stored = read_baseline(baseline) if baseline and is_baseline(baseline) else None
    collection = reading.collection(truth)
    usual = SEARCH_MEASURES if collection.truth.open else DEFAULT_MEASURES
    wanted = [named(one) for one in measure or usual]
    known = reading.about.read(collection.truth.concept_axis)
    beside = [baseline] if baseline is not None and stored is None else []
    files = named_runs([run, *beside])
    if len(files) != 1 + len(beside):
        raise typer.BadParameter(
            "give one run and one other as its baseline, each a file", param_hint="--baseline"
        )
    maps = reading.about.called(truth)
    if baseline is not None and stored is not None:
        maps |= {"baseline": baseline, "the baseline": baseline}
    with naming(files, maps=maps):
        read = reading.runs(collection, files)
        result = score_runs(
            collection, read, wanted, known, weights=None, missing=reading.missing, topics=topics
        )
        if save is not None:
            own = [score for score in result if score.run.name == result.runs[0]]
            write_baseline([record(score, resample.value) for score in own], save)
        if baseline is None:
            return
        found = decided(
            result,
            stored or result.runs[1],
            run=result.runs[0],
            margin={str(one): _margin(margins, one) for one in wanted},
            level=level,
            resample=resample.value,
        )
    _show(found, form, output, junit, markdown)
    code = {"fail": GATE_FAILED, "undecided": GATE_UNDECIDED}.get(found.outcome, 0)
    raise typer.Exit(code)


def _margins(given: list[str] | None) -> dict[str, float]:
    """Margins by measure; that for all of them is called ""."""
    found: dict[str, float] = {}
    for words in given or ():
        name, _, number = words.rpartition("=")
        try:
            margin = float(number)
        except ValueError:
            margin = math.nan
        if not (math.isfinite(margin) and margin >= 0.0):
            raise typer.BadParameter(
                f"{words!r}; give a number from 0 up, or MEASURE=NUMBER", param_hint="--margin"
            )
        if name in found:
            raise typer.BadParameter(f"two margins for {name or 'all'}", param_hint="--margin")
        found[name] = margin
    return found


def _margin(margins: dict[str, float], one: Measure) -> float:
    """The margin of a measure: its own, else that for all."""
    from cranfield.measures import measure as named

    own = {named(name): margin for name, margin in margins.items() if name}
    if one not in own and "" not in margins:
        raise typer.BadParameter(f"there is none for {one}", param_hint="--margin")
    return own.get(one, margins.get("", 0.0))


def _require(baseline: Path | None, margins: dict[str, float], save: Path | None) -> None:
    """Refuse what could not be decided."""
    if baseline is None and save is None:
        raise typer.BadParameter(
            "give --baseline a run to hold this one against, or --save to store its scores"
        )
    if baseline is not None and not margins:
        raise typer.BadParameter(
            "give --margin, the largest loss that does not matter, such as 0.01"
        )


def _show(
    found: Gate, form: str, path: Path | None, junit: Path | None, markdown: Path | None
) -> None:
    from cranfield.cli.screen import output, plain
    from cranfield.report.gates import gate_junit, gate_markdown, gate_table

    forms = {
        "json": lambda: found.to_json(indent=2) + "\n",
        "markdown": lambda: gate_markdown(found),
        "junit": lambda: gate_junit(found),
        "table": lambda: plain(gate_table(found)),
    }
    for besides, kind in ((junit, "junit"), (markdown, "markdown")):
        if besides is not None:
            deliver(forms[kind](), besides)
    if form == "table" and path is None:
        output().print(gate_table(found))
    else:
        deliver(forms[form](), path)
