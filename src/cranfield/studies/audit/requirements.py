"""Requirements: what can be asked of a measure, and how a table of scores shows it broken.

A requirement looks for the smallest counterexample in a table: None = the table has none. Here are
those of quality, from King 2003 as told in Nowak 2011 §4.6, and whether the distance of a score
from the best one is a metric, where truths are taken for predictions; others have files of their
own.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.core.truth import Truth
from cranfield.studies.audit.kinds import Counterexample, number
from cranfield.studies.audit.spaces import Look, Table
from cranfield.studies.audit.subjects import Subject

Group = Literal["quality", "metric", "invariance", "hierarchy", "sensitivity"]
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
    return tuple(int(i) for i in np.unravel_index(weight.argmin(), broken.shape))


def _sizes(table: Table) -> Floats:
    """(T, S)"""
    truths, predicted = table.space.sizes
    return truths[:, None] + predicted[None]


def _defined(table: Table) -> Counterexample | None:
    index = least(np.isnan(table.scores), _sizes(table))
    if index is None:
        return None
    pair = table.pair(*index)
    table.subject.complaints.clear()
    table.subject.scores(pair.truth, pair.predicted[None], pair.items, pair.concepts)
    return Counterexample("; ".join(table.subject.complaints) or "the score is NaN", (pair,))


def _comparable(table: Table) -> Counterexample | None:
    lacking = np.isnan(table.scores)
    index = least(lacking & ~lacking.all(axis=1, keepdims=True), _sizes(table))
    if index is None:
        return None
    truth, predicted = index
    other = int(np.flatnonzero(~lacking[truth])[0])
    why = "one prediction has no score, another for the same truth has"
    return Counterexample(why, (table.pair(truth, predicted), table.pair(truth, other)))


def _bounded(table: Table) -> Counterexample | None:
    low, high = table.subject.range
    outside = (table.scores < low - CLOSE) | (table.scores > high + CLOSE)
    index = least(outside, _sizes(table))
    why = f"outside [{low:g}, {high:g}]"
    return None if index is None else Counterexample(why, (table.pair(*index),))


def _best_reached(table: Table) -> Counterexample | None:
    best = table.subject.best
    missed = table.space.perfect & (np.abs(table.scores - best) > CLOSE)
    index = least(missed, _sizes(table))
    if index is None:
        return None
    why = f"a perfect prediction does not score {best:g}" + _broken_rules(table, index[0])
    return Counterexample(why, (table.pair(*index),))


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
    index = least(unique, _sizes(table))
    if index is None:
        return None
    truth, predicted = index
    # Among several extreme ones, the most extreme is the one that was compared with.
    other = int(np.where(chosen[truth], merits[truth], -np.inf).argmax())
    return Counterexample(why, (table.pair(truth, predicted), table.pair(truth, other)))


def _worst_reached(table: Table) -> Counterexample | None:
    worst = table.subject.worst
    missed = table.space.worst & (np.abs(table.scores - worst) > CLOSE)
    index = least(missed, _sizes(table))
    why = f"a prediction that is all wrong does not score {worst:g}"
    return None if index is None else Counterexample(why, (table.pair(*index),))


def _monotonic(table: Table) -> Counterexample | None:
    mended, gained = _steps(table)
    return _stepped(table, mended * gained < -CLOSE * np.abs(mended), "mending lowers the score")


def _strict(table: Table) -> Counterexample | None:
    mended, gained = _steps(table)
    idle = (mended != 0) & (mended * gained <= CLOSE * np.abs(mended))
    return _stepped(table, idle, "mending does not raise the score")


def _steps(table: Table) -> tuple[Floats, Floats]:
    """(T, M): errors mended, and merit gained, from one prediction of each step to the other."""
    first, other = table.space.steps
    errors = table.space.errors
    return errors[:, first] - errors[:, other], table.merits[:, other] - table.merits[:, first]


def _stepped(table: Table, broken: Any, why: str) -> Counterexample | None:
    first, other = table.space.steps
    truths, predicted = table.space.sizes
    index = least(broken, truths[:, None] + predicted[first] + predicted[other])
    if index is None:
        return None
    truth, step = index
    pair = sorted((first[step], other[step]), key=lambda p: -table.space.errors[truth, p])
    if table.subject.better == "lower":
        why = why.replace("lowers", "worsens").replace("raise", "better")
    return Counterexample(why, tuple(table.pair(truth, int(p)) for p in pair))


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


# ── metric axioms ────────────────────────────────────────────────────────────────────────────────


def _needs_square(subject: Subject) -> str | None:
    return None if subject.kind.square else "truths and predictions are of different kinds"


def _needs_distance(subject: Subject) -> str | None:
    return _needs_square(subject) or needs_best(subject)


def _distances(table: Table) -> Floats:
    """(T, T): how far the score is from the best, truths taken for predictions."""
    return np.abs(table.scores[:, table.space.twins] - table.subject.best)


def _identity(table: Table) -> Counterexample | None:
    apart = _distances(table)
    same = table.space.perfect[:, table.space.twins]
    truths = table.space.sizes[0]
    index = least(np.where(same, apart > CLOSE, apart <= CLOSE), truths[:, None] + truths[None])
    if index is None:
        return None
    first, other = index
    why = "a distance of something from itself" if same[index] else "no distance between two"
    return Counterexample(why, (table.pair(first, int(table.space.twins[other])),))


def _symmetric(table: Table) -> Counterexample | None:
    square = table.scores[:, table.space.twins]
    truths = table.space.sizes[0]
    index = least(np.abs(square - square.T) > CLOSE, truths[:, None] + truths[None])
    if index is None:
        return None
    first, other = index
    twins = table.space.twins
    pairs = (table.pair(first, int(twins[other])), table.pair(other, int(twins[first])))
    return Counterexample("truth and prediction cannot change places", pairs)


def _triangle(table: Table) -> Counterexample | None:
    apart, truths = _distances(table), table.space.sizes[0]
    detour = apart[:, :, None] + apart[None, :, :]
    sizes = truths[:, None, None] + truths[None, :, None] + truths[None, None, :]
    index = least(apart[:, None, :] > detour + CLOSE, sizes)
    if index is None:
        return None
    a, b, c = index
    twins = [int(twin) for twin in table.space.twins]
    first, second, direct = (number(float(apart[pair])) for pair in ((a, b), (b, c), (a, c)))
    return Counterexample(
        f"the detour is shorter, {first} + {second} < {direct}",
        (table.pair(a, twins[b]), table.pair(b, twins[c]), table.pair(a, twins[c])),
    )


_AXIOM = "metric axiom"

METRIC = (
    Requirement(
        "identity",
        "The distance from the best score is 0 for equal label sets, and only for them.",
        _AXIOM,
        "metric",
        _identity,
        _needs_distance,
    ),
    Requirement(
        "symmetric",
        "Truth and prediction can change places.",
        _AXIOM,
        "metric",
        _symmetric,
        _needs_square,
    ),
    Requirement(
        "triangle",
        "The distance from the best score is never longer than a detour.",
        _AXIOM,
        "metric",
        _triangle,
        _needs_distance,
    ),
)
