"""Sums are rounded once: whatever is added, in whatever order, in C and in NumPy."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cranfield import kernels
from cranfield.kernels import numpy_only

Floats = NDArray[np.float64]

ANY = st.floats(allow_nan=True, allow_infinity=True)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
CLOSE = st.floats(-2.0, 2.0)
HALFWAY = st.sampled_from([1.0, -1.0, *(s * 2.0**-p for s in (1, -1) for p in (53, 54, 105, 106))])
EXTREME = st.sampled_from([1.7e308, -1.7e308, 1e308, 5e-324, -5e-324, 2.3e-308, 0.0, -0.0, 1.0])
NUMBERS = st.one_of(
    *(st.lists(kind, max_size=70) for kind in (ANY, FINITE, CLOSE, HALFWAY, EXTREME))
)


def rounded(exact: Fraction) -> float:
    try:
        return float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


def sum_of(values: Iterable[float]) -> float:
    """By the rules of fractions, and of what is not finite."""
    numbers = list(map(float, values))
    if not all(map(math.isfinite, numbers)):
        return sum(number for number in numbers if not math.isfinite(number))
    return rounded(sum(map(Fraction, numbers), Fraction()))


def bits(values: Any) -> bytes:
    """Of numbers; all that are none count as equal."""
    array = np.atleast_1d(np.asarray(values, dtype=np.float64))
    return np.where(np.isnan(array), np.nan, array).tobytes()


def both(compute: Callable[[], Any]) -> bytes:
    """What both backends say, which is the same."""
    found = bits(compute())
    with numpy_only():
        assert bits(compute()) == found
    return found


@given(NUMBERS, st.randoms())
def test_a_sum_is_the_double_nearest_to_the_exact_one_in_any_order(
    values: list[float], random: Any
) -> None:
    wanted = bits(sum_of(values))
    assert both(lambda: kernels.total(np.array(values, dtype=np.float64))) == wanted
    random.shuffle(values)
    assert both(lambda: kernels.total(np.array(values, dtype=np.float64))) == wanted


@pytest.mark.parametrize("spread", [0, 5, 60, 300])
@pytest.mark.parametrize("length", [3, 255, 256, 1000, 20_011])
def test_long_sums_are_as_exact_as_short_ones(length: int, spread: int) -> None:
    rng = np.random.default_rng(length + spread)
    values = rng.standard_normal(length) * np.exp2(rng.integers(-spread, spread + 1, length))
    assert both(lambda: kernels.total(values)) == bits(math.fsum(values))
    nothing = np.concatenate([values, -values[rng.permutation(length)]])
    assert both(lambda: kernels.total(nothing)) == bits(0.0)


@pytest.mark.parametrize("rows", [0, 1, 2, 70, 400])
@pytest.mark.parametrize("columns", [1, 3, 32, 33, 70])
def test_rows_columns_and_groups_are_summed_as_lists_are(rows: int, columns: int) -> None:
    rng = np.random.default_rng(rows + 1000 * columns)
    matrix = rng.standard_normal((rows, columns)) * np.exp2(rng.integers(-90, 90, (rows, columns)))
    groups = rng.integers(0, 5, matrix.size)
    flat = matrix.ravel()
    assert both(lambda: kernels.row_sums(matrix)) == bits(list(map(sum_of, matrix)))
    assert both(lambda: kernels.column_sums(matrix)) == bits(list(map(sum_of, matrix.T)))
    in_groups = [sum_of(flat[groups == group]) for group in range(6)]
    assert both(lambda: kernels.group_sums(flat, groups, 6)) == bits(in_groups)


@pytest.mark.parametrize("size", [1, 7, 100])
def test_columns_that_come_in_blocks_are_rounded_at_the_end(size: int) -> None:
    matrix = np.random.default_rng(size).standard_normal((500, 3)) ** 9

    def in_blocks() -> Floats:
        sums = kernels.new_sums(3)
        for first in range(0, len(matrix), size):
            sums.add(matrix[first : first + size])
        return sums.rounded()

    assert both(in_blocks) == bits(list(map(sum_of, matrix.T)))


@given(st.lists(st.tuples(st.floats(-1e150, 1e150), CLOSE), max_size=40))
def test_weighted_sums_have_exact_products(pairs: list[tuple[float, float]]) -> None:
    # Products below 2^-960 have no error that a double could hold.
    pairs = [(a, b) for a, b in pairs if a * b == 0 or abs(a * b) > 2.0**-900]
    values, weights = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
    exact = sum((Fraction(a) * Fraction(b) for a, b in pairs if a * b), Fraction())
    assert both(lambda: kernels.total(values, weights)) == bits(rounded(exact))


@given(st.lists(FINITE, min_size=1, max_size=30))
def test_slices_add_up_to_the_numbers_and_their_sums_are_exact(numbers: list[float]) -> None:
    values = np.ldexp(np.array(numbers), -40)
    parts = list(kernels.slices(values, len(values)))
    for place, value in enumerate(values.tolist()):
        assert sum((Fraction(float(part[place])) for part in parts), Fraction()) == Fraction(value)
    for part in parts:
        assert Fraction(float(part.sum())) == sum(map(Fraction, part.tolist()), Fraction())


def test_a_group_beyond_the_last_is_refused() -> None:
    with pytest.raises(IndexError):
        kernels.group_sums(np.ones(3), np.array([0, 1, 2]), 2)
