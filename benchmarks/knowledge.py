"""Ontology Score against Python sets, SR-Precision against a loop over SciPy's assignment."""

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

import cranfield as cf
from benchmarks import workloads
from benchmarks.timing import Ratio, best_of

Labels = set[str]


def ratios() -> Iterator[Ratio]:
    for draw, name, target in (
        (workloads.imageclef_2009, "pto2009", 150),
        (workloads.imageclef_2010, "pto2010", 80),
    ):
        yield from _against_sets(draw(), cf.Ontology.load(name), target)
    yield _against_scipy(workloads.imageclef_2009(), cf.Ontology.load("pto2009"))


def _against_sets(
    load: workloads.Workload, ontology: cf.Ontology, target: float
) -> Iterator[Ratio]:
    names = ontology.concepts
    truth = cf.Truth(load.labels, concepts=names)
    true, said = (_label_sets(matrix, names) for matrix in (load.labels, load.scores >= 0.5))
    agreement = np.random.default_rng(0).uniform(0.7, 1.0, len(names)).round(2)
    for with_agreement in (False, True):
        known = {"ontology": ontology, "agreement": agreement if with_agreement else None}
        agreed = dict(zip(names, agreement.tolist(), strict=True)) if with_agreement else None
        score = _score_of_sets(ontology, agreed)

        def theirs(score: Callable[[Labels, Labels], float] = score) -> float:
            return sum(map(score, true, said)) / len(true)

        def ours(known: dict[str, object] = known) -> float:
            run = cf.Run(scores=load.scores, concepts=names)
            return cf.evaluate(truth, [run], ["OS"], **known)["run", "OS"]

        assert math.isclose(ours(), theirs(), rel_tol=1e-9)
        what = "OS with agreement" if with_agreement else "OS"
        seconds = best_of(3, theirs), best_of(30, ours)
        yield Ratio(f"{what}, {load.name}", "Python sets", *seconds, target)


def _label_sets(matrix: NDArray[np.bool_], names: tuple[str, ...]) -> list[Labels]:
    return [{names[place] for place in np.flatnonzero(row)} for row in matrix]


def _score_of_sets(
    ontology: cf.Ontology, agreement: dict[str, float] | None
) -> Callable[[Labels, Labels], float]:
    """OS of one item, as somebody would write it who has label sets and dictionaries."""
    names = ontology.concepts
    costs = {
        name: dict(zip(names, row, strict=True))
        for name, row in zip(names, ontology.costs().tolist(), strict=True)
    }
    constraints = ontology.constraints()
    conflicts = {
        name: {names[place] for place in np.flatnonzero(row)}
        for name, row in zip(names, constraints.conflicts, strict=True)
    }
    needs: dict[str, list[Labels]] = {name: [] for name in names}
    for rule, _, columns in constraints.implications:
        needs[rule.concept].append({names[place] for place in columns})

    def nearest(wrong: str, others: Labels) -> float:
        prices = costs[wrong]
        if agreement is None:
            return min(prices[other] for other in others)
        near = min(others, key=lambda other: (prices[other], -agreement[other]))
        return prices[near] * agreement[near]

    def score(true: Labels, said: Labels) -> float:
        if not true and not said:
            return 1.0
        broken = {
            label
            for label in said
            if not conflicts[label].isdisjoint(said)
            or any(enough.isdisjoint(said) for enough in needs[label])
        }
        right = true - broken
        lost = float(len(broken))
        for label in said - true - broken:
            lost += nearest(label, right) if right else 1.0
        for label in true - said:
            price = min(costs[label][other] for other in said) if said else 1.0
            lost += price if agreement is None or not said else price * agreement[label]
        return max(0.0, 1.0 - lost / len(true | said))

    return score


def _against_scipy(load: workloads.Workload, ontology: cf.Ontology) -> Ratio:
    names = ontology.concepts
    truth = cf.Truth(load.labels, concepts=names)
    relatedness = 1.0 - ontology.costs()
    by_id = np.argsort(names)

    def theirs() -> float:
        scores = []
        for labels, confidences in zip(load.labels, load.scores, strict=True):
            true = np.flatnonzero(labels)
            if len(true) == 0:
                continue
            best = by_id[np.argsort(-confidences[by_id], kind="stable")[: len(true)]]
            related = relatedness[np.ix_(best, true)]
            scores.append(related[linear_sum_assignment(related, maximize=True)].mean())
        return float(np.mean(scores))

    def ours() -> float:
        run = cf.Run(scores=load.scores, concepts=names)
        return cf.evaluate(truth, [run], ["SRP"], relatedness=relatedness)["run", "SRP"]

    assert math.isclose(ours(), theirs(), rel_tol=1e-9)
    seconds = best_of(3, theirs), best_of(30, ours)
    return Ratio(f"SRP, {load.name}", "a loop over scipy's assignment", *seconds, 20)
