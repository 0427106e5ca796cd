"""Before and after, cross-fitting and constraints, each held against a plain loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.metrics import f1_score, precision_score, recall_score

import cranfield as cf
from cranfield.statistics.thresholds.cross_fitting import dealt

RNG = np.random.default_rng(12)
LABELS = (RNG.random((90, 4)) < [0.5, 0.4, 0.3, 0.25]).astype(int)
SCORES = np.clip(0.2 * LABELS + 0.7 * RNG.random(LABELS.shape), 0, 1).round(2)
ITEMS = [f"i{number:03}" for number in range(90)]
NAMES = list("abcd")
TRUTH = cf.Truth(LABELS, items=ITEMS, concepts=NAMES)
RUN = cf.Run(SCORES, name="r", items=ITEMS, concepts=NAMES)


def best_f(labels: Any, scores: Any) -> float:
    """The highest of the best thresholds, by trying all of them."""
    tried = [np.nextafter(scores.max(), np.inf), *np.unique(scores)[::-1]]
    values = [f1_score(labels, scores >= cut, zero_division=0) for cut in tried]
    return float(tried[int(np.argmax(np.round(values, 12)))])


def test_before_and_after_are_those_of_scikit_learn() -> None:
    tuned = cf.tune(TRUTH, RUN, "F")
    assert tuned.before is not None
    assert tuned.reached is not None
    for column in range(4):
        truth, scores = LABELS[:, column], SCORES[:, column]
        assert tuned.before[column] == pytest.approx(f1_score(truth, scores >= 0.5))
        decided = scores >= tuned.values[column]
        assert tuned.reached[column] == pytest.approx(f1_score(truth, decided))
    assert tuned.score_before == pytest.approx(f1_score(LABELS, SCORES >= 0.5, average="macro"))
    single = cf.tune(TRUTH, RUN, "F", per="run")
    assert single.score_before == pytest.approx(f1_score(LABELS, SCORES >= 0.5, average="micro"))


@pytest.mark.parametrize("per", ["concept", "run"])
def test_cross_fitting_is_a_loop_over_folds(per: Any) -> None:
    tuned = cf.tune(TRUTH, RUN, "F", per=per, folds=5, seed=3)
    fold = dealt(TRUTH, 5, 3)
    assert sorted(np.bincount(fold).tolist()) == [18] * 5
    decided = np.zeros(LABELS.shape, dtype=bool)
    for number in range(5):
        rest, own = fold != number, fold == number
        for column in range(4):
            train = (slice(None), [column]) if per == "concept" else (slice(None), slice(None))
            cut = best_f(LABELS[rest][train].ravel(), SCORES[rest][train].ravel())
            decided[own, column] = SCORES[own, column] >= cut
    if per == "concept":
        wanted = [f1_score(LABELS[:, c], decided[:, c]) for c in range(4)]
        np.testing.assert_allclose(tuned.cross_fitted, wanted, rtol=1e-12)
        assert tuned.score_cross_fitted == pytest.approx(np.mean(wanted))
    else:
        assert tuned.score_cross_fitted == pytest.approx(f1_score(LABELS, decided, average="micro"))
    assert tuned.score_cross_fitted < tuned.score


def test_neither_the_order_of_items_nor_of_concepts_matters_to_folds() -> None:
    rows, columns = RNG.permutation(90), RNG.permutation(4)
    other = cf.Run(
        SCORES[rows][:, columns], name="r",
        items=[ITEMS[row] for row in rows], concepts=[NAMES[column] for column in columns],
    )  # fmt: skip
    truth = cf.Truth(LABELS[rows[::-1]], items=[ITEMS[row] for row in rows[::-1]], concepts=NAMES)
    for by, per in (("F", "concept"), ("example.F", "run")):
        one = cf.tune(TRUTH, RUN, by, per=per, folds=4)  # type: ignore[arg-type]
        two = cf.tune(truth, other, by, per=per, folds=4)  # type: ignore[arg-type]
        assert one.score_cross_fitted == two.score_cross_fitted
        assert not np.isnan(one.score_cross_fitted)


def test_constrained_thresholds_are_the_best_of_all_that_keep_to_the_constraints() -> None:
    tuned = cf.tune(TRUTH, RUN, "R", subject_to=["fallout<=0.2", "P>=0.5"])
    for column, name in enumerate(NAMES):
        truth, scores = LABELS[:, column], SCORES[:, column]
        fitting = {
            cut: recall_score(truth, scores >= cut)
            for cut in np.unique(scores)
            if (scores >= cut)[truth == 0].mean() <= 0.2 + 1e-12
            and precision_score(truth, scores >= cut) >= 0.5 - 1e-12
        }
        assert fitting
        most = max(fitting.values())
        assert tuned[name] == max(cut for cut, value in fitting.items() if value == most)
        assert tuned.reached is not None
        assert tuned.reached[column] == pytest.approx(most)


def test_averages_take_constraints_of_all_cells_together() -> None:
    tuned = cf.tune(TRUTH, RUN, "example.F", per="run", subject_to="P>=0.7")
    values = {
        cut: cf.score(LABELS, cut <= SCORES, "example.F")
        for cut in np.unique(SCORES)
        if precision_score(LABELS, cut <= SCORES, average="micro") >= 0.7
    }
    assert tuned.values[0] == max(values, key=lambda cut: (round(values[cut], 12), cut))
    assert tuned.score == pytest.approx(max(values.values()))


def test_what_cannot_be_kept_to_is_refused_with_what_can_be_reached() -> None:
    with pytest.raises(cf.InputError, match=r"keeps to P>=1.01: P is at most \S+; relax"):
        cf.tune(TRUTH, RUN, "R", per="run", subject_to="P>=1.01")
    with pytest.raises(cf.InputError, match="no threshold of any concept keeps to"):
        cf.tune(TRUTH, RUN, "R", subject_to="P>=1.01")
    with pytest.raises(cf.InputError, match="is no constraint"):
        cf.tune(TRUTH, RUN, "R", subject_to="P is high")
    with pytest.raises(cf.InputError, match="no formula over counts"):
        cf.tune(TRUTH, RUN, "R", subject_to="example.P>=0.5")
    with pytest.raises(cf.InputError, match="give at least 2, or 0"):
        cf.tune(TRUTH, RUN, folds=1)


def test_concepts_that_cannot_keep_to_a_constraint_get_no_label_and_are_named() -> None:
    scores = SCORES.copy()
    scores[:, 3] = 1.0 - LABELS[:, 3]  # the worse, the surer
    run = cf.Run(scores, name="r", items=ITEMS, concepts=NAMES)
    tuned = cf.tune(TRUTH, run, "R", subject_to="P>=0.6")
    assert not tuned.apply(run).assigned[:, 3].any()  # type: ignore[union-attr, index]
    unable = "1 concept cannot keep to P>=0.6 and get no label: d: P is at most"
    assert any(unable in note for note in tuned.notes)


def test_densities_are_shares_of_positives_and_of_negatives() -> None:
    chart = cf.statistics.roc_table(TRUTH, RUN, "a").density_chart()
    for name, count in (("positives", LABELS[:, 0].sum()), ("negatives", (1 - LABELS[:, 0]).sum())):
        rows = [row for row in chart.rows if row["cells"] == name]
        width = rows[1]["score"] - rows[0]["score"]
        assert sum(row["count"] for row in rows) == count
        assert sum(row["density"] for row in rows) * width == pytest.approx(1.0)


def test_runs_whose_scores_are_no_probabilities_have_no_before() -> None:
    logits = cf.Run(SCORES * 10 - 5, name="logits", items=ITEMS, concepts=NAMES)
    tuned = cf.tune(TRUTH, logits, "F", folds=3)
    assert tuned.before is None
    assert tuned.rows()[0]["before"] is None
    assert not np.isnan(tuned.score_cross_fitted)
