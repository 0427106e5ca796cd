"""Numbers that Holt et al. 2010 [002] and Weber's lecture [001] print about classes."""

from __future__ import annotations

import math

import numpy as np
import pytest

import cranfield as cf
from classes.holt import CLASSES, A, B, C, D

ROUNDING = 1e-12


def agrees(value: float, printed: float, unit: float) -> bool:
    return abs(value - printed) <= unit / 2 + ROUNDING


# ── [002] classifiers A to D ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("one", [A, B, C], ids=lambda one: one.name)
@pytest.mark.parametrize(
    ("name", "printed", "unit"),
    [
        ("TPR", 0.8, 0.1),
        ("FPR", 0.029, 0.001),
        ("PPV", 0.8, 0.1),
        ("NPV", 0.97, 0.01),
        ("rand", 0.95, 0.01),
        ("F", 0.8, 0.1),
        ("loss(kind=linear)", 0.925, 0.001),
        ("loss(kind=informational)", 2.30, 0.01),
        ("loss(kind=zero_one)", -0.80, 0.01),
    ],
)
def test_a_b_and_c_look_alike_by_most_measures(
    one: cf.Confusion, name: str, printed: float, unit: float
) -> None:
    assert agrees(one[name], printed, unit)


@pytest.mark.parametrize(
    ("name", "printed", "unit"),
    [
        ("TPR", 0.5, 0.1),
        ("FPR", 0.071, 0.001),
        ("PPV", 0.5, 0.1),
        ("NPV", 0.93, 0.01),
        ("rand", 0.88, 0.01),
        ("F", 0.5, 0.1),
        ("loss(kind=linear)", 1.00, 0.01),
        ("loss(kind=quadratic)", 0.8828, 0.0001),
        ("loss(kind=informational)", 2.77, 0.01),
        ("loss(kind=zero_one)", -0.50, 0.01),
        ("xi", 0.361, 0.001),
    ],
)
def test_d_is_the_worst_by_most_measures(name: str, printed: float, unit: float) -> None:
    assert agrees(D[name], printed, unit)


@pytest.mark.parametrize(
    ("one", "quadratic", "xi"), [(A, 0.8101, 0.168), (B, 0.8102, 0.147), (C, 0.8106, 0.127)]
)
def test_quadratic_loss_and_xi_tell_a_b_and_c_apart(
    one: cf.Confusion, quadratic: float, xi: float
) -> None:
    assert agrees(one["loss(kind=quadratic)"], quadratic, 0.0001)
    assert agrees(one["xi(alpha=1)"], xi, 0.001)


@pytest.mark.parametrize(("one", "printed"), [(B, 0.693), (C, 0.481)])
def test_erroneous_information_of_b_and_c(one: cf.Confusion, printed: float) -> None:
    assert agrees(one["S_I_norm"], printed, 0.001)


@pytest.mark.parametrize(("one", "printed"), [(A, 0.855), (D, 0.666)])
def test_erroneous_information_of_a_and_d_is_printed_cut_off_not_rounded(
    one: cf.Confusion, printed: float
) -> None:
    assert not agrees(one["S_I_norm"], printed, 0.001)
    assert math.floor(one["S_I_norm"] * 1000) / 1000 == printed


@pytest.mark.parametrize("one", [A, B, C, D], ids=lambda one: one.name)
def test_equations_22_to_26_say_the_same(one: cf.Confusion) -> None:
    assert one["S_I_norm"] == pytest.approx(one["S_I"] / one["H_T"], abs=1e-15)
    assert one["S_I_norm"] == pytest.approx(1 - one["completeness"] + one["false_ratio"], abs=1e-15)
    with np.errstate(divide="ignore"):
        given_said = np.log(one.counts / one.counts.sum(axis=0))
        given_true = np.log(one.counts / one.counts.sum(axis=1, keepdims=True))
    costs = np.where(one.counts > 0, -given_said - given_true, 0.0)
    assert one.loss(costs) == pytest.approx(one["S_I"], abs=1e-15)


def test_the_orders_of_the_four_by_information_and_by_xi() -> None:
    def order(name: str) -> str:
        return "".join(one.name for one in sorted((A, B, C, D), key=lambda one: one[name]))

    assert order("S_I") == order("S_I_norm") == "CDBA"
    assert order("xi") == "CBAD"


# ── [002] Table 2: what follows from the accuracy of eight equally frequent classes ───────────


@pytest.mark.parametrize(
    ("tpr", "kappa", "fpr", "rand", "linear"),
    [
        (0.466, 0.389, 7.64e-2, 0.866, 1.01),
        (0.643, 0.593, 5.09e-2, 0.911, 0.964),
        (0.786, 0.756, 3.06e-2, 0.947, 0.928),
    ],
    ids=["Savarese '07", "Savarese '08", "Farhadi '09"],
)
def test_table_2_follows_from_its_tpr(
    tpr: float, kappa: float, fpr: float, rand: float, linear: float
) -> None:
    """TPR itself is printed with three digits, so half of its last digit is allowed besides."""
    joint = np.eye(CLASSES) * tpr + (1 - np.eye(CLASSES)) * (1 - tpr) / (CLASSES - 1)
    system = cf.Confusion(joint / CLASSES)
    assert system["TPR"] == pytest.approx(tpr)
    assert abs(system["kappa"] - kappa) <= 0.0005 + 0.0005 * 8 / 7
    assert abs(system["FPR"] - fpr) <= 0.00005 + 0.0005 / 7
    assert abs(system["rand"] - rand) <= 0.0005 + 0.0005 * 2 / 8
    assert abs(system["loss"] - linear) <= 0.005 + 0.0005 / 4


