"""How numbers are written in the tables of this room."""

from __future__ import annotations

import math

from cranfield.engine.standings import Standings, unit_names

__all__ = ["ARROWS", "UNDEFINED", "Standings", "unit_names", "written", "written_p"]

UNDEFINED = "–"
ARROWS = {"higher": "↑", "lower": "↓", "neither": " "}
_LARGE = 1e9
"""From here on all digits would fill a line."""


def written(value: float | None, *, digits: int) -> str:
    """A number with so many digits after the point, or in all where these were too many; undefined
    and infinite ones have signs."""
    if value is None or math.isnan(value):
        return UNDEFINED
    if _LARGE <= abs(value) < math.inf:
        return f"{value:.{digits}g}"
    return f"{value:z.{digits}f}".replace("inf", "∞")


def written_p(p: float, *, digits: int) -> str:
    """A p-value; smaller than what so many digits can tell is said to be so."""
    least = 10.0**-digits
    return f"<{least:.{digits}f}" if p < least else written(p, digits=digits)
