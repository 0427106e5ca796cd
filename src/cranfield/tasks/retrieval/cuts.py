"""Cuts: only the first documents of each topic.

What trec_eval does with -M. Among equals the documents stay that trec_eval ranks first.
"""

from __future__ import annotations

import numpy as np

from cranfield.collections.ranked_lists import ListedCells, strict_scores
from cranfield.core.matrices import Cells, Ints, as_cells
from cranfield.core.run import Run
from cranfield.errors import InputError


def cut_off(run: Run, depth: int) -> Run:
    """The run with the first `depth` items of each concept; all others were not retrieved."""
    if depth < 1:
        raise InputError(f"depth {depth}; keep at least the first item")
    ranking = as_cells(run.ranking)
    lists = ranking.by_column
    listed = ListedCells("concept", run.shape, lists.places, lists.values, lists.offsets)
    run.item_axis.require_ids("cutting off ranks equal scores by")
    best_first = np.argsort(-strict_scores(listed, lambda rows: _names(run, rows)))
    rank = np.arange(len(best_first)) - lists.offsets[listed.owner[best_first]]
    codes = np.sort(listed.codes[best_first[rank < depth]])
    labels = as_cells(run.assigned) if run.labels is not None else None
    cut = Run(
        None if run.scores is None else _part(as_cells(run.scores), codes),
        labels=None if labels is None else _part(labels, codes),
        name=run.name,
        items=run.item_axis,
        concepts=run.concept_axis,
        threshold=run.threshold if labels is None else None,
        group=run.group,
        tags=run.tags,
        notes=(*run.notes, f"only the first {depth} of each concept"),
    )
    cut.depth = depth
    return cut


def _names(run: Run, rows: Ints) -> list[str]:
    return [run.items[row] for row in rows.tolist()]


def _part(cells: Cells, codes: Ints) -> Cells:
    return Cells(cells.shape, codes, cells.at(codes))
