"""Overlap: two collections side by side, as Nowak 2011 compares vocabularies in Table 5.2.

Which concepts they share, nearly matching ones counted as that table counts them; which items; and
whether the labels of shared items agree where both collections judged them. Items are the same if
their ids are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, overload

import numpy as np

from cranfield.caching import cached_property
from cranfield.collections.collection import as_collection
from cranfield.collections.description import presentation
from cranfield.collections.description.facts import PAIRS, Description
from cranfield.collections.description.sharing import Part, Partners, partners
from cranfield.core.axes import Axis
from cranfield.core.chart import Chart
from cranfield.core.matrices import Ints, share, shares
from cranfield.core.options import Option
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.core.terms import Terms
from cranfield.errors import InputError, several

if TYPE_CHECKING:
    import polars


@overload
def describe(collection: Any, other: None = None, *, pairs: int = PAIRS) -> Description: ...


@overload
def describe(collection: Any, other: Any, *, pairs: int = PAIRS) -> Overlap: ...


def describe(
    collection: Any,
    other: Any = None,
    *,
    pairs: Annotated[int, Option(name="top", metavar="N", minimum=0)] = PAIRS,
) -> Description | Overlap:
    """Describe a collection: sizes, frequencies, imbalance, what comes together, what is odd.

    With a second collection: which concepts and items they share, and whether labels agree.

    collection  a Collection, a Truth or a matrix of labels
    other       another one
    pairs       How many pairs of concepts to list.
    """
    if other is None:
        return Description(as_collection(collection), pairs)
    return overlap(collection, other, pairs=pairs)


def overlap(one: Any, other: Any, *, pairs: int = PAIRS) -> Overlap:
    """What two collections share: concepts, items, and the labels of shared cells.

    Each is a Collection, a Truth or a frame of labels, whose columns name its concepts.
    """
    sides = as_collection(one), as_collection(other)
    for side in sides:
        if side.truth.concept_axis.ids is None:
            raise InputError(
                f"{side.name!r} has no ids of concepts, so nobody can say which of them another "
                "collection shares",
                mend="name them with {concepts}",
            )
    return Overlap(*(Description(side, pairs) for side in sides))


@dataclass(frozen=True, repr=False)
class Overlap(Analysis):
    """Two collections side by side."""

    title = "Two collections side by side"

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

    def _facts(self) -> dict[str, Any]:
        """Both collections, and what they share."""
        shared = {
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
        sides = [dict(side.result.facts) for side in (self.one, self.other)]
        return {"collections": sides, "overlap": shared}

    def _tables(self) -> list[Table]:
        sides = dict(zip(self.names, (self.one, self.other), strict=True))
        return [
            Table("concepts", self.frame.to_dicts(), audience="programs"),
            presentation.fact_table(sides, " and ".join(sides)),
            self._shared_table(),
            self._partner_table(),
            *(
                table
                for name, side in sides.items()
                for table in presentation.oddity_tables(side, f"Worth a second look in {name}")
            ),
        ]

    @property
    def terms(self) -> Terms:
        return self.one.terms

    def _shared_table(self) -> Table:
        near = f"{self.near} of them nearly" if self.near else ""
        rows = [{"what": self.terms.concepts, "value": str(len(self.partners)), "meaning": near}]
        for name, covered in zip(self.names, self.coverage, strict=True):
            meaning = f"of the {self.terms.concepts} of {name}"
            rows.append({"what": "coverage", "value": _percent(covered), "meaning": meaning})
        if self.items is None:
            meaning = f"unknown, since one of the collections has no {self.terms.item} ids"
            rows.append({"what": self.terms.items, "value": "–", "meaning": meaning})
        else:
            rows.append({"what": self.terms.items, "value": f"{len(self.items):,}", "meaning": ""})
        if self.items is not None and self.agreement is not None:
            cells = several(int(self.compared.sum()), "cell")
            meaning = f"of {cells} that both judged have equal labels"
            rows.append(
                {"what": "agreement", "value": _percent(self.agreement), "meaning": meaning}
            )
        columns = (Column("what"), Column("value", align="right"), Column("meaning"))
        return Table("shared", rows, columns, title="What they share", audience="people")

    def _partner_table(self) -> Table:
        names = ("frequency", "other_frequency")
        rows = []
        for row in self.frame.rows(named=True):
            cells = {
                "concept": self._partner(row),
                "agreement": row["agreement"] if row["match"] else "",
            }
            for concept, field in zip((row["concept"], row["other"]), names, strict=True):
                cells[field] = "" if concept is None else row[field]
            rows.append(cells)
        columns = [Column("concept", key=True)]
        for name, field in zip(self.names, names, strict=True):
            bars = presentation.share_bar(_BAR)
            columns.append(
                Column(field, name, kind="percent", digits=1, align="right", graphic=bars)
            )
        if self.agreement is not None:
            columns.append(Column("agreement", kind="percent", digits=1, align="right"))
        remarks = [
            *presentation.left_out(len(rows), self.terms),
            *presentation.frequency_remarks([self.one, self.other]),
        ]
        if self.near:
            remarks.append("in brackets: the name in the other collection, where it nearly matches")
        return Table(
            "partners",
            presentation.shortened(rows),
            columns,
            title=f"Frequency of {self.terms.concepts}",
            remarks=remarks,
            audience="people",
        )

    def _partner(self, row: dict[str, Any]) -> str:
        if row["concept"] is None:
            return presentation.named(self.other, row["other"])
        name = presentation.named(self.one, row["concept"])
        return f"{name} ({row['other']})" if row["match"] == "near" else name

    def _charts(self) -> list[Chart]:
        names = self.other.names | self.one.names
        frame = self.frame
        labels = [names[mine or theirs] for mine, theirs in frame.select("concept", "other").rows()]
        columns = (frame[column].to_numpy() for column in ("frequency", "other_frequency"))
        series = dict(zip(self.names, columns, strict=True))
        order = presentation.neighbours(self.one.cooccurrence)
        # The second map keeps the order of the first where it can, so that they can be compared.
        mine = {pair.one: pair.other for pair in self.partners}
        first = [mine[concept] for concept in order if concept in mine]
        rest = [
            concept
            for concept in presentation.neighbours(self.other.cooccurrence)
            if concept not in first
        ]
        sides = zip(self.names, (self.one, self.other), strict=True)
        summaries = [presentation.summary(name, side) for name, side in sides]
        return [
            presentation.frequency_chart(labels, series, summaries, self.terms),
            *presentation.heat_maps(self.one, order),
            *presentation.heat_maps(self.other, [*first, *rest]),
        ]


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


_BAR = 10
_Mask = Literal["matrix", "judged"]


def _places(axis: Axis, names: list[str] | tuple[str, ...]) -> Ints:
    return np.array([axis.positions[name] for name in names], dtype=np.int64)
