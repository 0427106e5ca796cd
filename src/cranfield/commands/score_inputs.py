"""Inputs of `evaluate`, `explain`, `slices` and `bounds`: what is scored, how sure scores are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from cranfield.commands.inputs import Runs, runs_of_truth
from cranfield.commands.score_files import runs_or_scores
from cranfield.core.options import Option
from cranfield.core.progress import Progress
from cranfield.core.run import Run
from cranfield.errors import MOST_DRAWS, FileError, InputError

if TYPE_CHECKING:
    from cranfield.engine.evaluation import Evaluation
    from cranfield.statistics.intervals import IntervalScores
    from cranfield.tasks.retrieval.preferences import Preferences

_INPUTS, _INTERVALS, _TREC = "Inputs", "Intervals", "TREC files"


class Style(NamedTuple):
    """Measures, by their names here or in trec_eval."""

    measures: list[str] | None
    style: Literal["table", "trec"]


def style_of_scores(
    *,
    measures: Annotated[
        list[str] | None,
        Option(
            name="measure",
            short="-m",
            metavar="NAME",
            suggest="unchecked measures",
            default="concept.AP, concept.AUC, concept.EER, example.F, example.AP, "
            "example.ranking_loss, OS if there is an ontology",
        ),
    ] = None,
    style: Annotated[
        Literal["table", "trec"],
        Option(
            panel=_TREC,
            excludes=(
                *("intervals", "report", "tables", "weights", "titles", "threshold"),
                *("ontology", "costs", "relatedness", "agreement"),
            ),
        ),
    ] = "table",
    truth: Any = None,
) -> Style:
    """Measures, by their names here or in trec_eval.

    measures  Measure; may be repeated.
    style     trec: print what trec_eval 10 prints; -m takes its names then, such as map, P_10,
              ndcg_cut, official or all_trec.
    """
    from cranfield.formats.scores import is_scores
    from cranfield.measures import measure

    if style == "table" and not (measures and is_scores(truth)):
        for spelling in measures or ():  # misspelt ones are refused before anything is read
            measure(spelling)
    return Style(measures, style)


@wraps(runs_of_truth)
def runs_or_preferences(*, truth: Path, runs: list[Path] | None = None, **options: Any) -> Runs:
    from cranfield import formats
    from cranfield.commands.run_files import named_runs

    if options.get("format") is not None or not formats.is_preferences(truth):
        return runs_of_truth(truth, runs, **options)
    preferences: Any = formats.read_preferences(truth)
    for name in ("concepts", "terms"):
        if options.get(name):
            raise InputError("it does not go with preferences", parameter=name)
    read = [_searched(preferences, name, file) for name, file in named_runs(runs or ()).items()]
    return Runs(preferences, read, "absent", "error", None, None, None, None)


@wraps(runs_of_truth)
def runs_preferences_or_scores(*, truth: Path, **options: Any) -> Runs:
    from cranfield.formats.scores import is_scores

    reader = runs_or_scores if is_scores(truth) else runs_or_preferences
    return reader(truth=truth, **options)


def _searched(preferences: Preferences, name: str, file: Path) -> Run:
    from cranfield import formats
    from cranfield.formats.kinds.trec.files import require_common_topic
    from cranfield.formats.problems import Problems

    run = formats.read_run(file, name=name)
    problems = Problems(file)
    require_common_topic(run.concepts, preferences.topics, problems)
    problems.settle()
    run.source = file
    return run


class Relevance(NamedTuple):
    """What counts as relevant, and how far down rankings count."""

    runs: list[Run]
    level: int | None


def relevance(
    *,
    level: Annotated[int | None, Option(metavar="GRADE", minimum=1, panel=_TREC)] = None,
    depth: Annotated[int | None, Option(metavar="K", minimum=1, panel=_TREC)] = None,
    truth: Any = None,
    runs: Any = None,
) -> Relevance:
    """What counts as relevant, and how far down rankings count.

    level  Relevant from this grade on (trec_eval -l); default: what the truth says, usually 1.
           Measures that use grades, such as nDCG, look at all of them.
    depth  Only the first K items of each topic or concept count (trec_eval -M).
    """
    from cranfield.tasks.retrieval.preferences import Preferences
    from cranfield.tasks.retrieval.trec_eval import cut_off

    for name, value in (("level", level), ("depth", depth)):
        if value is not None and isinstance(truth, Preferences):
            raise InputError("it does not go with preferences; leave it out", parameter=name)
        if value is not None and not truth.concepts:
            raise InputError("it does not go with scores; leave it out", parameter=name)
    return Relevance(runs if depth is None else [cut_off(run, depth) for run in runs], level)


class Weighting(NamedTuple):
    """Weights of units."""

    weights: Any


def weights_of_units(
    *, weights: Annotated[Path | None, Option(panel=_INPUTS)] = None, truth: Any = None
) -> Weighting:
    """Weights of units.

    weights  Weights of concepts or items: CSV with the header concept,value or item,value, or an
             agreement map.
    """
    from cranfield import formats
    from cranfield.engine.weights import as_weights

    if weights is None:
        return Weighting(None)
    try:
        return Weighting(as_weights(formats.read_weights(weights), truth.truth))
    except FileError:
        raise
    except InputError as error:
        raise FileError(weights, error.what, mend=error.mend) from None


@dataclass(frozen=True)
class Resampling:
    """How intervals are to be found."""

    level: float
    method: Any
    resample: Any
    clusters: Path | None
    strata: Path | None
    samples: int
    seed: int

    def intervals_of(self, result: Evaluation, progress: Progress) -> IntervalScores:
        from cranfield.formats.splits import read_groups
        from cranfield.statistics.intervals import IntervalScores, intervals

        clusters, strata = (
            None if path is None else read_groups(path, result.truth.items)
            for path in (self.clusters, self.strata)
        )
        found = intervals(
            result,
            level=self.level,
            method=self.method,
            resample=self.resample or ("concepts" if result.truth.open else "items"),
            samples=self.samples,
            seed=self.seed,
            strata=strata,
            clusters=clusters,
            progress=progress,
        )
        return IntervalScores(result, found)


class ResamplingOptions(NamedTuple):
    """How intervals are to be found, if they are."""

    resampling: Resampling | None


def resampling_options(
    *,
    intervals: Annotated[bool, Option(panel=_INTERVALS, excludes=("per_unit",))] = False,
    confidence: Annotated[
        float, Option(metavar="SHARE", panel=_INTERVALS, needs="intervals")
    ] = 0.95,
    method: Annotated[
        Literal["auto", "analytic", "percentile", "bca"],
        Option(panel=_INTERVALS, needs="intervals"),
    ] = "auto",
    resample: Annotated[
        Literal["items", "concepts", "both"] | None,
        Option(panel=_INTERVALS, needs="intervals", default="items; concepts of TREC files"),
    ] = None,
    clusters: Annotated[Path | None, Option(panel=_INTERVALS, needs="intervals")] = None,
    strata: Annotated[Path | None, Option(panel=_INTERVALS, needs="intervals")] = None,
    samples: Annotated[
        int, Option(minimum=40, maximum=MOST_DRAWS, panel=_INTERVALS, needs="intervals")
    ] = 2000,
    seed: Annotated[int, Option(minimum=0, panel=_INTERVALS, needs="intervals")] = 0,
    runs: Any = None,
) -> ResamplingOptions:
    """How intervals are to be found.

    intervals   Confidence intervals: scores to expect on other items of this kind.
    confidence  Their level.
    method      From the spread of item values, or from draws; auto: analytic where a measure has
                item values, else percentile.
    resample    What to resample: items, concepts or both.
    clusters    Items that come together, such as those of one photographer: CSV with the header
                item,group or item,split.
    strata      Parts of the collection whose sizes were fixed beforehand, so that only differences
                within them count: CSV with the header item,group or item,split.
    samples     Draws of percentile and bca.
    seed        Seed of draws.
    """
    if not intervals:
        return ResamplingOptions(None)
    for path in runs or ():
        if not path.exists() and _is_number(str(path)):
            raise InputError(
                f"{path} is a level, which is an option of its own now",
                mend=f"give {{confidence={path}}}",
                parameter="intervals",
            )
    require_share(confidence)
    if resample == "both" and method in ("analytic", "bca"):
        raise InputError(
            f"{method} is not for both items and concepts",
            mend="choose {method=percentile}",
            parameter="method",
        )
    chosen = Resampling(confidence, method, resample, clusters, strata, samples, seed)
    return ResamplingOptions(chosen)


def require_share(confidence: float) -> None:
    """Refuse a level of confidence that is none."""
    if not 0.0 < confidence < 1.0:
        raise InputError(
            f"{confidence:g} is not between 0 and 1; give a share such as 0.95",
            parameter="confidence",
        )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
