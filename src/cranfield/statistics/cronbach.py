"""Cronbach's α: how far the parts of a test tell the same of those who take it.

Runs take the test, concepts (or items) are its parts (Bodoff 2008). α is 1 where all parts put runs
in the same distances, about 0 where they have nothing in common: then another choice of parts would
have ranked runs otherwise. It grows with the number of parts.

Source: Cronbach 1951; intervals: Feldt 1965.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.errors import InputError


class Cronbach(NamedTuple):
    """α of a test, with an interval that holds for subjects drawn independently."""

    alpha: float
    """NaN where all subjects have the same total."""
    low: float
    high: float
    subjects: int
    parts: int


def cronbach(values: Any, *, level: float = 0.95) -> Cronbach:
    """α = m/(m − 1) · (1 − Σ var(part) / var(total)); values (subjects, m parts)."""
    scores = _required(values)
    subjects, parts = scores.shape
    if not 0.0 < level < 1.0:
        raise InputError(f"level={level:g}; give a number between 0 and 1, such as 0.95")
    alpha = float(_alpha(scores.var(axis=0, ddof=1).sum(), scores.sum(axis=1).var(ddof=1), parts))
    return Cronbach(alpha, *_interval(alpha, subjects, parts, level), subjects, parts)


def without_each(values: Any) -> Floats:
    """(parts,): α of the test without each of its parts; NaN if fewer than two are left."""
    scores = _required(values)
    parts = scores.shape[1]
    if parts < 3:
        return np.full(parts, np.nan)
    by_part = scores.var(axis=0, ddof=1)
    left = scores.sum(axis=1, keepdims=True) - scores
    return np.asarray(_alpha(by_part.sum() - by_part, left.var(axis=0, ddof=1), parts - 1))


def _alpha(by_part: Any, total: Any, parts: int) -> Any:
    # A total that differs by rounding only has no variance.
    share = np.divide(by_part, total, out=np.full(np.shape(total), np.nan), where=total > 1e-24)
    return parts / (parts - 1) * (1.0 - share)


def _interval(alpha: float, subjects: int, parts: int, level: float) -> tuple[float, float]:
    """(1 − α) / (1 − estimate) follows F with subjects − 1 and (subjects − 1)(parts − 1)."""
    from scipy.special import fdtri

    degrees = (subjects - 1, (subjects - 1) * (parts - 1))
    above, below = (fdtri(*degrees, share) for share in ((1 + level) / 2, (1 - level) / 2))
    return float(1.0 - (1.0 - alpha) * above), float(1.0 - (1.0 - alpha) * below)


def _required(values: Any) -> Floats:
    scores = np.asarray(values, dtype=np.float64)
    if scores.ndim != 2 or min(scores.shape) < 2:
        raise InputError(
            f"values have the shape {scores.shape}; α needs at least two subjects (runs) and two "
            "parts (concepts or items)"
        )
    if not np.isfinite(scores).all():
        raise InputError("some values are not finite; leave out parts that have no score")
    return scores
