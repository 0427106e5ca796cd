"""Measures of probabilities and of regression against scikit-learn, and calibration error against
bins filled one confidence at a time."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from sklearn import calibration, metrics

import cranfield as cf
from problems import EXACT, Problem, problem, problems, scored, sparse

CLIP = float(np.finfo(np.float64).eps)
"""How scikit-learn clips float64."""


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def near(found: float, wanted: Any) -> bool:
    return bool(np.isclose(found, wanted, rtol=EXACT, atol=EXACT, equal_nan=True))


# ── probabilities ─────────────────────────────────────────────────────────────────────────────


@given(case=problems())
def test_log_loss_is_that_of_scikit_learn(case: Problem) -> None:
    y, p = case.labels.ravel(), case.scores.ravel()
    for reduce, normalize in (("sum", False), ("mean", True)):
        wanted = metrics.log_loss(y, p, labels=[False, True], normalize=normalize)
        name = f"log_loss(reduce={reduce},clip={CLIP})"
        assert near(cf.score(case.labels, case.scores, name), wanted)


@given(case=problems())
def test_log_loss_and_brier_of_single_concepts_are_those_of_scikit_learn(case: Problem) -> None:
    losses = scored(case.truth(), case.run(), f"concept.log_loss(reduce=mean,clip={CLIP})").by_unit
    briers = scored(case.truth(), case.run(), "concept.brier").by_unit
    for j, (y, p) in enumerate(zip(case.labels.T, case.scores.T, strict=True)):
        assert near(losses[j], metrics.log_loss(y, p, labels=[False, True]))
        assert near(briers[j], metrics.brier_score_loss(y, p, labels=[False, True], pos_label=True))


def test_log_loss_sums_what_every_cell_costs_and_clips_as_printed() -> None:
    found = cf.score([[1, 0], [1, 0]], [[0.5, 0.25], [0.0, 1.0]], "log_loss")
    assert near(found, -np.log(0.5) - np.log(0.75) - 2 * np.log(1e-15))
    assert cf.score([[1]], [[0.0]], "log_loss(clip=0.01)") == pytest.approx(-np.log(0.01))


@given(case=problems())
def test_pooled_items_and_concepts_add_up_to_the_same_loss(case: Problem) -> None:
    whole = cf.score(case.labels, case.scores, "log_loss")
    for direction in ("concept", "example"):
        parts = scored(case.truth(), case.run(), f"{direction}.log_loss").by_unit
        assert near(parts.sum(), whole)


# ── calibration ───────────────────────────────────────────────────────────────────────────────


def filled(p: NDArray[Any], y: NDArray[np.bool_], bins: int) -> list[tuple[float, float, int]]:
    """Mean confidence, share positive and number of each bin (a, b], one cell after the other."""
    held: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
    for confidence, label in zip(p.tolist(), y.tolist(), strict=True):
        place = 0
        while place < bins - 1 and confidence > (place + 1) / bins:
            place += 1
        held[place].append((confidence, label))
    return [
        (sum(c for c, _ in one) / len(one), sum(y for _, y in one) / len(one), len(one))
        for one in held
        if one
    ]


@pytest.mark.parametrize("bins", [1, 4, 10])
@pytest.mark.parametrize("seed", range(4))
def test_calibration_error_is_the_gap_between_confidence_and_share_positive(
    bins: int, seed: int
) -> None:
    case = problem(seed, items=40, values=None if seed % 2 else 8)
    held = filled(case.scores.ravel(), case.labels.ravel(), bins)
    gaps = np.array([abs(confidence - share) for confidence, share, _ in held])
    weights = np.array([count for *_, count in held]) / case.labels.size
    for norm, wanted in (
        ("l1", (gaps * weights).sum()),
        ("l2", np.sqrt((gaps**2 * weights).sum())),
        ("max", gaps.max()),
    ):
        assert near(cf.score(case.labels, case.scores, f"ECE(bins={bins},norm={norm})"), wanted)


@pytest.mark.parametrize(("binning", "strategy"), [("width", "uniform"), ("mass", "quantile")])
@given(case=problems(items=12))
def test_reliability_bins_are_those_of_scikit_learn(
    binning: Any, strategy: str, case: Problem
) -> None:
    y, p = case.labels.ravel(), case.scores.ravel()
    assume(y.any() and not y.all())
    positive, confidence = calibration.calibration_curve(y, p, n_bins=5, strategy=strategy)
    found = cf.statistics.reliability(case.truth(), case.run(), bins=5, binning=binning)
    there = found.count > 0
    assert np.allclose(found.positive[there], positive, rtol=EXACT, atol=EXACT)
    assert np.allclose(found.confidence[there], confidence, rtol=EXACT, atol=EXACT)
    assert found.count.sum() == y.size
    assert near(found.error(), cf.score(case.labels, case.scores, f"ECE(bins=5,binning={binning})"))


def test_a_reliability_diagram_may_be_of_one_concept() -> None:
    case = problem(3)
    one = cf.statistics.reliability(case.truth(), case.run(), "c02", bins=4)
    column = cf.statistics.reliability(
        cf.Truth(case.labels[:, [2]]), cf.Run(case.scores[:, [2]]), bins=4
    )
    assert list(one.rows()) == list(column.rows())
    assert one.frame.columns == ["from", "to", "confidence", "positive", "count"]
    with pytest.raises(cf.InputError, match="there is no concept 'x'; concepts: 'c00'"):
        cf.statistics.reliability(case.truth(), case.run(), "x")
    for odd in ({"bins": 0}, {"bins": 2.5}, {"binning": "foo"}):
        with pytest.raises(cf.MeasureError, match="ECE: bin"):
            cf.statistics.reliability(case.truth(), case.run(), **odd)  # type: ignore[arg-type]


def test_perfect_calibration_costs_nothing_although_nothing_is_known() -> None:
    labels = np.array([[1], [0], [0], [0]] * 5)
    assert cf.score(labels, np.full(labels.shape, 0.25), "ECE") == pytest.approx(0.0)
    assert cf.score(labels, np.full(labels.shape, 0.25), "brier") == pytest.approx(0.1875)


def test_silence_read_as_zero_fills_the_first_bin_in_both_binnings() -> None:
    case = problem(5)
    stored = np.random.default_rng(0).random(case.shape) < 0.6
    run = cf.Run(sparse(case.scores, stored))
    zeros = cf.Run(np.where(stored, case.scores, 0.0))
    for binning in ("width", "mass"):
        name = f"ECE(binning={binning},absent=zero)"
        assert near(*(scored(cf.Truth(case.labels), one, name).value for one in (run, zeros)))


# ── regression ────────────────────────────────────────────────────────────────────────────────

REGRESSION = {
    "MSE": metrics.mean_squared_error,
    "RMSE": metrics.root_mean_squared_error,
    "MAE": metrics.mean_absolute_error,
    "R2": metrics.r2_score,
}
numbers = arrays.arrays(
    np.float64,
    arrays.array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=6),
    elements=st.floats(-100, 100, width=16),
)


@pytest.mark.parametrize("name", REGRESSION)
@given(targets=numbers, seed=st.integers(0, 9))
def test_regression_measures_are_those_of_scikit_learn(
    name: str, targets: NDArray[np.float64], seed: int
) -> None:
    said = targets + np.random.default_rng(seed).normal(size=targets.shape)
    oracle, constant = REGRESSION[name], (targets == targets[0]).all(axis=0)
    if name == "R2" and (targets == targets[0, 0]).all():
        assert np.isnan(cf.score(targets, said, name))
    else:
        assert np.isclose(cf.score(targets, said, name), oracle(targets.ravel(), said.ravel()))
    found = scored(cf.Truth(targets=targets), cf.Run(said), f"concept.{name}").by_unit
    wanted = oracle(targets, said, multioutput="raw_values")
    skipped = constant if name == "R2" else np.zeros_like(constant)
    assert np.isnan(found[skipped]).all()
    assert np.allclose(found[~skipped], wanted[~skipped])


def test_one_dimensional_numbers_are_one_concept() -> None:
    y, s = np.array([1.0, 2.0, 4.0]), np.array([1.0, 2.0, 1.0])
    assert cf.score(y, s, "MSE") == 3.0
    assert cf.score(y, s, "RMSE") == pytest.approx(np.sqrt(3.0))
    assert cf.score(y, s, "MAE") == 1.0
    assert cf.score(y, s, "R2") == pytest.approx(metrics.r2_score(y, s))


def test_equal_targets_have_no_spread_even_where_their_mean_is_rounded() -> None:
    targets = np.full((7, 1), 0.1)
    assert np.isnan(cf.score(targets, targets + 1e-9, "R2"))
    assert cf.score(targets, targets + 1e-9, "R2(undefined=0)") == 0.0


def test_numbers_are_targets_else_grades_else_labels() -> None:
    labels, grades = np.array([[1], [0]]), np.array([[3], [0]])
    run = cf.Run([[1.0], [1.0]])
    for truth, wanted in (
        (cf.Truth(labels), 0.5),
        (cf.Truth(grades=grades), (4 + 1) / 2),
        (cf.Truth(labels, grades=grades, targets=[[5.0], [1.0]]), 8.0),
    ):
        assert scored(truth, run, "MSE").value == wanted


# ── what is refused ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["log_loss", "brier", "ECE", "concept.brier"])
def test_scores_that_are_no_probabilities_are_refused_with_their_cell(name: str) -> None:
    truth = cf.Truth([[1, 0]], items=["a"], concepts=["sky", "sea"])
    for scores in ([[0.5, 1.5]], sparse(np.array([[0.5, 1.5]]))):
        run = cf.Run(scores, name="logits", items=["a"], concepts=["sky", "sea"])
        bare = name.rpartition(".")[2]
        with pytest.raises(
            cf.InputError,
            match=rf"run 'logits', item 'a', concept 'sea': the confidence is 1.5, and {bare} need",
        ):
            cf.evaluate(truth, run, name)


def test_a_truth_of_targets_refuses_measures_of_labels_and_everything_else_about_labels() -> None:
    truth = cf.Truth(targets=[[0.5], [2.5]])
    with pytest.raises(cf.InputError, match=r"concept.AP looks at labels, and the truth holds ta"):
        cf.evaluate(truth, cf.Run([[0.1], [0.2]]), ["MSE", "concept.AP"])
    with pytest.raises(cf.InputError, match="the truth holds targets, which are numbers, and no"):
        cf.split(truth, [0.5, 0.5])


def test_decisions_are_the_numbers_0_and_1_and_that_is_noted() -> None:
    truth, run = cf.Truth([[1], [0]]), cf.Run(labels=[[1], [1]])
    score = scored(truth, run, "brier")
    assert score.value == 0.5
    assert score.notes == ("decisions taken as the numbers 0 and 1",)


def test_no_number_stands_for_a_cell_that_nobody_judged() -> None:
    frame = pytest.importorskip("pandas").DataFrame({"a": [1.0, np.nan, 3.0]})
    truth = cf.Truth(targets=frame)
    assert truth.unjudged == "exclude"
    run = cf.Run([[1.0], [9.0], [2.0]], concepts=["a"], items=["0", "1", "2"])
    assert scored(truth, run, "MSE").value == 0.5
    with pytest.raises(cf.InputError, match="no number stands for them; leave them out"):
        cf.evaluate(truth, run, "MSE(unjudged=negative)")
