"""Screening: items annotated with a concept, and items that are not, asked again without saying so.

The first show annotations that are wrong, the second those that are missing (Nowak 2011 §10.3.1).
Sizes of both parts of the collection are known, so that a sample of each tells how far all the
annotations can be trusted: precision, recall, and how frequent the concept really is.

Limits of shares, and of the ratio of two shares, drawn without putting back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, nan, sqrt
from typing import Annotated, Any, NamedTuple

import numpy as np

from cranfield.assessment.draws import draw_order
from cranfield.assessment.votes import Votes
from cranfield.core.options import Option
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.core.truth import State, Truth
from cranfield.errors import InputError, first_ten, require_whole, several
from cranfield.statistics.significance import wilson

_SHOWN = 10
"""Items that a remark lists."""


@dataclass(frozen=True)
class Sample:
    """What is screened of a concept: items of both kinds, and how many of each kind there are."""

    concept: str
    annotated: tuple[str, ...]
    annotated_of: int
    others: tuple[str, ...]
    others_of: int

    @classmethod
    def draw(
        cls, truth: Truth, concept: str, *, annotated: int, others: int, seed: int = 0
    ) -> Sample:
        """Items by chance, or all where there are fewer; what nobody judged is not screened."""
        require_whole("annotated", annotated, least=0)
        require_whole("others", others, least=0)
        index = truth.concept_axis.positions.get(concept)
        if index is None:
            raise InputError(
                f"the truth does not tell of {concept!r}; it has {first_ten(truth.concepts)}"
            )
        states = truth.states[:, index]
        with_it = sorted(truth.items[row] for row in np.flatnonzero(states == State.POSITIVE))
        without = sorted(truth.items[row] for row in np.flatnonzero(states == State.NEGATIVE))
        drawn = _drawn(with_it, annotated, seed, concept), _drawn(without, others, seed, concept)
        if not any(drawn):
            raise InputError(f"{concept!r}: there is nothing to screen; ask for an item at least")
        return cls(concept, drawn[0], len(with_it), drawn[1], len(without))

    @property
    def items(self) -> tuple[str, ...]:
        """Both kinds in one order, which does not tell them apart."""
        return tuple(sorted((*self.annotated, *self.others)))


@dataclass(frozen=True, eq=False)
class Screened(Analysis):
    """What screening a concept found.

    wrong, missing  items annotated though people see no such thing, and the other way round
    undecided       screened items without an answer, or with as many yeses as noes
    precision       share of the annotations that are right
    recall          share of what should be annotated that is
    prevalence      share of all items that have the concept
    """

    title = "Screened annotations"

    concept: str
    screened: int
    wrong: tuple[str, ...]
    missing: tuple[str, ...]
    undecided: tuple[str, ...]
    precision: Estimate
    recall: Estimate
    prevalence: Estimate
    level: float = 0.95
    """Of the intervals."""

    @property
    def estimates(self) -> dict[str, Estimate]:
        return {
            "precision": self.precision,
            "recall": self.recall,
            "prevalence": self.prevalence,
        }

    def _facts(self) -> dict[str, Any]:
        estimates = {
            name: {"estimate": estimate.value, "low": estimate.low, "high": estimate.high}
            for name, estimate in self.estimates.items()
        }
        return {
            "concept": self.concept,
            "screened": self.screened,
            **estimates,
            "wrong": list(self.wrong),
            "missing": list(self.missing),
            "undecided": list(self.undecided),
        }

    def _tables(self) -> list[Table]:
        rows = [
            {"measure": name, "estimate": value, "low": low, "high": high}
            for name, (value, low, high) in self.estimates.items()
        ]
        columns = [Column("measure", self.concept), Column("estimate")]
        return [Table("estimates", rows, [*columns, Column("low", "from"), Column("high", "to")])]

    def _remarks(self) -> list[str]:
        remarks = [f"{several(self.screened, 'item')} screened; {100 * self.level:.4g} % intervals"]
        lists = {
            "annotated, but not seen": self.wrong,
            "seen, but not annotated": self.missing,
            "undecided": self.undecided,
        }
        for what, items in lists.items():
            if items:
                more = f" and {len(items) - _SHOWN} more" if len(items) > _SHOWN else ""
                remarks.append(f"{what} ({len(items)}): {', '.join(items[:_SHOWN])}{more}")
        return remarks


def screened(
    sample: Sample,
    votes: Votes,
    *,
    level: Annotated[float, Option(metavar="SHARE", minimum=0.5, maximum=0.999)] = 0.95,
) -> Screened:
    """Tell how far annotations can be trusted, by what people say who were asked again.

    Of items with the concept the share that the majority confirms is the precision. Those without
    it that people see it in, reckoned up to the whole collection, tell how much is missing.

    level  Of the intervals.
    """
    if not 0.0 < level < 1.0:
        raise InputError(
            f"level={level!r}", mend="give a share between 0 and 1, such as 0.95", parameter="level"
        )
    majority = _majority(votes, sample.concept)
    annotated = [majority[item] for item in sample.annotated if item in majority]
    others = [majority[item] for item in sample.others if item in majority]
    right = share(sum(annotated), len(annotated), sample.annotated_of, level)
    missed = share(sum(others), len(others), sample.others_of, level)
    return Screened(
        sample.concept,
        len(annotated) + len(others),
        tuple(item for item in sample.annotated if majority.get(item) is False),
        tuple(item for item in sample.others if majority.get(item) is True),
        tuple(item for item in sample.items if item not in majority),
        right,
        _recall(sample, right, missed),
        _prevalence(sample, right, missed),
        level,
    )


def _recall(sample: Sample, right: Estimate, missed: Estimate) -> Estimate:
    """N₁p₁ / (N₁p₁ + N₀p₀), by the ratio of both shares."""
    if not sample.annotated_of:
        return Estimate(0.0, 0.0, 0.0) if missed.value > 0 else UNKNOWN
    if not sample.others_of:
        return Estimate(1.0, 1.0, 1.0) if right.value > 0 else UNKNOWN
    odds = ratio(missed, right)
    if odds.value != odds.value:
        return UNKNOWN
    weight = sample.others_of / sample.annotated_of
    value, high, low = (1 / (1 + weight * odd) for odd in odds)
    return Estimate(value, low, high)


def _prevalence(sample: Sample, right: Estimate, missed: Estimate) -> Estimate:
    """The weighted sum of both shares, the limits by their distances from the shares."""
    total = sample.annotated_of + sample.others_of
    parts = [
        (size / total, estimate)
        for size, estimate in ((sample.annotated_of, right), (sample.others_of, missed))
        if size
    ]
    value = sum(weight * estimate.value for weight, estimate in parts)
    down = sum((weight * (estimate.value - estimate.low)) ** 2 for weight, estimate in parts) ** 0.5
    up = sum((weight * (estimate.high - estimate.value)) ** 2 for weight, estimate in parts) ** 0.5
    return Estimate(value, value - down, value + up)


def _majority(votes: Votes, concept: str) -> dict[str, bool]:
    """What most people say of each item; none where they are split evenly."""
    ballot = votes.ballot(concept)
    if ballot.question.kind != "yes_no":
        raise InputError(f"{concept!r} was not asked as yes or no; give the answers of screening")
    clear = np.flatnonzero(ballot.answered & ~ballot.tied)
    return {votes.items[index]: bool(ballot.majority[index]) for index in clear.tolist()}


def _drawn(items: Sequence[str], size: int, seed: int, concept: str) -> tuple[str, ...]:
    order = draw_order(seed, "screening", concept, items)[:size]
    return tuple(sorted(items[index] for index in order.tolist()))


def corrected(truth: Truth, screening: Screened) -> Truth:
    """A truth without annotations that screening found wrong, and with those it found missing."""
    if truth.open or any(x is not None for x in (truth.grades, truth.strata, truth.targets)):
        raise InputError("screening corrects labels only; give a truth without grades or strata")
    labels = truth.labels.copy()
    column = truth.concept_axis.positions[screening.concept]
    for items, label in ((screening.wrong, False), (screening.missing, True)):
        for item in items:
            if item not in truth.item_axis.positions:
                raise InputError(f"item {item!r} was screened, but it is not in this truth")
            labels[truth.item_axis.positions[item], column] = label
    return Truth(
        labels,
        items=truth.item_axis,
        concepts=truth.concept_axis,
        judged=truth.judged,
        pool=truth.pool,
        unjudged=truth.unjudged,
        terms=truth.terms,
    )


# ── limits of shares, and of the ratio of two shares, drawn without putting back ──────────────────


class Estimate(NamedTuple):
    """A number and its interval; NaN where there is nothing to tell from."""

    value: float
    low: float
    high: float


UNKNOWN = Estimate(nan, nan, nan)


def share(hits: int, drawn: int, of: int, level: float = 0.95) -> Estimate:
    """A share of all by a sample of them; where all are drawn, nothing is left to chance."""
    if not drawn:
        return UNKNOWN
    value = hits / drawn
    if drawn >= of:
        return Estimate(value, value, value)
    size = drawn * (of - 1) / (of - drawn)
    return Estimate(value, *wilson(value * size, size, level))


def ratio(above: Estimate, below: Estimate) -> Estimate:
    """A share divided by another, independent one, by the limits of both (Donner and Zou 2012)."""
    if above.value != above.value or below.value != below.value:
        return UNKNOWN
    value = above.value / below.value if below.value else (inf if above.value else nan)
    product = above.value * below.value

    def limit(own: float, other: float, sign: int) -> float:
        divisor = other * (2 * below.value - other)
        if divisor <= 0:
            return inf if sign > 0 else 0.0
        inner = product**2 - own * (2 * above.value - own) * divisor
        return max(0.0, (product + sign * sqrt(max(0.0, inner))) / divisor)

    return Estimate(value, limit(above.low, below.high, -1), limit(above.high, below.low, 1))
