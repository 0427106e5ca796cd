"""Bounds: the lowest and the highest score that a run may have, whatever nobody judged.

    counts     exact: right and wrong decisions, by item, by concept and pooled
    rankings   exact by item, but for grouped AP where scores are tied
    HS, OS, SRP, hR, hF, maxloss   valid: no completion leaves them, not every one is reached
    other measures by item         exact, where items have few unjudged cells

Items (and concepts) are scored independently, so the bounds of a mean are the means of the bounds;
units that some completions leave undefined are kept or skipped, whatever is more extreme. Rules of
an ontology are not looked at: close the truth first, and bounds stay valid but may be wide.

Count measures need few completions. Of the unknown cells of a unit, a assigned ones and b others
are positive. Every count measure moves in one direction with a and in one with b, but for the units
in which nothing is positive, or nothing negative, where it may be undefined: so its ends lie at
none, one, all but one or all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.core.axes import Missing
from cranfield.core.chart import Axis, Chart
from cranfield.core.matrices import Bools, Floats
from cranfield.core.run import Run
from cranfield.core.table import Column
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.engine.direct_calls import of_inputs
from cranfield.engine.evaluation import Score
from cranfield.errors import InputError, MeasureError, require_whole, several
from cranfield.measures import Measure
from cranfield.statistics.incomplete import meaning, ranking
from cranfield.statistics.incomplete.gaps import Gaps, Outside, unknown_cells
from cranfield.statistics.incomplete.spans import Spans, enumerated
from cranfield.statistics.score_results import ScoreResults, notes_by_measure

MOST_TRIED = 16
"""Unknown cells of an item up to which all completions can be tried."""

_BY_ITEM: dict[str, Callable[[Gaps, Measure], Spans]] = {
    "ranks": ranking.ranked_spans,
    "cells": meaning.cell_spans,
    "matches": meaning.matched_spans,
    "assignments": meaning.assigned_spans,
    "hierarchical precision": meaning.widened_spans,
    "hierarchical recall": meaning.widened_spans,
    "hierarchical F": meaning.widened_spans,
    "hierarchical loss": meaning.widened_spans,
}
"""By what a measure declares as `bounds`."""


@dataclass(frozen=True, eq=False)
class Bound:
    """Between which values the score of a run lies."""

    run: str
    measure: Measure
    lower: float
    upper: float
    score: float
    """As evaluated now, with unjudged cells treated as the truth says."""
    exact: bool
    """Whether completions reach both ends."""
    unjudged: float
    """Share of the cells that nobody knows."""
    low: Floats
    """By unit; NaN = undefined whatever is true."""
    high: Floats
    notes: tuple[str, ...]

    def row(self) -> dict[str, Any]:
        """A plain record."""
        return {
            "run": self.run,
            "measure": str(self.measure),
            "lower": self.lower,
            "score": self.score,
            "upper": self.upper,
            "exact": self.exact,
            "unjudged": self.unjudged,
            "notes": "; ".join(self.notes),
        }


class Bounds(ScoreResults[Bound]):
    """Bounds of runs × measures: bounds["system", "example.F"] is a `Bound`."""

    title = "Bounds of scores"
    kind = "bounds"

    def _columns(self) -> list[Column]:
        numbers = [Column(name, digits=4) for name in ("lower", "score", "upper")]
        return [*numbers, Column("bounds")]

    def _cells(self, result: Bound) -> dict[str, Any]:
        kind = "exact" if result.exact else "valid"
        return {name: getattr(result, name) for name in ("lower", "score", "upper")} | {
            "bounds": kind
        }

    def _remarks(self) -> list[str]:
        if not self.results:
            return []
        return [
            f"{100 * self.results[0].unjudged:.1f} % of the cells are unjudged; score: as "
            "evaluated now",
            "the score lies between the bounds, however the unjudged cells would be judged",
            *notes_by_measure(self),
        ]

    def _charts(self) -> list[Chart]:
        """Between which values scores lie, a chart for each measure."""
        return [
            Chart(
                kind="ranges",
                rows=[self._cells(self[run, measure]) | {"run": run} for run in self.runs],
                x=Axis("score", str(measure)),
                y=Axis("run", scale="names"),
                ends=("lower", "upper"),
                title=str(measure),
                subtitle="from the lowest to the highest score that any judgement could lead to",
            )
            for measure in self.measures
        ]


@of_inputs
def bounds(
    truth: Truth | Collection,
    runs: Run | Iterable[Run],
    measures: str | Measure | Iterable[str | Measure],
    *,
    outside: Outside = "unknown",
    exact: int = 6,
    missing: Missing = "error",
    **options: Any,
) -> Bounds:
    """The lowest and highest scores that any judgement of the unjudged cells could lead to.

    outside   cells outside the pool: "unknown" like unjudged ones, or "negative", as pooling takes
              them
    exact     of items with up to so many unknown cells every completion is tried, for measures
              that have no simpler exact bounds
    options   knowledge about concepts and weights, as for `evaluate`
    """
    if outside not in get_args(Outside):
        raise InputError(f"outside={outside!r}; choose 'unknown' or 'negative'")
    require_whole("exact", exact, least=0)
    if exact > MOST_TRIED:
        raise InputError(f"exact={exact}; give a number of cells from 0 to {MOST_TRIED}")
    now = evaluate(truth, runs, measures, missing=missing, **options)
    unknown = unknown_cells(now.truth, outside)
    listed: dict[str, Gaps] = {}
    results = []
    for score in now:
        if score.run.name not in listed:
            listed = {score.run.name: Gaps(now.truth, score.run, unknown, missing, score.known)}
        results.append(_bound(listed[score.run.name], score, exact))
    return Bounds(results, now.truth)


def _bound(gaps: Gaps, score: Score, exact: int) -> Bound:
    spans = spans_of(gaps, score.measure, exact)
    mean = spans.mean(score.weights)
    return Bound(
        run=score.run.name,
        measure=score.measure,
        lower=mean.low,
        upper=mean.high,
        score=score.value,
        exact=bool(spans.exact.all()),
        unjudged=float(gaps.unknown.mean()) if gaps.unknown.size else 0.0,
        low=spans.low,
        high=spans.high,
        notes=(*score.notes, *_notes(spans)),
    )


def spans_of(gaps: Gaps, measure: Measure, exact: int) -> Spans:
    """Spans of the units of a measure."""
    measure = _on_complete_truths(measure)
    if counts(measure):
        spans = None
        for comparison in gaps.corners(measure.traits.direction):
            values = measure.units(comparison)
            spans = (spans or Spans.nothing_seen(len(values))).seen(values)
        assert spans is not None
        return spans
    _require_independent_items(gaps, measure)
    few = gaps.sizes <= exact
    find = _BY_ITEM.get(measure.traits.bounds)
    if find is None or not _usual(measure):
        _require_few(gaps, measure, few, exact)
        return enumerated(gaps, measure, few)
    spans = find(gaps, measure)
    loose = ~spans.exact & few if len(spans.exact) == len(few) else np.zeros(0, np.bool_)
    return spans.where(loose, enumerated(gaps, measure, loose)) if loose.any() else spans


def counts(measure: Measure) -> bool:
    """Whether a measure is a formula over right and wrong decisions."""
    return measure.traits.bounds == "counts"


def _on_complete_truths(measure: Measure) -> Measure:
    """Nothing is unjudged in a completion, so it does not matter how that is treated."""
    return Measure(measure.name, tuple(s for s in measure.settings if s[0] != "unjudged"))


def _usual(measure: Measure) -> bool:
    """Whether undefined scores and ties are treated as bounds of a family take for granted."""
    option = measure.definition.options["undefined"]
    if measure.traits.bounds == "ranks":
        # Divided by what was retrieved, one more positive in the list may cost.
        monotone = measure.options.get("divisor") != "retrieved"
        return bool(measure.options["ties"] != "trec") and monotone
    return measure.traits.bounds == "cells" or bool(measure.options["undefined"] == option.default)


def _require_independent_items(gaps: Gaps, measure: Measure) -> None:
    traits = measure.definition.traits
    by_item = traits.direction == "example" and traits.relevance != "numeric"
    if not by_item or measure.traits.merges == "nothing":
        raise MeasureError(
            f"there are no bounds for {measure}; bounds are for measures that count right and "
            "wrong decisions (concept.F, micro.P, example.F …) and for measures by item "
            "(example.AP, OS, HS, SRP, example.hF …)"
        )
    if traits.relevance == "graded" and gaps.truth.grades is not None:
        raise MeasureError(
            f"there are no bounds for {measure} of a graded truth: an unjudged cell may have any "
            "grade; leave the grades out"
        )


def _require_few(gaps: Gaps, measure: Measure, few: Bools, exact: int) -> None:
    if few.all():
        return
    first = int(np.flatnonzero(~few)[0])
    most = int(gaps.sizes.max())
    mend = (
        f"give {{exact={most}}} or another measure"
        if most <= MOST_TRIED
        else "close the truth with an ontology first, or give another measure"
    )
    raise MeasureError(
        f"{measure} has bounds only where all completions can be tried, up to "
        f"{several(exact, 'unjudged cell')} an item, and item {gaps.truth.items[first]!r} has "
        f"{gaps.sizes[first]}",
        mend=mend,
    )


def _notes(spans: Spans) -> list[str]:
    notes = []
    if not spans.exact.all():
        notes.append("valid bounds, perhaps not reached")
    optional = int((spans.skippable & ~np.isnan(spans.low)).sum())
    if optional:
        notes.append(f"{several(optional, 'unit')} skipped or not, as is more extreme")
    return notes
