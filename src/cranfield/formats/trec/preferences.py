"""TREC preferences: `topic judge group document level` on each line, parted by any run of blanks.

A judge prefers documents of a group to those of a lower level of the same group. Levels of other
groups are not compared, but what follows from several groups counts. Lines come in any order.
"""

from __future__ import annotations

from pathlib import Path

from cranfield.errors import FileError, InputError
from cranfield.formats.lines import Layout
from cranfield.formats.problems import Problems, shown
from cranfield.formats.source import Source, opened
from cranfield.formats.table import Table
from cranfield.formats.trec.kinds import Kind, kind_of
from cranfield.retrieval.preferences import Preferences

_LAYOUT = Layout(b"", names=4, width=1, columns="5: topic judge group document level")

Levels = dict[str, dict[str, dict[str, dict[str, float]]]]
"""Levels of documents by topic, judge and group."""


def read_preferences(path: str | Path) -> Preferences:
    """Preferences from a file: topic judge group document level."""
    with opened(path) as source:
        problems = Problems(path)
        if source.is_folder:
            raise FileError(path, "this is a folder; name a file of preferences")
        levels = _levels(source, problems)
        return problems.build(
            lambda: Preferences.from_levels(
                {
                    topic: {judge: groups.values() for judge, groups in judges.items()}
                    for topic, judges in levels.items()
                }
            )
        )


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


def _where(names: list[str], place: int) -> str:
    return f"topic {shown(names[0])}, judge {shown(names[1])}, document {shown(names[3])}"


def is_preferences(path: str | Path) -> bool:
    """Whether this is a file of preferences: by its lines, or because it is called .prefs."""
    try:
        with opened(path) as source:
            return kind_of(source) is Kind.PREFERENCES
    except InputError:
        return False
