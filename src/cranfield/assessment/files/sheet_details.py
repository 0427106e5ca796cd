"""What stands beside the answers: how long a sheet took, when it came, what was remarked.

Times as platforms write them: how long something took, and when it was handed in.

When is kept in universal time where the file names a zone, else as it stands.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.assessment.files.gathered import ASIDE, Gathered
from cranfield.assessment.votes import Sheets
from cranfield.assessment.votes.sheets import UNKNOWN_TIME, distinct
from cranfield.core.matrices import Floats, Ints
from cranfield.errors import several
from cranfield.formats.lines import number
from cranfield.formats.problems import shown


class Beside:
    """Texts beside the first rows that were gathered, and where the rows stand."""

    def __init__(self, gathered: Gathered, aside: NDArray[np.uint32], position: Ints) -> None:
        self._gathered = gathered
        self._aside = aside
        self._position = position

    def sheets(self, row: Ints, codes: Ints, shape: tuple[int, ...]) -> Sheets:
        """One sheet for each code, which is its item, annotator and batch; row: what has it."""
        sheets = distinct(codes)
        first = {name: self._first(name, row, codes, sheets) for name in ASIDE}
        comments, assignments = (
            np.array(self._gathered.texts[name].texts, dtype=object)[first[name]].tolist()
            for name in ("comment", "assignment")
        )
        return Sheets.of(
            *np.unravel_index(sheets, shape),
            seconds=self._seconds(first["seconds"]),
            submitted=self._moments(first["submitted"]),
            comments=comments,
            assignments=assignments,
        )

    def _first(self, name: str, row: Ints, codes: Ints, sheets: Ints) -> Ints:
        """The first text beside the rows of each sheet; 0 where there is none."""
        beside = self._aside[:, ASIDE.index(name)]
        mine = np.flatnonzero(row < len(beside))
        texts = beside[row[mine]].astype(np.int64)
        mine, texts = mine[texts > 0], texts[texts > 0]
        index = np.searchsorted(sheets, codes[mine])
        first = np.zeros(len(sheets), dtype=np.int64)
        first[index[::-1]] = texts[::-1]
        others = len(np.unique(index[first[index] != texts]))
        if others:
            self._gathered.notes.append(
                f"{several(others, 'sheet')} with different entries for {name}; the first counts"
            )
        return first

    def _seconds(self, numbers: Ints) -> Floats:
        mend = "write seconds, such as 12.5"
        return self._parsed("seconds", numbers, seconds_of, np.nan, mend)

    def _moments(self, numbers: Ints) -> NDArray[np.datetime64]:
        mend = "write it as 2011-03-01T12:30:00"
        return self._parsed("submitted", numbers, moment_of, UNKNOWN_TIME, mend)

    def _parsed(
        self,
        name: str,
        numbers: Ints,
        parse: Callable[[str], Any],
        unknown: Any,
        mend: str,
    ) -> NDArray[Any]:
        """What the texts beside sheets mean; reported where one means nothing."""
        texts = self._gathered.texts[name].texts
        beside = self._aside[:, ASIDE.index(name)]
        used, index = np.unique(numbers, return_inverse=True)
        values = [parse(texts[code]) if code else None for code in used.tolist()]
        for code, value in zip(used.tolist(), values, strict=True):
            if code and value is None:
                row = int(np.flatnonzero(beside == code)[0])
                self._gathered.part_of(row).report(
                    int(self._position[row]), f"{name} is {shown(texts[code])}; {mend}"
                )
        meant = np.array([unknown if value is None else value for value in values])
        return meant[index] if len(meant) else np.full(0, unknown)


# ── times as platforms write them ─────────────────────────────────────────────────────────────────


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
    seconds = number(text.strip().encode())
    return seconds if seconds is not None and math.isfinite(seconds) and seconds >= 0 else None


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
    match = _MTURK.fullmatch(text)
    if match is None or match["month"] not in _MONTHS or match["zone"] not in _ZONES:
        return None
    zone = timezone(timedelta(hours=_ZONES[match["zone"]]))
    month = _MONTHS.index(match["month"]) + 1
    day = f"{match['year']}-{month:02}-{int(match['day']):02}"
    return datetime.fromisoformat(f"{day}T{match['time']}").replace(tzinfo=zone)
