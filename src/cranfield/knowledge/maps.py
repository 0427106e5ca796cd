"""Maps over concepts: costs and relatedness of pairs, and how far annotators agree on each concept.

A map knows its concepts and where it comes from, so that a score can be traced to it. Plain arrays
do as well, wherever a map is taken: they follow the concepts of the truth. Values never change once
a map is made. `cf.formats.read_costs` and the like read maps from files; `cf.formats.write_map`
writes them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from cranfield.caching import cached_property
from cranfield.core.arguments import checked
from cranfield.core.axes import Axis
from cranfield.core.digests import canonical_order
from cranfield.core.frames import Frame, read_frame
from cranfield.core.matrices import Bools, Floats, as_array
from cranfield.errors import InputError, first_ten, several
from cranfield.knowledge.map_checks import MapChecks, check_costs, odd_costs
from cranfield.knowledge.provenance import Provenance as Provenance

Normalisation = Literal["none", "max", "minmax"]
"""How relatedness is brought into [0, 1]."""

_LARGEST = float(np.finfo(np.float64).max)


class ConceptMap:
    """Numbers of concepts or of pairs of them.

    values      (C, C), or (C,) for an agreement map
    concepts    their ids; without them, values follow whatever the map is used with
    name        what measures call it: OS(costs=NAME)
    provenance  where it comes from
    """

    what = "map"
    pairs = True
    bounds = (-_LARGEST, _LARGEST)
    rule = "be finite"
    """What the bounds mean."""

    @checked
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
        self.source: Path | None = None
        """The file that it was read from."""
        read, named = self._read(values)
        self.values: Floats = read + 0.0  # a copy, in which -0.0 is 0.0
        self.values.flags.writeable = False
        self.axis = Axis("concept", len(self.values), named if concepts is None else concepts)
        self._require_numbers()

    @classmethod
    def of(cls, source: Any, *, name: str = "") -> Self:
        """A map as it is, or made of an array, a frame or a mapping."""
        if isinstance(source, cls):
            return source
        if isinstance(source, ConceptMap):
            raise InputError(f"{cls.what} needed, {source.what} given{cls._instead_of(source)}")
        return cls(source, name=name)

    @classmethod
    def _instead_of(cls, other: ConceptMap) -> str:
        """What to do about a map of another kind."""
        return ""

    @property
    def concepts(self) -> tuple[str, ...]:
        return self.axis.names

    @property
    def called(self) -> str:
        """What to call the map in messages."""
        return f"{self.what} {self.name!r}" if self.name else f"the {self.what}"

    @cached_property
    def digest(self) -> str:
        """Hash of the values, whatever the order of concepts that have ids."""
        order = canonical_order(self.axis)
        values = self.values[np.ix_(order, order)] if self.pairs else self.values[order]
        names = () if self.axis.ids is None else tuple(self.axis.ids[i] for i in order)
        content = repr((self.what, names)).encode() + values.astype("<f8").tobytes()
        return hashlib.blake2b(content, digest_size=16).hexdigest()

    def over(self, axis: Axis) -> Floats:
        """The values in the order of these concepts, all of which it must know."""
        if axis.leads_by_position(self.axis, "the truth", self.called):
            if self.axis.size != axis.size:
                raise InputError(
                    f"{self.called} is for {several(self.axis.size, 'concept')} and there are "
                    f"{axis.size}; without ids on both sides they align by position"
                )
            return self.values
        if self.axis.names == axis.names:
            return self.values
        unknown = [name for name in axis.names if name not in self.axis.positions]
        if unknown:
            raise InputError(
                f"{self.called} lacks {several(len(unknown), 'concept')}: {first_ten(unknown)}; "
                "give each a value there"
            )
        places = np.array([self.axis.positions[name] for name in axis.names], dtype=np.int64)
        return self.values[np.ix_(places, places)] if self.pairs else self.values[places]

    def __getitem__(self, concepts: str | tuple[str, str]) -> float:
        """The value of a concept, or of a pair: costs["Lake", "Sea"]."""
        names = (concepts,) if isinstance(concepts, str) else concepts
        unknown = [name for name in names if name not in self.axis.positions]
        if unknown or len(names) != self.values.ndim:
            expected = "two concepts" if self.pairs else "a concept"
            raise InputError(f"{self.called} has no value for {concepts!r}; give {expected} of it")
        return float(self.values[tuple(self.axis.positions[name] for name in names)])

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "map": self.what,
            "name": self.name,
            **self.provenance.to_dict(),
            "hash": self.digest,
            "concepts": list(self.concepts),
            "values": self.values.tolist(),
        }

    def __repr__(self) -> str:
        origin = f", {self.provenance.source}" if self.provenance.source else ""
        name = f"{self.name!r}: " if self.name else ""
        return f"{type(self).__name__}({name}{several(self.axis.size, 'concept')}{origin})"

    # ── what people bring ─────────────────────────────────────────────────────────────────────

    def _read(self, source: Any) -> tuple[Floats, Iterable[object] | None]:
        frame = read_frame(self.what, source)
        if frame is not None:
            return self._read_frame(frame)
        named = None
        if isinstance(source, Mapping) and not self.pairs:
            source, named = list(source.values()), list(source)
        values: NDArray[Any] = as_array(self.what, source)
        if values.dtype.kind not in "biuf":
            raise InputError(f"{self.called} must hold numbers; got {values.dtype}")
        if values.ndim != 1 + self.pairs or len(set(values.shape)) > 1 or not values.size:
            shape = "square" if self.pairs else "a list with one number for each concept"
            raise InputError(f"{self.called} has shape {values.shape}; make it {shape}")
        return values.astype(np.float64), named

    def _read_frame(self, frame: Frame) -> tuple[Floats, Iterable[object] | None]:
        values = frame.values.astype(np.float64)
        if frame.missing is not None:
            values[frame.missing] = np.nan
        rows, columns = frame.item_axis, frame.concept_axis
        if not self.pairs:
            if values.shape[1] != 1:
                raise InputError(f"{self.called} has {values.shape[1]} columns; pass a Series")
            return values[:, 0], rows.ids
        if values.shape[0] != values.shape[1] or not values.size:
            raise InputError(f"{self.called} has shape {values.shape}; make it square")
        if rows.aligns_by_position(columns, f"the rows of {self.called}", "its columns"):
            return values, rows.ids or columns.ids
        if rows.positions.keys() != columns.positions.keys():
            alone = rows.positions.keys() ^ columns.positions.keys()
            raise InputError(
                f"{self.called}: rows and columns are not the same concepts: "
                f"{first_ten(sorted(alone))} stand on one side only"
            )
        return values[:, [columns.positions[name] for name in rows.names]], rows.names

    def _require_numbers(self) -> None:
        low, high = self.bounds
        bad = ~((self.values >= low) & (self.values <= high))
        if bad.any():
            index = tuple(int(i) for i in np.argwhere(bad)[0])
            where = " and ".join(self.concepts[i] for i in index)
            raise InputError(
                f"{self.called}: {self.values[index]:g} for {where}; every value must {self.rule}"
            )


class CostMap(ConceptMap):
    """What it costs to take one concept for another: (C, C) in [0, 1], predicted by true."""

    what = "cost map"
    bounds = (0.0, 1.0)
    rule = "lie in [0, 1]"

    @classmethod
    def _instead_of(cls, other: ConceptMap) -> str:
        return "; make costs of it with .costs()" if isinstance(other, RelatednessMap) else ""

    @cached_property
    def checks(self) -> MapChecks:
        """Whether it is symmetric, has zeros on its diagonal, and is a metric."""
        return check_costs(self.values, self.concepts)

    @cached_property
    def oddities(self) -> tuple[str, ...]:
        """What costs rarely are: not symmetric, not 0 on the diagonal."""
        return odd_costs(self.values, self.concepts)


class RelatednessMap(ConceptMap):
    """How closely concepts are related: (C, C), whatever the scale of its source.

    What a source says of a concept and itself means little, so the diagonal never counts; nor do
    concepts that are one and the same to it, as car and automobile are to WordNet.

    same  (C, C): which pairs are one and the same; default: none but a concept and itself
    """

    what = "relatedness map"

    @checked
    def __init__(
        self,
        values: Any,
        concepts: Iterable[object] | None = None,
        *,
        name: str = "",
        provenance: Provenance | None = None,
        same: Bools | None = None,
    ) -> None:
        super().__init__(values, concepts, name=name, provenance=provenance)
        own = np.eye(self.axis.size, dtype=np.bool_)
        self.same: Bools = own if same is None else own | _pairs(same, own)
        self.same.flags.writeable = False

    def normalised(self, how: Normalisation = "max") -> RelatednessMap:
        """The same in [0, 1], by what stands off the diagonal; this and what is `same` become 1.

        max     the largest value becomes 1; none may be negative
        minmax  and the smallest becomes 0
        none    nothing changes

        Where all are equal there is nothing to span: minmax leaves what lies in [0, 1], and takes
        the nearer end for the rest; so does max where all are 0.
        """
        if how == "none":
            return self
        low, high = self.extent
        match how:
            case "max" if high > 0:
                low = 0.0
            case "minmax" if high > low:
                pass
            case "max" | "minmax" if low == high and (how == "minmax" or high == 0):
                return self._scaled(np.clip(self.values, 0.0, 1.0), how)
            case "max" | "minmax":
                raise InputError(
                    f"{self.called} goes from {low:g} to {high:g} off the diagonal, which {how} "
                    "cannot bring into [0, 1]",
                    mend="change its values, or {normalise}",
                )
            case _:
                raise InputError(f"normalise={how!r}; choose none, max or minmax")
        # What becomes infinite is refused by the map.
        with np.errstate(over="ignore", invalid="ignore"):
            values = (self.values - low) / (high - low)
        return self._scaled(values, how)

    def _scaled(self, values: Floats, how: Normalisation) -> RelatednessMap:
        step = self._made_of().and_then(f"normalised by {how}")
        return self._like(np.where(self.same, 1.0, values), step)

    def costs(self, normalise: Normalisation = "none") -> CostMap:
        """1 − relatedness, and 0 for a concept and itself, or what is `same`."""
        related = self.normalised(normalise)
        low, high = related.extent
        if low < 0 or high > 1:
            better = "minmax" if low < 0 else "max"
            raise InputError(
                f"{self.called} goes from {low:g} to {high:g} off the diagonal, and costs need "
                "[0, 1]",
                mend=f"give {{normalise={better}}}",
            )
        values = np.where(self.same, 0.0, 1.0 - related.values)
        step = related._made_of().and_then("1 − relatedness")
        return CostMap(values, self.axis.ids, name=self.name, provenance=step)

    def read_from(self, file: str) -> RelatednessMap:
        """The same, with the file and the hash in where it comes from, for what is made of it."""
        return self._like(self.values, self.provenance.and_then(f"{file}:{self.digest[:8]}"))

    def _like(self, values: Floats, step: Provenance) -> RelatednessMap:
        """Other values for the same concepts."""
        return RelatednessMap(
            values, self.axis.ids, name=self.name, provenance=step, same=self.same
        )

    def _made_of(self) -> Provenance:
        """Where a map that is made of this one comes from."""
        origin = self.provenance
        return Provenance(
            origin.source or f"{self.name or self.what}:{self.digest[:8]}",
            origin.date or date.today().isoformat(),
            {**origin.counts, "concepts": self.axis.size},
        )

    @cached_property
    def extent(self) -> tuple[float, float]:
        """The smallest and the largest value of two concepts; 0 and 1 if all are `same`."""
        others: Bools = ~self.same
        if not others.any():
            return 0.0, 1.0
        return (
            float(self.values.min(where=others, initial=np.inf)),
            float(self.values.max(where=others, initial=-np.inf)),
        )


class AgreementMap(ConceptMap):
    """How far annotators agree on each concept: (C,) in [0, 1]."""

    what = "agreement map"
    pairs = False
    bounds = (0.0, 1.0)
    rule = "lie in [0, 1]"


def _pairs(same: Any, like: Bools) -> Bools:
    """Marks for pairs of concepts, in the shape of a map."""
    marks = np.asarray(same)
    if marks.dtype != np.bool_ or marks.shape != like.shape:
        raise InputError(
            f"same has the shape {marks.shape} and holds {marks.dtype}; give a matrix of True and "
            f"False of the shape {like.shape}"
        )
    return marks
