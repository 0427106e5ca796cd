"""What a measure is made of: traits, options, and a function from a comparison to unit scores.

A `Definition` is registered once, by the decorator above the measure's function. Its options are
the keyword-only parameters of that function, plus those every measure has: `undefined` and
`unjudged`. This file knows nothing of any particular measure.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import numpy as np

from cranfield.collections.comparison import Comparison, Counts, Direction
from cranfield.core.contingency import Contingency
from cranfield.core.matrices import Bools, Floats
from cranfield.core.user_code import Origin
from cranfield.errors import InputError, MeasureError, first_ten, several
from cranfield.kernels import Statistic

Value = float | int | str
Better = Literal["higher", "lower", "neither"]
"""neither: a property of the truth or its judgements, by which no run is better than another."""
Average = Literal["arithmetic", "geometric"]
Merges = Literal["items", "concepts", "counts", "nothing"]
"""How results of two halves of a collection make that of the whole: halves of its items, or of its
concepts, by the scores of their units; halves of its items by the sums of their counts; or nothing
does, since a unit's score depends on the others."""
Prediction = Literal["decisions", "confidences", "values"]
"""confidences: only their order counts; values: the numbers themselves do."""
Relevance = Literal["binary", "graded", "numeric", "distribution"]
"""distribution: the probability of each class, given by targets or by labels."""
Options = Mapping[str, Any]
Units = Callable[[Comparison, Options], Floats]
OfCounts = Callable[[Counts, Options], Floats]
Table = Callable[[Contingency, Options], Floats]
Notes = Callable[[Comparison, Options], list[str]]
Asks = Callable[[Options], tuple[str, ...]]
Slope = Callable[[Comparison, Options], Floats]
Bounded = Literal[
    "", "counts", "cells", "ranks", "matches", "assignments",
    "hierarchical precision", "hierarchical recall", "hierarchical F", "hierarchical loss",
]  # fmt: skip
"""By what the bounds of a score over unjudged cells are found; default: by trying completions.

    counts       the ends lie at few numbers of positives among cells assigned and not assigned
    cells        a sum over cells: all unknown decisions wrong, or all of them right
    ranks        of equally many positives, those ranked highest are best
    matches      a sum over wrong labels, each matched to the nearest right one
    assignments  the best assignment of labels to labels
    hierarchical …  sets with all above or below their labels, which grow with the true set
"""


class ItemSums(NamedTuple):
    """A score as a formula over sums of what each item has."""

    formula: Callable[[Floats], Floats]
    """From totals (kinds, units) to scores (units)."""
    by_item: Floats
    """(kinds, N): what each item adds to the totals."""


OfItems = Callable[[Comparison, Options], ItemSums | None]


@dataclass(frozen=True)
class Traits:
    """How a measure looks at things (Nowak 2011 §4.3), declared by each measure."""

    direction: Direction
    """Averages over concepts or over items (example), pools all cells (micro), or looks at a
    confusion matrix."""
    prediction: Prediction
    relevance: Relevance
    scoring: Literal["binary", "semantic"]
    range: tuple[float, float]
    better: Better
    source: str
    merges: Merges
    average: Average = "arithmetic"
    """The mean that is taken over units."""
    counts_negatives: bool = False
    """Whether it counts negatives, of which an open truth has as many as a run brings along."""
    heeds_unjudged: bool = False
    """Whether cells that nobody judged count as what they are, whatever `unjudged` says."""
    subtopics: bool = False
    """Whether it counts the subtopics of topics."""
    share_of: Literal["", "right", "wrong"] = ""
    """Whether it is the share of right, or of wrong, decisions among all cells."""
    bounds: Bounded = ""
    revision: int = 1
    """Raised when its numbers change, so that scores that were stored are known to be old."""

    @property
    def higher_is_better(self) -> bool:
        return self.better == "higher"


class Bounds(NamedTuple):
    """Range of a numeric option, both ends included unless said; infinity only as a limit."""

    low: float
    high: float = math.inf
    limit: bool = False
    """Whether infinity is a value: what finite ones converge to."""
    below: bool = False
    """Whether the high end is excluded."""

    def holds(self, number: float) -> bool:
        inside = self.low <= number <= self.high and not (self.below and number == self.high)
        return inside and (self.limit or math.isfinite(number))

    def __str__(self) -> str:
        closed = not self.below and (self.limit or math.isfinite(self.high))
        end = f"{self.high:g}" + ("]" if closed else ")")
        return f"[{self.low:g}, {end}" if math.isfinite(self.low) else f"(-inf, {end}"


Base = Annotated[float, Bounds(1.01)]
"""Of logarithms."""
NotNegative = Annotated[float, Bounds(0)]
Exponent = Annotated[float, Bounds(0, limit=True)]
"""α of the α-evaluation and β of F, for which 0 and infinity are limits."""
Share = Annotated[float, Bounds(0, 1)]
Persistence = Annotated[float, Bounds(0, 1, below=True)]
"""The chance that a reader goes on: one who always does never weighs anything."""
Cutoff = Annotated[int, Bounds(1, 10**9)]


