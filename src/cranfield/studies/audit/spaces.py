"""Spaces: truths and predictions of one shape, all of them or a sample, and the table of scores.

Requirements are looked for in tables, so that a small collection is looked at as a whole: what is
perfect, what is worst, which prediction is one step better than which other. Larger collections are
drawn at random: a few truths and, for each, what is perfect, what is worst, and guesses with their
neighbours, so that every requirement has something to look at. What fails there is made smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.core.truth import Truth
from cranfield.studies.audit.kinds import Counterexample, Kind, Pair, Shape, Stack
from cranfield.studies.audit.subjects import Subject

_LARGEST = 4100
"""Pairs of one table: 2 × 3 decisions, or 4 confidences of three levels."""


@dataclass(frozen=True, eq=False)
class Space:
    """Several truths, several predictions, one shape."""

    kind: Kind
    truths: Stack
    predicted: Stack
    items: tuple[str, ...]
    concepts: tuple[str, ...]

    @cached_property
    def errors(self) -> Floats:
        """(T, S): how wrong predictions are."""
        # Steps that mend as much as they break must not seem to mend a bit.
        return np.round(self.kind.errors(self.truths, self.predicted), 9)

    @property
    def perfect(self) -> Bools:
        return np.asarray(self.errors == 0)

    @property
    def worst(self) -> Bools:
        """Wrong wherever something can be wrong."""
        most = self.kind.most(self.truths)[:, None]
        return np.asarray((self.errors == most) & (most > 0))

    @cached_property
    def steps(self) -> Ints:
        """(2, M): pairs of predictions that differ in one part."""
        near = np.triu(self.kind.differing(self.predicted) == 1)
        return np.stack(np.nonzero(near))

    @cached_property
    def twins(self) -> Ints:
        """(T,): which prediction equals each truth."""
        same = (self.truths[:, None] == self.predicted[None]).all(axis=(2, 3))
        return np.asarray(same.argmax(axis=1))

    @cached_property
    def sizes(self) -> tuple[Floats, Floats]:
        """How much each truth and each prediction says: of counterexamples, less is better."""
        stacks = (self.truths, self.predicted)
        truths, predicted = (np.asarray(stack, np.float64).sum(axis=(1, 2)) for stack in stacks)
        return truths, predicted

    def changed(self, change: Callable[[Stack], Stack], **names: Any) -> Space:
        """The same cases in another form."""
        return replace(self, truths=change(self.truths), predicted=change(self.predicted), **names)


@dataclass(frozen=True, eq=False)
class Table:
    """The scores of a space."""

    subject: Subject
    space: Space
    scores: Floats
    """(T, S); NaN = undefined."""

    @classmethod
    def of(cls, subject: Subject, space: Space) -> Table:
        rest = (space.predicted, space.items, space.concepts)
        scores = [subject.scores(truth, *rest) for truth in space.truths]
        return cls(subject, space, np.array(scores))

    @cached_property
    def merits(self) -> Floats:
        """Scores, higher = better."""
        return self.subject.sign * self.scores

    def pair(self, truth: int, predicted: int) -> Pair:
        space = self.space
        return Pair(
            space.truths[truth],
            space.predicted[predicted],
            float(self.scores[truth, predicted]),
            space.items,
            space.concepts,
        )

    @cached_property
    def lawful(self) -> Table | None:
        """The part whose truths follow the rules of the ontology; None if there is none."""
        ontology = self.subject.ontology
        assert ontology is not None
        truths, items, concepts = self.space.truths.shape
        rows = self.space.truths.reshape(-1, concepts)
        broken = ontology.violations(
            Truth(rows, concepts=self.space.concepts, items=range(len(rows)))
        )
        at_fault = {int(violation.item) // items for violation in broken}
        remaining = np.array([i for i in range(truths) if i not in at_fault], dtype=np.int64)
        if not len(remaining):
            return None
        return replace(
            self,
            space=replace(self.space, truths=self.space.truths[remaining]),
            scores=self.scores[remaining],
        )


def every_case(subject: Subject, most_cells: int) -> Iterator[Space]:
    """All cases of collections of so many cells, the smallest first, while there are few."""
    kind = subject.kind
    for cells in range(1, most_cells + 1):
        for items in range(1, cells + 1):
            concepts, rest = divmod(cells, items)
            fits = kind.least_concepts <= concepts <= subject.most_concepts
            if rest == 0 and fits and kind.count((items, concepts)) <= _LARGEST:
                yield every_case_of(subject, (items, concepts))


def every_case_of(subject: Subject, shape: Shape) -> Space:
    """All cases of one shape."""
    kind = subject.kind
    return Space(
        kind,
        kind.truths(shape),
        kind.predicted(shape),
        tuple(str(number + 1) for number in range(shape[0])),
        subject.concepts(shape[1]),
    )


# ── larger collections, and smaller counterexamples ──────────────────────────────────────────────


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
Look = Callable[[Table], Counterexample | None]
"""Looks for the smallest counterexample in a table; None = it has none."""


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
        predicted: list[Stack] = []
        for _ in range(_TRUTHS):
            truth, guess = subject.kind.draw(random, shape, float(random.choice(_SHARES)))
            truths.append(truth)
            predicted += [guess, *(subject.kind.changed(random, guess) for _ in range(_NEIGHBOURS))]
        items = tuple(str(index + 1) for index in range(shape[0]))
        yield around(subject, truths, predicted, items, subject.concepts(shape[1]))


def around(
    subject: Subject,
    truths: list[Stack],
    predicted: list[Stack],
    items: tuple[str, ...],
    concepts: tuple[str, ...],
) -> Space:
    """These truths and predictions, and what is perfect and worst beside these truths."""
    kind = subject.kind
    extremes = [kind.perfect(truth) for truth in truths]
    if kind.has_worst:
        extremes += [kind.worst(truth) for truth in truths]
    return Space(kind, np.array(truths), np.array([*extremes, *predicted]), items, concepts)


def shrunk(
    subject: Subject, look: Look, failure: Counterexample, enough: Enough, *, lawful: bool
) -> Counterexample:
    """The same failure with fewer items, concepts and labels, as far as single steps lead."""
    while not enough():
        tried = _tried(subject, look, failure, enough, lawful)
        smaller = next((left for left in tried if left is not None), None)
        if smaller is None:
            break
        failure = smaller
    return failure


def _tried(
    subject: Subject, look: Look, failure: Counterexample, enough: Enough, lawful: bool
) -> Iterator[Counterexample | None]:
    """What is left of a failure after each possible step."""
    for space in _smaller(subject, failure):
        if enough():
            return
        table: Table | None = Table.of(subject, space)
        if lawful and table is not None:
            table = table.lawful
        left = None if table is None else look(table)
        yield left if left is not None and _size(left) < _size(failure) else None


def _size(failure: Counterexample) -> tuple[int, float]:
    first = failure.pairs[0]
    predicted = sum(float(pair.truth.sum() + pair.predicted.sum()) for pair in failure.pairs)
    return first.truth.size, predicted


def _smaller(subject: Subject, failure: Counterexample) -> Iterator[Space]:
    first = failure.pairs[0]
    # Invariances end with a collection of another form, which is made again from the first.
    pairs = [pair for pair in failure.pairs if pair.items == first.items]
    pairs = [pair for pair in pairs if pair.concepts == first.concepts]
    truths, predicted = [pair.truth for pair in pairs], [pair.predicted for pair in pairs]
    for item in range(len(first.items)):
        yield from _kept(
            subject,
            [np.delete(matrix, item, axis=0) for matrix in truths],
            [np.delete(matrix, item, axis=0) for matrix in predicted],
            (*first.items[:item], *first.items[item + 1 :]),
            first.concepts,
        )
    for concept in range(len(first.concepts)):
        yield from _kept(
            subject,
            [np.delete(matrix, concept, axis=1) for matrix in truths],
            [np.delete(matrix, concept, axis=1) for matrix in predicted],
            first.items,
            (*first.concepts[:concept], *first.concepts[concept + 1 :]),
        )
    for cell in np.ndindex(first.truth.shape):
        for blanked in ((True, True), (True, False), (False, True)):
            yield from _kept(
                subject,
                [_blank(matrix, cell, blanked[0], False) for matrix in truths],
                [_blank(matrix, cell, blanked[1], subject.kind.levels[0]) for matrix in predicted],
                first.items,
                first.concepts,
            )


def _kept(
    subject: Subject,
    truths: list[Stack],
    predicted: list[Stack],
    items: tuple[str, ...],
    concepts: tuple[str, ...],
) -> Iterator[Space]:
    possible = subject.kind.possible
    if all(map(possible, truths)) and (not subject.kind.square or all(map(possible, predicted))):
        yield around(subject, truths, predicted, items, concepts)


def _blank(matrix: Stack, cell: tuple[int, ...], blanked: bool, blank: bool | float) -> Stack:
    if not blanked:
        return matrix
    other = matrix.copy()
    other[cell] = blank
    return other
