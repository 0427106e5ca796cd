"""What holds of a cost map: symmetry, zeros on the diagonal, range, the triangle inequality.

None of it is needed for a score. But costs that break it are often not what their maker meant, and
some statements about measures hold only for metrics.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.errors import several
from cranfield.kernels import share

TOLERANCE = 1e-12
"""Differences that come from rounding: costs are at most 1."""
_ROWS = 16
"""Rows of costs that are looked at together."""


@dataclass(frozen=True)
class Breach:
    """What a map breaks: its worst case, and how often."""

    concepts: tuple[str, ...]
    by: float
    """By how much the worst case is wrong."""
    count: int
    words: str
    """The worst case as a sentence."""


@dataclass(frozen=True)
class MapChecks:
    """What holds of a cost map; None where nothing is wrong, else the worst case."""

    concepts: int
    lowest: float | None
    """The least cost of two concepts; None if there is only one."""
    highest: float | None
    asymmetry: Breach | None
    diagonal: Breach | None
    detour: Breach | None
    """A pair that costs more than the way by a third concept."""

    @property
    def symmetric(self) -> bool:
        return self.asymmetry is None

    @property
    def zero_diagonal(self) -> bool:
        return self.diagonal is None

    @property
    def metric(self) -> bool:
        """Whether costs are distances; equal concepts (cost 0) are allowed."""
        return self.symmetric and self.zero_diagonal and self.detour is None

    def to_dict(self) -> dict[str, Any]:
        return {
            "concepts": self.concepts,
            "lowest": self.lowest,
            "highest": self.highest,
            "symmetric": self.symmetric,
            "zero_diagonal": self.zero_diagonal,
            "metric": self.metric,
            "breaches": {
                name: {"concepts": list(breach.concepts), "by": breach.by, "count": breach.count}
                for name in ("asymmetry", "diagonal", "detour")
                if (breach := getattr(self, name)) is not None
            },
        }

    def __str__(self) -> str:
        size = several(self.concepts, "concept")
        if self.lowest is not None:
            size += f", costs from {self.lowest:.4g} to {self.highest:.4g}"
        metric = _verdict(self.detour) if self.detour or self.metric else "no, see above"
        return (
            f"{size}\nsymmetric: {_verdict(self.asymmetry)}\n"
            f"zero diagonal: {_verdict(self.diagonal)}\nmetric: {metric}"
        )


def _verdict(breach: Breach | None) -> str:
    return "yes" if breach is None else f"no: {breach.words}"


def check_costs(values: Floats, names: tuple[str, ...]) -> MapChecks:
    """Look at everything; beside a copy of the costs, memory stays small."""
    costs = values.copy()
    np.fill_diagonal(costs, np.inf)
    lowest = float(costs.min()) if len(names) > 1 else None
    np.fill_diagonal(costs, 0.0)
    asymmetry = _asymmetry(costs, names)
    return MapChecks(
        concepts=len(names),
        lowest=lowest,
        highest=float(costs.max()) if len(names) > 1 else None,
        asymmetry=asymmetry,
        diagonal=_diagonal(values, names),
        detour=_detour(costs, names, symmetric=asymmetry is None),
    )


def odd_costs(values: Floats, names: tuple[str, ...]) -> tuple[str, ...]:
    """What readers of a score should know about its costs; detours are no surprise."""
    oddities = []
    if _asymmetry(values, names) is not None:
        oddities.append("not symmetric")
    if _diagonal(values, names) is not None:
        oddities.append("not 0 on the diagonal")
    return tuple(oddities)


def _diagonal(values: Floats, names: tuple[str, ...]) -> Breach | None:
    own = values.diagonal()
    count = int(np.count_nonzero(own))
    if not count:
        return None
    i = int(own.argmax())
    words = f"{names[i]} for itself costs {own[i]:.4g}; so for {count} of {len(names)} concepts"
    return Breach((names[i],), float(own[i]), count, words)


def _asymmetry(costs: Floats, names: tuple[str, ...]) -> Breach | None:
    """The pair whose two costs differ most."""
    i, j, gap, count = _worst(len(costs), lambda row: np.abs(costs[row] - costs[:, row]))
    words = (
        f"{names[i]} for {names[j]} costs {costs[i, j]:.4g}, the other way round "
        f"{costs[j, i]:.4g}; {_so_for(count, costs)}"
    )
    return Breach((names[i], names[j]), gap, count, words) if count else None


def _detour(costs: Floats, names: tuple[str, ...], *, symmetric: bool) -> Breach | None:
    """The pair that costs most beyond the cheapest way by a third concept."""
    # A leg of a cheaper way costs less than the pair, and one of the two less than half of it; if
    # costs are symmetric that is the first leg, seen from one of the ends.
    share_of_pair = 0.5 if symmetric else 1.0

    def gains(row: int) -> Floats:
        ahead = costs[row]
        near = np.flatnonzero(ahead < share_of_pair * ahead.max())
        best = ahead.copy()
        for first in range(0, len(near), _ROWS):
            by = near[first : first + _ROWS]
            ways = costs[by]
            ways += ahead[by, None]
            np.minimum(best, ways.min(axis=0), out=best)
        gained: Floats = ahead - best
        return gained

    i, j, gain, count = _worst(len(costs), gains)
    legs = costs[i] + costs[:, j]
    legs[[i, j]] = np.inf
    k = int(legs.argmin())
    words = (
        f"{names[i]} for {names[j]} costs {costs[i, j]:.4g}, by way of {names[k]} {legs[k]:.4g}; "
        f"{_so_for(count, costs)}"
    )
    return Breach((names[i], names[k], names[j]), gain, count, words) if count else None


def _so_for(count: int, costs: Floats) -> str:
    return f"so for {count} of {several(len(costs) * (len(costs) - 1) // 2, 'pair')}"


def _worst(size: int, by_row: Callable[[int], Floats]) -> tuple[int, int, float, int]:
    """Where the largest number is, what it is, and in how many pairs one exceeds rounding."""
    columns, values = np.zeros(size, dtype=np.int64), np.zeros(size)
    above = np.zeros((size, size), dtype=np.bool_)

    def work(rows: range) -> None:
        for row in rows:
            gaps = by_row(row)
            above[row] = gaps > TOLERANCE
            columns[row] = gaps.argmax()
            values[row] = gaps[columns[row]]

    share(size, _ROWS, work)
    row = int(values.argmax())
    pairs = int(np.count_nonzero(above | above.T)) // 2
    return row, int(columns[row]), float(values[row]), pairs
