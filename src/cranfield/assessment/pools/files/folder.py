"""A pool's folder, which the organiser keeps.

pool.csv     every pooled document: topic, document, rank (the best of any run), stratum, drawn
pool.json    how the pool was made, and from which runs, so that it can grow by the same rules
sheets/      what people fill in, a folder for each assessor and a file for each topic
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cranfield.assessment.pools import Judgement, Pair, Pool, Sheet
from cranfield.assessment.pools.files.sheets import Judged, read_sheets, write_sheet
from cranfield.core.atomic_write import replaced
from cranfield.core.run import Run
from cranfield.errors import FileError, first_ten, several
from cranfield.formats.delimited import line_of
from cranfield.formats.problems import shown
from cranfield.formats.relatedness.rows import Row, require_width, rows_of
from cranfield.formats.source import opened
from cranfield.formats.writing import written

_COLUMNS = ["topic", "document", "rank", "stratum", "drawn"]
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
        given = {run.name: run.digest for run in runs}
        for name in sorted(given.keys() | self.runs.keys()):
            if given.get(name) == self.runs.get(name):
                continue
            what = "has changed since"
            if name not in given:
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
            target.stream.write(line_of(_COLUMNS, (), ","))
            for topic, document, *numbers, drawn in pool.records():
                fields = [*map(str, numbers), str(int(drawn))]
                target.stream.write(line_of((topic, document), fields, ","))
        said = {"options": dict(making.options), "runs": dict(making.runs), "method": pool.method}
        with written(self.making_file) as target:
            target.stream.write((json.dumps(said, indent=2, ensure_ascii=False) + "\n").encode())

    def read(self) -> Pool:
        return Pool.of_records(self._records(), method=str(self._said()["method"]))

    def making(self) -> Making:
        said = self._said()
        return Making(said["options"], said["runs"])

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
        known = {pair: bool(drawn) for pair, drawn in zip(pool.pairs, pool.drawn, strict=True)}
        seen: dict[tuple[Pair, str], Judged] = {}
        for one in read_sheets(self.sheets):
            pair = one.judgement.pair
            what = f"topic {shown(pair.topic)}, document {shown(pair.document)}"
            if not known.get(pair):
                why = "was not drawn for judging" if pair in known else "is not in the pool"
                raise FileError(
                    one.path,
                    f"{what} {why}; remove the line, or write the ids as they were handed out",
                    line=one.line,
                )
            before = seen.setdefault((pair, one.judgement.assessor), one)
            if before is not one:
                raise FileError(
                    one.path,
                    f"{what} stands in {before.path.name}, line {before.line} already; keep one of "
                    "the two lines",
                    line=one.line,
                )
        return [one.judgement for one in seen.values()]

    def _records(self) -> Iterator[tuple[str, str, int, int, bool]]:
        with opened(self.pool_file) as source:
            rows = [row for block in rows_of(source) for row in block]
            require_width(source, rows, len(_COLUMNS), like="header")
        if rows[0].fields != _COLUMNS:
            raise FileError(
                self.pool_file,
                f"the header is {shown(','.join(rows[0].fields))}; a pool has {','.join(_COLUMNS)}",
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

    def _said(self) -> dict[str, Any]:
        with opened(self.making_file) as source:
            text = source.stream.read()
        try:
            said = json.loads(text)
            options, runs = said["options"], said["runs"]
            if not isinstance(said["method"], str) or not isinstance(runs, dict):
                raise TypeError
            if not set(options) <= set(_OPTIONS):
                raise KeyError
        except (ValueError, TypeError, KeyError, RecursionError):
            raise FileError(
                self.making_file,
                "this is not what a pool was written with; make the pool anew, in another folder",
            ) from None
        return dict(said)
