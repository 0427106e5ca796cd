"""Files that say one thing about each of some names: CSV or TSV of two columns with a header.

Titles of topics may come from files of topics too. Files about words say by which concepts are
looked up, and how closely people found pairs of words related.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from cranfield.collections.collection import Collection, Topic
from cranfield.errors import FileError, InputError
from cranfield.formats.delimited import require_width, rows_of
from cranfield.formats.lines import Layout, looks_like_numbers, number
from cranfield.formats.problems import Problems, shown
from cranfield.formats.query_files import has_query_header, read_queries
from cranfield.formats.source import Source, opened
from cranfield.formats.table import Table


def read_titles(path: str | Path) -> dict[str, str]:
    """What each topic is about: from a file with the header topic,title, one of topics, or one of
    queries, which go by their titles or else by themselves."""
    from cranfield.formats.kinds.trec.topics import read_topics

    if holds_topics(path):
        return {name: topic.title for name, topic in read_topics(path).items() if topic.title}
    if has_query_header(path):
        return {query.id: query.title or str(query.query) for query in read_queries(path)}
    return _read(path, "topic", "title")


def with_topics(collection: Collection, path: str | Path) -> Collection:
    """A collection with what its topics ask for; the files are those of `read_titles`."""
    from cranfield.formats.kinds.trec.topics import read_topics

    if holds_topics(path):
        topics = read_topics(path)
    else:
        topics = {name: Topic(title=title) for name, title in read_titles(path).items()}
    try:
        return collection.asking(topics)
    except FileError:
        raise
    except InputError as error:
        raise error.in_file(path) from None


def holds_topics(path: str | Path) -> bool:
    """Whether a file is marked up, as topics of TREC, INEX and CLEF are."""
    with opened(path) as source:
        return next(iter(source.head_lines()), b"").lstrip().startswith(b"<")


def read_descriptions(path: str | Path) -> dict[str, str]:
    """What concepts mean, in words for people, from a file with the header concept,description."""
    return _read(path, "concept", "description")


def read_groups_of_runs(path: str | Path) -> dict[str, str]:
    """Who made each run, from a file with the header run,group."""
    return _read(path, "run", "group")


def read_groups_of_annotators(path: str | Path) -> dict[str, list[str]]:
    """The annotators of each group, from a file with the header annotator,group."""
    groups: dict[str, list[str]] = {}
    for annotator, group in _read(path, "annotator", "group").items():
        groups.setdefault(group, []).append(annotator)
    return groups


def read_weights_of_annotators(path: str | Path) -> dict[str, float]:
    """How much each annotator counts, from a file with the header annotator,weight, or that of
    `cranfield votes merge --reliability`: annotator,votes,reliability."""
    weights = {}
    for annotator, text in _weights_or_reliability(path).items():
        try:
            weight = float(text)
        except ValueError:
            weight = -1.0
        if not 0.0 <= weight < float("inf"):
            raise FileError(
                path,
                f"annotator {shown(annotator)} has the weight {shown(text)}; "
                "give a number from 0 up",
            )
        weights[annotator] = weight
    return weights


def _weights_or_reliability(path: str | Path) -> dict[str, str]:
    with opened(path) as source:
        rows = [row for block in rows_of(source) for row in block]
    if rows and [field.strip() for field in rows[0][1]] == ["annotator", "votes", "reliability"]:
        require_width(source, rows, 3, like="header annotator,votes,reliability")
        pairs = [(line, [fields[0], fields[2]]) for line, fields in rows]
        return _pairs(path, pairs, "annotator", "reliability")
    return _read(path, "annotator", "weight")


def _read(path: str | Path, name: str, what: str) -> dict[str, str]:
    with opened(path) as source:
        rows = [row for block in rows_of(source) for row in block]
        require_width(source, rows, 2, like=f"header {name},{what}")
    return _pairs(path, rows, name, what)


def _pairs(
    path: str | Path, rows: Sequence[tuple[int, Sequence[str]]], name: str, what: str
) -> dict[str, str]:
    result: dict[str, str] = {}
    lines: dict[str, int] = {}
    for position, (line, fields) in enumerate(rows):
        key, value = (field.strip() for field in fields)
        if not position:
            if [key.casefold(), value.casefold()] != [name, what]:
                given = shown(f"{key},{value}")
                raise FileError(path, f"the header is {given}; write {name},{what}", line=line)
            continue
        if not key or not value:
            raise FileError(path, f"a {name} or {what} is missing; write both", line=line)
        if key in result:
            raise FileError(
                path,
                f"{name} {shown(key)} stands on line {lines[key]} already; keep one of the two "
                "lines",
                line=line,
            )
        result[key], lines[key] = value, line
    return result


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
    result: dict[str, dict[str, None]] = {}
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
            where=lambda names, position: f"concept {shown(names[0])}",
            expected="concept,word on each line",
        ):
            for concept, word in zip(*chunk.names, strict=True):
                result.setdefault(concept, {})[word] = None
    return {concept: tuple(words) for concept, words in result.items()}


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
            where=lambda names, position: f"{shown(names[0])} and {shown(names[1])}",
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
