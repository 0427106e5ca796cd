"""Label sets are told apart exactly, whatever their keys."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from cranfield.collections.description import label_sets as room
from cranfield.collections.description.label_sets import label_sets
from cranfield.core.matrices import as_labels
from problems import sparse


def cells(labels: np.ndarray, stored: np.ndarray | None = None) -> Any:
    return as_labels("labels", sparse(labels, stored), lambda row, column: f"{row}, {column}")


def found(labels: np.ndarray, form: Any) -> Counter[frozenset[int]]:
    sets = label_sets(form(labels))
    return Counter(
        {
            frozenset(sets.concepts(place).tolist()): int(sets.items[place])
            for place in range(len(sets))
        }
    )


FORMS = pytest.mark.parametrize("form", [np.array, cells], ids=["dense", "sparse"])


@FORMS
@pytest.mark.parametrize("concepts", [1, 7, 8, 9, 64, 100])
def test_sets_and_their_items_are_those_of_python(form: Any, concepts: int) -> None:
    labels = np.random.default_rng(concepts).random((500, concepts)) < 1.5 / concepts
    expected = Counter(frozenset(np.flatnonzero(row).tolist()) for row in labels)
    assert found(labels, form) == expected


@FORMS
def test_sets_that_share_a_key_are_still_told_apart(
    form: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels = np.random.default_rng(0).random((50, 5)) < 0.4
    expected = found(labels, form)
    honest, calls = room._row_keys, []

    def careless(matrix: Any, keys: Any) -> Any:
        calls.append(keys)
        return honest(matrix, keys) >> (62 if len(calls) < 3 else 0)

    monkeypatch.setattr(room, "_row_keys", careless)
    assert found(labels, form) == expected
    assert len(calls) == 3


def test_stored_zeros_are_no_labels() -> None:
    labels = np.array([[1, 0], [1, 0], [0, 0]])
    sets = label_sets(cells(labels, stored=np.ones_like(labels)))
    assert sorted(sets.items.tolist()) == [1, 2]


def test_blocks_of_rows_join_without_a_seam() -> None:
    labels = np.random.default_rng(1).random((50_000, 90)) < 0.02
    assert len(label_sets(labels)) == len(np.unique(labels, axis=0))


def test_among_equal_sets_names_decide_not_places() -> None:
    labels = np.eye(4, dtype=bool)
    for names in (("a", "b", "c", "d"), ("d", "c", "b", "a")):
        assert label_sets(labels).most_frequent(2, names) == [(["a"], 1), (["b"], 1)]
