"""Shares: one number by another, where there is another."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.core.matrices import Floats, Ints


def share(part: int, whole: int) -> float | None:
    """None of nothing."""
    return part / whole if whole else None


def shares(parts: Any, wholes: Ints | Floats) -> Floats:
    """The same of arrays; NaN of nothing."""
    out = np.full(np.broadcast_shapes(np.shape(parts), wholes.shape), np.nan)
    np.divide(parts, wholes, out=out, where=wholes != 0)
    return out
