"""`cf.intervals`: an interval for every score of an evaluation.

What is resampled is what the interval speaks of: other items of the same kind by default, for every
measure; other concepts (topics), or both. The last two are for concept-based measures only, answer
another question, and are far wider.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np

from cranfield import kernels
from cranfield.collections.comparison import Comparison
from cranfield.core.matrices import Floats
from cranfield.core.progress import Progress, silent
from cranfield.engine.direct_calls import of_evaluation
from cranfield.engine.evaluation import Evaluation, Score
from cranfield.errors import InputError, require_draws, several
from cranfield.measures.reported import Reported
from cranfield.statistics.influence import NoItemValuesError, comparison_of, item_values
from cranfield.statistics.intervals import limits
from cranfield.statistics.intervals.results import Interval, Intervals, Method, Resample
from cranfield.statistics.resampling import Sampling, average, replicates


@dataclass(frozen=True)
class _Choices:
    """How intervals are to be found."""

    level: float
    method: Method
    resample: Resample
    samples: int
    sampling: Sampling

    def signature(self, score: Score, method: str) -> str:
        """That of the score, and every choice of the interval."""
        chosen = {"level": f"{self.level:g}", "method": method, "resample": self.resample}
        if method in ("percentile", "bca"):
            chosen |= {"samples": str(self.samples), "seed": str(self.sampling.seed)}
        chosen |= dict(self.sampling.given)
        chosen_text = ",".join(f"{name}={value}" for name, value in chosen.items())
        return f"{score.signature}|interval({chosen_text})"


@of_evaluation
def intervals(
    result: Evaluation,
    *,
    level: float = 0.95,
    method: Method = "auto",
    resample: Resample = "items",
    samples: int = 2000,
    seed: int = 0,
    strata: Any = None,
    clusters: Any = None,
    progress: Progress = silent,
) -> Intervals:
    """An interval for every score of an evaluation.

    level     the share of such intervals that hold the score of all items (or concepts)
    method    "analytic" (influence values), "percentile" or "bca" (bootstrap); "auto": analytic
              where the measure has influence values, else percentile
    resample  "items", "concepts" or "both"
    samples   draws of the bootstrap
    strata    a label for each item (array, or a Series or mapping of ids): so many items of each
              were planned
    clusters  likewise: items that come together, such as those of one photographer; default: the
              clusters of the truth
    progress  a listener: a step for each run
    """
    _require(level, method, resample, samples, seed)
    if resample == "concepts" and (strata is not None or clusters is not None):
        raise InputError(
            "strata and clusters are of items, and concepts alone are resampled",
            mend="choose {resample=items} or {resample=both}, or leave them out",
        )
    sampling = Sampling.of_truth(result.truth, strata=strata, clusters=clusters, seed=seed)
    choices = _Choices(level, method, resample, samples, sampling)
    by_run = [[score for score in result if score.run.name == run] for run in result.runs]
    done: list[list[Interval]] = [[] for _ in by_run]

    with progress("resampling", len(by_run)) as step:

        def work(indices: range) -> None:
            for index in indices:
                done[index] = _of_run(by_run[index], choices)
                step(1)

        kernels.share(len(by_run), 1, work)
    return Intervals([interval for run in done for interval in run], result.truth)


def _of_run(scores: list[Score], choices: _Choices) -> list[Interval]:
    """Scores of one run that treat unjudged cells alike share what they are computed from."""
    comparisons: dict[str, Comparison] = {}
    results = []
    for score in scores:
        if score.unjudged not in comparisons:
            comparisons[score.unjudged] = comparison_of(score)
        comparison = comparisons[score.unjudged]
        interval = _interval(score, comparison, choices)
        results.append(replace(interval, from_repeats=_from_repeats(interval, comparison)))
    return results


def _from_repeats(interval: Interval, comparison: Comparison) -> float | None:
    """The share of the variance that repeats of items make."""
    measure = interval.measure
    noise = measure.repeat_variance(comparison) if isinstance(measure, Reported) else None
    if noise is None or not interval.error > 0.0:
        return None
    return min(1.0, noise / interval.error**2)


def _interval(score: Score, comparison: Comparison, choices: _Choices) -> Interval:
    if not math.isfinite(score.value):
        return _result(score, choices, "none", limits.NOWHERE, math.nan, ["the score is undefined"])
    if choices.resample != "items" and score.measure.traits.direction != "concept":
        raise InputError(
            f"{score.measure} has no score for each concept, so concepts cannot be resampled",
            mend="give {resample=items}, or take a measure concept.…",
        )
    if choices.resample == "concepts":
        return _over(score, choices, *limits.concept_values(score, choices.sampling.seed))
    if score.truth.open and score.measure.traits.direction != "example":
        raise InputError(
            f"{score.measure}: an open truth, such as that of TREC files, has no settled number of "
            "items to resample",
            mend="give {resample=concepts}: these are the topics",
        )
    if choices.resample == "both":
        return _two_ways(score, comparison, choices)
    try:
        values = item_values(score, comparison, widened=True)
    except NoItemValuesError:
        if choices.method in ("analytic", "bca"):
            raise
        return _drawn(score, comparison, choices, None)
    if choices.method in ("auto", "analytic"):
        return _over(score, choices, values, choices.sampling, _lone(score, comparison))
    return _drawn(score, comparison, choices, values)


def _lone(score: Score, comparison: Comparison) -> list[str]:
    """Concepts whose positives show no spread, since there is but one."""
    if score.measure.traits.direction != "concept" or score.measure.traits.relevance == "numeric":
        return []
    lone = int(np.count_nonzero(comparison.totals("concept").positives == 1))
    if not lone:
        return []
    concepts = comparison.truth.terms.several(lone, "concept")
    return [f"{concepts} with a single positive, which shows no spread: interval too narrow"]


def _over(
    score: Score, choices: _Choices, values: Floats, sampling: Sampling, remarks: Sequence[str] = ()
) -> Interval:
    """From values of units whose mean is the score: analytic, or their bootstrap for concepts."""
    error, degrees = sampling.spread(values)
    notes, kind = list(remarks), "concept" if choices.resample == "concepts" else "item"
    if not degrees:
        notes = [f"fewer than two {kind}s to tell a spread from"]
        return _result(score, choices, "none", limits.NOWHERE, math.nan, notes)
    if error <= 1e-12 * max(1.0, abs(score.value)):
        notes.append(f"all {kind}s have the same value, which says nothing of others")
    if sampling.lone_strata:
        notes.append(f"{several(sampling.lone_strata, 'stratum of one unit')} without a spread")
    if choices.method in ("percentile", "bca"):
        mean = limits.mean_over_concepts(score)
        drawn = np.concatenate([mean(times) for times in sampling.draws(choices.samples)])
        return _from_draws(score, choices, drawn, values, notes)
    ends = limits.analytic(score.value, error, degrees, choices.level, score.measure.traits.range)
    return _result(score, choices, "analytic", ends, error, notes)


def _drawn(
    score: Score, comparison: Comparison, choices: _Choices, values: Floats | None
) -> Interval:
    """From the scores of draws of items."""
    if choices.sampling.clusters < 2:
        notes = [f"fewer than two {score.truth.terms.items} to draw from"]
        return _result(score, choices, "none", limits.NOWHERE, math.nan, notes)
    drawn, by_unit = replicates(score, comparison, choices.sampling, choices.samples)
    return _from_draws(score, choices, drawn, values, _losses(score, by_unit))


def _two_ways(score: Score, comparison: Comparison, choices: _Choices) -> Interval:
    """Items and concepts drawn independently of each other (Owen 2007: if anything too wide)."""
    if choices.method in ("analytic", "bca"):
        raise InputError(
            f"method {choices.method} resamples items or concepts, not both",
            mend="choose {method=percentile} for {resample=both}",
            parameter="method",
        )
    _, by_unit = replicates(score, comparison, choices.sampling, choices.samples)
    if by_unit.shape[1] != len(score.by_unit):
        raise InputError(
            f"{score.measure}: draws of items have no scores of single concepts",
            mend="choose {resample=items} or {resample=concepts}",
        )
    chosen = Sampling.of(score.truth.concept_axis, seed=choices.sampling.seed + 1)
    times = np.concatenate(list(chosen.draws(choices.samples)))
    heavy = times if score.weights is None else times * score.weights
    drawn = average(by_unit, heavy, score.measure.traits.average)
    return _from_draws(score, choices, drawn, None, _losses(score, by_unit))


def _from_draws(
    score: Score, choices: _Choices, drawn: Floats, values: Floats | None, notes: list[str]
) -> Interval:
    defined = drawn[np.isfinite(drawn)]
    lost = len(drawn) - len(defined)
    if lost:
        notes = [*notes, f"{several(lost, 'draw')} of {len(drawn)} without a score left out"]
    method = "bca" if choices.method == "bca" else "percentile"
    if method == "bca" and values is not None:
        influence = values[~np.isnan(values)] - score.value
        ends = limits.bias_corrected(defined, score.value, influence, choices.level)
    else:
        ends = limits.percentile(defined, choices.level)
    error = float(defined.std(ddof=1)) if len(defined) > 1 else math.nan
    return _result(score, choices, method, ends, error, notes, lost)


def _losses(score: Score, by_unit: Floats) -> list[str]:
    """What draws lack that the collection has."""
    if by_unit.shape[1] != len(score.by_unit):
        return []
    lost = np.isnan(by_unit) & ~np.isnan(score.by_unit)
    concepts = int(np.count_nonzero(lost.any(axis=0)))
    if not concepts:
        return []
    words = score.truth.terms.several(concepts, "concept")
    return [f"{words} undefined in some draws, and left out of these"]


def _result(
    score: Score,
    choices: _Choices,
    method: str,
    ends: limits.Limits,
    error: float,
    notes: list[str],
    undefined: int = 0,
) -> Interval:
    if choices.resample != "concepts" and choices.sampling.clusters < choices.sampling.size:
        items = score.truth.terms.items
        notes = [*notes, f"{choices.sampling.clusters} clusters of {items} resampled as wholes"]
    return Interval(
        run=score.run.name,
        measure=score.measure,
        score=score.value,
        low=ends.low,
        high=ends.high,
        error=error,
        level=choices.level,
        method=method,
        resample=choices.resample,
        undefined=undefined,
        notes=tuple(notes),
        signed=lambda: choices.signature(score, method),
    )


def _require(level: float, method: str, resample: str, samples: int, seed: int) -> None:
    if not 0.0 < level < 1.0:
        raise InputError(
            f"{level:g} is no level",
            mend="give a share between 0 and 1, such as 0.95",
            parameter="level",
        )
    if method not in get_args(Method):
        raise InputError(f"method={method!r}; choose {', '.join(map(repr, get_args(Method)))}")
    if resample not in get_args(Resample):
        names = ", ".join(map(repr, get_args(Resample)))
        raise InputError(f"resample={resample!r}; choose {names}")
    require_draws("samples", samples, least=40)
    if seed < 0:
        raise InputError(f"seed={seed}; seeds start at 0")
