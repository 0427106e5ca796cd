"""An ontology drawn: the tree, and the rules across it.

Trees grow from left to right. Every lowest node has a row of its own, and a node stands in the
middle of its children (after Reingold and Tilford 1981, with all lowest nodes apart, so that names
have room); each level is as wide as its longest name. An outline in several columns is several
trees side by side.

Nodes are coloured by kind. A line with dots across those to some children of a node says how many
of them there may be; where members of a group stand below different nodes, a curve joins them. A
dashed curve leads from a node to what it needs. Tooltips tell the rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from cranfield.core.chart import Drawing
from cranfield.core.sketch import (
    Data,
    Line,
    Point,
    Sketch,
    Spec,
    coloured,
    curve,
    name_width,
    plain,
)
from cranfield.errors import several
from cranfield.knowledge.outline import Group, Outline, Row

FONT = 11.0
_ROW = 17.0
_DOT, _TRUNK, _GAP = 7.0, 20.0, 14.0
"""From a node to its name; from a level back to the line on which its nodes hang; before that."""
_APART, _LANE, _CORNER = 36.0, 7.0, 8.0
"""Between trees; between lines that run side by side; where lines turn."""
_TALL = 130
"""Lowest nodes that one tree has room for."""
_SHAPE = 1.4
"""Width by height of a drawing of several trees, about."""
_MOST = 3000
"""Rows that a drawing has room for, unless a depth is requested."""
_NODES = {"concept": "#3a6ea5", "category": "#b8c0cc", "never assignable": "#c0392b"}
_RULES = {
    "exactly one": "#e08a3c",
    "at most one": "#b0567a",
    "at least one": "#5a9e6f",
    "needs": "#8a929e",
}
_LINK, _FAINT = "#c9d0d9", "#8a929e"
_LETTERS = 44
"""Letters of a name that are written; its tooltip has all of them."""
_TOOLTIP = ("name", "id", "kind", "depth", "below", "rules")


def ontology_drawing(outline: Outline) -> Drawing:
    """The tree of an ontology with its rules."""
    while outline.depth is None and len(outline.rows) > _MOST and outline.deepest > 1:
        outline = Outline.of(outline.ontology, outline.tree, outline.deepest - 1)
    ontology = outline.ontology
    facts = [
        several(len(ontology.concepts), "concept"),
        f"{len(outline.hierarchy.parents) - len(ontology.concepts)} categories",
        f"depth {outline.hierarchy.height}",
        *([f"{several(outline.hidden, 'node')} folded"] if outline.hidden else []),
    ]
    return Drawing(_Tree(outline).spec(), ontology.name, ", ".join(facts))


class _Tree:
    """The layers of a drawing."""

    def __init__(self, outline: Outline) -> None:
        columns = columns_for(outline, [outline.name(row.node) for row in outline.rows])
        self._outline = outline = outline.in_columns(columns)
        self._records = [self._record(row) for row in outline.rows]
        titles = [record["words"] for record in self._records]
        self._layout = Layout(outline, titles, lanes=len(outline.needs) + len(outline.scattered))
        self._sheet = Sketch(self._layout.width, self._layout.height)
        self._rows: dict[str, list[int]] = {}
        for index, row in enumerate(outline.rows):
            self._rows.setdefault(row.node, []).append(index)

    def spec(self) -> Spec:
        links: list[tuple[Data, Line]] = [({}, line) for line in self._layout.links()]
        behind = self._sheet.lines(links, plain(_LINK))
        return self._sheet.spec([behind, *self._rules(), self._nodes(), self._names()])

    # ── nodes ─────────────────────────────────────────────────────────────────────────────────

    def _record(self, row: Row) -> Data:
        outline = self._outline
        parents = outline.hierarchy.parents.get(row.node, ())
        return {
            "words": self._words(row),
            "name": outline.name(row.node),
            "id": row.node,
            "kind": outline.kind(row.node),
            "depth": outline.hierarchy.depths.get(row.node, 0),
            "below": ", ".join(map(outline.name, parents)),
            "rules": "; ".join(self._rules_of(row.node)),
        }

    def _words(self, row: Row) -> str:
        """What is written beside a node: its name, and whether there is more of it elsewhere."""
        name = self._outline.name(row.node)
        name = name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1]}…"
        if row.continued:
            return f"… {name}"
        if row.folded:
            return f"{name} (+{row.folded})"
        return f"{name} ↑" if self._outline.other_parents(row) else name

    def _rules_of(self, node: str) -> Iterator[str]:
        outline = self._outline
        yield from (outline.worded(group) for group in outline.groups if node in group.members)
        yield from (outline.needed(rule) for rule in outline.needs.get(node, ()))
        if node in outline.ontology.contradictions:
            yield outline.ontology.contradictions[node]

    def _nodes(self) -> Spec:
        # An implied root is no category that anybody stated.
        kinds = (record["kind"] for record in self._records if record["id"])
        return self._sheet.dots(
            zip(self._records, self._layout.points, strict=True),
            coloured("kind", _NODES, kinds),
            size=42,
            tooltip=_TOOLTIP,
        )

    def _names(self) -> Spec:
        return self._sheet.words(
            zip(self._records, self._layout.points, strict=True),
            size=FONT,
            indent=7,
            colours={"category": _FAINT, "never assignable": _NODES["never assignable"]},
        )

    # ── rules ─────────────────────────────────────────────────────────────────────────────────

    def _rules(self) -> Iterator[Spec]:
        if not self._outline.counts:
            return
        stroke = coloured("rule", _RULES, self._outline.counts, x=190, symbolType="stroke")
        brackets, curves = list(self._brackets()), list(self._curves())
        lines = [(data, line) for data, line, _ in brackets]
        knots = [(data, point) for data, _, points in brackets for point in points]
        yield self._sheet.lines(lines, stroke, width=2.0, tooltip=("rule", "says"))
        yield self._sheet.dots(knots, stroke, size=8, channel="stroke")
        yield self._sheet.lines(curves, stroke, width=1.4, dash=(4, 3), tooltip=("rule", "says"))
        yield self._sheet.tips([arc for arc in curves if arc[0]["rule"] == "needs"], stroke)

    def _brackets(self) -> Iterator[tuple[Data, Line, Line]]:
        """Across the lines to members of a group that are siblings, and where they meet."""
        taken: dict[int, int] = {}
        for group in self._outline.groups:
            for above, rows in self._siblings(group).items():
                lane = taken.setdefault(above, 0)
                taken[above] += 1
                yield (self._says(group), *self._layout.bracket(rows, lane))

    def _siblings(self, group: Group) -> dict[int, list[int]]:
        """The rows of members below each node that has several of them."""
        siblings: dict[int, list[int]] = {}
        for member in group.members:
            for row in self._rows.get(member, ()):
                siblings.setdefault(self._outline.rows[row].above, []).append(row)
        return {above: rows for above, rows in siblings.items() if len(rows) > 1}

    def _curves(self) -> Iterator[tuple[Data, Line]]:
        lane = 0
        for group in self._outline.groups:
            families = self._families(group)
            for start, goal in pairwise(families):
                yield self._says(group), self._layout.detour(start, goal, lane)
            lane += len(families) > 1
        for node, rules in self._outline.needs.items():
            for rule in rules:
                says = f"{self._outline.name(node)} {self._outline.needed(rule)}"
                for needed in rule.needs:
                    if node in self._rows and needed in self._rows:
                        ends = self._rows[node][0], self._rows[needed][0]
                        yield {"rule": "needs", "says": says}, self._layout.detour(*ends, lane)
            lane += 1

    def _families(self, group: Group) -> list[int]:
        """One member below each node that has some, so that curves join all of them."""
        first: dict[int, int] = {}
        for member in group.members:
            for row in self._rows.get(member, ())[:1]:
                first.setdefault(self._outline.rows[row].above, row)
        return list(first.values())

    def _says(self, group: Group) -> Data:
        return {"rule": group.bound, "says": self._outline.worded(group)}


# ── where nodes go ────────────────────────────────────────────────────────────────────────────


class Layout:
    """Places of nodes and of the lines between them, in points from the upper left corner.

    titles  what is written beside the nodes
    lanes   how many lines between any two nodes are to run side by side
    """

    def __init__(self, outline: Outline, titles: Sequence[str], *, lanes: int) -> None:
        self._outline = outline
        self._room = _LANE * lanes + 3 * _CORNER
        self._names = [name_width(title, FONT) for title in titles]
        self._trees = self._tree_of_each()
        self._edges: list[float] = []
        """By tree, the end of its longest name."""
        self.points: list[Point] = list(zip(self._across(), self._down(), strict=True))
        self.width = self._edges[-1] + self._room
        self.height = max(y for _, y in self.points) + _ROW / 2

    def _tree_of_each(self) -> list[int]:
        trees, last = [], -1
        for row in self._outline.rows:
            last += row.above < 0
            trees.append(last)
        return trees

    def _across(self) -> list[float]:
        widths: dict[tuple[int, int], float] = {}
        for tree, row, name in zip(self._trees, self._outline.rows, self._names, strict=True):
            column = tree, row.level
            widths[column] = max(widths.get(column, 0.0), name)
        starts: dict[tuple[int, int], float] = {}
        end = 0.0
        for tree, level in sorted(widths):
            if level:
                starts[tree, level] = end + _GAP + _TRUNK
            else:
                if tree:
                    self._edges.append(end)
                    end += _APART + self._room
                starts[tree, level] = end + _DOT
            end = starts[tree, level] + _DOT + widths[tree, level] + 4
        self._edges.append(end)
        rows = zip(self._trees, self._outline.rows, strict=True)
        return [starts[tree, row.level] for tree, row in rows]

    def _down(self) -> list[float]:
        children = self._outline.children
        ys = [0.0] * len(children)
        following = 0
        for index, (row, below) in enumerate(zip(self._outline.rows, children, strict=True)):
            following = 0 if row.above < 0 else following
            if not below:
                ys[index] = (following + 0.5) * _ROW
                following += 1
        for index in range(len(children) - 1, -1, -1):
            if children[index]:
                ys[index] = (ys[children[index][0]] + ys[children[index][-1]]) / 2
        return ys

    def links(self) -> list[Line]:
        """The lines from nodes to their children."""
        lines: list[Line] = []
        for index, below in enumerate(self._outline.children):
            if below:
                start, y = self._end(index)
                column = self.points[below[0]][0]
                ys = [self.points[child][1] for child in below]
                lines.append([(start, y), (column - _TRUNK, y)])
                lines.append([(column - _TRUNK, min(ys)), (column - _TRUNK, max(ys))])
                lines += [[(column - _TRUNK, y), (column, y)] for y in ys]
        return lines

    def _end(self, index: int) -> Point:
        """Where the name of a node ends."""
        x, y = self.points[index]
        return x + _DOT + self._names[index] + 4, y

    def bracket(self, rows: Sequence[int], lane: int) -> tuple[Line, Line]:
        """A line across those to children of one node, and the points where it meets them."""
        x = self.points[rows[0]][0] - 0.6 * _TRUNK + 4 * lane
        ys = sorted(self.points[row][1] for row in rows)
        return [(x, ys[0]), (x, ys[-1])], [(x, y) for y in ys]

    def detour(self, start: int, goal: int, lane: int) -> Line:
        """A line between any two nodes: out to a lane right of all names, along it, and back."""
        (x, y), (end, back) = self._exit(start), self._exit(goal)
        if self._trees[start] != self._trees[goal]:
            half = (x + end) / 2
            return curve((x, y), (half, y), (half, back), (end, back))
        far = self._edges[self._trees[start]] + 3 * _CORNER + lane * _LANE
        turn = math.copysign(min(_CORNER, abs(back - y) / 2), back - y)
        return [
            (x, y),
            *_corner((far - _CORNER, y), (far, y), (far, y + turn)),
            *_corner((far, back - turn), (far, back), (far - _CORNER, back)),
            (end, back),
        ]

    def _exit(self, index: int) -> Point:
        """Where a line leaves a node: between the rows if its children stand to the right."""
        x, y = self._end(index)
        below = bool(self._outline.children[index])
        return x + 3, math.ceil(y / _ROW) * _ROW if below else y


def _corner(start: Point, middle: Point, end: Point) -> list[Point]:
    return curve(start, middle, middle, end)


def columns_for(outline: Outline, titles: Sequence[str]) -> int:
    """How many trees to cut an outline into, so that the picture is not too tall."""
    lowest = len(outline.lowest)
    if lowest <= _TALL:
        return 1
    usual = sum(name_width(title, FONT) for title in titles) / len(titles) + 2 * _TRUNK
    return max(2, round(math.sqrt(_SHAPE * lowest * _ROW / ((1 + outline.deepest) * usual))))
