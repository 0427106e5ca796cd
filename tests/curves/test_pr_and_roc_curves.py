"""Curves of ranked lists: the published table, peers, ties, sparse runs, and both averages."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from sklearn import metrics

import cranfield as cf
from problems import EXACT, Problem, problem, problems, sparse

WEBER = [
    "588",
    "589",
    "576",
    "590",
    "986",
    "592",
    "984",
    "988",
    "578",
    "985",
    "103",
    "591",
    "772",
    "990",
]
RELEVANT = {"588", "589", "590", "592", "772"}
PRINTED = (
    *((1.00, 0.2), (1.00, 0.4), (0.67, 0.4), (0.75, 0.6), (0.60, 0.6), (0.67, 0.8), (0.57, 0.8)),
    *((0.50, 0.8), (0.44, 0.8), (0.40, 0.8), (0.36, 0.8), (0.33, 0.8), (0.38, 1.0), (0.36, 1.0)),
)


def weber() -> tuple[cf.Truth, cf.Run]:
    labels = np.array([[name in RELEVANT] for name in WEBER])
    scores = np.linspace(0.99, 0.01, len(WEBER))[:, None]
    ids = {"items": WEBER, "concepts": ["Q"]}
    return cf.Truth(labels, **ids), cf.Run(scores, name="system", **ids)


def defined(case: Problem) -> list[int]:
    return np.flatnonzero(case.labels.any(axis=0)).tolist()


# ── point by point ────────────────────────────────────────────────────────────────────────────


def test_the_table_of_weber_has_these_pairs_at_its_14_ranks() -> None:
    (curve,) = cf.curves(*weber())
    assert curve.rank is not None
    assert curve.rank.tolist() == list(range(1, 15))
    pairs = zip(curve.precision.tolist(), curve.recall.tolist(), strict=True)
    assert [(round(p, 2), round(r, 2)) for p, r in pairs] == list(PRINTED)


def test_the_staircase_of_weber_holds_the_best_precision_at_each_recall_or_more() -> None:
    (curve,) = cf.curves(*weber())
    by_recall = dict(zip(curve.recall.tolist(), curve.interpolated.tolist(), strict=True))
    assert by_recall == pytest.approx({0.2: 1, 0.4: 1, 0.6: 3 / 4, 0.8: 4 / 6, 1.0: 5 / 13})


@given(case=problems())
def test_pairs_are_those_of_scikit_learn(case: Problem) -> None:
    found = cf.curves(case.truth(), case.run())
    assert [curve.concept for curve in found] == [case.concepts[place] for place in defined(case)]
    for curve, place in zip(found, defined(case), strict=True):
        labels, scores = case.labels[:, place], case.scores[:, place]
        precision, recall, thresholds = metrics.precision_recall_curve(labels, scores)
        np.testing.assert_allclose(curve.precision, precision[-2::-1], rtol=EXACT)
        np.testing.assert_allclose(curve.recall, recall[-2::-1], rtol=EXACT)
        np.testing.assert_array_equal(curve.threshold, thresholds[::-1])


@given(case=problems())
def test_roc_curves_are_those_of_scikit_learn(case: Problem) -> None:
    for curve, place in zip(cf.curves(case.truth(), case.run()), defined(case), strict=True):
        labels, scores = case.labels[:, place], case.scores[:, place]
        if labels.all():
            assert len(curve.roc[0]) == 0
            continue
        fallout, recall, _ = metrics.roc_curve(labels, scores, drop_intermediate=False)
        np.testing.assert_allclose(curve.roc[0][:-1], fallout, rtol=EXACT)
        np.testing.assert_allclose(curve.roc[1][:-1], recall, rtol=EXACT)


def test_pooled_curves_are_one_list_of_all_cells() -> None:
    case = problem(3)
    (curve,) = cf.curves(case.truth(), case.run(), average="pooled")
    precision, recall, _ = metrics.precision_recall_curve(case.labels.ravel(), case.scores.ravel())
    np.testing.assert_allclose(curve.precision, precision[-2::-1], rtol=EXACT)
    np.testing.assert_allclose(curve.recall, recall[-2::-1], rtol=EXACT)


def test_a_run_stands_on_its_curve_with_its_own_decisions() -> None:
    case = problem(1)
    found = cf.curves(case.truth(), case.run())
    for curve, place in zip(found, defined(case), strict=True):
        labels, decided = case.labels[:, place], case.run().assigned[:, place]
        assert curve.operating is not None
        assert curve.operating.recall == pytest.approx(metrics.recall_score(labels, decided))
        at = int(np.argmin(np.abs(curve.recall - curve.operating.recall)))
        assert curve.recall[at] == curve.operating.recall
        assert curve.operating.precision in curve.precision[curve.recall == curve.recall[at]]


def test_a_run_without_decisions_stands_nowhere() -> None:
    run = cf.Run(np.array([[3.0], [2.0]]))
    (curve,) = cf.curves(cf.Truth([[1], [0]]), run)
    assert curve.operating is None


# ── ties ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("ties", ["best", "worst"])
def test_best_and_worst_are_the_extremes_of_all_orders_of_equals(ties: str) -> None:
    labels, scores = np.array([1, 0, 1, 0, 1]), np.array([2.0, 2.0, 2.0, 1.0, 1.0])
    orders = [p for p in permutations(range(5)) if (np.diff(scores[list(p)]) <= 0).all()]
    precisions = [np.cumsum(labels[list(p)]) / np.arange(1, 6) for p in orders]
    wanted = np.max(precisions, axis=0) if ties == "best" else np.min(precisions, axis=0)
    (curve,) = cf.curves(cf.Truth(labels[:, None]), cf.Run(scores[:, None]), ties=ties)
    np.testing.assert_allclose(curve.precision, wanted)


def test_trec_orders_equals_by_id_from_the_last() -> None:
    truth = cf.Truth([[1], [0], [0]], items=["a", "b", "c"], concepts=["t"])
    run = cf.Run([[0.5], [0.5], [0.5]], items=["a", "b", "c"], concepts=["t"])
    (curve,) = cf.curves(truth, run, ties="trec")
    assert curve.precision.tolist() == [0, 0, pytest.approx(1 / 3)]


@given(case=problems(least=2))
def test_the_order_of_rows_and_columns_means_nothing(case: Problem) -> None:
    items, concepts = case.shape
    rows, columns = np.arange(items)[::-1], np.arange(concepts)[::-1]
    moved = cf.Run(
        case.scores[np.ix_(rows, columns)],
        items=[case.items[row] for row in rows],
        concepts=[case.concepts[column] for column in columns],
        threshold=case.run().threshold,
    )
    for ties in ("grouped", "best", "worst", "trec"):
        one, two = (cf.curves(case.truth(), run, ties=ties) for run in (case.run(), moved))
        assert list(one.rows()) == list(two.rows())


def test_ties_that_an_average_cannot_honour_are_refused() -> None:
    case = problem(0)
    with pytest.raises(cf.InputError, match="choose 'expected', 'best', 'worst', 'trec'"):
        cf.curves(case.truth(), case.run(), average="ranks", ties="grouped")
    with pytest.raises(cf.InputError, match="choose 'grouped', 'best', 'worst', 'trec'"):
        cf.curves(case.truth(), case.run(), ties="expected")


# ── sparse runs ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("ties", ["grouped", "best", "worst", "trec"])
def test_a_sparse_run_that_mentions_everything_has_the_curves_of_a_dense_one(ties: Any) -> None:
    case = problem(2)
    everything = np.ones(case.shape, dtype=bool)
    run = cf.Run(sparse(case.scores, everything), threshold=0.5, **case.ids)
    dense = cf.Run(case.scores, threshold=0.5, **case.ids)
    one, two = (cf.curves(case.truth(), each, ties=ties) for each in (run, dense))
    assert list(one.rows()) == list(two.rows())
    assert [curve.operating for curve in one] == [curve.operating for curve in two]


def test_what_a_sparse_run_does_not_mention_is_on_no_curve_but_counts() -> None:
    truth = cf.Truth([[1], [1], [0], [0]])
    run = cf.Run(sparse(np.array([[0.9], [0.0], [0.8], [0.0]])), name="short")
    (curve,) = cf.curves(truth, run)
    assert curve.recall.tolist() == [0.5, 0.5]
    assert curve.fallout is not None
    assert curve.fallout.tolist() == [0.0, 0.5]
    fallout, recall = curve.roc
    assert (fallout[-1], recall[-1]) == (1.0, 1.0)


def test_an_open_truth_counts_relevant_documents_that_nobody_retrieved() -> None:
    truth = cf.Truth(
        grades=sparse(np.array([[1], [1], [0]]), np.ones((3, 1), dtype=bool)),
        items=["a", "b", "c"],
        concepts=["t"],
        open=True,
    )
    run = cf.Run(sparse(np.array([[0.9], [0.5]])), items=["new", "a"], concepts=["t"])
    (curve,) = cf.curves(truth, run)
    assert list(zip(curve.precision, curve.recall, strict=True)) == [(0.0, 0.0), (0.5, 0.5)]


# ── averages ──────────────────────────────────────────────────────────────────────────────────


def searches() -> tuple[cf.Truth, cf.Run, dict[str, dict[str, float]]]:
    """Sparse retrieval with ties, and what trec_eval says of it."""
    rng = np.random.default_rng(5)
    labels = rng.random((200, 12)) < 0.15
    scores = np.round(rng.random(labels.shape) + 0.4 * labels, 1) + 0.1
    stored = rng.random(labels.shape) < 0.6
    items, topics = [f"d{n:03}" for n in range(200)], [f"t{n:02}" for n in range(12)]
    truth = cf.Truth(labels, items=items, concepts=topics)
    run = cf.Run(sparse(scores, stored), items=items, concepts=topics, name="run")
    qrels = {
        topic: {item: int(labels[row, column]) for row, item in enumerate(items)}
        for column, topic in enumerate(topics)
    }
    answers = {
        topic: {item: float(scores[row, c]) for row, item in enumerate(items) if stored[row, c]}
        for c, topic in enumerate(topics)
    }
    wanted = {"iprec_at_recall", "P.5,10,15,20", "recall.5,10,15,20"}
    return truth, run, pytrec_eval.RelevanceEvaluator(qrels, wanted).evaluate(answers)


def test_means_at_levels_of_recall_are_those_of_trec_eval() -> None:
    truth, run, theirs = searches()
    (curve,) = cf.curves(truth, run, average="recall", ties="trec")
    assert curve.recall.tolist() == [level / 10 for level in range(11)]
    for level, precision in zip(curve.recall, curve.precision, strict=True):
        name = f"iprec_at_recall_{level:.2f}"
        assert precision == pytest.approx(np.mean([topic[name] for topic in theirs.values()]))


def test_means_at_ranks_are_those_of_trec_eval() -> None:
    truth, run, theirs = searches()
    (curve,) = cf.curves(truth, run, average="ranks", ties="trec", ranks=[5, 10, 15, 20])
    assert curve.rank is not None
    for place, rank in enumerate(curve.rank.tolist()):
        for name, values in (("P", curve.precision), ("recall", curve.recall)):
            each = [topic[f"{name}_{rank}"] for topic in theirs.values()]
            assert values[place] == pytest.approx(np.mean(each))


def test_the_mean_of_eleven_levels_is_the_interpolated_average_precision() -> None:
    case = problem(4)
    (curve,) = cf.curves(case.truth(), case.run(), average="recall")
    evaluated = cf.evaluate(case.truth(), case.run(), "concept.iAP")
    assert curve.precision.mean() == pytest.approx(evaluated[case.run().name, "concept.iAP"])


def test_ranks_go_on_by_five_to_the_end_of_the_longest_list() -> None:
    (curve,) = cf.curves(*weber(), average="ranks")
    assert curve.rank is not None
    assert curve.rank.tolist() == [5, 10]
    assert curve.precision.tolist() == [pytest.approx(3 / 5), pytest.approx(4 / 10)]


def test_concepts_without_positives_are_left_out_and_named() -> None:
    truth = cf.Truth([[1, 0], [0, 0]], concepts=["sky", "snow"])
    run = cf.Run([[0.9, 0.1], [0.2, 0.3]], concepts=["sky", "snow"])
    for average in ("none", "ranks", "recall"):
        found = cf.curves(truth, run, average=average)
        assert len(found) == 1
        assert found[0].concepts == 1
        assert found.notes == ("without positives, so without a curve: 'snow'",)


# ── what is asked for ─────────────────────────────────────────────────────────────────────────


def test_the_frame_has_a_row_for_each_point_of_each_run() -> None:
    case = problem(0)
    runs = [case.run(name="one"), case.run(name="two")]
    frame = cf.curves(case.truth(), runs, ["c02", "c03"]).frame
    assert frame.columns[:2] == ["run", "concept"]
    assert frame["run"].unique(maintain_order=True).to_list() == ["one", "two"]
    assert set(frame["concept"]) == {"c02", "c03"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"concepts": "moon"}, "there is no concept 'moon'"),
        ({"average": "mean"}, "'mean' is none of"),
        ({"average": "pooled", "concepts": "c01"}, "name none of them"),
        ({"average": "recall", "levels": 1}, "at least 2"),
        ({"average": "recall", "levels": [1.5]}, "from 0 to 1"),
        ({"average": "ranks", "ranks": [0]}, "whole numbers from 1"),
    ],
)
def test_what_cannot_be_followed_is_refused(options: dict[str, Any], said: str) -> None:
    case = problem(0)
    with pytest.raises(cf.InputError, match=said):
        cf.curves(case.truth(), case.run(), **options)
