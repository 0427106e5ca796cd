"""Nearest: for label sets over a component's columns, the nearest that satisfy its clauses.

Usually one plan serves all label sets. Where rules are so entangled that it would have too many
states, label sets are looked at one by one, and only at the concepts that could matter to each: its
labels and whatever they might need.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

import numpy as np

from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.knowledge.consistency.branching import Branching
from cranfield.knowledge.consistency.clauses import Component
from cranfield.knowledge.consistency.elimination import (
    Clause,
    Elimination,
    EntangledError,
    renumbered,
)

_STEPS = 2.0**40
"""Logarithms of odds are counted in steps, so that sums do not depend on their order."""
_MOST_STATES = 1 << 12
"""Of one variable and its neighbours, so that a plan is worth following."""
_NEEDED, _REMOVED, _CHOSEN = 1, 2, 3
"""What is done rather where changes are equally many: the lower."""


class Nearest:
    """Finds the nearest label sets over the columns of a component."""

    def __init__(self, component: Component) -> None:
        self._clauses = component.clauses
        self._size = len(component.columns)
        self._needed = component.needed
        self._plan: Elimination | None = None
        with suppress(EntangledError):
            self._plan = Elimination(self._clauses, ranked=self._size, most=_MOST_STATES)

    def __call__(self, labels: Bools, odds: Floats | None) -> Bools:
        """(n, columns) of label sets to (n, columns) of the nearest ones.

        odds  logarithms, (n, columns); without them the smallest change is the nearest
        """
        if odds is None:
            labels, back = _distinct(labels)
        absent, present = self._costs(labels, odds)
        if self._plan is not None:
            nearest = self._plan.cheapest(absent, present).T
        else:
            wished = labels if odds is None else labels | (odds > 0)
            nearest = self._one_by_one(wished, absent, present)
        return nearest if odds is not None else nearest[back]

    def _costs(self, labels: Bools, odds: Floats | None) -> tuple[Ints, Ints]:
        """(kinds, columns, n): what it costs that a label is absent, and that it is present."""
        change = 4 * self._size
        removed = np.where(labels, change + _REMOVED, 0)
        added = np.where(self._needed, change + _NEEDED, change + _CHOSEN)
        absent, present = [removed], [np.where(labels, 0, added)]
        if odds is not None:
            steps = np.rint(odds * _STEPS).astype(np.int64)
            absent.insert(0, np.maximum(steps, 0))
            present.insert(0, np.maximum(-steps, 0))
        return _stacked(absent), _stacked(present)

    def _one_by_one(self, wished: Bools, absent: Ints, present: Ints) -> Bools:
        """The same, looking only at the columns that could matter to each label set."""
        nearest = np.zeros_like(wished)
        distinct, back = _distinct(wished)
        for number, wishes in enumerate(distinct):
            reached = _reached(np.flatnonzero(wishes).tolist(), self._clauses)
            order = sorted(reached)
            columns = np.array([v for v in order if v < self._size], dtype=np.int64)
            clauses = [clause for clause in self._clauses if reached.issuperset(clause.absent)]
            anew = renumbered(clauses, {variable: i for i, variable in enumerate(order)})
            plan = Branching(anew, ranked=len(columns), most=_MOST_STATES)
            rows = np.flatnonzero(back == number)
            costs = [side[:, columns][:, :, rows] for side in (absent, present)]
            nearest[np.ix_(rows, columns)] = plan.cheapest(*costs).T
        return nearest


def _reached(wished: Iterable[int], clauses: Iterable[Clause]) -> set[int]:
    """Variables that are wished for, and all that their presence could call for."""
    reached = set(wished)
    waiting = list(clauses)
    grown = True
    while grown:
        due = [clause for clause in waiting if reached.issuperset(clause.absent)]
        waiting = [clause for clause in waiting if not reached.issuperset(clause.absent)]
        before = len(reached)
        reached.update(v for clause in due for v in clause.present)
        grown = len(reached) > before
    return reached


def _distinct(labels: Bools) -> tuple[Bools, Ints]:
    """The distinct rows, and which of them each row is."""
    packed = np.packbits(labels, axis=1)
    _, first, back = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    return labels[first], back.reshape(-1)


def _stacked(kinds: list[Ints]) -> Ints:
    return np.ascontiguousarray(np.stack(kinds).transpose(0, 2, 1))
