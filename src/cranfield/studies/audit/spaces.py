"""Spaces: truths and predictions of one shape, all of them or a sample, and the table of scores.

Requirements are looked for in tables, so that a small collection is looked at as a whole: what is
perfect, what is worst, which prediction is one step better than which other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.core.truth import Truth
from cranfield.studies.audit.counterexamples import Pair
from cranfield.studies.audit.kinds import Kind, Shape, Stack
from cranfield.studies.audit.subjects import Subject

_LARGEST = 4100
"""Pairs of one table: 2 × 3 decisions, or 4 confidences of three levels."""


@dataclass(frozen=True, eq=False)
class Space:
    """Several truths, several predictions, one shape."""

    kind: Kind
    truths: Stack
    said: Stack
    items: tuple[str, ...]
    concepts: tuple[str, ...]

    @cached_property
    def errors(self) -> Floats:
        """(T, S): how wrong predictions are."""
        # Steps that mend as much as they break must not seem to mend a bit.
        return np.round(self.kind.errors(self.truths, self.said), 9)

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
        near = np.triu(self.kind.differing(self.said) == 1)
        return np.stack(np.nonzero(near))

    @cached_property
    def twins(self) -> Ints:
        """(T,): which prediction equals each truth."""
        same = (self.truths[:, None] == self.said[None]).all(axis=(2, 3))
        return np.asarray(same.argmax(axis=1))

    @cached_property
    def sizes(self) -> tuple[Floats, Floats]:
        """How much each truth and each prediction says: of counterexamples, less is better."""
        truths, said = (np.asarray(one, np.float64) for one in (self.truths, self.said))
        return truths.sum(axis=(1, 2)), said.sum(axis=(1, 2))

    def changed(self, change: Callable[[Stack], Stack], **names: Any) -> Space:
        """The same cases in another form."""
        return replace(self, truths=change(self.truths), said=change(self.said), **names)


@dataclass(frozen=True, eq=False)
class Table:
    """The scores of a space."""

    subject: Subject
    space: Space
    scores: Floats
    """(T, S); NaN = undefined."""

    @classmethod
    def of(cls, subject: Subject, space: Space) -> Table:
        scores = [
            subject.scores(truth, space.said, space.items, space.concepts) for truth in space.truths
        ]
        return cls(subject, space, np.array(scores))

    @cached_property
    def merits(self) -> Floats:
        """Scores, higher = better."""
        return self.subject.sign * self.scores

    def pair(self, truth: int, said: int) -> Pair:
        space = self.space
        return Pair(
            space.truths[truth],
            space.said[said],
            float(self.scores[truth, said]),
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
        at_fault = {int(one.item) // items for one in broken}
        kept = np.array([place for place in range(truths) if place not in at_fault], dtype=np.int64)
        if not len(kept):
            return None
        return replace(
            self,
            space=replace(self.space, truths=self.space.truths[kept]),
            scores=self.scores[kept],
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
        kind.said(shape),
        tuple(str(number + 1) for number in range(shape[0])),
        subject.concepts(shape[1]),
    )
