"""`cranfield compare`: which runs differ, and which only seem to."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.choices import only_one, probability
from cranfield.cli.completion import measure_names
from cranfield.cli.evaluate import naming, score_runs
from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import chosen_form, deliver, require_picture, spare
from cranfield.cli.options import (
    Json,
    TruthPath,
    csv_option,
    output_option,
    picture_option,
)
from cranfield.cli.reading import Reading, reads
from cranfield.cli.report_files import ReportOption, ReportWish, TablesOption
from cranfield.cli.trec_style import TopicsOption
from cranfield.errors import MOST_DRAWS

if TYPE_CHECKING:
    from cranfield.engine.evaluation import Evaluation
    from cranfield.report.comparisons import Comparisons
    from cranfield.statistics.comparing import Tournament

_EXTENSIONS = {".json": "json", ".csv": "csv", ".tex": "latex", ".txt": "table"}
_STEPS = 10_000
_DEFAULT = "concept.AP"


class Test(StrEnum):
    """How two runs are held against each other."""

    randomisation = "randomisation"
    bootstrap = "bootstrap"
    t = "t"
    wilcoxon = "wilcoxon"
    sign = "sign"
    nemenyi = "nemenyi"


class Correction(StrEnum):
    """What is done about the number of pairs."""

    auto = "auto"
    max_t = "max_t"
    nemenyi = "nemenyi"
    holm = "holm"
    none = "none"


class Resample(StrEnum):
    """What runs are compared on."""

    auto = "auto"
    items = "items"
    concepts = "concepts"


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield compare truth.csv runs/ -m concept.AP",
            "cranfield compare collection/ -m example.F --test wilcoxon",
            "cranfield compare truth.csv runs/ -m concept.AP -o table.tex",
            "cranfield compare collection/ -m concept.AP --test nemenyi --picture ranks.svg",
            "cranfield compare collection/ -m concept.AP --report report.html",
            "cranfield compare qrels.txt run1.txt run2.txt -m concept.nDCG@10",
        ),
    )(reads(compare))


def compare(
    reading: Reading,
    truth: TruthPath,
    runs: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="RUN",
            help="Runs: files or folders of them; default: those in the collection folder.",
            show_default=False,
        ),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            metavar="NAME",
            help=f"Measure; default: {_DEFAULT}.",
            autocompletion=measure_names,
            callback=only_one,
            show_default=False,
        ),
    ] = None,
    test: Annotated[
        Test,
        typer.Option(
            metavar="randomisation|bootstrap|t|wilcoxon|sign|nemenyi",
            help="The test of two runs; nemenyi compares mean ranks.",
        ),
    ] = Test.randomisation,
    correction: Annotated[
        Correction,
        typer.Option(
            metavar="auto|max_t|nemenyi|holm|none",
            help="What is done about the number of pairs; auto: max_t for resampled tests, else "
            "holm.",
        ),
    ] = Correction.auto,
    resample: Annotated[
        Resample,
        typer.Option(
            metavar="auto|items|concepts",
            help="What runs are compared on; auto: items, but concepts (topics) of TREC files, "
            "and where a test asks for single scores that only concepts have.",
        ),
    ] = Resample.auto,
    alpha: Annotated[
        float, typer.Option(metavar="SHARE", callback=probability, help="Level of significance.")
    ] = 0.05,
    samples: Annotated[
        int,
        typer.Option(metavar="N", min=100, max=MOST_DRAWS, help="Resamples of resampled tests."),
    ] = 10_000,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Seed of resamples.")] = 0,
    picture: Annotated[
        Path | None, picture_option("a critical-difference diagram of all runs")
    ] = None,
    report: ReportOption = None,
    tables: TablesOption = None,
    as_json: Json = False,
    as_csv: Annotated[bool, csv_option("pair")] = False,
    as_latex: Annotated[
        bool, typer.Option("--latex", help="Print a LaTeX table (booktabs).")
    ] = False,
    output: Annotated[
        Path | None,
        output_option("Write to a file; .json .csv .tex .txt say what, unless a flag does."),
    ] = None,
    topics: TopicsOption = None,
) -> None:
    """Tell which runs differ, and which only seem to.

    Every run has a letter, and beside its score stand the letters of those it beats significantly.
    p-values are corrected for the number of pairs.
    """
    form = chosen_form({"json": as_json, "csv": as_csv, "latex": as_latex}, output, _EXTENSIONS)
    require_picture(picture)
    page = ReportWish.given(report, tables, {})
    _require_fitting(test, correction)

    from cranfield.commands.run_files import files_of, named_runs
    from cranfield.measures import measure as named
    from cranfield.report.comparisons import Comparisons

    scored = [file for run in runs or () for file in files_of(run)]
    given = (truth, *reading.files, *scored)
    spare(given, output)
    spare((*given, output), picture, option="--picture")
    if page is not None:
        page.spare((*given, output, picture))
    (wanted,) = map(named, measure or [_DEFAULT])
    collection = reading.collection(truth)
    known = reading.about.read(collection.truth.concept_axis)
    files = named_runs(runs or collection.runs)
    with naming(files, maps=reading.about.called(truth)):
        read = reading.runs(collection, files)
        result = score_runs(
            collection, read, [wanted], known, weights=None, missing=reading.missing, topics=topics
        )
        found = _compared(result, test, correction, resample, samples, seed)
    _show(Comparisons(found, alpha), form, output)
    if picture is not None:
        _draw(found, alpha, picture)
    if page is not None:
        page.write(result, collection=collection, tournament=found, alpha=alpha)


def _require_fitting(test: Test, correction: Correction) -> None:
    from cranfield.statistics.comparing import corrections_for

    fitting = corrections_for(test.value)
    if correction is not Correction.auto and correction.value not in fitting:
        raise typer.BadParameter(
            f"{correction.value} is not for --test {test.value}; choose {' or '.join(fitting)}",
            param_hint="--correction",
        )


def _compared(
    result: Evaluation,
    test: Test,
    correction: Correction,
    resample: Resample,
    samples: int,
    seed: int,
) -> Tournament:
    from cranfield.cli.screen import progress_over
    from cranfield.statistics.comparing import compare as all_pairs

    with progress_over("comparing", _STEPS) as tell:
        return all_pairs(
            result,
            result.measures[0],
            test=test.value,
            correction=correction.value,
            resample=resample.value,
            samples=samples,
            seed=seed,
            progress=lambda share: tell(round(share * _STEPS)),
        )


def _show(found: Comparisons, form: str, path: Path | None) -> None:
    from cranfield.cli.screen import output, plain

    if form != "table":
        deliver(found.export(form), path)
    elif path is not None:
        deliver(plain(found.table()), path)
    else:
        output().print(found.table())


def _draw(found: Tournament, alpha: float, path: Path) -> None:
    from cranfield.cli.screen import inform
    from cranfield.report.comparison_pictures import difference_picture
    from cranfield.report.pictures import write_picture

    write_picture(difference_picture(found, alpha), path)
    inform(f"wrote {path}")
