"""Thresholds: what the threshold of each run costs it, and where a better one lies.

The best threshold is found on the same truth: it says what could be had at most, not what tuning on
other data would reach. Of large collections a part is looked at, items evenly spaced by id.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from cranfield import kernels
from cranfield.collections.comparison import Comparison
from cranfield.core.aligned import narrowed
from cranfield.core.digests import canonical_order
from cranfield.core.matrices import Ints
from cranfield.core.run import Run
from cranfield.engine.evaluation import Score, mean
from cranfield.errors import CranfieldError, InputError
from cranfield.measures import Measure, measure
from cranfield.reports.findings import Findings
from cranfield.reports.graphics import Scale, gain
from cranfield.reports.naming import emphasised, named, titled
from cranfield.reports.section import Section
from cranfield.reports.tables import Cell, Column, Row, Table, written
from cranfield.show.markup import NOTHING, Html, joined, paragraphs
from cranfield.statistics.thresholds.averages import averages
from cranfield.statistics.thresholds.criteria import above, first_best

_USUAL = "example.F"
_CELLS, _LEAST = 2_000_000, 200
"""Cells of all runs together that are looked at, and items at the least."""


@dataclass(frozen=True)
class _Cut:
    """One run as it decides, and as it should."""

    run: str
    own: float | str
    """own: several thresholds, or decisions; none: nobody gave one, and 0.5 would be a guess."""
    score: float
    """NaN without a threshold."""
    best: float
    reached: float
    gained: float
    """The better, the higher."""


def section(found: Findings) -> Section | None:
    by = _measure(found)
    scores = {score.run.name: score for score in found.result if score.run.scores is not None}
    listed = [scores[run] for run in found.standings.runs if run in scores]
    if not listed or found.truth.open or not found.truth.items:
        return None
    rows = _rows(found, len(listed))
    cut, unable = _all(listed, by, rows)
    if not cut:
        return None
    table = _table(found, cut, by)
    told = [] if len(rows) == len(found.truth.items) else [
        f"from {len(rows):,} of {len(found.truth.items):,} items, evenly spaced by id"
    ]  # fmt: skip
    return Section(
        "thresholds",
        "What do thresholds cost?",
        f"Each run by {titled(by)} as it decides (small dot), and with the one threshold that "
        "would serve it best on this truth (large dot): no tuning on other data reaches more. Own: "
        "decisions, or several thresholds, of its own; none: no threshold was given.",
        joined([table.html, paragraphs([*told, *unable], class_="remark")]),
        (table,),
        _finding(cut, by),
    )


def _measure(found: Findings) -> Measure:
    """The first measure of decisions that is an average of formulas over counts, or the usual."""
    fitting = (
        one
        for one in found.result.measures
        if one.definition.formula_of_counts is not None
        and one.traits.prediction == "decisions"
        and one.traits.direction in ("concept", "example")
        and one.traits.better != "neither"
        and one.traits.average == "arithmetic"
    )
    return next(fitting, measure(_USUAL))


def _rows(found: Findings, runs: int) -> Ints:
    """The items to look at."""
    items, concepts = found.truth.shape
    wanted = max(_LEAST, _CELLS // max(1, concepts * runs))
    order = canonical_order(found.truth.item_axis)
    return np.asarray(order if items <= wanted else order[:: -(-items // wanted)])


def _all(scores: list[Score], by: Measure, rows: Ints) -> tuple[list[_Cut], list[str]]:
    truth = scores[0].truth
    part = truth if len(rows) == truth.shape[0] else truth.part(rows)
    done: dict[str, _Cut] = {}
    unable: list[str] = []

    def work(places: range) -> None:
        for place in places:
            score = scores[place]
            run = score.run
            if part is not truth:
                run = narrowed(run, truth, rows=rows, missing=score.missing)
            try:
                done[run.name] = _cut(Comparison(part, run, missing=score.missing), by)
            except CranfieldError as error:
                unable.append(f"{run.name}: {error}")

    kernels.share(len(scores), 1, work)
    return [done[one.run.name] for one in scores if one.run.name in done], sorted(unable)


def _own(run: Run) -> float | str:
    """The threshold that a run decides by."""
    if run.labels is not None:
        return "own"
    try:
        cut = run.cut
    except InputError:
        return "none"
    return "own" if cut is None or isinstance(cut, np.ndarray) else float(cut)


def _cut(comparison: Comparison, by: Measure) -> _Cut:
    own, sign = _own(comparison.run), 1.0 if by.traits.higher_is_better else -1.0
    score = math.nan if own == "none" else mean(by.units(comparison), None)[0]
    levels, means = averages(comparison, by)
    if np.isnan(means).all():
        raise CranfieldError(f"{by} is undefined at every threshold")
    place = first_best(-sign * means)
    best = float(levels[place - 1]) if place else above(levels)
    reached = float(means[place])
    return _Cut(comparison.run.name, own, score, best, reached, sign * (reached - score))


def _table(found: Findings, listed: list[_Cut], by: Measure) -> Table:
    scale = Scale.over([value for cut in listed for value in (cut.score, cut.reached)])
    rows: list[Row] = [
        [
            Cell(cut.run, named(found, cut.run)),
            Cell(None, gain(scale, cut.score, cut.reached)),
            cut.score,
            cut.reached,
            Cell(cut.gained, css="best" if cut.gained >= 0.02 else ""),
            cut.own if isinstance(cut.own, str) else Cell(cut.own, Html(f"{cut.own:.4g}")),
            Cell(cut.best, Html(f"{cut.best:.4g}")),
        ]
        for cut in listed
    ]
    columns = (
        Column("run", css="name"),
        Column("gain drawn", scale.axis, place="page", css="drawn"),
        Column("score", "as decided"),
        Column("best", "at best"),
        Column("gain"),
        Column("threshold", "decides at", css="n"),
        Column("best threshold", "best at"),
    )
    return Table(
        "thresholds",
        f"Thresholds by {by}",
        columns,
        rows,
        "charted",
        row_css=[found.kind(cut.run) for cut in listed],
    )


def _finding(listed: list[_Cut], by: Measure) -> Html:
    costly = [cut for cut in listed if cut.gained >= 0.005]
    if not costly:
        return NOTHING
    cut = max(costly, key=lambda one: one.gained)
    return joined(
        [
            "The threshold of ", emphasised(cut.run),
            f" costs it {written(cut.gained, 3)} by {by}: {written(cut.score, 3)} as it decides, "
            f"{written(cut.reached, 3)} at {cut.best:.3g}.",
        ]
    )  # fmt: skip
