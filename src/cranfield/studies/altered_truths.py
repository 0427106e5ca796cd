"""Altered truths: labels flipped, or items, concepts or annotators left out, more at each stage.

Alterations of a repeat are nested: what is flipped or left out at one stage still is at the next.
What is drawn follows the order of ids, so that the order of rows and columns does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from cranfield.core.aligned import narrowed
from cranfield.core.axes import Missing
from cranfield.core.digests import canonical_order
from cranfield.core.matrices import Cells, Ints, as_cells, at, dense
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import InputError, several

Change = Literal["flip", "items", "concepts", "annotators"]


class Stage(NamedTuple):
    """A truth as it is at one stage, and which of its rows and columns are left."""

    truth: Truth
    rows: Ints | None = None
    """None: all of them."""
    columns: Ints | None = None

    def of(self, run: Run, original: Truth, missing: Missing) -> Run:
        """What a run says of what is left."""
        if self.rows is None and self.columns is None:
            return run
        return narrowed(run, original, rows=self.rows, columns=self.columns, missing=missing)


class Alteration(NamedTuple):
    """What can be altered, and how."""

    kind: str
    """What is altered."""
    candidates: int
    """Cells that can be flipped, or things that can be left out."""
    spared: int
    """How many of them must stay as they are."""
    stage: Callable[[Ints], Stage]
    """What some of them, given by number, make of the truth."""

    def counts(self, levels: Sequence[float]) -> tuple[int, ...]:
        """How many are altered at each level, a share."""
        within = all(0 < level < 1 for level in levels)
        if not (len(levels) and within and list(levels) == sorted(set(levels))):
            raise InputError(
                f"levels are {', '.join(f'{level:g}' for level in levels) or 'missing'}; give "
                "shares between 0 and 1 that grow, such as 0.01, 0.02, 0.05",
                parameter="levels",
            )
        counts = tuple(round(level * self.candidates) for level in levels)
        all_of_them = several(self.candidates, self.kind)
        if counts[0] < 1:
            raise InputError(
                f"a share of {levels[0]:g} is less than one of {all_of_them}; choose levels from "
                f"{1 / max(1, self.candidates):.2g} up",
                parameter="levels",
            )
        if counts[-1] > self.candidates - self.spared:
            raise InputError(
                f"a share of {levels[-1]:g} is {counts[-1]} of {all_of_them}, of which "
                f"{self.spared} must stay; choose smaller levels",
                parameter="levels",
            )
        return counts


def alteration(truth: Truth, change: Change, annotators: Sequence[Truth] = ()) -> Alteration:
    """How to alter a truth."""
    if change == "annotators":
        return _fewer_annotators(truth, annotators)
    if annotators:
        raise InputError(
            f"truths of annotators are of no use with change={change!r}",
            mend="give {change=annotators} too",
            parameter="annotators",
        )
    if change == "flip":
        return _flipped(truth)
    if change == "items":
        if truth.open:
            raise InputError(
                "items of an open truth cannot be left out, since it does not list all of them; "
                "leave out concepts, which are its topics"
            )
        order = canonical_order(truth.item_axis)

        def fewer_items(left_out: Ints) -> Stage:
            rows = np.sort(np.delete(order, left_out))
            return Stage(truth.part(rows), rows=rows)

        return Alteration("item", len(order), 2, fewer_items)
    if change == "concepts":
        columns = canonical_order(truth.concept_axis)

        def fewer_concepts(left_out: Ints) -> Stage:
            remaining = np.sort(np.delete(columns, left_out))
            return Stage(truth.of_concepts(remaining), columns=remaining)

        return Alteration("concept", len(columns), 1, fewer_concepts)
    raise InputError(f"change={change!r}; choose 'flip', 'items', 'concepts' or 'annotators'")


def _flipped(truth: Truth) -> Alteration:
    if truth.subtopics is not None:
        raise InputError(
            "a label that is flipped to relevant would have no subtopic",
            mend="{change=items} leaves out items instead; or give judgements without "
            "subtopics: cranfield convert FILE plain.qrels --lossy",
        )
    """Judged cells turn from one to zero and from zero to one."""
    if truth.open:
        cells = as_cells(truth.judged if truth.judged is not None else truth.matrix)
        codes = cells.codes[cells.values]
    else:
        rows, columns = map(canonical_order, (truth.item_axis, truth.concept_axis))
        codes = (rows[:, None] * truth.shape[1] + columns).ravel()
        if truth.judged is not None:
            codes = codes[at(truth.judged, codes)]

    def flip(which: Ints) -> Stage:
        return Stage(_with_flipped(truth, codes[which]))

    return Alteration("judged cell", len(codes), 0, flip)


def _with_flipped(truth: Truth, codes: Ints) -> Truth:
    def turned(matrix: Any) -> Any:
        """Positive becomes 0 and anything else the least that is positive; the cells of an open
        truth stay those judged."""
        stored = as_cells(truth.judged) if truth.open and truth.judged is not None else None
        values = (dense(matrix).ravel() if stored is None else at(matrix, stored.codes)).copy()
        places = codes if stored is None else np.searchsorted(stored.codes, codes)
        values[places] = np.where(values[places] >= truth.level, 0, truth.level)
        if stored is None:
            return values.reshape(truth.shape)
        return Cells(truth.shape, stored.codes, values)

    return Truth(
        turned(truth.matrix) if truth.grades is None else None,
        grades=None if truth.grades is None else turned(truth.grades),
        items=truth.item_axis,
        concepts=truth.concept_axis,
        judged=truth.judged,
        pool=truth.pool,
        strata=truth.strata,
        unjudged=truth.unjudged,
        open=truth.open,
        level=truth.level,
    )


def _fewer_annotators(truth: Truth, annotators: Sequence[Truth]) -> Alteration:
    if len(annotators) < 2:
        raise InputError(
            f"there are truths of {several(len(annotators), 'annotator')}",
            mend="give {annotators} the truths of at least two, with the items and concepts of the "
            "truth",
            parameter="change",
        )
    votes = [
        _votes(truth, annotator, number) for number, annotator in enumerate(annotators, start=1)
    ]
    yes = np.array([labels & judged for labels, judged in votes])
    voted = np.array([judged for _, judged in votes])

    def fewer(left_out: Ints) -> Stage:
        remaining = np.delete(np.arange(len(annotators)), left_out)
        judged = voted[remaining].sum(axis=0)
        # An even split assigns nothing.
        labels = 2 * yes[remaining].sum(axis=0) > judged
        return Stage(
            Truth(
                labels,
                judged=judged > 0,
                items=truth.item_axis,
                concepts=truth.concept_axis,
                unjudged=truth.unjudged,
            )
        )

    return Alteration("annotator", len(annotators), 1, fewer)


def _votes(truth: Truth, annotator: Truth, number: int) -> tuple[Any, Any]:
    """What an annotator said, and of which cells, in the order of the truth."""
    who = f"annotator {number}"
    rows = truth.item_axis.locate(annotator.item_axis, run=who, missing="error")
    columns = truth.concept_axis.locate(annotator.concept_axis, run=who, missing="error")
    judged = (
        np.ones(annotator.shape, dtype=np.bool_)
        if annotator.judged is None
        else dense(annotator.judged)
    )
    places = np.ix_(
        *(
            np.arange(size) if remaining is None else remaining
            for remaining, size in zip((rows, columns), truth.shape, strict=True)
        )
    )
    return annotator.labels[places], judged[places]
