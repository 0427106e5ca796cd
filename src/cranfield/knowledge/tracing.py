"""Why something follows from the judgements of an item: the rules on the way, one after another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from cranfield.knowledge.constraints import Constraints
from cranfield.knowledge.rules import Rule

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
            key=lambda one: str(one[0]),
        )
        needs: list[tuple[Rule, list[int], list[int]]] = [
            (rule, [column], sorted(set(enough.tolist())))
            for rule, column, enough in constraints.implications
            if column not in enough
        ]
        if required:
            needs += [(one, [], sorted(set(few.tolist()))) for one, few in constraints.required]
        self._needs = sorted(needs, key=lambda one: str(one[0]))

    def reasons(self, positive: Iterable[int], negative: Iterable[int]) -> Reasons:
        """Everything that follows from judgements, each by as few steps as can be."""
        known = {(column, True): _Reason(None, ()) for column in positive}
        known |= {(column, False): _Reason(None, ()) for column in negative}
        while True:
            found: dict[Fact, _Reason] = {}
            for fact, reason in self._implied(known):
                if fact not in known:
                    found.setdefault(fact, reason)
            if not found:
                return Reasons(self._concepts, known)
            known |= found

    def _implied(self, known: dict[Fact, _Reason]) -> Iterator[tuple[Fact, _Reason]]:
        for group, members in self._groups:
            there = [[c for c in columns if (c, True) in known] for columns in members]
            for i, columns in enumerate(members):
                others = [c for j, some in enumerate(there) if j != i for c in some]
                if others:
                    first = min(others, key=self._concepts.__getitem__)
                    for column in columns:
                        yield (column, False), _Reason(group, ((first, True),))
        for rule, whose, enough in self._needs:
            asked = [(column, True) for column in whose]
            together = [*asked, *((column, False) for column in enough)]  # cannot all be
            for one in together:
                because = tuple(other for other in together if other != one) or tuple(asked)
                if all(other in known for other in because):
                    yield (one[0], not one[1]), _Reason(rule, because)


class Reasons:
    """Why each fact about one item holds."""

    def __init__(self, concepts: tuple[str, ...], known: dict[Fact, _Reason]) -> None:
        self._concepts = concepts
        self._known = known

    def why(self, column: int, positive: bool) -> tuple[str, ...]:
        """Judgements and rules that lead to a fact, each before what it leads to."""
        steps: dict[str, None] = {}
        self._gather((column, positive), steps)
        return tuple(steps)

    def _gather(self, fact: Fact, steps: dict[str, None]) -> None:
        rule, because = self._known[fact]
        for premise in because:
            self._gather(premise, steps)
        said = f"{self._concepts[fact[0]]} is {_WORDS[fact[1]]}"
        steps[said if rule is None else str(rule)] = None
