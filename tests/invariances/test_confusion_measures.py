"""What must hold for every measure of a confusion matrix, driven by the registry."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

import cranfield as cf
from invariances.registered import plain, varied

REGISTERED = [one for one in cf.measures() if one.table is not None]
ALL = [plain(one) for one in REGISTERED]
ALL += [name for one in REGISTERED for name in varied(one) if "custom" not in name]
UNCORRECTED = [name for name in ALL if "miller_madow" not in name]
"""Corrected entropies need counts, and corrected information may fall below 0."""
BLIND_TO_NAMES = [
    name
    for name in ALL
    if any(
        name.startswith(f"confusion.{word}")
        for word in ("H_", "I", "S_I", "completeness", "false_ratio")
    )
]

Matrix = NDArray[np.float64]
counts = st.integers(1, 6).flatmap(
    lambda size: arrays(np.float64, (size, size), elements=st.integers(0, 20).map(float))
)
some_counts = counts.filter(lambda matrix: bool(matrix.sum() > 0))


def same(one: float, other: float) -> bool:
    return bool(np.isclose(one, other, rtol=1e-9, atol=1e-12, equal_nan=True))


def all_same(one: cf.Confusion, other: cf.Confusion, names: list[str]) -> None:
    """All measures give the same scores; those that do not are named."""
    assert [name for name in names if not same(one[name], other[name])] == []


def named(matrix: Matrix) -> cf.Confusion:
    return cf.Confusion(matrix, [f"c{place}" for place in range(len(matrix))])


@given(matrix=some_counts, seed=st.integers(0, 1000))
def test_the_order_of_classes_does_not_matter(matrix: Matrix, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(len(matrix)), rng.permutation(len(matrix))
    turned = cf.Confusion(
        matrix[np.ix_(rows, columns)],
        [f"c{place}" for place in rows],
        said=[f"c{place}" for place in columns],
    )
    all_same(turned, named(matrix), ALL)


@given(matrix=some_counts)
def test_probabilities_score_as_the_counts_do(matrix: Matrix) -> None:
    system = named(matrix)
    all_same(system.normalised(), system, UNCORRECTED)
    all_same(named(matrix * 7), system, UNCORRECTED)


@given(matrix=some_counts)
def test_scores_stay_within_the_declared_range(matrix: Matrix) -> None:
    system = named(matrix)
    for name in UNCORRECTED:
        low, high = cf.measure(name).traits.range
        value = system[name]
        assert np.isnan(value) or low - 1e-12 <= value <= high + 1e-12, name


@given(matrices=st.lists(some_counts, min_size=3, max_size=3))
def test_a_stack_scores_as_its_matrices_do(matrices: list[Matrix]) -> None:
    size = min(map(len, matrices))
    stack = np.stack([matrix[:size, :size] for matrix in matrices])
    each = [named(matrix) for matrix in stack]
    together = each[0].table.filled(stack)
    for name in ALL:
        found = cf.measure(name).tabulate(together)
        assert found.shape == (3,)
        for value, one in zip(found, each, strict=True):
            assert same(float(value), one[name]), name


@given(matrix=some_counts)
def test_a_class_that_never_occurs_changes_nothing(matrix: Matrix) -> None:
    wider = np.zeros((len(matrix) + 1, len(matrix) + 1))
    wider[:-1, :-1] = matrix
    all_same(named(wider), named(matrix), ALL)


@given(matrix=some_counts, seed=st.integers(0, 1000))
def test_information_does_not_care_what_classes_are_called(matrix: Matrix, seed: int) -> None:
    assume(np.count_nonzero(matrix.sum(axis=1)) > 1)  # of one class, only what is right is complete
    columns = np.random.default_rng(seed).permutation(len(matrix))
    all_same(named(matrix[:, columns]), named(matrix), BLIND_TO_NAMES)


@given(matrix=some_counts, bias=st.sampled_from(["none", "miller_madow"]))
def test_the_five_information_measures_fit_together(matrix: Matrix, bias: str) -> None:
    system = named(matrix)

    def score(name: str) -> float:
        return system[f"{name}(bias={bias})"]

    joint = score("H_T") + score("H_S_given_T")
    assert same(joint, score("H_S") + score("H_T_given_S"))
    assert same(score("I"), score("H_T") + score("H_S") - joint)
    assert same(score("S_I"), score("H_T_given_S") + score("H_S_given_T"))
    f, r = score("completeness"), score("false_ratio")
    assert np.isnan(f) or same(score("S_I_norm"), 1 - f + r)
    if score("H_T") > 0 and not np.isnan(f):
        assert same(f + r, score("H_S") / score("H_T"))


@given(matrix=some_counts)
def test_only_the_perfect_system_has_no_erroneous_information(matrix: Matrix) -> None:
    one_to_one = (np.count_nonzero(matrix, axis=0) <= 1).all() and (
        np.count_nonzero(matrix, axis=1) <= 1
    ).all()
    assert (named(matrix)["S_I"] == 0) == one_to_one


@given(matrix=some_counts)
def test_by_class_and_the_weighted_rates_agree(matrix: Matrix) -> None:
    system = named(matrix)
    rows = system.by_class().to_dicts()
    for rate, name in (("TPR", "TPR"), ("PPV", "PPV"), ("F1", "F"), ("ACC", "rand")):
        mean = sum((row[rate] or 0) * row["generality"] for row in rows if row["support"])
        assert same(mean, system[name]), rate
    for row in rows:
        assert row["TP"] + row["FP"] + row["FN"] + row["TN"] == system.total
        for rate, other in (("TPR", "FNR"), ("TNR", "FPR"), ("PPV", "FDR"), ("NPV", "FOR")):
            assert row[rate] is None or same(row[rate] + row[other], 1)


def test_every_measure_of_a_matrix_declares_what_it_is() -> None:
    for one in REGISTERED:
        traits: Any = one.traits
        assert one.name.startswith("confusion.")
        assert (traits.direction, traits.merges) == ("confusion", "counts")
        assert one.formula
        assert traits.source
