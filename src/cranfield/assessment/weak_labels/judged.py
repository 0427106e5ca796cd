"""How well tags were filtered, where the truth is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.assessment.weak_labels.filtering import FilteredTags
from cranfield.core.matrices import Bools, Floats, dense
from cranfield.core.truth import Truth
from cranfield.engine import score
from cranfield.errors import InputError
from cranfield.measures.declare import mean_of_known, ratio

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, eq=False)
class JudgedFilter:
    """By tag; NaN where there is nothing to judge by."""

    tags: tuple[str, ...]
    before: Floats
    """The share of tagged items that the tag describes."""
    after: Floats
    """The same among those that keep it."""
    targets_kept: Floats
    """Of the items that a tag describes, the share that keeps it."""
    outliers_removed: Floats
    """Of the others, the share that loses it."""
    auc: Floats
    """How probably an item that the tag describes scores higher than one that it does not."""

    @property
    def frame(self) -> polars.DataFrame:
        import polars

        columns = ("before", "after", "targets_kept", "outliers_removed", "auc")
        return polars.DataFrame(
            {"tag": list(self.tags), **{name: getattr(self, name) for name in columns}}
        ).fill_nan(None)

    def mean(self, column: str) -> float:
        """Over the tags where it is defined."""
        return float(mean_of_known(getattr(self, column)))


def judge(filtered: FilteredTags, gold: Truth) -> JudgedFilter:
    """Hold filtered tags against a truth of the same items and tags, or more of them."""
    right = _gold_cells(filtered, gold)
    learned = ~np.isnan(filtered.score)
    kept = learned & ~filtered.removed
    target, outlier = learned & right, learned & ~right
    auc = np.full(len(filtered.tags.concepts), np.nan)
    for column in range(len(auc)):
        rows = learned[:, column]
        if target[:, column].any() and outlier[:, column].any():
            fits = filtered.score[rows, column]
            auc[column] = score(right[rows, column][:, None], fits[:, None], "concept.AUC")
    return JudgedFilter(
        filtered.tags.concepts,
        ratio(target.sum(axis=0), learned.sum(axis=0)),
        ratio((kept & right).sum(axis=0), kept.sum(axis=0)),
        ratio((kept & right).sum(axis=0), target.sum(axis=0)),
        ratio((outlier & ~kept).sum(axis=0), outlier.sum(axis=0)),
        auc,
    )


def _gold_cells(filtered: FilteredTags, gold: Truth) -> Bools:
    """(items, tags): what the truth says, in the order of the tags."""
    places = []
    for mine, theirs in (
        (filtered.tags.item_axis, gold.item_axis),
        (filtered.tags.concept_axis, gold.concept_axis),
    ):
        lacking = theirs.strangers(mine)
        if lacking:
            raise InputError(f"the truth lacks {mine.kind} {lacking[0]!r} of the tags; add it")
        found = [theirs.positions[name] for name in mine.names]
        places.append(np.array(found, dtype=np.int64))
    return np.asarray(dense(gold.labels)[np.ix_(*places)])