@dataclass(frozen=True)
class Option:
    """One option of a measure."""

    name: str
    kind: type
    default: Value | None
    choices: tuple[str, ...] = ()
    bounds: Bounds | None = None

    def read(self, text: Any, measure: str) -> Value:
        """The value of a spelling, checked."""
        if self.choices:
            for choice in self.choices:
                if str(text).lower() == choice.lower():
                    return choice
            raise MeasureError(
                f"{measure}: {self.name}={text} is not among {', '.join(self.choices)}"
            )
        if self.kind is str:
            return str(text)
        try:
            number = self.kind(text)
        except (TypeError, ValueError):
            raise MeasureError(
                f"{measure}: {self.name}={text} should be a {self.kind.__name__}"
            ) from None
        bounds = self.bounds or Bounds(-math.inf)
        if not bounds.holds(number):
            raise MeasureError(f"{measure}: {self.name}={text} should lie in {bounds}")
        return number  # type: ignore[no-any-return]


@dataclass(frozen=True, eq=False)
class Definition:
    """A registered measure; `cranfield measures NAME` prints it."""

    name: str
    traits: Traits
    formula: str
    options: Mapping[str, Option]
    units: Units
    needs: Callable[[Options], Statistic] | None
    lists: Direction
    """The lists that the needed statistic is of."""
    aliases: tuple[str, ...]
    knowledge: tuple[str, ...] = ()
    """What it may ask about concepts: "ontology", "costs", "relatedness", "agreement"."""
    asks: Asks | None = None
    """What of it some options ask; None = everything, whatever the options."""
    notes: Notes | None = None
    """What readers of a score should know."""
    formula_of_counts: OfCounts | None = None
    """Scores from counts alone; None if it looks at more."""
    table: Table | None = None
    """Measures of a confusion matrix: the scores of one, or of a stack of them."""
    sums: OfItems | None = None
    """Pooled scores that are a formula over sums of what each item has; what a mean over concepts
    has if all of them have the same cells."""
    slope: Slope | None = None
    """Of a score that is a function of the statistic it needs: its derivative, by unit."""
    function: Callable[..., Any] | None = None
    """What was decorated, or is a measure as it is."""
    origin: Origin | None = None
    """Of a plug-in: where its function was written."""

    @property
    def named_by(self) -> str | None:
        """The option that a name with a hyphen sets: OS-FTS is OS(costs=FTS)."""
        return next((o for o in ("costs", "relatedness") if o in self.options), None)

    def resolve(
        self, values: Floats, comparison: Comparison, undefined: str, direction: Direction
    ) -> Floats:
        """Settle units without a value (NaN) as the option `undefined` says."""
        without = np.isnan(values)
        if undefined == "skip" or not without.any():
            return values
        if undefined == "raise":
            self._refuse(without, comparison, direction)
        if undefined == "empty":
            return where_empty(values, comparison.counts(direction))
        return np.where(without, float(undefined), values)

    def _refuse(self, without: Bools, comparison: Comparison, direction: Direction) -> None:
        match direction:
            case "concept":
                names = comparison.truth.concepts
            case "example":
                names = comparison.truth.items
            case "micro" | "confusion":
                names = ("the whole collection",)
        lacking = first_ten(names[i] for i in np.flatnonzero(without))
        of_run = f"{several(int(without.sum()), 'unit')} of run {comparison.run.name!r}: {lacking}"
        mend = "choose undefined=skip, 0 or 1"
        if self.origin is not None:
            raise self.origin.error(
                f"{self.origin.name} returned NaN for {of_run}; return a number, or {mend}"
            )
        raise InputError(f"{self.name} is undefined for {of_run}; mend the truth or {mend}")


def where_empty(values: Floats, counts: Counts) -> Floats:
    """Units without a value: 1 where both sets are empty, else 0; NaN where no cell counts."""
    nothing = counts.tp + counts.fp + counts.fn == 0
    settled = np.where(np.isnan(values), nothing.astype(np.float64), values)
    return np.where(counts.cells == 0, np.nan, settled)


@cache
def options_of(function: Callable[..., Any]) -> dict[str, Option]:
    """The options that the keyword-only parameters of a function declare."""
    hints = get_type_hints(function, include_extras=True)
    result = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is not inspect.Parameter.KEYWORD_ONLY:
            continue
        if name not in hints:
            raise MeasureError(
                f"option {name!r} of {function.__name__} has no type; write {name}: float = 1.0"
            )
        hint, bounds = hints[name], None
        if get_origin(hint) is Annotated:
            hint, bounds = get_args(hint)
        elif get_origin(hint) is UnionType:
            hint = get_args(hint)[0]
        default = None if parameter.default is inspect.Parameter.empty else parameter.default
        choices = get_args(hint) if get_origin(hint) is Literal else ()
        result[name] = Option(name, str if choices else hint, default, choices, bounds)
    return result


UNDEFINED = ("skip", "0", "1", "raise")


def common_options(undefined: str) -> dict[str, Option]:
    """The options of every measure; `undefined` is the convention of its family."""
    choices = UNDEFINED if undefined in UNDEFINED else (undefined, *UNDEFINED)
    return {
        "undefined": Option("undefined", str, undefined, choices),
        "unjudged": Option("unjudged", str, None, ("negative", "exclude")),
    }
