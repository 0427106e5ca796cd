"""How well the parts of a split resemble the whole.

Conventions. The frequency of a concept is the share of items that carry it. Labels distribution
(LD), examples distribution (ED), FZ and FLZ are those of Sechidis et al. 2011, label pair
distribution (LPD) that of Szymański & Kajdanowicz 2017, whose pairs include every concept with
itself; lower is better for all of them. LD and LPD compare odds (carriers by other items): a
concept or pair that every item of some part carries has none, is left out, and a note says so. FZ
and FLZ look at concepts that have a positive in the whole. What is undefined is NaN in arrays, None
elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.caching import cached_property
from cranfield.collections.description.cooccurrence import Cooccurrence, cooccurrence
from cranfield.core.matrices import Bools, Cells, Floats, Ints, rows_of, total
from cranfield.core.matrices import shares as ratios
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.core.terms import Terms
from cranfield.core.truth import Truth
from cranfield.errors import first_ten

if TYPE_CHECKING:
    import polars


_CONCEPTS = 5
"""Concepts to show: those that differ most."""
_MOST_PARTS = 10
"""Parts that stand side by side in a table of concepts."""


@dataclass(frozen=True, eq=False, repr=False)
class SplitReport(Analysis):
    """What each part got. Arrays by part follow `names`, arrays by concept `truth.concepts`."""

    title = "How well parts resemble the whole"

    truth: Truth
    shares: dict[str, float]
    assignment: Ints
    remarks: tuple[str, ...] = ()
    """Of the split itself."""

    @property
    def terms(self) -> Terms:
        return self.truth.terms

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.shares)

    @property
    def requested(self) -> Floats:
        """How many items each part should have, as a fraction."""
        return np.array(list(self.shares.values())) * len(self.assignment)

    @cached_property
    def items(self) -> Ints:
        """How many items each part has."""
        return np.bincount(self.assignment, minlength=len(self.shares))

    @cached_property
    def positives(self) -> Ints:
        """(parts, concepts): items that carry a concept."""
        return np.array([total(self._rows_of(part), 0) for part in range(len(self.shares))])

    @property
    def frequencies(self) -> Floats:
        """(parts, concepts): the share of a part's items that carry a concept."""
        return ratios(self.positives, self.items[:, None])

    @property
    def whole(self) -> Floats:
        """The share of all items that carry a concept."""
        return np.asarray(self.positives.sum(axis=0) / len(self.assignment))

    @property
    def differences(self) -> Floats:
        """(parts, concepts): by how much frequencies differ from those of the whole."""
        return np.abs(self.frequencies - self.whole)

    @property
    def lacking(self) -> Bools:
        """(parts, concepts): whether a part has no positive of a concept that has some."""
        return np.asarray((self.positives == 0) & (self.positives.sum(axis=0) > 0))

    # ── measures of the whole split ───────────────────────────────────────────────────────────

    @cached_property
    def labels_distribution(self) -> float | None:
        """LD: mean difference of odds between parts and whole, over concepts."""
        return _mean(self._odds_differences)

    @property
    def examples_distribution(self) -> float:
        """ED: mean difference between the items requested and got."""
        return float(np.abs(self.items - self.requested).mean())

    @cached_property
    def label_pairs_distribution(self) -> float | None:
        """LPD: as LD, over pairs of concepts that come together, and over concepts that occur."""
        return _mean(self._pair_odds_differences[0])

    @property
    def parts_without(self) -> int:
        """FZ: parts that lack some concept."""
        return int(self.lacking.any(axis=1).sum())

    @property
    def concepts_without(self) -> int:
        """FLZ: pairs of a part and a concept that it lacks."""
        return int(self.lacking.sum())

    @property
    def lack(self) -> str | None:
        """Which parts got no item, and what to do about it; None if all got some."""
        empty = [name for name, items in zip(self.shares, self.items, strict=True) if not items]
        if not empty:
            return None
        have = "has" if len(empty) == 1 else "have"
        return (
            f"{first_ten(empty)} {have} no {self.terms.items}: "
            f"{self.terms.several(len(self.assignment), 'item')} cannot be dealt out so; enlarge "
            f"small shares, make groups smaller, or split more {self.terms.items}"
        )

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What must be said beside the numbers."""
        notes = [*self.remarks, *([self.lack] if self.lack else [])]
        pairs, left_out = self._pair_odds_differences
        if left_out:
            rarer = self.terms.word("concept" if left_out == 1 else "concepts")
            notes.append(f"LPD leaves out {left_out} rarer {rarer}")
        for measure, noun, differences in (
            ("LD", "concept", self._odds_differences),
            ("LPD", "pair", pairs),
        ):
            without = int(np.isnan(differences).sum())
            if without and not self.lack:
                some = self.terms.several(without, noun)
                carried = f"that every {self.terms.item} of a part carries"
                notes.append(f"{measure} leaves out {some} {carried}")
        return tuple(notes)

    @cached_property
    def _odds_differences(self) -> Floats:
        return _odds_differences(self.positives, self.items, self.positives.sum(axis=0))

    @cached_property
    def _pair_odds_differences(self) -> tuple[Floats, int]:
        """By pairs that come together, and how many concepts were too many to be paired."""

        def together(matrix: Bools | Cells) -> Cooccurrence:
            return cooccurrence(matrix, self.positives.sum(axis=0), self.truth.concepts)

        whole = together(self.truth.matrix)
        pairs = np.nonzero(np.triu(whole.counts))
        parts = (together(self._rows_of(part)).counts[pairs] for part in range(len(self.shares)))
        return _odds_differences(parts, self.items, whole.counts[pairs]), whole.left_out

    def _rows_of(self, part: int) -> Any:
        return rows_of(self.truth.matrix, np.flatnonzero(self.assignment == part))

    # ── frames and JSON ───────────────────────────────────────────────────────────────────────

    def _parts(self) -> list[dict[str, Any]]:
        """A row for each part."""
        cardinality = ratios(self.positives.sum(axis=1), self.items)
        columns = {
            "wanted": self.requested,
            "items": self.items,
            "cardinality": cardinality,
            "density": cardinality / self.truth.shape[1],
            "mean_difference": self.differences.mean(axis=1),
            "largest_difference": self.differences.max(axis=1),
            "without_positive": self.lacking.sum(axis=1),
        }
        return [
            {"split": name} | {column: _plain(values[part]) for column, values in columns.items()}
            for part, name in enumerate(self.names)
        ]

    def overall(self) -> dict[str, float | int | None]:
        """The measures of the whole split."""
        return {
            "LD": self.labels_distribution,
            "LPD": self.label_pairs_distribution,
            "ED": self.examples_distribution,
            "FZ": self.parts_without,
            "FLZ": self.concepts_without,
        }

    @cached_property
    def splits(self) -> polars.DataFrame:
        """Polars: a row for each part."""
        import polars

        return polars.DataFrame(self._parts())

    @cached_property
    def concepts(self) -> polars.DataFrame:
        """Polars: a row for each concept, with its frequency in the whole and in each part."""
        import polars

        return polars.DataFrame(
            {"concept": self.truth.concepts, "whole": self.whole}
            | {
                # Parts may be called "concept" or "whole" as well.
                name if name not in ("concept", "whole") else f"{name} (part)": frequencies
                for name, frequencies in zip(self.names, self.frequencies, strict=True)
            }
        )

    def _facts(self) -> dict[str, Any]:
        """Everything, by name."""
        return {
            "splits": self._parts(),
            "overall": self.overall(),
            "concepts": {
                concept: {"whole": _plain(whole)}
                | {"splits": dict(zip(self.names, map(_plain, parts), strict=True))}
                for concept, whole, parts in zip(
                    self.truth.concepts, self.whole, self.frequencies.T, strict=True
                )
            },
            "notes": list(self.notes),
        }

    def _tables(self) -> list[Table]:
        parts = self._parts()
        whole = all(float(part["wanted"]).is_integer() for part in parts)
        columns = (
            Column("split", key=True),
            Column("wanted", "requested", digits=0 if whole else 1, group="items"),
            Column("items", "got", group="items"),
            Column("cardinality", f"per {self.terms.item}", digits=4, group="labels"),
            Column("density", digits=4),
            Column("mean_difference", "mean", digits=4, group="Δ frequency"),
            Column("largest_difference", "largest", digits=4, group="Δ frequency"),
            Column("without_positive", "lacking", group="concepts"),
        )
        tables = [Table("splits", parts, columns)]
        if len(self.names) <= _MOST_PARTS:
            tables.append(self._concept_table())
        return tables

    def _concept_table(self) -> Table:
        """The concepts whose frequency differs most."""
        fields = ["whole", *(f"part {number}" for number, _ in enumerate(self.names, 1))]
        largest = np.nan_to_num(self.differences).max(axis=0)
        rows = []
        for concept in np.argsort(-largest, kind="stable")[:_CONCEPTS].tolist():
            values = (self.whole[concept], *self.frequencies[:, concept])
            cells = dict(zip(fields, map(float, values), strict=True))
            rows.append({"concept": self.truth.concepts[concept], **cells})
        titles = zip(fields, ("whole", *self.names), strict=True)
        columns = [
            Column("concept", key=True),
            *(Column(field, title, digits=4) for field, title in titles),
        ]
        return Table(
            "differences", rows, columns, title="Frequencies that differ most", audience="people"
        )

    @property
    def measured(self) -> list[str]:
        """The measures of the whole split, in words."""
        terms = self.terms
        ld, lpd = (
            "–" if value is None else f"{value:.4f}"
            for value in (self.labels_distribution, self.label_pairs_distribution)
        )
        return [
            f"mean difference of odds from the whole: LD {ld} over {terms.concepts}, "
            f"LPD {lpd} over pairs",
            f"mean difference of sizes: ED {self.examples_distribution:.2g}; parts that lack some "
            f"{terms.concept}: FZ {self.parts_without}; lacking {terms.concepts}, summed over "
            f"parts: FLZ {self.concepts_without}",
        ]

    def _remarks(self) -> list[str]:
        return [*self.measured, *self.notes]


def _odds_differences(parts: Iterable[Ints], items: Ints, whole: Ints) -> Floats:
    """Mean over parts of the differences of odds, by concept or pair; NaN where one has none.

    parts  how many items of each part carry a concept or pair
    whole  how many of all items do
    """
    odds = ratios(whole, items.sum() - whole)
    differences = np.zeros(len(whole))
    for carriers, size in zip(parts, items, strict=True):
        differences += np.abs(ratios(carriers, size - carriers) - odds)
    return differences / len(items)


def _mean(values: Floats) -> float | None:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else None


def _plain(value: Any) -> Any:
    """A number of Python; None where it is undefined."""
    return None if math.isnan(value) else value.item()
