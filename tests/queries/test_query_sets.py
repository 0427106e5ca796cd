"""Sets of queries made from a truth."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import cranfield as cf
from cranfield.tasks.retrieval import concept_pairs, random_conjunctions

RNG = np.random.default_rng(11)
LABELS = RNG.random((80, 6)) < [0.6, 0.5, 0.4, 0.3, 0.1, 0.02]
CONCEPTS = ["sea", "sky", "person", "big dog", "cat", "rare"]
ITEMS = [f"i{n:02}" for n in range(80)]
TRUTH = cf.Truth(LABELS, items=ITEMS, concepts=CONCEPTS)


def moved() -> cf.Truth:
    """The same truth, its rows and columns in another order."""
    rows, columns = RNG.permutation(80), RNG.permutation(6)
    return cf.Truth(
        LABELS[rows][:, columns],
        items=[ITEMS[row] for row in rows],
        concepts=[CONCEPTS[column] for column in columns],
    )


@pytest.mark.parametrize("at_least", [1, 5, 20])
def test_pairs_are_those_that_stand_together_so_often(at_least: int) -> None:
    wanted = {
        cf.Query(f"'{one}' AND '{other}'")
        for (i, one), (j, other) in combinations(sorted(enumerate(CONCEPTS), key=lambda p: p[1]), 2)
        if (LABELS[:, i] & LABELS[:, j]).sum() >= at_least
    }
    found = concept_pairs(TRUTH, at_least=at_least)
    assert set(found) == wanted
    assert len(found) == len(wanted)
    assert (cf.search(TRUTH, found).labels.sum(axis=0) >= at_least).all()


def test_random_queries_have_their_size_and_something_to_find() -> None:
    queries = random_conjunctions(TRUTH, 20, size=3, negated=1, at_least=4, seed=3)
    assert len(set(queries)) == 20
    for query in queries:
        assert len(query) == 3
        assert str(query).count("NOT") == 1
    assert (cf.search(TRUTH, queries).labels.sum(axis=0) >= 4).all()


def test_the_seed_decides_and_the_order_of_the_truth_does_not() -> None:
    assert concept_pairs(moved()) == concept_pairs(TRUTH)
    one = random_conjunctions(TRUTH, 9, negated=1, seed=1)
    assert one == random_conjunctions(moved(), 9, negated=1, seed=1)
    assert one != random_conjunctions(TRUTH, 9, negated=1, seed=2)


def test_unjudged_cells_answer_nothing() -> None:
    judged = RNG.random(LABELS.shape) < 0.7
    truth = cf.Truth(LABELS & judged, judged=judged, items=ITEMS, concepts=CONCEPTS)
    queries = random_conjunctions(truth, 10, size=2, negated=1, at_least=3)
    assert (cf.search(truth, queries).labels.sum(axis=0) >= 3).all()


def test_single_concepts_can_be_drawn_too() -> None:
    queries = random_conjunctions(TRUTH, 4, size=1)
    assert all(cf.Query(str(query)) == query for query in queries)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"count": 500}, "of 500 random queries"),
        ({"count": 0}, "count=0"),
        ({"count": 1, "size": 2, "negated": 3}, "negated=3"),
    ],
)
def test_more_than_there_are_is_refused(options: dict[str, int], message: str) -> None:
    with pytest.raises(cf.InputError, match=message):
        random_conjunctions(TRUTH, **options)
    with pytest.raises(cf.InputError, match="at_least=0"):
        concept_pairs(TRUTH, at_least=0)
