"""Invariances: changes of a collection that should not change its score: King 2003 asks for little
variance for equivalent inputs.

Every case of a small collection is looked at, so two changes stand for all orders of rows: the
first two swapped, and all moved on by one, from which every other order can be made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from cranfield.studies.audit.counterexamples import Counterexample
from cranfield.studies.audit.kinds import Stack
from cranfield.studies.audit.requirements import CLOSE, Bar, Requirement, least
from cranfield.studies.audit.spaces import Space, Table
from cranfield.studies.audit.subjects import Subject

Form = tuple[str, Space]
"""What is different, and the same cases in this form."""
Forms = Callable[[Space, Subject], Iterator[Form]]

ITEMS, CONCEPTS = 1, 2
"""Axes of a stack."""


def _again(space: Space, subject: Subject) -> Iterator[Form]:
    yield "when asked again", space


def _orders(size: int) -> Iterator[list[int]]:
    places = list(range(size))
    if size > 1:
        yield [1, 0, *places[2:]]
    if size > 2:
        yield [*places[1:], 0]


def _other_items(space: Space, subject: Subject) -> Iterator[Form]:
    for order in _orders(len(space.items)):
        names = tuple(space.items[place] for place in order)
        told = f"with items in the order {', '.join(names)}"
        yield told, space.changed(partial(np.take, indices=order, axis=ITEMS), items=names)


def _other_concepts(space: Space, subject: Subject) -> Iterator[Form]:
    for order in _orders(len(space.concepts)):
        names = tuple(space.concepts[place] for place in order)
        told = f"with concepts in the order {', '.join(names)}"
        yield told, space.changed(partial(np.take, indices=order, axis=CONCEPTS), concepts=names)


def _twice(space: Space, subject: Subject) -> Iterator[Form]:
    names = (*space.items, *(f"{name}′" for name in space.items))
    doubled = space.changed(lambda one: np.concatenate([one, one], axis=ITEMS), items=names)
    yield "with every item twice", doubled


def _unused_concept(space: Space, subject: Subject) -> Iterator[Form]:
    spare = subject.spare_concept
    names = (*space.concepts, spare)
    wider = space.changed(lambda one: _with_blank(one, space, CONCEPTS), concepts=names)
    yield f"with concept {spare} besides", wider


def _empty_item(space: Space, subject: Subject) -> Iterator[Form]:
    names = (*space.items, "empty")
    longer = space.changed(lambda one: _with_blank(one, space, ITEMS), items=names)
    yield "with an empty item besides", longer


def _with_blank(stack: Stack, space: Space, axis: int) -> Stack:
    shape = list(stack.shape)
    shape[axis] = 1
    blank = space.kind.blank if stack.dtype != np.bool_ else False
    return np.concatenate([stack, np.full(shape, blank, dtype=stack.dtype)], axis=axis)


def _rescaled(space: Space, subject: Subject) -> Iterator[Form]:
    cubes = space.changed(lambda one: one if one.dtype == np.bool_ else one**3)
    yield "with other confidences in the same order", cubes


def _always(subject: Subject) -> str | None:
    return None


def _no_classes(subject: Subject) -> str | None:
    return "each item has a class" if subject.kind.name == "classes" else None


def _numbers_said(subject: Subject) -> str | None:
    said = subject.kind.name in ("confidences", "values")
    return None if said else "it does not look at confidences"


def _invariance(name: str, says: str, forms: Forms, bar: Bar = _always) -> Requirement:
    def look(table: Table) -> Counterexample | None:
        for told, form in forms(table.space, table.subject):
            other = Table.of(table.subject, form)
            apart = np.abs(other.scores - table.scores) > CLOSE
            truths, said = table.space.sizes
            found = least(apart, truths[:, None] + said[None])
            if found is not None:
                pairs = (table.pair(*found), other.pair(*found))
                return Counterexample(f"the score changes {told}", pairs)
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
