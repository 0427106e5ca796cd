"""One cell of a truth is corrected: it holds what it was told, and nothing else has changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_matrix

import cranfield as cf
from cranfield.errors import InputError

LABELS = np.array([[1, 0, 1], [0, 0, 1]])
TRUTHS: dict[str, dict[str, Any]] = {
    "dense": {"labels": LABELS},
    "sparse": {"labels": csr_matrix(LABELS)},
    "unjudged": {"labels": LABELS, "judged": np.array([[1, 1, 1], [0, 1, 1]])},
    "graded": {"grades": LABELS * 2, "level": 2},
    "open": {"labels": csr_matrix(([1, 0, 1], ([0, 0, 1], [0, 1, 2])), shape=(2, 3)), "open": True},
    "clusters": {"labels": LABELS, "clusters": ["x", "y"]},
}


def _truth(kind: str) -> cf.Truth:
    return cf.Truth(items=["a", "b"], concepts=["Sky", "Sea", "Sun"], **TRUTHS[kind])


@pytest.mark.parametrize("kind", TRUTHS)
@pytest.mark.parametrize("item", ["a", "b"])
@pytest.mark.parametrize("concept", ["Sky", "Sea", "Sun"])
@pytest.mark.parametrize("value", [0, 1, None])
def test_a_corrected_cell_holds_what_it_was_told_and_no_other_changes(
    kind: str, item: str, concept: str, value: int | None
) -> None:
    before = _truth(kind)
    after = before.corrected(item, concept, value)
    for i in before.items:
        for c in before.concepts:
            expected = value if (i, c) == (item, concept) else before.value(i, c)
            assert after.value(i, c) == expected, (i, c)
    assert (after.digest == before.digest) == (before.value(item, concept) == value)
    assert after.clusters == before.clusters
    assert after.open == before.open
    back = after.corrected(item, concept, before.value(item, concept))
    assert [back.value(i, c) for i in back.items for c in back.concepts] == [
        before.value(i, c) for i in before.items for c in before.concepts
    ]


def test_a_target_is_a_number() -> None:
    truth = cf.Truth(targets=[[1.5, 2.0]], items=["a"], concepts=["x", "y"])
    assert truth.corrected("a", "y", 2.5).value("a", "y") == 2.5
    with pytest.raises(InputError, match="finite"):
        truth.corrected("a", "y", float("nan"))


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        (("z", "Sky", 1), "there is no item 'z'"),
        (("a", "Moon", 1), "there is no concept 'Moon'"),
        (("a", "Sky", 2), "no label"),
    ],
)
def test_what_is_no_cell_and_no_label_is_refused(cell: tuple[Any, Any, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        _truth("dense").corrected(*cell)
