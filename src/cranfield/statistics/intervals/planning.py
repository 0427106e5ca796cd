"""`cf.plan`: how many items it takes, judged by the spread that the items at hand show.

    for a margin       the fewest n with t·σ/√n ≤ δ: the score of n items lies within ±δ of that
                       of all items
    to tell A from B   the fewest n whose paired t-test finds a true difference of Δ so often; σ is
                       the spread of differences between the item values of A and B

σ is the standard deviation of item values (see `influence`), so that n counts items like those of
the collection: the same concepts, about as frequent. Clusters of items make n larger; the factor
(the design effect) is that by which they widen the standard error here. Quantiles are those of
Student's t and not of the normal distribution: for a few units they are far apart. Under a
difference, t follows the noncentral distribution around √n·Δ/σ.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.core.terms import CONCEPTS, Terms
from cranfield.engine.direct_calls import of_evaluation
from cranfield.engine.evaluation import Evaluation
from cranfield.errors import InputError, several
from cranfield.measures import Measure
from cranfield.statistics.influence import item_values
from cranfield.statistics.resampling import Sampling

MOST_UNITS = 10**9
"""Units that nobody will gather."""
_FAR = 1e4
"""Found for certain; SciPy knows no distribution around more."""
_ROUNDING = 1e-12


@dataclass(frozen=True, repr=False)
class Plan(Analysis):
    """How many items are needed, and what that rests on."""

    measure: Measure
    runs: tuple[str, ...]
    """One, or the two that are to be told apart."""
    target: float
    """The margin, or the difference to be found."""
    spread: float
    """Standard deviation of item values, or of their differences."""
    level: float
    power: float | None
    """Of the paired test; None for a margin."""
    design_effect: float
    """How many times more items are needed because they come in clusters."""
    items: int | None
    """What is needed; None if no number is enough: runs do not differ, or by next to nothing."""
    items_now: int
    difference: float | None = None
    """Seen between both runs, the first less the second; None for a margin."""
    terms: Terms = CONCEPTS

    @property
    def title(self) -> str:  # type: ignore[override]
        return Plans([self]).title

    @property
    def more(self) -> int | None:
        """Items still lacking."""
        return None if self.items is None else max(0, self.items - self.items_now)

    def row(self) -> dict[str, Any]:
        """A plain record."""
        return {
            "measure": str(self.measure),
            "runs": list(self.runs),
            "target": self.target,
            "spread": self.spread,
            "level": self.level,
            "power": self.power,
            "design_effect": self.design_effect,
            "items": self.items,
            "items_now": self.items_now,
            "more": self.more,
            "difference": self.difference,
        }

    def _facts(self) -> dict[str, Any]:
        return self.row()

    def _tables(self) -> list[Table]:
        return Plans([self])._tables()

    def _remarks(self) -> list[str]:
        return Plans([self])._remarks()


@dataclass(frozen=True, repr=False)
class Plans(Analysis):
    """How many items each score, or each pair of runs, still needs."""

    plans: Sequence[Plan]

    @property
    def title(self) -> str:  # type: ignore[override]
        return f"{self.terms.items.capitalize()} needed"

    @property
    def terms(self) -> Terms:
        return self.plans[0].terms if self.plans else CONCEPTS

    def _facts(self) -> dict[str, Any]:
        return {"plans": [plan.row() for plan in self.plans]}

    def _tables(self) -> list[Table]:
        rows = []
        for plan in self.plans:
            row = plan.row()
            run, *others = row.pop("runs")
            rows.append({"run": run, "against": others[0] if others else None, **row})
        paired = any(len(plan.runs) == 2 for plan in self.plans)
        chosen = any(plan.target != abs(plan.difference or 0.0) for plan in self.plans)
        columns = [
            Column("measure", key=True),
            Column("run", key=True),
            *([Column("against", key=True)] if paired else []),
            *([Column("difference", digits=4)] if paired else []),
            *([Column("target", "to detect" if paired else "margin", digits=4)] if chosen else []),
            Column("spread", digits=4),
            Column("items", kind="count"),
            Column("more", kind="count"),
        ]
        return [
            Table("plans", rows, audience="programs"),
            Table("plans", rows, columns, audience="people"),
        ]

    def _remarks(self) -> list[str]:
        if not self.plans:
            return []
        first = self.plans[0]
        now = f"more: beyond the {first.items_now:,} {self.terms.items} at hand"
        if first.power is None:
            remarks = [f"for {first.level:.4g} intervals of ± margin; {now}"]
        else:
            alpha = 1 - first.level
            remarks = [f"a two-sided paired test at {alpha:.4g}, power {first.power:.4g}; {now}"]
        if any(plan.items is None for plan in self.plans):
            remarks.append(f"–: no number up to {MOST_UNITS:,} is enough")
        if any(abs(plan.design_effect - 1.0) > 1e-9 for plan in self.plans):
            effects = ", ".join(f"{plan.design_effect:.2f}" for plan in self.plans)
            remarks.append(f"clusters multiply the number of {self.terms.items} by {effects}")
        return remarks


@of_evaluation
def plan(
    result: Evaluation,
    measure: str | Measure,
    *,
    run: str | None = None,
    against: str | None = None,
    margin: float | None = None,
    difference: float | None = None,
    level: float = 0.95,
    power: float = 0.8,
    clusters: Any = None,
) -> Plan:
    """How many items for ±margin, or to tell a run from another.

    run         whose score it is; may be left out if there is one
    margin      half the width of the interval
    against     the run to tell it from
    difference  the true difference that is to be found; default: the one that was seen
    level       of the interval, or 1 − α of the two-sided test
    power       the chance to find the difference
    clusters    a label for each item (array, or a Series or mapping of ids): items that come
                together
    """
    for name, share in (("level", level), ("power", power)):
        if not 0.0 < share < 1.0:
            raise InputError(f"{name}={share:g}; give a number between 0 and 1")
    if (margin is None) == (against is None):
        raise InputError("give margin= for the width of an interval, or against= a second run")
    if run is None and len(result.runs) > 1:
        raise InputError(f"which run? give run=, one of {', '.join(result.runs)}")
    first = result.score(run or result.runs[0], measure)
    values, runs = item_values(first), [first.run.name]
    if against is not None:
        second = result.score(against, measure)
        values, runs = values - item_values(second), [*runs, second.run.name]
        seen = first.value - second.value
        target = abs(seen) if difference is None else _positive("difference", difference)
    else:
        seen = None
        assert margin is not None
        target = _positive("margin", margin)
    sampling = Sampling.of_truth(result.truth, clusters=clusters)
    spread, effect, now = _spread(values, sampling)
    wide = spread * math.sqrt(effect)
    needed = (
        units_for_margin(target, wide, level)
        if against is None
        else units_for_difference(target, wide, level, power)
    )
    return Plan(
        measure=first.measure,
        runs=tuple(runs),
        target=target,
        spread=spread,
        level=level,
        power=None if against is None else power,
        design_effect=effect,
        items=needed,
        items_now=now,
        difference=seen,
        terms=result.terms,
    )


def _spread(values: Floats, sampling: Sampling) -> tuple[float, float, int]:
    """Standard deviation over items, what clusters add to it, and the number of items."""
    defined = values[~np.isnan(values)]
    if len(defined) < 2:
        raise InputError(
            f"{several(len(defined), 'item')} with a value", mend="planning needs at least two"
        )
    spread = float(defined.std(ddof=1))
    error, degrees = sampling.spread(values)
    if not degrees:
        raise InputError("all items are of one cluster; planning needs at least two of them")
    plain = spread / math.sqrt(len(defined))
    return spread, (error / plain) ** 2 if plain > 0 else 1.0, len(defined)


def _positive(name: str, number: float) -> float:
    if not (number > 0.0 and math.isfinite(number)):
        raise InputError(f"{name}={number:g}; give a positive number, such as 0.01")
    return number


# ── the fewest units whose interval, or whose t-test, does what it must ──────────────────────


def units_for_margin(margin: float, spread: float, level: float) -> int | None:
    """Units until an interval is no wider than ±margin; None if no number is enough."""
    from scipy.special import stdtrit

    def narrow(units: int) -> bool:
        quantile = float(stdtrit(units - 1, (1.0 + level) / 2.0))
        return quantile * spread / math.sqrt(units) <= margin * (1.0 + _ROUNDING)

    return _fewest(narrow)


def units_for_difference(
    difference: float, spread: float, level: float, power: float
) -> int | None:
    """Units until a two-sided t-test finds a difference so often; None if no number is enough."""
    from scipy.special import nctdtr, stdtrit

    if spread == 0.0 or difference == 0.0:  # then it is seen at once, or never
        return 2 if difference else None

    def enough(units: int) -> bool:
        quantile = float(stdtrit(units - 1, (1.0 + level) / 2.0))
        centre = min(math.sqrt(units) * (difference / spread), _FAR)
        return 1.0 - float(nctdtr(units - 1, centre, quantile)) >= power - _ROUNDING

    return _fewest(enough)


def _fewest(enough: Callable[[int], bool]) -> int | None:
    """The least number that is enough, and all above it are."""
    high = 2
    while not enough(high):
        if high >= MOST_UNITS:
            return None
        high = min(2 * high, MOST_UNITS)
    low = high // 2 + 1 if high > 2 else 2
    while low < high:
        middle = (low + high) // 2
        if enough(middle):
            high = middle
        else:
            low = middle + 1
    return high
