"""Oddities: what may be meant so, but looks like a mistake.

Concepts that tell no items apart, concepts that always come and go together, ids that only a
careful eye can tell apart, items that are the same thing twice.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.core.axes import Axis
from cranfield.core.matrices import Bools, Cells, Ints

if TYPE_CHECKING:
    import polars

Groups = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Oddities:
    """What to look at before a collection is used."""

    never_positive: tuple[str, ...]
    """Concepts without a positive."""
    never_negative: tuple[str, ...]
    """Concepts that are positive wherever they were judged."""
    equal_concepts: Groups
    """Concepts with the same positives, where they have any."""
    similar_concepts: Groups
    """Concepts whose ids differ only in case, surrounding white space or Unicode form."""
    similar_items: Groups
    """Items whose ids differ only in case, surrounding white space or Unicode form."""
    equal_items: Groups
    """Items with the same features."""

    def __bool__(self) -> bool:
        return any(self.to_dict().values())

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def find_oddities(collection: Collection, positives: Ints, judged: Ints) -> Oddities:
    """positives and judged are cells by concept."""
    truth = collection.truth
    names = truth.concepts
    return Oddities(
        never_positive=_chosen(names, positives == 0),
        never_negative=_chosen(names, (positives == judged) & (judged > 0)),
        equal_concepts=_named(truth.concept_axis, _equal_columns(truth.matrix, positives)),
        similar_concepts=_similar(truth.concept_axis),
        similar_items=_similar(truth.item_axis),
        equal_items=_named(truth.item_axis, _equal_features(collection.features)),
    )


def folded(name: str) -> str:
    """A name without what is easily overlooked."""
    return unicodedata.normalize("NFC", name.strip().casefold())


def grouped(names: Iterable[str], key: Callable[[str], str]) -> dict[str, list[str]]:
    """Names by what `key` makes of them."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(key(name), []).append(name)
    return groups


def _chosen(names: tuple[str, ...], which: Bools) -> tuple[str, ...]:
    return tuple(names[index] for index in np.flatnonzero(which))


def _similar(axis: Axis) -> Groups:
    if axis.ids is None:
        return ()
    # By hash first: a table of all folded ids would need more memory than their labels.
    hashes = np.fromiter((hash(folded(name)) for name in axis.ids), np.int64, axis.size)
    _, group, times = np.unique(hashes, return_inverse=True, return_counts=True)
    suspects = _chosen(axis.ids, times[group] > 1)
    return tuple(tuple(alike) for alike in grouped(suspects, folded).values() if len(alike) > 1)


def _named(axis: Axis, groups: Iterable[list[int]]) -> Groups:
    return tuple(tuple(axis.names[index] for index in group) for group in groups if len(group) > 1)


def _equal_columns(matrix: Bools | Cells, positives: Ints) -> list[list[int]]:
    """Columns by their content; only those that share their number of positives are looked at."""
    times = np.bincount(positives)
    candidates = np.flatnonzero((positives > 0) & (times[positives] > 1))
    groups: dict[bytes, list[int]] = {}
    if isinstance(matrix, Cells):
        true = matrix.values
        rows = matrix.rows[true][np.argsort(matrix.columns[true], kind="stable")]
        ends = np.cumsum(positives)
        contents = (rows[ends[c] - positives[c] : ends[c]].tobytes() for c in candidates)
    else:
        contents = (np.packbits(matrix[:, c]).tobytes() for c in candidates)
    for column, content in zip(candidates, contents, strict=True):
        groups.setdefault(content, []).append(int(column))
    return list(groups.values())


def _equal_features(features: polars.DataFrame | None) -> list[list[int]]:
    if features is None or not features.width:
        return []
    import polars

    index = max(features.columns, key=len) + "'"  # longer than any, so none of them
    groups = (
        features.with_row_index(index)
        .group_by(features.columns, maintain_order=True)
        .agg(polars.col(index))
        .filter(polars.col(index).list.len() > 1)
    )
    members: list[list[int]] = groups[index].to_list()
    return members
