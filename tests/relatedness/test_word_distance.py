"""The Normalised Web Distance and what follows from it, held against the formulas as printed."""

import math
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.knowledge.relatedness import (
    CountTable,
    Distributional,
    MilneWitten,
    TruthCounts,
)

TABLE = CountTable(
    1000,
    {"sky": 100, "sea": 50, "party": 20, "ghost": 0, "all": 1000, "any": 1000},
    {
        ("sky", "sea"): 25,
        ("sky", "party"): 0,
        ("all", "any"): 1000,
        ("all", "sky"): 100,
        ("ghost", "sky"): 0,
    },
)


def test_distance_and_relatedness_are_equations_4_1_and_4_2() -> None:
    source = Distributional(TABLE)
    expected = (math.log(100) - math.log(25)) / (math.log(1000) - math.log(50))
    assert source.distances(["sky", "sea"])[0, 1] == pytest.approx(expected)
    assert source.relatedness("sea", "sky") == pytest.approx(math.exp(-2 * expected))


def test_milne_and_wittens_relatedness_is_one_minus_that_distance() -> None:
    distance = Distributional(TABLE).distances(["sky", "sea"])[0, 1]
    assert MilneWitten(TABLE).relatedness("sky", "sea") == pytest.approx(1 - distance)


def test_words_that_are_never_together_are_not_related() -> None:
    for source in (Distributional(TABLE), MilneWitten(TABLE)):
        assert source.relatedness("sky", "party") == 0


def test_a_word_in_no_document_is_not_covered() -> None:
    source = Distributional(TABLE)
    assert not source.covers("ghost")
    assert not source.covers("unheard of")
    assert math.isnan(source.relatedness("ghost", "sky"))
    assert math.isnan(source.relatedness("ghost", "ghost"))
    related = source.matrix(["sky", "sea", "ghost"])
    assert related.coverage.unknown == ("ghost",)
    assert related.map.values[2].tolist() == [0, 0, 0]


def test_a_pair_that_nobody_counted_is_not_known_though_both_words_are() -> None:
    related = Distributional(TABLE).matrix(["sky", "sea", "party"])
    assert math.isnan(Distributional(TABLE).relatedness("sea", "party"))
    assert related.coverage.unknown == ()
    assert related.coverage.unrelated == 1


def test_a_word_is_wholly_related_to_itself() -> None:
    assert Distributional(TABLE).table(["sky", "all"]).diagonal().tolist() == [1, 1]
    assert MilneWitten(TABLE).relatedness("sky", "sky") == 1


def test_words_in_all_documents_are_wholly_related() -> None:
    assert Distributional(TABLE).relatedness("all", "any") == 1


def test_a_word_in_all_documents_says_little() -> None:
    # NWD = (log N − log h) / (log N − log h) = 1
    assert Distributional(TABLE).relatedness("all", "sky") == pytest.approx(math.exp(-2))


@given(
    st.integers(1, 40).flatmap(
        lambda n: st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=n, max_size=n)
    )
)
def test_counts_of_a_truth_give_the_formula(rows: list[list[bool]]) -> None:
    labels = np.array(rows)
    table = Distributional(TruthCounts(cf.Truth(labels, concepts=["a", "b", "c"]))).table("abc")
    for i in range(3):
        for j in range(3):
            assert table[i, j] == pytest.approx(literal(labels, i, j), abs=1e-12, nan_ok=True)


def literal(labels: np.ndarray, i: int, j: int) -> float:
    one, other = set(np.flatnonzero(labels[:, i])), set(np.flatnonzero(labels[:, j]))
    if not one or not other:
        return math.nan
    if one == other:
        return 1.0
    if not one & other:
        return 0.0
    top = math.log(max(len(one), len(other))) - math.log(len(one & other))
    return math.exp(-2 * top / (math.log(len(labels)) - math.log(min(len(one), len(other)))))


def test_concepts_of_a_truth_are_found_by_words() -> None:
    truth = cf.Truth([[1, 1], [1, 1], [0, 0]], concepts=["Landscape_Nature", "Sky"])
    source = Distributional(TruthCounts(truth, name="photos"))
    related = source.matrix(truth.concepts)
    assert related.coverage.unknown == ()
    assert related.map.values[0, 1] == 1
    assert related.map.provenance.counts == {"items": 3}
    assert source.relatedness("landscape nature", "sky") == 1
    assert math.isnan(source.relatedness("landscape", "sky"))


def test_sparse_and_dense_truths_count_alike() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    labels = np.random.default_rng(0).random((200, 6)) < 0.3
    words = ["3", "0", "5", "3", "none"]
    dense, packed = (
        TruthCounts(cf.Truth(given)).count(words) for given in (labels, sparse.csr_array(labels))
    )
    assert np.array_equal(dense.together, packed.together)
    assert dense.together[0, 3] == labels[:, 3].sum()
    assert dense.alone[4] == 0


def test_words_are_counted_once_however_often_they_are_asked_for() -> None:
    class Watched:
        name = "watched"
        asked = 0

        def count(self, words: object) -> object:
            self.asked += 1
            return TABLE.count(words)  # type: ignore[arg-type]

    counts = Watched()
    source = Distributional(counts)  # type: ignore[arg-type]
    source.matrix(["sky", "sea"])
    assert source.covers("sky")
    source.relatedness("sea", "sky")
    assert counts.asked == 1
    source.relatedness("sea", "party")
    assert counts.asked == 2


@pytest.mark.parametrize(
    ("alone", "together", "said"),
    [
        ({"a": 3, "b": 5}, {("a", "b"): 4}, "'a' and 'b' in 4 documents, but 'a' is in 3 only"),
        ({"a": 3}, {("a", "b"): 1}, "nobody counted 'b' alone"),
        ({"a": 8, "b": 9}, {("a", "b"): 2}, "of 10 documents at least 7 must hold both"),
        ({"a": -1}, {}, "'a' in -1 documents; write a whole number"),
        ({"a": 3, "b": 3}, {("a", "b"): -1}, "in -1 documents"),
        ({"a": 11}, {}, "'a' in 11 documents, but there are only 10"),
    ],
)
def test_counts_that_contradict_each_other_are_refused(
    alone: Mapping[str, int], together: Mapping[tuple[str, str], int], said: str
) -> None:
    with pytest.raises(cf.InputError, match=said):
        CountTable(10, alone, together)
