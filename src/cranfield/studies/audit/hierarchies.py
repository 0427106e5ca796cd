"""Hierarchies: what a measure that knows one should make of it: the requirements of Kiritchenko
2005, as told in Nowak 2011 §7.2.2.

One item, one true concept, and one that was said instead. Label sets do not hold what stands above:
there every measure of sets would find something in common, and nothing would be learned. A measure
that widens label sets itself needs the nodes above to be concepts, one with rules may demand those
as labels: so both forms of the ontology are tried, and a requirement holds that is met in one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import permutations

import numpy as np

from cranfield.knowledge.hierarchy import Hierarchy
from cranfield.studies.audit.counterexamples import Counterexample
from cranfield.studies.audit.own_ontology import own_ontology
from cranfield.studies.audit.requirements import CLOSE, Requirement, without_order
from cranfield.studies.audit.spaces import Space, Table
from cranfield.studies.audit.subjects import Subject

Mistake = tuple[str, str]
"""A true concept, and what was said instead."""
Names = tuple[str, ...]
Mistakes = Callable[[Hierarchy, Names], Iterator[tuple[Mistake, Mistake]]]
"""Pairs of mistakes, of which the first should cost less."""


def hierarchy_tables(subject: Subject) -> tuple[Table, ...]:
    """Every concept taken for every other, by both forms of the ontology."""
    return tuple(
        _mistakes(replace(subject, ontology=own_ontology(categories=categories)))
        for categories in (False, True)
    )


def _mistakes(subject: Subject) -> Table:
    assert subject.ontology is not None
    names = subject.ontology.concepts
    sets = np.eye(len(names), dtype=np.bool_)[:, None]
    said = subject.kind.perfect(sets)
    return Table.of(subject, Space(subject.kind, sets, said, ("1",), names))


def _same_branch(tree: Hierarchy, names: Names) -> Iterator[tuple[Mistake, Mistake]]:
    """A mistake within a branch, and one that leaves it."""
    for true, near, far in _alike(tree, names):
        if _top(tree, true) == _top(tree, near) != _top(tree, far):
            yield (true, near), (true, far)


def _distance(tree: Hierarchy, names: Names) -> Iterator[tuple[Mistake, Mistake]]:
    """A mistake, and one of the same true concept that is further away."""
    for true, near, far in _alike(tree, names):
        if len(tree.ancestors[true] & tree.ancestors[near]) > len(
            tree.ancestors[true] & tree.ancestors[far]
        ):
            yield (true, near), (true, far)


def _depth(tree: Hierarchy, names: Names) -> Iterator[tuple[Mistake, Mistake]]:
    """Neighbours that are mixed up further down, and others further up."""
    siblings = [
        (one, other)
        for one, other in permutations(names, 2)
        if tree.ancestors[one] == tree.ancestors[other]
    ]
    for low in siblings:
        for high in siblings:
            if len(tree.ancestors[low[0]]) > len(tree.ancestors[high[0]]):
                yield low, high


def _alike(tree: Hierarchy, names: Names) -> Iterator[tuple[str, str, str]]:
    """Three concepts that are equally deep."""
    for three in permutations(names, 3):
        if len({len(tree.ancestors[name]) for name in three}) == 1:
            yield three


def _top(tree: Hierarchy, name: str) -> str:
    """The branch that a node belongs to."""
    branch = {name, *tree.ancestors[name]}
    return next(node for node in branch if not tree.ancestors[node])


def _hierarchical(subject: Subject) -> str | None:
    return without_order(subject) or (None if subject.ontology else "it knows no hierarchy")


def _kiritchenko(name: str, says: str, mistakes: Mistakes, number: int, why: str) -> Requirement:
    def look(table: Table) -> Counterexample | None:
        ontology = table.subject.ontology
        assert ontology is not None
        place = {concept: at for at, concept in enumerate(table.space.concepts)}
        for smaller, larger in mistakes(ontology.hierarchy(), ontology.concepts):
            less, more = (tuple(place[one] for one in pair) for pair in (smaller, larger))
            if table.merits[less] <= table.merits[more] + CLOSE:
                return Counterexample(why, (table.pair(*less), table.pair(*more)))
        return None

    source = f"Kiritchenko 2005, {number}"
    return Requirement(name, says, source, "hierarchy", look, _hierarchical)


HIERARCHICAL = (
    _kiritchenko(
        "partial credit",
        "A mistake within a branch of the hierarchy costs less than one that leaves it.",
        _same_branch,
        1,
        "a mistake within the branch costs no less",
    ),
    _kiritchenko(
        "distance",
        "A mistake costs more the further away it is.",
        _distance,
        2,
        "a mistake that is nearer costs no less",
    ),
    _kiritchenko(
        "depth",
        "Mixing up neighbours costs more further up.",
        _depth,
        3,
        "a mistake further down costs no less",
    ),
)
