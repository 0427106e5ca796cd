"""Files of a pool: a folder that the organiser keeps, and sheets that people fill in.

pool.csv     every pooled document: topic, document, rank (the best of any run), stratum, drawn
pool.json    how the pool was made, and from which runs, so that it can grow by the same rules
sheets/      what people fill in, ASSESSOR/TOPIC.csv: topic, document, judgement; no runs, no ranks

Where topics have titles, a column of a sheet shows them. A judgement is 0 (not relevant), 1 or a
higher grade; none, or −1, means that there is none yet. Names of files are those of topics, with
everything that a file system may not take written as %XX.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from cranfield.assessment.pools.assignment import Sheet
from cranfield.assessment.pools.judgements import Judgement
from cranfield.assessment.pools.pooled import FIELDS, Pair, Pool
from cranfield.core.atomic_write import replaced
from cranfield.core.run import Run
from cranfield.core.truth import State
from cranfield.errors import FileError, InputError, first_ten, several
from cranfield.formats.delimited import Row, line_of, require_width, rows_of
from cranfield.formats.problems import shown
from cranfield.formats.source import opened, written

_OPTIONS = ("method", "depth", "budget", "strata", "batch", "step", "seed")


@dataclass(frozen=True)
class Making:
    """How a pool was made."""

    options: Mapping[str, Any]
    """Of `cf.pool`."""
    runs: Mapping[str, str]
    """Names of the runs and hashes of what they hold."""

    def require_same(self, runs: Sequence[Run], path: Path) -> None:
        """Refuse other runs than those the pool was made from."""
        present = {run.name: run.digest for run in runs}
        for name in sorted(present.keys() | self.runs.keys()):
            if present.get(name) == self.runs.get(name):
                continue
            what = "has changed since"
            if name not in present:
                what = "is not given"
            elif name not in self.runs:
                what = "is not one that this pool was made from"
            raise FileError(
                path,
                f"run {name!r} {what}; give the same {several(len(self.runs), 'run')}: "
                f"{first_ten(self.runs)}",
            )


@dataclass(frozen=True)
class PoolFolder:
    """Where a pool and its judgements lie."""

    path: Path

    @property
    def pool_file(self) -> Path:
        return self.path / "pool.csv"

    @property
    def making_file(self) -> Path:
        return self.path / "pool.json"

    @property
    def sheets(self) -> Path:
        return self.path / "sheets"

    def require_new(self) -> None:
        """Refuse to write where something lies already: judgements are dear."""
        if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
            raise FileError(
                self.path, "is there already and not empty; choose another folder for this pool"
            )

    def write(self, pool: Pool, making: Making) -> None:
        """Write what is pooled and how; sheets are left alone."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(self.path, f"cannot be made ({error.strerror or error})") from None
        with written(self.pool_file) as target:
            target.stream.write(line_of(FIELDS, (), ","))
            for topic, document, *numbers, drawn in pool.records():
                fields = [*map(str, numbers), str(int(drawn))]
                target.stream.write(line_of((topic, document), fields, ","))
        content = {
            "options": dict(making.options),
            "runs": dict(making.runs),
            "method": pool.method,
        }
        with written(self.making_file) as target:
            target.stream.write((json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode())

    def read(self) -> Pool:
        return Pool.of_records(self._records(), method=str(self._content()["method"]))

    def making(self) -> Making:
        content = self._content()
        return Making(content["options"], content["runs"])

    def lay_topics(self, path: Path) -> None:
        """Lay a file of topics into the folder, where people and collections look for it."""
        goal = self.path / f"topics{''.join(path.suffixes)}"
        if not (goal.exists() and goal.samefile(path)):
            with replaced(goal) as stream:
                stream.write(path.read_bytes())

    def write_sheets(self, sheets: Sequence[Sheet], titles: Mapping[str, str]) -> None:
        try:
            for sheet in sheets:
                write_sheet(sheet, self.sheets, titles)
        except OSError as error:
            raise FileError(self.sheets, f"cannot be written ({error.strerror or error})") from None

    def judgements(self, pool: Pool) -> list[Judgement]:
        """What is in all sheets; every line must be about a pair of the pool, and no pair may be
        asked of the same person twice."""
        drawn_pairs = {
            pair: bool(drawn) for pair, drawn in zip(pool.pairs, pool.drawn, strict=True)
        }
        seen: dict[tuple[Pair, str], Judged] = {}
        for line in read_sheets(self.sheets):
            pair = line.judgement.pair
            what = f"topic {shown(pair.topic)}, document {shown(pair.document)}"
            if not drawn_pairs.get(pair):
                why = "was not drawn for judging" if pair in drawn_pairs else "is not in the pool"
                raise FileError(
                    line.path,
                    f"{what} {why}; remove the line, or write the ids as they were handed out",
                    line=line.line,
                )
            before = seen.setdefault((pair, line.judgement.assessor), line)
            if before is not line:
                raise FileError(
                    line.path,
                    f"{what} stands in {before.path.name}, line {before.line} already; keep one of "
                    "the two lines",
                    line=line.line,
                )
        return [line.judgement for line in seen.values()]

    def _records(self) -> Iterator[tuple[str, str, int, int, bool]]:
        with opened(self.pool_file) as source:
            rows = [row for block in rows_of(source) for row in block]
            require_width(source, rows, len(FIELDS), like="header")
        if rows[0].fields != list(FIELDS):
            raise FileError(
                self.pool_file,
                f"the header is {shown(','.join(rows[0].fields))}; a pool has {','.join(FIELDS)}",
                line=rows[0].line,
            )
        seen: set[tuple[str, str]] = set()
        for row in rows[1:]:
            topic, document, *numbers = row.fields
            if (topic, document) in seen:
                raise FileError(
                    self.pool_file,
                    f"topic {shown(topic)}, document {shown(document)} stands here twice; keep one "
                    "of the lines",
                    line=row.line,
                )
            seen.add((topic, document))
            yield (topic, document, *self._numbers(row, numbers))

    def _numbers(self, row: Row, fields: list[str]) -> tuple[int, int, bool]:
        try:
            rank, stratum, drawn = map(int, fields)
        except ValueError:
            rank = stratum = drawn = 0
        if rank < 1 or stratum < 1 or drawn not in (0, 1):
            raise FileError(
                self.pool_file,
                f"{shown(','.join(fields))}; rank and stratum are numbers from 1 up, drawn is 0 "
                "or 1",
                line=row.line,
            )
        return rank, stratum, bool(drawn)

    def _content(self) -> dict[str, Any]:
        with opened(self.making_file) as source:
            text = source.stream.read()
        try:
            content = json.loads(text)
            options, runs = content["options"], content["runs"]
            if not isinstance(content["method"], str) or not isinstance(runs, dict):
                raise TypeError
            if not set(options) <= set(_OPTIONS):
                raise KeyError
        except (ValueError, TypeError, KeyError, RecursionError):
            raise FileError(
                self.making_file,
                "this is not what a pool was written with; make the pool anew, in another folder",
            ) from None
        return dict(content)


# ── sheets ────────────────────────────────────────────────────────────────────────────────────

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
        cells = {"topic": sheet.topic, "title": title or "", "document": document}
        rows.append([cells.get(name, "") for name in columns])
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
    columns = [names.index(name) for name in _COLUMNS]
    for line, fields in rows:
        topic, document, answer = (fields[column] for column in columns)
        if not topic or not document:
            raise FileError(path, "the topic or the document is missing; write both", line=line)
        judgement = Judgement(topic, document, assessor, _grade(path, line, answer))
        yield Judged(judgement, path, line)


def _rows(path: Path) -> Sequence[Row]:
    with opened(path) as source:
        rows = [row for block in rows_of(source) for row in block]
        require_width(source, rows, len(rows[0].fields), like="header")
    return rows


def _grade(path: Path, line: int, answer: str) -> int:
    if not answer.strip():
        return State.UNJUDGED
    try:
        number = float(answer.replace(",", "."))
    except ValueError:
        number = float(State.OUTSIDE)
    # Spreadsheets may write 1 as 1.0, or 1,0.
    grade = int(number) if number.is_integer() else State.OUTSIDE
    if grade < State.UNJUDGED:
        raise FileError(
            path,
            f"the judgement is {shown(answer)}; write 0 (not relevant), 1 or a higher grade, or "
            "leave it empty",
            line=line,
        )
    return grade
