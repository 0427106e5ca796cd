"""Intervals of scores of confusion matrices: seeded, corrected, and about as wide as they say."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import cranfield as cf
from classes.holt import spread

PEOPLE = cf.Confusion([[13, 2, 5], [4, 15, 1], [2, 1, 57]], ["woman", "man", "child"])
METHODS = ("dirichlet", "bootstrap")

both_methods = pytest.mark.parametrize("method", METHODS)


@both_methods
def test_the_same_seed_gives_the_same_interval(method: str) -> None:
    one = PEOPLE.interval("kappa", method=method, samples=300, seed=4)
    assert one == PEOPLE.interval("kappa", method=method, samples=300, seed=4)
    assert one != PEOPLE.interval("kappa", method=method, samples=300, seed=5)


@both_methods
def test_the_order_of_classes_does_not_change_an_interval(method: str) -> None:
    turned = PEOPLE.in_order(["man", "child", "woman"])
    for name in ("kappa", "S_I_norm", "loss(kind=quadratic)"):
        one, other = (
            system.interval(name, method=method, samples=200) for system in (PEOPLE, turned)
        )
        assert (one.low, one.high) == pytest.approx((other.low, other.high))


@both_methods
def test_a_higher_level_is_a_wider_interval_around_the_score(method: str) -> None:
    narrow, wide = (PEOPLE.interval("kappa", method=method, level=level) for level in (0.5, 0.99))
    assert wide.low < narrow.low < narrow.score < narrow.high < wide.high


def test_the_interval_of_accuracy_is_that_of_a_binomial() -> None:
    """Both are known in closed form: 85 of 100, and a beta distribution for the Dirichlet."""
    right, wrong = 85, 15
    drawn = PEOPLE.interval("accuracy", method="bootstrap", samples=20_000)
    expected = stats.binom.interval(0.95, 100, 0.85)
    assert (drawn.low * 100, drawn.high * 100) == pytest.approx(expected, abs=1)
    drawn = PEOPLE.interval("accuracy", method="dirichlet", samples=20_000)
    beta = stats.beta.interval(0.95, right + 3 / 9, wrong + 6 / 9)
    assert (drawn.low, drawn.high) == pytest.approx(beta, abs=0.005)


def test_a_flawless_sample_leaves_doubt_with_dirichlet_only() -> None:
    flawless = cf.Confusion(np.eye(3) * 10)
    assert flawless.interval("accuracy", method="bootstrap").low == 1
    assert 0.8 < flawless.interval("accuracy", method="dirichlet").low < 1


@both_methods
def test_corrected_entropies_are_nearer_to_the_truth(method: str) -> None:
    joint = spread(0.2, 7)
    truth = cf.Confusion(joint)["H_S_given_T"]
    rng = np.random.default_rng(0)
    found = [
        cf.Confusion(rng.multinomial(500, joint.ravel()).reshape(joint.shape)).interval(
            "H_S_given_T", method=method, samples=100, seed=seed
        )
        for seed in range(40)
    ]
    raw = np.mean([one.score for one in found]) - truth
    corrected = np.mean([one.corrected for one in found]) - truth
    assert raw < 0
    assert abs(corrected) < abs(raw) / 2


@both_methods
@pytest.mark.parametrize("name", ["accuracy", "kappa", "S_I_norm", "completeness"])
def test_intervals_hold_the_truth_about_as_often_as_they_say(method: str, name: str) -> None:
    """1,500 items of eight classes, 150 samples: 95 % ± 3 standard errors of that share."""
    joint = spread(0.2, 3)
    truth = cf.Confusion(joint)[name]
    rng = np.random.default_rng(1)
    held = 0
    for seed in range(150):
        sample = rng.multinomial(1500, joint.ravel()).reshape(joint.shape)
        one = cf.Confusion(sample).interval(name, method=method, samples=200, seed=seed)
        held += one.low <= truth <= one.high
    assert held / 150 == pytest.approx(0.95, abs=3 * (0.95 * 0.05 / 150) ** 0.5)


def test_samples_of_several_measures_come_from_the_same_matrices() -> None:
    drawn = PEOPLE.resampled(["completeness", "false_ratio", "S_I_norm"], samples=50)
    assert drawn.shape == (50, 3)
    assert drawn[:, 2] == pytest.approx(1 - drawn[:, 0] + drawn[:, 1])


def test_large_matrices_are_drawn_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = PEOPLE.resampled("kappa", method="bootstrap", samples=100)
    monkeypatch.setattr("cranfield.tasks.classes.uncertainty._BLOCK", 30)
    assert PEOPLE.resampled("kappa", method="bootstrap", samples=100).tolist() == whole.tolist()


def test_samples_without_a_score_are_left_out_and_counted() -> None:
    rare = cf.Confusion([[1, 0], [0, 5]])
    one = rare.interval("kappa", method="bootstrap", samples=500)
    assert 0 < one.undefined < 500
    assert np.isfinite([one.low, one.high]).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "jackknife"}, "choose 'dirichlet' or 'bootstrap'"),
        ({"level": 1.0}, "between 0 and 1"),
        ({"samples": 0}, "from 1 up"),
        ({"samples": 2.5}, "samples=2.5; give a whole number"),
        ({"seed": -1}, "seed=-1; give a whole number"),
    ],
)
def test_wrong_wishes_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(cf.InputError, match=message):
        PEOPLE.interval("kappa", **options)  # type: ignore[arg-type]


def test_probabilities_have_no_uncertainty() -> None:
    with pytest.raises(cf.InputError, match="needs counts of items"):
        PEOPLE.normalised().interval("kappa")


@both_methods
@pytest.mark.parametrize("name", ["I", "S_I_norm", "completeness"])
def test_measures_that_correct_themselves_have_intervals_too(method: str, name: str) -> None:
    own = PEOPLE.interval(f"{name}(bias=miller_madow)", method=method)
    plain = PEOPLE.interval(name, method=method)
    assert own.low < own.corrected < own.high
    assert own.corrected == pytest.approx(plain.corrected, abs=0.07)
    assert own.high - own.low == pytest.approx(plain.high - plain.low, rel=0.15)


@both_methods
def test_the_interval_of_a_perfect_system_reaches_its_score_and_not_further(method: str) -> None:
    perfect = cf.Confusion(np.diag([50, 50]))
    assert perfect.interval("accuracy", method=method).high == 1
    assert perfect.interval("S_I_norm", method=method).low == 0
    information = perfect.interval("I(base=2)", method=method)
    assert information.high == 1
    assert information.corrected <= 1
