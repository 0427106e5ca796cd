"""What to upload to Mechanical Turk: which assignments are approved, and why others are not.

The platform takes the results of a batch back with an x in the column Approve, or the reason in the
column Reject. What it has decided already, what somebody has marked, and what could not be read is
left as it is.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cranfield.assessment.quality.analysis import Quality
from cranfield.assessment.votes import Votes
from cranfield.errors import FileError, InputError
from cranfield.formats.source import opened, written

_ID, _STATUS, _APPROVE, _REJECT = "AssignmentId", "AssignmentStatus", "Approve", "Reject"
_OPEN = {"", "submitted"}
"""Assignments that wait for a decision have this status."""
_LONGEST = 1024
"""Characters of a reason that the platform takes."""


class Decided(NamedTuple):
    """How many assignments are approved, rejected, and left as they are."""

    approved: int
    rejected: int
    left: int


def write_decisions(
    quality: Quality, path: str | Path, *, results: str | Path | None = None
) -> Decided:
    """Write which assignments to approve and to reject.

    results  the batch that was read: it is written again with all of its columns; default: only the
             assignments that votes tell of
    """
    require_assignments(quality.votes)
    decisions = _decisions(quality)
    header, *rows = [[_ID], *([name] for name in decisions)] if results is None else _rows(results)
    if _ID not in header:
        raise FileError(
            results or path, f"there is no column {_ID}; give results of Mechanical Turk"
        )
    header = [*header, *(name for name in (_APPROVE, _REJECT) if name not in header)]
    counts = {"approved": 0, "rejected": 0, "left": 0}
    lines = [header]
    for row in rows:
        fields = dict(zip(header, [*row, *[""] * (len(header) - len(row))], strict=False))
        counts[_mark(fields, decisions)] += 1
        lines.append([*fields.values(), *row[len(header) :]])
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(lines)
    with written(Path(path)) as target:
        target.stream.write(text.getvalue().encode())
    return Decided(**counts)


def require_assignments(votes: Votes) -> None:
    """Refuse votes of which no platform knows."""
    if not any(votes.sheets.assignments):
        raise InputError("votes tell of no assignments; decisions need results of Mechanical Turk")


def _mark(fields: dict[str, str], decisions: dict[str, str]) -> str:
    """Enter the decision about an assignment, and tell which it is."""
    reason = decisions.get(fields[_ID].strip())
    waits = fields.get(_STATUS, "").strip().casefold() in _OPEN
    if reason is None or not waits or fields[_APPROVE].strip() or fields[_REJECT].strip():
        return "left"
    if reason:
        fields[_REJECT] = reason if len(reason) <= _LONGEST else f"{reason[: _LONGEST - 1]}…"
        return "rejected"
    fields[_APPROVE] = "x"
    return "approved"


def _decisions(quality: Quality) -> dict[str, str]:
    """By assignment: why it is rejected, or nothing; one may be about several items."""
    by_assignment: dict[str, list[str]] = {}
    for sheet, name in enumerate(quality.votes.sheets.assignments):
        if name:
            reasons = by_assignment.setdefault(name, [])
            reason = quality.reasons.get(sheet)
            if reason is not None and reason not in reasons:
                reasons.append(reason)
    return {name: "; ".join(reasons) for name, reasons in by_assignment.items()}


def _rows(results: str | Path) -> Iterator[list[str]]:
    """The lines of a CSV file as they are."""
    with opened(results) as source:
        for block in source.blocks(quotes=True):
            text = block.data[: block.end].decode("utf-8", errors="replace")
            yield from (row for row in csv.reader(io.StringIO(text, newline="")) if row)
