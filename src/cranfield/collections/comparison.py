"""Comparison: one truth beside one run, aligned, with everything that measures share.

Whatever several measures need (counts by item and by concept, statistics of ranked lists) is
computed once, when first asked for. Measures see aligned numbers only: which rows the run came
in, whether it is sparse, and which cells are left out is settled here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from cranfield import kernels
from cranfield.caching import cached_property
from cranfield.collections.judged_cells import Fact, Facts, JudgedCells, TruthLists
from cranfield.collections.ranked_lists import (
    Direction,
    ListedCells,
    Ordered,
    list_offsets,
    strict_scores,
)
from cranfield.core.aligned import Aligned, Topics, meet
from cranfield.core.arguments import FormerName, checked
from cranfield.core.axes import Missing
from cranfield.core.digests import canonical_order
from cranfield.core.matrices import Bools, Cells, Floats, Ints, Scores, dense
from cranfield.core.ownership import read_only
from cranfield.core.run import Run
from cranfield.core.truth import Totals, Truth, Unjudged
from cranfield.kernels import Statistic, Words
from cranfield.kernels.decisions import decide
from cranfield.kernels.label_sets import unpack
from cranfield.knowledge import Known

__all__ = ["Comparison", "Counts", "Direction", "LabelBlock"]

LookedAt = Literal["matrix", "graded", "pool", "all"]

_BLOCK = 2_000_000
"""Cells that are put in order at once."""
_KEPT = 8_000_000
"""Cells whose order is kept for the next measure."""

_Shared = TypeVar("_Shared")


@dataclass(frozen=True)
class Counts:
    """Right and wrong decisions, one entry for each unit (item or concept)."""

    tp: Ints
    fp: Ints
    fn: Ints
    tn: Ints

    @property
    def cells(self) -> Ints:
        return self.tp + self.fp + self.fn + self.tn

    def pooled(self) -> Counts:
        """One unit made of all."""
        return Counts(*(np.array([n.sum()]) for n in (self.tp, self.fp, self.fn, self.tn)))

    def read_only(self) -> Counts:
        """The same counts, in which nothing can be written."""
        return Counts(*map(read_only, (self.tp, self.fp, self.fn, self.tn)))


@dataclass(frozen=True)
class LabelBlock:
    """Label sets of some items, as matrices (n, C); only cells that count."""

    rows: slice
    true: Bools
    assigned: Bools
    counted: Bools | None
    """The cells that count; None = all."""

    def less(self, sets: Bools) -> Bools:
        """Sets without the cells that do not count."""
        return sets if self.counted is None else sets & self.counted


class Comparison:
    """A truth and a run, aligned; an open truth is joined by what only the run mentions."""

    @checked
    def __init__(
        self,
        truth: Truth,
        run: Run,
        *,
        unjudged: Unjudged | None = None,
        missing: Missing = "error",
        known: Known | None = None,
        topics: Topics | None = None,
    ) -> None:
        self.truth = truth = meet(truth, run, topics)
        self.run = run
        self.known = Known(truth.concept_axis) if known is None else known.on(truth.concept_axis)
        self.unjudged: Unjudged = unjudged or truth.unjudged
        self._missing: Missing = missing
        self._said = Aligned(truth, run, self.unjudged, missing)
        self._statistics: dict[tuple[Direction, Statistic], Floats] = {}
        self._shared: dict[Hashable, object] = {}

    def once(self, key: Hashable, compute: Callable[[], _Shared]) -> _Shared:
        """What several measures of a family share, computed for the first that asks."""
        if key not in self._shared:
            self._shared[key] = compute()
        return self._shared[key]  # type: ignore[return-value]

    def against(self, truth: Truth, unjudged: Unjudged | None = None) -> Comparison:
        """The same run beside another truth, or beside this one with other cells left out."""
        unjudged = unjudged or self.unjudged
        return Comparison(
            truth, self.run, unjudged=unjudged, missing=self._missing, known=self.known
        )

    @property
    def missing(self) -> Missing:
        """What becomes of items and concepts that the run lacks."""
        return self._missing

    def of_items(self, values: Floats) -> Floats:
        """A number of each item of the run, in the truth's order; NaN where the run lacks one."""
        return self._said.of_items(values)

    # ── totals and counts ─────────────────────────────────────────────────────────────────────

    def totals(self, direction: Direction) -> Totals:
        """Positives and negatives of each list: from the truth alone."""
        if direction == "micro":
            by_concept = self.totals("concept")
            return Totals(*(np.array([n.sum()]) for n in by_concept))
        return self.truth.totals(0 if direction == "concept" else 1, self.unjudged)

    def counts(self, direction: Direction) -> Counts:
        """Decisions counted by concept, by item, or all together."""
        if direction == "micro":
            return self.counts("concept").pooled()
        if self.run.sparse:
            return self.once(("counts", direction), lambda: self._count_cells(direction))
        return self._counts[direction]

    @cached_property
    def _counts(self) -> dict[Direction, Counts]:
        by_item, by_concept = kernels.count(self._said.decisions)
        return {
            "example": _counted(by_item, self.totals("example")),
            "concept": _counted(by_concept, self.totals("concept")),
        }

    def _count_cells(self, direction: Direction) -> Counts:
        predicted = self._said.assigned_cells
        lists = predicted.by_column if direction == "concept" else predicted.by_row
        true = self._truth_lists(direction, "matrix").lists
        met = np.flatnonzero(kernels.locate(true, lists) >= 0)
        hits = np.diff(np.searchsorted(met, true.offsets))
        return _counted(np.stack([hits, np.diff(lists.offsets)]), self.totals(direction))

    def sums_over_assigned(self, by_item: Floats) -> Floats:
        """Σ of a number of each item over the items to which each concept was assigned."""
        if self.run.sparse:
            cells = self._said.assigned_cells
            return kernels.group_sums(by_item[cells.rows], cells.columns, self.truth.shape[1])
        return self._sums(by_item, (decide(self._said.decisions, part) for part in self._parts()))

    def sums_over_true(self, by_item: Floats) -> Floats:
        """Σ of a number of each item over the items that have each concept."""
        if isinstance(self.truth.matrix, Cells):
            cells = self.truth.matrix
            added = by_item[cells.rows] * cells.values
            return kernels.group_sums(added, cells.columns, self.truth.shape[1])
        labels = self.truth.labels
        return self._sums(by_item, (labels[part] for part in self._parts()))

    def _sums(self, by_item: Floats, blocks: Iterable[Bools]) -> Floats:
        slices = np.array([np.zeros(len(by_item)), *kernels.slices(by_item, len(by_item))])
        total = np.zeros((len(slices), self.truth.shape[1]))
        for part, block in zip(self._parts(), blocks, strict=True):
            total += slices[:, part] @ block.astype(np.float64)
        return kernels.rounded(list(total))

    def _parts(self) -> Iterator[slice]:
        rows = max(1, 1_000_000 // max(1, self.truth.shape[1]))
        return (slice(a, a + rows) for a in range(0, self.truth.shape[0], rows))

    # ── sets of labels ────────────────────────────────────────────────────────────────────────

    @cached_property
    def true_sets(self) -> Words:
        """The labels that each item has, as bits; only cells that count."""
        labels = self.truth.labels
        if self.unjudged == "exclude" and self.truth.judged is not None:
            labels = labels & dense(self.truth.judged)
        return kernels.pack(labels)

    @cached_property
    def assigned_sets(self) -> Words:
        """The labels that each item was assigned, as bits; only cells that count."""
        if self.run.sparse:
            return kernels.pack(dense(self._said.assigned_cells))
        blocks = [kernels.pack(decide(self._said.decisions, part)) for part in self._parts()]
        return np.concatenate(blocks) if blocks else kernels.pack(self.truth.labels)

    def by_id(self, sets: Words) -> Words:
        """The same sets with concepts in the order of their ids: where several answers are equally
        good but for rounding, the one that is found is then the same in any order of columns."""
        order = canonical_order(self.truth.concept_axis)
        if (order[1:] > order[:-1]).all():
            return sets
        return kernels.pack(unpack(sets, len(order))[:, order])

    @cached_property
    def decided_sets(self) -> Words:
        """All labels that each item was assigned, also those that nobody judged."""
        if self._counted_sets is None:
            return self.assigned_sets
        return self.against(self.truth, unjudged="negative").assigned_sets

    @cached_property
    def _counted_sets(self) -> Words | None:
        if self.unjudged != "exclude" or self.truth.judged is None:
            return None
        return kernels.pack(dense(self.truth.judged))

    def blocks(self) -> Iterator[LabelBlock]:
        """The label sets, block after block, so that memory stays small."""
        return map(self.block, self._parts())

    def block(self, rows: slice) -> LabelBlock:
        """The label sets of some items."""
        concepts, counted = self.truth.shape[1], self._counted_sets
        return LabelBlock(
            rows,
            unpack(self.true_sets[rows], concepts),
            unpack(self.assigned_sets[rows], concepts),
            None if counted is None else unpack(counted[rows], concepts),
        )

    def by_item(self, look: Callable[[LabelBlock], Floats | Ints], numbers: int = 1) -> Floats:
        """(numbers, N): what `look` says of the label sets of each item."""
        out = np.empty((numbers, self.truth.shape[0]))
        for block in self.blocks():
            out[:, block.rows] = look(block)
        return out

    @cached_property
    def top_sets(self) -> tuple[Words, Bools]:
        """As many labels as each item has, those of the highest confidence, as bits.

        The second array says for which items concepts of equal confidence were told apart by id.
        """
        scores, include = self._said.scores, self._said.included
        if isinstance(scores, Cells):
            include = np.zeros(scores.shape, dtype=np.bool_)
            include.ravel()[scores.codes] = True
            scores = scores.dense()
        sizes = self.totals("example").positives
        by_id = np.argsort(canonical_order(self.truth.concept_axis))
        return kernels.top(scores, include, sizes, by_id)

    def confidences(self, row: int) -> dict[int, float]:
        """How sure the run is of the concepts of one item, by column; only cells that count."""
        concepts = self.truth.shape[1]
        if isinstance(self._said.scores, Cells):
            codes, values = self._said.scores.codes, self._said.scores.values
            here = codes // concepts == row
            return dict(zip((codes[here] % concepts).tolist(), values[here].tolist(), strict=True))
        scores, included = self._said.scores[row].tolist(), self._said.included
        listed = range(concepts) if included is None else np.flatnonzero(included[row]).tolist()
        return {column: scores[column] for column in listed}

    def values(self, rows: slice) -> tuple[Floats, Bools | None]:
        """What the run says of some items, as numbers, 0 where it says nothing; and which cells
        count and are mentioned (None = all)."""
        return self._said.values(rows)

    # ── ranked lists ──────────────────────────────────────────────────────────────────────────

    def ranking(self, direction: Direction, statistic: Statistic) -> Floats:
        """A statistic of the lists of one direction: by concept, by item, or of all cells."""
        if (direction, statistic) not in self._statistics:
            self.prepare(direction, [statistic])
        return self._statistics[direction, statistic]

    def prepare(self, direction: Direction, statistics: Iterable[Statistic]) -> None:
        """Compute several statistics with one ordering of the lists."""
        requested = [s for s in dict.fromkeys(statistics) if (direction, s) not in self._statistics]
        for by_id in (False, True):
            plan = [s for s in requested if (s.ties == "trec") is by_id]
            if plan:
                # Once ids have broken all ties, every rule for ties gives the same.
                strict = [s._replace(ties=kernels.TIES_OF[s.name][0]) for s in plan]
                values = self._rank(direction, strict if by_id else plan, by_id=by_id)
                for statistic, by_list in zip(plan, values, strict=True):
                    self._statistics[direction, statistic] = by_list

    def _rank(self, direction: Direction, plan: list[Statistic], *, by_id: bool) -> Floats:
        scores, truth = self._said.scores, self.truth
        if direction == "example" and not by_id and not isinstance(scores, Cells):
            totals = self.totals(direction)
            grid = kernels.Grid(scores, truth.labels, self._said.included, *totals, plan)
            return kernels.rank_rows(grid)
        has_details = truth.pool is not None or truth.grades is not None
        keep = has_details and self.offsets(direction)[-1] <= _KEPT
        return self._sort(direction, plan, by_id=by_id, keep=keep)

    def _sort(
        self, direction: Direction, plan: list[Statistic], *, by_id: bool, keep: bool
    ) -> Floats:
        """Statistics of lists, whose order may be kept for measures that look at single cells."""
        scores, totals = self._said.scores, self.totals(direction)
        if by_id or direction == "example" or isinstance(scores, Cells):
            scores, labels = (
                self._ranked_by(direction, by_id=by_id),
                self.judgements(direction, "matrix"),
            )
            strand = kernels.Strand(scores, labels, self.offsets(direction), *totals, plan)
            return kernels.rank_lists(
                strand, self._room(direction, scores, by_id) if keep else None
            )
        labels, include = self.truth.labels, self._said.included
        if direction == "micro":
            column = (-1, 1)
            scores, labels = scores.reshape(column), labels.reshape(column)
            include = None if include is None else include.reshape(column)
        grid = kernels.Grid(scores, labels, include, *totals, plan)
        return kernels.rank_columns(grid, self._room(direction, scores, by_id) if keep else None)

    def _room(self, direction: Direction, scores: Scores, by_id: bool) -> kernels.Order:
        room = kernels.Order.room(scores, len(self.offsets(direction)) - 1)
        self._shared["order", direction, by_id] = room
        return room

    def _in_order(self, direction: Direction, *, by_id: bool) -> kernels.Order:
        """All lists in order, which stays for the next measure."""
        if ("order", direction, by_id) not in self._shared:
            self._sort(direction, [], by_id=by_id, keep=True)
        return self._shared["order", direction, by_id]  # type: ignore[return-value]

    def listed(self, direction: Direction) -> ListedCells:
        """The cells that count, list after list."""
        return self.once(("listed", direction), lambda: ListedCells.of(self._said, direction))

    def judgements(self, direction: Direction, fact: Fact) -> NDArray[Any]:
        """What the truth says about each listed cell; False or 0 where it says nothing."""
        return self._facts(direction)[fact]

    told = FormerName("judgements")

    def _facts(self, direction: Direction) -> Facts:
        return self.once(("facts", direction), lambda: self._facts_of(direction))

    def _facts_of(self, direction: Direction) -> Facts:
        length = int(self.offsets(direction)[-1])
        if isinstance(self.truth.pool, Cells):  # outside of which nothing is judged
            read = partial(self._looked_at(direction, "pool").read, length=length)
            return Facts(self.truth, read, length)
        return Facts(self.truth, self.listed(direction).at, length)

    def offsets(self, direction: Direction) -> Ints:
        """Where each list begins when they stand one after the other, and where the last ends."""
        return self.once(("offsets", direction), lambda: list_offsets(self._said, direction))

    def by_list(
        self,
        direction: Direction,
        ties: str,
        look: Callable[[Ordered], Floats],
        about: LookedAt = "pool",
    ) -> Floats:
        """What `look` says of the ordered cells of each list, block after block of lists.

        about  the cells that are looked at: relevant ones ("matrix"), those of a grade above 0
               ("graded"), those of the pool, or all
        """
        if about == "graded" and self.truth.graded is self.truth.matrix:
            about = "matrix"
        out = np.empty(len(self.offsets(direction)) - 1)
        judged = self._looked_at(direction, _pooled(about, self.truth))
        for lists in judged.blocks(_BLOCK):
            out[lists] = look(self._ordered(direction, lists, about, ties == "trec"))
        return out

    def _ordered(self, direction: Direction, lists: slice, about: LookedAt, by_id: bool) -> Ordered:
        order = partial(self._order, direction, lists, about, by_id)
        if len(self._looked_at(direction, _pooled(about, self.truth)).cells) > _KEPT:
            return order()
        return self.once(("ordered", direction, lists.start, about, by_id), order)

    def _order(self, direction: Direction, lists: slice, about: LookedAt, by_id: bool) -> Ordered:
        if _pooled(about, self.truth) != about:
            pooled = self._ordered(direction, lists, "pool", by_id)
            remaining = (
                pooled.judgements("matrix")
                if about == "matrix"
                else pooled.judgements("grades") > 0
            )
            return pooled.only(remaining)
        judged, order = self._looked_at(direction, about), self._in_order(direction, by_id=by_id)
        part, own = judged.part(lists), slice(lists.start, lists.stop + 1)
        if by_id or isinstance(self._said.scores, Cells):
            scores = self._ranked_by(direction, by_id=by_id)[judged.cells[part]]
        else:
            scores = self._said.scores.ravel()[judged.codes[part]]
        here = kernels.Order(order.keys, order.spans[lists])
        bounds = kernels.bounds(here, scores, judged.offsets[own] - part.start)
        return Ordered.of(judged, lists, bounds)

    def _looked_at(self, direction: Direction, about: LookedAt) -> JudgedCells:
        return self.once(("looked at", direction, about), lambda: self._look_at(direction, about))

    def _look_at(self, direction: Direction, about: LookedAt) -> JudgedCells:
        if about == "all" or (about == "pool" and self.truth.pool is None):
            listed = self.listed(direction)
            every = np.arange(len(listed.places))
            return JudgedCells(every, listed.codes, listed.offsets, self._facts(direction), every)
        lists = self._truth_lists(direction, about)
        if isinstance(self._said.scores, Cells) or self._said.included is not None:
            listed = self.listed(direction)
            own = kernels.Lists(listed.offsets, listed.places, listed.scores)
            return JudgedCells.met(lists, kernels.locate(lists.lists, own))
        first = np.repeat(self.offsets(direction)[:-1], np.diff(lists.lists.offsets))
        return JudgedCells.met(lists, first + lists.lists.places)

    def _truth_lists(
        self, direction: Direction, about: Literal["matrix", "graded", "pool"]
    ) -> TruthLists:
        return self.truth.once(
            ("lists", direction, about), lambda: TruthLists.of(self.truth, direction, about)
        )

    def _ranked_by(self, direction: Direction, *, by_id: bool) -> Scores:
        """The scores of the listed cells; by id others of the same order, without ties."""
        listed = self.listed(direction)
        if not by_id:
            return listed.scores
        axis = self.truth.item_axis if direction == "concept" else self.truth.concept_axis
        axis.require_ids("ties=trec breaks ties by")

        def names(places: Ints) -> list[str]:
            return [axis.names[index] for index in places.tolist()]

        return self.once(("strict", direction), lambda: strict_scores(listed, names))


def _pooled(about: LookedAt, truth: Truth) -> LookedAt:
    """The cells to put in order: where there is a pool, the relevant ones come out of it."""
    return "pool" if about in ("matrix", "graded") and truth.pool is not None else about


def _counted(tallies: Ints, totals: Totals) -> Counts:
    hits, assigned = tallies
    false = assigned - hits
    return Counts(tp=hits, fp=false, fn=totals.positives - hits, tn=totals.negatives - false)
