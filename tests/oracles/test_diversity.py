"""α-nDCG and ERR-IA: NIST's ndeval (through pyndeval), all orders of ties, and values by hand."""

from __future__ import annotations

from itertools import permutations
from math import log2
from typing import Any

import numpy as np
import pyndeval
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

import cranfield as cf
from problems import EXACT

OURS_AND_THEIRS = {
    "concept.alpha_nDCG@5": "alpha-nDCG@5",
    "concept.alpha_nDCG@20": "alpha-nDCG@20",
    "concept.alpha_nDCG@10(ideal=independent)": "alpha-DCG@10",
    "concept.ERR_IA@5": "ERR-IA@5",
    "concept.ERR_IA@20": "ERR-IA@20",
    "concept.ERR_IA@10(ideal=greedy)": "nERR-IA@10",
}
Judgements = NDArray[np.int64]
"""(documents, subtopics)"""


@st.composite
def judgements(draw: st.DrawFn, most: int = 14) -> Judgements:
    shape = (draw(st.integers(1, most)), draw(st.integers(1, 4)))
    cells = st.lists(st.sampled_from([0, 0, 1]), min_size=shape[1], max_size=shape[1])
    rows = draw(st.lists(cells, min_size=shape[0], max_size=shape[0]))
    return np.array(rows)


def names(count: int) -> list[str]:
    return [f"d{number}" for number in range(count)]


def truth_of(grades: Judgements, **options: Any) -> cf.Truth:
    matrices = {f"s{number}": column[:, None] for number, column in enumerate(grades.T)}
    return cf.Truth(subtopics=matrices, items=names(len(grades)), concepts=["t"], **options)


def scores_of(truth: cf.Truth, scores: Any, measures: Any) -> list[float]:
    run = cf.Run(np.array(scores, dtype=float)[:, None], items=truth.items, concepts=["t"])
    result = cf.evaluate(truth, run, measures)
    return [result["run", measure] for measure in measures]


@given(grades=judgements(), seed=st.integers(0, 10**6))
def test_every_topic_scores_as_in_ndeval(grades: Judgements, seed: int) -> None:
    assume(grades.any())
    order = np.random.default_rng(seed).permutation(len(grades))
    qrels = [
        ("t", f"s{subtopic}", f"d{document}", int(grade))
        for (document, subtopic), grade in np.ndenumerate(grades)
    ]
    run = [("t", f"d{n}", float(score)) for n, score in enumerate(order.tolist())]
    theirs = pyndeval.ndeval(qrels, run, list(OURS_AND_THEIRS.values()))["t"]
    found = scores_of(truth_of(grades), order, list(OURS_AND_THEIRS))
    assert found == pytest.approx(list(theirs.values()), abs=EXACT)


@pytest.mark.parametrize("alpha", [0.0, 0.3, 1.0])
@given(grades=judgements(most=5), data=st.data())
def test_equal_scores_count_by_the_mean_over_their_orders(
    alpha: float, grades: Judgements, data: st.DataObject
) -> None:
    assume(grades.any())
    size = len(grades)
    scores = data.draw(st.lists(st.sampled_from([1, 2]), min_size=size, max_size=size))
    k = data.draw(st.integers(1, 6))
    measures = [f"concept.alpha_nDCG@{k}(alpha={alpha})", f"concept.ERR_IA@{k}(alpha={alpha})"]
    truth = truth_of(grades)
    every = []
    for order in permutations(range(size)):
        strict = [score + 0.5 * place / size for score, place in zip(scores, order, strict=True)]
        every.append(scores_of(truth, strict, measures))
    found = scores_of(truth, scores, measures)
    assert found == pytest.approx(np.mean(every, axis=0), abs=EXACT)


@given(grades=judgements(), seed=st.integers(0, 1000))
def test_the_order_of_documents_never_shows_with_or_without_ids(
    grades: Judgements, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    scores, turned = rng.integers(0, 4, len(grades)), rng.permutation(len(grades))
    measures = list(OURS_AND_THEIRS)
    for named in (True, False):

        def scored(rows: NDArray[Any], named: bool = named) -> Any:
            matrices = {f"s{n}": column[rows, None] for n, column in enumerate(grades.T)}
            ids = [names(len(grades))[row] for row in rows] if named else None
            run = cf.Run(scores[rows, None].astype(float), items=ids)
            result = cf.evaluate(cf.Truth(subtopics=matrices, items=ids), run, measures)
            return [result["run", measure] for measure in measures]

        np.testing.assert_array_equal(scored(turned), scored(np.arange(len(grades))))


def test_alpha_ndcg_by_hand() -> None:
    # b repeats the first subtopic of a; c brings a new one.
    truth = truth_of(np.array([[1, 1, 0], [1, 0, 0], [0, 0, 1]]))
    (found,) = scores_of(truth, [3, 2, 1], ["concept.alpha_nDCG@3"])
    gained, ideal = 2 + 0.5 / log2(3) + 1 / 2, 2 + 1 / log2(3) + 0.5 / 2
    assert found == pytest.approx(gained / ideal, abs=EXACT)


def test_err_ia_by_hand() -> None:
    truth = truth_of(np.array([[1, 1], [1, 0], [0, 0]]))
    plain, of_ideal = scores_of(
        truth, [2, 1, 3], ["concept.ERR_IA@3(ideal=none)", "concept.ERR_IA@3"]
    )
    first, second = 0.5 / 2 + 0.25 / 3, 0.5 / 2  # the expected reciprocal rank of each subtopic
    assert plain == pytest.approx((first + second) / 2, abs=EXACT)
    assert of_ideal == pytest.approx(plain / (0.5 * (1 + 0.5 / 2 + 0.25 / 3)), abs=EXACT)


def test_grades_count_from_the_level_on_and_topics_without_subtopics_are_one() -> None:
    truth = truth_of(np.array([[1, 2], [2, 0]]))
    measures = ["concept.alpha_nDCG@2", "concept.AP"]
    assert scores_of(truth.at_level(2), [2, 1], measures) == [1.0, 1.0]
    plain = cf.Truth([[1], [0], [1]])
    result = cf.evaluate(plain, cf.Run([[3.0], [2.0], [1.0]]), ["concept.alpha_nDCG@3"])
    wanted = (1 + 0.5 / 2) / (1 + 0.5 / log2(3))
    assert result["run", "concept.alpha_nDCG@3"] == pytest.approx(wanted, abs=EXACT)
    assert "no subtopics: each topic counts as one" in result.scores[0].notes


def test_topics_without_anything_relevant_are_skipped_where_ndeval_says_0() -> None:
    truth = truth_of(np.array([[0, 0], [0, 0]]))
    skipped, zero = scores_of(
        truth, [1, 2], ["concept.alpha_nDCG@2", "concept.alpha_nDCG@2(undefined=0)"]
    )
    assert np.isnan(skipped)
    assert zero == 0.0
