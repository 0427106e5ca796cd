"""Pictures of explanations: true labels beside those that were assigned, joined by their matches.

Each line leads from a wrong label to the nearest one on the other side and carries what it counts;
labels that break a rule are red and say which (in the spirit of Nowak 2011 Figure 7.5). The
arithmetic stands below the title.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from textwrap import wrap

from cranfield.measures.explanation import Explanation, Match, Side, number
from cranfield.report.drawings import Baseline, Data, Drawing, Line, Point, coloured, curve
from cranfield.report.explanations import Names, headline
from cranfield.report.pictures import COLOURS, FAINT, Spec, page
from cranfield.report.tree_layout import name_width

_ROW, _FONT, _SMALL = 26.0, 12.0, 10.5
_BETWEEN = 280.0
"""From the true labels to the assigned ones."""
_LEAST = 560.0
"""Width of a picture, so that its title has room."""
_LETTERS = 100
"""Letters of a line below the title."""
_SHIFT = 2.5
"""By how much lines from the two sides run apart, so that both can be seen."""
_RED = "#c0392b"
_KINDS = {
    "right": "#9aa3af",
    "false": COLOURS[1],
    "missed": COLOURS[0],
    "breaks a rule": _RED,
    "chosen": COLOURS[0],
    "true": "#9aa3af",
}


def explanation_picture(explained: Iterable[Explanation], names: Names) -> Spec:
    """Every explanation, one below the other."""
    return page(*(_Picture(one, names).spec() for one in explained))


class _Picture:
    """One explanation: a column of true labels, one of assigned labels."""

    def __init__(self, explained: Explanation, names: Names) -> None:
        self._explained = explained
        self._names = names
        left = max((name_width(self._name(one), _FONT) for one in explained.true), default=0.0)
        self._columns: dict[Side, float] = {"true": left + 40, "assigned": left + 40 + _BETWEEN}
        self._matches = {match.label: match for match in explained.matches}
        self._rows = self._ordered()
        count = max(len(rows) for rows in self._rows.values())
        self._sheet = Drawing(self._width(), (count + 1.2) * _ROW)

    def spec(self) -> Spec:
        lines = [wrap(line, _LETTERS) for line in self._explained.arithmetic]
        title = {"text": headline(self._explained), "subtitle": [*chain(*lines)]}
        links, dots = list(self._links()), list(self._dots())
        stroke = coloured("kind", _KINDS, (data["kind"] for data, _ in (*links, *dots)))
        return self._sheet.picture(
            title,
            [
                self._sheet.lines(links, stroke, width=1.6, tooltip=("kind", "says")),
                self._sheet.dots(dots, stroke, size=50, channel="stroke", tooltip=("kind", "says")),
                self._headings(),
                self._names_of("true", dots),
                self._names_of("assigned", dots),
                *self._numbers(links),
                self._reasons(),
                self._places(),
            ],
        )

    # ── where labels stand ────────────────────────────────────────────────────────────────────

    def _ordered(self) -> dict[Side, dict[str, int]]:
        """Rows: hits opposite each other, then the others, missed ones by their partners."""
        one = self._explained
        if one.places:
            return {"true": _numbered(place.label for place in one.places), "assigned": {}}
        assigned = _numbered((*one.hits, *one.false))
        partner = {match.label: match.partner for match in one.matches if match.side == "true"}
        for match in one.matches:
            if match.side == "assigned" and match.partner is not None:
                partner.setdefault(match.partner, match.label)
        missed = sorted(
            one.missed, key=lambda label: assigned.get(partner.get(label) or "", len(assigned))
        )
        return {"true": _numbered((*one.hits, *missed)), "assigned": assigned}

    def _at(self, side: Side, label: str) -> Point:
        return self._columns[side], (self._rows[side][label] + 1.5) * _ROW

    def _width(self) -> float:
        said = [
            name_width(f"{self._name(label)}     {self._reason(label)}", _FONT)
            for label in self._rows["assigned"]
        ]
        return max(_LEAST, self._columns["assigned"] + 40 + max(said, default=0.0))

    def _name(self, label: str) -> str:
        return self._names.get(label, label)

    # ── lines and dots ────────────────────────────────────────────────────────────────────────

    def _links(self) -> Iterator[tuple[Data, Line]]:
        one = self._explained
        for label in one.hits:
            if label not in self._matches:
                ends = self._at("true", label), self._at("assigned", label)
                yield {"kind": "right", "says": self._name(label)}, ends
        for match in one.matches:
            if match.partner is not None:
                other: Side = "true" if match.side == "assigned" else "assigned"
                ends = self._at(match.side, match.label), self._at(other, match.partner)
                yield self._told(match), _bend(*ends, self._shift(match))

    def _shift(self, match: Match) -> float:
        if self._explained.unit != "cost":
            return 0.0
        return _SHIFT if match.side == "true" else -_SHIFT

    def _told(self, match: Match) -> Data:
        scaled = f" × {number(match.agreement)}" if match.agreement != 1 else ""
        words = f"{number(match.value)}{scaled}"
        pair = f"{self._name(match.label)}, {self._name(match.partner or '')}"
        return {"kind": self._kind(match), "says": f"{pair}: {words}", "words": words}

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
        one, match = self._explained, self._matches.get(label)
        if match is not None and match.side == side:
            return self._kind(match)
        if one.places or one.unit == "relatedness":
            return "true"
        if label in one.hits:
            return "right"
        return "missed" if side == "true" else "false"

    # ── words ─────────────────────────────────────────────────────────────────────────────────

    def _headings(self) -> Spec:
        one = self._explained
        said = "chosen" if one.unit == "relatedness" else "assigned"
        words = {"true": "true", "assigned": "place in the ranking" if one.places else said}
        drawn = [
            ({"words": words[side], "kind": "faint"}, (x, 0.6 * _ROW))
            for side, x in self._columns.items()
        ]
        return self._sheet.words(drawn, size=_FONT, align="center", colours={"faint": FAINT})

    def _names_of(self, side: Side, dots: list[tuple[Data, Point]]) -> Spec:
        return self._sheet.words(
            [({**data, "words": data["says"]}, at) for data, at in dots if data["side"] == side],
            size=_FONT,
            align="right" if side == "true" else "left",
            indent=12,
            colours={"breaks a rule": _RED},
        )

    def _numbers(self, links: list[tuple[Data, Line]]) -> Iterator[Spec]:
        """What lines count, near the label that it counts for, on the side they turn away from."""
        sides: dict[bool, list[tuple[Data, Point]]] = {False: [], True: []}
        for data, line in links:
            if "words" in data:
                turn, (x, y) = line[-1][1] - line[0][1], line[len(line) // 8]
                below = turn < 0 or (turn == 0 and data["kind"] == "missed")
                sides[below].append((data, (x, y + 3 if below else y - 3)))
        for below, drawn in sides.items():
            baseline: Baseline = "top" if below else "bottom"
            yield self._sheet.words(drawn, size=_SMALL, align="center", baseline=baseline)

    def _reasons(self) -> Spec:
        drawn = []
        for label in self._rows["assigned"]:
            x, y = self._at("assigned", label)
            after = x + 24 + name_width(self._name(label), _FONT)
            drawn.append(({"words": self._reason(label), "kind": "reason"}, (after, y)))
        return self._sheet.words(drawn, size=_SMALL, colours={"reason": _RED})

    def _reason(self, label: str) -> str:
        """Why an assigned label was matched with none, and what it counts."""
        match = self._matches.get(label)
        if match is None or match.side != "assigned" or match.partner is not None:
            return ""
        why = "; ".join(map(str, match.rules)) or "nothing to match"
        return f"{why}: {number(match.counts)}"

    def _places(self) -> Spec:
        drawn = []
        for place in self._explained.places:
            sure = "" if place.confidence is None else f" (confidence {place.confidence:.4g})"
            at = self._columns["assigned"], self._at("true", place.label)[1]
            drawn.append(({"words": f"{place}{sure}"}, at))
        return self._sheet.words(drawn, size=_FONT, align="center")


def _numbered(labels: Iterable[str]) -> dict[str, int]:
    return {label: row for row, label in enumerate(labels)}


def _bend(start: Point, end: Point, shift: float) -> Line:
    (x, y), (far, other) = start, end
    half = (x + far) / 2
    y, other = y + shift, other + shift
    return curve((x, y), (half, y), (half, other), (far, other))
