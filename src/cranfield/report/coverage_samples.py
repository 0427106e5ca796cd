"""Clouds of what chance might have given instead of a confusion matrix, for the coverage plot.

Drawn scores of information are biased. As for intervals, they are moved so that their mean is the
corrected score, so that a cloud says the same as the table beside it.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from cranfield.report.coverage_plane import Place
from cranfield.tasks.classes import Confusion
from cranfield.tasks.classes.monte_carlo import Cloud
from cranfield.tasks.classes.uncertainty import Method


def sample_clouds(
    systems: Iterable[Confusion], *, method: Method, samples: int, seed: int
) -> list[Cloud]:
    """A cloud for each system that has a place."""
    return [_cloud(system, method, samples, seed) for system in systems if Place.of(system).known]


def _cloud(system: Confusion, method: Method, samples: int, seed: int) -> Cloud:
    names = ("false_ratio", "completeness")
    drawn = system.resampled(names, method=method, samples=samples, seed=seed)
    drawn = drawn[np.isfinite(drawn).all(axis=1)]
    if len(drawn):
        corrected = [
            system.interval(name, method=method, samples=samples, seed=seed).corrected
            for name in names
        ]
        drawn += np.array(corrected) - drawn.mean(axis=0)
    r, f = np.clip(drawn, 0.0, [np.inf, 1.0]).T
    return Cloud(system.name, system.name, None, r, f)
