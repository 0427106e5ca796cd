"""Files that say one thing about each of some names: CSV or TSV of two columns with a header;
titles of topics may come from files of topics too."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cranfield.collections.collection import Collection, Topic
from cranfield.errors import FileError, InputError
from cranfield.formats.problems import shown
from cranfield.formats.query_files import has_query_header, read_queries
from cranfield.formats.relatedness.rows import require_width, rows_of
from cranfield.formats.source import opened
from cranfield.formats.trec.topics import read_topics


def read_titles(path: str | Path) -> dict[str, str]:
    """What each topic is about: from a file with the header topic,title, one of topics, or one of
    queries, which go by their titles or else by themselves."""
    if holds_topics(path):
        return {name: topic.title for name, topic in read_topics(path).items() if topic.title}
    if has_query_header(path):
        return {query.id: query.title or str(query.query) for query in read_queries(path)}
    return _read(path, "topic", "title")


def with_topics(collection: Collection, path: str | Path) -> Collection:
    """A collection with what its topics ask for; the files are those of `read_titles`."""
    if holds_topics(path):
        topics = read_topics(path)
    else:
        topics = {name: Topic(title=title) for name, title in read_titles(path).items()}
    try:
        return collection.asking(topics)
    except FileError:
        raise
    except InputError as error:
        raise FileError(path, str(error)) from None


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
    found: dict[str, str] = {}
    lines: dict[str, int] = {}
    for place, (line, fields) in enumerate(rows):
        key, value = (field.strip() for field in fields)
        if not place:
            if [key.casefold(), value.casefold()] != [name, what]:
                given = shown(f"{key},{value}")
                raise FileError(path, f"the header is {given}; write {name},{what}", line=line)
            continue
        if not key or not value:
            raise FileError(path, f"a {name} or {what} is missing; write both", line=line)
        if key in found:
            raise FileError(
                path,
                f"{name} {shown(key)} stands on line {lines[key]} already; keep one of the two "
                "lines",
                line=line,
            )
        found[key], lines[key] = value, line
    return found
