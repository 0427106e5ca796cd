"""Ties: the rules for equal scores that rank measures offer, and how often a rule decides.

grouped: all cells of a score enter at once; expected: mean over tie orders; best, worst: relevant
cells first, last; trec: scores compared as float32, then ids descending bytewise.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from cranfield.collections.comparison import Comparison
from cranfield.core.matrices import Floats
from cranfield.errors import several
from cranfield.kernels import Statistic
from cranfield.measures.definition import Definition, Options

AnyRule = Literal["grouped", "expected", "best", "worst", "trec"]
AnyOrder = Literal["expected", "best", "worst", "trec"]
AtOnce = Literal["grouped", "best", "worst", "trec"]
InOrder = Literal["best", "worst", "trec"]
EXTREMES = ("best", "worst")
"""The rules between which all others lie."""
_ROUNDING = 1e-12


def tie_notes(definition: Definition, options: Options, comparison: Comparison) -> list[str]:
    """In how many lists the rule for ties decides about the score."""
    option = definition.options.get("ties")
    if option is None or definition.traits.prediction != "confidences":
        return []
    # The mean over orders and a single order agree where no order matters.
    has_ids = comparison.truth.item_axis.ids is not None
    some = {"expected", "trec"} == set(option.choices) and has_ids
    rules = ("expected", "trec") if some else EXTREMES
    best, worst = (_scores(definition, options, comparison, rule) for rule in rules)
    tied = int(np.count_nonzero(np.abs(best - worst) > _ROUNDING))
    return (
        [f"equal scores matter in {several(tied, 'list')}: ties={options['ties']}"] if tied else []
    )


def _scores(definition: Definition, options: Options, comparison: Comparison, rule: str) -> Floats:
    if rule in definition.options["ties"].choices:
        return definition.units(comparison, {**options, "ties": rule})
    # Where only some rules apply, the order of equals matters wherever AP depends on it.
    return comparison.ranking(definition.lists, Statistic("AP", rule))
