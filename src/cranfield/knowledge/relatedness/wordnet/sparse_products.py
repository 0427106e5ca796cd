"""Products of rows that are mostly zeros: X·diag(w)·Xᵀ without a library for sparse matrices."""

from __future__ import annotations

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.knowledge.relatedness.wordnet.database import Rows

_FREQUENT = 64
"""Rows that share a column from which on it is cheaper to multiply it as if it had no zeros."""
_COLUMNS = 2048


def gram(rows: Rows, columns: Rows, values: Floats, weights: Floats, size: int) -> Floats:
    """(size, size) products of all pairs of rows.

    rows, columns, values  of the entries that are not 0, each cell once
    weights                of columns
    """
    order = np.argsort(columns, kind="stable")
    rows, columns, values = rows[order], columns[order], values[order]
    frequent = np.bincount(columns, minlength=len(weights))[columns] > _FREQUENT
    product = _dense(rows[frequent], columns[frequent], values[frequent], weights, size)
    rare = ~frequent
    _add_pairs(product, rows[rare], columns[rare], values[rare], weights)
    return product


def _dense(rows: Rows, columns: Rows, values: Floats, weights: Floats, size: int) -> Floats:
    used, places = np.unique(columns, return_inverse=True)
    product = np.zeros((size, size))
    for first in range(0, len(used), _COLUMNS):
        here = (places >= first) & (places < first + _COLUMNS)
        block = np.zeros((size, min(_COLUMNS, len(used) - first)))
        block[rows[here], places[here] - first] = values[here]
        product += (block * weights[used[first : first + _COLUMNS]]) @ block.T
    return product


def _add_pairs(product: Floats, rows: Rows, columns: Rows, values: Floats, weights: Floats) -> None:
    """Add what entries of one column contribute; they stand together."""
    np.add.at(product, (rows, rows), values * values * weights[columns])
    for gap in range(1, _FREQUENT):
        pairs = np.flatnonzero(columns[gap:] == columns[:-gap])
        one, other = pairs, pairs + gap
        shares = values[one] * values[other] * weights[columns[one]]
        np.add.at(product, (rows[one], rows[other]), shares)
        np.add.at(product, (rows[other], rows[one]), shares)
