"""A small campaign: photo concepts, and systems about as weak as those of ImageCLEF 2009."""

from __future__ import annotations

from functools import cache

import numpy as np

import cranfield as cf
from cranfield.studies.campaign import draw_systems
from cranfield.studies.simulation import Design, World, simulate_run, simulate_world
from cranfield.studies.vocabulary import photo_concepts

SKILLS = (0.05, 1.1)
"""Their mean 11-point AP is about .31 and their mean concept-based F about .20, as in 2009."""


@cache
def world(items: int = 300) -> World:
    return simulate_world(Design(photo_concepts(), items=items, seed=2009))


@cache
def systems(count: int = 10, items: int = 300) -> tuple[cf.Run, ...]:
    drawn = draw_systems(count, seed=2009, skills=SKILLS)
    return tuple(simulate_run(world(items), system) for system in drawn)


@cache
def ontology() -> cf.Ontology:
    return cf.Ontology.load("pto2009")


@cache
def mending_systems(count: int, items: int) -> tuple[cf.Run, ...]:
    """The same, but every second mends decisions that break a rule, as several did in 2009."""
    return tuple(
        _mended(run) if place % 2 else run for place, run in enumerate(systems(count, items))
    )


def _mended(run: cf.Run) -> cf.Run:
    columns = [run.concepts.index(concept) for concept in ontology().concepts]
    labels = np.array(run.assigned)
    labels[:, columns] = ontology().repair(labels[:, columns]).labels
    return cf.Run(run.scores, labels=labels, name=run.name, items=run.items, concepts=run.concepts)


def shuffled(truth: cf.Truth) -> cf.Truth:
    """The same truth in another order of rows and columns."""
    rows, columns = list(range(len(truth.items)))[::-1], list(range(len(truth.concepts)))[::-1]
    return truth.part(rows).of_concepts(columns)
