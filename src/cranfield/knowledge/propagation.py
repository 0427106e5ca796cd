"""What judgements imply by the rules, for many items at once.

A rule speaks where it leaves no choice: a concept is positive if one below it is; negative if one
above it is, if another member of a disjoint group is positive, or if all that it needs is negative;
and positive if it is all that is left of what a positive concept needs. This is repeated until
nothing follows any more, so the order of rules does not matter. Matrices are (concepts, items).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.core.matrices import Bools, Ints
from cranfield.knowledge.rules import Constraints, Rule

KINDS = ("hierarchy", "disjoint", "implication", "required")
"""Of two kinds of rules that say the same at the same time, the earlier has said it."""


@dataclass
class Facts:
    """What is known about the cells of some items; a cell may be known to be both."""

    positive: Bools
    negative: Bools
    barred: Bools | None = None
    """Cells about which nothing shall be known."""

    def __post_init__(self) -> None:
        shape = self.positive.shape
        self.said_positive: NDArray[np.int8] = np.full(shape, -1, dtype=np.int8)
        """Which kind of rule made a cell positive; -1 where none did."""
        self.said_negative = self.said_positive.copy()
        if self.barred is not None:
            self.positive &= ~self.barred
            self.negative &= ~self.barred

    def put(self, items: Ints, facts: Facts) -> None:
        """Take what is known about some items from elsewhere."""
        for name in ("positive", "negative", "said_positive", "said_negative"):
            getattr(self, name)[:, items] = getattr(facts, name)

    def imply_positive(self, column: int, where: Bools) -> None:
        self.positive[column] |= self._allowed(column, where)

    def imply_negative(self, column: int, where: Bools) -> None:
        self.negative[column] |= self._allowed(column, where)

    def _allowed(self, column: int, where: Bools) -> Bools:
        return where if self.barred is None else where & ~self.barred[column]

    @property
    def count(self) -> int:
        return int(np.count_nonzero(self.positive)) + int(np.count_nonzero(self.negative))


class Propagation:
    """The rules over some columns, ready to be followed.

    required  whether groups of which one is expected are rules as well
    """

    def __init__(self, constraints: Constraints, *, required: bool) -> None:
        self._links, self._needs = _sorted_needs(constraints)
        self._groups = [
            [np.flatnonzero(member) for member in belongs.T] for _, belongs in constraints.disjoint
        ]
        expected = constraints.required if required else []
        self._required = [np.unique(columns) for _, columns in expected]

    def follow(self, facts: Facts) -> None:
        """Add everything that follows."""
        steps: tuple[tuple[Sequence[Any], Callable[[Facts], None]], ...] = (
            (self._links, self._along_links),
            (self._groups, self._in_groups),
            (self._needs, self._to_needs),
            (self._required, self._to_required),
        )
        before, now = -1, facts.count
        while now > before:
            for kind, (rules, step) in enumerate(steps):
                if rules:
                    positive, negative = facts.positive.copy(), facts.negative.copy()
                    step(facts)
                    facts.said_positive[facts.positive & ~positive] = kind
                    facts.said_negative[facts.negative & ~negative] = kind
            before, now = now, facts.count

    def _along_links(self, facts: Facts) -> None:
        for lower, upper in self._links:
            facts.imply_positive(upper, facts.positive[lower])
        for lower, upper in reversed(self._links):
            facts.imply_negative(lower, facts.negative[upper])

    def _in_groups(self, facts: Facts) -> None:
        for members in self._groups:
            there = np.array([facts.positive[columns].any(axis=0) for columns in members])
            several = there.sum(axis=0)
            for columns, here in zip(members, there, strict=True):
                others = several > here
                for column in columns.tolist():
                    facts.imply_negative(column, others)

    def _to_needs(self, facts: Facts) -> None:
        for column, enough in self._needs:
            refused = np.count_nonzero(facts.negative[enough], axis=0)
            if len(enough):
                facts.imply_negative(column, refused == len(enough))
            else:  # nothing could do, which is a contradiction where it is positive
                facts.imply_negative(column, facts.positive[column])
            _imply_last(facts, enough, refused, facts.positive[column])

    def _to_required(self, facts: Facts) -> None:
        for enough in self._required:
            refused = np.count_nonzero(facts.negative[enough], axis=0)
            _imply_last(facts, enough, refused, np.ones_like(refused, dtype=np.bool_))


def _imply_last(facts: Facts, enough: Ints, refused: Ints, needy: Bools) -> None:
    """Of several that would do, the one whose others are all negative is positive."""
    for column in enough.tolist():
        others = refused - facts.negative[column]
        facts.imply_positive(column, needy & (others == len(enough) - 1))


def _sorted_needs(
    constraints: Constraints,
) -> tuple[list[tuple[int, int]], list[tuple[int, Ints]]]:
    """Columns and the one right above, lower ones first; then columns and what else they need."""
    hierarchy = constraints.ontology.hierarchy()
    depth = {node: i for i, node in enumerate(hierarchy.order)}
    links, needs = [], []
    for rule, column, enough in constraints.implications:
        if column in enough:
            continue
        if len(rule.needs) == 1 and rule.needs[0] in hierarchy.ancestors[rule.concept]:
            links.append((column, int(enough[0])))
        else:
            needs.append((column, np.unique(enough)))
    return sorted(links, key=lambda link: -depth[constraints.concepts[link[0]]]), needs


Fact = tuple[int, bool]
"""A column, and whether it is positive."""

_WORDS = {True: "positive", False: "negative"}


class _Reason(NamedTuple):
    rule: Rule | None
    """None: somebody judged so."""
    because: tuple[Fact, ...]


class Tracing:
    """The rules over some columns; says why facts follow, for one item at a time.

    Slow and plain: only for what has to be explained.
    """

    def __init__(self, constraints: Constraints, *, required: bool) -> None:
        self._concepts = constraints.concepts
        self._groups = sorted(
            (
                (rule, [np.flatnonzero(member).tolist() for member in belongs.T])
                for rule, belongs in constraints.disjoint
            ),
            key=lambda entry: str(entry[0]),
        )
        needs: list[tuple[Rule, list[int], list[int]]] = [
            (rule, [column], sorted(set(enough.tolist())))
            for rule, column, enough in constraints.implications
            if column not in enough
        ]
        if required:
            needs += [(entry, [], sorted(set(few.tolist()))) for entry, few in constraints.required]
        self._needs = sorted(needs, key=lambda entry: str(entry[0]))

    def reasons(self, positive: Iterable[int], negative: Iterable[int]) -> Reasons:
        """Everything that follows from judgements, each by as few steps as can be."""
        reasons_of = {(column, True): _Reason(None, ()) for column in positive}
        reasons_of |= {(column, False): _Reason(None, ()) for column in negative}
        while True:
            implied: dict[Fact, _Reason] = {}
            for fact, reason in self._implied(reasons_of):
                if fact not in reasons_of:
                    implied.setdefault(fact, reason)
            if not implied:
                return Reasons(self._concepts, reasons_of)
            reasons_of |= implied

    def _implied(self, reasons_of: dict[Fact, _Reason]) -> Iterator[tuple[Fact, _Reason]]:
        for group, members in self._groups:
            there = [[c for c in columns if (c, True) in reasons_of] for columns in members]
            for i, columns in enumerate(members):
                others = [c for j, some in enumerate(there) if j != i for c in some]
                if others:
                    first = min(others, key=self._concepts.__getitem__)
                    for column in columns:
                        yield (column, False), _Reason(group, ((first, True),))
        for rule, whose, enough in self._needs:
            premises = [(column, True) for column in whose]
            together = [*premises, *((column, False) for column in enough)]  # cannot all be
            for fact in together:
                because = tuple(other for other in together if other != fact) or tuple(premises)
                if all(other in reasons_of for other in because):
                    yield (fact[0], not fact[1]), _Reason(rule, because)


class Reasons:
    """Why each fact about one item holds."""

    def __init__(self, concepts: tuple[str, ...], reasons: dict[Fact, _Reason]) -> None:
        self._concepts = concepts
        self._known = reasons

    def why(self, column: int, positive: bool) -> tuple[str, ...]:
        """Judgements and rules that lead to a fact, each before what it leads to."""
        steps: dict[str, None] = {}
        self._gather((column, positive), steps)
        return tuple(steps)

    def _gather(self, fact: Fact, steps: dict[str, None]) -> None:
        rule, because = self._known[fact]
        for premise in because:
            self._gather(premise, steps)
        judgement = f"{self._concepts[fact[0]]} is {_WORDS[fact[1]]}"
        steps[judgement if rule is None else str(rule)] = None
