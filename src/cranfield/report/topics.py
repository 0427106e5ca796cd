"""Topics on the screen: what each asks for, and what counts as relevant."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Group, RenderableType
from rich.text import Text

from cranfield.collections.collection import Topic
from cranfield.report.tables import cut_name, plain_table, remark

_LISTED = 20
"""Topics that are told before the others are only counted."""


def topic_table(topics: Mapping[str, Topic]) -> RenderableType:
    """Titles, descriptions and narratives."""
    table = plain_table()
    table.add_column("topic", no_wrap=True)
    table.add_column("what it asks for")
    for name, topic in list(topics.items())[:_LISTED]:
        said = (Text(topic.title, style="bold"), Text(topic.description))
        parts = [part for part in (*said, Text(topic.narrative, style="dim")) if part.plain]
        table.add_row(cut_name(name), Text("\n").join(parts))
    if len(topics) <= _LISTED:
        return table
    return Group(table, remark(f"and {len(topics) - _LISTED} more topics"))
