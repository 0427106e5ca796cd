"""Reference runs: what the runs of systems are held against, made from the truth alone.

Random0 has uniform confidences, RandomXX assigns exactly XX % of all labels, AllOnes every label:
they know nothing (Nowak 2011 §7.5). perfect says what the truth says. Random numbers carry a name,
so that drawing one thing changes no other, and are drawn in the order of ids, so that the order of
rows and columns does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cranfield.core.digests import canonical_order
from cranfield.core.matrices import Bools, dense
from cranfield.core.reference_names import ALL_ONES, PERFECT
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import InputError

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


# ── seeded draws ─────────────────────────────────────────────────────────────────────────────────


_CELLS = 1 << 20
"""Cells drawn at a time."""


def stream(seed: int, *name: str) -> np.random.Generator:
    """The random numbers of whatever carries this name."""
    return np.random.default_rng([seed, *"/".join(name).encode()])


def scattered(random: np.random.Generator, shape: tuple[int, int], share: float) -> Bools:
    """A mask with exactly round(share · cells) cells set, every such mask equally likely.

    Independent cells first; the few too many or too few are then flipped at random places, which
    keeps all masks of that count equally likely and needs no permutation of the whole matrix.
    """
    mask = np.empty(shape, dtype=np.bool_)
    for rows in chunks(shape):
        mask[rows] = random.random(mask[rows].shape, dtype=np.float32) < share
    flat = mask.ravel()
    surplus = int(np.count_nonzero(flat)) - round(share * flat.size)
    while surplus:
        places = np.unique(random.integers(flat.size, size=4 * abs(surplus)))
        places = random.permutation(places[flat[places] == (surplus > 0)])[: abs(surplus)]
        flat[places] = surplus < 0
        surplus -= len(places) if surplus > 0 else -len(places)
    return mask


def chunks(shape: tuple[int, int]) -> Iterator[slice]:
    """Slices of rows, each of about a million cells."""
    rows = max(1, _CELLS // shape[1])
    for first in range(0, shape[0], rows):
        yield slice(first, min(first + rows, shape[0]))
