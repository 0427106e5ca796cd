"""Comparisons of two runs on disk: `item,left,right,winner[,judge]`, as CSV, TSV, Parquet or
JSON Lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cranfield.errors import FileError
from cranfield.formats.delimited import require_width, rows_of
from cranfield.formats.kinds.parquet.columns import opened_columns
from cranfield.formats.scores.tables import PARQUET, json_lines
from cranfield.formats.source import Source, opened


def read_paired_judgements(path: str | Path) -> tuple[dict[str, list[Any]], list[int]]:
    """Columns by their names, and the line of each row."""
    with opened(path) as source:
        if source.is_folder:
            raise FileError(path, "this is a folder; name a file item,left,right,winner")
        if source.head.startswith(PARQUET):
            return _of_parquet(source)
        if source.first_line.lstrip().startswith(b"{"):
            return _of_objects(source)
        rows = [row for block in rows_of(source) for row in block]
        if not rows:
            raise FileError(path, "there are no lines; write the header item,left,right,winner")
        header, *rows = rows
        require_width(source, rows, len(header.fields), like="header")
        columns = zip(*(row.fields for row in rows), strict=True)
        named = dict(zip(header.fields, map(list, columns), strict=False))
        return named or {name: [] for name in header.fields}, [row.line for row in rows]


def _of_parquet(source: Source) -> tuple[dict[str, list[Any]], list[int]]:
    with opened_columns(source) as columns:
        read: dict[str, list[Any]] = {name: [] for name in columns.names}
        for _, frame in columns.slices(columns.names):
            for name in read:
                read[name] += frame[name].to_list()
    return read, list(range(1, len(next(iter(read.values()), [])) + 1))


def _of_objects(source: Source) -> tuple[dict[str, list[Any]], list[int]]:
    records = list(json_lines(source))
    names = dict.fromkeys(name for _, record in records for name in record)
    columns = {name: [record.get(name) for _, record in records] for name in names}
    return columns, [line for line, _ in records]
