"""Preferences: which documents of a topic people prefer to which others.

TREC writes `topic judge group document level` on each line, parted by any run of blanks. A judge
prefers documents of a group to those of a lower level of the same group. Levels of other groups are
not compared, but what follows from several groups counts. Lines come in any order.

CSV and TSV have a header `topic,better,worse`, and perhaps a column `judge`, in any order.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import FileError, InputError
from cranfield.formats.delimited import require_width, rows_of
from cranfield.formats.kinds.trec.files import Kind, kind_of
from cranfield.formats.lines import Layout
from cranfield.formats.problems import Problems, shown
from cranfield.formats.source import Source, opened
from cranfield.formats.table import Table

if TYPE_CHECKING:
    from cranfield.tasks.retrieval.preferences import Preferences

_COLUMNS = {"topic", "better", "worse"}
_LAYOUT = Layout(b"", names=4, width=1, columns="5: topic judge group document level")

Levels = dict[str, dict[str, dict[str, dict[str, float]]]]
"""Levels of documents by topic, judge and group."""


def read_preferences(path: str | Path) -> Preferences:
    """Preferences from a file: topic judge group document level, or CSV topic,better,worse."""
    from cranfield.tasks.retrieval.preferences import Preferences

    with opened(path) as source:
        problems = Problems(path)
        if source.is_folder:
            raise FileError(path, "this is a folder; name a file of preferences")
        if _is_table(source):
            pairs = _pairs(source)
            return problems.build(lambda: Preferences.from_pairs(pairs))
        levels = _levels(source, problems)
        return problems.build(
            lambda: Preferences.from_levels(
                {
                    topic: {judge: groups.values() for judge, groups in judges.items()}
                    for topic, judges in levels.items()
                }
            )
        )


def _is_table(source: Source) -> bool:
    header = set(_header(source.first_line))
    return header in (_COLUMNS, _COLUMNS | {"judge"})


def _header(line: bytes) -> list[str]:
    text = line.decode("utf-8", errors="replace").lstrip("\ufeff")
    separator = "\t" if "\t" in text else ";" if ";" in text else ","
    return [name.strip().strip('"').casefold() for name in text.split(separator)]


def _pairs(source: Source) -> list[tuple[str, str, str, str]]:
    """(topic, worse, better, judge) of each line."""
    rows = [row for block in rows_of(source) for row in block]
    require_width(source, rows, len(rows[0].fields), like="header")
    columns = _header(source.first_line)
    pairs: dict[tuple[str, str, str, str], int] = {}
    for line, fields in rows[1:]:
        row = dict(zip(columns, (field.strip() for field in fields), strict=True))
        pair = (row["topic"], row["worse"], row["better"], row.get("judge", ""))
        if not all(row[column] for column in columns):
            raise FileError(source.path, f"there is no {_empty(row)}; write it", line=line)
        if row["worse"] == row["better"]:
            what = f"topic {shown(row['topic'])}: {shown(row['better'])} is better than itself"
            raise FileError(source.path, f"{what}; name two documents", line=line)
        if pair in pairs:
            raise FileError(
                source.path,
                f"this preference stands on line {pairs[pair]} already; keep one of the two lines",
                line=line,
            )
        pairs[pair] = line
    if not pairs:
        raise FileError(source.path, "has a header and nothing below it; write topic,better,worse")
    return list(pairs)


def _empty(row: Mapping[str, str]) -> str:
    return next(column for column, value in row.items() if not value)


def _levels(source: Source, problems: Problems) -> Levels:
    levels: Levels = {}
    table = Table(source, b"", problems, rows="document")
    for chunk in table.chunks(_LAYOUT, where=_where):
        rows = zip(*chunk.names, chunk.values[:, 0].tolist(), chunk.lines.tolist(), strict=True)
        for topic, judge, group, document, level, line in rows:
            groups = levels.setdefault(topic, {}).setdefault(judge, {})
            own = groups.setdefault(group, {})
            if document in own:
                problems.add(
                    f"{_where([topic, judge, group, document], 0)} stands in this group already; "
                    "keep one of the two lines",
                    line=line,
                )
            own[document] = level
    return levels


def _where(names: list[str], position: int) -> str:
    return f"topic {shown(names[0])}, judge {shown(names[1])}, document {shown(names[3])}"


def is_preferences(path: str | Path) -> bool:
    """Whether this is a file of preferences: by its lines, or because it is called .prefs."""
    try:
        with opened(path) as source:
            if source.is_folder:
                return False
            return _is_table(source) or kind_of(source) is Kind.PREFERENCES
    except InputError:
        return False
