"""Sections of pages: a result drawn, with everything in it escaped."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.utils.safestring import SafeString, mark_safe

from cranfield.core.chart import Picture
from cranfield.core.result import Result
from cranfield.core.table import Table
from cranfield.server.results.exports import defused
from cranfield.show.document import Section
from cranfield.show.markup import slug

_ON_THE_BOARD = ("significance", "leaderboard")


@dataclass(frozen=True)
class Part:
    """What stands below one heading of a page."""

    name: str
    title: str
    body: SafeString


def sections_of(result: Result) -> list[Part]:
    """What a page shows of a result, part by part."""
    safe = defused(result)
    own = replace(safe, parts=())
    # The leaderboard of intervals and letters is the board itself.
    listed = [part for part in safe.parts if (safe.name, part.name) != _ON_THE_BOARD]
    return [
        Part(slug(part.name), part.title or part.name, mark_safe(_section(part).body()))
        for part in ([own] if _visible(own) or own.charts else []) + listed
    ]


def _section(part: Result) -> Section:
    """A part of a result; its own parts are panels, of which one is shown at a time."""
    panels: dict[str, list[Table | Picture]] = {
        panel.title: [*_visible(panel), *panel.charts] for panel in part.parts
    }
    own: list[Table | Picture] = [*_visible(part), *part.charts]
    folded = [table for table in own if isinstance(table, Table)] if panels else []
    return Section(part.name, part.title, "", panels or {"": own}, part.notes, folded=folded)


def _visible(part: Result) -> list[Table]:
    return [table for table in part.tables if table.audience in ("all", "people", "screens")]
