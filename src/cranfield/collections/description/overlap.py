"""Overlap: two collections side by side, as Nowak 2011 compares vocabularies in Table 5.2.

Which concepts they share, nearly matching ones counted as that table counts them; which items; and
whether the labels of shared items agree where both collections judged them. Items are the same if
their ids are.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from cranfield.caching import cached_property
from cranfield.collections.collection import as_collection
from cranfield.collections.description.facts import Description
from cranfield.collections.description.matching import Partners, partners
from cranfield.collections.description.shared_cells import Part
from cranfield.collections.description.shares import share, shares
from cranfield.core.axes import Axis
from cranfield.core.matrices import Ints
from cranfield.errors import InputError

if TYPE_CHECKING:
    import polars


def overlap(one: Any, other: Any) -> Overlap:
    """What two collections share: concepts, items, and the labels of shared cells.

    Each is a Collection, a Truth or a frame of labels, whose columns name its concepts.
    """
    sides = as_collection(one), as_collection(other)
    for side in sides:
        if side.truth.concept_axis.ids is None:
            raise InputError(
                f"{side.name!r} has no ids of concepts, so nobody can say which of them another "
                "collection shares; name them with concepts="
            )
    return Overlap(*map(Description, sides))


@dataclass(frozen=True)
class Overlap:
    """Two collections side by side."""

    one: Description
    other: Description

    @property
    def names(self) -> tuple[str, str]:
        """What to call the two, also where they are called the same."""
        one, other = self.one.name, self.other.name
        return (one, other) if one != other else (f"{one} (1)", f"{other} (2)")

    # ── concepts ──────────────────────────────────────────────────────────────────────────────

    @cached_property
    def partners(self) -> tuple[Partners, ...]:
        """The concepts they share, in the order of the first collection."""
        return partners(self.one.collection, self.other.collection)

    @property
    def exact(self) -> int:
        """How many concepts have equal ids."""
        return sum(pair.match == "exact" for pair in self.partners)

    @property
    def near(self) -> int:
        """How many others nearly match."""
        return len(self.partners) - self.exact

    @property
    def coverage(self) -> tuple[float | None, float | None]:
        """Shared concepts, nearly matching ones included, by the concepts of each collection."""
        return self._coverage(len(self.partners))

    @property
    def exact_coverage(self) -> tuple[float | None, float | None]:
        """The same without near matches."""
        return self._coverage(self.exact)

    def _coverage(self, shared: int) -> tuple[float | None, float | None]:
        return share(shared, self.one.concepts), share(shared, self.other.concepts)

    # ── items and their labels ────────────────────────────────────────────────────────────────

    @cached_property
    def items(self) -> tuple[str, ...] | None:
        """The items they share, in the order of the first; None if one of them has no ids."""
        one, other = (side.collection.truth.item_axis for side in (self.one, self.other))
        if one.ids is None or other.ids is None:
            return None
        return tuple(item for item in one.ids if item in other.positions)

    @cached_property
    def compared(self) -> Ints:
        """For each of the shared concepts, the shared items that both collections judged."""
        return self._true_in_both("judged", "judged")

    @cached_property
    def equal(self) -> Ints:
        """For each of the shared concepts, the compared cells with equal labels."""
        # A positive cell was judged, so it is compared if the other collection judged it.
        mine = self._true_in_both("matrix", "judged")
        theirs = self._true_in_both("judged", "matrix")
        return self.compared - (mine + theirs - 2 * self._true_in_both("matrix", "matrix"))

    @property
    def agreement(self) -> float | None:
        """The share of equal labels among compared cells; None if there are none."""
        return share(int(self.equal.sum()), int(self.compared.sum()))

    def _true_in_both(self, one: _Mask, other: _Mask) -> Ints:
        """Shared cells that are true in a matrix of each, by shared concept."""
        mine = self._part(self.one, one, [pair.one for pair in self.partners])
        return mine.true_with(self._part(self.other, other, [pair.other for pair in self.partners]))

    def _part(self, side: Description, mask: _Mask, concepts: list[str]) -> Part:
        truth = side.collection.truth
        return Part(
            truth.matrix if mask == "matrix" else truth.judged,
            _places(truth.item_axis, self.items or ()),
            _places(truth.concept_axis, concepts),
            truth.shape[1],
        )

    # ── forms ─────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def frame(self) -> polars.DataFrame:
        """Polars: the concepts of the one, each with its partner, then those of the other alone.

        concept, other, match, frequency, other_frequency, compared, agreement; null = not there.
        """
        import polars

        pairs = polars.DataFrame(
            {
                "concept": [pair.one for pair in self.partners],
                "other": [pair.other for pair in self.partners],
                "match": [pair.match for pair in self.partners],
                "compared": self.compared,
                "agreement": polars.Series(shares(self.equal, self.compared)).fill_nan(None),
            },
            schema_overrides=dict.fromkeys(("concept", "other", "match"), polars.String),
        )
        mine = self.one.frame.select("concept", "frequency")
        theirs = self.other.frame.select(other="concept", other_frequency="frequency")
        joined = mine.join(pairs, on="concept", how="left", maintain_order="left").join(
            theirs, on="other", how="left", maintain_order="left"
        )
        alone = theirs.join(pairs, on="other", how="anti", maintain_order="left")
        return polars.concat([joined, alone], how="diagonal").select(
            "concept", "other", "match", "frequency", "other_frequency", "compared", "agreement"
        )

    def to_dict(self) -> dict[str, Any]:
        """What is shared, as plain values."""
        return {
            "collections": list(self.names),
            "shared_concepts": len(self.partners),
            "exact": self.exact,
            "near": self.near,
            "coverage": list(self.coverage),
            "exact_coverage": list(self.exact_coverage),
            "shared_items": None if self.items is None else len(self.items),
            "compared_cells": int(self.compared.sum()),
            "agreement": self.agreement,
            "by_concept": self.frame.to_dicts(),
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """`to_dict` as JSON."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    def __repr__(self) -> str:
        one, other = self.names
        return f"Overlap({one!r}, {other!r}, {len(self.partners)} shared concepts)"


_Mask = Literal["matrix", "judged"]


def _places(axis: Axis, names: list[str] | tuple[str, ...]) -> Ints:
    return np.array([axis.positions[name] for name in names], dtype=np.int64)
