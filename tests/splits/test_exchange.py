"""Items change places until small parts have the frequencies of the whole."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield as cf
from cranfield.collections.splits.labels import Labels
from cranfield.collections.splits.stratification import exchange

FREQUENCIES = [0.45, 0.32, 0.29, 0.28, 0.25, 0.02]


def drawn(seed: int, items: int = 600) -> np.ndarray:
    return np.random.default_rng(seed).random((items, len(FREQUENCIES))) < FREQUENCIES


@pytest.mark.parametrize("seed", range(5))
def test_no_concept_is_off_by_more_than_an_item_or_two(seed: int) -> None:
    labels = drawn(seed)
    split = cf.split(labels, [0.7, 0.3], seed=seed)
    tested = labels[split.items_of("test")].sum(axis=0)
    assert np.abs(tested - 0.3 * labels.sum(axis=0)).max() < 2


def test_exchanges_keep_sizes_and_lessen_differences() -> None:
    matrix = drawn(7)
    labels = Labels(matrix, np.arange(600), np.arange(6))
    parts = np.repeat(np.arange(3, dtype=np.int32), 200)[np.argsort(~matrix[:, 0])]
    before = parts.copy()
    exchange(labels, parts, np.full(3, 1 / 3))
    assert np.bincount(parts).tolist() == [200, 200, 200]

    def differences(of: np.ndarray) -> float:
        counts = np.array([matrix[of == part].sum(axis=0) for part in range(3)])
        return float(((counts - matrix.sum(axis=0) / 3) ** 2).sum())

    assert differences(parts) < 0.05 * differences(before)


def test_what_is_even_stays_as_it_is() -> None:
    matrix = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], dtype=bool)
    parts = np.array([0, 1, 0, 1], dtype=np.int32)
    exchange(Labels(matrix, np.arange(4), np.arange(2)), parts, np.full(2, 0.5))
    assert parts.tolist() == [0, 1, 0, 1]
