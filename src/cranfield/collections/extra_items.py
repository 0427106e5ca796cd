"""Extra items: what a run says of items that its truth does not have.

Runs are often made for a whole collection and scored on a part of it: a test split, or the few
items that several people judged. Items that nobody meant to leave out point to a mistake, such as
ids that are written in two ways, so that dropping them has to be asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_args

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.core.axes import Extra
from cranfield.core.run import Run
from cranfield.core.terms import CONCEPTS, Terms
from cranfield.core.truth import Truth
from cranfield.errors import InputError, first_ten, several


def covering(truth: Truth | Collection, runs: Iterable[Run], extra: Extra) -> list[Run]:
    """Runs on the items of a truth.

    extra  items that the truth lacks: "error", or "drop", which each run counts (`left_out`)

    What a run says of the rest of a collection of which this is a part is left out without being
    counted. An open truth has no extra items.
    """
    if extra not in get_args(Extra):
        raise InputError(f"extra={extra!r}; choose 'error' or 'drop'", parameter="extra")
    rest: frozenset[str] = truth.rest if isinstance(truth, Collection) else frozenset()
    plain = truth.truth if isinstance(truth, Collection) else truth
    if extra == "drop" and plain.open:
        raise InputError(
            "items are dropped only beside truths that list all of their items; an open one, such "
            "as that of TREC files, takes every item that a run retrieved into account",
            mend="give {extra=error}",
        )
    return [_covering(plain, rest, run, extra) for run in runs]


def left_out_remarks(runs: Iterable[Run], terms: Terms = CONCEPTS) -> list[str]:
    """Which runs lost items that the truth lacks, and how many."""
    names: dict[int, list[str]] = {}
    for run in runs:
        if run.left_out:
            names.setdefault(run.left_out, []).append(run.name)
    return [
        f"{f'run {whose[0]!r}' if len(whose) == 1 else f'each of {len(whose)} runs'}: "
        f"{terms.several(count, 'item')} that the truth lacks left out"
        for count, whose in sorted(names.items())
    ]


def _covering(truth: Truth, rest: frozenset[str], run: Run, extra: Extra) -> Run:
    mine, theirs = truth.item_axis, run.item_axis
    if mine.aligns_by_position(theirs, "the truth", f"run {run.name!r}"):
        return run
    strangers = [item for item in theirs.names if item not in mine.positions]
    if not strangers:
        return run
    unknown = [] if truth.open else [item for item in strangers if item not in rest]
    if unknown and extra == "error":
        raise InputError(
            f"run {run.name!r} has {several(len(unknown), 'item')} that the truth does not know: "
            f"{first_ten(unknown)}",
            mend=how_to_mend(unknown),
            about=("run", run.name),
        )
    dropped = {*unknown, *rest.intersection(strangers)}
    if not dropped:
        return run
    part = run.part(np.flatnonzero([item not in dropped for item in run.items]))
    if not part.shape[0]:
        raise InputError(
            f"run {run.name!r} has none of the items of the truth, but {first_ten(strangers)}; "
            "check that the ids are written alike in both"
        )
    part.left_out = run.left_out + len(unknown)
    return part


def how_to_mend(unknown: Any) -> str:
    """Advice about extra items."""
    them = "it" if len(unknown) == 1 else "them"
    return (
        f"check that the ids are written alike in both, or leave {them} out of the run with "
        "{extra=drop}"
    )
