"""How hierarchical measures come to their scores: widened sets, mistakes that count, and pairs.

Everything follows from the label sets of the item, widened along the hierarchy where the measure
does so. A score that is the same for all items together is none of a single one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from cranfield.collections.comparison import Comparison, LabelBlock
from cranfield.core.matrices import Bools
from cranfield.kernels.assignment import pairing, partners
from cranfield.measures.explanation import (
    Explanation,
    Match,
    about,
    added,
    concepts_by_id,
    equation,
    explains,
    labels,
    number,
    plain,
    settled,
)
from cranfield.measures.hierarchical_distances import pair_costs
from cranfield.measures.hierarchical_sets import combined, in_line, overlap, widened
from cranfield.measures.registry import Measure

_NOTHING = "no label is true and none was assigned"


def _about(comparison: Comparison, measure: Measure, row: int) -> tuple[Explanation, LabelBlock]:
    """What is explained, and the label sets of its item."""
    block = comparison.block(slice(row, row + 1))
    result = replace(
        about(comparison, measure, row), assigned=labels(comparison, block.assigned[0])
    )
    return result, block


# ── losses ────────────────────────────────────────────────────────────────────────────────────


@explains("example.hloss")
def first_mistakes(comparison: Comparison, measure: Measure, row: int) -> Explanation:
    """The wrong decisions that count, and those further down, which cost nothing more."""
    result, block = _about(comparison, measure, row)
    wrong = block.true ^ block.assigned
    below = wrong & comparison.known.lineage(measure.name).below(wrong)
    sets = {"counts": (wrong & ~below)[0], "wrong below": below[0]}
    return _lost(result, comparison, measure, row, sets, "wrong below no other mistake")


@explains("example.maxloss")
def differing(comparison: Comparison, measure: Measure, row: int) -> Explanation:
    """Where the two sets differ once they are widened."""
    result, block = _about(comparison, measure, row)
    true, assigned = widened(block, comparison.known.lineage(measure.name), "ancestors")
    sets = {
        "counts": (true ^ assigned)[0],
        "true, widened": true[0],
        "assigned, widened": assigned[0],
    }
    return _lost(result, comparison, measure, row, sets, "in one of the widened sets only")


def _lost(
    found: Explanation,
    comparison: Comparison,
    measure: Measure,
    row: int,
    sets: dict[str, Bools],
    why: str,
) -> Explanation:
    """A share of concepts: those of the first set, of all that count."""
    lost = int(np.count_nonzero(sets["counts"]))
    cells = int(comparison.counts("example").cells[row])
    score = settled(comparison, measure, row, lost / cells if cells else np.nan)
    return replace(
        found,
        score=score,
        sets={what: labels(comparison, marked) for what, marked in sets.items()},
        arithmetic=(
            f"{found.terms.several(lost, 'concept')} {why}, of {cells}",
            equation("score", f"{lost} / {cells}", score),
        ),
    )


@explains("example.weuclid")
def weighted_mistakes(comparison: Comparison, measure: Measure, row: int) -> Explanation:
    """Wrong decisions, each with its depth."""
    result, block = _about(comparison, measure, row)
    wrong = (block.true ^ block.assigned)[0]
    base = measure.options["base"]
    depths = comparison.known.lineage(measure.name).depths[wrong].tolist()
    names = labels(comparison, wrong)
    score = float(measure.units(comparison)[row])
    terms = (f"{name} {number(base)}^{depth}" for name, depth in zip(names, depths, strict=True))
    addends = added(base**depth for depth in depths)
    return replace(
        result,
        score=score,
        arithmetic=(
            f"wrong, with their depths: {', '.join(terms)}" if depths else "nothing is wrong",
            equation("score", f"√({addends})" if depths else "", score),
        ),
    )


# ── precision and recall ──────────────────────────────────────────────────────────────────────


@explains("example.hP", "example.hR", "example.hF")
def overlapping(comparison: Comparison, measure: Measure, row: int) -> Explanation:
    """What the widened sets have in common, or the best share of each label."""
    if measure.traits.direction != "example":
        return plain(comparison, measure, row)
    result, block = _about(comparison, measure, row)
    rate = _Rate(comparison, measure, row)
    if measure.options["expand"] == "pairwise":
        lines = tuple(_best_partners(comparison, measure, block))
    else:
        lineage = comparison.known.lineage(measure.name)
        true, assigned = widened(block, lineage, measure.options["expand"])
        sets = {
            "true, widened": true[0],
            "assigned, widened": assigned[0],
            "in both": (true & assigned)[0],
        }
        counts = [
            f"{np.count_nonzero(marked)} {what.partition(',')[0]}" for what, marked in sets.items()
        ]
        lines = (f"widened by {measure.options['expand']}: {', '.join(counts)}",)
        result = replace(
            result, sets={what: labels(comparison, marked) for what, marked in sets.items()}
        )
    if rate.is_empty:
        lines = (_NOTHING,)
    return replace(result, score=rate.score, arithmetic=(*lines, *rate.lines()))


class _Rate:
    """hP, hR or hF of one item, and how it is computed."""

    def __init__(self, comparison: Comparison, measure: Measure, row: int) -> None:
        options = measure.options
        numbers = overlap(comparison, measure.name, options["expand"], "example")
        self._right, self._said, self._found, self._true = (float(part[row]) for part in numbers)
        self._name, self._options = measure.name.partition(".")[2], options
        self.is_empty = not self._said and not self._true
        self._precision = self._right / self._said if self._said else np.nan
        self._recall = self._found / self._true if self._true else np.nan
        self.score = settled(comparison, measure, row, self._value())

    def _value(self) -> float:
        if self._name != "hF":
            return self._precision if self._name == "hP" else self._recall
        if self.is_empty:
            return np.nan
        rates = np.array([self._precision]), np.array([self._recall])
        mean, beta = self._options["mean"], self._options["beta"]
        return float(combined(*rates, mean=mean, beta=beta)[0])

    def lines(self) -> Iterator[str]:
        if self.is_empty:
            yield equation("score", "", self.score)
            return
        precision = f"{number(self._right)} / {number(self._said)}"
        recall = f"{number(self._found)} / {number(self._true)}"
        if self._name != "hF":
            yield equation(self._name, precision if self._name == "hP" else recall, self.score)
            return
        yield equation("hP", precision, float(np.nan_to_num(self._precision)))
        yield equation("hR", recall, float(np.nan_to_num(self._recall)))
        yield equation("hF", self._mean(), self.score)

    def _mean(self) -> str:
        beta = self._options["beta"]
        square = "" if beta == 1 else f"{number(beta)}²·"
        whole = "2" if beta == 1 else f"(1 + {number(beta)}²)"
        if self._options["mean"] == "arithmetic":
            return f"(hP + {square}hR) / {whole}"
        return f"{whole}·hP·hR / ({square}hP + hR)"


def _best_partners(comparison: Comparison, measure: Measure, block: LabelBlock) -> Iterator[str]:
    """For each label the one of the other set with which it has most ancestors in common."""
    names = labels(comparison, np.ones_like(block.true[0]))
    lines = comparison.known.lineage(measure.name).lines
    sides = {"assigned": (block.assigned, block.true), "true": (block.true, block.assigned)}
    requested = {"hP": ["assigned"], "hR": ["true"]}.get(
        measure.name.partition(".")[2], list(sides)
    )
    for side in requested:
        given, others = sides[side]
        told = []
        for label in np.flatnonzero(given[0]).tolist():
            shared, whole = in_line(lines[label], others, block.counted, lines)
            near = f" ({names[int(shared.argmax())]})" if shared.any() else ""
            told.append(f"{names[label]} {shared.max():.0f}/{whole[0]:.0f}{near}")
        if told:
            yield f"best shares of {side} labels: {', '.join(told)}"


# ── sets assigned to each other ───────────────────────────────────────────────────────────────


_PRICES = ("costs", "tree", "dummy", "label_weights")


@explains("example.path")
def pairs(comparison: Comparison, measure: Measure, row: int) -> Explanation:
    """Which label was paired off with which, or with a dummy."""
    result, block = _about(comparison, measure, row)
    options = {name: measure.options[name] for name in _PRICES}
    costs = pairing(*pair_costs(comparison, **options))
    names = labels(comparison, np.ones_like(block.true[0]))
    sides = (
        concepts_by_id(comparison, block.assigned[0]),
        concepts_by_id(comparison, block.true[0]),
    )
    matches: list[Match] = []
    lost_each: list[float] = []
    for predicted, meant in partners(*sides, costs):
        cost = float(costs[predicted, meant])
        lost_each.append(cost)
        if predicted < 0:
            matches.append(Match(names[meant], "true", None, cost))
        elif predicted != meant:
            partner = None if meant < 0 else names[meant]
            matches.append(Match(names[predicted], "assigned", partner, cost))
    lost, size = math.fsum(lost_each), max(map(len, sides))
    score = settled(comparison, measure, row, lost / size if size else np.nan)
    addends = added(match.value for match in matches) if len(matches) > 1 else ""
    return replace(
        result,
        score=score,
        matches=tuple(matches),
        unit="cost",
        arithmetic=(
            _NOTHING if not size else equation("sum", addends, lost),
            equation("score", f"{number(lost)} / {size}" if size else "", score),
        ),
    )
