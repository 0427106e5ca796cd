"""Calibration: whether of all labels given with 70 % confidence, 70 % are right.

Conventions
    Confidences are put into bins, right ends included (Guo et al. 2017): of equal width over
    [0, 1], or of about equal mass, cut at quantiles of the confidences; equal confidences always
    share a bin. A bin without confidences has neither a mean nor a share, and no weight. The same
    bins make the reliability diagram and the calibration error.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from cranfield import kernels
from cranfield.collections.comparison import Comparison, Direction
from cranfield.collections.extra_items import covering
from cranfield.collections.readings import AnyRuns, AnyTruth, read_inputs
from cranfield.core.axes import Extra, Missing
from cranfield.core.chart import Axis, Chart
from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.core.truth import Unjudged
from cranfield.errors import InputError, no_such_concept
from cranfield.measures.cell_losses import Absent, refuse_silence, sizes, value_notes
from cranfield.measures.declare import measured, ratio
from cranfield.measures.definition import Bounds
from cranfield.measures.probability import require_probabilities
from cranfield.measures.registry import measure

if TYPE_CHECKING:
    import polars

Binning = Literal["width", "mass"]
Norm = Literal["l1", "l2", "max"]


@dataclass(frozen=True, eq=False)
class Reliability(Analysis):
    """Confidences in bins beside the share of them that came true."""

    title = "Reliability"

    edges: Floats
    """One more than there are bins, ascending."""
    confidence: Floats
    """Mean confidence of each bin; NaN = nothing there."""
    positive: Floats
    """Share of positives of each bin; NaN = nothing there."""
    count: Ints
    """Cells of each bin."""
    run: str = ""
    concept: str | None = None
    """None: all cells together."""

    def error(self, norm: Norm = "l1") -> float:
        """How far both are apart: the mean over cells (l1: ECE), the root of the mean square (l2),
        or the largest of any bin (max); NaN without cells."""
        filled = self.count > 0
        if not filled.any():
            return np.nan
        gap = np.abs(self.confidence - self.positive)[filled]
        weight, whole = self.count[filled], self.count.sum()
        match norm:
            case "l1":
                return float(kernels.total(gap, weight) / whole)
            case "l2":
                return float(np.sqrt(kernels.total(np.square(gap), weight) / whole))
        return float(gap.max())

    def rows(self) -> list[dict[str, Any]]:
        """One plain record for each bin; what is undefined is None."""
        return [
            {
                "from": low,
                "to": high,
                "confidence": confidence if count else None,
                "positive": positive if count else None,
                "count": count,
            }
            for low, high, confidence, positive, count in zip(
                *(self.edges[:-1].tolist(), self.edges[1:].tolist()),
                *(self.confidence.tolist(), self.positive.tolist(), self.count.tolist()),
                strict=True,
            )
        ]

    @property
    def frame(self) -> polars.DataFrame:
        """Polars: from, to, confidence, positive, count."""
        import polars

        return polars.DataFrame(self.rows(), infer_schema_length=None)

    def _facts(self) -> dict[str, Any]:
        return {
            "run": self.run,
            "concept": self.concept,
            "error": self.error(),
            "bins": self.rows(),
        }

    def _tables(self) -> list[Table]:
        columns = (
            Column("from", key=True),
            Column("to"),
            Column("confidence", "mean confidence"),
            Column("positive", "share of positives"),
            Column("count", "cells", kind="count"),
        )
        return [Table("bins", self.rows(), columns)]

    def _remarks(self) -> list[str]:
        return [f"expected calibration error: {self.error():.4f}"]

    def _charts(self) -> list[Chart]:
        """The share of positives of each bin against its mean confidence, and cells of each bin.

        On the diagonal confidences say what they mean; bins with few cells say little.
        """
        filled = [{"run": self.run or "run", **row} for row in self.rows() if row["count"]]
        if not filled:
            raise InputError("there is no confidence to draw")
        bins = [row | {"bin": f"{row['from']:.3g} to {row['to']:.3g}"} for row in filled]
        where = self.concept or "all cells together"
        return [
            Chart(
                kind="lines",
                rows=filled,
                x=Axis("confidence", "mean confidence", domain=(0.0, 1.0)),
                y=Axis("positive", "share of positives", domain=(0.0, 1.0)),
                series="run",
                tooltip=("run", "from", "to", "confidence", "positive", "count"),
                diagonal=True,
                square=True,
                title=f"Reliability: {where}",
                subtitle=f"{self.run}; expected calibration error {self.error():.4f}",
            ),
            Chart(
                kind="bars",
                rows=bins,
                x=Axis("bin", "confidence", scale="names"),
                y=Axis("count", "cells", zero=True),
                tooltip=("from", "to", "count"),
                title="Cells of each bin",
            ),
        ]


def reliability(
    truth: AnyTruth,
    run: AnyRuns,
    concept: str | None = None,
    *,
    bins: int = 15,
    binning: Binning = "width",
    absent: Absent = "refuse",
    unjudged: Unjudged | None = None,
    missing: Missing = "error",
    extra: Extra = "error",
) -> Reliability:
    """The bins of a reliability diagram, of one concept or of all cells together.

    Options are those of the measure ECE and of `evaluate`.
    """
    measure(f"micro.ECE(bins={bins},binning={binning})")  # refuses what that refuses
    inputs = read_inputs(truth, run)
    if len(inputs.runs) != 1:
        raise InputError(f"reliability takes one run, not {len(inputs.runs)}")
    (run,) = covering(inputs.truth, inputs.runs, extra)
    comparison = Comparison(inputs.plain, run, unjudged=unjudged, missing=missing)
    require_probabilities(comparison, "ECE")
    if concept is None:
        (binned,) = _binned(comparison, "micro", bins, binning, absent)
        return replace(binned, run=run.name)
    index = comparison.truth.concept_axis.positions.get(str(concept))
    if index is None:
        raise InputError(no_such_concept([str(concept)], comparison.truth.concepts))
    binned = list(_binned(comparison, "concept", bins, binning, absent))[index]
    return replace(binned, run=run.name, concept=str(concept))


@measured(
    "concept.ECE",
    "micro.ECE",
    source="Naeini et al. 2015; Guo et al. 2017",
    prediction="values",
    better="lower",
    bare=True,
    notes=value_notes,
)
def calibration_error(
    comparison: Comparison,
    direction: Direction,
    *,
    bins: Annotated[int, Bounds(1, 10**6)] = 15,
    binning: Binning = "width",
    norm: Norm = "l1",
    absent: Absent = "refuse",
) -> Floats:
    """Σ over bins of (cells of the bin / all cells)·|mean confidence − share of positives|; l2: the
    root of the same sum of squares; max: the largest difference of any bin."""
    require_probabilities(comparison, "ECE")
    each = _binned(comparison, direction, bins, binning, absent)
    return np.array([one.error(norm) for one in each])


def in_bins(confidences: Floats, labels: Bools, *, bins: int, binning: Binning) -> Reliability:
    """Confidences in bins beside what came true."""
    steps = np.linspace(0.0, 1.0, bins + 1)
    edges = np.quantile(confidences, steps) if binning == "mass" and len(confidences) else steps
    place = np.searchsorted(edges[1:-1], confidences)
    count = np.bincount(place, minlength=bins)
    return Reliability(
        edges,
        ratio(kernels.group_sums(confidences, place, bins), count),
        ratio(np.bincount(place[labels], minlength=bins), count),
        count,
    )


def _binned(
    comparison: Comparison, direction: Direction, bins: int, binning: Binning, absent: Absent
) -> Iterator[Reliability]:
    """The bins of each concept, or of all cells."""
    listed = comparison.listed(direction)
    labels = comparison.judgements(direction, "matrix")
    positives = comparison.totals(direction).positives
    cells = sizes(comparison, direction).astype(np.int64)
    if absent == "refuse" and cells.sum() > len(listed.codes):
        refuse_silence(comparison, "ECE")
    for place, (first, last) in enumerate(
        zip(listed.offsets[:-1].tolist(), listed.offsets[1:].tolist(), strict=True)
    ):
        silent = int(cells[place]) - (last - first)
        hidden = int(positives[place] - np.count_nonzero(labels[first:last]))
        yield in_bins(
            np.append(listed.scores[first:last].astype(np.float64), np.zeros(silent)),
            np.append(labels[first:last], np.arange(silent) < hidden),
            bins=bins,
            binning=binning,
        )
