"""Which of TREC's files one is: a run, judgements or preferences.

Text of other kinds has one line for each item and numbers behind its id; a TREC file repeats its
topics, and what stands in the place of a document is rarely a number that could be a score. The
extensions .run, .qrels and .prefs decide, and so does Q0 in the second column, so that a broken
line is an error of its line and does not make the file another one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from enum import Enum
from itertools import islice

from cranfield.errors import FileError
from cranfield.formats.lines import looks_like_numbers, number
from cranfield.formats.source import Source


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
    found = Counter(_kind_of_line(fields, named=named) for fields in lines)
    unlike = found.pop(None, 0)
    if 2 * unlike < len(lines):
        return found.most_common(1)[0][0]
    if most_marked:
        return Kind.RUN
    return Kind.JUDGEMENTS if _are_numbers(lines) else None


def require_kind(source: Source, wanted: Kind, instead: str) -> None:
    """Refuse a file that is one of the others.

    instead  what to do
    """
    found = kind_of(source)
    if found not in (None, wanted):
        raise FileError(source.path, f"{found.value}; {instead}")


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
