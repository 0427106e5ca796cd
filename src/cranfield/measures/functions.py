"""Functions as measures: two arrays in, a score or unit scores out.

A function takes the truth, an (N, C) array of booleans, and what a run says, an array of the same
shape: confidences where the run has some (−∞ where it says nothing), else decisions as booleans. It
returns a number, or an array with a score for each item or for each concept, NaN where undefined.
Keyword-only parameters are options, as below the decorators. Higher is better; what declares more
about itself is decorated.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from cranfield.collections.comparison import Comparison, Direction
from cranfield.core.matrices import Bools, Floats
from cranfield.core.ownership import read_only
from cranfield.core.user_code import Origin, origin_of
from cranfield.errors import InputError, MeasureError
from cranfield.measures.definition import (
    Definition,
    Option,
    Options,
    Traits,
    common_options,
    options_of,
)

Function = Callable[..., Any]
"""From the truth and what a run says, (N, C) each, to a score or to unit scores."""

_ITEMS, _CONCEPTS = 7, 4
"""Of the small collection that shows what a function returns."""


@lru_cache(maxsize=256)
def definition_of(function: Function) -> Definition:
    """A function of two arrays as a measure, named module:function."""
    origin = origin_of(function)
    if origin is None:
        raise InputError(
            f"{getattr(function, '__name__', function)!r} is a function of cranfield, no measure; "
            "give the name of a measure"
        )
    direction, options = _direction(function, origin), _options(function)
    return Definition(
        name=f"{origin.module}:{origin.name}",
        traits=Traits(
            direction=direction,
            prediction="values",
            relevance="binary",
            scoring="binary",
            range=(-math.inf, math.inf),
            better="higher",
            source=origin.path,
            merges="nothing",
        ),
        formula=" ".join((function.__doc__ or "").split()),
        options=options | common_options("raise" if direction == "micro" else "skip"),
        units=_Units(function, tuple(options), origin, direction),
        needs=None,
        lists=direction,
        aliases=(),
        function=function,
        origin=origin,
    )


@dataclass(frozen=True)
class _Units:
    """The unit scores of a function."""

    function: Function
    options: tuple[str, ...]
    origin: Origin
    direction: Direction

    def __call__(self, comparison: Comparison, options: Options) -> Floats:
        own = {name: options[name] for name in self.options}
        truth, predicted = _arrays(comparison, self.origin)
        values = self.origin.call(self.function, truth, predicted, **own)
        return unit_scores(values, self.origin, comparison, self.direction)


def unit_scores(
    values: Any, origin: Origin, comparison: Comparison, direction: Direction
) -> Floats:
    """What somebody's function returned, if it is a score for each unit."""
    try:
        scores = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise origin.error(
            f"{origin.name} returned {type(values).__name__}; return numbers"
        ) from None
    items, concepts = comparison.truth.shape
    count = {"concept": concepts, "example": items}.get(direction, 1)
    if scores.size == count == 1:
        return scores.reshape(1)
    if scores.shape == (count,):
        return scores
    unit = {"concept": "concept", "example": "item"}.get(direction)
    expected = "one number" if unit is None else f"a number for each of {count} {unit}s"
    raise origin.error(
        f"{origin.name} returned an array of shape {scores.shape}, and {expected} was expected"
    )


def _arrays(comparison: Comparison, origin: Origin) -> tuple[Bools, Any]:
    """The truth and what the run says, in the order of the truth; nothing can be written there."""
    truth, run = comparison.truth, comparison.run
    if comparison.unjudged == "exclude" and truth.gaps:
        raise InputError(
            f"{origin.module}:{origin.name} takes whole arrays, and {truth.gaps} cells are not "
            "judged; count them as negative with (unjudged=negative) behind its name, or "
            "declare the measure with a decorator"
        )
    values, mentioned = comparison.values(slice(0, truth.shape[0]))
    if run.scores is None:
        decided = values > 0
        return truth.labels, read_only(decided if mentioned is None else decided & mentioned)
    if mentioned is not None:
        values = np.where(mentioned, values, -np.inf)
    return truth.labels, read_only(values)


def _options(function: Function) -> dict[str, Option]:
    """Those of numbers and words; others of its parameters keep their defaults."""
    try:
        options = options_of(function)
    except (NameError, TypeError, ValueError, MeasureError):  # types that mean something elsewhere
        return {}
    return {name: option for name, option in options.items() if option.kind in (int, float, str)}


def _direction(function: Function, origin: Origin) -> Direction:
    """Whose scores a function returns, as it shows on a small collection; one that fails there may
    need more items or other concepts, and is to return one number."""
    cells = np.arange(_ITEMS * _CONCEPTS).reshape(_ITEMS, _CONCEPTS)
    scores = (cells * 11 % cells.size + 1) / (cells.size + 1)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            shape = np.shape(function((cells * 5 % 7 < 3), scores))
    except (Exception, SystemExit):
        return "micro"
    shapes: dict[tuple[int, ...], Direction] = {(_ITEMS,): "example", (_CONCEPTS,): "concept"}
    if math.prod(shape) != 1 and shape not in shapes:
        raise origin.error(
            f"{origin.name} returned an array of shape {shape} for {_ITEMS} items and {_CONCEPTS} "
            "concepts; return one number, or one for each item or each concept"
        )
    return shapes.get(shape, "micro")
