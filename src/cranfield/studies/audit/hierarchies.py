"""Hierarchies: what a measure that knows one should make of it: the requirements of Kiritchenko
2005, as told in Nowak 2011 §7.2.2.

One item, one true concept and one that was said instead, each with all that stands above it. The
concepts of a comparison are equally deep, so that label sets are of equal size, except where depth
itself is the question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations

import numpy as np

from cranfield.knowledge.hierarchy import Hierarchy
from cranfield.studies.audit.counterexamples import Counterexample
from cranfield.studies.audit.requirements import CLOSE, Requirement, worded
from cranfield.studies.audit.spaces import Space, Table
from cranfield.studies.audit.subjects import Subject

Mistake = tuple[str, str]
"""A true concept, and what was said instead."""
Mistakes = Callable[[Hierarchy], Iterator[tuple[Mistake, Mistake]]]
"""Pairs of mistakes, of which the first should cost less."""


def hierarchy_table(subject: Subject) -> Table:
    """Every concept of the ontology, with all that stands above it, taken for every other."""
    ontology = subject.ontology
    assert ontology is not None
    names, above = ontology.concepts, ontology.hierarchy().ancestors
    sets = np.array([[[one == name or one in above[name] for one in names]] for name in names])
    said = subject.kind.perfect(sets)
    return Table.of(subject, Space(subject.kind, sets, said, ("1",), names))


def _same_branch(tree: Hierarchy) -> Iterator[tuple[Mistake, Mistake]]:
    """A mistake within a branch, and one that leaves it."""
    for true, near, far in _alike(tree):
        if _top(tree, true) == _top(tree, near) != _top(tree, far):
            yield (true, near), (true, far)


def _distance(tree: Hierarchy) -> Iterator[tuple[Mistake, Mistake]]:
    """A mistake, and one of the same true concept that is further away."""
    for true, near, far in _alike(tree):
        if len(tree.ancestors[true] & tree.ancestors[near]) > len(
            tree.ancestors[true] & tree.ancestors[far]
        ):
            yield (true, near), (true, far)


def _depth(tree: Hierarchy) -> Iterator[tuple[Mistake, Mistake]]:
    """Neighbours that are mixed up further down, and others further up."""
    siblings = [
        (one, other)
        for one, other in permutations(tree.parents, 2)
        if tree.ancestors[one] == tree.ancestors[other]
    ]
    for low in siblings:
        for high in siblings:
            if len(tree.ancestors[low[0]]) > len(tree.ancestors[high[0]]):
                yield low, high


def _alike(tree: Hierarchy) -> Iterator[tuple[str, str, str]]:
    """Three concepts that are equally deep."""
    for names in permutations(tree.parents, 3):
        if len({len(tree.ancestors[name]) for name in names}) == 1:
            yield names


def _top(tree: Hierarchy, name: str) -> str:
    """The branch that a node belongs to."""
    branch = {name, *tree.ancestors[name]}
    return next(node for node in branch if not tree.ancestors[node])


def _hierarchical(subject: Subject) -> str | None:
    return worded(subject) or (None if subject.ontology else "it knows no hierarchy")


def _kiritchenko(name: str, says: str, mistakes: Mistakes, number: int, why: str) -> Requirement:
    def look(table: Table) -> Counterexample | None:
        ontology = table.subject.ontology
        assert ontology is not None
        place = {concept: at for at, concept in enumerate(table.space.concepts)}
        for smaller, larger in mistakes(ontology.hierarchy()):
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
