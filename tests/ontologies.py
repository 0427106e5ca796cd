"""Knowledge to test with: random directed graphs of concepts and categories, rules and maps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

import cranfield as cf
from cranfield.knowledge import (
    AgreementMap,
    CostMap,
    Disjoint,
    Implication,
    Ontology,
    RelatednessMap,
    Rule,
)


def knowledge(concepts: Sequence[str]) -> dict[str, Any]:
    """All that measures may ask about concepts, by their ids: the same whatever their order."""
    return dict(_drawn_knowledge(tuple(concepts)))


@cache
def _drawn_knowledge(concepts: tuple[str, ...]) -> dict[str, Any]:
    names, size = sorted(concepts), len(concepts)
    rng = np.random.default_rng(size)
    costs, relatedness = rng.random((2, size, size))
    np.fill_diagonal(costs, 0.0)
    agreement = rng.random(size)
    ontology = drawn_ontology(rng, names, more=0)
    places = [names.index(name) for name in concepts]
    pairs = np.ix_(places, places)
    return {
        "ontology": replace(ontology, concepts=concepts),
        "costs": {"any": CostMap(costs[pairs], concepts)},
        "relatedness": {"any": RelatednessMap(relatedness[pairs], concepts)},
        "agreement": AgreementMap(agreement[places], concepts),
    }


def drawn_ontology(
    rng: np.random.Generator, concepts: Sequence[str], *, more: int = 2, rules: int = 4
) -> Ontology:
    """Any ontology over these concepts that does not contradict itself.

    more   concepts that no truth has; as many categories come besides as there are concepts
    rules  how many to try, of each kind
    """
    names = [*concepts, *(f"elsewhere{n}" for n in range(more))]
    categories = [f"Category{n}" for n in range(len(names) // 2 + 1)]
    parents = _graph(rng, [*names, *categories])
    dropped = {
        tree: frozenset(c for c in categories if rng.random() < share)
        for tree, share in (("flat", 0.2), ("flattest", 0.5))
    }
    made = Ontology(parents, tuple(names), dropped=dropped)
    nodes = list(parents)
    for _ in range(rules):
        group = _some(rng, nodes, rng.integers(2, 5))
        made = _unless_contradictory(made, Disjoint(group))
        one, *needs = _some(rng, nodes, rng.integers(2, 5))
        made = _unless_contradictory(made, Implication(one, tuple(needs)))
    return made


def _graph(rng: np.random.Generator, nodes: list[str]) -> dict[str, tuple[str, ...]]:
    """A forest or a directed graph, deep or flat, with a root of its own or without."""
    order = [str(node) for node in rng.permutation(nodes)]
    most, near = rng.integers(1, 4), int(rng.integers(1, len(order) + 1))
    lonely = rng.choice([0.0, 0.3])
    parents: dict[str, tuple[str, ...]] = {}
    for place, node in enumerate(order):
        above = order[max(0, place - near) : place]
        wanted = 0 if rng.random() < lonely else rng.integers(1, most + 1)
        parents[node] = _some(rng, above, wanted)
    return parents


def _some(rng: np.random.Generator, names: Sequence[str], count: int) -> tuple[str, ...]:
    return tuple(map(str, rng.choice(list(names) or [""], min(count, len(names)), replace=False)))


def _unless_contradictory(ontology: Ontology, rule: Rule) -> Ontology:
    kind = "disjoint" if isinstance(rule, Disjoint) else "implications"
    try:
        more = replace(ontology, **{kind: (*getattr(ontology, kind), rule)})
    except cf.InputError:
        return ontology
    return ontology if more.contradictions else more
