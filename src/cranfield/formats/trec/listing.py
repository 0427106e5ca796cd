"""The cells that the lines of a TREC file list, by numbers of its topics and documents.

A collection of a million documents is nothing special here: what no line mentions takes no memory,
and an id is a text once, not on each line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.core.axes import Ids, JoinedIds
from cranfield.core.matrices import Bools, Ints
from cranfield.formats.gather import Stack
from cranfield.formats.numbered_table import Numbered
from cranfield.formats.problems import Problems, shown
from cranfield.kernels.numbering import Names, row_major


class Listed:
    """Lines of a topic, a document and some values, in any order."""

    def __init__(
        self, problems: Problems, *, width: int, kind: type[np.generic], likely: int = 0
    ) -> None:
        """
        width   how many values a line has
        kind    what they are
        likely  how many lines there will be, if that can be guessed
        """
        self.problems = problems
        self.topic_names = Names()
        self.document_names = Names()
        self._topics, self._documents = (Stack(1, np.uint32, likely=likely) for _ in range(2))
        self._lines: list[range | Ints] = []
        self._values = Stack(width, kind, likely=likely)

    def add(self, chunk: Numbered, values: NDArray[Any]) -> None:
        """Lines whose names are a topic, something that nobody needs, and a document."""
        self._topics.add(chunk.numbers[0][:, None])
        self._documents.add(chunk.numbers[2][:, None])
        self._lines.append(chunk.followed)
        self._values.add(values)

    def finish(self) -> None:
        """Put the cells in order: by document, then by topic, as a matrix has them."""
        self.topics = Ids(self.topic_names.texts)
        self.documents = JoinedIds(self.document_names.joined, len(self.document_names))
        self.shape = (len(self.documents), len(self.topics))
        documents, topics = self._documents.finished()[:, 0], self._topics.finished()[:, 0]
        codes, values = row_major(documents, topics, self.shape, self._values.finished())
        again = np.zeros(len(codes), dtype=np.bool_)
        np.equal(codes[1:], codes[:-1], out=again[1:])
        if again.any():
            lines = np.concatenate([np.asarray(some) for some in self._lines])
            self._report(again, codes, lines[np.lexsort((topics, documents))])
            codes, values = codes[~again], values[~again]
        self.codes: Ints = codes
        self.values: NDArray[Any] = values

    def _report(self, again: Bools, codes: Ints, lines: Ints) -> None:
        for place in np.flatnonzero(again).tolist():
            line = int(lines[place])
            if not self.problems.wants(line):
                self.problems.count_only(1)
                continue
            document, topic = divmod(int(codes[place]), self.shape[1])
            first = int(lines[np.searchsorted(codes, codes[place])])
            names = [self.topics[topic], "", self.documents.texts[document]]
            self.problems.add(
                f"{where_listed(names, 0)} stands on line {first} already; "
                "keep one of the two lines",
                line=line,
            )


def require_common_topic(topics: Sequence[str], judged: Sequence[str], problems: Problems) -> None:
    """A run of other topics than the judgements has no score, not even 0."""
    if topics and set(judged).isdisjoint(topics):
        problems.add(
            f"no topic of this run was judged: it has topics such as {shown(topics[0])}, the "
            f"judgements such as {shown(judged[0])}; check that the two files belong together",
            line=None,
        )


def where_listed(names: list[str], place: int) -> str:
    """What to call a cell in messages, from the names at the start of its line."""
    return f"topic {shown(names[0])}, document {shown(names[2])}"
