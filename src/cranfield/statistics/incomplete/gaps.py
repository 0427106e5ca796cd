"""Gaps: a run beside a truth of which nobody knows some cells, and the truths it may become.

A *completion* says of every unknown cell whether it is positive. Measures are asked for their
scores of completions as of any other truth, so bounds follow the conventions of the scores.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from cranfield.caching import cached_property
from cranfield.collections.comparison import Comparison, Direction
from cranfield.core.aligned import Aligned
from cranfield.core.axes import Missing
from cranfield.core.matrices import Bools, Cells, Floats, Ints
from cranfield.core.run import Run
from cranfield.core.truth import State, Truth
from cranfield.errors import InputError
from cranfield.kernels.label_sets import unpack
from cranfield.knowledge import Known

Outside = Literal["unknown", "negative"]
"""What cells outside the pool are taken for."""


def unknown_cells(truth: Truth, outside: Outside) -> Bools:
    """(N, C): the cells of which nobody knows whether they are positive."""
    if truth.open:
        raise InputError(
            "the truth is open: it does not list all items, so its gaps cannot be counted; give a "
            "truth of all items (cf.Truth without open=True)"
        )
    states = truth.states
    unknown: Bools = states == State.UNJUDGED
    return unknown | (states == State.OUTSIDE) if outside == "unknown" else unknown


@dataclass(frozen=True, eq=False)
class Gaps:
    """A run beside a truth with unknown cells."""

    truth: Truth
    run: Run
    unknown: Bools
    missing: Missing
    known: Known

    @property
    def labels(self) -> Bools:
        """The cells known to be positive."""
        return self.truth.labels

    @cached_property
    def sizes(self) -> Ints:
        """Unknown cells of each item."""
        return np.asarray(self.unknown.sum(axis=1), dtype=np.int64)

    @cached_property
    def assigned(self) -> Bools:
        """(N, C): the cells that the run assigns."""
        return unpack(self.least.assigned_sets, self.truth.shape[1])

    @cached_property
    def scores(self) -> Floats:
        """(N, C): what the run is ranked by; what it did not retrieve comes last."""
        aligned = Aligned(self.truth, self.run, "negative", self.missing)
        scores, included = aligned.scores, aligned.included
        out: Floats = np.full(self.truth.shape, -np.inf)
        if isinstance(scores, Cells):
            out.ravel()[scores.codes] = scores.values
        else:
            np.copyto(out, scores, where=True if included is None else included)
        return out

    @cached_property
    def least(self) -> Comparison:
        """The completion in which nothing unknown is positive."""
        return self.completed(np.zeros_like(self.unknown))

    def completed(self, positive: Bools) -> Comparison:
        """The run beside the truth in which these of the unknown cells are positive."""
        truth = Truth(
            self.labels | (self.unknown & positive),
            items=self.truth.item_axis,
            concepts=self.truth.concept_axis,
        )
        return Comparison(
            truth, self.run, unjudged="negative", missing=self.missing, known=self.known
        )

    def corners(self, direction: Direction) -> Iterator[Comparison]:
        """Completions with none, one, all but one, and all of the unknown cells that were
        assigned, and of those that were not, positive in each unit."""
        assigned, unassigned = (
            _Numbered(self.unknown & side, direction) for side in (self.assigned, ~self.assigned)
        )
        for side in assigned.extremes():
            for other in unassigned.extremes():
                yield self.completed(side | other)


class _Numbered:
    """Cells numbered from 0 within their units."""

    def __init__(self, cells: Bools, direction: Direction) -> None:
        self._cells = cells
        if direction == "micro":
            flat = cells.ravel()
            self._number = (np.cumsum(flat) - 1).reshape(cells.shape)
            self._sizes = np.array(flat.sum()).reshape(1, 1)
        else:
            axis = 0 if direction == "concept" else 1
            self._number = np.cumsum(cells, axis=axis) - 1
            self._sizes = cells.sum(axis=axis, keepdims=True)

    def extremes(self) -> Iterator[Bools]:
        largest = int(self._sizes.max(initial=0))
        for count in (0, 1, self._sizes - 1, self._sizes)[: 2 + 2 * (largest > 1)]:
            yield self._cells & (self._number < count)
