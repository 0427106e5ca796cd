"""Requirements: what can be asked of a measure, and how a table of scores shows it broken.

A requirement looks for the smallest counterexample in a table: None = the table has none. Here are
those of quality, from King 2003 as told in Nowak 2011 §4.6; others have files of their own.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.core.truth import Truth
from cranfield.studies.audit.counterexamples import Counterexample
from cranfield.studies.audit.spaces import Table
from cranfield.studies.audit.subjects import Subject

Group = Literal["quality", "metric", "invariance", "hierarchy", "sensitivity"]
Look = Callable[[Table], Counterexample | None]
Bar = Callable[[Subject], str | None]
"""Why a requirement cannot be asked of a subject; None if it can."""

CLOSE = 1e-9
"""Scores that differ by less are equal."""


@dataclass(frozen=True)
class Requirement:
    """Something to ask of a measure."""

    name: str
    says: str
    source: str
    group: Group
    look: Look
    bar: Bar


def without_order(subject: Subject) -> str | None:
    """Why a subject has no better and worse."""
    return "no run is better than another by it" if subject.better == "neither" else None


def needs_best(subject: Subject) -> str | None:
    return without_order(subject) or (
        None if math.isfinite(subject.best) else "the range has no best end"
    )


def _without_worst(subject: Subject) -> str | None:
    return None if subject.kind.has_worst else "no prediction is the worst"


def _needs_worst(subject: Subject) -> str | None:
    endless = None if math.isfinite(subject.worst) else "the range has no worst end"
    return _needs_worst_prediction(subject) or endless


def _needs_worst_prediction(subject: Subject) -> str | None:
    return without_order(subject) or (
        None if subject.kind.has_worst else "no prediction is the worst"
    )


def least(broken: Any, *sizes: Any) -> tuple[int, ...] | None:
    """Where something is broken and says least; None if nowhere."""
    if not broken.any():
        return None
    weight = np.where(broken, np.broadcast_to(sum(sizes), broken.shape), np.inf)
    return tuple(int(place) for place in np.unravel_index(weight.argmin(), broken.shape))


def _sizes(table: Table) -> Floats:
    """(T, S)"""
    truths, said = table.space.sizes
    return truths[:, None] + said[None]


def _defined(table: Table) -> Counterexample | None:
    found = least(np.isnan(table.scores), _sizes(table))
    if found is None:
        return None
    pair = table.pair(*found)
    table.subject.complaints.clear()
    table.subject.scores(pair.truth, pair.said[None], pair.items, pair.concepts)
    return Counterexample("; ".join(table.subject.complaints) or "the score is NaN", (pair,))


def _comparable(table: Table) -> Counterexample | None:
    lacking = np.isnan(table.scores)
    found = least(lacking & ~lacking.all(axis=1, keepdims=True), _sizes(table))
    if found is None:
        return None
    truth, said = found
    other = int(np.flatnonzero(~lacking[truth])[0])
    why = "one prediction has no score, another for the same truth has"
    return Counterexample(why, (table.pair(truth, said), table.pair(truth, other)))


def _bounded(table: Table) -> Counterexample | None:
    low, high = table.subject.range
    outside = (table.scores < low - CLOSE) | (table.scores > high + CLOSE)
    found = least(outside, _sizes(table))
    why = f"outside [{low:g}, {high:g}]"
    return None if found is None else Counterexample(why, (table.pair(*found),))


def _best_reached(table: Table) -> Counterexample | None:
    best = table.subject.best
    missed = table.space.perfect & (np.abs(table.scores - best) > CLOSE)
    found = least(missed, _sizes(table))
    if found is None:
        return None
    why = f"a perfect prediction does not score {best:g}" + _broken_rules(table, found[0])
    return Counterexample(why, (table.pair(*found),))


def _broken_rules(table: Table, truth: int) -> str:
    """That a truth breaks rules, if it does: then the measure may punish what is right."""
    ontology, space = table.subject.ontology, table.space
    if ontology is None:
        return ""
    broken = ontology.violations(Truth(space.truths[truth], concepts=space.concepts))
    return f", since the truth breaks the rule “{broken[0].rule}”" if broken else ""


def _best_only(table: Table) -> Counterexample | None:
    return _only(table, table.merits, table.space.perfect, "scores as well as the perfect one")


def _worst_only(table: Table) -> Counterexample | None:
    return _only(table, -table.merits, table.space.worst, "scores as badly as the worst one")


def _only(table: Table, merits: Floats, chosen: Any, why: str) -> Counterexample | None:
    """A prediction that is not chosen, and as extreme as one that is."""
    extreme = np.where(chosen, merits, -np.inf).max(axis=1, initial=-np.inf)
    unique = ~chosen & (merits >= extreme[:, None] - CLOSE) & np.isfinite(extreme)[:, None]
    found = least(unique, _sizes(table))
    if found is None:
        return None
    truth, said = found
    # Among several extreme ones, the most extreme is the one that was compared with.
    other = int(np.where(chosen[truth], merits[truth], -np.inf).argmax())
    return Counterexample(why, (table.pair(truth, said), table.pair(truth, other)))


def _worst_reached(table: Table) -> Counterexample | None:
    worst = table.subject.worst
    missed = table.space.worst & (np.abs(table.scores - worst) > CLOSE)
    found = least(missed, _sizes(table))
    why = f"a prediction that is all wrong does not score {worst:g}"
    return None if found is None else Counterexample(why, (table.pair(*found),))


def _monotonic(table: Table) -> Counterexample | None:
    mended, gained = _steps(table)
    return _stepped(table, mended * gained < -CLOSE * np.abs(mended), "mending lowers the score")


def _strict(table: Table) -> Counterexample | None:
    mended, gained = _steps(table)
    idle = (mended != 0) & (mended * gained <= CLOSE * np.abs(mended))
    return _stepped(table, idle, "mending does not raise the score")


def _steps(table: Table) -> tuple[Floats, Floats]:
    """(T, M): errors mended, and merit gained, from one prediction of each step to the other."""
    one, other = table.space.steps
    errors = table.space.errors
    return errors[:, one] - errors[:, other], table.merits[:, other] - table.merits[:, one]


def _stepped(table: Table, broken: Any, why: str) -> Counterexample | None:
    one, other = table.space.steps
    truths, said = table.space.sizes
    found = least(broken, truths[:, None] + said[one] + said[other])
    if found is None:
        return None
    truth, step = found
    pair = sorted((one[step], other[step]), key=lambda place: -table.space.errors[truth, place])
    if table.subject.better == "lower":
        why = why.replace("lowers", "worsens").replace("raise", "better")
    return Counterexample(why, tuple(table.pair(truth, int(place)) for place in pair))


_KING = "King 2003"

QUALITY = (
    Requirement(
        "defined", "Every prediction has a score.", "", "quality", _defined, lambda _: None
    ),
    Requirement(
        "comparable",
        "Whether there is a score depends on the truth alone.",
        "",
        "quality",
        _comparable,
        lambda _: None,
    ),
    Requirement(
        "bounded",
        "Scores stay within the declared range.",
        "",
        "quality",
        _bounded,
        lambda _: None,
    ),
    Requirement(
        "best reached",
        "A perfect prediction scores the best value.",
        f"{_KING}, 1",
        "quality",
        _best_reached,
        needs_best,
    ),
    Requirement(
        "best only perfect",
        "No other prediction scores as well as the perfect one.",
        f"{_KING}, 1",
        "quality",
        _best_only,
        without_order,
    ),
    Requirement(
        "worst reached",
        "A prediction that is all wrong scores the worst value.",
        f"{_KING}, 2",
        "quality",
        _worst_reached,
        _needs_worst,
    ),
    Requirement(
        "worst only worst",
        "No other prediction scores as badly as one that is all wrong.",
        f"{_KING}, 2",
        "quality",
        _worst_only,
        _needs_worst_prediction,
    ),
    Requirement(
        "monotonic",
        "Mending one mistake never makes the score worse, adding one never better.",
        f"{_KING}, 3",
        "quality",
        _monotonic,
        without_order,
    ),
    Requirement(
        "strictly monotonic",
        "Mending one mistake makes the score better.",
        f"{_KING}, 3",
        "quality",
        _strict,
        without_order,
    ),
)
