"""Times as platforms write them: how long something took, and when it was handed in.

When is kept in universal time where the file names a zone, else as it stands.
"""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta, timezone

import numpy as np

from cranfield.formats.lines import number

_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_MTURK = re.compile(
    r"\w{3} (?P<month>\w{3}) +(?P<day>\d+) (?P<time>\d\d:\d\d:\d\d) (?P<zone>[A-Z]+) "
    r"(?P<year>\d{4})"
)
"""Thu Apr 18 12:15:31 PDT 2013"""
_ZONES = {"UTC": 0, "GMT": 0, "PDT": -7, "PST": -8, "MDT": -6, "MST": -7, "CDT": -5, "CST": -6,
          "EDT": -4, "EST": -5}  # fmt: skip
"""Hours from universal time."""


def seconds_of(text: str) -> float | None:
    """A length of time in seconds; None if it is none."""
    found = number(text.strip().encode())
    return found if found is not None and math.isfinite(found) and found >= 0 else None


def seconds_text(value: float) -> str:
    """The same as a text, nothing where it is unknown."""
    return "" if math.isnan(value) else repr(float(value)).removesuffix(".0")


def moment_text(value: np.datetime64) -> str:
    """A point in time as a text, nothing where it is unknown."""
    return "" if np.isnat(value) else str(value)


def moment_of(text: str) -> np.datetime64 | None:
    """A point in time, to the second; None if it is none."""
    try:
        when = _of_mturk(text.strip()) or datetime.fromisoformat(text.strip())
        if when.tzinfo is not None:
            when = when.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        return None
    return np.datetime64(when.replace(microsecond=0), "s")


def _of_mturk(text: str) -> datetime | None:
    found = _MTURK.fullmatch(text)
    if found is None or found["month"] not in _MONTHS or found["zone"] not in _ZONES:
        return None
    zone = timezone(timedelta(hours=_ZONES[found["zone"]]))
    month = _MONTHS.index(found["month"]) + 1
    day = f"{found['year']}-{month:02}-{int(found['day']):02}"
    return datetime.fromisoformat(f"{day}T{found['time']}").replace(tzinfo=zone)
