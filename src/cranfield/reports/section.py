"""A section of a report: a question, what was found, and the tables that show it."""

from __future__ import annotations

from dataclasses import dataclass

from cranfield.reports.tables import Table
from cranfield.show.markup import NOTHING, Html


@dataclass(frozen=True)
class Section:
    """What stands below one heading."""

    name: str
    """Its anchor."""
    title: str
    lead: str | Html
    """What it shows and how to read it."""
    body: Html
    tables: tuple[Table, ...] = ()
    """All that the body shows, for files."""
    finding: str | Html = NOTHING
    """The most important thing in a sentence, for the top of the page."""
