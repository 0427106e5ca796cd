"""The ROC table: right and wrong decisions at every threshold (Weber §1.5, Fawcett 2006).

Conventions
    One row for each distinct score, the highest first, and above them a row that accepts nothing,
    whose threshold is infinite. A cell is accepted if its score reaches the threshold. Cells that a
    sparse run does not mention are accepted at no threshold. Of thresholds that are equally good
    but for rounding, the highest is best: the fewest labels are assigned.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.collections.comparison import Comparison, Counts
from cranfield.collections.extra_items import covering
from cranfield.core.axes import Extra, Missing
from cranfield.core.chart import Axis, Chart, Picture
from cranfield.core.matrices import Floats, Ints
from cranfield.core.result import Analysis
from cranfield.core.run import Run
from cranfield.core.table import Column, Table
from cranfield.core.terms import CONCEPTS, Terms
from cranfield.core.truth import Truth, Unjudged
from cranfield.engine.direct_calls import of_inputs
from cranfield.errors import InputError, no_such_concept
from cranfield.measures.concept_sets import accuracy, f_measure, fallout, precision, recall
from cranfield.statistics.thresholds.constraints import (
    Constraint,
    allowed,
    constraints,
    unreachable,
)
from cranfield.statistics.thresholds.criteria import Criterion, Steps, above, criterion, first_best

if TYPE_CHECKING:
    import polars


_COUNTS = ("TP", "FP", "FN", "TN")
_DIGITS = 4
MOST_SHOWN = 40
"""Thresholds that people see of one table, unless they ask for all."""
_BINS = 40
"""Of densities."""
_SPOTS = 1400
"""Points that fall on the same of so many spots of a chart are drawn once."""


@dataclass(frozen=True)
class Best:
    """The best threshold by some criterion."""

    threshold: float
    """Finite: just above the highest score where nothing should be accepted."""
    value: float
    """Of the criterion, there."""
    row: int
    """The row of the table."""


@dataclass(frozen=True, eq=False)
class RocTable(Analysis):
    """Counts and rates at every threshold of one concept, or of all cells together."""

    title = "Decisions at every threshold"

    run: str
    concept: str | None
    """None: all cells together."""
    thresholds: Floats
    """Descending; the first is infinite."""
    counts: Counts
    """TP, FP, FN and TN, one entry for each threshold."""
    nothing: float
    """A finite threshold that no score reaches."""
    by: str = "accuracy"
    """The criterion whose best threshold stands out."""
    pictures: Callable[[], Sequence[Picture]] | None = None
    """Makes other charts than those of the table itself."""
    whole: bool = False
    """Whether people see every threshold, not quantiles of many."""
    subject_to: tuple[str, ...] = ()
    """What the threshold that stands out keeps to."""
    terms: Terms = CONCEPTS

    def __len__(self) -> int:
        return len(self.thresholds)

    @property
    def tpr(self) -> Floats:
        """Recall; NaN without positives."""
        return recall(self.counts)

    @property
    def fpr(self) -> Floats:
        """Fallout; NaN without negatives."""
        return fallout(self.counts)

    @property
    def ppv(self) -> Floats:
        """Precision; NaN where nothing is accepted."""
        return precision(self.counts)

    @property
    def accuracy(self) -> Floats:
        return accuracy(self.counts)

    def f(self, beta: float = 1.0) -> Floats:
        return f_measure(self.counts, beta=beta)

    def best(
        self,
        by: str | Criterion = "accuracy",
        subject_to: str | Constraint | Iterable[str | Constraint] = (),
    ) -> Best | None:
        """The best threshold: by "accuracy", "F(beta=2)", "youden", "cost(fp=1,fn=5)", "EER" or
        any measure of counts; None where the criterion is undefined.

        subject_to  what it must keep to: "fallout<=0.05", ["P>=0.9", "R>=0.5"]; None is returned
                    where no threshold does
        """
        chosen = criterion(by)
        loss = np.where(
            allowed(constraints(subject_to), self.counts), chosen.loss(self.counts), np.nan
        )
        if np.isnan(loss).all():
            return None
        row = first_best(loss)
        return Best(self.finite(row), float(chosen.values(self.counts)[row]), row)

    def finite(self, row: int) -> float:
        """The threshold of a row as a number that a run takes."""
        return float(self.thresholds[row]) if row else self.nothing

    def at(self, threshold: float) -> int:
        """The row of a threshold: it accepts the same cells."""
        if np.isnan(threshold):
            raise InputError("the threshold is nan; give a number")
        return int(np.count_nonzero(self.thresholds >= threshold)) - 1

    @property
    def roc(self) -> tuple[Floats, Floats]:
        """FPR and TPR from (0, 0) to (1, 1); absent cells of sparse runs are one tie at the end."""
        fpr, tpr = self.fpr, self.tpr
        if fpr[-1] < 1.0 or tpr[-1] < 1.0:
            return np.append(fpr, 1.0), np.append(tpr, 1.0)
        return fpr, tpr

    @property
    def precision_recall(self) -> tuple[Floats, Floats]:
        """Recall and precision wherever something is accepted."""
        return self.tpr[1:], self.ppv[1:]

    # ── the result ────────────────────────────────────────────────────────────────────────────

    def rows(self, *, beta: float = 1.0) -> list[dict[str, Any]]:
        """One plain record for each threshold; what is undefined is None."""
        columns = {
            "threshold": self.thresholds,
            **dict(zip(_COUNTS, _fields(self.counts), strict=True)),
            "TPR": self.tpr,
            "FPR": self.fpr,
            "PPV": self.ppv,
            "accuracy": self.accuracy,
            "F": self.f(beta),
        }
        listed = [column.tolist() for column in columns.values()]
        return [
            {
                name: None if value != value else value
                for name, value in zip(columns, values, strict=True)
            }
            for values in zip(*listed, strict=True)
        ]

    @property
    def frame(self) -> polars.DataFrame:
        """Polars: threshold, TP, FP, FN, TN, TPR, FPR, PPV, accuracy, F."""
        import polars

        return polars.DataFrame(self.rows(), infer_schema_length=None)

    def _facts(self) -> dict[str, Any]:
        best = self._best
        return {
            "run": self.run,
            "concept": self.concept,
            "by": self.by,
            "best": None if best is None else {"threshold": best.threshold, "value": best.value},
            "rows": self.rows(),
        }

    def _tables(self) -> list[Table]:
        best = self._best
        rows = self.rows()
        shown = [
            row
            | {
                "threshold": "none" if math.isinf(row["threshold"]) else f"{row['threshold']:.6g}",
                "_emphasis": "strong" if best is not None and index == best.row else "",
            }
            for index, row in ((index, rows[index]) for index in self._shown(best))
        ]
        rates = [name for name in rows[0] if name not in ("threshold", *_COUNTS)]
        columns = (
            Column("threshold", key=True, align="right"),
            *map(Column, _COUNTS),
            *(Column(name, digits=_DIGITS) for name in rates),
        )
        # Programs read the threshold that nothing reaches as inf; other infinite values have none.
        exact = [row | {"threshold": _written(row["threshold"])} for row in rows]
        return [
            Table("thresholds", shown, columns, audience="people", emphasis="_emphasis"),
            Table("thresholds", exact, audience="programs"),
        ]

    def _shown(self, best: Best | None) -> list[int]:
        """Rows for people: all, or quantiles of many and the best."""
        if self.whole or len(self) <= MOST_SHOWN:
            return list(range(len(self)))
        spread = np.linspace(0, len(self) - 1, MOST_SHOWN).round().astype(int).tolist()
        return sorted({*spread, *([] if best is None else [best.row])})

    def _remarks(self) -> list[str]:
        best = self._best
        remarks = []
        if best is None:
            why = unreachable(constraints(self.subject_to), self.counts)
            remarks = [
                f"no threshold of {self._where} keeps to {' and '.join(self.subject_to)}: {why}"
                if self.subject_to
                else f"{self.by} is undefined for {self._where}"
            ]
        else:
            limits = f" with {' and '.join(self.subject_to)}" if self.subject_to else ""
            remarks = [
                f"best by {self.by}{limits} for {self._where}: {best.threshold:.6g}, "
                f"with {best.value:.{_DIGITS}f}"
            ]
        shown = len(self._shown(best))
        if shown < len(self):
            remarks.append(
                f"{shown} of {len(self):,} thresholds are shown, at even steps; "
                "CSV and JSON hold all of them, --all (whole=True) shows them"
            )
        return remarks

    @property
    def _best(self) -> Best | None:
        return self.best(self.by, self.subject_to)

    @property
    def _where(self) -> str:
        return self.concept or "all cells together"

    def _charts(self) -> Sequence[Picture]:
        if self.pictures is not None:
            return self.pictures()
        return [self.sweep_chart(), self.curve_chart("roc"), self.curve_chart("pr")]

    def sweep_chart(self) -> Chart:
        """Precision, recall, F and accuracy against the threshold."""
        self._require_thresholds()
        thresholds = self.thresholds[1:]  # the first is infinite: nothing is accepted
        low, high = float(thresholds[-1]), float(thresholds[0])
        spots = np.round((thresholds - low) / ((high - low) or 1.0) * _SPOTS)
        drawn = np.flatnonzero(np.diff(spots, prepend=np.inf) != 0).tolist()
        rates = {
            "precision": self.ppv,
            "recall": self.tpr,
            "F": self.f(),
            "accuracy": self.accuracy,
        }
        rows = [
            {
                "rate": name,
                "threshold": float(thresholds[row]),
                "value": round(float(values[row + 1]), 6),
                "accepted": int(self.counts.tp[row + 1] + self.counts.fp[row + 1]),
            }
            for name, values in rates.items()
            for row in drawn
            if not np.isnan(values[row + 1])
        ]
        best = self._best
        highlights = []
        if best is not None:
            values = rates.get(self.by, rates["F"])
            height = 0.0 if np.isnan(values[best.row]) else float(values[best.row])
            name = self.by if self.by in rates else "F"
            highlights = [
                {
                    "rate": name,
                    "threshold": min(best.threshold, high),
                    "value": height,
                    "best": self._best_label(best),
                }
            ]
        return Chart(
            kind="lines",
            rows=rows,
            x=Axis("threshold", "threshold", domain=(low, high) if high > low else None),
            y=Axis("value", "rate", domain=(0.0, 1.0)),
            series="rate",
            order=list(rates),
            stairs=True,
            highlights=highlights,
            label="best",
            tooltip=("rate", "value", "threshold", "accepted"),
            title=f"Thresholds of {self._where}",
            subtitle=f"{self.run}; a label is assigned where the score reaches the threshold",
        )

    def density_chart(self) -> Chart:
        """How scores of positives and of negatives lie: densities over the same bins (Weber)."""
        self._require_thresholds()
        thresholds = self.thresholds[1:]
        low, high = float(thresholds[-1]), float(thresholds[0])
        edges = np.linspace(low, high if high > low else low + 1.0, _BINS + 1)
        width = float(edges[1] - edges[0])
        rows, tops = [], []
        for name, counts in (("positives", self.counts.tp), ("negatives", self.counts.fp)):
            heights, _ = np.histogram(thresholds, edges, weights=np.diff(counts))
            total = float(heights.sum())
            if not total:
                continue
            tops.append(float(heights.max()) / total / width)
            rows += [
                {
                    "cells": name,
                    "score": float(edges[index] + width / 2),
                    "density": float(heights[index]) / total / width,
                    "count": int(heights[index]),
                }
                for index in range(_BINS)
            ]
        best = self._best
        marked = []
        if best is not None:
            marked = [
                {
                    "cells": "positives",
                    "score": min(best.threshold, high),
                    "density": 0.9 * max(tops, default=1.0),  # above most of both curves
                    "best": self._best_label(best),
                }
            ]
        return Chart(
            kind="lines",
            rows=rows,
            x=Axis("score", "score", domain=(low, high) if high > low else None),
            y=Axis("density", "density", domain=(0.0, max(tops, default=1.0))),
            series="cells",
            order=["positives", "negatives"],
            highlights=marked,
            label="best",
            tooltip=("cells", "score", "density", "count"),
            title=f"Scores of positives and negatives: {self._where}",
            subtitle=f"{self.run}; densities over {_BINS} bins",
        )

    def curve_chart(self, kind: Literal["roc", "pr"]) -> Chart:
        """The ROC curve, or precision against recall, with the best threshold on it."""
        self._require_thresholds()
        x, y = self.roc if kind == "roc" else self.precision_recall
        spots = np.round(np.nan_to_num(np.stack([x, y])) * _SPOTS)
        drawn = np.append(True, (np.diff(spots) != 0).any(axis=0))
        drawn[-1] = True
        names = ("FPR", "TPR") if kind == "roc" else ("TPR", "PPV")
        rows = [
            {"run": self.run, names[0]: float(x[row]), names[1]: float(y[row]), "step": row}
            for row in np.flatnonzero(drawn).tolist()
        ]
        best = self._best
        highlights = []
        if best is not None:
            rates = {"FPR": self.fpr, "TPR": self.tpr, "PPV": self.ppv}
            point = {name: float(rates[name][best.row]) for name in names}
            highlights = [{"run": self.run, **point, "best": self._best_label(best)}]
        titles = {"FPR": "false positive rate", "TPR": "true positive rate (recall)"}
        titles |= {"PPV": "precision"}
        what = "ROC curve" if kind == "roc" else "Precision and recall"
        return Chart(
            kind="lines",
            rows=rows,
            x=Axis(names[0], titles[names[0]], domain=(0.0, 1.0)),
            y=Axis(names[1], titles[names[1]], domain=(0.0, 1.0)),
            series="run",
            along="step",
            highlights=highlights,
            label="best",
            diagonal=kind == "roc",
            square=True,
            title=f"{what} of {self._where}",
            subtitle=self.run,
        )

    def _best_label(self, best: Best) -> str:
        return f"best by {self.by}: {best.threshold:.4g}"

    def _require_thresholds(self) -> None:
        if len(self) < 2:
            raise InputError(
                f"run {self.run!r} retrieved nothing, so there is no threshold to draw",
                about=("run", self.run),
            )


@of_inputs
def roc_table(
    truth: Truth | Collection,
    run: Run,
    concept: str | None = None,
    *,
    by: str = "accuracy",
    subject_to: str | Iterable[str] = (),
    whole: bool = False,
    unjudged: Unjudged | None = None,
    missing: Missing = "error",
    extra: Extra = "error",
) -> RocTable:
    """The ROC table of a concept, or of all cells together.

    by  the criterion whose best threshold stands out, as `RocTable.best` takes it
    subject_to  what that threshold keeps to: "fallout<=0.05"
    whole  whether people see every threshold; else quantiles of many
    unjudged, missing, extra  as for `evaluate`; default: as the truth says, and "error"
    """
    (run,) = covering(truth, [run], extra)
    truth = truth.truth if isinstance(truth, Collection) else truth
    comparison = Comparison(truth, run, unjudged=unjudged, missing=missing)
    limits = tuple(map(str, constraints(subject_to)))
    shown: dict[str, Any] = {"by": by, "subject_to": limits, "whole": whole}
    if concept is None:
        return replace(pooled(comparison), **shown)
    index = comparison.truth.concept_axis.positions.get(str(concept))
    if index is None:
        raise InputError(no_such_concept([str(concept)], comparison.truth.concepts))
    return replace(by_concept(comparison)[index], **shown)


def pooled(comparison: Comparison) -> RocTable:
    """The table of all cells together."""
    return next(_tables(comparison, Steps.of(comparison, "micro"), (None,)))


def by_concept(comparison: Comparison) -> list[RocTable]:
    """The tables of all concepts, in the order of the truth."""
    steps = Steps.of(comparison, "concept")
    return list(_tables(comparison, steps, comparison.truth.concepts))


def _tables(
    comparison: Comparison, steps: Steps, concepts: tuple[str | None, ...]
) -> Iterator[RocTable]:
    for index, (concept, own) in enumerate(zip(concepts, steps.lists(), strict=True)):
        scores = steps.score[own]
        yield RocTable(
            run=comparison.run.name,
            concept=concept,
            thresholds=np.concatenate([[np.inf], scores.astype(np.float64)]),
            counts=Counts(
                *(
                    np.append(before[index], after[own])
                    for before, after in zip(
                        _fields(steps.before), _fields(steps.counts), strict=True
                    )
                )
            ),
            nothing=above(scores),
            terms=comparison.truth.terms,
        )


def _fields(n: Counts) -> tuple[Ints, Ints, Ints, Ints]:
    return n.tp, n.fp, n.fn, n.tn


def _written(threshold: float) -> float | str:
    return "inf" if math.isinf(threshold) else threshold
