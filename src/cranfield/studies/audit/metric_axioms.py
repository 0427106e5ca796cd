"""Metric axioms: whether the distance of a score from the best one is a metric (Nowak 2011 §4.6).

Truths are taken for predictions, so both must be of one kind.
"""

from __future__ import annotations

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.studies.audit.counterexamples import Counterexample, number
from cranfield.studies.audit.requirements import CLOSE, Requirement, least, needs_best
from cranfield.studies.audit.spaces import Table
from cranfield.studies.audit.subjects import Subject


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
    found = least(np.where(same, apart > CLOSE, apart <= CLOSE), truths[:, None] + truths[None])
    if found is None:
        return None
    one, other = found
    why = "a distance of something from itself" if same[found] else "no distance between two"
    return Counterexample(why, (table.pair(one, int(table.space.twins[other])),))


def _symmetric(table: Table) -> Counterexample | None:
    square = table.scores[:, table.space.twins]
    truths = table.space.sizes[0]
    found = least(np.abs(square - square.T) > CLOSE, truths[:, None] + truths[None])
    if found is None:
        return None
    one, other = found
    twins = table.space.twins
    pairs = (table.pair(one, int(twins[other])), table.pair(other, int(twins[one])))
    return Counterexample("truth and prediction cannot change places", pairs)


def _triangle(table: Table) -> Counterexample | None:
    apart, truths = _distances(table), table.space.sizes[0]
    detour = apart[:, :, None] + apart[None, :, :]
    sizes = truths[:, None, None] + truths[None, :, None] + truths[None, None, :]
    found = least(apart[:, None, :] > detour + CLOSE, sizes)
    if found is None:
        return None
    a, b, c = found
    twins = [int(place) for place in table.space.twins]
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
