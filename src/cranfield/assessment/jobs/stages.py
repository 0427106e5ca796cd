"""Stages: sub-concepts are asked only where what they need holds, which spares most of the work.

A concept needs the concepts right above it and what implications say. The first stage asks for what
needs nothing; whatever is found there decides on which items the next ones are asked (so vehicles
and animals of 2010: Nowak 2011 §10.3.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.assessment.jobs.forms import named_concepts, spelled
from cranfield.core.matrices import Bools
from cranfield.core.truth import State, Truth
from cranfield.errors import InputError, first_ten
from cranfield.knowledge import Ontology

Needs = tuple[tuple[str, ...], ...]
"""Of each of these, one at least."""


@dataclass(frozen=True)
class Stage:
    """Concepts that are asked where what they need holds.

    items    where it does
    unknown  of how many items nobody said so far
    """

    needs: Needs
    asks: tuple[str, ...]
    items: tuple[str, ...]
    unknown: int

    @property
    def name(self) -> str:
        """Such as Plants, or Lake or Sea and Sky."""
        return " and ".join(" or ".join(some) for some in self.needs)

    @property
    def title(self) -> str:
        return " and ".join(" or ".join(map(spelled, some)) for some in self.needs)


def needs_of(ontology: Ontology) -> dict[str, Needs]:
    """What each concept needs; nothing: it is asked first."""
    assignable = set(ontology.concepts)
    needs: dict[str, set[tuple[str, ...]]] = {concept: set() for concept in ontology.concepts}
    for concept in ontology.concepts:
        needs[concept] |= {(above,) for above in ontology.parents[concept] if above in assignable}
    for rule in ontology.implications:
        for concept in named_concepts(ontology, [rule.concept]):
            needs[concept].add(named_concepts(ontology, rule.needs))
    return {concept: tuple(sorted(some)) for concept, some in needs.items()}


def first_stage(ontology: Ontology) -> tuple[str, ...]:
    """Concepts that need no other."""
    return tuple(concept for concept, needs in needs_of(ontology).items() if not needs)


def next_stages(ontology: Ontology, truth: Truth) -> tuple[Stage, ...]:
    """What can be asked now: concepts that the truth lacks, while it knows what they need."""
    known = set(truth.concepts)
    asks: dict[Needs, list[str]] = {}
    for concept, needs in needs_of(ontology).items():
        answered = {name for some in needs for name in some}
        if needs and concept not in known and answered <= known:
            asks.setdefault(needs, []).append(concept)
    if not asks:
        raise InputError(
            "no stage is left: the truth tells of every concept whose needs it knows; say what to "
            "ask and where"
        )
    return tuple(_stage(truth, needs, concepts) for needs, concepts in asks.items())


def own_stage(ontology: Ontology, truth: Truth, asks: Iterable[str], where: Iterable[str]) -> Stage:
    """A stage of one's own: these concepts, where one of those holds."""
    needs = named_concepts(ontology, where)
    strange = [name for name in needs if name not in truth.concept_axis.positions]
    if strange:
        raise InputError(
            f"the truth does not tell of {first_ten(strange)}; it has {first_ten(truth.concepts)}"
        )
    return _stage(truth, (needs,), named_concepts(ontology, asks))


def _stage(truth: Truth, needs: Needs, asks: Sequence[str]) -> Stage:
    states = truth.states
    holds = np.ones(len(truth.items), dtype=np.bool_)
    unknown = np.zeros(len(truth.items), dtype=np.bool_)
    for some in needs:
        columns = [truth.concept_axis.positions[name] for name in some]
        some_hold: Bools = np.any(states[:, columns] == State.POSITIVE, axis=1)
        open_: Bools = ~some_hold & np.any(states[:, columns] < State.NEGATIVE, axis=1)
        holds &= some_hold
        unknown |= open_
    items = tuple(truth.items[index] for index in np.flatnonzero(holds))
    return Stage(needs, tuple(asks), items, int(unknown.sum()))
