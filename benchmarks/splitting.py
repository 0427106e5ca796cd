"""Stratified folds against iterative-stratification, which knows the first order only."""

from collections.abc import Iterator

import numpy as np
from iterstrat.ml_stratifiers import MultilabelStratifiedKFold
from numpy.typing import NDArray

import cranfield as cf
from benchmarks import workloads
from benchmarks.timing import Ratio, best_of

FOLDS = 5


def ratios() -> Iterator[Ratio]:
    million = workloads.million().labels
    for name, labels, times in (("100,000 × 100", million[:100_000], 3), ("1M × 100", million, 3)):
        truth = cf.Truth(labels)
        peer = "iterative-stratification"
        theirs: list[NDArray[np.int64]] = []
        seconds = best_of(1, lambda labels=labels, theirs=theirs: theirs.append(_peer(labels)))
        for order in (1, 2):
            split = cf.folds(truth, FOLDS, order=order)
            if order == 1:
                # Equal but for the draw; exact sizes are ours alone.
                assert _difference(truth, split.assignment) < 1.5 * _difference(truth, theirs[0])
            ours = best_of(
                times, lambda truth=truth, order=order: cf.folds(truth, FOLDS, order=order)
            )
            yield Ratio(f"{FOLDS} stratified folds, order {order}, {name}", peer, seconds, ours)


def _peer(labels: NDArray[np.bool_]) -> NDArray[np.int64]:
    folds = MultilabelStratifiedKFold(FOLDS, shuffle=True, random_state=0)
    assignment = np.empty(len(labels), dtype=np.int64)
    for fold, (_, test) in enumerate(folds.split(labels, labels)):
        assignment[test] = fold
    return assignment


def _difference(truth: cf.Truth, assignment: NDArray[np.int64]) -> float:
    """Mean difference of the frequencies of concepts from those of the whole."""
    shares = {str(fold): 1 / FOLDS for fold in range(FOLDS)}
    return float(cf.collections.SplitReport(truth, shares, assignment).differences.mean())
