"""Which of TREC's files one is (a run, judgements or preferences), and the cells that it lists.

Text of other kinds has one line for each item and numbers behind its id; a TREC file repeats its
topics, and what stands in the column of documents is rarely a number that could be a score. The
extensions .run, .qrels and .prefs decide, and so does Q0 in the second column, so that a broken
line is an error of its line and does not make the file another one.

Cells have numbers of topics and documents. A collection of a million documents is nothing special
here: what no line mentions takes no memory, and an id is a text once, not on each line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from enum import Enum
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.core.axes import Ids, JoinedIds
from cranfield.core.matrices import Bools, Ints
from cranfield.errors import FileError
from cranfield.formats.gather import Numbered, Stack
from cranfield.formats.lines import looks_like_numbers, number
from cranfield.formats.problems import Problems, shown
from cranfield.formats.source import Source
from cranfield.kernels.numbering import Names, row_major


class Kind(Enum):
    """What a file of TREC says, in words."""

    RUN = "this is a run (topic Q0 document rank score tag)"
    JUDGEMENTS = "these are judgements (topic 0 document grade)"
    PREFERENCES = (
        "these are preferences (topic judge group document level), for read_preferences and "
        "evaluate --style trec"
    )


FIELDS_OF_RUNS = 6
FIELDS_OF_QRELS = (4, 5)
"""Without and with a stratum."""
EXTENSIONS = (".qrels", ".run", ".trec")
_KINDS = {".qrels": Kind.JUDGEMENTS, ".run": Kind.RUN, ".prefs": Kind.PREFERENCES}
_FIELDS_OF_PREFERENCES = 5
_GLANCE = 20
_WHOLE = re.compile(rb"-?[0-9]+")
_Fields = Sequence[bytes]


def kind_of(source: Source) -> Kind | None:
    """What a file is by its first lines and its name; None = no file of TREC, or hard to say."""
    if source.is_folder:
        return None
    lines = [line.split() for line in islice(source.head_lines(), _GLANCE)]
    if not lines:
        return None
    marked = [fields for fields in lines if _has_q0(fields)]
    most_marked = 2 * len(marked) > len(lines)
    if most_marked and 2 * sum(len(one) >= FIELDS_OF_RUNS for one in marked) > len(marked):
        return Kind.RUN
    if source.extension == ".run" and _lists_items(lines):
        return None
    if source.extension in _KINDS:
        return _KINDS[source.extension]
    named = source.extension in EXTENSIONS or source.path.name.lower().startswith("qrels")
    result = Counter(_kind_of_line(fields, named=named) for fields in lines)
    unlike = result.pop(None, 0)
    if 2 * unlike < len(lines):
        return result.most_common(1)[0][0]
    if most_marked:
        return Kind.RUN
    return Kind.JUDGEMENTS if _are_numbers(lines) else None


def require_kind(source: Source, wanted: Kind, instead: str) -> None:
    """Refuse a file that is one of the others.

    instead  what to do
    """
    result = kind_of(source)
    if result not in (None, wanted):
        raise FileError(source.path, f"{result.value}; {instead}")


def _kind_of_line(fields: _Fields, *, named: bool) -> Kind | None:
    """What a line without fault could be; None = nothing of TREC."""
    if _is_preference(fields):
        return Kind.PREFERENCES
    if _is_judgement(fields) and (named or _has_words(fields)):
        return Kind.JUDGEMENTS
    usual = len(fields) == FIELDS_OF_RUNS or (len(fields) > FIELDS_OF_RUNS and _has_q0(fields))
    scored = usual and number(fields[4]) is not None
    return Kind.RUN if scored and (named or _has_words(fields)) else None


def _lists_items(lines: Sequence[_Fields]) -> bool:
    """Whether each line is an item and numbers, as runs of annotations are that end in .run too."""
    return bool(lines) and all(
        len(fields) > 1 and looks_like_numbers(list(fields[1:])) for fields in lines
    )


def _is_judgement(fields: _Fields) -> bool:
    return len(fields) in FIELDS_OF_QRELS and all(map(_WHOLE.fullmatch, fields[3:]))


def _is_preference(fields: _Fields) -> bool:
    """In the fourth place a stratum or a value is meant as a number, a document seldom."""
    return (
        len(fields) == _FIELDS_OF_PREFERENCES
        and not _has_q0(fields)
        and not looks_like_numbers([fields[3]])
        and number(fields[4]) is not None
    )


def _has_q0(fields: _Fields) -> bool:
    return len(fields) > 1 and fields[1].lower() == b"q0"


def _has_words(fields: _Fields) -> bool:
    """Whether something on the line is no score, so that it is of no other text."""
    words = (fields[1], fields[2], *fields[5:])
    return _has_q0(fields) or any(number(word) is None for word in words)


def _are_numbers(lines: Sequence[_Fields]) -> bool:
    """Whether documents are numbers: too large ones for people to judge by, or topics repeat."""
    return all(_is_judgement(one) and one[1] == b"0" and one[2].isdigit() for one in lines) and (
        len({one[0] for one in lines}) < len(lines) or any(len(one[2]) > 2 for one in lines)
    )


_NO_LINES = np.zeros(0, dtype=np.int64)


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

    @property
    def unordered(self) -> tuple[Ints, Ints, NDArray[Any], Ints]:
        """Documents, topics, values and lines of all cells as they came."""
        documents, topics = (
            stack.finished()[:, 0].astype(np.int64) for stack in (self._documents, self._topics)
        )
        lines = [np.asarray(some) for some in self._lines]
        return documents, topics, self._values.finished(), np.concatenate([*lines, _NO_LINES])

    def finish(self) -> None:
        """Put the cells in order: by document, then by topic, as a matrix has them."""
        self.name()
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

    def name(self) -> None:
        """Settle what topics and documents are called."""
        self.topics = Ids(self.topic_names.texts)
        self.documents = JoinedIds(self.document_names.joined, len(self.document_names))
        self.shape = (len(self.documents), len(self.topics))

    def _report(self, again: Bools, codes: Ints, lines: Ints) -> None:
        for position in np.flatnonzero(again).tolist():
            line = int(lines[position])
            if not self.problems.wants(line):
                self.problems.count_only(1)
                continue
            document, topic = divmod(int(codes[position]), self.shape[1])
            first = int(lines[np.searchsorted(codes, codes[position])])
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


def where_listed(names: list[str], position: int) -> str:
    """What to call a cell in messages, from the names at the start of its line."""
    return f"topic {shown(names[0])}, document {shown(names[2])}"
