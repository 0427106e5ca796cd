"""Truth: what it accepts, what it refuses, and the states of its cells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import coo_array

import cranfield as cf
from cranfield import State
from nouns.small import Y, changed, refused
from problems import scored, sparse

# ── bad truths ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "a truth needs labels=, grades= or targets="),
        ({"labels": [1, 0]}, "labels must have two dimensions, items by concepts; got shape (2,)"),
        ({"labels": [1, 0]}, "for a single concept pass an (N, 1) array"),
        ({"labels": np.zeros((2, 2, 2))}, "got shape (2, 2, 2)"),
        ({"labels": [[1, 0], [1]]}, "labels cannot be read as a matrix"),
        ({"labels": [["a", "b"]]}, "labels must hold numbers; got <U1"),
        ({"labels": [[1j]]}, "labels must hold numbers; got complex128"),
        (
            {"labels": changed(Y, 2)},
            "labels: item '1', concept '2' holds 2.0; only 0 and 1 are labels",
        ),
        ({"labels": changed(Y, -1)}, "item '1', concept '2' holds -1.0"),
        ({"labels": changed(Y, np.nan)}, "item '1', concept '2' holds nan"),
        ({"labels": sparse(changed(Y, 3))}, "item '1', concept '2' holds 3.0"),
        (
            {"labels": Y, "items": ["a"]},
            "1 item id for 2 items; give one id",
        ),
        ({"labels": Y, "concepts": "ab"}, "2 concept ids for 3 concepts"),
        ({"labels": Y, "items": ["a", "a"]}, "1 duplicate item id: 'a'; each item may stand once"),
        ({"labels": Y, "items": [1, "1"]}, "1 duplicate item id: '1'"),
        ({"labels": Y, "items": ["a", ""]}, "item number 2 has an empty id; name it"),
        ({"labels": Y, "unjudged": "maybe"}, "unjudged='maybe'; choose 'negative' or 'exclude'"),
        ({"labels": Y, "judged": Y[:, :2]}, "judged has shape (2, 2) and the labels (2, 3)"),
        ({"labels": Y, "pool": Y[:1]}, "pool has shape (1, 3) and the labels (2, 3)"),
        ({"labels": Y, "judged": 2 * Y}, "judged: item '0', concept '0' holds 2"),
        (
            {"grades": changed(Y, 0.5)},
            "grades: item '1', concept '2' holds 0.5; only whole numbers",
        ),
        (
            {"grades": changed(Y, -1)},
            "grades: item '1', concept '2' holds -1.0; only whole numbers",
        ),
        (
            {"grades": changed(Y, np.inf)},
            "grades: item '1', concept '2' holds inf; only whole numbers",
        ),
        (
            {"grades": changed(Y, np.nan)},
            "grades: item '1', concept '2' holds nan; only whole numbers",
        ),
        ({"labels": Y, "strata": changed(Y, np.inf)}, "strata: item '1', concept '2' holds inf"),
        ({"labels": Y, "strata": Y.T}, "strata has shape (3, 2) and the labels (2, 3)"),
        (
            {"labels": Y, "grades": 1 - Y},
            "3 cells contradict each other: item '0', concept '1' is graded but not positive",
        ),
        ({"labels": Y, "grades": 0 * Y}, "item '0', concept '0' is positive but graded 0"),
        ({"labels": Y, "judged": 1 - Y}, "item '0', concept '0' is positive but not judged"),
        ({"labels": sparse(Y), "judged": 1 - Y}, "concept '0' is positive but not judged"),
        ({"labels": Y, "pool": 1 - Y}, "item '0', concept '0' is positive but outside the pool"),
        (
            {"labels": Y, "judged": np.ones((2, 3)), "pool": Y, "items": "xy", "concepts": "abc"},
            "3 cells contradict each other: item 'x', concept 'b' is judged but outside the pool",
        ),
        (
            {"labels": coo_array(([1, 1], ([1, 1], [2, 2])), shape=(2, 3))},
            "1 cell stored twice, first row 1, column 2; store each cell once",
        ),
    ],
)
def test_bad_truths_are_refused_with_what_is_wrong(given: dict[str, Any], message: str) -> None:
    with refused(message):
        cf.Truth(**given)


# ── cells and their states ────────────────────────────────────────────────────────────────────────

JUDGED = np.array([[1, 1, 1], [0, 1, 0]])
POOL = np.array([[1, 1, 1], [1, 1, 0]])


@pytest.mark.parametrize("form", [np.array, sparse])
def test_a_cell_is_positive_negative_unjudged_or_outside(form: Any) -> None:
    truth = cf.Truth(form(Y), judged=form(JUDGED), pool=form(POOL))
    assert truth.states.tolist() == [
        [State.POSITIVE, State.NEGATIVE, State.POSITIVE],
        [State.UNJUDGED, State.POSITIVE, State.OUTSIDE],
    ]
    assert truth.labels.dtype == np.bool_
    assert truth.labels.tolist() == Y.astype(bool).tolist()


def test_what_is_outside_the_pool_is_not_judged() -> None:
    truth = cf.Truth(Y, pool=POOL, unjudged="exclude")
    assert truth.states[1].tolist() == [State.NEGATIVE, State.POSITIVE, State.OUTSIDE]
    everything = cf.Run(labels=np.ones((2, 3)))
    assert scored(truth, everything, "micro.P").value == 3 / 5
    assert scored(cf.Truth(Y, pool=POOL), everything, "micro.P").value == 3 / 6


def test_grades_alone_make_a_truth() -> None:
    truth = cf.Truth(grades=3 * Y)
    assert truth.labels.tolist() == Y.astype(bool).tolist()
    assert cf.Truth(grades=sparse(3 * Y)).digest == truth.digest
    assert cf.Truth(grades=Y > 0).labels.tolist() == truth.labels.tolist()
    assert cf.Truth(grades=Y).digest != truth.digest


def test_stored_zeros_of_a_sparse_run_are_retrieved() -> None:
    truth = cf.Truth([[1], [0]], items="ab")
    zero = cf.Run(sparse(np.zeros((2, 1)), np.array([[True], [False]])), items="ab")
    nothing = cf.Run(sparse(np.zeros((2, 1))), items="ab")
    assert scored(truth, zero, "concept.AP").value == 1.0
    assert scored(truth, nothing, "concept.AP").value == 0.0
    assert zero.digest != nothing.digest


def test_digests_follow_content_and_ids() -> None:
    digest = cf.Truth(Y, items="ab").digest
    assert digest == cf.Truth(sparse(Y), items="ab").digest
    assert digest == cf.Truth(Y[::-1], items="ba").digest
    others = [
        cf.Truth(Y),
        cf.Truth(Y, items="ba"),
        cf.Truth(0 * Y, items="ab"),
        cf.Truth(Y, items="ab", concepts="xyz"),
        cf.Truth(Y, items="ab", judged=JUDGED),
        cf.Truth(Y, items="ab", strata=JUDGED),
    ]
    assert len({digest, *(truth.digest for truth in others)}) == 1 + len(others)


def test_masked_arrays_are_refused_since_their_mask_would_be_lost() -> None:
    with refused("labels is a masked array; pass its data"):
        cf.Truth(np.ma.masked_array(Y, mask=Y))


def test_a_mask_that_leaves_nothing_out_says_nothing() -> None:
    whole = np.ones_like(Y)
    assert cf.Truth(Y, judged=whole, pool=whole).digest == cf.Truth(Y).digest
