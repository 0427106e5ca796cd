"""Co-occurrence: counts against pandas, pairs by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from scipy.sparse import coo_array
from sklearn.metrics import jaccard_score, matthews_corrcoef

import cranfield as cf
from cranfield.collections.description.cooccurrence import cooccurrence
from problems import Problem, problem, problems, sparse

LABELS = np.array([[1, 1, 0], [1, 1, 0], [1, 0, 1], [1, 0, 0], [0, 0, 0]])


def described(labels: Any) -> cf.collections.Description:
    return cf.describe(cf.Truth(labels, concepts=["sky", "sea", "cat"]))


@pytest.mark.parametrize("form", [np.array, sparse])
def test_pairs_by_hand(form: Any) -> None:
    pairs = described(form(LABELS)).cooccurrence.pairs
    assert pairs.select("first", "second", "together").rows() == [
        ("sky", "sea", 2),
        ("sky", "cat", 1),
    ]
    together = pairs.row(0, named=True)
    assert together["jaccard"] == 2 / 4
    assert together["second_given_first"] == 2 / 4
    assert together["first_given_second"] == 2 / 2
    assert together["lift"] == 1.25  # 2/5 by 4/5 · 2/5
    assert together["phi"] == pytest.approx((5 * 2 - 4 * 2) / np.sqrt(4 * 1 * 2 * 3))


@given(problems(items=14, concepts=9))
def test_counts_are_the_product_of_the_labels(drawn: Problem) -> None:
    frame = pd.DataFrame(drawn.labels.astype(int))
    expected = (frame.T @ frame).to_numpy()
    for labels in (drawn.labels, sparse(drawn.labels)):
        counts = cf.describe(cf.Truth(labels)).cooccurrence.counts
        np.testing.assert_array_equal(counts, expected)


def test_counts_are_exact_beyond_one_block() -> None:
    labels = np.random.default_rng(0).random((40_001, 12)) < 0.3
    numbers = labels.astype(np.int64)
    for form in (labels, sparse(labels)):
        counts = cf.describe(cf.Truth(form)).cooccurrence.counts
        np.testing.assert_array_equal(counts, numbers.T @ numbers)


def test_jaccard_and_phi_are_those_of_scikit_learn() -> None:
    labels = problem(5, items=80, empty=False).labels
    together = cf.describe(cf.Truth(labels)).cooccurrence
    for i in range(labels.shape[1]):
        for j in range(labels.shape[1]):
            jaccard = jaccard_score(labels[:, i], labels[:, j])
            assert together.jaccard[i, j] == pytest.approx(jaccard, abs=1e-12)
            phi = matthews_corrcoef(labels[:, i], labels[:, j])
            assert together.correlation[i, j] == pytest.approx(phi, abs=1e-12)


def test_a_concept_that_never_occurs_comes_with_nothing() -> None:
    together = described(LABELS * [1, 1, 0]).cooccurrence
    assert np.isnan(together.conditional[2]).all()
    assert np.isnan(together.correlation[2]).all()
    assert "cat" not in {*together.pairs["first"], *together.pairs["second"]}


def test_a_concept_that_always_occurs_has_no_phi() -> None:
    pairs = described(LABELS | [0, 0, 1]).cooccurrence.pairs
    with_cat = pairs.filter(pairs["first"] == "cat")
    assert with_cat["phi"].to_list() == [None, None]
    assert with_cat["lift"].to_list() == [1.0, 1.0]


@pytest.mark.parametrize("form", [np.array, sparse])
def test_of_many_concepts_the_most_frequent_take_part_and_the_rest_is_counted(form: Any) -> None:
    labels = problem(2, items=60, concepts=9).labels
    truth = cf.Truth(form(labels), concepts="ihgfedcba")
    positives = labels.sum(axis=0)
    some = cooccurrence(truth.matrix, positives, truth.concepts, most=4)
    frequent = sorted(truth.concepts, key=lambda c: (-positives[truth.concepts.index(c)], c))[:4]
    assert set(some.concepts) == set(frequent)
    assert some.left_out == 5
    places = [truth.concepts.index(concept) for concept in some.concepts]
    assert places == sorted(places)
    numbers = labels[:, places].astype(int)
    np.testing.assert_array_equal(some.counts, numbers.T @ numbers)


def test_a_wide_sparse_truth_needs_no_dense_matrix() -> None:
    rows, columns = np.repeat(np.arange(2_000), 3), np.arange(6_000) * 33
    labels = coo_array((np.ones(6_000, bool), (rows, columns)), shape=(10**6, 200_000))
    facts = cf.describe(cf.Truth(labels))  # dense it would take 200 GB
    assert facts.distinct == 2_001
    assert facts.set_sizes == {0: 10**6 - 2_000, 3: 2_000}
    assert facts.cooccurrence.left_out == 199_000
    assert len(facts.oddities.never_positive) == 194_000
