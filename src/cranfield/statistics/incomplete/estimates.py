"""Estimates: the score of a run on the completely judged collection, from a sample of its cells.

    linear   unbiased: Hamming loss, accuracy and error rate of cells
    ratio    other count measures by concept or pooled
    imputed  other count measures by item

The interval speaks of the cells that nobody judged, not of other items: once all cells are judged,
it is a point.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.core.axes import Missing
from cranfield.core.chart import Axis, Chart
from cranfield.core.run import Run
from cranfield.core.table import Column
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.engine.direct_calls import of_inputs
from cranfield.engine.evaluation import Score
from cranfield.errors import InputError, MeasureError, require_draws, require_whole
from cranfield.measures import Measure
from cranfield.statistics.correlation import Interval
from cranfield.statistics.incomplete.bounds import counts
from cranfield.statistics.incomplete.gaps import Gaps, unknown_cells
from cranfield.statistics.incomplete.sampling import Sample, drawn_scores, linear, ratio
from cranfield.statistics.score_results import ScoreResults, notes_by_measure

_FEWEST_DRAWS = 20
"""For an interval."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """What a sample says about the score of a run on the completely judged collection."""

    run: str
    measure: Measure
    estimate: float
    interval: Interval
    level: float
    score: float
    """As evaluated now, with unjudged cells treated as the truth says."""
    method: str
    """linear, ratio or imputed."""
    unjudged: float
    """Share of the cells that nobody judged."""
    notes: tuple[str, ...]

    def row(self) -> dict[str, Any]:
        """A plain record."""
        return {
            "run": self.run,
            "measure": str(self.measure),
            "estimate": self.estimate,
            "low": self.interval.low,
            "high": self.interval.high,
            "score": self.score,
            "level": self.level,
            "method": self.method,
            "unjudged": self.unjudged,
            "notes": "; ".join(self.notes),
        }


class Estimates(ScoreResults[Estimate]):
    """Estimates of runs × measures: estimates["system", "example.F"] is an `Estimate`."""

    title = "Estimates of scores"
    kind = "estimates"

    def _columns(self) -> list[Column]:
        numbers = [Column(name, digits=4) for name in ("estimate", "low", "high", "score")]
        return [*numbers, Column("method")]

    def _cells(self, result: Estimate) -> dict[str, Any]:
        low, high = result.interval
        return {
            "estimate": result.estimate,
            "low": low,
            "high": high,
            "score": result.score,
            "method": result.method,
        }

    def _remarks(self) -> list[str]:
        if not self.results:
            return []
        first = self.results[0]
        return [
            f"{100 * first.unjudged:.1f} % of the cells are unjudged; score: as evaluated now",
            f"estimates of the score if all cells were judged, with {100 * first.level:.4g} % "
            "confidence intervals; judged cells are assumed to be a random sample of the "
            "pool, or of each stratum",
            *notes_by_measure(self),
        ]

    def _charts(self) -> list[Chart]:
        """Estimates with their intervals, a chart for each measure."""
        return [
            Chart(
                kind="ranges",
                rows=[self._cells(self[run, measure]) | {"run": run} for run in self.runs],
                x=Axis("estimate", str(measure)),
                y=Axis("run", scale="names"),
                ends=("low", "high"),
                tick="score",
                title=str(measure),
                subtitle="estimates if all cells were judged; tick: as evaluated now",
            )
            for measure in self.measures
        ]


@of_inputs
def estimate(
    truth: Truth | Collection,
    runs: Run | Iterable[Run],
    measures: str | Measure | Iterable[str | Measure],
    *,
    level: float = 0.95,
    draws: int = 200,
    seed: int = 0,
    missing: Missing = "error",
    **options: Any,
) -> Estimates:
    """Scores on the completely judged collection, from cells judged at random, with intervals.

    The judged cells of the truth are a simple random sample of its pool, or of each of its strata.
    level     of the intervals
    draws     truths drawn for measures by item that are not sums over cells
    options   knowledge about concepts and weights, as for `evaluate`
    """
    if not 0 < level < 1:
        raise InputError(f"level={level:g}; give a share between 0 and 1, such as 0.95")
    require_draws("draws", draws, least=_FEWEST_DRAWS)
    require_whole("seed", seed, least=0)
    now = evaluate(truth, runs, measures, missing=missing, **options)
    sample = Sample.of(now.truth)
    unknown = unknown_cells(now.truth, "negative")
    estimated: list[Estimate] = []
    for name in now.runs:
        scores = [score for score in now if score.run.name == name]
        gaps = Gaps(now.truth, scores[0].run, unknown, missing, scores[0].known)
        estimated += _Work(gaps, sample, level, draws, seed).estimates(scores)
    return Estimates(estimated, now.truth)


@dataclass(frozen=True, eq=False)
class _Work:
    """The estimates of one run."""

    gaps: Gaps
    sample: Sample
    level: float
    draws: int
    seed: int

    def estimates(self, scores: list[Score]) -> list[Estimate]:
        imputed = [score for score in scores if _method(score.measure) == "imputed"]
        drawn = {}
        if imputed:
            requested = [(score.measure, score.weights) for score in imputed]
            values = drawn_scores(
                self.gaps, self.sample, requested, draws=self.draws, seed=self.seed
            )
            drawn = {score.measure: row for score, row in zip(imputed, values, strict=True)}
        return [self._estimate(score, drawn) for score in scores]

    def _estimate(self, score: Score, drawn: dict[Measure, Any]) -> Estimate:
        method, notes = _method(score.measure), list(score.notes)
        if method == "imputed":
            values = drawn[score.measure]
            # The mean of equal values may be off by rounding.
            value = float(np.clip(values.mean(), values.min(), values.max()))
            tail = (1.0 - self.level) / 2.0
            ends = np.quantile(values, [tail, 1.0 - tail]).tolist()
        else:
            assigned = self.gaps.assigned
            if method == "linear":
                estimated = linear(self.sample, assigned, score.measure, score.weights)
            else:
                estimated = ratio(self.sample, assigned, score.measure, score.weights)
            value, notes = estimated.value, [*notes, *estimated.notes]
            reach = NormalDist().inv_cdf((1.0 + self.level) / 2.0) * estimated.deviation
            least, most = score.measure.traits.range
            if not self.gaps.unknown.any():  # only rounding leads out of the range
                value = float(np.clip(value, least, most))
            ends = np.clip([value - reach, value + reach], least, most).tolist()
        if (self.sample.strata < 0).any():
            notes.append("cells outside the pool count as negative")
        return Estimate(
            run=score.run.name,
            measure=score.measure,
            estimate=value,
            interval=Interval(*ends),
            level=self.level,
            score=score.value,
            method=method,
            unjudged=float(self.gaps.unknown.mean()),
            notes=tuple(notes),
        )


def _method(measure: Measure) -> str:
    if not counts(measure):
        raise MeasureError(
            f"there are no estimates for {measure}; estimates are for measures that count right "
            "and wrong decisions (example.F, concept.R, micro.P …), bounds for measures of "
            "rankings and of meaning by item too"
        )
    if measure.traits.share_of:
        return "linear"
    return "imputed" if measure.traits.direction == "example" else "ratio"
