"""The format `trec`: how its runs and judgements are recognised among other lists of words.

Text of other kinds has one line for each item and numbers behind its id; a TREC file repeats its
topics, and what stands in the place of a document is rarely a number that could be a score.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from cranfield.formats.contents import IDS, JUDGEMENTS, Content
from cranfield.formats.lines import number
from cranfield.formats.registry import Format, register
from cranfield.formats.source import Source
from cranfield.formats.trec.qrels import read_qrels, write_qrels
from cranfield.formats.trec.runs import FIELDS, FIELDS_OF_QRELS, read_run, write_run

_GLANCE = 20
_EXTENSIONS = (".qrels", ".run", ".trec")
_WHOLE = re.compile(rb"-?[0-9]+")


def is_trec(source: Source) -> bool:
    lines = [line.split() for line in islice(source.head_lines(), _GLANCE)]
    named = source.extension in _EXTENSIONS or source.path.name.lower().startswith("qrels")
    alike = sum(_is_line(fields) and (named or _has_words(fields)) for fields in lines)
    return 2 * alike > len(lines) or _are_numbers(lines)


def _is_line(fields: Sequence[bytes]) -> bool:
    """Whether a line could be one of a TREC file."""
    if len(fields) in FIELDS_OF_QRELS:
        return all(_WHOLE.fullmatch(field) for field in fields[3:])
    usual = len(fields) == FIELDS or (len(fields) > FIELDS and fields[1].lower() == b"q0")
    return usual and number(fields[4]) is not None


def _has_words(fields: Sequence[bytes]) -> bool:
    """Whether something on the line is no score, so that it is of no other text."""
    words = (fields[1], fields[2], *fields[5:])
    return fields[1].lower() == b"q0" or any(number(word) is None for word in words)


def _are_numbers(lines: Sequence[Sequence[bytes]]) -> bool:
    """Whether documents are numbers: too large ones for people to judge by, or topics repeat."""
    return all(_is_line(one) and one[1] == b"0" and one[2].isdigit() for one in lines) and (
        len({one[0] for one in lines}) < len(lines) or any(len(one[2]) > 2 for one in lines)
    )


register(
    Format(
        name="trec",
        extensions=_EXTENSIONS,
        asked=1,
        lists=True,
        holds=IDS
        | JUDGEMENTS
        | {
            Content.AS_NEGATIVE,
            Content.POOL,
            Content.STRATA,
            Content.OPEN,
            Content.ABSENT,
            Content.RETRIEVED,
        },
        recognises=is_trec,
        read_truth=read_qrels,
        read_run=read_run,
        write_truth=write_qrels,
        write_run=write_run,
    )
)
