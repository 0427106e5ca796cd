"""Labels of the information coverage plot: beside their marks, clear of one another and of others.

Few systems are named beside their marks. Where there are many, words would hide what they name, and
a legend names them instead.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MOST = 8
"""Systems that are named beside their marks."""
_CHARACTER, _LINE = 5.9, 14.0
"""Points that a character is wide, and that a line of words is high."""
_AWAY = 9.0
"""From the middle of a mark to its words."""
_STEPS = 40
"""Half lines that words may move up or down."""
_LONGEST = 32
_COLUMN = 24
"""Names below one another in a legend."""


Spec = dict[str, Any]
Box = tuple[float, float, float, float]
"""Left, right, top and bottom, in points from the upper left corner of the plot."""


@dataclass(frozen=True)
class Label:
    """Words beside a mark."""

    text: str
    x: float
    """Of the middle of the mark."""
    y: float
    side: str = "left"
    """Which side of the words is at the mark."""

    @property
    def box(self) -> Box:
        width = len(self.text) * _CHARACTER
        # Words may touch what is beside them, and other lines.
        near, far = _AWAY - 2, _AWAY + width
        left, right = (near, far) if self.side == "left" else (-far, -near)
        half = _LINE / 2 - 0.01
        return self.x + left, self.x + right, self.y - half, self.y + half


def arranged(labels: Sequence[Label], marks: Sequence[Box], frame: Box) -> list[Label]:
    """Labels as near to their marks as they can be without hiding anything."""
    taken = list(marks)
    out = []
    for label in sorted(labels, key=lambda label: (label.y, label.x, label.text)):
        free = (
            moved
            for moved in _tries(label)
            if _inside(moved.box, frame) and not any(_overlap(moved.box, box) for box in taken)
        )
        nearest = next(free, label)
        taken.append(nearest.box)
        out.append(nearest)
    return out


def _tries(label: Label) -> Iterator[Label]:
    """Both sides of the mark, then a little lower, a little higher, and so on."""
    for step in range(_STEPS):
        for y in dict.fromkeys((label.y + step * _LINE / 2, label.y - step * _LINE / 2)):
            for side in ("left", "right"):
                yield Label(label.text, label.x, y, side)


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3]


def _inside(box: Box, frame: Box) -> bool:
    return frame[0] <= box[0] and box[1] <= frame[1] and frame[2] <= box[2] and box[3] <= frame[3]


def shortened(name: str) -> str:
    """Beginning and end of a long name, since names of one family begin alike."""
    if len(name) <= _LONGEST:
        return name
    half = _LONGEST // 2
    return f"{name[:half]}…{name[1 - half :]}"


def legend(names: Sequence[str], notes: Mapping[str, str]) -> Spec | None:
    """All names, with a note on some; None where names stand beside marks."""
    if len(names) <= MOST:
        return None
    words = {name: f"{shortened(name)}  {notes.get(name, '')}".rstrip() for name in names}
    return {
        "orient": "right",
        "offset": 44,  # beyond the numbers of the dotted lines
        "columns": math.ceil(len(names) / _COLUMN),
        "symbolLimit": len(names),
        "symbolOpacity": 1,
        "labelLimit": 0,
        "labelExpr": f"{json.dumps(words)}[datum.label]",
    }
