"""Search: larger collections drawn at random, and counterexamples made as small as they get.

A drawn space holds a few truths and, for each, what is perfect, what is worst, and guesses with
their neighbours, so that every requirement has something to look at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from cranfield.studies.audit.counterexamples import Counterexample
from cranfield.studies.audit.kinds import Stack
from cranfield.studies.audit.requirements import Look
from cranfield.studies.audit.spaces import Space, Table
from cranfield.studies.audit.subjects import Subject

_SHAPES = (
    (2, 4),
    (5, 2),
    (3, 5),
    (8, 1),
    (1, 8),
    (12, 1),
    (6, 6),
    (4, 3),
    (20, 1),
    (1, 20),
    (9, 4),
)
_SHARES = (0.1, 0.3, 0.5, 0.8)
_TRUTHS, _NEIGHBOURS = 2, 4

Enough = Callable[[], bool]


def drawn_spaces(subject: Subject, count: int, seed: int) -> Iterator[Space]:
    """Seeded samples of larger collections."""
    fitting = [
        shape
        for shape in _SHAPES
        if subject.kind.least_concepts <= shape[1] <= subject.most_concepts
    ]
    for turn in range(count):
        random = np.random.default_rng([seed, turn])
        shape = fitting[turn % len(fitting)]
        truths: list[Stack] = []
        said: list[Stack] = []
        for _ in range(_TRUTHS):
            truth, guess = subject.kind.draw(random, shape, float(random.choice(_SHARES)))
            truths.append(truth)
            said += [guess, *(subject.kind.changed(random, guess) for _ in range(_NEIGHBOURS))]
        items = tuple(str(place + 1) for place in range(shape[0]))
        yield around(subject, truths, said, items, subject.concepts(shape[1]))


def around(
    subject: Subject,
    truths: list[Stack],
    said: list[Stack],
    items: tuple[str, ...],
    concepts: tuple[str, ...],
) -> Space:
    """These truths and predictions, and what is perfect and worst beside these truths."""
    kind = subject.kind
    extremes = [kind.perfect(truth) for truth in truths]
    if kind.has_worst:
        extremes += [kind.worst(truth) for truth in truths]
    return Space(kind, np.array(truths), np.array([*extremes, *said]), items, concepts)


def shrunk(
    subject: Subject, look: Look, found: Counterexample, enough: Enough, *, lawful: bool
) -> Counterexample:
    """The same failure with fewer items, concepts and labels, as far as single steps lead."""
    while not enough():
        smaller = next(
            (one for one in _tried(subject, look, found, enough, lawful) if one is not None), None
        )
        if smaller is None:
            break
        found = smaller
    return found


def _tried(
    subject: Subject, look: Look, found: Counterexample, enough: Enough, lawful: bool
) -> Iterator[Counterexample | None]:
    """What is left of a failure after each possible step."""
    for space in _smaller(subject, found):
        if enough():
            return
        table: Table | None = Table.of(subject, space)
        if lawful and table is not None:
            table = table.lawful
        left = None if table is None else look(table)
        yield left if left is not None and _size(left) < _size(found) else None


def _size(found: Counterexample) -> tuple[int, float]:
    first = found.pairs[0]
    said = sum(float(pair.truth.sum() + pair.said.sum()) for pair in found.pairs)
    return first.truth.size, said


def _smaller(subject: Subject, found: Counterexample) -> Iterator[Space]:
    first = found.pairs[0]
    # Invariances end with a collection of another form, which is made again from the first.
    pairs = [pair for pair in found.pairs if pair.items == first.items]
    pairs = [pair for pair in pairs if pair.concepts == first.concepts]
    truths, said = [pair.truth for pair in pairs], [pair.said for pair in pairs]
    for item in range(len(first.items)):
        yield from _kept(
            subject,
            [np.delete(one, item, axis=0) for one in truths],
            [np.delete(one, item, axis=0) for one in said],
            (*first.items[:item], *first.items[item + 1 :]),
            first.concepts,
        )
    for concept in range(len(first.concepts)):
        yield from _kept(
            subject,
            [np.delete(one, concept, axis=1) for one in truths],
            [np.delete(one, concept, axis=1) for one in said],
            first.items,
            (*first.concepts[:concept], *first.concepts[concept + 1 :]),
        )
    for cell in np.ndindex(first.truth.shape):
        for blanked in ((True, True), (True, False), (False, True)):
            yield from _kept(
                subject,
                [_blank(one, cell, blanked[0], False) for one in truths],
                [_blank(one, cell, blanked[1], subject.kind.levels[0]) for one in said],
                first.items,
                first.concepts,
            )


def _kept(
    subject: Subject,
    truths: list[Stack],
    said: list[Stack],
    items: tuple[str, ...],
    concepts: tuple[str, ...],
) -> Iterator[Space]:
    possible = subject.kind.possible
    if all(map(possible, truths)) and (not subject.kind.square or all(map(possible, said))):
        yield around(subject, truths, said, items, concepts)


def _blank(matrix: Stack, cell: tuple[int, ...], wanted: bool, blank: bool | float) -> Stack:
    if not wanted:
        return matrix
    other = matrix.copy()
    other[cell] = blank
    return other
