"""Reference runs: what the runs of systems are held against, made from the truth alone.

Random0 has uniform confidences, RandomXX assigns exactly XX % of all labels, AllOnes every label:
they know nothing (Nowak 2011 §7.5). perfect says what the truth says. Random numbers are drawn in
the order of ids, so that the order of rows and columns does not matter.
"""

from __future__ import annotations

import numpy as np

from cranfield.core.digests import canonical_order
from cranfield.core.matrices import dense
from cranfield.core.reference_names import ALL_ONES, PERFECT
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import InputError
from cranfield.studies.draws import scattered, stream

RANDOM_PERCENTAGES = (0, 10, 20, 30, 40, 50, 60, 70, 80, 90)
"""Random0: uniform confidences; RandomXX: exactly XX % of annotations (Nowak 2011 §7.5)."""


def random_run(truth: Truth, percent: int, *, seed: int) -> Run:
    """Random0: uniform confidences in [0, 1]. RandomXX: exactly XX % of all annotations are 1."""
    if not 0 <= percent <= 100:
        raise InputError(f"Random{percent}: give a percentage from 0 to 100")
    name = f"Random{percent}"
    random = stream(seed, "random", name)
    drawn = (
        scattered(random, truth.shape, percent / 100)
        if percent
        else random.random(truth.shape, dtype=np.float32)
    )
    rows, columns = (np.argsort(canonical_order(a)) for a in (truth.item_axis, truth.concept_axis))
    said = drawn[np.ix_(rows, columns)]
    return _run(truth, name, **{"labels" if percent else "scores": said}, group="Random")


def all_ones(truth: Truth) -> Run:
    """Every label is assigned to every item."""
    return _run(truth, ALL_ONES, labels=np.ones(truth.shape, dtype=np.bool_))


def perfect_run(truth: Truth) -> Run:
    """What the truth says, with its grades for confidences."""
    grades = None if truth.grades is None else dense(truth.grades).astype(np.float32)
    return _run(truth, PERFECT, labels=truth.labels, scores=grades)


def _run(truth: Truth, name: str, **said: object) -> Run:
    if truth.open:
        raise InputError(
            f"{name}: the truth does not list all of its items, so no run can label them; give a "
            "truth that does"
        )
    return Run(
        name=name,
        items=truth.item_axis,
        concepts=truth.concept_axis,
        **said,  # type: ignore[arg-type]
    )
