"""Hierarchical measures against literal ones, on random hierarchies that are trees or are not."""

from __future__ import annotations

from itertools import product
from statistics import fmean

import numpy as np
import pytest

import cranfield as cf
from cranfield.knowledge import Ontology
from ontologies import drawn_ontology
from oracles.graphs import Graph
from oracles.hierarchical import (
    Case,
    Items,
    bdm,
    f_measure,
    hloss,
    maxloss,
    path,
    quotient,
    shares,
    sun_and_lim,
    weuclid,
)
from oracles.meaning import distances
from problems import EXACT, sparse


class Drawn:
    """A random hierarchy with a truth and a run over most of its concepts."""

    def __init__(self, seed: int, concepts: int, items: int = 25, labels: float = 3.0) -> None:
        self.rng = rng = np.random.default_rng([seed, concepts])
        self.columns = [f"c{n:02}" for n in rng.permutation(concepts)]
        self.ontology: Ontology = drawn_ontology(rng, self.columns, more=concepts // 4, rules=0)
        self.case = Case(Graph(self.ontology.parents), self.columns)
        shape = (items, concepts)
        density = rng.choice([0.0, min(0.5, labels / concepts)], (items, 1), p=[0.1, 0.9])
        self.true = rng.random(shape) < density
        self.said = np.where(rng.random(shape) < 0.4, self.true, rng.random(shape) < density)
        self.names: Items = [
            (
                {self.columns[j] for j in np.flatnonzero(y)},
                {self.columns[j] for j in np.flatnonzero(z)},
            )
            for y, z in zip(self.true, self.said, strict=True)
        ]

    def units(self, measure: str, **knowledge: object) -> list[float]:
        """Unit scores, of a sparse run every other time."""
        said = sparse(self.said) if self.rng.random() < 0.5 else self.said
        truth = cf.Truth(self.true, concepts=self.columns)
        run = cf.Run(labels=said, concepts=self.columns)
        given = {"ontology": self.ontology} | knowledge
        score = cf.evaluate(truth, run, measure, **given).score("run", measure)  # type: ignore[arg-type]
        pooled = score.measure.traits.direction == "micro"
        return [score.value] if pooled else score.by_unit.tolist()


SEEDS = range(12)
every_hierarchy = pytest.mark.parametrize(
    ("seed", "concepts"), [*product(SEEDS, (1, 4, 9)), *product(SEEDS[:4], (30, 70))]
)
small_hierarchies = pytest.mark.parametrize(("seed", "concepts"), [*product(SEEDS, (1, 3, 5, 8))])


@every_hierarchy
def test_losses(seed: int, concepts: int) -> None:
    drawn = Drawn(seed, concepts)
    case = drawn.case
    for measure, wanted in {
        "example.hloss": [hloss(case, y, z) for y, z in drawn.names],
        "example.maxloss": [maxloss(case, y, z) for y, z in drawn.names],
        "example.weuclid": [weuclid(case, y, z, 0.75) for y, z in drawn.names],
        "example.weuclid(base=0.3)": [weuclid(case, y, z, 0.3) for y, z in drawn.names],
    }.items():
        assert drawn.units(measure) == pytest.approx(wanted, abs=EXACT), measure


@every_hierarchy
@pytest.mark.parametrize("expand", ["ancestors", "descendants", "pairwise"])
def test_precision_recall_and_f_of_widened_sets(seed: int, concepts: int, expand: str) -> None:
    drawn = Drawn(seed, concepts)
    parts = [shares(drawn.case, y, z, expand) for y, z in drawn.names]
    pooled = [tuple(map(sum, zip(*parts, strict=True)))]
    for average, lines in (("example", parts), ("micro", pooled)):
        chosen = f"expand={expand},average={average}"
        precision, recall = (
            [quotient(line[k], line[k + 1], empty=not line[1] + line[3]) for line in lines]
            for k in (0, 2)
        )
        assert drawn.units(f"example.hP({chosen})") == pytest.approx(precision, abs=EXACT)
        assert drawn.units(f"example.hR({chosen})") == pytest.approx(recall, abs=EXACT)
        for mean, beta in product(("harmonic", "arithmetic"), (1, 0.5, 2)):
            wanted = [f_measure(p, r, beta, mean) for p, r in zip(precision, recall, strict=True)]
            found = drawn.units(f"example.hF({chosen},mean={mean},beta={beta})")
            assert found == pytest.approx(wanted, abs=EXACT), (mean, beta)


@pytest.mark.parametrize(("seed", "concepts"), [*product(SEEDS, (4, 9))])
def test_unjudged_cells_enter_no_set(seed: int, concepts: int) -> None:
    drawn = Drawn(seed, concepts)
    judged = drawn.true | (drawn.rng.random(drawn.true.shape) < 0.6)
    judged[:, 0] = True
    truth = cf.Truth(drawn.true, concepts=drawn.columns, judged=judged, unjudged="exclude")
    run = cf.Run(labels=drawn.said, concepts=drawn.columns)
    wanted: dict[str, list[float]] = {}
    for (true, said), row in zip(drawn.names, judged, strict=True):
        case = Case(drawn.case.graph, [drawn.columns[j] for j in np.flatnonzero(row)])
        counted = said & set(case.columns)
        wanted.setdefault("example.hloss", []).append(hloss(case, true, counted))
        wanted.setdefault("example.maxloss", []).append(maxloss(case, true, counted))
        for expand in ("ancestors", "descendants", "pairwise"):
            right, assigned, _, real = shares(case, true, counted, expand)
            precision = quotient(right, assigned, empty=not assigned + real)
            wanted.setdefault(f"example.hP(expand={expand})", []).append(precision)
    result = cf.evaluate(truth, run, wanted, ontology=drawn.ontology)
    for name, scores in wanted.items():
        assert result.units("run", name).tolist() == pytest.approx(scores, abs=EXACT), name


@small_hierarchies
@pytest.mark.parametrize("weights", ["equal", "frequency"])
def test_path_costs_are_those_of_the_cheapest_pairing(
    seed: int, concepts: int, weights: str
) -> None:
    drawn = Drawn(seed, concepts, labels=2.5)
    often = drawn.true.sum(axis=0)
    weight = dict.fromkeys(drawn.columns, 1.0)
    if weights == "frequency":
        weight = dict(zip(drawn.columns, (often / max(1, often.max())).tolist(), strict=True))
    any_costs = drawn.rng.random((concepts, concepts)) * ~np.eye(concepts, dtype=bool)
    pairs = {
        "DIMC": distances(drawn.ontology, "flat", "DIMC"),
        "DDMC": distances(drawn.ontology, "flat", "DDMC"),
        "any": {
            (a, b): any_costs[i, j]
            for (i, a), (j, b) in product(enumerate(drawn.columns), repeat=2)
        },
    }
    for costs, dummy in product(pairs, (1.0, 0.3)):
        wanted = [path(y, z, pairs[costs], dummy, weight) for y, z in drawn.names]
        spelled = f"example.path(costs={costs},dummy={dummy},label_weights={weights})"
        found = drawn.units(spelled, costs={"any": any_costs})
        assert found == pytest.approx(wanted, abs=EXACT), spelled


@every_hierarchy
@pytest.mark.parametrize("by", ["similarity", "distance"])
@pytest.mark.parametrize("acceptable", [0, 3])
def test_near_misses_contribute_as_sun_and_lim_say(
    seed: int, concepts: int, by: str, acceptable: int
) -> None:
    drawn = Drawn(seed, concepts)
    related = drawn.rng.random((concepts, concepts))
    np.fill_diagonal(related, 1.0)
    columns = drawn.columns
    others = [(a, b) for a, b in product(columns, repeat=2) if a != b]
    link = dict.fromkeys(drawn.case.graph.parents, 1)
    apart = drawn.case.graph.costs(columns, link)
    alike = {(a, b): related[i, j] for (i, a), (j, b) in product(enumerate(columns), repeat=2)}
    if by == "distance":
        limit = acceptable or (fmean(apart[pair] for pair in others) if others else 1)
        contribution = {pair: 1 - apart[pair] / limit for pair in apart}
    else:
        usual = fmean(alike[pair] for pair in others) if others else 0
        contribution = {pair: (alike[pair] - usual) / (1 - usual) for pair in alike}
    rates = [sun_and_lim(drawn.names, concept, contribution) for concept in columns]
    skipped = ~drawn.true.any(axis=0)
    for name, wanted in (
        ("simP", [p for p, _ in rates]),
        ("simR", [r for _, r in rates]),
        ("simF", [f_measure(p, r, 1, "harmonic") for p, r in rates]),
    ):
        spelled = f"concept.{name}(by={by},acceptable={acceptable})"
        found = drawn.units(spelled, relatedness=related)
        assert found == pytest.approx(
            np.where(skipped, np.nan, wanted).tolist(), abs=EXACT, nan_ok=True
        ), spelled


@small_hierarchies
def test_balanced_distances_of_nearest_labels(seed: int, concepts: int) -> None:
    drawn = Drawn(seed, concepts)
    near = {(a, b): bdm(drawn.case, a, b) for a, b in product(drawn.columns, repeat=2)}
    for of, (here, there) in {"recall": (0, 1), "precision": (1, 0)}.items():
        wanted = []
        for concept in drawn.columns:
            scores = [
                max((near[concept, other] for other in item[there]), default=0.0)
                for item in drawn.names
                if concept in item[here]
            ]
            has_positives = any(concept in true for true, _ in drawn.names)
            wanted.append(fmean(scores or [0.0]) if has_positives else np.nan)
        found = drawn.units(f"concept.BDM(of={of})")
        assert found == pytest.approx(wanted, abs=EXACT, nan_ok=True), of


@every_hierarchy
def test_parent_one_accuracy_takes_siblings_for_right(seed: int, concepts: int) -> None:
    drawn = Drawn(seed, concepts)
    graph = drawn.case.graph
    scores = np.floor(drawn.rng.random(drawn.true.shape) * 4) / 4
    wanted: dict[str, list[float]] = {"expected": [], "best": [], "worst": [], "trec": []}
    for (true, _), row in zip(drawn.names, scores, strict=True):
        first = [drawn.columns[j] for j in np.flatnonzero(row == row.max())]
        hits = [
            name in true
            or any((graph.parents[name] & graph.parents[y]) - {graph.root} for y in true)
            for name in first
        ]
        by_id = hits[first.index(max(first))]
        for ties, value in zip(wanted, (fmean(hits), max(hits), min(hits), by_id), strict=True):
            wanted[ties].append(float(value) if true else np.nan)
    truth = cf.Truth(drawn.true, concepts=drawn.columns)
    run = cf.Run(scores, concepts=drawn.columns)
    for ties, values in wanted.items():
        spelled = f"example.parent_one_accuracy(ties={ties})"
        found = cf.evaluate(truth, run, spelled, ontology=drawn.ontology).units("run", spelled)
        assert found.tolist() == pytest.approx(values, abs=EXACT, nan_ok=True), ties
