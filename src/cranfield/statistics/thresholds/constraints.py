"""Constraints: what decisions must keep to while something else is made best: fallout<=0.05."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.collections.comparison import Counts
from cranfield.core.matrices import Bools
from cranfield.errors import InputError
from cranfield.statistics.thresholds.criteria import Criterion, criterion

_FORM = re.compile(r"\s*(?P<name>.+?)\s*(?P<sign><=|>=|≤|≥)\s*(?P<bound>[-+.\deE]+)\s*")
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Constraint:
    """A formula over counts, and the most or the least that it may be."""

    criterion: Criterion
    at_most: bool
    bound: float

    def __str__(self) -> str:
        return f"{self.criterion.name}{'<=' if self.at_most else '>='}{self.bound:g}"

    def allows(self, n: Counts) -> Bools:
        """Where decisions keep to it; where it is undefined they do not."""
        values = self.criterion.values(n)
        if self.at_most:
            return np.asarray(values <= self.bound + _ROUNDING)
        return np.asarray(values >= self.bound - _ROUNDING)

    def reachable(self, n: Counts) -> str:
        """What comes nearest: P is at most 0.62."""
        values = self.criterion.values(n)
        if np.isnan(values).all():
            return f"{self.criterion.name} is undefined"
        if self.at_most:
            return f"{self.criterion.name} is at least {np.nanmin(values):.4g}"
        return f"{self.criterion.name} is at most {np.nanmax(values):.4g}"


def constraints(texts: str | Constraint | Iterable[str | Constraint]) -> tuple[Constraint, ...]:
    """Constraints as somebody writes them."""
    listed = [texts] if isinstance(texts, str | Constraint) else texts
    return tuple(text if isinstance(text, Constraint) else _parsed(text) for text in listed)


def allowed(limits: Sequence[Constraint], n: Counts) -> Bools:
    """Where decisions keep to all of them."""
    within = np.ones(len(n.tp), dtype=np.bool_)
    for limit in limits:
        within &= limit.allows(n)
    return within


def unreachable(limits: Sequence[Constraint], n: Counts) -> str:
    """Why no threshold keeps to all of them."""
    impossible = [limit.reachable(n) for limit in limits if not limit.allows(n).any()]
    return ", ".join(impossible) or "each can be kept to, but not all at one threshold"


def _parsed(text: str) -> Constraint:
    form = _FORM.fullmatch(text)
    try:
        bound = float(form["bound"]) if form else np.nan
    except ValueError:
        bound = np.nan
    if form is None or not np.isfinite(bound):
        raise InputError(
            f"{text!r} is no constraint; write one as 'fallout<=0.05' or 'P>=0.9'",
            parameter="subject_to",
        )
    chosen = criterion(form["name"])
    if not chosen.counts or chosen.averages or chosen.measure is None:
        raise InputError(
            f"{chosen.name} is no formula over counts of decisions; constrain P, R, fallout, F, "
            "accuracy or the like, without a prefix",
            parameter="subject_to",
        )
    return Constraint(chosen, form["sign"] in ("<=", "≤"), bound)
