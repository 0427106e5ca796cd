"""Small truths with gaps, and every completion of them: what bounds are held against."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator

import numpy as np

import cranfield as cf


def gappy(
    seed: int, *, items: int = 4, concepts: int = 4, unknown: int = 7, ties: bool = False
) -> tuple[cf.Truth, cf.Run]:
    """A random truth of which some cells are unjudged, and a run of confidences."""
    random = np.random.default_rng(seed)
    shape = (items, concepts)
    labels = random.random(shape) < random.choice([0.15, 0.4, 0.8])
    judged = np.ones(items * concepts, dtype=bool)
    judged[random.permutation(items * concepts)[:unknown]] = False
    judged = judged.reshape(shape)
    scores = random.random(shape)
    if ties:
        scores = np.round(scores * 3) / 3
    truth = cf.Truth(labels & judged, judged=judged, concepts=list("abcdefghij")[:concepts])
    run = cf.Run(scores=scores, threshold=0.5, name="it", concepts=list("abcdefghij")[:concepts])
    return truth, run


def completions(truth: cf.Truth) -> Iterator[cf.Truth]:
    """Every truth that the unjudged cells may lead to."""
    labels, unknown = truth.labels, np.argwhere(truth.states < 0)
    for said in itertools.product([False, True], repeat=len(unknown)):
        full = labels.copy()
        full[tuple(unknown.T)] = said
        yield cf.Truth(full, items=truth.item_axis.ids, concepts=truth.concept_axis.ids)


def reached(truth: cf.Truth, run: cf.Run, names: list[str], **known: object) -> dict[str, tuple]:
    """By brute force: the lowest and highest score by each measure, and of each unit."""
    values: dict[str, list[float]] = {name: [] for name in names}
    units: dict[str, list[np.ndarray]] = {name: [] for name in names}
    for full in completions(truth):
        result = cf.evaluate(full, run, names, **known)
        for name in names:
            values[name].append(result["it", name])
            units[name].append(result.score("it", name).by_unit)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {
            name: (
                np.nanmin(values[name]),
                np.nanmax(values[name]),
                np.nanmin(units[name], axis=0),
                np.nanmax(units[name], axis=0),
            )
            for name in names
        }


def assert_exact(bounds: cf.statistics.Bounds, brute: dict[str, tuple]) -> None:
    for name, (lowest, highest, low, high) in brute.items():
        bound = bounds["it", name]
        assert bound.exact, name
        assert np.allclose([bound.lower, bound.upper], [lowest, highest], equal_nan=True), name
        if bound.measure.traits.direction != "micro":
            assert np.allclose(bound.low, low, equal_nan=True), name
            assert np.allclose(bound.high, high, equal_nan=True), name


def assert_valid(bounds: cf.statistics.Bounds, brute: dict[str, tuple]) -> None:
    for name, (lowest, highest, low, high) in brute.items():
        bound = bounds["it", name]
        assert bound.lower <= lowest + 1e-12, name
        assert bound.upper >= highest - 1e-12, name
        seen = ~np.isnan(low)
        assert (bound.low[seen] <= low[seen] + 1e-12).all(), name
        assert (bound.high[seen] >= high[seen] - 1e-12).all(), name
