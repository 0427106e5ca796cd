"""A small campaign: photos that obey their ontology, and systems of which half repair decisions;
all of them have confidences."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cranfield as cf
from cranfield.studies.simulation import Design, World, draw_systems, simulate_run, simulate_world
from cranfield.studies.vocabulary import photo_concepts


@cache
def world(items: int = 300) -> World:
    return simulate_world(Design(photo_concepts(), items=items, seed=2009, ontology=ontology()))


@cache
def systems(count: int = 10, items: int = 300) -> tuple[cf.Run, ...]:
    drawn = draw_systems(count, seed=2009)
    return tuple(
        simulate_run(world(items), replace(system, answers="confidences")) for system in drawn
    )


@cache
def ontology() -> cf.Ontology:
    return cf.Ontology.load("pto2009")


def shuffled(truth: cf.Truth) -> cf.Truth:
    """The same truth in another order of rows and columns."""
    rows, columns = list(range(len(truth.items)))[::-1], list(range(len(truth.concepts)))[::-1]
    return truth.part(rows).of_concepts(columns)
