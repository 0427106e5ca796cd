"""Files about words: by which concepts are looked up, and pairs of which people judged."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from cranfield.errors import FileError
from cranfield.formats.lines import Layout, looks_like_numbers, number
from cranfield.formats.problems import Problems, shown
from cranfield.formats.source import Source, opened
from cranfield.formats.table import Table

_HEADINGS = (b"score", b"value", b"rating", b"mean", b"relatedness", b"similarity", b"human (mean)")
"""What the last column of a file of judgements is called, where its first line says so."""


class JudgedPair(NamedTuple):
    """Two words and how closely people find them related."""

    word: str
    other: str
    score: float


def read_words(path: str | Path) -> dict[str, tuple[str, ...]]:
    """The words or senses of each concept, from CSV or TSV with a header `concept,word`.

    A concept with several words stands on several lines.
    """
    found: dict[str, dict[str, None]] = {}
    with opened(path) as source:
        separator = _separator(source)
        table = Table(source, separator, Problems(path), rows="concept")
        header = table.header()
        if [name.casefold() for name in header] != ["concept", "word"]:
            raise FileError(
                path, f"the header is {shown(','.join(header[:4]))}; write concept,word", line=1
            )
        for chunk in table.chunks(
            Layout(separator, 2, 0),
            where=lambda names, place: f"concept {shown(names[0])}",
            expected="concept,word on each line",
        ):
            for concept, word in zip(*chunk.names, strict=True):
                found.setdefault(concept, {})[word] = None
    return {concept: tuple(words) for concept, words in found.items()}


def read_judgements(path: str | Path) -> list[JudgedPair]:
    """Pairs of words with a score: three fields a line, cut by commas, tabs or blanks.

    The first line may be a header. A pair that stands several times is given several times.
    """
    pairs: list[JudgedPair] = []
    with opened(path) as source:
        separator = _separator(source)
        table = Table(source, separator, Problems(path), rows="pair")
        if _is_header(*source.first_lines, separator):
            table.header()
        for chunk in table.chunks(
            Layout(separator, 2, 1),
            where=lambda names, place: f"{shown(names[0])} and {shown(names[1])}",
            expected="two words and one score",
        ):
            scores = chunk.values[:, 0].tolist()
            for one, other, score, line in zip(
                *chunk.names, scores, chunk.lines.tolist(), strict=True
            ):
                if score != score:
                    raise FileError(path, "there is no score; write a number", line=line)
                pairs.append(JudgedPair(one, other, score))
    return pairs


def _separator(source: Source) -> bytes:
    return next((mark for mark in (b"\t", b",") if mark in source.first_line), b"")


def _is_header(line: bytes, following: bytes, separator: bytes) -> bool:
    """Whether a line ends with a usual heading, or else with a word where the next has a number."""
    last, below = (_last(one.lower(), separator) for one in (line, following))
    is_word = last[:1].isalpha() and not looks_like_numbers([last])  # nan and inf are meant as such
    return last in _HEADINGS or (is_word and number(below) is not None)


def _last(line: bytes, separator: bytes) -> bytes:
    """The last field of a line; nothing where there is no line."""
    return next(reversed(line.rsplit(separator or None, 1)), b"").strip(b' "')
