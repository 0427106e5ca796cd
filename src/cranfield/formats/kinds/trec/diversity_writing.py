"""Writes judgements of subtopics: `topic subtopic document grade`."""

from __future__ import annotations

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.core.matrices import Cells, at
from cranfield.core.subtopics import listed
from cranfield.formats.kinds.text import plain
from cranfield.formats.kinds.trec.qrels import pooled_cells, require_pooled
from cranfield.formats.source import Target

_NONE = "0"
"""The subtopic of documents that were judged, or pooled, for no subtopic in particular."""


def write_diversity(collection: Collection, target: Target) -> None:
    """Lines topic by topic; a truth without subtopics has one for each topic, called 1."""
    truth = collection.truth
    items, concepts = list(plain(truth.items)), list(plain(truth.concepts))
    require_pooled(truth)
    subtopics = truth.subtopics
    if subtopics is None:
        whole = truth.matrix if truth.grades is None else truth.grades
        relevant = np.concatenate([codes[at(whole, codes) > 0] for codes in pooled_cells(truth)])
        relevant.sort()
        grades = at(whole, relevant).astype(np.int64)
        subtopics = {"1": Cells(truth.shape, relevant, grades)}
    names = list(plain(tuple(subtopics)))
    cells = listed(subtopics)
    for codes in pooled_cells(truth):
        first, last = (np.searchsorted(cells.codes, codes, side) for side in ("left", "right"))
        judged = np.ones(len(codes), np.bool_) if truth.judged is None else at(truth.judged, codes)
        for code, begin, end, is_judged in zip(
            codes.tolist(), first.tolist(), last.tolist(), judged.tolist(), strict=True
        ):
            document, topic = divmod(code, truth.shape[1])
            lines = [
                (names[cells.subtopics[place]], int(cells.grades[place]))
                for place in range(begin, end)
            ] or [(_NONE, 0 if is_judged else -1)]
            for name, grade in lines:
                line = f"{concepts[topic]} {name} {items[document]} {grade}\n"
                target.stream.write(line.encode())
