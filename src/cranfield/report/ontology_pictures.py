"""Pictures of ontologies: the tree, and the rules drawn across it.

Nodes are coloured by kind. A line with dots across those to some children of a node says how many
of them there may be; where members of a group stand below different nodes, a curve joins them. A
dashed curve leads from a node to what it needs. Tooltips tell the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from cranfield.core.sketch import Data, Line, Sketch, coloured, plain
from cranfield.errors import several
from cranfield.knowledge import Ontology
from cranfield.report.outlines import Group, Outline, Row
from cranfield.report.pictures import COLOURS, FAINT, Spec, page
from cranfield.report.tree_layout import FONT, Layout, columns_for

_MOST = 3000
"""Rows that a picture has room for, unless a depth is asked for."""
_NODES = {"concept": COLOURS[0], "category": "#b8c0cc", "never assignable": "#c0392b"}
_RULES = {
    "exactly one": COLOURS[1],
    "at most one": COLOURS[3],
    "at least one": COLOURS[2],
    "needs": "#59616d",
}
_LINK = "#c9d0d9"
_LETTERS = 44
"""Letters of a name that are written; its tooltip has all of them."""
_TOLD = ("name", "id", "kind", "depth", "below", "rules")


def ontology_picture(ontology: Ontology, *, tree: str, depth: int | None = None) -> Spec:
    """The tree of an ontology with its rules."""
    outline = Outline.of(ontology, tree, depth)
    while depth is None and len(outline.rows) > _MOST and outline.deepest > 1:
        outline = Outline.of(ontology, tree, outline.deepest - 1)
    return page(_Picture(outline).spec())


class _Picture:
    """The layers of one picture."""

    def __init__(self, outline: Outline) -> None:
        columns = columns_for(outline, [outline.name(row.node) for row in outline.rows])
        self._outline = outline = outline.in_columns(columns)
        self._records = [self._record(row) for row in outline.rows]
        titles = [record["words"] for record in self._records]
        self._layout = Layout(outline, titles, lanes=len(outline.needs) + len(outline.scattered))
        self._sheet = Sketch(self._layout.width, self._layout.height)
        self._places: dict[str, list[int]] = {}
        for place, row in enumerate(outline.rows):
            self._places.setdefault(row.node, []).append(place)

    def spec(self) -> Spec:
        title = {"text": self._outline.ontology.name, "subtitle": self._facts()}
        links: list[tuple[Data, Line]] = [({}, line) for line in self._layout.links()]
        behind = self._sheet.lines(links, plain(_LINK))
        layers = [behind, *self._rules(), self._nodes(), self._names()]
        return {"title": title, **self._sheet.spec(layers)}

    def _facts(self) -> str:
        outline, ontology = self._outline, self._outline.ontology
        facts = [
            several(len(ontology.concepts), "concept"),
            f"{len(outline.hierarchy.parents) - len(ontology.concepts)} categories",
            f"depth {outline.hierarchy.height}",
        ]
        hidden = [f"{several(outline.hidden, 'node')} folded"] if outline.hidden else []
        return ", ".join((*facts, *hidden))

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
            tooltip=_TOLD,
        )

    def _names(self) -> Spec:
        return self._sheet.words(
            zip(self._records, self._layout.points, strict=True),
            size=FONT,
            indent=7,
            colours={"category": FAINT, "never assignable": _NODES["never assignable"]},
        )

    # ── rules ─────────────────────────────────────────────────────────────────────────────────

    def _rules(self) -> Iterator[Spec]:
        if not self._outline.counts:
            return
        stroke = coloured("rule", _RULES, self._outline.counts, x=190, symbolType="stroke")
        brackets, curves = list(self._brackets()), list(self._curves())
        lines = [(told, line) for told, line, _ in brackets]
        knots = [(told, point) for told, _, points in brackets for point in points]
        yield self._sheet.lines(lines, stroke, width=2.0, tooltip=("rule", "says"))
        yield self._sheet.dots(knots, stroke, size=8, channel="stroke")
        yield self._sheet.lines(curves, stroke, width=1.4, dash=(4, 3), tooltip=("rule", "says"))
        yield self._sheet.tips([one for one in curves if one[0]["rule"] == "needs"], stroke)

    def _brackets(self) -> Iterator[tuple[Data, Line, Line]]:
        """Across the lines to members of a group that are siblings, and where they meet."""
        taken: dict[int, int] = {}
        for group in self._outline.groups:
            for above, places in self._siblings(group).items():
                lane = taken.setdefault(above, 0)
                taken[above] += 1
                yield (self._says(group), *self._layout.bracket(places, lane))

    def _siblings(self, group: Group) -> dict[int, list[int]]:
        """The places of members below each node that has several of them."""
        found: dict[int, list[int]] = {}
        for member in group.members:
            for place in self._places.get(member, ()):
                found.setdefault(self._outline.rows[place].above, []).append(place)
        return {above: places for above, places in found.items() if len(places) > 1}

    def _curves(self) -> Iterator[tuple[Data, Line]]:
        lane = 0
        for group in self._outline.groups:
            families = self._families(group)
            for one, other in pairwise(families):
                yield self._says(group), self._layout.detour(one, other, lane)
            lane += len(families) > 1
        for node, rules in self._outline.needs.items():
            for rule in rules:
                says = f"{self._outline.name(node)} {self._outline.needed(rule)}"
                for needed in rule.needs:
                    if node in self._places and needed in self._places:
                        ends = self._places[node][0], self._places[needed][0]
                        yield {"rule": "needs", "says": says}, self._layout.detour(*ends, lane)
            lane += 1

    def _families(self, group: Group) -> list[int]:
        """One member below each node that has some, so that curves join all of them."""
        first: dict[int, int] = {}
        for member in group.members:
            for place in self._places.get(member, ())[:1]:
                first.setdefault(self._outline.rows[place].above, place)
        return list(first.values())

    def _says(self, group: Group) -> Data:
        return {"rule": group.bound, "says": self._outline.worded(group)}
