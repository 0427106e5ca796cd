"""The C extension behind the same functions as `reference`.

Importing this module fails where the extension was not built.
CRANFIELD_LOOPS=baseline|avx2|avx512 insists on one set of loops.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.errors import InputError
from cranfield.kernels import _native
from cranfield.kernels import draws as plain_draws
from cranfield.kernels.decisions import threshold_like
from cranfield.kernels.draws import OrderedList, Times
from cranfield.kernels.environment import chosen_loops
from cranfield.kernels.flips import Bytes, Steps
from cranfield.kernels.groups import TIED_SHARE, Bools, Floats, Ints, Scores
from cranfield.kernels.influence import TABLES
from cranfield.kernels.label_sets import Checks, Choice, Costs, Words
from cranfield.kernels.problems import Decisions, Grid, Lists, Order, Strand
from cranfield.kernels.standings import TIES, Kinds, SortedLists, Standings
from cranfield.kernels.statistics import TIE_RULES, TIES_OF, VARIANTS, Statistic, discounts
from cranfield.kernels.sums import ColumnSums


def _loops() -> str:
    """The set of loops in use: the best one, unless somebody insists on another."""
    chosen = chosen_loops() or "best"
    try:
        return str(_native.use_loops(chosen))
    except ValueError:
        raise InputError(
            f"the environment variable CRANFIELD_LOOPS is {chosen!r}, which this machine cannot "
            "run; set it to baseline, or unset it"
        ) from None


NAME = f"native ({_loops()})"

_NAMES = tuple(TIES_OF)

_FIXED = 71
"""Words of a long fixed-point number: `Fixed` of exact.h."""


def examine(scores: Scores) -> tuple[bool, float, float]:
    if scores.size == 0:
        return True, np.nan, np.nan
    result: tuple[bool, float, float] = _native.examine(scores, scores.itemsize, 0, scores.size)
    return result


def fingerprint(array: NDArray[Any]) -> int:
    return _native.fingerprint(array)


def count(decisions: Decisions, by_item: Ints, rows: range) -> Ints:
    scores, cut, assigned, labels, include = decisions
    items, concepts = labels.shape
    by_concept = np.zeros((2, concepts), dtype=np.int64)
    limit, stride, itemsize = None, 0, 0
    if assigned is None:
        assert scores is not None
        itemsize = scores.itemsize
        limit = threshold_like(scores, cut)
        stride = concepts if limit.ndim == 2 else 0
        if limit.ndim < 2:
            limit = np.ascontiguousarray(np.broadcast_to(limit, (concepts,)))
    _native.count(
        scores, limit, stride, assigned, labels, include, itemsize,
        items, concepts, rows.start, rows.stop, by_item, by_concept,
    )  # fmt: skip
    return by_concept


def rank_columns(grid: Grid, order: Order | None, out: Floats, columns: range) -> None:
    items, concepts = grid.labels.shape
    width = len(columns)
    cells = range(columns.start * items, columns.stop * items)
    keys, spans = _room(order, grid.scores, cells, columns)
    _native.column_keys(
        grid.scores, grid.labels, grid.include, grid.scores.itemsize,
        items, concepts, columns.start, width, keys, spans,
    )  # fmt: skip
    _scan(keys, spans, grid, out, columns, keep=order is not None)
    spans[:, 0] += cells.start


def rank_lists(strand: Strand, order: Order | None, out: Floats, lists: range) -> None:
    scores, offsets = strand.scores, strand.offsets
    cells = range(*offsets[[lists.start, lists.stop]].tolist())
    keys, spans = _room(order, scores, cells, lists)
    _native.list_keys(
        scores, strand.labels, offsets, scores.itemsize, lists.start, len(lists), keys, spans
    )
    _scan(keys, spans, strand, out, lists, keep=order is not None)
    spans[:, 0] += cells.start


def bounds(order: Order, scores: Scores, offsets: Ints, out: Ints, lists: range) -> None:
    _native.bounds(
        order.keys, scores.itemsize, order.spans, lists.start, lists.stop,
        scores, len(scores), offsets, out,
    )  # fmt: skip


def locate(wanted: Lists, among: Lists, out: Ints, lists: range) -> None:
    _native.locate(
        wanted.offsets, wanted.places, among.offsets, among.places, lists.start, lists.stop, out
    )


def running_counts(
    owner: Ints, start: Ints, marks: Bools, out: NDArray[np.int32], *, above: bool
) -> None:
    _native.running_counts(owner, start, marks, above, out)


def sort_lists(lists: SortedLists, part: range) -> None:
    _native.sort_cells(lists.scores, lists.offsets, part.start, part.stop, lists.order, lists.last)


def standings(lists: SortedLists, found: Standings, part: range) -> None:
    _native.standings(*lists[1:], part.start, part.stop, *found)


def standing_sums(
    offsets: Ints,
    found: Standings,
    kinds: Kinds,
    statistic: Statistic,
    shares: Floats,
    items: Ints | None,
    out: Floats,
    *,
    widened: bool,
) -> None:
    name = statistic.name
    parameter = TIED_SHARE.get(statistic.ties, 0.5) if name == "AUC" else statistic.parameter
    _native.standing_sums(
        offsets, *found, *kinds, b"" if items is None else items,
        list(TABLES).index(name), parameter, shares, widened, out,
    )  # fmt: skip


def cuts(
    lists: SortedLists, lengths: Ints, levels: Floats, ties: str, table: Floats, part: range
) -> None:
    _native.cuts(*lists, lengths, levels, TIES.index(ties), part.start, part.stop, table)


def count_sides(lists: SortedLists, thresholds: Floats, counts: Ints) -> None:
    _native.count_sides(*lists[:3], thresholds, counts)


def side_sums(
    lists: SortedLists, thresholds: Floats, table: Floats, items: Ints | None, out: Floats
) -> None:
    _native.side_sums(*lists[:3], thresholds, table, b"" if items is None else items, out)


def rank_rows(grid: Grid, out: Floats, rows: range) -> None:
    items, concepts = grid.labels.shape
    plan = grid.plan
    _native.rank_rows(
        grid.scores, grid.labels, grid.include, grid.scores.itemsize,
        concepts, rows.start, rows.stop, grid.positives, grid.negatives,
        _requests(tuple(plan)), len(plan), _discounts(plan, concepts), out, items,
    )  # fmt: skip


def rank_draws(
    ordered: OrderedList, times: Times, plan: list[Statistic], out: Floats, draws: range
) -> None:
    if any(statistic.variant == "vertex" for statistic in plan):
        # Vertices ask for the runs of equal scores too, which are not counted in C.
        plain_draws.rank_draws(ordered, times, plan, out, draws)
        return
    marks = ordered.relevant.astype(np.uint8) | (ordered.last.astype(np.uint8) << 1)
    most = int(times.sum(axis=1).max(initial=0)) if any(s.name == "nDCG" for s in plan) else 0
    _native.rank_draws(
        ordered.items, marks, ordered.listed, times, times.shape[1], draws.start, draws.stop,
        _requests(tuple(plan)), len(plan), _discounts(plan, most), out, out.shape[1],
    )  # fmt: skip


def flip_sums(values: Floats, bits: Bytes) -> Floats:
    sums = np.zeros((len(bits), values.shape[1]))
    _native.flip_sums(values, *values.shape, bits, bits.shape[1], len(bits), sums)
    return np.ascontiguousarray(sums.T)


def tally(sums: Floats, steps: Steps) -> Ints:
    counts = np.zeros((len(steps.bar), 2), dtype=np.int64)
    farthest = np.zeros(sums.shape[1])
    _native.tally(sums, sums.shape[1], *steps, len(steps.bar), farthest, counts)
    return counts


def new_sums(size: int) -> ColumnSums:
    return _ColumnSums(size)


class _ColumnSums:
    """Long fixed-point numbers, one for each column."""

    def __init__(self, size: int) -> None:
        self._sums = np.zeros((size, _FIXED), dtype=np.int64)

    def add(self, block: Floats) -> None:
        _native.add_columns(block, *block.shape, self._sums)

    def rounded(self) -> Floats:
        out = np.empty(len(self._sums))
        _native.round_sums(self._sums.copy(), out)
        return out


def list_sums(
    values: Floats, weights: Floats | None, offsets: Ints, out: Floats, lists: range
) -> None:
    _native.list_sums(values, weights, offsets, lists.start, lists.stop, out)


def group_sums(values: Floats, groups: Ints, size: int) -> Floats:
    out = np.empty(size)
    _native.group_sums(values, groups, out)
    return out


def pack(matrix: Bools, out: Words, rows: range) -> None:
    _native.pack(matrix, matrix.shape[1], rows.start, rows.stop, out)


def violators(sets: Words, checks: Checks, out: Words, rows: range) -> None:
    _native.violators(sets, *checks, len(checks.conflicts), rows.start, rows.stop, out)


def nearest(sources: Words, targets: Words, costs: Costs, out: Floats, rows: range) -> None:
    concepts = len(costs.between)
    _native.nearest(sources, targets, *costs, concepts, rows.start, rows.stop, out)


def assign(sources: Words, targets: Words, costs: Floats, out: Floats, rows: range) -> None:
    _native.assign(sources, targets, costs, len(costs) - 1, rows.start, rows.stop, out)


def top(choice: Choice, out: Words, hung: Bools, rows: range) -> None:
    scores, include, sizes, order = choice
    concepts = scores.shape[1]
    _native.top(
        scores, include, scores.itemsize, sizes, order, concepts, rows.start, rows.stop, out, hung
    )


def _room(
    order: Order | None, scores: Scores, cells: range, lists: range
) -> tuple[NDArray[np.unsignedinteger], Ints]:
    """Where the keys and spans of some lists go: into the order that is kept, if one is."""
    kind = _key_type(scores)
    if order is None:
        return np.empty(len(cells), kind), np.empty((len(lists), 3), dtype=np.int64)
    keys, spans = order.keys.view(kind), order.spans
    return keys[cells.start : cells.stop], spans[lists.start : lists.stop]


def _scan(
    keys: NDArray[np.unsignedinteger],
    spans: Ints,
    problem: Grid | Strand,
    out: Floats,
    lists: range,
    *,
    keep: bool,
) -> None:
    """Sort every list and fill its column of `out`; `keep`: somebody looks at the keys later."""
    positives, negatives, plan = problem.positives, problem.negatives, problem.plan
    most = positives[lists.start : lists.stop].max(initial=spans[:, 1].max(initial=0))
    _native.scan(
        keys, keys.itemsize, spans, lists.start, len(lists), positives, negatives,
        _requests(tuple(plan)), len(plan), _discounts(plan, int(most)), out, out.shape[1], keep,
    )  # fmt: skip


def _key_type(scores: Scores) -> type[np.unsignedinteger]:
    return np.uint32 if scores.itemsize == 4 else np.uint64


@lru_cache(maxsize=8)
def _requests(plan: tuple[Statistic, ...]) -> Ints:
    rows = [
        (
            *(_NAMES.index(s.name), TIE_RULES.index(s.ties), s.k, VARIANTS.index(s.variant)),
            np.float64(s.parameter).view(np.int64),
        )
        for s in plan
    ]
    return np.array(rows, dtype=np.int64).reshape(-1, 5)


def _discounts(plan: Sequence[Statistic], longest: int) -> Floats:
    """Sums of discounts as far as the plan can ask for them."""
    cuts = [s.k or longest for s in plan if s.name == "nDCG"]
    return _discount_sums(min(max(cuts, default=0), longest))


@lru_cache(maxsize=4)
def _discount_sums(length: int) -> Floats:
    return discounts(length)
