"""TREC judgements of diversity tracks: `topic subtopic document grade`, as ndeval reads them.

They look like other judgements, whose second column says nothing. A file is taken for one of these
if some document of a topic has lines with different second columns; or if it is called so: by its
extension .dqrels, "diversity" or "subtopic" in its name, or `format="diversity"`. A grade below 0
means that nobody judged the document for that subtopic.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cranfield.core.matrices import Bools, Cells, Ints
from cranfield.core.truth import Truth
from cranfield.formats.kinds.trec.files import Listed
from cranfield.formats.problems import shown
from cranfield.formats.source import Source
from cranfield.kernels.numbering import Names

_WORDS = ("diversity", "subtopic")


def is_called_diverse(source: Source) -> bool:
    """Whether the name of a file says that it has subtopics."""
    name = source.path.name.lower()
    qrels = "qrels" in name or source.extension in (".qrels", ".dqrels")
    return source.extension == ".dqrels" or (qrels and any(word in name for word in _WORDS))


class SecondColumn:
    """What stands between topic and document, which takes no memory while it is always the same."""

    def __init__(self) -> None:
        self.names = Names()
        self._lines = 0
        self._parts: list[NDArray[np.uint32]] = []

    def add(self, numbers: NDArray[np.uint32]) -> None:
        if len(self.names) > 1:
            if not self._parts:
                self._parts.append(np.zeros(self._lines, dtype=np.uint32))
            self._parts.append(numbers.copy())
        self._lines += len(numbers)

    @property
    def numbers(self) -> Ints:
        parts = self._parts or [np.zeros(self._lines, dtype=np.uint32)]
        return np.concatenate(parts).astype(np.int64)

    def tells_apart(self, listed: Listed) -> bool:
        """Whether some document of a topic stands on lines that differ here."""
        if not self._parts:
            return False
        documents, topics, _, _ = listed.unordered
        order = np.lexsort((topics, documents))
        same = _repeats(documents[order], topics[order])
        return bool((same & (np.diff(self.numbers[order], prepend=-1) != 0)).any())


def truth_of_subtopics(listed: Listed, second: SecondColumn) -> Truth:
    """A truth with the grades of each subtopic."""
    documents, topics, values, lines = listed.unordered
    codes, subtopics = documents * listed.shape[1] + topics, second.numbers
    order = np.lexsort((lines, subtopics, codes))
    codes, subtopics, lines = codes[order], subtopics[order], lines[order]
    grades = values[order, -1]
    again = _repeats(codes, subtopics)
    names = second.names.texts
    for place in np.flatnonzero(again).tolist():
        document, topic = divmod(int(codes[place]), listed.shape[1])
        listed.problems.add(
            f"topic {shown(listed.topics[topic])}, subtopic {shown(names[subtopics[place]])}, "
            f"document {shown(listed.documents.texts[document])} stands on line "
            f"{int(lines[place - 1])} already; keep one of the two lines",
            line=int(lines[place]),
        )
    listed.problems.settle()
    pooled = np.unique(codes)
    said = grades >= 0
    judged = np.isin(pooled, codes[said])
    best = np.zeros(len(pooled), dtype=np.int64)
    np.maximum.at(best, np.searchsorted(pooled, codes), np.maximum(grades, 0))

    def cells(values: Bools | Ints) -> Cells:
        return Cells(listed.shape, pooled, values)

    def of(number: int) -> Cells:
        own = said & (subtopics == number)
        return Cells(listed.shape, codes[own], grades[own])

    graded = bool(best.max(initial=0) > 1)
    truth = Truth(
        None if graded else cells(best == 1),
        grades=cells(best) if graded else None,
        judged=cells(judged),
        pool=cells(np.ones(len(pooled), dtype=np.bool_)),
        subtopics={name: of(number) for number, name in enumerate(names)},
        items=listed.documents,
        concepts=listed.topics,
        open=True,
        copy=None,
    )
    truth.concept_axis.in_order = False
    return truth


def _repeats(first: Ints, second: Ints) -> Bools:
    """Which of sorted pairs are the same as the one before."""
    same: Bools = np.zeros(len(first), dtype=np.bool_)
    same[1:] = (first[1:] == first[:-1]) & (second[1:] == second[:-1])
    return same
