"""Spans: between which values the score of each unit lies, and so their mean.

Units are scored independently of each other, so each may reach its end whatever the others do. A
unit that some completions leave undefined is skipped there, and the mean is then over fewer units:
the largest mean keeps, of such units, those that raise it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.core.matrices import Bools, Floats
from cranfield.measures import Measure
from cranfield.statistics.correlation import Interval
from cranfield.statistics.incomplete.gaps import Gaps


@dataclass(frozen=True)
class Spans:
    """The lowest and the highest score of each unit; NaN = undefined whatever is true."""

    low: Floats
    high: Floats
    skippable: Bools
    """Whether some completion leaves the unit undefined."""
    exact: Bools
    """Whether both ends are reached by some completion."""

    @classmethod
    def nothing_seen(cls, units: int) -> Spans:
        unseen = np.full(units, np.nan)
        return cls(unseen, unseen, np.zeros(units, np.bool_), np.ones(units, np.bool_))

    @classmethod
    def valid(cls, low: Floats, high: Floats, skippable: Bools | None = None) -> Spans:
        """Spans that no completion leaves; exact where there is only one value."""
        if skippable is None:
            skippable = np.zeros(len(low), np.bool_)
        return cls(low, high, skippable, ~skippable & (low == high))

    def seen(self, values: Floats) -> Spans:
        """With the scores of one more completion."""
        return Spans(
            np.fmin(self.low, values),
            np.fmax(self.high, values),
            self.skippable | np.isnan(values),
            self.exact,
        )

    def where(self, here: Bools, other: Spans) -> Spans:
        """These, but in some units those of another."""
        return Spans(
            *(
                np.where(here, theirs, mine)
                for mine, theirs in (
                    (self.low, other.low),
                    (self.high, other.high),
                    (self.skippable, other.skippable),
                    (self.exact, other.exact),
                )
            )
        )

    def mean(self, weights: Floats | None) -> Interval:
        """Between which values the (weighted) mean over units that are not skipped lies."""
        heavy = np.ones(len(self.low)) if weights is None else weights
        low = 0.0 - _largest_mean(-self.low, self.skippable, heavy)  # never -0
        return Interval(low, _largest_mean(self.high, self.skippable, heavy))


def _largest_mean(values: Floats, skippable: Bools, weights: Floats) -> float:
    """The largest mean of values of which some may be left out; NaN if none can be there."""
    there = ~np.isnan(values) & (weights > 0)
    fixed, free = there & ~skippable, there & skippable
    order = np.flatnonzero(free)[np.argsort(-values[free], kind="stable")]
    # Whatever is kept, keeping the largest first is best; every number of them is tried.
    sums = np.cumsum(np.append((values[fixed] * weights[fixed]).sum(), (values * weights)[order]))
    sizes = np.cumsum(np.append(weights[fixed].sum(), weights[order]))
    possible = sizes > 0
    return float((sums[possible] / sizes[possible]).max()) if possible.any() else float("nan")


# Every completion of items that have few unknown cells, tried one after the other.
#
# Exact for every measure that scores each item by itself. The completions of all items are tried
# together: number k says of the unknown cells of each item, by its bits, which are positive.


def enumerated(gaps: Gaps, measure: Measure, items: Bools) -> Spans:
    """Exact spans of some items."""
    number = np.cumsum(gaps.unknown, axis=1) - 1
    tried = gaps.unknown & items[:, None]
    spans = Spans.nothing_seen(len(items))
    for code in range(2 ** int(gaps.sizes[items].max(initial=0))):
        positive = tried & ((code >> np.minimum(number, 62)) & 1).astype(np.bool_)
        spans = spans.seen(measure.units(gaps.completed(positive)))
    return spans
