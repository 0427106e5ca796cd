"""The ROC table: right and wrong decisions at every threshold (Weber §1.5, Fawcett 2006).

Conventions
    One row for each distinct score, the highest first, and above them a row that accepts nothing,
    whose threshold is infinite. A cell is accepted if its score reaches the threshold. Cells that a
    sparse run does not mention are accepted at no threshold. Of thresholds that are equally good
    but for rounding, the highest is best: the fewest labels are assigned.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.caching import cached_property
from cranfield.collections.collection import Collection
from cranfield.collections.comparison import Comparison, Counts
from cranfield.collections.extra_items import covering
from cranfield.core.axes import Extra, Missing
from cranfield.core.matrices import Floats, Ints
from cranfield.core.run import Run
from cranfield.core.truth import Truth, Unjudged
from cranfield.errors import InputError, first_ten
from cranfield.measures.concept_sets import accuracy, f_measure, fallout, precision, recall
from cranfield.statistics.thresholds.criteria import Criterion, criterion
from cranfield.statistics.thresholds.steps import Steps, above, first_best

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True)
class Best:
    """The best threshold by some criterion."""

    threshold: float
    """Finite: just above the highest score where nothing should be accepted."""
    value: float
    """What the criterion says there."""
    row: int
    """The row of the table."""


@dataclass(frozen=True)
class RocTable:
    """Counts and rates at every threshold of one concept, or of all cells together."""

    run: str
    concept: str | None
    """None: all cells together."""
    thresholds: Floats
    """Descending; the first is infinite."""
    counts: Counts
    """TP, FP, FN and TN, one entry for each threshold."""
    nothing: float
    """A finite threshold that no score reaches."""

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

    def best(self, by: str | Criterion = "accuracy") -> Best | None:
        """The best threshold: by "accuracy", "F(beta=2)", "youden", "cost(fp=1,fn=5)", "EER" or
        any measure of counts; None where the criterion is undefined."""
        wanted = criterion(by)
        loss = wanted.loss(self.counts)
        if np.isnan(loss).all():
            return None
        row = first_best(loss)
        return Best(self.finite(row), float(wanted.values(self.counts)[row]), row)

    def finite(self, row: int) -> float:
        """The threshold of a row as a number that a run takes."""
        return float(self.thresholds[row]) if row else self.nothing

    def at(self, threshold: float) -> int:
        """The row of a threshold: it accepts the same cells."""
        if np.isnan(threshold):
            raise InputError("the threshold is nan; give a number")
        return int(np.count_nonzero(self.thresholds >= threshold)) - 1

    # ── for pictures ──────────────────────────────────────────────────────────────────────────

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

    def rows(self, *, beta: float = 1.0) -> Iterator[dict[str, Any]]:
        """One plain record for each threshold; what is undefined is None."""
        columns = {
            "threshold": self.thresholds,
            **dict(zip(("TP", "FP", "FN", "TN"), _fields(self.counts), strict=True)),
            "TPR": self.tpr,
            "FPR": self.fpr,
            "PPV": self.ppv,
            "accuracy": self.accuracy,
            "F": self.f(beta),
        }
        listed = [column.tolist() for column in columns.values()]
        for values in zip(*listed, strict=True):
            yield {
                name: None if value != value else value
                for name, value in zip(columns, values, strict=True)
            }

    @cached_property
    def frame(self) -> polars.DataFrame:
        """Polars: threshold, TP, FP, FN, TN, TPR, FPR, PPV, accuracy, F."""
        import polars

        return polars.DataFrame(list(self.rows()), infer_schema_length=None)


def roc_table(
    truth: Truth | Collection,
    run: Run,
    concept: str | None = None,
    *,
    unjudged: Unjudged | None = None,
    missing: Missing = "error",
    extra: Extra = "error",
) -> RocTable:
    """The ROC table of a concept, or of all cells together.

    unjudged, missing, extra  as for `evaluate`; default: as the truth says, and "error"
    """
    (run,) = covering(truth, [run], extra)
    truth = truth.truth if isinstance(truth, Collection) else truth
    comparison = Comparison(truth, run, unjudged=unjudged, missing=missing)
    if concept is None:
        return pooled(comparison)
    place = comparison.truth.concept_axis.positions.get(str(concept))
    if place is None:
        raise InputError(
            f"there is no concept {concept!r}; concepts: {first_ten(comparison.truth.concepts)}"
        )
    return by_concept(comparison)[place]


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
    for place, (concept, own) in enumerate(zip(concepts, steps.lists(), strict=True)):
        scores = steps.score[own]
        yield RocTable(
            run=comparison.run.name,
            concept=concept,
            thresholds=np.concatenate([[np.inf], scores.astype(np.float64)]),
            counts=Counts(
                *(
                    np.append(before[place], after[own])
                    for before, after in zip(
                        _fields(steps.before), _fields(steps.counts), strict=True
                    )
                )
            ),
            nothing=above(scores),
        )


def _fields(n: Counts) -> tuple[Ints, Ints, Ints, Ints]:
    return n.tp, n.fp, n.fn, n.tn
