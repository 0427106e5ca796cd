"""Where the nodes of an outline go in a picture.

Trees grow from left to right. Every lowest node has a row of its own, and a node stands in the
middle of its children (after Reingold and Tilford 1981, with all lowest nodes apart, so that names
have room); each level is as wide as its longest name. An outline in several columns is several
trees side by side.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from cranfield.core.sketch import Line, Point, curve, name_width
from cranfield.report.outlines import Outline

FONT = 11.0
_ROW = 17.0
_DOT, _TRUNK, _GAP = 7.0, 20.0, 14.0
"""From a node to its name; from a level back to the line on which its nodes hang; before that."""
_APART, _LANE, _CORNER = 36.0, 7.0, 8.0
"""Between trees; between lines that run side by side; where lines turn."""
_TALL = 130
"""Lowest nodes that one tree has room for."""
_SHAPE = 1.4
"""Width by height of a picture of several trees, about."""


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
        for place, (row, below) in enumerate(zip(self._outline.rows, children, strict=True)):
            following = 0 if row.above < 0 else following
            if not below:
                ys[place] = (following + 0.5) * _ROW
                following += 1
        for place in range(len(children) - 1, -1, -1):
            if children[place]:
                ys[place] = (ys[children[place][0]] + ys[children[place][-1]]) / 2
        return ys

    def links(self) -> list[Line]:
        """The lines from nodes to their children."""
        lines: list[Line] = []
        for place, below in enumerate(self._outline.children):
            if below:
                start, y = self._end(place)
                column = self.points[below[0]][0]
                ys = [self.points[child][1] for child in below]
                lines.append([(start, y), (column - _TRUNK, y)])
                lines.append([(column - _TRUNK, min(ys)), (column - _TRUNK, max(ys))])
                lines += [[(column - _TRUNK, each), (column, each)] for each in ys]
        return lines

    def _end(self, place: int) -> Point:
        """Where the name of a node ends."""
        x, y = self.points[place]
        return x + _DOT + self._names[place] + 4, y

    def bracket(self, places: Sequence[int], lane: int) -> tuple[Line, Line]:
        """A line across those to children of one node, and the points where it meets them."""
        x = self.points[places[0]][0] - 0.6 * _TRUNK + 4 * lane
        ys = sorted(self.points[place][1] for place in places)
        return [(x, ys[0]), (x, ys[-1])], [(x, y) for y in ys]

    def detour(self, one: int, other: int, lane: int) -> Line:
        """A line between any two nodes: out to a lane right of all names, along it, and back."""
        (x, y), (end, back) = self._exit(one), self._exit(other)
        if self._trees[one] != self._trees[other]:
            half = (x + end) / 2
            return curve((x, y), (half, y), (half, back), (end, back))
        far = self._edges[self._trees[one]] + 3 * _CORNER + lane * _LANE
        turn = math.copysign(min(_CORNER, abs(back - y) / 2), back - y)
        return [
            (x, y),
            *_corner((far - _CORNER, y), (far, y), (far, y + turn)),
            *_corner((far, back - turn), (far, back), (far - _CORNER, back)),
            (end, back),
        ]

    def _exit(self, place: int) -> Point:
        """Where a line leaves a node: between the rows if its children stand to the right."""
        x, y = self._end(place)
        below = bool(self._outline.children[place])
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
