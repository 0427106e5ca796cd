"""OS and HS against a literal implementation with Python sets: 10,000 random items.

Two hundred random ontologies of 1 to 140 concepts, fifty items each; cost maps that are symmetric
or not, with ties or without, agreement maps with ties, and every option.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import cranfield as cf
from cranfield.knowledge import Ontology
from ontologies import drawn_ontology
from oracles.meaning import Rules, distances, ontology_score
from problems import EXACT

SIZES = (1, 2, 3, 5, 8, 13, 30, 64, 65, 140)
SEEDS = range(20)
ITEMS = 50
ALPHAS = (0.0, 0.5, 1.0, 2.0, np.inf)
OPTIONS = [
    {"violators": violators, "penalise": penalise, "agreement": agreement}
    for violators, penalise, agreement in product(
        ("keep", "drop"), ("all", "false_positives"), ("given", "none")
    )
]


def draw_sets(rng: np.random.Generator, concepts: int) -> NDArray[np.bool_]:
    """Label sets that are empty, small, and half of everything."""
    density = rng.choice([0.0, min(0.5, 2 / concepts), min(0.5, 8 / concepts)], (ITEMS, 1))
    return rng.random((ITEMS, concepts)) < density


def draw_costs(rng: np.random.Generator, concepts: int) -> NDArray[np.float64]:
    """Any costs, with the same way back or another, in few values or many."""
    costs = rng.random((concepts, concepts))
    if rng.random() < 0.5:
        costs = np.round(costs * 4) / 4
    if rng.random() < 0.5:
        costs = np.maximum(costs, costs.T)
    np.fill_diagonal(costs, 0.0)
    return costs


def draw_decisions(
    rng: np.random.Generator, true: NDArray[np.bool_], ontology: Ontology
) -> NDArray[np.bool_]:
    """Partly right, and in half of the cases with what labels need, so that some break no rule."""
    said = np.where(rng.random(true.shape) < 0.5, true, draw_sets(rng, true.shape[1]))
    place = {name: column for column, name in enumerate(ontology.concepts)}
    rows = rng.random(len(said)) < 0.5
    for name in reversed(ontology.hierarchy().order):
        for above in ontology.parents[name]:
            if max(place.get(name, 10**6), place.get(above, 10**6)) < true.shape[1]:
                said[rows, place[above]] |= said[rows, place[name]]
    return said


@pytest.mark.parametrize("concepts", SIZES)
@pytest.mark.parametrize("seed", SEEDS)
def test_os_and_hs_are_what_they_are_defined_to_be(seed: int, concepts: int) -> None:
    rng = np.random.default_rng([seed, concepts])
    columns = [f"c{n:03}" for n in rng.permutation(concepts)]
    ontology = drawn_ontology(rng, columns, more=int(rng.integers(0, 3)))
    true = draw_sets(rng, concepts)
    said = draw_decisions(rng, true, ontology)
    given = draw_costs(rng, concepts)
    agreement = np.round(rng.random(concepts), 1)
    tree = str(rng.choice(["flat", "flattest", "printed"]))
    pairs = {
        "any": {(a, b): given[i, j] for i, a in enumerate(columns) for j, b in enumerate(columns)},
        "DDMC": distances(ontology, tree, "DDMC"),
        "DIMC": distances(ontology, tree, "DIMC"),
    }
    rules = Rules(ontology, columns)
    items = [
        (y, z, rules.violators(z))
        for y, z in zip(names_of(true, columns), names_of(said, columns), strict=True)
    ]
    agreed = dict(zip(columns, agreement.tolist(), strict=True))
    alike = dict.fromkeys(columns, 1.0)

    wanted: dict[str, list[float]] = {}
    for costs, alpha, options in product(pairs, rng.choice(ALPHAS, 1).tolist(), OPTIONS):
        chosen = {"costs": costs, "tree": tree, "alpha": alpha}
        scores = wanted[spelled("OS", chosen | options)] = []
        scale = agreed if options["agreement"] == "given" else alike
        for y, z, violators in items:
            broken = violators - y if options["penalise"] == "false_positives" else violators
            drop = options["violators"] == "drop"
            scores.append(ontology_score(y, z, broken, pairs[costs], scale, alpha=alpha, drop=drop))
        only_costs = spelled("HS", chosen | {"agreement": options["agreement"]})
        if only_costs not in wanted:
            wanted[only_costs] = [
                ontology_score(y, z, set(), pairs[costs], scale, alpha=alpha, drop=False)
                for y, z, _ in items
            ]

    found = cf.evaluate(
        cf.Truth(true, concepts=columns),
        cf.Run(labels=said, concepts=columns),
        wanted,
        ontology=ontology,
        costs={"any": given},
        agreement=agreement,
    )
    for measure, scores in wanted.items():
        assert np.allclose(found.units("run", measure), scores, rtol=0, atol=EXACT), measure


def names_of(sets: NDArray[np.bool_], columns: list[str]) -> list[set[str]]:
    return [{columns[place] for place in np.flatnonzero(row)} for row in sets]


def spelled(name: str, options: dict[str, Any]) -> str:
    return f"{name}({','.join(f'{option}={value}' for option, value in options.items())})"


def test_the_drawn_cases_break_rules_and_keep_them() -> None:
    broken = kept = 0
    for seed in SEEDS:
        rng = np.random.default_rng([seed, 30])
        columns = [f"c{n}" for n in range(30)]
        ontology = drawn_ontology(rng, columns)
        rules = Rules(ontology, columns)
        said = draw_decisions(rng, draw_sets(rng, 30), ontology)
        for labels in names_of(said, columns):
            violators = rules.violators(labels)
            broken += len(violators)
            kept += len(labels - violators)
    assert min(broken, kept) > 500