@pytest.mark.parametrize(
    ("accuracy", "tpr"), [(0.468, 0.466), (0.648, 0.643), (0.782, 0.786)], ids=["07", "08", "09"]
)
def test_table_2_prints_an_accuracy_that_is_not_its_tpr(accuracy: float, tpr: float) -> None:
    """Equations 2 and 5 are the same; the row of accuracies comes from elsewhere."""
    assert accuracy != tpr
    for one in (A, B, C, D):
        assert one["accuracy"] == one["TPR"]


# ── [001] women, men and children ─────────────────────────────────────────────────────────────

PEOPLE = cf.Confusion([[13, 2, 5], [4, 15, 1], [2, 1, 57]], ["woman", "man", "child"])


def test_85_of_100_people_are_recognised() -> None:
    assert PEOPLE["accuracy"] == 0.85
    assert -PEOPLE["loss(kind=zero_one)"] == 0.85
    assert PEOPLE.total == 100


@pytest.mark.parametrize(
    ("name", "woman", "child"),
    [
        ("PPV", 0.68, 0.90),
        ("NPV", 0.91, 0.92),
        ("TPR", 0.65, 0.95),
        ("TNR", 0.93, 0.85),
        ("ACC", 0.87, 0.91),
    ],
)
def test_rates_of_women_and_children_against_the_rest(
    name: str, woman: float, child: float
) -> None:
    by_class = dict(PEOPLE.by_class().select("class", name).rows())
    assert agrees(by_class["woman"], woman, 0.01)
    assert agrees(by_class["child"], child, 0.01)
    for one in ("woman", "child"):
        assert PEOPLE.one_vs_rest(one).by_class()[name][0] == by_class[one]


def test_one_class_against_the_rest_is_the_table_of_the_lecture() -> None:
    woman = PEOPLE.one_vs_rest("woman")
    assert woman.classes == ("woman", "not woman")
    assert woman.counts.tolist() == [[13, 7], [6, 74]]
    assert PEOPLE.one_vs_rest("child").counts.tolist() == [[57, 3], [6, 34]]


CANCER_TEST = cf.Confusion([[20, 10], [180, 1820]], ["cancer", "none"])
ALWAYS_NO = cf.Confusion([[0, 30], [0, 2000]], ["cancer", "none"])
ROC = {
    "A": cf.Confusion([[95, 5], [30, 70]]),
    "B": cf.Confusion([[40, 60], [80, 20]]),
    "C": cf.Confusion([[90, 10], [70, 30]]),
    "D": cf.Confusion([[60, 40], [5, 95]]),
}


@pytest.mark.parametrize(
    ("name", "printed", "unit"),
    [
        ("PPV", 0.10, 0.01),
        ("NPV", 0.995, 0.001),
        ("TPR", 0.67, 0.01),
        ("TNR", 0.91, 0.01),
        ("ACC", 0.906, 0.001),
        ("FDR", 0.90, 0.01),
        ("FOR", 0.005, 0.001),
    ],
)
def test_rates_of_the_cancer_test(name: str, printed: float, unit: float) -> None:
    assert agrees(CANCER_TEST.by_class()[name][0], printed, unit)


def test_an_oracle_that_always_says_no_is_accurate() -> None:
    rates = ALWAYS_NO.by_class().to_dicts()[0]
    assert agrees(rates["NPV"], 0.985, 0.001)
    assert agrees(rates["ACC"], 0.985, 0.001)
    assert (rates["TPR"], rates["TNR"]) == (0, 1)


def test_the_precision_of_saying_nothing_is_undefined_class_by_class_and_0_in_the_mean() -> None:
    """The lecture prints 0 %, which is 0/0."""
    assert ALWAYS_NO.by_class()["PPV"][0] is None
    right = 2000 / 2030
    assert ALWAYS_NO["PPV"] == pytest.approx(right * right)


@pytest.mark.parametrize(
    ("system", "rates"),
    [
        ("A", {"TPR": 0.95, "FPR": 0.30, "PPV": 0.76, "NPV": 0.93, "ACC": 0.83}),
        ("B", {"TPR": 0.40, "FPR": 0.80, "PPV": 0.33, "NPV": 0.25, "ACC": 0.30}),
        ("C", {"TPR": 0.90, "FPR": 0.70, "PPV": 0.56, "NPV": 0.75, "ACC": 0.60}),
        ("D", {"TPR": 0.60, "FPR": 0.05, "PPV": 0.92, "NPV": 0.70, "ACC": 0.78}),
    ],
)
def test_rates_of_the_lectures_four_points_of_a_roc_curve(
    system: str, rates: dict[str, float]
) -> None:
    found = ROC[system].by_class().to_dicts()[0]
    for name, printed in rates.items():
        assert agrees(found[name], printed, 0.01), name
