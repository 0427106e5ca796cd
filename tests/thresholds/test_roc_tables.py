"""ROC tables: counts at every threshold, the best of them, and points to draw."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from sklearn import metrics

import cranfield as cf
from problems import EXACT, MAGNITUDES, Problem, problem, problems, scored, sparse

FAWCETT = Problem(
    np.array([[letter == "p"] for letter in "ppnpppnnpnpnpnnnpnpn"]),
    np.array(
        [
            *(0.9, 0.8, 0.7, 0.6, 0.55, 0.54, 0.53, 0.52, 0.51, 0.505),
            *(0.4, 0.39, 0.38, 0.37, 0.36, 0.35, 0.34, 0.33, 0.30, 0.1),
        ]
    )[:, None],
)


def test_erratum_the_printed_rule_greater_than_gives_65_percent_at_54_hundredths() -> None:
    table = cf.statistics.roc_table(FAWCETT.truth(), FAWCETT.run())
    row = table.at(float(np.nextafter(0.54, 1)))
    assert table.accuracy[row] == pytest.approx(0.65)


@given(case=problems(values=MAGNITUDES))
def test_every_row_counts_what_its_threshold_decides(case: Problem) -> None:
    for concept, y, s in zip(case.concepts, case.labels.T, case.scores.T, strict=True):
        table = cf.statistics.roc_table(case.truth(), case.run(), concept)
        assert table.thresholds.tolist() == [np.inf, *sorted(set(s.tolist()), reverse=True)]
        n = table.counts
        for row in range(len(table)):
            said = s >= table.finite(row)
            assert n.tp[row] == (said & y).sum()
            assert n.fp[row] == (said & ~y).sum()
            assert n.fn[row] == (~said & y).sum()
            assert n.tn[row] == (~said & ~y).sum()


@given(case=problems(values=MAGNITUDES))
def test_the_curve_is_that_of_scikit_learn(case: Problem) -> None:
    y, s = case.labels.ravel(), case.scores.ravel()
    if not y.any() or y.all():
        return
    table = cf.statistics.roc_table(case.truth(), case.run())
    fpr, tpr, thresholds = metrics.roc_curve(y, s, drop_intermediate=False)
    assert np.allclose(table.roc, (fpr, tpr), atol=EXACT)
    assert np.array_equal(table.thresholds, thresholds)
    assert np.trapezoid(table.roc[1], table.roc[0]) == pytest.approx(
        cf.score(case.labels, case.scores, "micro.AUC")
    )


@given(case=problems())
def test_precision_and_recall_are_those_of_scikit_learn(case: Problem) -> None:
    y, s = case.labels.ravel(), case.scores.ravel()
    if not y.any():
        return
    recall, precision = cf.statistics.roc_table(case.truth(), case.run()).precision_recall
    theirs = metrics.precision_recall_curve(y, s)
    # Its last point, recall 0 and precision 1, is no threshold's.
    assert np.allclose(precision, theirs[0][:-1][::-1])
    assert np.allclose(recall, theirs[1][:-1][::-1])


CRITERIA = {
    "accuracy": lambda tp, fp, fn, tn: (tp + tn) / (tp + fp + fn + tn),
    "F": lambda tp, fp, fn, tn: 2 * tp / (2 * tp + fp + fn),
    "F(beta=2)": lambda tp, fp, fn, tn: 5 * tp / (5 * tp + fp + 4 * fn),
    "youden": lambda tp, fp, fn, tn: tp / (tp + fn) + tn / (tn + fp) - 1,
    "cost(fp=1,fn=5)": lambda tp, fp, fn, tn: (fp + 5 * fn) / (tp + fp + fn + tn),
    "MCC": None,
}


@pytest.mark.parametrize("by", CRITERIA)
@pytest.mark.parametrize("seed", range(6))
def test_the_best_threshold_is_the_highest_of_the_best_of_all(by: str, seed: int) -> None:
    case = problem(seed, items=30, concepts=1, density=0.4, values=8, empty=False)
    name = f"concept.{by}"
    tried = [np.nextafter(case.scores.max(), 2.0), *np.unique(case.scores)[::-1]]
    values = [cf.score(case.labels, case.scores, name, threshold=t) for t in tried]
    wish = max if cf.measure(name).traits.higher_is_better else min
    first = next(t for t, v in zip(tried, values, strict=True) if v == pytest.approx(wish(values)))
    best = cf.statistics.roc_table(case.truth(), case.run()).best(by)
    assert best is not None
    assert (best.threshold, best.value) == (first, pytest.approx(wish(values)))
    formula = CRITERIA[by]
    if formula is not None:
        n = cf.statistics.roc_table(case.truth(), case.run()).counts
        counts = (float(field[best.row]) for field in (n.tp, n.fp, n.fn, n.tn))
        assert best.value == pytest.approx(formula(*counts))


@given(case=problems(concepts=1))
def test_the_equal_error_threshold_reaches_the_measure_of_that_name(case: Problem) -> None:
    best = cf.statistics.roc_table(case.truth(), case.run()).best("EER")
    wanted = scored(case.truth(), case.run(), "concept.EER(at=vertex)").value
    assert (best is None) == bool(np.isnan(wanted))
    if best is not None:
        assert best.value == pytest.approx(wanted)


def test_thresholds_that_differ_by_rounding_are_equally_good_and_the_highest_wins() -> None:
    table = cf.statistics.roc_table(FAWCETT.truth(), FAWCETT.run())
    j = table.tpr - table.fpr
    ties = table.thresholds[np.isclose(j, j.max())]
    best = table.best("youden")
    assert best is not None
    assert best.threshold == ties.max()


def test_nothing_may_be_best_and_its_threshold_is_finite() -> None:
    truth, scores = cf.Truth([[0], [0], [1]]), np.array([[0.9], [0.8], [0.1]], dtype=np.float32)
    table = cf.statistics.roc_table(truth, cf.Run(scores))
    best = table.best("accuracy")
    assert best is not None
    assert best.row == 0
    assert best.threshold == float(np.nextafter(np.float32(0.9), np.float32(2)))
    decided = cf.Run(scores, threshold=best.threshold)
    assert scored(truth, decided, "concept.Acc").value == pytest.approx(2 / 3)


def test_absent_cells_are_accepted_at_no_threshold_and_end_the_curve() -> None:
    labels = np.array([[1], [0], [1], [0]])
    stored = np.array([[1], [1], [0], [0]], dtype=bool)
    run = cf.Run(sparse(np.array([[0.9], [0.4], [0.0], [0.0]]), stored))
    table = cf.statistics.roc_table(cf.Truth(labels), run)
    assert table.thresholds.tolist() == [np.inf, 0.9, 0.4]
    assert table.counts.fn.tolist() == [2, 1, 1]
    assert table.counts.tn.tolist() == [2, 2, 1]
    assert [points.tolist() for points in table.roc] == [[0, 0, 0.5, 1], [0, 0.5, 0.5, 1]]


def test_unjudged_cells_are_left_out_where_the_truth_says_so() -> None:
    case = problem(4, concepts=1, density=0.4, empty=False)
    judged = case.labels | (np.arange(len(case.labels)) % 2 == 0)[:, None]
    truth = case.truth(judged=judged, unjudged="exclude")
    kept = np.flatnonzero(judged)
    less = Problem(case.labels[kept], case.scores[kept])
    found, wanted = (
        cf.statistics.roc_table(t, r).frame
        for t, r in ((truth, case.run()), (less.truth(), less.run()))
    )
    assert found.equals(wanted)
    assert (
        cf.statistics.roc_table(truth, case.run(), unjudged="negative").counts.tn[0]
        > wanted["TN"][0]
    )


def test_a_row_is_found_by_any_threshold_that_accepts_the_same_cells() -> None:
    table = cf.statistics.roc_table(FAWCETT.truth(), FAWCETT.run())
    assert [table.at(t) for t in (2.0, 0.9, 0.85, 0.8, 0.0)] == [0, 1, 1, 2, 20]
    with pytest.raises(cf.InputError, match="the threshold is nan"):
        table.at(float("nan"))


def test_unknown_concepts_and_criteria_are_refused() -> None:
    case = problem(1)
    with pytest.raises(cf.InputError, match="there is no concept 'sky'; concepts: 'c00', 'c01'"):
        cf.statistics.roc_table(case.truth(), case.run(), "sky")
    table = cf.statistics.roc_table(case.truth(), case.run())
    with pytest.raises(cf.MeasureError, match="there is no measure 'fame'"):
        table.best("fame")
    with pytest.raises(cf.MeasureError, match=r"no threshold is better than another by concept.AP"):
        table.best("AP")
    with pytest.raises(
        cf.MeasureError, match=r"no threshold is better than another by concept.gen"
    ):
        table.best("generality")
    with pytest.raises(cf.MeasureError, match="None names no criterion"):
        cf.tune(case.truth(), case.run(), None)  # type: ignore[arg-type]


def test_what_is_undefined_is_none_in_rows_and_null_in_frames() -> None:
    table = cf.statistics.roc_table(cf.Truth([[0], [0]]), cf.Run([[0.5], [0.4]]))
    assert table.best("F") is None
    assert [row["TPR"] for row in table.rows()] == [None] * 3
    assert table.frame["TPR"].null_count() == 3
    assert table.frame.columns[:5] == ["threshold", "TP", "FP", "FN", "TN"]
