"""The sections of a report, in the order of the page; each is a file with a function `section`."""

from __future__ import annotations

from cranfield.reports.findings import Findings
from cranfield.reports.section import Section
from cranfield.reports.sections import (
    agreement,
    certainty,
    citing,
    concepts,
    contest,
    conventions,
    items,
    leaderboard,
    rules,
    slices,
    thresholds,
)

_ORDER = (
    *(leaderboard, certainty, contest, concepts, items, slices, thresholds, rules, agreement),
    *(conventions, citing),
)


def sections(found: Findings) -> tuple[Section, ...]:
    """All sections that there is something to say in."""
    return tuple(made for one in _ORDER if (made := one.section(found)) is not None)
