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

from cranfield import kernels
from cranfield.collections.comparison import Direction
from cranfield.core.axes import Axis
from cranfield.core.matrices import Floats, as_array
from cranfield.core.truth import Truth
from cranfield.core.unit_values import read_values, unit_values
from cranfield.errors import InputError

_LEAST_SUM, _LARGEST_SUM = 1e-290, 1e300
"""Of weights: beyond, their products with scores are rounded to few digits, or to infinity."""


@dataclass(frozen=True)
class Weights:
    """Weights by concept, by item, or both."""

    concepts: Floats | None = None
    items: Floats | None = None

    def of(self, direction: Direction) -> Floats | None:
        return {"concept": self.concepts, "example": self.items}.get(direction)

    def note(self, direction: Direction, truth: Truth) -> str | None:
        """What to tell readers of a score these weights do not apply to."""
        if self.of(direction) is not None or (self.concepts is None and self.items is None):
            return None
        named = (n for n in ("concepts", "items") if getattr(self, n) is not None)
        sides = " and ".join(map(truth.terms.word, named))
        return f"unweighted: weights were given for {sides}"

    def widened(self, items: int, concepts: int) -> Weights:
        """Weights for more units, which count nothing."""

        def padded(weights: Floats | None, size: int) -> Floats | None:
            return None if weights is None else np.pad(weights, (0, size - len(weights)))

        return Weights(padded(self.concepts, concepts), padded(self.items, items))


def as_weights(weights: Any, truth: Truth) -> Weights:
    """Weights from what users hand in.

    An array (its length says whether it is for concepts or for items), a mapping from ids to
    weights, a Series or frame of either kind, or {"concepts": …, "items": …} with one of these in
    each.
    """
    if weights is None or isinstance(weights, Weights):
        return weights or Weights()
    axes = {"concepts": truth.concept_axis, "items": truth.item_axis}
    if isinstance(weights, Mapping) and set(weights) <= axes.keys():
        return Weights(**{side: _aligned(side, weights[side], axes[side]) for side in weights})
    values = read_values("weights", weights, "concept")
    if values.axis.ids is not None:
        side = "concepts" if set(values.axis.ids) <= set(truth.concepts) else "items"
    else:
        items, concepts = truth.shape
        if items == concepts:
            raise InputError(
                f"weights of length {items} fit both items and concepts; "
                'say which: {"concepts": …} or {"items": …}'
            )
        side = "items" if values.axis.size == items else "concepts"
    return Weights(**{side: _aligned(side, weights, axes[side])})


def _aligned(side: str, values: Any, axis: Axis) -> Floats:
    aligned = unit_values(f"weights of {side}", values, axis)
    array = as_array(f"weights of {side}", aligned)
    if array.dtype.kind not in "biuf":
        raise InputError(f"weights of {side} must be numbers")
    weights = np.array(array, dtype=np.float64)
    if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.any()):
        raise InputError(f"weights of {side} must be finite, not negative, and not all zero")
    if not _LEAST_SUM < kernels.total(weights) < _LARGEST_SUM:
        raise InputError(
            f"weights of {side} add up to less than {_LEAST_SUM:g} or more than {_LARGEST_SUM:g}, "
            "where numbers lose their digits; only their ratios count, so divide or multiply them"
        )
    return weights
