"""Sets of labels as bits: the forms they are handed over in, and NumPy's answers about them.

Bit j % 64 of word j // 64 of a row says whether concept j is in the set; bits behind the last
concept are ignored. Loops go over concepts, not items; sums over concepts are rounded once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.kernels.groups import Bools, Floats, Ints, Scores
from cranfield.kernels.sums import group_sums

Words = NDArray[np.uint64]
"""(N, W): one set in each row."""


_FEW = 256
"""Concepts up to which vectors of all costs are faster than lists of members."""


class Rules(NamedTuple):
    """What a set must not contain together, and what its members need."""

    conflicts: Words
    """(C, W): the concepts that each one may not stand beside; itself: it is never allowed."""
    needs: Words
    """(K, W): sets of alternatives."""
    starts: Ints
    """(C + 1,): concept c needs one of each of needs[starts[c] : starts[c + 1]]."""


class Checks(NamedTuple):
    """The same rules in the form that is checked fastest: most needs have no alternative."""

    conflicts: Words
    demands: Words
    """(C, W): the concepts that each one needs, all of them."""
    choices: Words
    """(K, W): sets of two or more alternatives."""
    starts: Ints
    """(C + 1,): where the choices of each concept begin."""

    @classmethod
    def of(cls, rules: Rules) -> Checks:
        owner = np.repeat(np.arange(len(rules.conflicts)), np.diff(rules.starts))
        single = np.bitwise_count(rules.needs).sum(axis=1) == 1
        demands = np.zeros_like(rules.conflicts)
        np.bitwise_or.at(demands, owner[single], rules.needs[single])
        starts = np.searchsorted(owner[~single], np.arange(len(demands) + 1))
        return cls(rules.conflicts, demands, rules.needs[~single], starts)


class Costs(NamedTuple):
    """What it costs to stand in for another concept."""

    between: Floats
    """(C, C), from a source to a target."""
    turned: Floats | None
    """(C, 64 W): the same from a target to a source, where that is small; for vectors of costs."""
    target_scale: Floats | None
    """(C,), by which the cost of a target is multiplied; likewise that of a source."""
    source_scale: Floats | None

    @classmethod
    def of(cls, costs: Floats, target_scale: Floats | None, source_scale: Floats | None) -> Costs:
        turned, concepts = None, len(costs)
        if concepts <= _FEW:
            turned = np.zeros((concepts, 64 * words_for(concepts)))
            turned[:, :concepts] = costs.T
        scales = (target_scale, source_scale)
        solid = (None if scale is None else np.ascontiguousarray(scale) for scale in scales)
        return cls(np.ascontiguousarray(costs), turned, *solid)


class Choice(NamedTuple):
    """How many of the best concepts to take from each row."""

    scores: Scores
    include: Bools | None
    """Cells that count; None = all."""
    sizes: Ints
    """(N,)"""
    order: Ints
    """The concepts, first those that win a tie."""


def words_for(concepts: int) -> int:
    """Words of a set."""
    return -(-concepts // 64)


def pack(matrix: Bools, out: Words, rows: range) -> None:
    """The sets whose members some rows of a matrix mark."""
    part = slice(rows.start, rows.stop)
    packed = np.packbits(matrix[part], axis=1, bitorder="little")
    room = np.zeros((len(rows), 8 * out.shape[1]), dtype=np.uint8)
    room[:, : packed.shape[1]] = packed
    out[part] = room.view("<u8")


def unpack(sets: Words, concepts: int) -> Bools:
    """The matrix that marks the members of sets."""
    octets = np.ascontiguousarray(sets, dtype="<u8").view(np.uint8)
    return np.unpackbits(octets, axis=1, count=concepts, bitorder="little").view(np.bool_)


def violators(sets: Words, checks: Checks, out: Words, rows: range) -> None:
    """The members of some sets that break a rule there."""
    conflicts, demands, choices, starts = checks
    part = slice(rows.start, rows.stop)
    members = unpack(sets[part], len(conflicts))
    broken = np.zeros_like(members)
    ruled = (conflicts | demands).any(axis=1) | (np.diff(starts) > 0)
    for c in np.flatnonzero(ruled & members.any(axis=0)):
        here = np.flatnonzero(members[:, c])
        beside = sets[part][here]
        bad = ((beside & conflicts[c]) | (~beside & demands[c])).any(axis=1)
        for alternatives in choices[starts[c] : starts[c + 1]]:
            bad |= ~(beside & alternatives).any(axis=1)
        broken[here, c] = bad
    pack(broken, out[part], range(len(rows)))


def nearest(sources: Words, targets: Words, costs: Costs, out: Floats, rows: range) -> None:
    """What the members of some sources cost, each replaced by its nearest target."""
    between = costs.between
    target_scale, source_scale = (np.ones(len(between)) if s is None else s for s in costs[2:])
    part = slice(rows.start, rows.stop)
    given, wanted = (unpack(sets[part], len(between)) for sets in (sources, targets))
    some = wanted.any(axis=1)
    owner, prices = np.nonzero(given)[0], np.zeros(given.shape)
    for s in np.flatnonzero(given.any(axis=0)):
        here = np.flatnonzero(given[:, s] & some)
        candidates = np.flatnonzero(wanted[here].any(axis=0))
        order = np.lexsort((-target_scale[candidates], between[s, candidates]))
        candidates = candidates[order]
        price = between[s, candidates] * target_scale[candidates] * source_scale[s]
        if len(here):
            prices[here, s] = price[wanted[np.ix_(here, candidates)].argmax(axis=1)]
    total = group_sums(prices[given], owner, len(rows))
    out[part] = np.where(some, total, np.count_nonzero(given, axis=1))


def top(choice: Choice, out: Words, hung: Bools, rows: range) -> None:
    """The best concepts of some rows, and where the order decided which."""
    part = slice(rows.start, rows.stop)
    order = choice.order
    cells = choice.scores[part][:, order]
    available = np.full(len(rows), len(order))
    if choice.include is not None:
        listed = choice.include[part][:, order]
        cells[~listed] = -np.inf
        available = np.count_nonzero(listed, axis=1)
    take = np.clip(choice.sizes[part], 0, available)
    lines = np.arange(len(rows))
    descending = np.pad(np.sort(cells, axis=1)[:, ::-1], ((0, 0), (1, 0)), constant_values=np.inf)
    limit = descending[lines, take][:, None]
    level = cells == limit
    room = take - np.count_nonzero(cells > limit, axis=1)
    chosen = np.empty_like(level)
    chosen[:, order] = (cells > limit) | (level & (np.cumsum(level, axis=1) <= room[:, None]))
    pack(chosen, out[part], range(len(rows)))
    hung[part] = np.count_nonzero(level, axis=1) > room
