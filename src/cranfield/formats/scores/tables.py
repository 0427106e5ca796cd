"""Tables of scores: `run,item,score` and, where there are such, `measure`, `repeat`, `cluster`.

CSV, TSV, Parquet, and JSON Lines with an object for each score. Columns may stand in any order, and
further ones are not looked at.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from cranfield.engine.score_table import OPTIONAL, REQUIRED
from cranfield.errors import CranfieldError, FileError
from cranfield.formats.delimited import require_width, rows_in, rows_of
from cranfield.formats.kinds.parquet.columns import opened_columns
from cranfield.formats.problems import shown
from cranfield.formats.scores.rows import ScoreFormat, ScoreRow
from cranfield.formats.source import Source

_COLUMNS = (*REQUIRED, *OPTIONAL)
PARQUET = b"PAR1"


def _folded(names: Sequence[Any]) -> list[str]:
    return [str(name).strip().casefold() for name in names]


def _has_columns(names: Sequence[Any]) -> bool:
    return set(REQUIRED) <= set(_folded(names))


def _positions(source: Source, names: Sequence[str], line: int | None) -> dict[str, int]:
    """Where the columns of a table stand."""
    folded = _folded(names)
    twice = [name for name in _COLUMNS if folded.count(name) > 1]
    if twice:
        raise FileError(source.path, f"two columns are called {twice[0]!r}; keep one", line=line)
    return {name: folded.index(name) for name in _COLUMNS if name in folded}


# ── CSV and TSV ───────────────────────────────────────────────────────────────────────────────


def _is_text(source: Source) -> bool:
    line = source.first_line
    if source.is_folder or line[:1] == b"{":
        return False
    try:
        header = rows_in(source, 1, line + b"\n")
    except (CranfieldError, UnicodeDecodeError):
        return False
    return bool(header) and _has_columns(header[0].fields)


def _text_rows(source: Source) -> Iterator[ScoreRow]:
    positions: dict[str, int] | None = None
    width = 0
    for block in rows_of(source):
        if positions is None and block:
            first = block.pop(0)
            positions, width = _positions(source, first.fields, first.line), len(first.fields)
        require_width(source, block, width, like="header")
        assert positions is not None or not block
        for line, fields in block:
            named = {name: fields[index] for name, index in (positions or {}).items()}
            yield ScoreRow(line, **named)


# ── JSON Lines ────────────────────────────────────────────────────────────────────────────────


def _is_lines(source: Source) -> bool:
    if not source.first_line.lstrip().startswith(b"{"):
        return False
    try:
        record = json.loads(source.first_line)
    except (ValueError, RecursionError):
        return False
    return isinstance(record, dict) and _has_columns(list(record))


def json_lines(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file with one on each line."""
    for number, line in enumerate(source.lines(), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line.removeprefix(b"\xef\xbb\xbf"))
        except (ValueError, RecursionError) as error:
            why = getattr(error, "msg", "") or "it cannot be read"
            raise FileError(
                source.path, f"this is no JSON ({why}); write an object on each line", line=number
            ) from None
        if not isinstance(record, dict):
            raise FileError(
                source.path, f"{shown(line)} is no object; write one on each line", line=number
            )
        yield number, record


def _line_rows(source: Source) -> Iterator[ScoreRow]:
    for number, record in json_lines(source):
        names = list(record)
        values = list(record.values())
        positions = _positions(source, names, number)
        lacking = [name for name in REQUIRED if name not in positions]
        if lacking:
            raise FileError(source.path, f"there is no {lacking[0]!r}; add it", line=number)
        yield ScoreRow(number, **{name: values[index] for name, index in positions.items()})


# ── Parquet ───────────────────────────────────────────────────────────────────────────────────


def _is_parquet(source: Source) -> bool:
    if not source.head.startswith(PARQUET):
        return False
    try:
        with opened_columns(source) as columns:
            return _has_columns(columns.names)
    except CranfieldError:
        return False
    finally:
        if not source.packed:
            source.stream.seek(0)


def _parquet_rows(source: Source) -> Iterator[ScoreRow]:
    with opened_columns(source) as columns:
        positions = _positions(source, columns.names, None)
        names = [columns.names[index] for index in positions.values()]
        for first, frame in columns.slices(names):
            for number, values in enumerate(frame.iter_rows(), start=first):
                yield ScoreRow(number, **dict(zip(positions, values, strict=True)))


FORMATS = (
    ScoreFormat("table", _is_text, _text_rows),
    ScoreFormat("table", _is_lines, _line_rows),
    ScoreFormat("table", _is_parquet, _parquet_rows),
)
