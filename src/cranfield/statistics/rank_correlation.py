"""Rank correlation: do two measures put runs in the same order?

P pairs are put in the same order by both sides, Q in opposite ones; a pair that one side ties is in
neither. `tau` leaves such pairs out, `tau_b` counts them on the side that does not tie them.
Without ties both are Kendall's τ.

Functions work on the last axis, and compare all pairs along it at once: meant for runs, not items.
Sources: Kendall 1938; Nowak 2011 §4.6.1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.matrices import Floats


def tau(one: Any, other: Any) -> Floats:
    """(P − Q) / (P + Q); NaN where every pair is tied."""
    x, y = _orders(one), _orders(other)
    agreement = x * y
    return _ratio(agreement.sum(axis=-1), np.abs(agreement).sum(axis=-1))


def tau_b(one: Any, other: Any) -> Floats:
    """(P − Q) / √(pairs that one side does not tie · pairs that the other does not tie).

    NaN where one side is constant.
    """
    x, y = _orders(one), _orders(other)
    untied = np.abs(x).sum(axis=-1) * np.abs(y).sum(axis=-1)
    return _ratio((x * y).sum(axis=-1), np.sqrt(untied))


def _orders(given: Any) -> Floats:
    """For each pair of values, which is larger: 1, 0 or −1."""
    values = np.asarray(given, dtype=np.float64)
    first, second = np.triu_indices(values.shape[-1], k=1)
    return np.sign(values[..., first] - values[..., second])


def _ratio(above: Any, below: Any) -> Floats:
    out = np.full(np.shape(below), np.nan)
    np.divide(above, below, out=out, where=np.asarray(below) > 0)
    return out
