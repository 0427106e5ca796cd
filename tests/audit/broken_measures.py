"""Measures that are wrong on purpose, each in one way, for the audit to find out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Array = Any
_TURNS = [0]


def accuracy(truth: Array, said: Array) -> float:
    """The share of right cells: sound."""
    return float((truth == said).mean())


def too_large(truth: Array, said: Array) -> float:
    """Twice as much as it may be."""
    return 2 * accuracy(truth, said)


def divides_by_zero(truth: Array, said: Array) -> float:
    """Fails where nothing was said."""
    return int((truth & said).sum()) / int(said.sum())


def never_quite_right(truth: Array, said: Array) -> float:
    """Perfect predictions score 0.9."""
    return 0.9 * accuracy(truth, said)


def easily_content(truth: Array, said: Array) -> float:
    """Half right is as good as right."""
    return min(1.0, 2 * accuracy(truth, said))


def never_quite_wrong(truth: Array, said: Array) -> float:
    """What is all wrong scores 0.1."""
    return 0.1 + 0.9 * accuracy(truth, said)


def strict(truth: Array, said: Array) -> float:
    """All or nothing."""
    return float((truth == said).all())


def rewards_mistakes(truth: Array, said: Array) -> float:
    """One mistake of three is worse than two."""
    wrong = int((truth != said).sum())
    return {0: 1.0, 1: 0.2, 2: 0.5}.get(wrong, 0.0) if truth.size > 2 else accuracy(truth, said)


def squared(truth: Array, said: Array) -> float:
    """Symmetric, and no metric: a detour by halves is shorter."""
    return 1 - (1 - accuracy(truth, said)) ** 2


def misses_only(truth: Array, said: Array) -> float:
    """Does not mind false labels as much as missed ones."""
    missed, false = (truth & ~said).mean(), (said & ~truth).mean()
    return float(1 - missed - 0.5 * false)


def counts_on_the_first(truth: Array, said: Array) -> float:
    """The first item counts as much as all others."""
    right = (truth == said).mean(axis=1)
    return float((right[0] + right.mean()) / 2)


def counts_on_the_first_concept(truth: Array, said: Array) -> float:
    return counts_on_the_first(truth.T, said.T)


def total(truth: Array, said: Array) -> float:
    """A sum instead of a mean."""
    return float((truth != said).sum())


def moody(truth: Array, said: Array) -> float:
    """Every call a bit more."""
    _TURNS[0] += 1
    return accuracy(truth, said) * (1 - 0.001 * (_TURNS[0] % 7))


def only_positives(truth: Array, said: Array) -> Array:
    """Unit scores: the recall of each item; NaN where there is nothing to find."""
    with np.errstate(invalid="ignore"):
        return (truth & said).sum(axis=1) / truth.sum(axis=1)


def undefined_for_silence(truth: Array, said: Array) -> float:
    """Runs that say nothing are skipped, so that saying nothing cannot harm."""
    return math.nan if not said.any() else accuracy(truth, said)


def fooled(truth: Array, said: Array) -> float:
    """Looks only at what was found, so that whoever says everything wins."""
    return float((truth & said).sum() / truth.sum()) if truth.any() else 1.0


def mean_confidence(truth: Array, said: Array) -> float:
    """How sure of what is right, although only the order should count."""
    return float(np.where(truth, said, 1 - said).mean())
