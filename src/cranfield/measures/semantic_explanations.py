"""How HS, OS and SRP come to their scores: what was matched with what, and which rule was broken.

Everything is recomputed from the label sets of the item, by the conventions of `semantic`, and adds
up in the same order, so that the score is the same to the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from cranfield.collections.comparison import Comparison
from cranfield.core.matrices import Bools, Floats
from cranfield.core.truth import Truth
from cranfield.errors import several
from cranfield.kernels.assignment import pairing, partners
from cranfield.knowledge import Rule
from cranfield.measures.declare import ratio
from cranfield.measures.example_sets import forgiven
from cranfield.measures.explanation import (
    Explanation,
    Match,
    about,
    added,
    concepts_by_id,
    equation,
    explains,
    labels,
    members,
    number,
    settled,
)
from cranfield.measures.registry import Measure
from cranfield.measures.semantic import broken_labels

# ── HS and OS ─────────────────────────────────────────────────────────────────────────────────


@explains("HS", "OS")
def matching(comparison: Comparison, measure: Measure, row: int) -> Explanation:
    """Every wrong label with the nearest one on the other side (Nowak 2011 eq 7.1)."""
    sets = _Sets.of(comparison, measure, row)
    faults, false, missed = sets.faults(), sets.false(), sets.missed()
    lost = len(faults) + _sum(false) + _sum(missed)
    union = int(np.count_nonzero(sets.true | sets.said))
    alpha = measure.options["alpha"]
    value = float(forgiven(ratio([lost], [union]), alpha)[0])
    score = settled(comparison, measure, row, value)
    matches = (*faults, *false, *missed)
    return replace(
        about(comparison, measure, row),
        score=score,
        assigned=labels(comparison, sets.said),
        matches=matches,
        unit="cost",
        arithmetic=_forgiveness(matches, lost, union, alpha, score),
    )


@dataclass(frozen=True)
class _Sets:
    """The label sets of one item, and what a measure knows about their labels."""

    names: tuple[str, ...]
    costs: Floats
    agreement: Floats
    true: Bools
    said: Bools
    broken: Bools
    """The labels of `said` that break a rule."""
    rules: dict[str, tuple[Rule, ...]]
    drop: bool
    """Whether such labels are no partners for those that were missed."""

    @classmethod
    def of(cls, comparison: Comparison, measure: Measure, row: int) -> _Sets:
        options, known = measure.options, comparison.known
        costs = known.costs(options["costs"], options["tree"], measure.name)
        scale = known.agreement if options["agreement"] == "given" else None
        predicted, decided = (
            members(comparison, sets, row)
            for sets in (comparison.assigned_sets, comparison.decided_sets)
        )
        words = broken_labels(comparison, options["penalise"]) if measure.name == "OS" else None
        broken = np.zeros_like(predicted) if words is None else members(comparison, words, row)
        return cls(
            names=labels(comparison, np.ones_like(predicted)),
            costs=costs,
            agreement=np.ones(len(costs)) if scale is None else scale,
            true=members(comparison, comparison.true_sets, row),
            said=predicted,
            broken=broken,
            rules=_rules_by_label(comparison, decided) if broken.any() else {},
            drop=options.get("violators") == "drop",
        )

    def faults(self) -> list[Match]:
        names = (self.names[column] for column in np.flatnonzero(self.broken).tolist())
        return [Match(name, "assigned", None, 1.0, rules=self.rules[name]) for name in names]

    def false(self) -> list[Match]:
        """Each with the nearest true label, on which annotators agree so far."""
        wrong, partners = self.said & ~self.true & ~self.broken, self.true & ~self.broken
        result = []
        for column in np.flatnonzero(wrong).tolist():
            near = _nearest(self.costs[column], partners, self.agreement)
            if near is None:
                result.append(Match(self.names[column], "assigned", None, 1.0))
            else:
                price = float(self.costs[column, near]), float(self.agreement[near])
                result.append(Match(self.names[column], "assigned", self.names[near], *price))
        return result

    def missed(self) -> list[Match]:
        """Each with the nearest assigned label; annotators agree on the missed one so far."""
        partners = self.said & ~self.broken if self.drop else self.said
        equal = np.ones(len(self.agreement))
        result = []
        for column in np.flatnonzero(self.true & ~self.said).tolist():
            near = _nearest(self.costs[:, column], partners, equal)
            if near is None:
                result.append(Match(self.names[column], "true", None, 1.0))
            else:
                price = float(self.costs[near, column]), float(self.agreement[column])
                result.append(Match(self.names[column], "true", self.names[near], *price))
        return result


def _rules_by_label(comparison: Comparison, said: Bools) -> dict[str, tuple[Rule, ...]]:
    """The rules that each label of one set breaks there."""
    ontology = comparison.known.ontology("OS")
    result: dict[str, tuple[Rule, ...]] = {}
    for one in ontology.violations(Truth(said[None], concepts=comparison.known.concepts)):
        for label in one.labels:
            result[label] = (*result.get(label, ()), one.rule)
    return result


def _nearest(costs: Floats, candidates: Bools, agreement: Floats) -> int | None:
    """The cheapest candidate; of several the one on which annotators agree most."""
    columns = np.flatnonzero(candidates)
    if not len(columns):
        return None
    return int(columns[np.lexsort((-agreement[columns], costs[columns]))[0]])


def _sum(matches: Sequence[Match]) -> float:
    """Rounded once, as scores are."""
    return math.fsum(match.counts for match in matches)


def _forgiveness(
    matches: Sequence[Match], lost: float, union: int, alpha: float, score: float
) -> tuple[str, ...]:
    if not union:
        return "no label is true and none was assigned", equation("score", "", score)
    addends = added(match.counts for match in matches)
    share = f"1 − {number(lost)} / {union}"
    return (
        f"union of both sets: {several(union, 'label')}",
        equation("lost", addends if len(matches) > 1 else "", lost),
        equation("score", share if alpha == 1 else f"({share})^{number(alpha)}", score),
    )


# ── SRP ───────────────────────────────────────────────────────────────────────────────────────


@explains("SRP")
def assignment(comparison: Comparison, measure: Measure, row: int) -> Explanation:
    """The most confident labels, each with a true one of its own (Nowak 2011 eq 9.1–9.4)."""
    related = comparison.known.relatedness(measure.options["relatedness"], measure.name)
    chosen, by_id = comparison.top_sets
    true, top = (members(comparison, sets, row) for sets in (comparison.true_sets, chosen))
    costs = 1.0 - related
    pairs = pairing(costs, np.ones(len(costs)))
    names = labels(comparison, np.ones_like(true))
    matches: list[Match] = []
    lost_each: list[float] = []
    for predicted, meant in partners(
        concepts_by_id(comparison, top), concepts_by_id(comparison, true), pairs
    ):
        if predicted < 0:
            matches.append(Match(names[meant], "true", None, 0.0))
            lost_each.append(1.0)
        else:
            value = float(related[predicted, meant])
            matches.append(Match(names[predicted], "assigned", names[meant], value))
            lost_each.append(float(costs[predicted, meant]))
    requested = int(np.count_nonzero(true))
    score = settled(
        comparison, measure, row, 1.0 - math.fsum(lost_each) / requested if requested else np.nan
    )
    tie = ("ties at the cut were broken by id",) if by_id[row] else ()
    return replace(
        about(comparison, measure, row),
        score=score,
        assigned=labels(comparison, top),
        matches=tuple(matches),
        unit="relatedness",
        arithmetic=(*tie, *_mean(matches, requested, score)),
    )


def _mean(matches: Sequence[Match], wanted: int, score: float) -> tuple[str, ...]:
    if not wanted:
        return "no label is true", equation("score", "", score)
    addends = added(match.value for match in matches)
    total = _sum(matches)
    return (
        f"{several(wanted, 'true label')}, and as many of the highest confidence",
        equation("sum", addends if len(matches) > 1 else "", total),
        equation("score", f"{number(total)} / {wanted}", score),
    )
