"""Kernels: arrays in, arrays out. Nothing else knows which backend does the work.

Two backends give the same numbers: `reference` (NumPy) and `native` (the optional C extension,
chosen when it was built). CRANFIELD_KERNELS=numpy insists on NumPy. Kernels know nothing of
truths, runs or measures; work is shared between threads here, in blocks that bound the memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.errors import InputError
from cranfield.kernels import reference
from cranfield.kernels.assignment import pairing
from cranfield.kernels.draws import OrderedList, Times
from cranfield.kernels.environment import chosen_kernels
from cranfield.kernels.flips import Bytes, Steps
from cranfield.kernels.groups import Bools, Floats, Ints, Scores
from cranfield.kernels.label_sets import Checks, Choice, Costs, Rules, Words, words_for
from cranfield.kernels.problems import Decisions, Grid, Lists, Order, Strand
from cranfield.kernels.standings import Cuts, Kinds, Levels, SortedLists, Standings
from cranfield.kernels.statistics import ROW_STATISTICS, TIES_OF, Statistic
from cranfield.kernels.sums import ColumnSums, slices
from cranfield.kernels.threads import limited_to, share, worker_count

__all__ = [
    "ROW_STATISTICS",
    "TIES_OF",
    "ColumnSums",
    "Cuts",
    "Decisions",
    "Grid",
    "Kinds",
    "Levels",
    "Lists",
    "Order",
    "OrderedList",
    "Rules",
    "SortedLists",
    "Standings",
    "Statistic",
    "Steps",
    "Strand",
    "Words",
    "assign",
    "backend",
    "bounds",
    "column_sums",
    "count",
    "count_sides",
    "cuts",
    "examine",
    "fingerprint",
    "flip_sums",
    "group_sums",
    "limited_to",
    "list_sums",
    "locate",
    "nearest",
    "new_sums",
    "numpy_only",
    "pack",
    "rank_columns",
    "rank_draws",
    "rank_lists",
    "rank_rows",
    "row_sums",
    "running_counts",
    "share",
    "side_sums",
    "slices",
    "sorted_lists",
    "standing_sums",
    "standings",
    "tally",
    "top",
    "total",
    "violators",
    "worker_count",
]

_CELLS = 100_000
"""Cells of a block: enough work to be worth handing to a thread."""


_DRAWN = 4_000_000
"""Cells of drawn lists that NumPy holds at a time."""


def _choose() -> ModuleType:
    chosen = chosen_kernels()
    if chosen == "numpy":
        return reference
    try:
        from cranfield.kernels import native
    except ImportError:
        if chosen == "native":
            raise InputError(
                "the environment variable CRANFIELD_KERNELS is 'native', but the C extension was "
                "not built; build it, or unset the variable"
            ) from None
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


def fingerprint(array: NDArray[Any]) -> int:
    """A number that tells whether a C-contiguous array has changed since."""
    result: int = _backend.fingerprint(array)
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


def rank_columns(grid: Grid, order: Order | None = None) -> Floats:
    """Statistics of every column as a ranked list: (len(plan), C); the order is kept if asked."""
    items, concepts = grid.labels.shape
    out = np.empty((len(grid.plan), concepts))
    with limited_to(1 if grid.labels.size < _CELLS else worker_count()):
        share(
            concepts,
            column_grain(items, concepts, grid.scores.itemsize),
            lambda columns: _backend.rank_columns(grid, order, out, columns),
        )
    return out


def column_grain(items: int, concepts: int, itemsize: int) -> int:
    """Columns of a block: cache lines wide, with all threads' keys within 64 MB.

    Short columns are taken by the hundred: each block waits for its turn with the interpreter.
    """
    workers = worker_count()
    affordable = 64_000_000 // max(1, workers * items * itemsize)
    balanced = -(-concepts // (2 * workers))
    lines = max(1, _CELLS // max(1, 16 * items))
    return max(1, min(16 * lines, affordable, balanced))


def rank_rows(grid: Grid) -> Floats:
    """Statistics of every row as a ranked list: (len(plan), N); only `ROW_STATISTICS`."""
    items, concepts = grid.labels.shape
    out = np.empty((len(grid.plan), items))
    share(items, row_grain(concepts), lambda rows: _backend.rank_rows(grid, out, rows))
    return out


def row_grain(concepts: int) -> int:
    """Rows of a block."""
    return -(-_CELLS // max(1, concepts))


def rank_lists(strand: Strand, order: Order | None = None) -> Floats:
    """Statistics of every list of a strand: (len(plan), lists); the order is kept if asked."""
    lists = len(strand.offsets) - 1
    out = np.empty((len(strand.plan), lists))
    share(lists, list_grain(lists), lambda part: _backend.rank_lists(strand, order, out, part))
    return out


def list_grain(lists: int) -> int:
    """Lists of a block: some blocks for each thread, since lists differ in length."""
    return max(1, -(-lists // (4 * worker_count())))


def _share_lists(count: int, work: Callable[[range], None]) -> None:
    """Share lists between threads; all at once where there is one, since this needs no memory."""
    share(count, count if worker_count() == 1 else list_grain(count), work)


def bounds(order: Order, scores: Scores, offsets: Ints) -> Ints:
    """How many cells of a list are above some scores, and how many at or above them: (2, scores).

    Those offsets[i] … offsets[i + 1] are held against list i.
    """
    lists = len(offsets) - 1
    out = np.empty((2, len(scores)), dtype=np.int64)
    share(lists, list_grain(lists), lambda part: _backend.bounds(order, scores, offsets, out, part))
    return out


def rank_draws(lists: list[OrderedList], times: Times, statistic: Statistic) -> Floats:
    """A statistic of lists in many draws of their items: (draws, lists).

    times  (draws, N): how often each item counts
    """
    out = np.empty((len(lists), 1, len(times)))
    times = np.ascontiguousarray(times)

    def work(places: range) -> None:
        for place in places:
            step = max(1, _DRAWN // max(1, len(lists[place].items)))
            for first in range(0, len(times), step):
                part = range(first, min(first + step, len(times)))
                _backend.rank_draws(lists[place], times, [statistic], out[place], part)

    share(len(lists), 1, work)
    return np.ascontiguousarray(out[:, 0].T)


def sorted_lists(scores: Floats, relevant: Bools, offsets: Ints) -> SortedLists:
    """Lists that stand one after the other, and their order."""
    order, last = np.empty(len(scores), dtype=np.int64), np.empty(len(scores), dtype=np.bool_)
    scores = np.ascontiguousarray(scores, dtype=np.float64)
    relevant, offsets = np.ascontiguousarray(relevant), np.ascontiguousarray(offsets)
    lists, count = SortedLists(scores, relevant, offsets, order, last), len(offsets) - 1
    _share_lists(count, lambda part: _backend.sort_lists(lists, part))
    return lists


def standings(lists: SortedLists, positives: Ints) -> Standings:
    """Where all cells stand among the relevant ones of their list, of which there are so many."""
    starts = np.append(0, np.cumsum(positives + 1))
    counts, codes = np.empty(3 * starts[-1], np.int64), np.empty(len(lists.scores), np.uint32)
    found, count = Standings(starts, counts, codes), len(positives)
    _share_lists(count, lambda part: _backend.standings(lists, found, part))
    return found


def standing_sums(
    offsets: Ints,
    found: Standings,
    kinds: Kinds,
    statistic: Statistic,
    shares: Floats,
    items: Ints | None,
    sums: Floats,
    *,
    widened: bool = False,
) -> None:
    """Add to sums of items, (3, size) as `rounded` takes them: Σ over lists of share ·
    ∂statistic/∂w of the cells of each item.

    statistic  AUC, AP or AP_at_prevalence; where a list has none its share must be 0
    items      the item of each cell; None = in each list all of them in order
    widened    the cells of a kind spread as much more as all items do than such a sample
    """
    shares = np.ascontiguousarray(shares)
    kinds = Kinds._make(map(np.ascontiguousarray, kinds))
    items = None if items is None else np.ascontiguousarray(items)
    _backend.standing_sums(offsets, found, kinds, statistic, shares, items, sums, widened=widened)


def cuts(lists: SortedLists, lengths: Ints, levels: Levels, ties: str) -> Cuts:
    """Where lists reach a level.

    lengths  how many cells of each list there are to look at, from the top
    ties     grouped, best or worst
    """
    count = len(lists.offsets) - 1
    wanted, lengths, table = (
        np.stack(levels, axis=1),
        np.ascontiguousarray(lengths),
        np.zeros((count, 10)),
    )
    _share_lists(count, lambda part: _backend.cuts(lists, lengths, wanted, ties, table, part))
    return Cuts.of(table)


def count_sides(lists: SortedLists, thresholds: Floats) -> Ints:
    """(lists, 2, 3): irrelevant and relevant cells above, at and below the threshold of a list."""
    counts = np.zeros((len(thresholds), 2, 3), dtype=np.int64)
    _backend.count_sides(lists, np.ascontiguousarray(thresholds), counts)
    return counts


def side_sums(
    lists: SortedLists, thresholds: Floats, table: Floats, items: Ints | None, sums: Floats
) -> None:
    """Add to sums of items, (3, size) as `rounded` takes them: Σ over lists of a number that the
    cells of each item have by kind and side.

    table  (lists, 2, 3), as `count_sides` has them
    items  the item of each cell; None = in each list all of them in order
    """
    thresholds = np.ascontiguousarray(thresholds)
    items = None if items is None else np.ascontiguousarray(items)
    _backend.side_sums(lists, thresholds, np.ascontiguousarray(table), items, sums)


def flip_sums(values: Floats, bits: Bytes) -> Floats:
    """(rows, flips): sums over units of values (units, rows), the sign of unit u turned in flip f
    where bit u % 8 of bits[f, u // 8] is set."""
    sums: Floats = _backend.flip_sums(np.ascontiguousarray(values), np.ascontiguousarray(bits))
    return sums


def tally(sums: Floats, steps: Steps) -> Ints:
    """(pairs, 2): in how many columns of sums the distance of a pair of rows reaches its bar, and
    in how many the largest of this and all pairs before it does."""
    steps = Steps._make(map(np.ascontiguousarray, steps))
    counts: Ints = _backend.tally(np.ascontiguousarray(sums), steps)
    return counts


def locate(wanted: Lists, among: Lists) -> Ints:
    """For each cell of the wanted lists which of the other cells has its place, or -1.

    Both have the same number of lists.
    """
    wanted, among = (Lists(*map(np.ascontiguousarray, each)) for each in (wanted, among))
    lists = len(wanted.offsets) - 1
    out = np.empty(len(wanted.places), dtype=np.int64)
    share(lists, list_grain(lists), lambda part: _backend.locate(wanted, among, out, part))
    return out


def running_counts(
    owner: Ints, start: Ints, marks: Bools, *, above: bool = False
) -> NDArray[np.int32]:
    """Of cells in order, how many marked cells of its list are in or above the group of each.

    owner, start  the list of each cell, and what cells of one group have in common; both ascend
    above         only those above the group
    """
    out = np.empty(len(marks), dtype=np.int32)
    cells = map(np.ascontiguousarray, (owner, start, marks))
    _backend.running_counts(*cells, out, above=above)
    return out


def new_sums(size: int) -> ColumnSums:
    """Sums of columns that come block after block, each rounded once, at the end."""
    sums: ColumnSums = _backend.new_sums(size)
    return sums


def column_sums(matrix: Floats) -> Floats:
    """The sum of each column, rounded once."""
    sums = new_sums(matrix.shape[1])
    sums.add(np.ascontiguousarray(matrix, dtype=np.float64))
    return sums.rounded()


def row_sums(matrix: Floats, weights: Floats | None = None) -> Floats:
    """The sum along the last axis, or that of its products with weights, rounded once."""
    *shape, length = matrix.shape
    offsets = np.arange(int(np.prod(shape, dtype=np.int64)) + 1) * length
    weights = None if weights is None else np.broadcast_to(weights, matrix.shape).ravel()
    return list_sums(matrix.ravel(), offsets, weights).reshape(shape)


def list_sums(values: Floats, offsets: Ints, weights: Floats | Ints | None = None) -> Floats:
    """The sum of each list, or that of its products with weights, rounded once.

    List i is values[offsets[i] : offsets[i + 1]].
    """
    lists = len(offsets) - 1
    out = np.empty(lists)
    values, offsets = np.ascontiguousarray(values, np.float64), np.ascontiguousarray(offsets)
    factors = None if weights is None else np.ascontiguousarray(weights, np.float64)
    grain = max(1, -(-_CELLS * lists // max(1, len(values))))
    share(lists, grain, lambda part: _backend.list_sums(values, factors, offsets, out, part))
    return out


def group_sums(values: Floats, groups: Ints, size: int) -> Floats:
    """The sum of the numbers of each group, rounded once; groups are numbered from 0."""
    values, groups = np.ascontiguousarray(values, np.float64), np.ascontiguousarray(groups)
    sums: Floats = _backend.group_sums(values, groups, size)
    return sums


def rounded(parts: list[Floats]) -> Floats:
    """The sum of arrays of one shape, each number rounded once."""
    return row_sums(np.stack(parts, axis=-1))


def marked_sums(marks: Bools, numbers: Floats, where: Bools | None = None) -> Floats:
    """(n, K): for each row of marks (n, C), the sum of the marked rows of numbers (C, K), rounded
    once; 0 where it is not asked for."""
    chosen, out = marks.astype(np.float64), np.zeros((len(marks), numbers.shape[1]))
    parts = [chosen @ part for part in slices(numbers, marks.shape[1])]
    some = np.ones(out.shape, np.bool_) if where is None else where
    if parts:
        out[some] = rounded([part[some] for part in parts])
    return out


def total(values: Floats, weights: Floats | Ints | None = None) -> float:
    """The sum of all numbers, or that of their products with weights, rounded once."""
    whole = np.array([0, values.size])
    weights = None if weights is None else weights.ravel()
    return float(list_sums(values.ravel(), whole, weights)[0])


def pack(matrix: Bools) -> Words:
    """The sets whose members the rows of a matrix mark: bit j % 64 of word j // 64 is concept j."""
    items, concepts = matrix.shape
    matrix = np.ascontiguousarray(matrix)
    out = np.empty((items, words_for(concepts)), dtype=np.uint64)
    share(items, set_grain(items, concepts), lambda rows: _backend.pack(matrix, out, rows))
    return out


def violators(sets: Words, rules: Rules) -> Words:
    """The members of each set that break a rule within that set."""
    items, concepts = len(sets), len(rules.conflicts)
    assert sets.shape[1] == words_for(concepts) == rules.needs.shape[1]
    sets, checks = np.ascontiguousarray(sets), Checks.of(rules)
    out = np.empty_like(sets)
    grain = set_grain(items, concepts)
    share(items, grain, lambda rows: _backend.violators(sets, checks, out, rows))
    return out


def nearest(
    sources: Words,
    targets: Words,
    costs: Floats,
    *,
    target_scale: Floats | None = None,
    source_scale: Floats | None = None,
) -> Floats:
    """The cost of replacing each member of a source by the nearest target of its row, summed.

    A member s costs costs[s, t] · target_scale[t] · source_scale[s], where None is all ones and no
    scale is negative; of two targets equally near the one with the larger scale counts. Without a
    target it costs 1, unscaled.
    """
    problem = Costs.of(costs, target_scale, source_scale)
    return _between(sources, targets, len(costs), problem, _backend.nearest)


def assign(sources: Words, targets: Words, costs: Floats, *, unmatched: Floats) -> Floats:
    """The cost of the cheapest one-to-one assignment of the sources of a row to its targets.

    Of the larger set so many are left over as it is larger by; such a concept costs unmatched[c].
    """
    return _between(sources, targets, len(costs), pairing(costs, unmatched), _backend.assign)


def _between(
    sources: Words,
    targets: Words,
    concepts: int,
    costs: Costs | Floats,
    work: Callable[..., None],
) -> Floats:
    """A number for each pair of sets."""
    items = len(sources)
    assert sources.shape == targets.shape == (items, words_for(concepts))
    sources, targets = np.ascontiguousarray(sources), np.ascontiguousarray(targets)
    out = np.empty(items)
    share(items, set_grain(items, concepts), lambda rows: work(sources, targets, costs, out, rows))
    return out


def top(scores: Scores, include: Bools | None, sizes: Ints, places: Ints) -> tuple[Words, Bools]:
    """The sizes[i] best concepts of row i, all of them if there are fewer.

    Of concepts that tie for the last place those with the smaller `places` are taken; the second
    array says in which rows that mattered.
    """
    items, concepts = scores.shape
    order = np.argsort(places, kind="stable").astype(np.int64)
    choice = Choice(scores, include, np.ascontiguousarray(sizes, dtype=np.int64), order)
    out = np.empty((items, words_for(concepts)), dtype=np.uint64)
    hung = np.empty(items, dtype=np.bool_)
    share(items, set_grain(items, concepts), lambda rows: _backend.top(choice, out, hung, rows))
    return out, hung


def set_grain(items: int, concepts: int) -> int:
    """Sets of a block: some blocks for each thread.

    NumPy takes as many sets at once as it can unpack in 20 MB: its steps are over concepts and
    sizes of sets, and take little longer for more sets.
    """
    if _backend is reference:
        return max(1, 20_000_000 // max(1, concepts))
    workers = worker_count()
    return min(max(250, -(-items // (4 * workers if workers > 1 else 1))), 2_000)
