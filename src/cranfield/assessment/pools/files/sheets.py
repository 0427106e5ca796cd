"""Sheets: what people fill in. CSV with a column for the topic, the document and the judgement.

A sheet tells nothing about runs and ranks. Where topics have titles, a column between shows them.
A judgement is 0 (not relevant), 1 or a higher grade; none, or −1, means that there is none yet.
Names of files are those of topics, with everything that a file system may not take written as %XX.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote

from cranfield.assessment.pools import Judgement, Sheet
from cranfield.core.truth import State
from cranfield.errors import FileError, InputError
from cranfield.formats.delimited import line_of
from cranfield.formats.problems import shown
from cranfield.formats.relatedness.rows import Row, require_width, rows_of
from cranfield.formats.source import opened
from cranfield.formats.writing import written

_COLUMNS = ("topic", "document", "judgement")
_LONGEST = 200
"""Bytes of a file's name, of which most systems take 255."""


class Judged(NamedTuple):
    """A line of a sheet, and where it stands."""

    judgement: Judgement
    path: Path
    line: int


def file_name(name: str) -> str:
    """A name that any file system takes, different for different names."""
    safe = quote(name, safe="")
    if safe.startswith("."):  # hidden, or a folder above
        safe = safe.replace(".", "%2E", 1)
    if len(safe) > _LONGEST:
        safe = f"{safe[:_LONGEST]}~{blake2b(name.encode(), digest_size=8).hexdigest()}"
    return safe


def write_sheet(sheet: Sheet, folder: Path, titles: Mapping[str, str]) -> Path:
    """Write a sheet, below what was handed out before; nobody's judgement is lost."""
    person = file_name(sheet.assessor)
    if unquote(person) != sheet.assessor:
        raise InputError(f"the assessor {shown(sheet.assessor)} has too long a name; shorten it")
    path = folder / person / f"{file_name(sheet.topic)}.csv"
    title = titles.get(sheet.topic)
    header = [*_COLUMNS] if title is None else ["topic", "title", "document", "judgement"]
    rows: list[list[str]] = []
    if path.exists():
        (_, header), *old = _rows(path)
        rows = [row.fields for row in old]
    columns = [name.strip().casefold() for name in header]
    for document in sheet.documents:
        known = {"topic": sheet.topic, "title": title or "", "document": document}
        rows.append([known.get(name, "") for name in columns])
    path.parent.mkdir(parents=True, exist_ok=True)
    with written(path) as target:
        for row in (header, *rows):
            target.stream.write(line_of(row, (), ","))
    return path


def read_sheets(folder: Path) -> Iterator[Judged]:
    """Every line of every sheet, by assessor and topic."""
    for person in sorted(path for path in folder.glob("*") if path.is_dir()):
        for path in sorted(person.glob("*.csv")):
            if not path.name.startswith("."):
                yield from _read(path, unquote(person.name))


def _read(path: Path, assessor: str) -> Iterator[Judged]:
    (first, header), *rows = _rows(path)
    names = [name.strip().casefold() for name in header]
    lacking = [name for name in _COLUMNS if names.count(name) != 1]
    if lacking:
        raise FileError(
            path,
            f"the header is {shown(','.join(header))}; a sheet has the columns "
            f"{', '.join(_COLUMNS)}, each once",
            line=first,
        )
    places = [names.index(name) for name in _COLUMNS]
    for line, fields in rows:
        topic, document, said = (fields[place] for place in places)
        if not topic or not document:
            raise FileError(path, "the topic or the document is missing; write both", line=line)
        judgement = Judgement(topic, document, assessor, _grade(path, line, said))
        yield Judged(judgement, path, line)


def _rows(path: Path) -> Sequence[Row]:
    with opened(path) as source:
        rows = [row for block in rows_of(source) for row in block]
        require_width(source, rows, len(rows[0].fields), like="header")
    return rows


def _grade(path: Path, line: int, said: str) -> int:
    if not said.strip():
        return State.UNJUDGED
    try:
        number = float(said.replace(",", "."))
    except ValueError:
        number = float(State.OUTSIDE)
    # Spreadsheets may write 1 as 1.0, or 1,0.
    grade = int(number) if number.is_integer() else State.OUTSIDE
    if grade < State.UNJUDGED:
        raise FileError(
            path,
            f"the judgement is {shown(said)}; write 0 (not relevant), 1 or a higher grade, or "
            "leave it empty",
            line=line,
        )
    return grade
