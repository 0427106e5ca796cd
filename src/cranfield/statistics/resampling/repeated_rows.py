"""The scores of repeated rows, made and scored draw by draw: what any measure can do, slowly."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.collections.comparison import Comparison
from cranfield.core.matrices import Cells, Floats, Ints
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.engine.evaluation import Score


class RepeatedRows:
    """A truth and a run, to be made again of other rows."""

    def __init__(self, score: Score) -> None:
        self._score = score
        self._places = score.truth.item_axis.locate(
            score.run.item_axis, run=score.run.name, missing=score.missing
        )

    def __call__(self, times: Floats) -> Floats:
        """(b, units): the scores of all units in every draw; pooled measures are one unit."""
        drawn = times.astype(np.int64)
        return np.stack([self._units(np.repeat(np.arange(len(one)), one)) for one in drawn], axis=0)

    def _units(self, rows: Ints) -> Floats:
        score = self._score
        names = _named(score.truth.items, rows)
        comparison = Comparison(
            _truth(score.truth, rows, names),
            self._run(rows, names),
            unjudged=score.unjudged,
            missing=score.missing,
            known=score.known,
        )
        return score.measure.units(comparison)

    def _run(self, rows: Ints, names: list[str]) -> Run:
        run = self._score.run
        places = rows if self._places is None else self._places[rows]
        there = places >= 0
        kept = places[there]
        threshold = run.threshold
        if isinstance(threshold, np.ndarray) and threshold.ndim == 2:
            threshold = threshold[kept]
        return Run(
            None if run.scores is None else repeated(run.scores, kept),
            labels=None if run.labels is None else repeated(run.labels, kept),
            name=run.name,
            items=[name for name, kept in zip(names, there.tolist(), strict=True) if kept],
            concepts=run.concept_axis,
            threshold=threshold if run.labels is None else None,
            copy=None,
        )


def repeated(matrix: NDArray[Any] | Cells, rows: Ints) -> Any:
    """Some rows, any of them any number of times."""
    if not isinstance(matrix, Cells):
        return matrix[rows]
    lists = matrix.by_row
    lengths = np.diff(lists.offsets)[rows]
    begin = np.cumsum(lengths) - lengths
    cells = np.repeat(lists.offsets[rows] - begin, lengths) + np.arange(int(lengths.sum()))
    shape = (len(rows), matrix.shape[1])
    owner = np.repeat(np.arange(len(rows)), lengths)
    return Cells.of(shape, owner, lists.places[cells], lists.values[cells])


def _named(names: tuple[str, ...], rows: Ints) -> list[str]:
    """An id for each copy; those of an item stand together in the order of ids."""
    first = np.concatenate([[True], np.diff(rows) != 0]) if len(rows) else np.zeros(0, np.bool_)
    begin = np.maximum.accumulate(np.where(first, np.arange(len(rows)), 0))
    copies = (np.arange(len(rows)) - begin).tolist()
    return [f"{names[row]} {copy:06d}" for row, copy in zip(rows.tolist(), copies, strict=True)]


def _truth(truth: Truth, rows: Ints, names: list[str]) -> Truth:
    def kept(matrix: Any) -> Any:
        return None if matrix is None else repeated(matrix, rows)

    return Truth(
        kept(truth.matrix) if truth.has_labels else None,
        items=names,
        concepts=truth.concept_axis,
        judged=kept(truth.judged),
        pool=kept(truth.pool),
        strata=kept(truth.strata),
        grades=kept(truth.grades),
        targets=kept(truth.targets),
        unjudged=truth.unjudged,
        copy=None,
        level=truth.level,
    )
