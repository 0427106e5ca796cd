"""Intervals of scores: what they are, and how they are shown beside the scores."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from cranfield.caching import cached_property
from cranfield.core.chart import Axis, Chart
from cranfield.core.result import Analysis
from cranfield.core.table import Column, LazyRows, Row, Table
from cranfield.core.terms import CONCEPTS, Terms
from cranfield.engine.evaluation import Evaluation
from cranfield.engine.standings import score_column
from cranfield.statistics.score_results import ScoreResults, notes_by_measure

if TYPE_CHECKING:
    from cranfield.measures import Measure

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
    from_repeats: float | None = None
    """The share of the variance that repeats of items make; None where there are none."""

    def resampled(self, terms: Terms = CONCEPTS) -> str:
        """What was resampled, in words."""
        if self.resample == "both":
            return f"{terms.items} and {terms.concepts}"
        return terms.word(self.resample)

    @cached_property
    def signature(self) -> str:
        """That of the score and every choice of the interval; hashes are made when asked for."""
        return self.signed()

    def row(self) -> dict[str, Any]:
        """A plain record."""
        return {
            "run": self.run,
            "measure": str(self.measure),
            "score": self.score,
            "low": self.low,
            "high": self.high,
            "error": self.error,
            "level": self.level,
            "method": self.method,
            "resample": self.resample,
            "undefined": self.undefined,
            "notes": "; ".join(self.notes),
            "signature": self.signature,
        } | ({} if self.from_repeats is None else {"from_repeats": self.from_repeats})


class Intervals(ScoreResults[Interval]):
    """Intervals by run and measure: intervals["system", "concept.AP"].low."""

    title = "Confidence intervals"
    kind = "intervals"

    def _columns(self) -> list[Column]:
        return [*(Column(name, digits=4) for name in ("score", "low", "high")), Column("method")]

    def _cells(self, result: Interval) -> dict[str, Any]:
        return {name: getattr(result, name) for name in ("score", "low", "high", "method")}

    def _remarks(self) -> list[str]:
        """Of what and how sure, and what each interval notes, once."""
        if not self.results:
            return []
        first = self.results[0]
        by_method: dict[str, dict[str, None]] = {}
        for result in self:
            by_method.setdefault(result.method, {})[str(result.measure)] = None
        methods = "; ".join(f"{method}: {', '.join(names)}" for method, names in by_method.items())
        return [
            f"{100 * first.level:.4g} % confidence intervals: scores to expect on other "
            f"{first.resampled(self.terms)} of this kind ({methods})",
            *notes_by_measure(self),
            *self._repeats(),
        ]

    def _repeats(self) -> list[str]:
        """How much of the variance more repeats would lessen."""
        shares: dict[str, list[float]] = {}
        for result in self:
            if result.from_repeats is not None:
                shares.setdefault(str(result.measure), []).append(result.from_repeats)
        return [
            f"{' to '.join(dict.fromkeys(f'{100 * end:.0f}' for end in (min(own), max(own))))} % "
            f"of the variance comes from repeats, which more of them lessen; the rest is between "
            f"{self.terms.items} ({measure})"
            for measure, own in shares.items()
        ]

    def _charts(self) -> list[Chart]:
        """Scores with their intervals, a chart for each measure, best run first."""
        return [self.chart(measure, self.runs) for measure in self.measures]

    def chart(self, measure: Measure, runs: tuple[str, ...]) -> Chart:
        """The intervals of some runs by a measure, in this order."""
        known = [self[run, measure] for run in runs if math.isfinite(self[run, measure].score)]
        rows = [
            {
                "run": result.run,
                "score": result.score,
                # An interval of which nothing is known has the length 0.
                "low": result.low if math.isfinite(result.low) else result.score,
                "high": result.high if math.isfinite(result.high) else result.score,
            }
            for result in known
        ]
        return Chart(
            kind="ranges",
            rows=rows,
            x=Axis("score", str(measure)),
            y=Axis("run", scale="names"),
            ends=("low", "high"),
            tooltip=("run", "score", "low", "high"),
            title=str(measure),
        )


@dataclass(frozen=True, eq=False, repr=False)
class IntervalScores(Analysis):
    """An evaluation, each score with its interval."""

    title = "Scores with confidence intervals"

    evaluation: Evaluation
    intervals: Intervals

    @property
    def terms(self) -> Terms:
        return self.evaluation.terms

    def _records(self) -> list[dict[str, Any]]:
        return [
            {
                "run": row["run"],
                "measure": row["measure"],
                "score": row["score"],
                "low": interval.low,
                "high": interval.high,
                "units": row["units"],
                "skipped": row["skipped"],
                "notes": "; ".join(filter(None, (row["notes"], *interval.notes))),
                "signature": interval.signature,
            }
            for row, interval in zip(self.evaluation.records(), self.intervals, strict=True)
        ]

    def _facts(self) -> dict[str, Any]:
        """{"scores": […]} as without intervals, and "low" and "high" in each."""
        return {"scores": LazyRows(self._records)}

    def _tables(self) -> list[Table]:
        measures = self.evaluation.measures
        columns = [
            Column("run", key=True),
            *(
                replace(score_column(measure), interval=(f"{measure} low", f"{measure} high"))
                for measure in measures
            ),
        ]
        return [
            Table("scores", LazyRows(self._records), audience="programs"),
            self.evaluation.standings.table(list(map(self._row, self._order)), columns),
        ]

    @property
    def _order(self) -> tuple[str, ...]:
        return self.evaluation.standings.runs

    def _row(self, run: str) -> Row:
        row: dict[str, Any] = {"run": run}
        for measure in self.evaluation.measures:
            interval = self.intervals[run, measure]
            row[str(measure)] = interval.score
            row |= {f"{measure} low": interval.low, f"{measure} high": interval.high}
        return row

    def _charts(self) -> list[Chart]:
        standings = self.evaluation.standings
        return [
            self.intervals.chart(measure, standings.order(measure))
            for measure in standings.measures
        ]

    def _remarks(self) -> list[str]:
        return [*self.evaluation.standings.remarks, *self.intervals.result.remarks]
