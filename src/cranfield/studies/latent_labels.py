"""Labels from latent values: which concepts hold for an item, by frequency and by rules.

A free concept holds where its value exceeds a cut, and the value of an exclusive group picks its
one member. Under an ontology a concept may hold only where something holds of whatever it needs,
and nothing that excludes it; its cut is then a quantile among the items where it may hold, so that
its frequency stays that of the vocabulary. Since values depend on each other, this quantile has no
formula: it is that of a pilot sample. What the rules of an odd ontology still leave broken, such
as required groups whose members do not exclude each other, is repaired.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from cranfield.core.matrices import Bools, Ints
from cranfield.knowledge.constraints import Constraints
from cranfield.knowledge.repair import nearest_labels
from cranfield.studies.vocabulary import Vocabulary

Float32 = NDArray[np.float32]

_quantile = NormalDist().inv_cdf


@dataclass(frozen=True)
class _Gate:
    """Where a free concept may hold."""

    concept: int
    needs: tuple[Ints, ...]
    """Sets of concepts; of each, one must hold."""
    excluded_by: Ints

    def open(self, labels: Bools) -> Bools:
        """The items whose labels so far let the concept hold."""
        may_hold = np.logical_not(labels[:, self.excluded_by].any(axis=1))
        for alternatives in self.needs:
            may_hold &= labels[:, alternatives].any(axis=1)
        return may_hold


class Labelling:
    """Turns latent values, of all free concepts and then of all groups, into labels.

    pilot  latent values of a sample, from which cuts under rules are learnt
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        constraints: Constraints | None = None,
        pilot: Float32 | None = None,
    ) -> None:
        self._vocabulary = vocabulary
        self._constraints = constraints
        self._free = vocabulary.free
        self._value_of = {concept: value for value, concept in enumerate(self._free)}
        self._cuts = np.array(
            [_quantile(1 - vocabulary.frequencies[concept]) for concept in self._free],
            dtype=np.float32,
        )
        self._gates = [] if constraints is None else _gates(vocabulary, constraints)
        if pilot is not None:
            self._learn(pilot)

    def __call__(self, values: Float32) -> Bools:
        labels = self._ungated(values)
        for gate in self._gates:
            value = self._value_of[gate.concept]
            labels[:, gate.concept] = gate.open(labels) & (values[:, value] > self._cuts[value])
        if self._constraints is None:
            return labels
        return nearest_labels(self._constraints, labels, required=True)

    def _ungated(self, values: Float32) -> Bools:
        """Groups and free concepts, as if concepts below others did not hold."""
        words = self._vocabulary
        labels = np.zeros((len(values), len(words)), dtype=np.bool_)
        labels[:, self._free] = values[:, : len(self._free)] > self._cuts
        labels[:, [gate.concept for gate in self._gates]] = False
        for value, members in enumerate(words.members().values(), start=len(self._free)):
            shares = np.cumsum([words.frequencies[member] for member in members])[:-1]
            holds = np.searchsorted([_quantile(share) for share in shares], values[:, value])
            labels[np.arange(len(values)), np.array(members)[holds]] = True
        return labels

    def _learn(self, values: Float32) -> None:
        """Cut each gated concept so that it holds as often as it should."""
        labels = self._ungated(values)
        for gate in self._gates:
            may_hold = gate.open(labels)
            value = self._value_of[gate.concept]
            inside = values[may_hold, value]
            holding = round(self._vocabulary.frequencies[gate.concept] * len(values))
            # At its own frequency a concept without room holds wherever it may.
            self._cuts[value] = (
                np.partition(inside, -holding - 1)[-holding - 1]
                if holding < len(inside)
                else -np.inf
            )
            labels[:, gate.concept] = may_hold & (values[:, value] > self._cuts[value])


def _gates(vocabulary: Vocabulary, constraints: Constraints) -> list[_Gate]:
    """The gates of free concepts, those first that others need."""
    free = set(vocabulary.free)
    earlier = set(range(len(vocabulary))) - free
    gates = []
    for concept in (column for column in constraints.needed_first() if column in free):
        conflicts = set(np.flatnonzero(constraints.conflicts[concept]).tolist())
        excluded_by = np.array(sorted(conflicts & earlier), dtype=np.int64)
        needs = constraints.needs.get(concept, [])
        if needs or len(excluded_by):
            gates.append(_Gate(concept, tuple(needs), excluded_by))
        earlier.add(concept)
    return gates
