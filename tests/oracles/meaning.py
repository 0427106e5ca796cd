"""HS, OS and SRP by the letter, for one item: Python sets and dicts, slow and plain.

Rules and costs are read from what an ontology states, not from what it works out. Costs are whole
numbers until the end, so that equal ones are equal.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import permutations

from cranfield.knowledge import Ontology
from oracles.graphs import Graph

Pairs = Mapping[tuple[str, str], float]
"""By predicted and true concept."""


def distances(ontology: Ontology, tree: str, kind: str) -> dict[tuple[str, str], float]:
    """DDMC or DIMC of every pair of concepts."""
    graph = Graph(ontology.parents, ontology.dropped.get(tree, ()))
    height = max(graph.depth.values())
    if kind == "DDMC":
        link = {node: 2 ** (height - d) if d else 0 for node, d in graph.depth.items()}
        whole = 2 ** (height + 1) - 2
    else:
        link, whole = dict.fromkeys(graph.depth, 1), 2 * height
    costs = graph.costs(ontology.concepts, link)
    return {pair: cost / whole for pair, cost in costs.items()}


class Rules:
    """What label sets over some columns must obey."""

    def __init__(self, ontology: Ontology, columns: Collection[str]) -> None:
        self.ontology = ontology
        self.columns = set(columns)
        self.graph = Graph(ontology.parents)
        self.needs = {column: self._needs(column) for column in columns}

    def violators(self, labels: set[str]) -> set[str]:
        """The labels of a set that break a rule."""
        return {
            label
            for label in labels
            if self._stands_beside_another(label, labels)
            or any(not labels & enough for enough in self.needs[label])
        }

    def _stands_beside_another(self, label: str, labels: set[str]) -> bool:
        """Whether another label falls under another member of a disjoint group."""
        mine = self.graph.above[label] | {label}
        for rule in self.ontology.disjoint:
            for member in mine & set(rule.members):
                others = set(rule.members) - {member}
                for label_beside in labels - {label}:
                    if others & (self.graph.above[label_beside] | {label_beside}):
                        return True
        return False

    def _needs(self, label: str) -> list[set[str]]:
        """Sets of which the label needs a member each; only those that can be checked."""
        found = [{one} for one in self.graph.nearest_above(label, self.columns)]
        for rule in self.ontology.implications:
            if label in self._bound_by(rule.concept):
                enough = set().union(*(self._standing_for(one) for one in rule.needs))
                if enough <= self.columns:
                    found.append(enough)
        return found

    def _bound_by(self, node: str) -> set[str]:
        """A concept itself; of a category, the nearest concepts below it."""
        concepts = set(self.ontology.concepts)
        return {node} if node in concepts else self.graph.nearest_below(node, concepts)

    def _standing_for(self, node: str) -> set[str]:
        """A concept itself; of a category, every concept below it."""
        concepts = set(self.ontology.concepts)
        return {node} if node in concepts else self.graph.at_or_below(node) & concepts


def ontology_score(
    true: set[str],
    said: set[str],
    broken: set[str],
    costs: Pairs,
    agreement: Mapping[str, float],
    *,
    alpha: float,
    drop: bool,
) -> float:
    """OS of one item, given the labels that break a rule; HS if none is said to."""
    if not true | said:
        return 1.0
    lost = float(len(broken))
    wanted = true - broken
    for label in said - true - broken:
        if wanted:
            near = min(wanted, key=lambda y: (costs[label, y], -agreement[y]))
            lost += costs[label, near] * agreement[near]
        else:
            lost += 1
    offered = said - broken if drop else said
    for label in true - said:
        if offered:
            lost += min(costs[z, label] for z in offered) * agreement[label]
        else:
            lost += 1
    right = max(0.0, 1 - lost / len(true | said))
    return float(right**alpha) if right else 0.0


def sr_precision(true: set[str], ranked: Sequence[str], relatedness: Pairs) -> float:
    """SRP of one item by trying every assignment of what was retrieved."""
    chosen = list(ranked[: len(true)])

    def related(z: str, y: str) -> float:
        return 1.0 if z == y else relatedness[z, y]

    return max(
        sum(related(z, y) for z, y in zip(chosen, order, strict=False)) / len(true)
        for order in permutations(sorted(true))
    )
