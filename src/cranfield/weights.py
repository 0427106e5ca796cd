"""Weights of units: how much each concept or item counts in an average.

Importance, agreement or frequency (Nowak et al. 2010 §5 asks for it). Weights apply to the side
they are given for; a measure that averages over the other side is unweighted, and its score says
so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.axes import Axis
from cranfield.comparison import Direction
from cranfield.errors import InputError, first_ten, several
from cranfield.frames import read_frame
from cranfield.matrices import Floats
from cranfield.truth import Truth


@dataclass(frozen=True)
class Weights:
    """Weights by concept, by item, or both."""

    concepts: Floats | None = None
    items: Floats | None = None

    def of(self, direction: Direction) -> Floats | None:
        return {"concept": self.concepts, "example": self.items}.get(direction)

    def note(self, direction: Direction) -> str | None:
        """What to tell readers of a score these weights do not apply to."""
        if self.of(direction) is not None or (self.concepts is None and self.items is None):
            return None
        given = " and ".join(n for n in ("concepts", "items") if getattr(self, n) is not None)
        return f"unweighted: weights were given for {given}"

    def widened(self, items: int, concepts: int) -> Weights:
        """Weights for more units, which count nothing."""

        def padded(weights: Floats | None, size: int) -> Floats | None:
            return None if weights is None else np.pad(weights, (0, size - len(weights)))

        return Weights(padded(self.concepts, concepts), padded(self.items, items))


def as_weights(given: Any, truth: Truth) -> Weights:
    """Weights from what users hand in.

    An array (its length says whether it is for concepts or for items), a mapping from ids to
    weights, a Series of either kind, or {"concepts": …, "items": …} with one of these in each.
    """
    if given is None or isinstance(given, Weights):
        return given or Weights()
    given = _unframed(given)
    if isinstance(given, Mapping):
        if set(given) <= {"concepts", "items"}:
            return Weights(
                **{
                    side: _aligned(side, given[side], axis)
                    for side, axis in (
                        ("concepts", truth.concept_axis),
                        ("items", truth.item_axis),
                    )
                    if side in given
                }
            )
        names = set(map(str, given))
        side = "concepts" if names <= set(truth.concepts) else "items"
    else:
        items, concepts = truth.shape
        if items == concepts:
            raise InputError(
                f"weights of length {items} fit both items and concepts; "
                'say which: {"concepts": …} or {"items": …}'
            )
        side = "items" if np.shape(given) == (items,) else "concepts"
    axis = truth.concept_axis if side == "concepts" else truth.item_axis
    return Weights(**{side: _aligned(side, given, axis)})


def _unframed(given: Any) -> Any:
    """A Series as a mapping of its ids, if it has any, or as an array; anything else as it is."""
    frame = read_frame("weights", given)
    if frame is None:
        return given
    if frame.missing is not None or frame.values.shape[1] != 1:
        raise InputError("weights are one column of numbers, none of them missing; pass a Series")
    values = frame.values[:, 0]
    ids = frame.item_axis.ids
    return values if ids is None else dict(zip(ids, values.tolist(), strict=True))


def _aligned(side: str, given: Any, axis: Axis) -> Floats:
    given = _unframed(given)
    if isinstance(given, Mapping):
        named = {str(name): value for name, value in given.items()}
        unknown = [name for name in named if name not in axis.positions]
        lacking = [name for name in axis.names if name not in named]
        for names, what in (
            (lacking, "no weight"),
            (unknown, "a weight but no place in the truth"),
        ):
            if names:
                raise InputError(
                    f"weights: {several(len(names), side[:-1])} with {what}: {first_ten(names)}; "
                    f"give each of the truth's {side} one weight"
                )
        given = [named[name] for name in axis.names]
    try:
        weights = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"weights of {side} must be numbers") from None
    if weights.shape != (axis.size,):
        raise InputError(
            f"weights of shape {weights.shape} were given for {axis.size} {side}; give one for each"
        )
    if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.sum() > 0):
        raise InputError(f"weights of {side} must be finite, not negative, and not all zero")
    return weights
