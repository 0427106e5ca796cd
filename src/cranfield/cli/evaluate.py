"""`cranfield evaluate`: score runs against a truth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.choices import Extra, Missing
from cranfield.cli.examples import examples
from cranfield.cli.explanations import explanation_form, require_items, show_explanations
from cranfield.cli.forms import chosen_form, deliver_result, spare
from cranfield.cli.incomplete import (
    DEFAULT_MEASURES as INCOMPLETE_MEASURES,
)
from cranfield.cli.incomplete import (
    CloseOption,
    IncompleteOption,
    incomplete_form,
    require_fitting,
    show_incomplete,
)
from cranfield.cli.intervals import (
    ClustersOption,
    IntervalsOption,
    IntervalWish,
    MethodOption,
    ResampleOption,
    SamplesOption,
    SeedOption,
    StrataOption,
    WithLevel,
)
from cranfield.cli.options import (
    AgreementOption,
    Concepts,
    CostsOption,
    ExtraOption,
    Format,
    Json,
    MissingOption,
    OntologyOption,
    RelatednessOption,
    SplitOption,
    ThresholdsOption,
    TruthPath,
    csv_option,
    measure_option,
    output_option,
)
from cranfield.cli.reading import read_collection, read_runs
from cranfield.cli.report_files import ReportOption, ReportWish, TablesOption
from cranfield.cli.slices import DEFAULT_MEASURES as SLICED_MEASURES
from cranfield.cli.slices import SlicesOption, SliceWish
from cranfield.cli.trec_style import (
    DepthOption,
    LevelOption,
    Style,
    StyledTopicsOption,
    StyleOption,
    TitlesOption,
    Topics,
    require_plain,
    require_trec_style,
    show_in_trec_style,
    show_preferences,
)
from cranfield.commands.knowledge_files import KnowledgeFiles
from cranfield.commands.threshold_texts import cut_of, files_in

if TYPE_CHECKING:
    from cranfield.collections.collection import Collection
    from cranfield.core.run import Run
    from cranfield.core.truth import Truth
    from cranfield.engine.evaluation import Evaluation
    from cranfield.knowledge import Knowledge
    from cranfield.measures import Measure

DEFAULT_MEASURES = (
    "concept.AP",
    "concept.AUC",
    "concept.EER",
    "example.F",
    "example.AP",
    "example.ranking_loss",
)
ONTOLOGY_MEASURES = ("OS",)
"""What is shown besides where an ontology is there."""
SEARCH_MEASURES = (
    "concept.AP",
    "concept.RP",
    "concept.P@10",
    "concept.nDCG@10",
    "concept.RR",
    "concept.bpref",
)
"""What is shown of searches, if nobody asks for more: for TREC files."""
TARGET_MEASURES = ("concept.MAE", "concept.RMSE", "concept.R2")
"""What is shown of a truth that holds nothing but numbers to be hit."""
_EXTENSIONS = {".json": "json", ".csv": "csv", ".tex": "latex", ".txt": "table"}


def register(app: typer.Typer) -> None:
    app.command(
        cls=WithLevel,
        epilog=examples(
            "cranfield evaluate truth.txt run.txt",
            "cranfield evaluate truth.csv runs/ -m concept.AP -m 'example.F(beta=2)'",
            "cranfield evaluate collection/ -m concept.P@10 --json",
            "cranfield evaluate truth.txt runs/ -o table.tex",
            "cranfield evaluate truth.txt run.txt -m concept.AP --per-unit",
            "cranfield evaluate truth.csv run.csv -m concept.F --threshold thresholds.csv",
            "cranfield evaluate truth.csv runs/ -m OS --ontology pto2009",
            "cranfield evaluate truth.csv runs/ -m HS-FTS --costs FTS=flickr.csv",
            "cranfield evaluate truth.csv run.csv -m OS --ontology pto2009 --explain item1",
            "cranfield evaluate truth.csv runs/ -m concept.AP --intervals",
            "cranfield evaluate truth.csv runs/ -m concept.AP --intervals 0.9 --method bca",
            "cranfield evaluate truth.csv run.csv --slices photos.csv --slices frequency",
            "cranfield evaluate collection/ --report report.html",
            "cranfield evaluate gaps.csv runs/ -m example.F --incomplete bounds",
            "cranfield evaluate qrels.txt run.txt --style trec -m map -m P_10 --per-unit",
            "cranfield evaluate preferences.txt run.txt --style trec",
        ),
    )(evaluate)


def evaluate(
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
        measure_option("Measure", (*DEFAULT_MEASURES, "OS if there is an ontology")),
    ] = None,
    as_json: Json = False,
    as_csv: Annotated[bool, csv_option("score")] = False,
    as_latex: Annotated[
        bool, typer.Option("--latex", help="Print a LaTeX table (booktabs).")
    ] = False,
    output: Annotated[
        Path | None,
        output_option("Write to a file; .json .csv .tex .txt say what, unless a flag does."),
    ] = None,
    per_unit: Annotated[
        bool, typer.Option("--per-unit", help="Scores of every single concept or item.")
    ] = False,
    threshold: ThresholdsOption = None,
    missing: MissingOption = Missing.error,
    extra: ExtraOption = Extra.error,
    split: SplitOption = None,
    format: Format = None,
    concepts: Concepts = None,
    weights: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Weights of concepts or items: CSV with the header concept,value or item,value, "
            "or an agreement map.",
        ),
    ] = None,
    ontology: OntologyOption = None,
    costs: CostsOption = None,
    relatedness: RelatednessOption = None,
    agreement: AgreementOption = None,
    explain: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ITEM",
            help="How the scores of an item come about, instead of the table; may be repeated. "
            "-o draws it: .svg .html .png .pdf.",
            show_default=False,
        ),
    ] = None,
    intervals: IntervalsOption = None,
    method: MethodOption = None,
    resample: ResampleOption = None,
    clusters: ClustersOption = None,
    strata: StrataOption = None,
    samples: SamplesOption = None,
    seed: SeedOption = None,
    slices: SlicesOption = None,
    report: ReportOption = None,
    tables: TablesOption = None,
    incomplete: IncompleteOption = None,
    close: CloseOption = False,
    style: StyleOption = Style.table,
    topics: StyledTopicsOption = None,
    titles: TitlesOption = None,
    depth: DepthOption = None,
    level: LevelOption = None,
) -> None:
    """Score runs against a truth.

    Runs are rows, measures columns, the best run by the first measure on top. What is known about
    concepts goes before what the collection's folder knows.
    """
    flags = {"json": as_json, "csv": as_csv, "latex": as_latex}
    plain_only = {"--explain": bool(explain), "--per-unit": per_unit, "--latex": as_latex}
    require_fitting(incomplete, close=close, other=plain_only)
    about = KnowledgeFiles.given(ontology, costs, relatedness, agreement)
    others = {**{f"--{form}": used for form, used in flags.items()}, "--explain": bool(explain)}
    others |= {"--incomplete": bool(incomplete), "--weights": bool(weights)}
    others |= {"--threshold": bool(threshold), "--titles": titles is not None}
    others |= {"--ontology": bool(ontology), "--costs": bool(costs)}
    others |= {"--relatedness": bool(relatedness), "--agreement": bool(agreement)}
    others |= {"--report": report is not None, "--tables": tables is not None}
    require_plain(style, others | {"--intervals": intervals is not None, "--slices": bool(slices)})
    lone = {"--explain": bool(explain), "--per-unit": per_unit, "--incomplete": bool(incomplete)}
    drawing: dict[str, Any] = {
        "method": method,
        "resample": resample,
        "clusters": clusters,
        "strata": strata,
    }
    drawing |= {"samples": samples, "seed": seed}
    drawn = {f"--{option}": value is not None for option, value in drawing.items()}
    sliced = SliceWish.given(slices, intervals, lone | drawn)
    sure = IntervalWish.given(intervals, lone, **drawing)
    instead = {"--explain": bool(explain), "--incomplete": bool(incomplete)}
    page = ReportWish.given(report, tables, instead)
    if sliced is not None:
        form = sliced.form(flags, output)
    elif incomplete:
        form = incomplete_form(flags, output)
    elif explain:
        form = explanation_form({**flags, "per-unit": per_unit}, output)
    else:
        form = chosen_form(flags, output, _EXTENSIONS)
    require_plain(style, {f"-o {output}": form != "table"})

    from cranfield import formats
    from cranfield.commands.run_files import files_of, named_runs
    from cranfield.measures import measure as named
    from cranfield.tasks.retrieval.trec_eval import cut_off

    scored = (file for run in runs or () for file in files_of(run))
    about_items = (clusters, strata, *(sliced.files if sliced else ()))
    texts = (truth, concepts, weights, titles, *files_in(threshold))
    given = (*texts, *about_items, *about.all, *scored)
    spare(given, output)
    if page is not None:
        page.spare((*given, output))
    wanted = [] if style is Style.trec else [named(spelling) for spelling in measure or ()]
    if format is None and formats.is_preferences(truth):
        require_trec_style(style, truth)
        unfit = {
            "--level": level is not None,
            "--depth": depth is not None,
            "--concepts": bool(concepts),
        }
        show_preferences(truth, runs or [], measure, topics, output, unfit=unfit, per_unit=per_unit)
        return
    collection = read_collection(truth, concepts, format, split)
    if titles is not None:
        collection = formats.with_topics(collection, titles)
    known = about.read(collection.truth.concept_axis)
    if not measure:
        has_ontology = bool(known.ontology or collection.ontology)
        usual = _usual_measures(collection.truth, has_ontology=has_ontology)
        usual = SLICED_MEASURES if sliced is not None else usual
        wanted = list(map(named, INCOMPLETE_MEASURES if incomplete else usual))
    if explain:
        require_items(collection, truth, explain)
        wanted = [one for one in wanted if measure or one.traits.direction == "example"]
    by = sliced.attributes(collection.items) if sliced is not None else []
    heavy = formats.read_weights(weights) if weights else None
    files = named_runs(runs or collection.runs)
    with naming(files, weights, about.called(truth)):
        cut = cut_of(threshold)
        read = read_runs(collection, files, format=format, threshold=cut, extra=extra)
        if depth is not None:
            read = [cut_off(run, depth) for run in read]
        if style is Style.trec:
            show_in_trec_style(
                collection, read, measure, topics, output, level=level, per_unit=per_unit
            )
            return
        if level is not None:
            collection = replace(collection, truth=collection.truth.at_level(level))
        if incomplete:
            show_incomplete(
                incomplete,
                collection,
                read,
                wanted,
                known,
                close=close,
                form=form,
                path=output,
                weights=heavy,
                missing=missing.value,
            )
            return
        if not measure:
            wanted = possible(wanted, read, files)
        result = score_runs(
            collection, read, wanted, known, weights=heavy, missing=missing, topics=topics
        )
    told: dict[str, Any] = {}
    if explain:
        show_explanations(result, explain, form, output, collection.descriptions)
    elif sliced is not None:
        told["slices"] = parts = sliced.found(result, by)
        sliced.show(parts, form, output)
    elif sure is not None:
        told["intervals"] = ends = sure.found(result)
        sure.show(result, ends, form, output)
    else:
        _show(result, form, output, collection.descriptions, per_unit=per_unit)
    if page is not None:
        page.write(result, collection=collection, **told)


@contextmanager
def naming(
    files: Mapping[str, Path], weights: Path | None = None, maps: Mapping[str, Path] | None = None
) -> Iterator[None]:
    """Put the file before what the library says of a run, of weights or of a map."""
    from cranfield.errors import FileError, InputError

    try:
        yield
    except FileError:
        raise
    except InputError as error:
        message = str(error)
        about = {f"run {name!r}": path for name, path in files.items()}
        about |= maps or {}
        if weights is not None:
            about["weights"] = weights
        for words, path in about.items():
            if message.startswith(words):
                raise FileError(path, message) from None
        raise


def _usual_measures(truth: Truth, *, has_ontology: bool) -> tuple[str, ...]:
    """What is shown if nobody asks for measures by name, by what the truth holds."""
    if truth.targets is not None and not truth.has_labels:
        return TARGET_MEASURES
    if truth.open:
        return SEARCH_MEASURES
    return DEFAULT_MEASURES + (ONTOLOGY_MEASURES if has_ontology else ())


def possible(measures: list[Measure], runs: list[Run], files: Mapping[str, Path]) -> list[Measure]:
    """Of measures that nobody asked for by name, those that every run has decisions for."""
    from cranfield.cli.outcomes import translated
    from cranfield.cli.screen import inform

    for run in runs:
        obstacle = _lack_of_decisions(run)
        if obstacle is not None:
            kept = [one for one in measures if one.traits.prediction != "decisions"]
            left = ", ".join(str(one) for one in measures if one not in kept)
            inform(f"without {left}: {files[run.name]}: {translated(obstacle)}")
            return kept
    return measures


def warn_of_thresholds(runs: Iterable[Run], measures: Iterable[Measure]) -> None:
    """Say which runs decide everything alike because of their threshold."""
    from cranfield.cli.screen import inform

    if not any(one.traits.prediction == "decisions" for one in measures):
        return
    for run in runs:
        if _lack_of_decisions(run) is None and run.one_sided is not None:
            inform(
                f"warning: run {run.name!r}: {run.one_sided}; cut it elsewhere with "
                f"--threshold {run.name}=NUMBER"
            )


def _lack_of_decisions(run: Run) -> str | None:
    """Why a run has no decisions; None if it has."""
    from cranfield.errors import InputError

    if run.labels is None:
        try:
            run.cut  # noqa: B018 - asked for the error it may raise
        except InputError as error:
            return str(error)
    return None


def score_runs(
    collection: Collection,
    runs: list[Run],
    measures: list[Measure],
    known: Knowledge,
    *,
    weights: dict[str, float] | None,
    missing: Missing,
    topics: Topics | None,
) -> Evaluation:
    """All runs by all measures, with a bar over runs."""
    from cranfield import engine
    from cranfield.cli.screen import stage_bar

    warn_of_thresholds(runs, measures)
    return engine.evaluate(
        collection,
        runs,
        measures,
        ontology=known.ontology,
        costs=known.costs,
        relatedness=known.relatedness,
        agreement=known.agreement,
        weights=weights,
        missing=missing.value,
        topics=None if topics is None else topics.value,
        progress=stage_bar,
    )


def _show(
    result: Evaluation,
    form: str,
    path: Path | None,
    descriptions: Mapping[str, str],
    *,
    per_unit: bool,
) -> None:
    deliver_result(result.by_unit(descriptions) if per_unit else result, form, path)
