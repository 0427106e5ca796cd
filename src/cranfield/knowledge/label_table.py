"""A table of labels: which of an ontology's concepts each item has, whoever says so.

A truth or a run in which some cells are set otherwise; all that was known besides stays.

Cells are given by their codes: row · columns + column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.core.axes import Axis
from cranfield.core.matrices import Bools, Cells, Floats, Ints, dense
from cranfield.core.run import Run
from cranfield.core.terms import CONCEPTS, Terms
from cranfield.core.truth import Truth
from cranfield.errors import InputError, first_ten, several
from cranfield.kernels.decisions import threshold_like

if TYPE_CHECKING:
    from cranfield.knowledge.ontology import Ontology


@dataclass(frozen=True)
class LabelTable:
    """Labels of items, with their ids."""

    labels: Bools
    items: tuple[str, ...]
    concepts: tuple[str, ...]
    unjudged: Bools | None = None
    """The cells of a truth that nobody judged; None = there are none."""


def label_table(ontology: Ontology, source: Any) -> LabelTable:
    """The labels of a truth, of a run, or of a matrix over the ontology's concepts."""
    if not isinstance(source, Truth | Run):
        source = Truth(source, copy=False)
    concepts = concept_ids(ontology, source.concept_axis)
    if isinstance(source, Run):
        return LabelTable(dense(source.assigned), source.items, concepts)
    unjudged = None if source.judged is None else ~dense(source.judged)
    return LabelTable(source.labels, source.items, concepts, unjudged)


def terms_of(source: Any) -> Terms:
    """What a truth calls concepts and items; the usual words where somebody else has labels."""
    return source.terms if isinstance(source, Truth) else CONCEPTS


def concept_ids(ontology: Ontology, axis: Axis) -> tuple[str, ...]:
    """The concepts along an axis, all of them known; without ids they follow the ontology."""
    if axis.ids is None:
        if axis.size != len(ontology.concepts):
            raise InputError(
                f"{several(axis.size, 'column')} without names, and {ontology.name} has "
                f"{several(len(ontology.concepts), 'concept')}",
                mend="name them with {concepts}",
            )
        return ontology.concepts
    assignable = set(ontology.concepts)
    unknown = [name for name in axis.ids if name not in assignable]
    if unknown:
        order = [name for name in unknown if name in ontology.parents]
        hint = f" ({first_ten(order)} only give order there)" if order else ""
        raise InputError(
            f"{several(len(unknown), 'concept')} that {ontology.name} does not know: "
            f"{first_ten(unknown)}{hint}; use the ontology's ids, or add them to it"
        )
    return axis.ids


NO_CELLS: Ints = np.zeros(0, dtype=np.int64)


def revised_truth(truth: Truth, positive: Ints, negative: Ints) -> Truth:
    """The truth with cells judged positive (of the lowest relevant grade) and negative; they enter
    the pool."""
    if not len(positive) and not len(negative):
        return truth
    if truth.subtopics is not None:
        raise InputError(
            "a label that is added or removed says nothing about subtopics",
            mend="give judgements without subtopics: cranfield convert FILE plain.qrels --lossy",
        )
    both = np.concatenate([positive, negative])
    return Truth(
        _without(_with(truth.matrix, positive, True), negative),
        items=truth.item_axis,
        concepts=truth.concept_axis,
        judged=_with(truth.judged, both, True),
        pool=_with(truth.pool, both, True),
        strata=truth.strata,
        grades=_without(_with(truth.grades, positive, truth.level), negative),
        unjudged=truth.unjudged,
        level=truth.level,
        terms=truth.terms,
    )


def revised_run(run: Run, added: Ints, removed: Ints) -> Run:
    """The run with decisions of its own, in which labels were added and removed.

    A label in a cell for which a sparse run has no score gets the lowest of its scores.
    """
    scores = run.scores
    if isinstance(scores, Cells):
        scores = _with(scores, np.setdiff1d(added, scores.codes), run.range[0])
    return Run(
        scores,
        labels=_without(_with(run.assigned, added, True), removed),
        name=run.name,
        items=run.item_axis,
        concepts=run.concept_axis,
        group=run.group,
        tags=run.tags,
    )


def _with(matrix: Any, codes: Ints, value: Any) -> Any:
    """A copy of a matrix of either form with one value in some cells; none of none."""
    if matrix is None or not len(codes):
        return matrix
    if not isinstance(matrix, Cells):
        changed = matrix.copy()
        changed.ravel()[codes] = value
        return changed
    every = np.union1d(matrix.codes, codes)
    values = matrix.at(every)
    values[np.searchsorted(every, codes)] = value
    return Cells(matrix.shape, every, values)


def _without(matrix: Any, codes: Ints) -> Any:
    """A copy with zeros in some cells; none of them is stored only for that."""
    if isinstance(matrix, Cells):
        codes = np.intersect1d(codes, matrix.codes)
    return _with(matrix, codes, 0)


_SURE = 1e-12
"""Nothing is surer than this: probabilities of 0 and 1 would forbid what rules may ask for."""


def log_odds(confidences: Any, target: Truth | Run) -> Floats:
    """(N, C): log p/(1−p) in the order of what is given; a cell without confidence has p = 0.

    confidences  a Run with scores in [0, 1], or a matrix of them

    Where a run is held against its own decisions, its threshold has even odds.
    """
    run = confidences if isinstance(confidences, Run) else Run(confidences, name="confidences")
    if run.scores is None:
        raise InputError(
            f"run {run.name!r} has decisions and no confidences, so no label set is the most "
            "probable one; give scores, or repair by labels alone"
        )
    low, high = run.range
    if low < 0 or high > 1:
        raise InputError(
            f"run {run.name!r} has scores from {low:g} to {high:g}; as probabilities they must lie "
            "in [0, 1]: calibrate them, or repair by labels alone"
        )
    scores = dense(run.scores)
    odds = logit(scores)
    if run is target:
        if run.labels is None and run.cut is not None:
            odds -= logit(threshold_like(scores, run.cut))
        return odds
    rows = target.item_axis.locate(run.item_axis, run=run.name, missing="error")
    columns = target.concept_axis.locate(run.concept_axis, run=run.name, missing="error")
    if rows is not None:
        odds = odds[rows]
    return odds if columns is None else odds[:, columns]


def logit(shares: Any) -> Floats:
    """log p/(1−p), finite also for 0 and 1."""
    p = np.clip(np.asarray(shares, dtype=np.float64), _SURE, 1.0 - _SURE)
    return np.asarray(np.log(p) - np.log1p(-p))
