"""Equivalent inputs and hierarchies: what should not change a score, and what should.

Invariances: changes of a collection that should not change its score: King 2003 asks for little
variance for equivalent inputs. Every case of a small collection is looked at, so two changes stand
for all orders of rows: the first two swapped, and all moved on by one, from which every other order
can be made.

Hierarchies: what a measure that knows one should make of it: the requirements of Kiritchenko 2005,
as told in Nowak 2011 §7.2.2. One item, one true concept, and one that was predicted instead. Label
sets do not hold what stands above: there every measure of sets would find something in common, and
nothing would be learned. A measure that widens label sets itself needs the nodes above to be
concepts, one with rules may demand those as labels: so both forms of the ontology are tried, and a
requirement holds that is met in one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import permutations

import numpy as np

from cranfield.knowledge.hierarchy import Hierarchy
from cranfield.studies.audit.kinds import Counterexample, Stack
from cranfield.studies.audit.requirements import CLOSE, Bar, Requirement, least, without_order
from cranfield.studies.audit.spaces import Space, Table
from cranfield.studies.audit.subjects import Subject, own_ontology

Form = tuple[str, Space]
"""What is different, and the same cases in this form."""
Forms = Callable[[Space, Subject], Iterator[Form]]

ITEMS, CONCEPTS = 1, 2
"""Axes of a stack."""


def _again(space: Space, subject: Subject) -> Iterator[Form]:
    yield "when asked again", space


def _orders(size: int) -> Iterator[list[int]]:
    rest = list(range(size))
    if size > 1:
        yield [1, 0, *rest[2:]]
    if size > 2:
        yield [*rest[1:], 0]


def _other_items(space: Space, subject: Subject) -> Iterator[Form]:
    for order in _orders(len(space.items)):
        names = tuple(space.items[index] for index in order)
        change = f"with items in the order {', '.join(names)}"
        yield change, space.changed(partial(np.take, indices=order, axis=ITEMS), items=names)


def _other_concepts(space: Space, subject: Subject) -> Iterator[Form]:
    for order in _orders(len(space.concepts)):
        names = tuple(space.concepts[index] for index in order)
        change = f"with concepts in the order {', '.join(names)}"
        yield change, space.changed(partial(np.take, indices=order, axis=CONCEPTS), concepts=names)


def _twice(space: Space, subject: Subject) -> Iterator[Form]:
    names = (*space.items, *(f"{name}′" for name in space.items))
    doubled = space.changed(lambda stack: np.concatenate([stack, stack], axis=ITEMS), items=names)
    yield "with every item twice", doubled


def _unused_concept(space: Space, subject: Subject) -> Iterator[Form]:
    unused = subject.spare_concept
    names = (*space.concepts, unused)
    wider = space.changed(lambda stack: _with_blank(stack, space, CONCEPTS), concepts=names)
    yield f"with concept {unused} besides", wider


def _empty_item(space: Space, subject: Subject) -> Iterator[Form]:
    names = (*space.items, "empty")
    longer = space.changed(lambda stack: _with_blank(stack, space, ITEMS), items=names)
    yield "with an empty item besides", longer


def _with_blank(stack: Stack, space: Space, axis: int) -> Stack:
    shape = list(stack.shape)
    shape[axis] = 1
    blank = space.kind.blank if stack.dtype != np.bool_ else False
    return np.concatenate([stack, np.full(shape, blank, dtype=stack.dtype)], axis=axis)


def _rescaled(space: Space, subject: Subject) -> Iterator[Form]:
    cubes = space.changed(lambda stack: stack if stack.dtype == np.bool_ else stack**3)
    yield "with other confidences in the same order", cubes


def _always(subject: Subject) -> str | None:
    return None


def _no_classes(subject: Subject) -> str | None:
    return "each item has a class" if subject.kind.name == "classes" else None


def _numbers_said(subject: Subject) -> str | None:
    predicted = subject.kind.name in ("confidences", "values")
    return None if predicted else "it does not look at confidences"


def _invariance(name: str, says: str, forms: Forms, bar: Bar = _always) -> Requirement:
    def look(table: Table) -> Counterexample | None:
        for change, form in forms(table.space, table.subject):
            other = Table.of(table.subject, form)
            apart = np.abs(other.scores - table.scores) > CLOSE
            truths, predicted = table.space.sizes
            index = least(apart, truths[:, None] + predicted[None])
            if index is not None:
                pairs = (table.pair(*index), other.pair(*index))
                return Counterexample(f"the score changes {change}", pairs)
        return None

    return Requirement(name, says, "King 2003, 6", "invariance", look, bar)


INVARIANCES = (
    _invariance("repeatable", "The same input has the same score again.", _again),
    _invariance("item order", "The order of items does not count.", _other_items),
    _invariance(
        "concept order",
        "The order of concepts does not count.",
        _other_concepts,
    ),
    _invariance(
        "duplicates",
        "A collection that holds every item twice scores the same.",
        _twice,
    ),
    _invariance(
        "unused concepts",
        "A concept that no item has and nobody assigns changes nothing.",
        _unused_concept,
    ),
    _invariance(
        "empty items",
        "An item that has no label and is assigned none changes nothing.",
        _empty_item,
        _no_classes,
    ),
    _invariance(
        "rescaling",
        "Only the order of confidences counts: cubes of them score the same.",
        _rescaled,
        _numbers_said,
    ),
)


# ── hierarchies ──────────────────────────────────────────────────────────────────────────────────


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
    predicted = subject.kind.perfect(sets)
    return Table.of(subject, Space(subject.kind, sets, predicted, ("1",), names))


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
        (stack, other)
        for stack, other in permutations(names, 2)
        if tree.ancestors[stack] == tree.ancestors[other]
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
        index = {concept: i for i, concept in enumerate(table.space.concepts)}
        for smaller, larger in mistakes(ontology.hierarchy(), ontology.concepts):
            less, more = (tuple(index[concept] for concept in pair) for pair in (smaller, larger))
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
