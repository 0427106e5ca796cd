"""`cf.intervals`: an interval for every score of an evaluation.

What is resampled is what the interval speaks of: other items of the same kind by default, for every
measure; other concepts (topics), or both. The last two are for concept-based measures only, answer
another question, and are far wider.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from cranfield import kernels
from cranfield.caching import cached_property
from cranfield.collections.comparison import Comparison
from cranfield.core.matrices import Floats
from cranfield.engine.evaluation import Evaluation, Score, or_null
from cranfield.errors import InputError, require_draws, several
from cranfield.measures import Measure
from cranfield.statistics.incomplete.results import Results, shares
from cranfield.statistics.influence import NoItemValuesError, comparison_of, item_values
from cranfield.statistics.intervals import limits
from cranfield.statistics.intervals.concepts import mean_over_concepts, of_concepts
from cranfield.statistics.resampling import Sampling, average, replicates

Method = Literal["auto", "analytic", "percentile", "bca"]
Resample = Literal["items", "concepts", "both"]


@dataclass(frozen=True)
class Interval:
    """A score, and where it may lie."""

    run: str
    measure: Measure
    score: float
    low: float
    high: float
    error: float
    """Standard error: of influence values, or the spread of the scores of draws."""
    level: float
    method: str
    """analytic, percentile or bca; none where nothing can be said."""
    resample: Resample
    undefined: int
    """Draws without a score, which were left out."""
    notes: tuple[str, ...]
    signed: Callable[[], str] = field(repr=False, compare=False)

    @cached_property
    def signature(self) -> str:
        """That of the score and every choice of the interval; hashes are made when asked for."""
        return self.signed()

    def row(self) -> dict[str, Any]:
        """A plain record; a number that is undefined is None."""
        numbers = shares(score=self.score, low=self.low, high=self.high, error=self.error)
        return {
            "run": self.run,
            "measure": str(self.measure),
            **{name: or_null(number) for name, number in numbers.items()},
            "level": self.level,
            "method": self.method,
            "resample": self.resample,
            "undefined": self.undefined,
            "notes": "; ".join(self.notes),
            "signature": self.signature,
        }


class Intervals(Results[Interval]):
    """Intervals by run and measure: intervals["system", "concept.AP"].low."""

    kind = "intervals"


@dataclass(frozen=True)
class _Wish:
    """What was asked for."""

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
        told = ",".join(f"{name}={value}" for name, value in chosen.items())
        return f"{score.signature}|interval({told})"


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
    progress: Callable[[str], None] | None = None,
) -> Intervals:
    """An interval for every score of an evaluation.

    level     the share of such intervals that hold the score of all items (or concepts)
    method    "analytic" (influence values), "percentile" or "bca" (bootstrap); "auto": analytic
              where the measure has influence values, else percentile
    resample  "items", "concepts" or "both"
    samples   draws of the bootstrap
    strata    a label for each item (array, or a Series or mapping of ids): so many items of each
              were wanted
    clusters  likewise: items that come together, such as those of one photographer
    progress  called with the name of each run that is done
    """
    _require(level, method, resample, samples, seed)
    if resample == "concepts" and (strata is not None or clusters is not None):
        raise InputError(
            "strata and clusters are of items, and resample='concepts' draws none; choose "
            "resample='items' or 'both', or leave them out"
        )
    sampling = Sampling.of(result.truth.item_axis, strata=strata, clusters=clusters, seed=seed)
    wish = _Wish(level, method, resample, samples, sampling)
    by_run = [[score for score in result if score.run.name == run] for run in result.runs]
    done: list[list[Interval]] = [[] for _ in by_run]

    def work(places: range) -> None:
        for place in places:
            done[place] = _of_run(by_run[place], wish)
            if progress is not None:
                progress(by_run[place][0].run.name)

    kernels.share(len(by_run), 1, work)
    return Intervals([one for run in done for one in run], result.truth)


def _of_run(scores: list[Score], wish: _Wish) -> list[Interval]:
    """Scores of one run that treat unjudged cells alike share what they are computed from."""
    known: dict[str, Comparison] = {}
    found = []
    for score in scores:
        if score.unjudged not in known:
            known[score.unjudged] = comparison_of(score)
        found.append(_interval(score, known[score.unjudged], wish))
    return found


def _interval(score: Score, comparison: Comparison, wish: _Wish) -> Interval:
    if not math.isfinite(score.value):
        return _told(score, wish, "none", limits.NOWHERE, math.nan, ["the score is undefined"])
    if wish.resample != "items" and score.measure.traits.direction != "concept":
        raise InputError(
            f"{score.measure} has no score for each concept, so concepts cannot be resampled; "
            "give resample='items' (on the command line --resample items), or take a measure "
            "concept.…"
        )
    if wish.resample == "concepts":
        return _over(score, wish, *of_concepts(score, wish.sampling.seed))
    if score.truth.open and score.measure.traits.direction != "example":
        raise InputError(
            f"{score.measure}: an open truth, such as that of TREC files, has no settled number of "
            "items to resample; give resample='concepts' (on the command line --resample "
            "concepts): these are the topics"
        )
    if wish.resample == "both":
        return _two_ways(score, comparison, wish)
    try:
        values = item_values(score, comparison, widened=True)
    except NoItemValuesError:
        if wish.method in ("analytic", "bca"):
            raise
        return _drawn(score, comparison, wish, None)
    if wish.method in ("auto", "analytic"):
        return _over(score, wish, values, wish.sampling, _lone(score, comparison))
    return _drawn(score, comparison, wish, values)


def _lone(score: Score, comparison: Comparison) -> list[str]:
    """Concepts whose positives show no spread, since there is but one."""
    if score.measure.traits.direction != "concept" or score.measure.traits.relevance == "numeric":
        return []
    lone = int(np.count_nonzero(comparison.totals("concept").positives == 1))
    told = f"{several(lone, 'concept')} with one positive, whose spread is unknown: too narrow"
    return [told] if lone else []


def _over(
    score: Score, wish: _Wish, values: Floats, sampling: Sampling, said: Sequence[str] = ()
) -> Interval:
    """From values of units whose mean is the score: analytic, or their bootstrap for concepts."""
    error, degrees = sampling.spread(values)
    notes, kind = list(said), "concept" if wish.resample == "concepts" else "item"
    if not degrees:
        notes = [f"fewer than two {kind}s to tell a spread from"]
        return _told(score, wish, "none", limits.NOWHERE, math.nan, notes)
    if error <= 1e-12 * max(1.0, abs(score.value)):
        notes.append(f"all {kind}s have the same value, which says nothing of others")
    if sampling.lone_strata:
        notes.append(f"{several(sampling.lone_strata, 'stratum of one unit')} without a spread")
    if wish.method in ("percentile", "bca"):
        mean = mean_over_concepts(score)
        drawn = np.concatenate([mean(times) for times in sampling.draws(wish.samples)])
        return _from_draws(score, wish, drawn, values, notes)
    ends = limits.analytic(score.value, error, degrees, wish.level, score.measure.traits.range)
    return _told(score, wish, "analytic", ends, error, notes)


def _drawn(score: Score, comparison: Comparison, wish: _Wish, values: Floats | None) -> Interval:
    """From the scores of draws of items."""
    if wish.sampling.clusters < 2:
        notes = ["fewer than two items to draw from"]
        return _told(score, wish, "none", limits.NOWHERE, math.nan, notes)
    drawn, by_unit = replicates(score, comparison, wish.sampling, wish.samples)
    return _from_draws(score, wish, drawn, values, _losses(score, by_unit))


def _two_ways(score: Score, comparison: Comparison, wish: _Wish) -> Interval:
    """Items and concepts drawn independently of each other (Owen 2007: if anything too wide)."""
    if wish.method in ("analytic", "bca"):
        raise InputError(
            f"method={wish.method!r} knows one kind of unit; for resample='both' choose "
            "'percentile'"
        )
    _, by_unit = replicates(score, comparison, wish.sampling, wish.samples)
    if by_unit.shape[1] != len(score.by_unit):
        raise InputError(
            f"{score.measure}: scores of single concepts are not kept in draws of items; choose "
            "resample='items' or 'concepts'"
        )
    chosen = Sampling.of(score.truth.concept_axis, seed=wish.sampling.seed + 1)
    times = np.concatenate(list(chosen.draws(wish.samples)))
    heavy = times if score.weights is None else times * score.weights
    drawn = average(by_unit, heavy, score.measure.traits.average)
    return _from_draws(score, wish, drawn, None, _losses(score, by_unit))


def _from_draws(
    score: Score, wish: _Wish, drawn: Floats, values: Floats | None, notes: list[str]
) -> Interval:
    known = drawn[np.isfinite(drawn)]
    lost = len(drawn) - len(known)
    if lost:
        notes = [*notes, f"{several(lost, 'draw')} of {len(drawn)} without a score left out"]
    method = "bca" if wish.method == "bca" else "percentile"
    if method == "bca" and values is not None:
        influence = values[~np.isnan(values)] - score.value
        ends = limits.bias_corrected(known, score.value, influence, wish.level)
    else:
        ends = limits.percentile(known, wish.level)
    error = float(known.std(ddof=1)) if len(known) > 1 else math.nan
    return _told(score, wish, method, ends, error, notes, lost)


def _losses(score: Score, by_unit: Floats) -> list[str]:
    """What draws lack that the collection has."""
    if by_unit.shape[1] != len(score.by_unit):
        return []
    lost = np.isnan(by_unit) & ~np.isnan(score.by_unit)
    concepts = int(np.count_nonzero(lost.any(axis=0)))
    if not concepts:
        return []
    return [f"{several(concepts, 'concept')} undefined in some draws, and left out of these"]


def _told(
    score: Score,
    wish: _Wish,
    method: str,
    ends: limits.Limits,
    error: float,
    notes: list[str],
    undefined: int = 0,
) -> Interval:
    return Interval(
        run=score.run.name,
        measure=score.measure,
        score=score.value,
        low=ends.low,
        high=ends.high,
        error=error,
        level=wish.level,
        method=method,
        resample=wish.resample,
        undefined=undefined,
        notes=tuple(notes),
        signed=lambda: wish.signature(score, method),
    )


def _require(level: float, method: str, resample: str, samples: int, seed: int) -> None:
    if not 0.0 < level < 1.0:
        raise InputError(f"level={level:g}; give a number between 0 and 1, such as 0.95")
    if method not in get_args(Method):
        raise InputError(f"method={method!r}; choose {', '.join(map(repr, get_args(Method)))}")
    if resample not in get_args(Resample):
        wanted = ", ".join(map(repr, get_args(Resample)))
        raise InputError(f"resample={resample!r}; choose {wanted}")
    require_draws("samples", samples, least=40)
    if seed < 0:
        raise InputError(f"seed={seed}; seeds start at 0")
