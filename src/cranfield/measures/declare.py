"""The decorators that turn a short function into a measure.

    counted   a formula over right and wrong decisions (`Counts`)
    ranked    a statistic of ranked lists
    tabulated a formula over a confusion matrix (`Contingency`), or a stack of them
    measured  anything else: a function of the whole `Comparison`

Each takes the names to register under; the prefix of a name says what its units are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from inspect import signature
from typing import Any, Literal, TypedDict, TypeVar, Unpack

import numpy as np

from cranfield.collections.comparison import Comparison, Counts, Direction
from cranfield.core.contingency import Contingency
from cranfield.core.matrices import Floats
from cranfield.core.matrices import ratio as ratio
from cranfield.core.user_code import Origin, origin_of
from cranfield.errors import MeasureError
from cranfield.kernels import Statistic
from cranfield.measures import registry
from cranfield.measures.definition import (
    Asks,
    Average,
    Better,
    Bounded,
    Definition,
    ItemSums,
    Merges,
    Notes,
    OfCounts,
    OfItems,
    Options,
    Prediction,
    Relevance,
    Slope,
    Table,
    Traits,
    Units,
    common_options,
    options_of,
)
from cranfield.measures.functions import unit_scores
from cranfield.measures.single_labels import contingency_of, single_label_notes

Function = TypeVar("Function", bound=Callable[..., Any])
Needs = Callable[[Options], Statistic]
Sums = Callable[[Comparison, Options, Direction], ItemSums | None]
Skip = Literal["no positives", "no negatives", "nothing"]

_MERGES: dict[Direction, Merges] = {
    "concept": "concepts",
    "example": "items",
    "micro": "counts",
    "confusion": "counts",
}


class Declared(TypedDict, total=False):
    """What a measure may declare, whatever it is made of; `Traits` says what it means."""

    range: tuple[float, float]
    better: Better
    aliases: tuple[str, ...]
    """Other names, without a prefix."""
    merges: Merges
    counts_negatives: bool
    share_of: Literal["right", "wrong"]
    bounds: Bounded
    revision: int


def counted(
    *names: str,
    source: str,
    skip: Skip = "no positives",
    undefined: str | None = None,
    **declared: Unpack[Declared],
) -> Callable[[Function], Function]:
    """Register a formula over counts.

    skip: which concepts the truth leaves undefined: those without positives, those without
    positives or without negatives, or none.
    """

    def register(formula: Function) -> Function:
        own, call = _picker(formula), _caller(formula)

        def of_counts(n: Counts, options: Options, direction: Direction) -> Floats:
            values: Floats = call(n, **own(options))
            if direction != "concept":
                return values
            positives, negatives = n.tp + n.fn, n.fp + n.tn
            lacking = positives < 0 if skip == "nothing" else positives == 0
            if skip == "no negatives":
                lacking = lacking | (negatives == 0)
            lacking = lacking | (positives + negatives == 0)
            return np.where(lacking, np.nan, np.nan_to_num(values))

        def units(comparison: Comparison, options: Options, direction: Direction) -> Floats:
            return of_counts(comparison.counts(direction), options, direction)

        conventions = {"concept": "skip", "example": "empty", "micro": "0"}
        for name in names:
            _add(
                name,
                formula,
                partial(units, direction=_direction(name)),
                prediction="decisions",
                undefined=undefined or conventions[_direction(name)],
                source=source,
                formula_of_counts=partial(of_counts, direction=_direction(name)),
                **declared,
            )
        return formula

    return register


def ranked(
    *names: str, source: str, **declared: Unpack[Declared]
) -> Callable[[Function], Function]:
    """Register a statistic of ranked lists; the function maps options to the `Statistic`."""

    def register(statistic: Function) -> Function:
        own, call = _picker(statistic), _caller(statistic)

        def needs(options: Options) -> Statistic:
            needed: Statistic = call(**own(options))
            return needed

        def units(comparison: Comparison, options: Options, direction: Direction) -> Floats:
            return comparison.ranking(direction, needs(options))

        for name in names:
            _add(
                name,
                statistic,
                partial(units, direction=_direction(name)),
                prediction="confidences",
                undefined="skip",
                source=source,
                needs=needs,
                **declared,
            )
        return statistic

    return register


def measured(
    *names: str,
    source: str,
    prediction: Prediction,
    relevance: Relevance = "binary",
    undefined: str = "skip",
    needs: Needs | None = None,
    lists: Direction | None = None,
    average: Average = "arithmetic",
    bare: bool = False,
    knowledge: tuple[str, ...] = (),
    asks: Asks | None = None,
    notes: Notes | None = None,
    sums: Sums | None = None,
    slope: Slope | None = None,
    heeds_unjudged: bool = False,
    subtopics: bool = False,
    **declared: Unpack[Declared],
) -> Callable[[Function], Function]:
    """Register a function of the comparison that returns unit scores, NaN where undefined.

    `needs` names the statistic it will ask for, of its own units' lists or of those that `lists`
    names, so that it is computed along with all others; `slope` is the derivative of a score that
    is a function of it. `sums` makes a pooled score of what each item has, for standard errors and
    the bootstrap. `knowledge` names what it asks `comparison.known` for; such a measure scores by
    meaning. `asks` tells which of it some options need, if not all do. `notes` tells readers more.
    `bare`: the name without a prefix is the pooled measure.
    A function with a second positional parameter is told its direction.
    """

    def register(function: Function) -> Function:
        own, call = _picker(function), _caller(function)
        directed = len(signature(function).parameters) - len(options_of(function)) > 1

        def units(comparison: Comparison, options: Options, direction: Direction) -> Floats:
            subject = (comparison, direction) if directed else (comparison,)
            values: Floats = call(*subject, **own(options))
            return values

        for name in names:
            _add(
                name,
                function,
                partial(units, direction=_direction(name)),
                prediction=prediction,
                relevance=relevance,
                undefined=undefined,
                source=source,
                needs=needs,
                lists=lists,
                average=average,
                bare=bare,
                knowledge=knowledge,
                asks=asks,
                notes=notes,
                sums=sums,
                slope=slope,
                heeds_unjudged=heeds_unjudged,
                subtopics=subtopics,
                **declared,
            )
        return function

    return register


def tabulated(
    name: str, *, source: str, **declared: Unpack[Declared]
) -> Callable[[Function], Function]:
    """Register a formula over a confusion matrix; it maps a stack of tables to an array of scores.

    An empty matrix has no score, whatever the formula says. Truths that give each item one class
    have such a matrix beside every run.
    """

    def register(formula: Function) -> Function:
        own, call = _picker(formula), _caller(formula)

        def table(contingency: Contingency, options: Options) -> Floats:
            values: Floats = call(contingency, **own(options))
            return np.where(contingency.total > 0, values, np.nan)

        def units(comparison: Comparison, options: Options) -> Floats:
            return table(contingency_of(comparison), options).reshape(1)

        def notes(comparison: Comparison, options: Options) -> list[str]:
            infinite = np.isinf(units(comparison, options)).any()
            return [*single_label_notes(comparison), *(["infinite"] if infinite else [])]

        _add(
            name,
            formula,
            units,
            prediction="decisions",
            undefined="skip",
            source=source,
            notes=notes,
            table=table,
            **declared,
        )
        return formula

    return register


def quotient(totals: Floats) -> Floats:
    """The first of two totals divided by the second, as a formula of `ItemSums`."""
    return ratio(totals[0], totals[1])


def _add(
    name: str,
    function: Callable[..., Any],
    units: Units,
    *,
    prediction: Prediction,
    undefined: str,
    source: str,
    relevance: Relevance = "binary",
    needs: Needs | None = None,
    lists: Direction | None = None,
    average: Average = "arithmetic",
    bare: bool = False,
    knowledge: tuple[str, ...] = (),
    asks: Asks | None = None,
    notes: Notes | None = None,
    formula_of_counts: OfCounts | None = None,
    table: Table | None = None,
    sums: Sums | None = None,
    slope: Slope | None = None,
    heeds_unjudged: bool = False,
    subtopics: bool = False,
    **declared: Unpack[Declared],
) -> None:
    direction, origin = _direction(name), origin_of(function)
    aliases = declared.get("aliases", ())
    spellings = [f"{direction}.{alias}" for alias in aliases]
    if bare and direction == "micro":
        spellings += [name.removeprefix("micro."), *aliases]
    options = options_of(function) | common_options(undefined)
    if formula_of_counts is not None and "empty" not in options["undefined"].choices:
        choices = (*options["undefined"].choices, "empty")
        options["undefined"] = replace(options["undefined"], choices=choices)
    if (lists or direction) == "micro" and "ties" in options:
        # A list of all cells has no ids to break ties by.
        ties = options["ties"]
        options["ties"] = replace(ties, choices=tuple(c for c in ties.choices if c != "trec"))
    usual = _MERGES[direction]
    if direction == "micro" and formula_of_counts is None and sums is None:
        usual = "nothing"
    traits = Traits(
        direction=direction,
        prediction=prediction,
        relevance=relevance,
        scoring="semantic" if knowledge else "binary",
        range=declared.get("range", (0.0, 1.0)),
        better=declared.get("better", "higher"),
        source=source,
        merges=declared.get("merges", usual),
        average=average,
        counts_negatives=declared.get("counts_negatives", False),
        heeds_unjudged=heeds_unjudged,
        subtopics=subtopics,
        share_of=declared.get("share_of", ""),
        bounds=declared.get("bounds", "" if formula_of_counts is None else "counts"),
        revision=declared.get("revision", 1),
    )
    registry.add(
        Definition(
            name=name,
            traits=traits,
            formula=" ".join((function.__doc__ or "").split()),
            options=options,
            units=units if origin is None else _checked(units, origin, direction),
            needs=needs,
            lists=lists or direction,
            aliases=tuple(spellings),
            knowledge=knowledge,
            asks=asks,
            notes=notes,
            formula_of_counts=formula_of_counts,
            table=table,
            sums=None if sums is None else _directed(sums, direction),
            slope=slope,
            function=function,
            origin=origin,
        )
    )


def _checked(units: Units, origin: Origin, direction: Direction) -> Units:
    """Unit scores of a plug-in, if there are as many as there are units."""

    def checked(comparison: Comparison, options: Options) -> Floats:
        pooled = options.get("average") == "micro"
        values = units(comparison, options)
        return unit_scores(values, origin, comparison, "micro" if pooled else direction)

    return checked


def _directed(sums: Sums, direction: Direction) -> OfItems:
    return lambda comparison, options: sums(comparison, options, direction)


def _direction(name: str) -> Direction:
    """What the prefix of a name says; one without looks at each item."""
    prefix, dot, _ = name.partition(".")
    if not dot:
        return "example"
    if prefix not in _MERGES:
        raise MeasureError(f"{name!r} begins with none of {', '.join(f'{p}.' for p in _MERGES)}")
    return prefix


def _picker(function: Callable[..., Any]) -> Callable[[Options], dict[str, Any]]:
    """Picks a function's own options out of all those of its measure."""
    own = tuple(options_of(function))
    return lambda options: {name: options[name] for name in own}


def _caller(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function; one of a plug-in tells of its failures with file and line."""
    origin = origin_of(function)
    return function if origin is None else partial(origin.call, function)
