"""What is made of repeats: clouds with their ellipses, wins, and the corrected t-test."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import special, stats
from small_data import IRIS, SPECIES

import cranfield as cf
from cranfield.statistics.significance import corrected_resampled_t
from cranfield.tasks.classes.monte_carlo import Cloud
from cranfield.tasks.classes.monte_carlo.candidates import parsed, spelled, values_of


@pytest.fixture(scope="module")
def result() -> cf.tasks.MonteCarlo:
    names = ["gaussian_nb", "decision_tree", "majority"]
    return cf.tasks.monte_carlo(
        names, IRIS, SPECIES, folds=5, repeats=6, measures=["kappa", "H_T"], workers=1
    )


def cloud_of(r: Any, f: Any) -> Cloud:
    return Cloud("it", "it", None, np.asarray(r, dtype=float), np.asarray(f, dtype=float))


# ── clouds ────────────────────────────────────────────────────────────────────────────────────


def test_a_cloud_holds_the_scores_of_the_matrices_of_all_repeats(
    result: cf.tasks.MonteCarlo,
) -> None:
    cloud = result.cloud("gaussian_nb")
    matrices = [result.confusion("gaussian_nb", repeat) for repeat in range(6)]
    np.testing.assert_allclose(cloud.r, [one["false_ratio"] for one in matrices], atol=1e-14)
    np.testing.assert_allclose(cloud.f, [one["completeness"] for one in matrices], atol=1e-14)
    assert cloud.rho == pytest.approx(stats.pearsonr(cloud.r, cloud.f).statistic)
    assert cloud.sigma[0] == pytest.approx(stats.tstd(cloud.r))


def test_an_ellipse_holds_its_share_of_a_normal_cloud() -> None:
    rng = np.random.default_rng(4)
    covariance = np.array([[4.0, -1.5], [-1.5, 1.0]])
    r, f = rng.multivariate_normal([0.6, 0.2], covariance, size=200_000).T
    cloud = cloud_of(r, f)
    inverse = np.linalg.inv(cloud.covariance)

    def distances(places: NDArray[np.float64]) -> NDArray[np.float64]:
        far = places - cloud.mean
        return np.asarray(((far @ inverse) * far).sum(axis=1))

    for level in (0.5, 0.95):
        ellipse = cloud.ellipse(level)
        assert ellipse is not None
        edge = stats.chi2.ppf(level, 2)
        np.testing.assert_allclose(distances(ellipse.outline()), edge, rtol=1e-9)
        inside = distances(np.stack([r, f], axis=1)) <= edge
        assert inside.mean() == pytest.approx(level, abs=0.005)


def test_the_long_axis_of_an_ellipse_follows_the_cloud() -> None:
    ellipse = cloud_of([0.0, 1.0, 2.0, 3.0], [3.0, 2.0, 1.0, 0.0]).ellipse()
    assert ellipse is not None
    assert ellipse.angle == pytest.approx(-math.pi / 4)
    assert ellipse.axes[1] == pytest.approx(0.0, abs=1e-7)


def test_one_repeat_has_no_spread() -> None:
    cloud = cloud_of([0.3], [0.5])
    assert cloud.mean == (0.3, 0.5)
    assert all(map(math.isnan, (*cloud.sigma, cloud.rho)))
    assert cloud.ellipse() is None


def test_what_never_varies_is_not_correlated() -> None:
    noise = 0.1 + np.array([0.0, 1e-17, 2e-17])
    assert math.isnan(cloud_of(noise, [0.1, 0.2, 0.3]).rho)


def test_levels_lie_between_0_and_1() -> None:
    with pytest.raises(cf.InputError, match="level=1;"):
        cloud_of([0.1, 0.2], [0.3, 0.1]).ellipse(1.0)


# ── contests ──────────────────────────────────────────────────────────────────────────────────


def test_wins_are_counted_by_the_direction_of_the_measure(result: cf.tasks.MonteCarlo) -> None:
    a, b = "gaussian_nb", "majority"
    assert result.contest(a, b, "accuracy").wins == (1.0, 0.0)
    assert result.contest(a, b, "false_ratio").wins == (0.0, 1.0), "the majority makes nothing up"
    assert result.contest(a, b, "completeness").wins == (1.0, 0.0)
    assert result.wins_in_both(a, b) == (0.0, 0.0)


def test_wins_mirror_each_other_and_ties_belong_to_nobody(result: cf.tasks.MonteCarlo) -> None:
    one = result.contest("gaussian_nb", "decision_tree", "accuracy")
    other = result.contest("decision_tree", "gaussian_nb", "accuracy")
    right = [
        [round(150 * score) for score in result.scores(name, "accuracy")]
        for name in ("gaussian_nb", "decision_tree")
    ]
    pairs = list(zip(*right, strict=True))
    expected = (sum(x > y for x, y in pairs) / 6, sum(x < y for x, y in pairs) / 6)
    assert one.wins == pytest.approx(expected)
    assert one.wins == other.wins[::-1]
    assert one.test.statistic == pytest.approx(-other.test.statistic)
    assert one.test.p_value == pytest.approx(other.test.p_value)


def test_the_test_of_a_contest_is_of_its_folds(result: cf.tasks.MonteCarlo) -> None:
    a, b = "gaussian_nb", "decision_tree"
    one = result.contest(a, b, "kappa")
    differences = (result.fold_scores(a, "kappa") - result.fold_scores(b, "kappa")).ravel()
    plain = stats.ttest_1samp(differences, 0.0)
    shrink = math.sqrt((1 / 30) / (1 / 30 + 1 / 4))
    assert one.test.statistic == pytest.approx(plain.statistic * shrink)
    assert one.test.degrees == 29


def test_all_pairs_are_corrected_by_holm(result: cf.tasks.MonteCarlo) -> None:
    found = result.contests("accuracy")
    assert [(one.a, one.b) for one in found] == [
        ("gaussian_nb", "decision_tree"),
        ("gaussian_nb", "majority"),
        ("decision_tree", "majority"),
    ]
    by_p = sorted(found, key=lambda one: one.test.p_value)
    assert by_p[0].holm == pytest.approx(min(1.0, 3 * by_p[0].test.p_value))
    assert by_p[-1].holm == pytest.approx(by_p[-1].test.p_value)


def test_nobody_wins_by_a_property_of_the_truth(result: cf.tasks.MonteCarlo) -> None:
    with pytest.raises(cf.MeasureError, match="calls nobody better"):
        result.contest("gaussian_nb", "majority", "H_T")


def test_scores_of_folds_that_are_infinite_leave_the_test_undefined(
    result: cf.tasks.MonteCarlo,
) -> None:
    one = result.contest("gaussian_nb", "majority", "xi")
    assert one.wins == (1.0, 0.0)
    assert math.isnan(one.test.p_value)


# ── the corrected resampled t-test ────────────────────────────────────────────────────────────


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=30), st.integers(2, 20))
def test_the_corrected_t_test_follows_its_definition(values: list[float], folds: int) -> None:
    values = [round(value, 3) for value in values]
    found = corrected_resampled_t(values, test_share=1 / (folds - 1))
    count = len(values)
    mean = math.fsum(values) / count
    variance = math.fsum((value - mean) ** 2 for value in values) / (count - 1)
    if len(set(values)) == 1:
        assert found.p_value == (1.0 if values[0] == 0 else 0.0)
        return
    t = mean / math.sqrt((1 / count + 1 / (folds - 1)) * variance)
    assert found.statistic == pytest.approx(t, rel=1e-9, abs=1e-12)
    # P(|T| > t) of Student's t is a regularised incomplete beta function.
    nu = count - 1
    assert found.p_value == pytest.approx(special.betainc(nu / 2, 0.5, nu / (nu + t * t)), rel=1e-6)


def test_the_correction_keeps_its_level_where_the_plain_test_does_not() -> None:
    """Differences of folds with the correlation that the correction assumes, 1/k, and mean 0."""
    rng = np.random.default_rng(11)
    folds, count, trials = 10, 50, 4000
    shared = rng.normal(size=(trials, 1)) * math.sqrt(1 / folds)
    drawn = shared + rng.normal(size=(trials, count)) * math.sqrt(1 - 1 / folds)
    corrected = [corrected_resampled_t(one, test_share=1 / (folds - 1)).p_value for one in drawn]
    assert np.mean(np.array(corrected) < 0.05) == pytest.approx(0.05, abs=0.012)
    assert np.mean(stats.ttest_1samp(drawn, 0.0, axis=1).pvalue < 0.05) > 0.3


def test_the_t_test_is_undefined_without_two_finite_differences() -> None:
    for values in ([], [0.2], [0.1, math.nan], [0.1, math.inf]):
        assert math.isnan(corrected_resampled_t(values, test_share=0.1).p_value)
    with pytest.raises(cf.InputError, match="test_share=0"):
        corrected_resampled_t([0.1, 0.2], test_share=0.0)


# ── what is told ──────────────────────────────────────────────────────────────────────────────


def test_the_frame_has_a_row_for_each_repeat(result: cf.tasks.MonteCarlo) -> None:
    frame = result.frame
    assert frame.shape == (18, 9)
    assert frame.columns[3:] == [
        *("false_ratio", "completeness", "accuracy", "S_I_norm", "kappa", "H_T"),
    ]
    row = frame.row(7, named=True)
    assert (row["estimator"], row["repeat"], row["seed"]) == ("decision_tree", 1, 1)
    assert row["kappa"] == result.confusion("decision_tree", 1)["kappa"]


def test_json_holds_estimators_repeats_and_pairs(result: cf.tasks.MonteCarlo) -> None:
    told = json.loads(result.to_json())
    assert [one["estimator"] for one in told["estimators"]] == list(result.names)
    first = told["estimators"][0]
    assert first["scores"][0]["repeats"] == result.cloud("gaussian_nb").r.tolist()
    assert first["ellipse"]["level"] == 0.95
    both = [one for one in told["contests"] if one["measure"] == "both"]
    assert len(both) == 3
    assert {one["measure"] for one in told["contests"]} == {
        *("confusion.false_ratio", "confusion.completeness", "confusion.accuracy"),
        *("confusion.S_I_norm", "confusion.kappa", "both"),
    }


def test_a_signature_pins_folds_seeds_versions_and_data(result: cf.tasks.MonteCarlo) -> None:
    signature = result.signature("gaussian_nb", "accuracy")
    for part in ("folds=5:stratified", "repeats=6", "seed=0", "scikit-learn=", "data="):
        assert part in signature
    turned = cf.tasks.monte_carlo("majority", IRIS[:, ::-1], SPECIES, folds=5, repeats=1, workers=1)
    assert turned.data != result.data


def test_unknown_names_are_refused(result: cf.tasks.MonteCarlo) -> None:
    with pytest.raises(cf.InputError, match=re.escape("there is no estimator 'svm'; estimators:")):
        result.cloud("svm")
    with pytest.raises(cf.InputError, match="repeat=6; there are 6"):
        result.confusion("majority", 6)


# ── spellings ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "spelling",
    ["svm", "svm(C=0.5,kernel=poly)", "a.b:c.d(x=None,y=True,z=(1, 2))", "knn(metric='a b')"],
)
def test_spellings_round_trip(spelling: str) -> None:
    assert spelled(*parsed(spelling)) == spelling


def test_values_of_a_grid_are_numbers_words_or_lists() -> None:
    assert values_of("1, 2.5,None,gini,(1, 2)") == [1, 2.5, None, "gini", (1, 2)]
    assert values_of("l1-x,é!") == ["l1-x", "é!"]
