"""`cf.plan`: how many items it takes, judged by the spread that the items at hand show.

    for a margin       the fewest n with t·σ/√n ≤ δ: the score of n items lies within ±δ of that
                       of all items
    to tell A from B   the fewest n whose paired t-test finds a true difference of Δ so often; σ is
                       the spread of differences between the item values of A and B

σ is the standard deviation of item values (see `influence`), so that n counts items like those of
the collection: the same concepts, about as frequent. Clusters of items make n larger; the factor
(the design effect) is that by which they widen the standard error here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.engine.evaluation import Evaluation
from cranfield.errors import InputError, several
from cranfield.measures import Measure
from cranfield.statistics.influence import item_values
from cranfield.statistics.intervals.sizes import units_for_difference, units_for_margin
from cranfield.statistics.resampling import Sampling


@dataclass(frozen=True)
class Plan:
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
        }


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
    margin      half the width of the interval that is wanted
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
        seen = abs(first.value - second.value)
        target = seen if difference is None else _positive("difference", difference)
    else:
        assert margin is not None
        target = _positive("margin", margin)
    sampling = Sampling.of(result.truth.item_axis, clusters=clusters)
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
    )


def _spread(values: Floats, sampling: Sampling) -> tuple[float, float, int]:
    """Standard deviation over items, what clusters add to it, and the number of items."""
    known = values[~np.isnan(values)]
    if len(known) < 2:
        raise InputError(
            f"{several(len(known), 'item')} with a value; planning needs the spread of at least two"
        )
    spread = float(known.std(ddof=1))
    error, degrees = sampling.spread(values)
    if not degrees:
        raise InputError("all items are of one cluster; planning needs at least two of them")
    plain = spread / math.sqrt(len(known))
    return spread, (error / plain) ** 2 if plain > 0 else 1.0, len(known)


def _positive(name: str, number: float) -> float:
    if not (number > 0.0 and math.isfinite(number)):
        raise InputError(f"{name}={number:g}; give a positive number, such as 0.01")
    return number
