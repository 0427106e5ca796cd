"""Facts of one collection: sizes, cardinality, density, frequencies, imbalance, judgements.

Conventions. A label is a positive cell; cells that nobody judged or that are outside the pool
carry none, so frequencies are shares of all items, and the judged cells stand beside them. What is
undefined, such as the imbalance of a concept without positives, is None (NaN in arrays) and left
out of means. Nothing costly is computed before it is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield.caching import cached_property
from cranfield.collections.collection import Collection
from cranfield.collections.description import presentation
from cranfield.collections.description.cooccurrence import Cooccurrence, cooccurrence
from cranfield.collections.description.label_sets import LabelSets, label_sets
from cranfield.collections.description.oddities import Oddities, find_oddities
from cranfield.core.chart import Chart
from cranfield.core.matrices import Bools, Cells, Floats, Ints, row_blocks, share, shares, total
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.core.terms import Terms
from cranfield.core.truth import Truth

if TYPE_CHECKING:
    import polars

PAIRS = 10
"""Pairs of concepts that tables and JSON hold, the strongest."""
SETS = 10
"""Label sets that JSON holds."""


_COLUMNS = tuple(
    Column(name)
    for name in (
        *("concept", "name", "positives", "frequency", "imbalance"),
        *("judged", "unjudged", "outside"),
    )
)


class LabelSet(NamedTuple):
    """Labels that come together as a whole, and how many items carry just these."""

    concepts: tuple[str, ...]
    items: int


@dataclass(frozen=True, repr=False)
class Description(Analysis):
    """What is in a collection; arrays by concept follow `collection.concepts`."""

    title = "What is in a collection"

    collection: Collection
    pairs: int = PAIRS
    """Pairs of concepts to list."""

    @property
    def name(self) -> str:
        return self.collection.name

    @cached_property
    def names(self) -> dict[str, str]:
        """What people call each concept: its readable name, or its id where there is none."""
        called = self.collection.descriptions
        return {concept: called.get(concept, concept) for concept in self._truth.concepts}

    # ── sizes ─────────────────────────────────────────────────────────────────────────────────

    @property
    def items(self) -> int:
        return self._truth.shape[0]

    @property
    def concepts(self) -> int:
        return self._truth.shape[1]

    @cached_property
    def labels(self) -> int:
        """Positive cells."""
        return int(self.positives.sum())

    @property
    def cardinality(self) -> float | None:
        """Labels an item carries on average (Nowak 2011 eq 3.2)."""
        return share(self.labels, self.items)

    @property
    def density(self) -> float | None:
        """The share of cells that are positive (Nowak 2011 eq 3.3)."""
        return share(self.labels, self.items * self.concepts)

    # ── label sets ────────────────────────────────────────────────────────────────────────────

    @cached_property
    def label_sets(self) -> LabelSets:
        return label_sets(self._truth.matrix)

    @property
    def distinct(self) -> int:
        """Distinct label sets; the empty one counts like any other."""
        return len(self.label_sets)

    @property
    def distinct_share(self) -> float | None:
        """Distinct label sets by items: 1 if no two items carry the same labels."""
        return share(self.distinct, self.items)

    def most_frequent_sets(self, count: int = SETS) -> tuple[LabelSet, ...]:
        """The label sets that most items carry."""
        frequent = self.label_sets.most_frequent(count, self._truth.concepts)
        return tuple(LabelSet(tuple(concepts), items) for concepts, items in frequent)

    @cached_property
    def set_sizes(self) -> dict[int, int]:
        """For each number of labels, how many items carry so many."""
        sizes, items = np.unique(self._sizes, return_counts=True)
        return dict(zip(sizes.tolist(), items.tolist(), strict=True))

    @property
    def unlabelled(self) -> tuple[str, ...]:
        """The items without labels."""
        return tuple(self._truth.items[row] for row in np.flatnonzero(self._sizes == 0))

    # ── concepts ──────────────────────────────────────────────────────────────────────────────

    @cached_property
    def positives(self) -> Ints:
        """Items that carry each concept."""
        return total(self._truth.matrix, axis=0)

    @property
    def frequency(self) -> Floats:
        """The share of items that carries each concept; NaN without items."""
        return shares(self.positives, np.array(self.items))

    @cached_property
    def imbalance(self) -> Floats:
        """Positives of the most frequent concept by those of each (Charte et al. 2013: IRLbl).

        1 for the most frequent concept; NaN for a concept without positives.
        """
        return shares(self.positives.max(initial=0), self.positives)

    @property
    def mean_imbalance(self) -> float | None:
        """Over concepts with positives (MeanIR)."""
        defined = self.imbalance[self.positives > 0]
        return float(defined.mean()) if len(defined) else None

    @property
    def imbalance_variation(self) -> float | None:
        """The standard deviation of the imbalance (n − 1) by its mean (CVIR)."""
        defined = self.imbalance[self.positives > 0]
        return float(defined.std(ddof=1) / defined.mean()) if len(defined) > 1 else None

    @cached_property
    def judged(self) -> Ints:
        """Judged cells by concept."""
        return self._true_cells(self._truth.judged)

    @cached_property
    def outside(self) -> Ints:
        """Cells outside the pool by concept."""
        return self.items - self._true_cells(self._truth.pool)

    @property
    def unjudged(self) -> Ints:
        """Cells of the pool that nobody judged, by concept."""
        return self.items - self.outside - self.judged

    @property
    def unjudged_share(self) -> float | None:
        """The share of all cells that is in the pool and that nobody judged."""
        return share(int(self.unjudged.sum()), self.items * self.concepts)

    @cached_property
    def grades(self) -> dict[int, int] | None:
        """For each grade how many judged cells have it; None if there are no grades."""
        if self._truth.grades is None:
            return None
        by_grade: dict[int, int] = {0: int(self.judged.sum()) - self.labels}
        for block in _blocks(self._truth.grades):
            grades, cells = np.unique(block[block > 0], return_counts=True)
            for grade, count in zip(grades.tolist(), cells.tolist(), strict=True):
                by_grade[grade] = by_grade.get(grade, 0) + count
        return dict(sorted(by_grade.items()))

    @cached_property
    def cooccurrence(self) -> Cooccurrence:
        """Which concepts come together."""
        return cooccurrence(self._truth.matrix, self.positives, self._truth.concepts)

    @cached_property
    def oddities(self) -> Oddities:
        """What looks like a mistake."""
        return find_oddities(self.collection, self.positives, self.judged)

    # ── forms ─────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def frame(self) -> polars.DataFrame:
        """Polars, a row for each concept: concept, name, positives, frequency, imbalance, judged,
        unjudged, outside; null = undefined, or a concept without a readable name."""
        import polars

        called = self.collection.descriptions
        concepts = self._truth.concepts
        return polars.DataFrame(
            {
                "concept": polars.Series(concepts, dtype=polars.String),
                "name": polars.Series([called.get(name) for name in concepts], dtype=polars.String),
                "positives": self.positives,
                "frequency": polars.Series(self.frequency).fill_nan(None),
                "imbalance": polars.Series(self.imbalance).fill_nan(None),
                "judged": self.judged,
                "unjudged": self.unjudged,
                "outside": self.outside,
            }
        )

    def _facts(self) -> dict[str, Any]:
        together = self.cooccurrence
        return {
            "collection": self.name,
            "items": self.items,
            "concepts": self.concepts,
            "labels": self.labels,
            "cardinality": self.cardinality,
            "density": self.density,
            "label_sets": {
                "distinct": self.distinct,
                "distinct_share": self.distinct_share,
                "without_labels": self.set_sizes.get(0, 0),
                "smallest": min(self.set_sizes, default=None),
                "largest": max(self.set_sizes, default=None),
                "items_by_size": {str(size): items for size, items in self.set_sizes.items()},
                "most_frequent": [entry._asdict() for entry in self.most_frequent_sets()],
            },
            "imbalance": {
                "mean": self.mean_imbalance,
                "variation": self.imbalance_variation,
                "undefined": int(np.count_nonzero(self.positives == 0)),
            },
            "cells": {
                "judged": int(self.judged.sum()),
                "unjudged": int(self.unjudged.sum()),
                "unjudged_share": self.unjudged_share,
                "outside_pool": int(self.outside.sum()),
            },
            "grades": self.grades and {str(grade): n for grade, n in self.grades.items()},
            "by_concept": self.frame.to_dicts(),
            "cooccurrence": {
                "concepts": len(together.concepts),
                "left_out": together.left_out,
                "pairs_together": together.pairs.height,
                "strongest": together.pairs.head(self.pairs).to_dicts(),
            },
            "oddities": self.oddities.to_dict(),
        }

    def _tables(self) -> list[Table]:
        return [
            Table("concepts", self.frame.to_dicts(), _COLUMNS, audience="programs"),
            presentation.fact_table({self.name: self}, self.name),
            presentation.concept_table(self),
            *presentation.pair_tables(self, self.pairs),
            *presentation.label_set_tables(self),
            *presentation.oddity_tables(self, "Worth a second look"),
            *presentation.topic_tables(self),
        ]

    def _charts(self) -> list[Chart]:
        frequencies = {self.name: self.frequency}
        return [
            presentation.frequency_chart(
                list(self.names.values()),
                frequencies,
                [presentation.summary(self.name, self)],
                self.terms,
            ),
            *presentation.heat_maps(self, presentation.neighbours(self.cooccurrence)),
        ]

    @property
    def terms(self) -> Terms:
        return self._truth.terms

    @property
    def _truth(self) -> Truth:
        return self.collection.truth

    @cached_property
    def _sizes(self) -> Ints:
        return total(self._truth.matrix, axis=1)

    def _true_cells(self, mask: Bools | Cells | None) -> Ints:
        """By concept; a mask that is not there leaves nothing out."""
        return np.full(self.concepts, self.items) if mask is None else total(mask, axis=0)


def _blocks(grades: Ints | Cells) -> list[Ints]:
    if isinstance(grades, Cells):
        return [grades.values]
    return [grades[rows] for rows in row_blocks(grades.shape)]
