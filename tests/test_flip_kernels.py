"""Sums under flipped signs: both backends against the plain definition."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield import kernels
from cranfield.kernels import Steps, numpy_only

RNG = np.random.default_rng(5)
BACKENDS = ["chosen", "numpy"]


def by_definition(values: np.ndarray, bits: np.ndarray) -> np.ndarray:
    set_bits = np.unpackbits(bits, axis=1, bitorder="little", count=len(values))
    return values.T @ (1.0 - 2.0 * set_bits.T)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("units", [1, 3, 8, 9, 31, 32, 100, 2047, 2049])
def test_a_set_bit_turns_the_sign_of_its_unit(units: int, backend: str) -> None:
    values = RNG.normal(size=(units, 11))
    bits = RNG.integers(0, 256, size=(37, -(-units // 8)), dtype=np.uint8)
    if backend == "numpy":
        with numpy_only():
            got = kernels.flip_sums(values, bits)
    else:
        got = kernels.flip_sums(values, bits)
    np.testing.assert_allclose(got, by_definition(values, bits), rtol=0, atol=1e-11)


@pytest.mark.parametrize("backend", BACKENDS)
def test_tallies_count_distances_and_the_farthest_so_far(backend: str) -> None:
    sums = RNG.normal(size=(6, 501))
    first, second = np.triu_indices(6, k=1)
    scale = RNG.uniform(0.5, 2.0, size=len(first))
    bar = np.sort(RNG.uniform(0.0, 5.0, size=len(first)))
    bar[0], bar[-1] = -np.inf, np.inf
    steps = Steps(first, second, scale, bar)
    if backend == "numpy":
        with numpy_only():
            got = kernels.tally(sums, steps)
    else:
        got = kernels.tally(sums, steps)
    far = np.abs(sums[first] - sums[second]) * scale[:, None]
    farthest = np.maximum.accumulate(far, axis=0)
    assert got[:, 0].tolist() == (far >= bar[:, None]).sum(axis=1).tolist()
    assert got[:, 1].tolist() == (farthest >= bar[:, None]).sum(axis=1).tolist()
    assert got[0].tolist() == [501, 501]
    assert got[-1].tolist() == [0, 0]
