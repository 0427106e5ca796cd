"""Explanations drawn: true labels beside those that were assigned, joined by their matches.

Each line leads from a wrong label to the nearest one on the other side, and what it counts stands
beside the label; those that break a rule are red and say which (in the spirit of Nowak 2011 Figure
7.5). The arithmetic stands below the title.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

from cranfield.core.chart import Drawing
from cranfield.core.sketch import Data, Line, Point, Sketch, Spec, coloured, curve, name_width
from cranfield.measures.explanation import Explanation, Match, Side, number
from cranfield.measures.explanation_tables import Names, headline

_ROW, _FONT, _SMALL = 26.0, 12.0, 10.5
_BETWEEN = 280.0
"""From the true labels to the assigned ones."""
_LEAST = 560.0
"""Width of a picture, so that its title has room."""
_LETTERS = 100
"""Letters of a line below the title."""
_SHIFT = 2.5
"""By how much lines from the two sides run apart, so that both can be seen."""
_RED, _BLUE, _ORANGE, _FAINT = "#c0392b", "#3a6ea5", "#e08a3c", "#6b7280"
_KINDS = {
    "right": "#9aa3af",
    "false": _ORANGE,
    "missed": _BLUE,
    "breaks a rule": _RED,
    "chosen": _BLUE,
    "true": "#9aa3af",
}


def explanation_drawing(explained: Explanation, names: Names) -> Drawing:
    """True labels on the left, assigned ones on the right; the arithmetic above them."""
    lines = [part for line in explained.arithmetic for part in wrap(line, _LETTERS)]
    return Drawing(_Picture(explained, names).spec(), headline(explained), "\n".join(lines))


class _Picture:
    """One explanation: a column of true labels, one of assigned labels."""

    def __init__(self, explained: Explanation, names: Names) -> None:
        self._explained = explained
        self._names = names
        self._matches = {(match.side, match.label): match for match in explained.matches}
        left = max((self._reach("true", label) for label in explained.true), default=0.0)
        self._columns: dict[Side, float] = {"true": left, "assigned": left + _BETWEEN}
        self._rows = self._ordered()
        last = max((row for rows in self._rows.values() for row in rows.values()), default=0)
        self._sheet = Sketch(self._width(), (last + 2.2) * _ROW)

    def spec(self) -> Spec:
        links, dots = list(self._links()), list(self._dots())
        stroke = coloured("kind", _KINDS, (data["kind"] for data, _ in (*links, *dots)))
        return self._sheet.spec(
            [
                self._sheet.lines(links, stroke, width=1.6, tooltip=("kind", "says")),
                self._sheet.dots(dots, stroke, size=50, channel="stroke", tooltip=("kind", "says")),
                self._headings(),
                self._names_of("true", dots),
                self._names_of("assigned", dots),
                self._counts_of("true"),
                self._counts_of("assigned"),
                self._places(),
            ],
        )

    # ── where labels stand ────────────────────────────────────────────────────────────────────

    def _ordered(self) -> dict[Side, dict[str, int]]:
        """Rows: hits opposite each other, then the others, missed ones opposite their partners."""
        explained = self._explained
        if explained.places:
            return {"true": _numbered(index.label for index in explained.places), "assigned": {}}
        assigned, true = _numbered((*explained.hits, *explained.false)), _numbered(explained.hits)
        opposite = {
            match.label: match.partner for match in explained.matches if match.side == "true"
        }
        for match in explained.matches:
            if match.side == "assigned" and match.partner is not None:
                opposite.setdefault(match.partner, match.label)
        goals = {label: assigned.get(opposite.get(label) or "", 0) for label in explained.missed}
        free = len(true)
        for label in sorted(explained.missed, key=goals.__getitem__):
            true[label] = max(free, goals[label])
            free = true[label] + 1
        return {"true": true, "assigned": assigned}

    def _at(self, side: Side, label: str) -> Point:
        return self._columns[side], (self._rows[side][label] + 1.5) * _ROW

    def _width(self) -> float:
        ends = (self._reach("assigned", label) for label in self._rows["assigned"])
        return max(_LEAST, self._columns["assigned"] + max(ends, default=0.0))

    def _reach(self, side: Side, label: str) -> float:
        """Room for a label and what is assigned of it."""
        return name_width(f"{self._name(label)}{self._counted(side, label)}", _FONT) + 50

    def _name(self, label: str) -> str:
        return self._names.get(label, label)

    # ── lines and dots ────────────────────────────────────────────────────────────────────────

    def _links(self) -> Iterator[tuple[Data, Line]]:
        explained = self._explained
        for label in explained.hits:
            if ("assigned", label) not in self._matches:
                ends = self._at("true", label), self._at("assigned", label)
                yield {"kind": "right", "says": self._name(label)}, ends
        for match in explained.matches:
            if match.partner is not None:
                other: Side = "true" if match.side == "assigned" else "assigned"
                ends = self._at(match.side, match.label), self._at(other, match.partner)
                yield self._told(match), _bend(*ends, self._shift(match))

    def _shift(self, match: Match) -> float:
        if self._explained.unit != "cost":
            return 0.0
        return _SHIFT if match.side == "true" else -_SHIFT

    def _told(self, match: Match) -> Data:
        pair = f"{self._name(match.label)}, {self._name(match.partner or '')}"
        return {"kind": self._kind(match), "says": f"{pair}: {_amount(match)}"}

    def _kind(self, match: Match) -> str:
        if match.rules:
            return "breaks a rule"
        if match.side == "true":
            return "missed"
        return "false" if self._explained.unit == "cost" else "chosen"

    def _dots(self) -> Iterator[tuple[Data, Point]]:
        for side, rows in self._rows.items():
            for label in rows:
                data = {"side": side, "kind": self._role(side, label), "says": self._name(label)}
                yield data, self._at(side, label)

    def _role(self, side: Side, label: str) -> str:
        explained, match = self._explained, self._matches.get((side, label))
        if match is not None:
            return self._kind(match)
        if explained.places or explained.unit == "relatedness":
            return "true"
        if label in explained.hits:
            return "right"
        return "missed" if side == "true" else "false"

    # ── words ─────────────────────────────────────────────────────────────────────────────────

    def _headings(self) -> Spec:
        explained = self._explained
        assigned = "chosen" if explained.unit == "relatedness" else "assigned"
        words = {
            "true": "true",
            "assigned": "place in the ranking" if explained.places else assigned,
        }
        drawn = [
            ({"words": words[side], "kind": "faint"}, (x, 0.6 * _ROW))
            for side, x in self._columns.items()
        ]
        return self._sheet.words(drawn, size=_FONT, align="center", colours={"faint": _FAINT})

    def _names_of(self, side: Side, dots: list[tuple[Data, Point]]) -> Spec:
        return self._sheet.words(
            [({**data, "words": data["says"]}, at) for data, at in dots if data["side"] == side],
            size=_FONT,
            align="right" if side == "true" else "left",
            indent=12,
            colours={"breaks a rule": _RED},
        )

    def _counts_of(self, side: Side) -> Spec:
        """What labels count, beyond their names, and why where they break a rule."""
        drawn = []
        for label in self._rows[side]:
            x, y = self._at(side, label)
            beyond = 22 + name_width(self._name(label), _FONT)
            data = {"words": self._counted(side, label), "kind": self._role(side, label)}
            drawn.append((data, (x - beyond if side == "true" else x + beyond, y)))
        return self._sheet.words(
            drawn,
            size=_SMALL,
            align="right" if side == "true" else "left",
            colours={"breaks a rule": _RED, "false": _FAINT, "missed": _FAINT, "chosen": _FAINT},
        )

    def _counted(self, side: Side, label: str) -> str:
        match = self._matches.get((side, label))
        if match is None:
            return ""
        if match.rules:
            return f"{_amount(match)}: {'; '.join(map(str, match.rules))}"
        alone = ", nothing to match" if match.partner is None else ""
        return f"{_amount(match)}{alone}"

    def _places(self) -> Spec:
        drawn = []
        for place in self._explained.places:
            sure = "" if place.confidence is None else f" (confidence {place.confidence:.4g})"
            at = self._columns["assigned"], self._at("true", place.label)[1]
            drawn.append(({"words": f"{place}{sure}"}, at))
        return self._sheet.words(drawn, size=_FONT, align="center")


def _amount(match: Match) -> str:
    scaled = f" × {number(match.agreement)}" if match.agreement != 1 else ""
    return f"{number(match.value)}{scaled}"


def _numbered(labels: Iterable[str]) -> dict[str, int]:
    return {label: row for row, label in enumerate(labels)}


def _bend(start: Point, end: Point, shift: float) -> Line:
    (x, y), (far, other) = start, end
    half = (x + far) / 2
    y, other = y + shift, other + shift
    return curve((x, y), (half, y), (half, other), (far, other))
