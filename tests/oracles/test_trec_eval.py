"""Agreement with trec_eval (through pytrec_eval) under ties=trec.

Runs are sparse: documents that a run does not mention were not retrieved. Truths are qrels: a
document without a judgement is not relevant. trec_eval reads scores as float32, so scores that
differ only beyond that are tied there, and here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

import cranfield as cf
from problems import EXACT, sparse

OURS_AND_THEIRS = {
    "topic.AP(ties=trec)": "map",
    "topic.AP@5(ties=trec)": "map_cut_5",
    "topic.AP@10(ties=trec)": "map_cut_10",
    "topic.P@5(ties=trec)": "P_5",
    "topic.P@10(ties=trec)": "P_10",
    "topic.R@5(ties=trec)": "recall_5",
    "topic.R@10(ties=trec)": "recall_10",
    "topic.RP(ties=trec)": "Rprec",
    "topic.RR(ties=trec)": "recip_rank",
    "topic.success@1(ties=trec)": "success_1",
    "topic.success@5(ties=trec)": "success_5",
    "topic.nDCG(ties=trec)": "ndcg",
    "topic.nDCG@5(ties=trec)": "ndcg_cut_5",
    "topic.nDCG@10(ties=trec)": "ndcg_cut_10",
    "topic.iAP(rule=trec9,ties=trec)": "11pt_avg",
}
THEIR_NAMES = {name.rstrip("0123456789").rstrip("_") for name in OURS_AND_THEIRS.values()}

SCORES = (0.0, -2.0, 0.1, 0.1 + 1e-12, 0.5, 3.0, 1e-45, 1e30, -1e30)

IDS = ["d1", "d10", "d2", "D2", "a", "é", "z", "d11", "0", "00", "~", "Ω", "b-1", "b_1"]


@st.composite
def retrievals(
    draw: st.DrawFn,
) -> tuple[list[str], NDArray[np.int64], NDArray[np.float64], NDArray[np.bool_]]:
    """Document ids, grades, scores, and which (document, topic) pairs were retrieved."""
    ids = draw(st.lists(st.sampled_from(IDS), min_size=1, max_size=12, unique=True))
    shape = (len(ids), draw(st.integers(1, 3)))
    return (
        ids,
        draw(arrays.arrays(np.int64, shape, elements=st.sampled_from([0, 0, 1, 1, 2, 3]))),
        draw(arrays.arrays(np.float64, shape, elements=st.sampled_from(SCORES))),
        draw(arrays.arrays(np.bool_, shape, fill=st.just(True))),
    )


def trec_scores(
    ids: list[str],
    grades: NDArray[Any],
    scores: NDArray[Any],
    stored: NDArray[np.bool_],
    judged: NDArray[np.bool_],
) -> list[dict[str, float]]:
    """What trec_eval says of each topic; nothing of those without relevant or retrieved ones."""

    def by_topic(matrix: NDArray[Any], cells: NDArray[np.bool_], kind: type) -> dict[str, Any]:
        return {
            str(j): {ids[i]: kind(matrix[i, j]) for i in np.flatnonzero(cells[:, j])}
            for j in range(matrix.shape[1])
            if cells[:, j].any()
        }

    evaluator = pytrec_eval.RelevanceEvaluator(by_topic(grades, judged, int), THEIR_NAMES)
    found = evaluator.evaluate(by_topic(scores, stored, float))
    return [found.get(str(j), {}) for j in range(grades.shape[1])]


@given(case=retrievals(), every=st.booleans())
def test_every_topic_scores_as_in_trec_eval(case: Any, every: bool) -> None:
    ids, grades, scores, stored = case
    judged = (grades > 0) | every
    wanted = trec_scores(ids, grades, scores, stored, judged)
    truth = cf.Truth(grades=grades, items=ids)
    run = cf.Run(sparse(scores, stored), items=ids)
    result = cf.evaluate(truth, run, OURS_AND_THEIRS)
    compared = [j for j in range(grades.shape[1]) if (grades[:, j] > 0).any() and wanted[j]]
    for ours, theirs in OURS_AND_THEIRS.items():
        found = result.units("run", ours)
        for j in compared:
            assert found[j] == pytest.approx(wanted[j][theirs], abs=EXACT), (ours, j)


def test_a_long_list_of_ties_scores_as_in_trec_eval() -> None:
    rng = np.random.default_rng(7)
    ids = [f"doc{n}" for n in rng.permutation(400)]
    grades = rng.integers(0, 3, (400, 4)) * (rng.random((400, 4)) < 0.2)
    scores = np.round(rng.normal(size=(400, 4)), 1)
    stored = rng.random((400, 4)) < 0.6
    wanted = trec_scores(ids, grades, scores, stored, np.ones_like(stored))
    run = cf.Run(sparse(scores, stored), items=ids)
    result = cf.evaluate(cf.Truth(grades=grades, items=ids), run, OURS_AND_THEIRS)
    for ours, theirs in OURS_AND_THEIRS.items():
        assert result.units("run", ours) == pytest.approx([w[theirs] for w in wanted], abs=EXACT)


def test_scores_equal_as_float32_are_tied_and_broken_by_id() -> None:
    truth = cf.Truth([[1], [0]], items=["a", "b"])
    run = cf.Run([[0.1 + 1e-12], [0.1]], items=["a", "b"])
    result = cf.evaluate(truth, run, ["concept.RR", "concept.RR(ties=trec)"])
    assert result["run", "concept.RR"] == 1.0
    assert result["run", "concept.RR(ties=trec)"] == 0.5


def test_scores_beyond_float32_are_tied_under_trec_without_a_warning(
    recwarn: pytest.WarningsRecorder,
) -> None:
    truth = cf.Truth([[1], [0]], items=["a", "b"])
    run = cf.Run([[2e300], [1e300]], items=["a", "b"])
    assert cf.evaluate(truth, run, "concept.RR(ties=trec)")["run", "concept.RR(ties=trec)"] == 0.5
    assert not recwarn.list


@pytest.mark.parametrize("direction", ["concept", "example"])
def test_ties_by_id_need_ids(direction: str) -> None:
    kind = {"concept": "item", "example": "concept"}[direction]
    with pytest.raises(cf.InputError, match=f"there are no {kind} ids; give {kind}s="):
        cf.score([[1, 0], [0, 1]], [[0.5, 0.5], [0.1, 0.2]], f"{direction}.AP(ties=trec)")


def test_very_large_grades_leave_scores_finite() -> None:
    truth = cf.Truth(grades=[[1100], [1], [0]], items="abc")
    run = cf.Run([[2.0], [3.0], [1.0]], items="abc")
    measures = ["concept.ERR", "concept.nDCG(gain=exponential)"]
    err, ndcg = (score.value for score in cf.evaluate(truth, run, measures))
    assert err == pytest.approx(0.5)
    assert ndcg == pytest.approx(1 / np.log2(3))
