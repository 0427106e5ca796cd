"""Closing a truth: unjudged cells that its judgements imply are resolved, by the rules.

What was judged stays as it is. Where rules imply that a cell is positive and that it is negative,
or the opposite of what was judged, that is a contradiction: the cell is left as it was, nothing is
concluded from it, and it is reported. `propagation` says which conclusions are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.matrices import Bools, Cells, Ints, at, total
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis
from cranfield.core.run import Run
from cranfield.core.table import Column, Table
from cranfield.core.terms import Terms
from cranfield.core.truth import Truth
from cranfield.errors import InputError, several
from cranfield.knowledge.label_table import NO_CELLS, concept_ids, revised_truth
from cranfield.knowledge.propagation import KINDS, Facts, Propagation, Reasons, Tracing

if TYPE_CHECKING:
    from cranfield.knowledge.ontology import Ontology

_CELLS = 1 << 22
"""Cells that are looked at together."""
_LISTED = 20
"""Contradictions that people see."""
_KINDS = {
    "hierarchy": "hierarchy (concepts above and below)",
    "disjoint": "disjoint groups",
    "implication": "what concepts need",
    "required": "required groups",
}


class Resolved(NamedTuple):
    """Cells that were unjudged and are not any more."""

    positive: int
    negative: int


@dataclass(frozen=True, eq=False)
class Contradiction:
    """A cell that rules imply to be both, or the opposite of what was judged."""

    item: str
    concept: str
    judged: bool | None
    """Whether it was judged positive; None if nobody judged it."""
    _column: int
    _reasons: Callable[[], Reasons]

    @cached_property
    def positive(self) -> tuple[str, ...]:
        """Why it is positive: judgements and rules, each before what it leads to."""
        return self._reasons().why(self._column, True)

    @cached_property
    def negative(self) -> tuple[str, ...]:
        """Why it is negative."""
        return self._reasons().why(self._column, False)

    def __str__(self) -> str:
        return f"{self.item}, {self.concept}: {self.reason}"

    @property
    def reason(self) -> str:
        """What speaks for either side."""
        positive, negative = "; ".join(self.positive), "; ".join(self.negative)
        if self.judged is None:
            return f"positive, since {positive}; but negative, since {negative}"
        if self.judged:
            return f"judged positive, but {negative}"
        return f"judged negative, but {positive}"


@dataclass(frozen=True, eq=False)
class Closure(Analysis):
    """A truth with all that it implies, and how that was found."""

    title = "Closed truth"

    ontology: Ontology
    truth: Truth
    resolved: dict[str, Resolved]
    """By kind of rule: hierarchy, disjoint, implication, required."""
    contradictions: tuple[Contradiction, ...]
    unjudged: int
    """Cells that nobody judged and nothing resolved."""
    warnings: tuple[str, ...] = ()

    @property
    def terms(self) -> Terms:
        return self.truth.terms

    @property
    def total(self) -> Resolved:
        both = np.array([*self.resolved.values()]).sum(axis=0)
        return Resolved(*both.tolist())

    def _facts(self) -> dict[str, Any]:
        return {
            "ontology": self.ontology.name,
            "digest": self.ontology.digest,
            "resolved": {kind: cells._asdict() for kind, cells in self.resolved.items()},
            "positive": self.total.positive,
            "negative": self.total.negative,
            "unjudged": self.unjudged,
            "contradictions": [
                {
                    "item": contradiction.item,
                    "concept": contradiction.concept,
                    "judged": contradiction.judged,
                    "positive": list(contradiction.positive),
                    "negative": list(contradiction.negative),
                }
                for contradiction in self.contradictions
            ],
        }

    def _tables(self) -> list[Table]:
        counted = {_KINDS[kind]: cells for kind, cells in self.resolved.items()}
        rows = [{"resolved_by": kind, **cells._asdict()} for kind, cells in counted.items()]
        rows.append({"resolved_by": "all", **self.total._asdict()})
        numbers = (Column("positive", kind="count"), Column("negative", kind="count"))
        tables = [Table("resolved", rows, (Column("resolved_by", key=True), *numbers))]
        if self.contradictions:
            first = self.contradictions[:_LISTED]
            count = len(self.contradictions)
            tables.append(
                Table(
                    "contradictions",
                    [{"item": c.item, "concept": c.concept, "reason": c.reason} for c in first],
                    title=f"{several(count, 'contradiction')}, left as they were",
                    remarks=[f"the first {_LISTED} of {count}"] if count > _LISTED else [],
                )
            )
        return tables

    def _remarks(self) -> list[str]:
        left = f"{several(self.unjudged, 'cell')} still unjudged"
        if not sum(self.total) and not self.unjudged:
            left = "every cell was judged; to change judgements that break rules, repair them"
        return [left]


def close(
    ontology: Ontology, truth: Any, *, required: bool = False, progress: Progress = silent
) -> Closure:
    """The truth with all that its judgements imply; see `Ontology.close`."""
    if isinstance(truth, Run):
        raise InputError(
            f"close needs a truth, and {truth.name!r} is a run, in which every cell is decided; "
            "give the truth, or see repair"
        )
    checked = truth if isinstance(truth, Truth) else Truth(truth)
    work = _Work(ontology, checked, required=required)
    rows = max(1, _CELLS // max(checked.shape[1], 1))
    with progress("closing", checked.shape[0]) as step:
        for first in range(0, checked.shape[0], rows):
            last = min(first + rows, checked.shape[0])
            work.close(first, last)
            step(last - first)
    return work.closure()


@dataclass
class _Found:
    """What was found so far, by codes of cells."""

    positive: list[Ints] = field(default_factory=list)
    negative: list[Ints] = field(default_factory=list)
    contradictions: list[Ints] = field(default_factory=list)
    resolved: Ints = field(default_factory=lambda: np.zeros((len(KINDS), 2), dtype=np.int64))


class _Work:
    """Closes blocks of items and puts together what comes out."""

    def __init__(self, ontology: Ontology, truth: Truth, *, required: bool) -> None:
        self._ontology = ontology
        concepts = concept_ids(ontology, truth.concept_axis)
        constraints = ontology.constraints(concepts)
        self._truth = truth
        self._rules = Propagation(constraints, required=required)
        self._tracing = Tracing(constraints, required=required)
        self._concepts = concepts
        self._found = _Found()

    def close(self, first: int, last: int) -> None:
        """Look at the items of some rows."""
        labels = self._block(self._truth.matrix, first, last)
        judged = self._block(self._truth.judged, first, last)
        facts = self._followed(labels, judged)
        both = facts.positive & facts.negative
        torn = np.flatnonzero(both.any(axis=0))
        if len(torn):  # again, so that nothing is concluded from the cells in question
            facts.put(torn, self._followed(labels[:, torn], judged[:, torn], both[:, torn]))
        unjudged = ~judged & ~both
        positive, negative = facts.positive & unjudged, facts.negative & unjudged
        self._found.positive.append(self._codes(positive, first))
        self._found.negative.append(self._codes(negative, first))
        self._found.contradictions.append(self._codes(both, first))
        for kind in range(len(KINDS)):
            self._found.resolved[kind] += (
                np.count_nonzero(positive & (facts.said_positive == kind)),
                np.count_nonzero(negative & (facts.said_negative == kind)),
            )

    def _followed(self, labels: Bools, judged: Bools, barred: Bools | None = None) -> Facts:
        facts = Facts(labels.copy(), judged & ~labels, barred)
        self._rules.follow(facts)
        return facts

    def _codes(self, cells: Bools, first: int) -> Ints:
        rows, columns = np.nonzero(cells.T)
        return (first + rows) * self._truth.shape[1] + columns

    def closure(self) -> Closure:
        positive, negative, torn = (
            np.concatenate([NO_CELLS, *found])
            for found in (self._found.positive, self._found.negative, self._found.contradictions)
        )
        truth = revised_truth(self._truth, positive, negative)
        return Closure(
            self._ontology,
            truth,
            dict(zip(KINDS, (Resolved(*n) for n in self._found.resolved.tolist()), strict=True)),
            tuple(self._contradictions(torn)),
            0 if truth.judged is None else int(np.prod(truth.shape) - total(truth.judged, 0).sum()),
        )

    def _contradictions(self, codes: Ints) -> Iterator[Contradiction]:
        for row, cells in groupby(codes.tolist(), lambda code: code // self._truth.shape[1]):
            reasons = cache(partial(self._reasons, row))
            for code in cells:
                column = code % self._truth.shape[1]
                here = np.array([code])
                yield Contradiction(
                    self._truth.items[row],
                    self._concepts[column],
                    bool(at(self._truth.matrix, here)[0]) if self._is_judged(here) else None,
                    column,
                    reasons,
                )

    def _is_judged(self, code: Ints) -> bool:
        return self._truth.judged is None or bool(at(self._truth.judged, code)[0])

    def _reasons(self, row: int) -> Reasons:
        """Looked for only if somebody asks."""
        labels = self._block(self._truth.matrix, row, row + 1)[:, 0]
        judged = self._block(self._truth.judged, row, row + 1)[:, 0]
        positive, negative = np.flatnonzero(labels), np.flatnonzero(judged & ~labels)
        return self._tracing.reasons(positive.tolist(), negative.tolist())

    def _block(self, matrix: Bools | Cells | None, first: int, last: int) -> Bools:
        """(concepts, items): some rows, turned; all cells of no matrix."""
        width = self._truth.shape[1]
        if matrix is None:
            return np.ones((width, last - first), dtype=np.bool_)
        if not isinstance(matrix, Cells):
            return np.ascontiguousarray(matrix[first:last].T)
        here = slice(*np.searchsorted(matrix.codes, (first * width, last * width)))
        part = Cells((last - first, width), matrix.codes[here] - first * width, matrix.values[here])
        return np.ascontiguousarray(part.dense().T)
