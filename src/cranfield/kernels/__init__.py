"""Kernels: arrays in, arrays out. Nothing else knows which backend does the work.

Two backends give the same numbers: `reference` (NumPy) and `native` (the optional C extension,
chosen when it was built). CRANFIELD_KERNELS=numpy insists on NumPy. Kernels know nothing of
truths, runs or measures; work is shared between threads here, in blocks that bound the memory.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

import numpy as np

from cranfield.kernels import reference
from cranfield.kernels.groups import Floats, Ints, Scores
from cranfield.kernels.problems import Decisions, Grid, Strand
from cranfield.kernels.statistics import ROW_STATISTICS, TIES_OF, Statistic
from cranfield.kernels.threads import limited_to, share, worker_count

__all__ = [
    "ROW_STATISTICS",
    "TIES_OF",
    "Decisions",
    "Grid",
    "Statistic",
    "Strand",
    "backend",
    "count",
    "examine",
    "limited_to",
    "numpy_only",
    "rank_columns",
    "rank_lists",
    "rank_rows",
    "share",
    "worker_count",
]

_CELLS = 100_000
"""Cells of a block: enough work to be worth handing to a thread."""


def _choose() -> ModuleType:
    if os.environ.get("CRANFIELD_KERNELS", "") == "numpy":
        return reference
    try:
        from cranfield.kernels import native
    except ImportError:
        return reference
    return native


_backend = _choose()


def backend() -> str:
    """Name of the backend in use."""
    return str(_backend.NAME)


@contextmanager
def numpy_only() -> Iterator[None]:
    """Use the NumPy backend within the block, whatever was built."""
    global _backend
    before, _backend = _backend, reference
    try:
        yield
    finally:
        _backend = before


def examine(scores: Scores) -> tuple[bool, float, float]:
    """Whether all scores are finite, and their range."""
    result: tuple[bool, float, float] = _backend.examine(scores)
    return result


def count(decisions: Decisions) -> tuple[Ints, Ints]:
    """Hits and assigned labels, by item (2, N) and by concept (2, C)."""
    items, concepts = decisions.labels.shape
    by_item = np.zeros((2, items), dtype=np.int64)
    parts: list[Ints] = [np.zeros((2, concepts), dtype=np.int64)]

    def work(rows: range) -> None:
        parts.append(_backend.count(decisions, by_item, rows))

    share(items, row_grain(concepts), work)
    return by_item, np.sum(parts, axis=0)


def rank_columns(grid: Grid) -> Floats:
    """Statistics of every column as a ranked list: (len(plan), C)."""
    items, concepts = grid.labels.shape
    out = np.empty((len(grid.plan), concepts))
    with limited_to(1 if grid.labels.size < _CELLS else worker_count()):
        share(
            concepts,
            column_grain(items, concepts, grid.scores.itemsize),
            lambda columns: _backend.rank_columns(grid, out, columns),
        )
    return out


def column_grain(items: int, concepts: int, itemsize: int) -> int:
    """Columns of a block: a cache line wide, with all threads' keys within 64 MB."""
    workers = worker_count()
    affordable = 64_000_000 // max(1, workers * items * itemsize)
    balanced = -(-concepts // (2 * workers))
    return max(1, min(16, affordable, balanced))


def rank_rows(grid: Grid) -> Floats:
    """Statistics of every row as a ranked list: (len(plan), N); only `ROW_STATISTICS`."""
    items, concepts = grid.labels.shape
    out = np.empty((len(grid.plan), items))
    share(items, row_grain(concepts), lambda rows: _backend.rank_rows(grid, out, rows))
    return out


def row_grain(concepts: int) -> int:
    """Rows of a block."""
    return -(-_CELLS // max(1, concepts))


def rank_lists(strand: Strand) -> Floats:
    """Statistics of every list of a strand: (len(plan), lists)."""
    lists = len(strand.offsets) - 1
    out = np.empty((len(strand.plan), lists))
    grain = max(1, -(-lists // (4 * worker_count())))
    share(lists, grain, lambda part: _backend.rank_lists(strand, out, part))
    return out
