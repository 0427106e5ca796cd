"""What must hold for every measure, whatever it measures.

Driven by the registry: a new measure is tested the moment it is registered. Each measure is tested
as it is and with each choice of each option of its own; the options that all measures share,
`undefined` and `unjudged`, have tests of their own. Measures that score by meaning are given an
ontology and maps about the concepts of a problem. A test takes all measures at once, since there
are hundreds, and names those that fail.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import cranfield as cf
import problems
from ontologies import knowledge
from problems import EXACT, Problem, problem

K = 3


def plain(definition: Any) -> str:
    """A measure with no more options than it needs."""
    return definition.name.replace("@k", f"@{K}")


SHARED = ("undefined", "unjudged")


MAPS = {"costs": ("any", "DIMC"), "relatedness": ("DDMC",)}
"""Maps that options name."""


def varied(definition: Any) -> list[str]:
    """A measure with each choice of each option of its own that is not its default."""
    return [
        f"{plain(definition)}({name}={choice})"
        for name, option in definition.options.items()
        for choice in MAPS.get(name, option.choices)
        if choice != option.default and name not in SHARED
    ]


REGISTERED = [one for one in cf.measures() if one.table is None]
"""Without measures of confusion matrices, which need one label for each item and have tests of
their own."""
PLAIN = [plain(definition) for definition in REGISTERED]
ALL = PLAIN + [spelling for definition in REGISTERED for spelling in varied(definition)]
RANKED = [name for name in ALL if cf.measure(name).traits.prediction == "confidences"]
DECIDED = [name for name in ALL if cf.measure(name).traits.prediction == "decisions"]
VALUES = [name for name in ALL if cf.measure(name).traits.prediction == "values"]
PROBABILITIES = [name for name in VALUES if cf.measure(name).traits.relevance != "numeric"]
"""Measures that need confidences from 0 to 1."""
UNITS = [name for name in PLAIN if cf.measure(name).traits.direction != "micro"]

LOOKS_AT_OTHER_UNITS = [name for name in ALL if cf.measure(name).traits.merges == "nothing"]

CASES = {
    "heavy ties": problem(1, values=3),
    "no ties": problem(2, values=None),
    "float32": problem(3, values=4, dtype=np.float32),
    "wide": problem(4, items=6, concepts=20),
    "one item": problem(5, items=1, concepts=6, empty=False, density=0.5),
    "one concept": problem(6, items=9, concepts=1, empty=False, density=0.5),
}


def scored(
    truth: cf.Truth,
    run: cf.Run,
    name: str,
    *,
    about: Sequence[str] | None = None,
    **options: Any,
) -> cf.Score:
    """The whole score of one run by one measure, which is told about the truth's concepts, or
    `about` others."""
    return problems.scored(truth, run, name, **knowledge(about or truth.concepts), **options)


def all_scored(
    truth: cf.Truth,
    run: cf.Run,
    names: Sequence[str] = ALL,
    *,
    about: Sequence[str] | None = None,
    **options: Any,
) -> dict[str, cf.Score]:
    """Whole scores by many measures, asked for at once, which is much faster than one by one and
    gives the same (test_threads.py)."""
    result = cf.evaluate(truth, run, names, **knowledge(about or truth.concepts), **options)
    return {name: result.score(run.name, name) for name in names}


def close(found: Any, wanted: Any) -> bool:
    return bool(np.allclose(found, wanted, rtol=EXACT, atol=EXACT, equal_nan=True))


def same(one: cf.Score, other: cf.Score) -> bool:
    """Whether two scores agree as wholes: the mean, every unit, and how many were averaged."""
    return (
        close(one.value, other.value)
        and close(one.by_unit, other.by_unit)
        and (one.units, one.skipped) == (other.units, other.skipped)
    )


def all_same(some: Mapping[str, cf.Score], others: Mapping[str, cf.Score]) -> None:
    """All measures give the same scores; those that do not are named."""
    assert len(some) == len(others) > 0
    assert [name for name in some if not same(some[name], others[name])] == []


def at(case: Problem, rows: NDArray[Any], columns: NDArray[Any]) -> Problem:
    """A problem with its rows and columns in another order, or some of them only."""
    return Problem(*(m[np.ix_(rows, columns)] for m in (case.labels, case.scores)))


def shuffled(case: Problem, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    return rng.permutation(case.shape[0]), rng.permutation(case.shape[1])
