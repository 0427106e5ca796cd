"""Hierarchical measures by the letter: Python sets, chains written out, every pairing tried.

A `Case` is a hierarchy and the concepts that have a column. Measures of items take the true and the
assigned set of one; measures of concepts take all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from math import inf, sqrt

from oracles.graphs import Graph

Pairs = Mapping[tuple[str, str], float]
Labels = set[str]
Items = Sequence[tuple[Labels, Labels]]
"""True and assigned labels."""


@dataclass(frozen=True)
class Case:
    """A hierarchy, seen from some columns."""

    graph: Graph
    columns: Sequence[str]

    def up(self, *labels: str) -> Labels:
        """Labels with all ancestors that have a column, the root excepted."""
        above = set().union(*(self.graph.above[label] for label in labels))
        return set(labels) | (above & set(self.columns)) - {self.graph.root}

    def down(self, *labels: str) -> Labels:
        """Labels with all descendants that have a column; the root has none."""
        return set(labels) | {
            column
            for column in self.columns
            if (self.graph.above[column] & set(labels)) - {self.graph.root}
        }

    @cached_property
    def chains(self) -> list[list[str]]:
        """Every way from the root to a leaf."""
        return self.ways(self.graph.root, None)

    def ways(self, start: str, end: str | None) -> list[list[str]]:
        """Every way down between two nodes, or to any leaf."""
        if start == end or (end is None and not self.graph.children(start)):
            return [[start]]
        return [
            [start, *way] for child in self.graph.children(start) for way in self.ways(child, end)
        ]


# ── losses of an item ─────────────────────────────────────────────────────────────────────────


def hloss(case: Case, true: Labels, said: Labels) -> float:
    wrong = true ^ said
    return sum(not case.graph.above[label] & wrong for label in wrong) / len(case.columns)


def maxloss(case: Case, true: Labels, said: Labels) -> float:
    return len(case.up(*true) ^ case.up(*said)) / len(case.columns)


def weuclid(case: Case, true: Labels, said: Labels, base: float) -> float:
    return sqrt(sum(base ** case.graph.depth[label] for label in true ^ said))


def path(
    true: Labels, said: Labels, costs: Pairs, dummy: float, weight: Mapping[str, float]
) -> float:
    """The cheapest pairing off, dummies filling up the smaller set."""
    size = max(len(true), len(said))

    def cost(z: str | None, y: str | None) -> float:
        if z is None or y is None:
            return dummy * weight[z or y or ""]
        return costs[z, y] * (weight[z] + weight[y]) / 2

    first, second = ([*sorted(labels), *[None] * (size - len(labels))] for labels in (said, true))
    totals = (
        sum(cost(z, y) for z, y in zip(order, second, strict=True)) for order in permutations(first)
    )
    return min(totals) / size if size else 0.0


# ── precision and recall of an item ───────────────────────────────────────────────────────────


def shares(case: Case, true: Labels, said: Labels, expand: str) -> tuple[float, int, float, int]:
    """Right, assigned, found, true: the two halves of hP, and of hR."""
    if expand == "pairwise":
        return (
            sum(best_share(case, z, true) for z in said),
            len(said),
            sum(best_share(case, y, said) for y in true),
            len(true),
        )
    widen = case.up if expand == "ancestors" else case.down
    wide, answer = widen(*true), widen(*said)
    return len(wide & answer), len(answer), len(wide & answer), len(wide)


def best_share(case: Case, label: str, others: Labels) -> float:
    mine = case.up(label)
    return max((len(mine & case.up(other)) / len(mine) for other in others), default=0.0)


def quotient(part: float, whole: float, *, empty: bool) -> float:
    """0/0 is 1 if there is nothing on either side, else 0."""
    return part / whole if whole else float(empty)


def f_measure(p: float, r: float, beta: float, mean: str) -> float:
    if mean == "arithmetic":
        return (p + beta**2 * r) / (1 + beta**2)
    return (1 + beta**2) * p * r / (beta**2 * p + r) if p * r else 0.0


# ── rates of a concept ────────────────────────────────────────────────────────────────────────


def sun_and_lim(items: Items, concept: str, contribution: Pairs) -> tuple[float, float]:
    """simP and simR; contributions by predicted and true concept."""

    def clipped(value: float) -> float:
        return max(-1.0, min(1.0, value))

    tp = sum(concept in y & z for y, z in items)
    fp = sum(concept in z - y for y, z in items)
    fn = sum(concept in y - z for y, z in items)
    fp_con = sum(
        clipped(sum(contribution[concept, label] for label in y))
        for y, z in items
        if concept in z - y
    )
    fn_con = sum(
        clipped(sum(contribution[label, concept] for label in z))
        for y, z in items
        if concept in y - z
    )
    right = max(0.0, tp + fp_con + fn_con)
    precision, recall = (
        right / whole if right > 0 else 0.0 for whole in (tp + fp + fn_con, tp + fn + fp_con)
    )
    return precision, recall


def bdm(case: Case, key: str, response: str) -> float:
    """Maynard's balanced distance metric, from chains that are written out."""
    if key == response:
        return 1.0
    graph = case.graph
    inner = [len(graph.children(node)) for node in graph.parents if graph.children(node)]

    def mean_length(*nodes: str) -> float:
        lengths = [len(chain) - 1 for chain in case.chains if set(nodes) & set(chain)]
        return sum(lengths) / len(lengths)

    def shortest(start: str, end: str) -> list[list[str]]:
        ways = case.ways(start, end) if start == end or start in graph.above[end] else []
        return [way for way in ways if len(way) == min(map(len, ways))]

    common = (graph.above[key] | {key}) & (graph.above[response] | {response})
    deepest = max(graph.depth[node] for node in common)
    best = -inf
    for node in (one for one in common if graph.depth[one] == deepest):
        to_key, to_response = (
            max(
                shortest(node, end),
                key=lambda way: sum(len(graph.children(one)) for one in way[1:-1]),
            )
            for end in (key, response)
        )
        relevant = [node, *to_key[1:-1], *to_response[1:-1]]
        branching = sum(len(graph.children(one)) for one in relevant) / len(relevant)
        shared = branching / (sum(inner) / len(inner)) * deepest / mean_length(key, response)
        apart = (len(to_key) - 1) / mean_length(key) + (len(to_response) - 1) / mean_length(
            response
        )
        best = max(best, shared / (shared + apart))
    return best
