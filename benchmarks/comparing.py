"""All pairs of 73 runs over 13,000 items with 10,000 flips, against SciPy pair by pair.

The peer is timed on few flips of few pairs, and its time multiplied; p-values of these pairs are
compared first.
"""

import math
from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import permutation_test

from benchmarks.timing import Ratio, best_of
from cranfield.kernels import numpy_only
from cranfield.statistics.comparing import Pairs, resampled_p

RUNS, ITEMS, FLIPS = 73, 13_000, 10_000
_SOME_PAIRS, _SOME_FLIPS = [(0, 1), (10, 14), (3, 70)], 500
_TARGET = 0.5
"""Seconds that ours may take."""


def ratios() -> Iterator[Ratio]:
    values = _drawn()

    def ours() -> None:
        resampled_p(Pairs(values), "randomisation", FLIPS, 0)

    found = resampled_p(Pairs(values), "randomisation", FLIPS, 0).p
    places = {pair: place for place, pair in enumerate(combinations(range(RUNS), 2))}
    for pair in _SOME_PAIRS:
        p = _scipy(values, pair, _SOME_FLIPS)
        assert math.isclose(found[places[pair]], p, abs_tol=5 * math.sqrt(0.25 / _SOME_FLIPS))

    slow = seconds_of_scipy(values)
    what = f"10,000 flips of 13,000 items, all {len(places):,} pairs, with max-T"
    yield Ratio(what, "SciPy permutation_test, scaled", slow, best_of(5, ours), slow / _TARGET)
    with numpy_only():
        yield Ratio(f"{what}, NumPy only", "the same", slow, best_of(3, ours))


def _drawn() -> NDArray[np.float64]:
    """Scores of all runs and items."""
    rng = np.random.default_rng(0)
    hard = rng.beta(2, 2, ITEMS)
    steps = np.linspace(0, 0.05, RUNS)[:, None]
    return np.clip(hard + rng.normal(0, 0.15, (RUNS, ITEMS)) + steps, 0, 1)


def seconds_of_scipy(values: NDArray[np.float64]) -> float:
    """What all pairs of runs would take SciPy, judged by a few."""

    def some() -> None:
        for pair in _SOME_PAIRS:
            _scipy(values, pair, _SOME_FLIPS)

    pairs = math.comb(len(values), 2)
    return best_of(2, some) * pairs / len(_SOME_PAIRS) * FLIPS / _SOME_FLIPS


def _scipy(values: NDArray[np.float64], pair: tuple[int, int], flips: int) -> float:
    found = permutation_test(
        (values[pair[0]], values[pair[1]]),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        n_resamples=flips,
        vectorized=True,
        batch=100,
    )
    return float(found.pvalue)
