"""Maps over concepts: costs and relatedness of pairs, and how far annotators agree on each concept.

A map knows its concepts and where it comes from, so that a score can be traced to it. Plain arrays
do as well, wherever a map is taken: they follow the concepts of the truth.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from cranfield.axes import Axis
from cranfield.digests import canonical_order
from cranfield.errors import InputError, first_ten, several
from cranfield.frames import read_frame
from cranfield.matrices import Floats, as_array


@dataclass(frozen=True)
class Provenance:
    """Where a map comes from."""

    source: str = ""
    date: str = ""
    """When it was computed, as YYYY-MM-DD."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """How much it rests on: items, annotators, words …"""


class ConceptMap:
    """Numbers of concepts or of pairs of them.

    values      (C, C), or (C,) for an agreement map
    concepts    their ids; without them, values follow whatever the map is used with
    """

    what = "map"
    pairs = True
    bounds = (-np.inf, np.inf)

    def __init__(
        self,
        values: Any,
        concepts: Iterable[object] | None = None,
        *,
        name: str = "",
        provenance: Provenance | None = None,
    ) -> None:
        self.name = name
        self.provenance = provenance or Provenance()
        self.values, named = self._read(values)
        ids = named if concepts is None else concepts
        self.axis = Axis("concept", len(self.values), ids)
        self._require_numbers()

    @classmethod
    def of(cls, given: Any, *, name: str = "") -> Self:
        """A map as it is, or made of an array, a frame or a mapping."""
        if isinstance(given, cls):
            return given
        if isinstance(given, ConceptMap):
            raise InputError(f"{cls.what} needed, {given.what} given")
        return cls(given, name=name)

    @property
    def concepts(self) -> tuple[str, ...]:
        return self.axis.names

    @cached_property
    def digest(self) -> str:
        """Hash of the values, whatever the order of concepts that have ids."""
        order = canonical_order(self.axis)
        values = self.values[np.ix_(order, order)] if self.pairs else self.values[order]
        names = () if self.axis.ids is None else tuple(self.axis.ids[i] for i in order)
        said = repr((self.what, names)).encode() + np.ascontiguousarray(values).tobytes()
        return hashlib.blake2b(said, digest_size=16).hexdigest()

    def over(self, axis: Axis) -> Floats:
        """The values in the order of these concepts, all of which it must know."""
        if self.axis.ids is None or axis.ids is None:
            if self.axis.size != axis.size:
                raise InputError(
                    f"{self._called} is for {several(self.axis.size, 'concept')} and there are "
                    f"{axis.size}; without ids on both sides they align by position"
                )
            return self.values
        if self.axis.ids == axis.ids:
            return self.values
        unknown = [name for name in axis.ids if name not in self.axis.positions]
        if unknown:
            raise InputError(
                f"{self._called} lacks {several(len(unknown), 'concept')}: {first_ten(unknown)}; "
                "add them to it"
            )
        places = np.array([self.axis.positions[name] for name in axis.ids], dtype=np.int64)
        return self.values[np.ix_(places, places)] if self.pairs else self.values[places]

    @property
    def _called(self) -> str:
        return f"{self.what} {self.name!r}" if self.name else f"the {self.what}"

    def _read(self, given: Any) -> tuple[Floats, Iterable[object] | None]:
        frame = read_frame(self.what, given)
        if frame is not None:
            return self._read_frame(frame)
        if isinstance(given, Mapping) and not self.pairs:
            return np.array(list(given.values()), dtype=np.float64), list(given)
        values: NDArray[Any] = as_array(self.what, given)
        try:
            numbers = values.astype(np.float64)
        except (TypeError, ValueError):
            raise InputError(f"{self._called} must hold numbers") from None
        expected = 2 if self.pairs else 1
        if numbers.ndim != expected or len(set(numbers.shape)) > 1:
            shape = "square" if self.pairs else "a list with one number for each concept"
            raise InputError(f"{self._called} has shape {numbers.shape}; make it {shape}")
        return numbers, None

    def _read_frame(self, frame: Any) -> tuple[Floats, Iterable[object] | None]:
        values = frame.values.astype(np.float64)
        if frame.missing is not None:
            values[frame.missing] = np.nan
        rows, columns = frame.item_axis, frame.concept_axis
        if not self.pairs:
            if values.shape[1] != 1:
                raise InputError(f"{self._called} has {values.shape[1]} columns; pass a Series")
            return values[:, 0], rows.ids
        if values.shape[0] != values.shape[1]:
            raise InputError(f"{self._called} has shape {values.shape}; make it square")
        if rows.ids is None or columns.ids is None or rows.ids == columns.ids:
            return values, rows.ids or columns.ids
        if rows.positions.keys() != columns.positions.keys():
            alone = rows.positions.keys() ^ columns.positions.keys()
            raise InputError(
                f"{self._called}: rows and columns are not the same concepts: "
                f"{first_ten(sorted(alone))} stand on one side only"
            )
        return values[:, [columns.positions[name] for name in rows.ids]], rows.ids

    def _require_numbers(self) -> None:
        low, high = self.bounds
        bad = ~((self.values >= low) & (self.values <= high))
        if bad.any():
            place = tuple(int(i) for i in np.argwhere(bad)[0])
            where = " and ".join(self.concepts[i] for i in place)
            raise InputError(
                f"{self._called}: {self.values[place]:g} for {where}; "
                f"every value must lie in [{low:g}, {high:g}]"
            )


class CostMap(ConceptMap):
    """What it costs to take one concept for another: (C, C) in [0, 1], predicted by true."""

    what = "cost map"
    bounds = (0.0, 1.0)


class RelatednessMap(ConceptMap):
    """How closely concepts are related: (C, C), whatever the scale of its source."""

    what = "relatedness map"
    bounds = (-np.finfo(np.float64).max, np.finfo(np.float64).max)


class AgreementMap(ConceptMap):
    """How far annotators agree on each concept: (C,) in [0, 1]."""

    what = "agreement map"
    pairs = False
    bounds = (0.0, 1.0)
