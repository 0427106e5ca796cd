"""Ontologies on a terminal: facts, the tree with its rules, and what is odd about it.

Concepts are bold, categories dim. What holds for all children of a node stands beside it; members
of other groups carry the number of the group, which is told below the tree. In large ontologies the
lowest nodes stand side by side.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from cranfield.errors import several
from cranfield.knowledge import Ontology
from cranfield.report.outlines import Outline, Row
from cranfield.report.tables import remark

_LARGE = 150
"""Nodes from which on the lowest ones stand side by side."""
_LONG, _DEEP = 300, 20
"""Lines and levels that a tree may have unless its depth is asked for."""
_NAMED = 20
"""Contradictions that are told one by one."""
_SIGN = "⊥"


def ontology_tree(ontology: Ontology, *, tree: str, depth: int | None = None) -> Group:
    """Everything about an ontology that a screen can show."""
    outline = Outline.of(ontology, tree, depth)
    compact = len(outline.rows) > _LARGE
    if depth is None:
        outline = _shortened(outline, compact=compact)
    return Group(
        Text(f"\n  {ontology.name}", "bold"),
        _facts(outline),
        "",
        Padding(_Branches(outline, compact=compact).tree(), (0, 0, 0, 2), expand=False),
        *_legend(outline),
        *_oddities(ontology),
    )


def _shortened(outline: Outline, *, compact: bool) -> Outline:
    """The deepest outline that is not too long, but never less than two levels."""
    depth = outline.deepest
    while depth > _DEEP or (depth > 2 and _lines(outline, compact=compact) > _LONG):
        depth = min(depth - 1, _DEEP)
        outline = Outline.of(outline.ontology, outline.tree, depth)
    return outline


def _lines(outline: Outline, *, compact: bool) -> int:
    """About as many lines as it takes."""
    return len(outline.rows) - (len(outline.lowest) if compact else 0)


# ── facts ─────────────────────────────────────────────────────────────────────────────────────


def _facts(outline: Outline) -> Table:
    ontology = outline.ontology
    several_parents = sum(len(up) > 1 for up in outline.hierarchy.parents.values())
    table = Table(box=None, show_header=False, padding=(0, 1, 0, 2))
    table.add_column("")
    table.add_column("", style="bold", justify="right")
    table.add_column("", style="dim")
    facts = [
        ("concepts", len(ontology.concepts), "can be assigned"),
        ("categories", len(outline.hierarchy.parents) - len(ontology.concepts), "only give order"),
        ("depth", outline.hierarchy.height, "links from the deepest node to the root"),
        ("several parents", several_parents, "nodes, which stand below each"),
        *((bound, count, _MEANINGS[bound]) for bound, count in outline.counts.items()),
        ("contradictions", len(ontology.contradictions), "concepts that can never be assigned"),
        ("not used", sum(ontology.ignored.values()), f"{_UNUSED}: {ignored_kinds(ontology)}"),
    ]
    for term, count, meaning in facts:
        if count or term in ("concepts", "depth"):
            table.add_row(term, f"{count:,}", Text(meaning))
    return table


_MEANINGS = {
    "at most one": "groups of which more than one contradict each other",
    "at least one": "groups of which one is expected",
    "exactly one": "groups of which one is expected, and no more",
    "needs": "nodes that stand only beside certain others",
}


_UNUSED = "statements of the file that say nothing about labels"


def ignored_kinds(ontology: Ontology) -> str:
    """What a file says beside what labels must obey, by kind."""
    return ", ".join(f"{kind} {count}" for kind, count in ontology.ignored.items())


# ── the tree ──────────────────────────────────────────────────────────────────────────────────


class _Branches:
    """The lines of an outline, hung below each other."""

    def __init__(self, outline: Outline, *, compact: bool) -> None:
        self._outline = outline
        self._compact = compact
        self._numbers: dict[str, list[int]] = {}
        for number, group in enumerate(outline.scattered, start=1):
            for member in group.members:
                self._numbers.setdefault(member, []).append(number)

    def tree(self) -> Tree:
        rows, below = self._outline.rows, self._outline.children
        tree = Tree(self._line(rows[0]), guide_style="dim")
        hung = {0: tree}
        for place in range(len(rows)):
            if place not in hung:
                continue
            side_by_side = [child for child in below[place] if self._is_plain(child)]
            for child in below[place]:
                if len(side_by_side) < 3 or child not in side_by_side:
                    hung[child] = hung[place].add(self._line(rows[child]))
            if len(side_by_side) > 2:
                hung[place].add(self._crowd(side_by_side))
        return tree

    def _is_plain(self, place: int) -> bool:
        """Whether there is nothing to tell but the name."""
        row = self._outline.rows[place]
        return (
            self._compact
            and not self._outline.children[place]
            and not row.folded
            and not row.repeated
            and not self._marks(row).plain
        )

    def _crowd(self, places: list[int]) -> Text:
        names = [self._name(self._outline.rows[place]) for place in places]
        return Text(" · ", "dim").join(names)

    def _line(self, row: Row) -> Text:
        return self._name(row).append_text(self._marks(row))

    def _name(self, row: Row) -> Text:
        outline = self._outline
        style = {"concept": "bold", "category": "dim", "never assignable": "bold red"}
        name = Text(outline.name(row.node), style[outline.kind(row.node)])
        is_code = outline.name(row.node) != row.node and row.node
        return name.append(f" {row.node}", "dim") if is_code else name

    def _marks(self, row: Row) -> Text:
        outline, marks = self._outline, Text()
        for bound in outline.bounds.get(row.node, ()):
            marks.append(f"  {_SIGN if bound != 'at least one' else '≥'} {bound}", "yellow")
        for number in self._numbers.get(row.node, ()):
            marks.append(f"  {_SIGN}{number}", "yellow")
        for rule in outline.needs.get(row.node, ()):
            marks.append(f"  → {outline.needed(rule)}", "cyan")
        others = outline.other_parents(row)
        if others:
            marks.append(f"  ↑ also below {', '.join(others)}", "magenta")
        if row.repeated:
            marks.append("  … as above", "dim")
        if row.folded:
            marks.append(f"  … {row.folded} below", "dim")
        return marks


def _legend(outline: Outline) -> Iterator[RenderableType]:
    if outline.scattered:
        yield ""
    for number, group in enumerate(outline.scattered, start=1):
        line = Text.assemble((f"{_SIGN}{number}", "yellow"), f" {outline.worded(group)}")
        yield Padding(line, (0, 0, 0, 2), expand=False)
    if outline.hidden:
        yield ""
        deepest = Outline.of(outline.ontology, outline.tree).deepest
        yield remark(
            f"{several(outline.hidden, 'node')} below depth {outline.depth} folded; "
            f"--depth {deepest} shows all of them"
        )


def _oddities(ontology: Ontology) -> Iterator[RenderableType]:
    reasons = list(ontology.contradictions.values())
    if not reasons:
        return
    yield Text("\n  Contradictions", "bold red")
    for reason in reasons[:_NAMED]:
        yield Padding(Text(reason, "red"), (0, 0, 0, 2), expand=False)
    if len(reasons) > _NAMED:
        yield remark(f"and {len(reasons) - _NAMED} more")


# ── as plain data ─────────────────────────────────────────────────────────────────────────────


def ontology_record(ontology: Ontology, *, tree: str) -> dict[str, Any]:
    """An ontology as plain data: facts, nodes, rules, and what is odd."""
    hierarchy = ontology.hierarchy(tree)
    assignable = set(ontology.concepts)
    return {
        **ontology_facts(ontology, tree=tree),
        "nodes": [
            {
                "id": node,
                "label": ontology.labels.get(node),
                "kind": "concept" if node in assignable else "category",
                "depth": hierarchy.depths[node],
                "parents": list(parents),
            }
            for node, parents in hierarchy.parents.items()
        ],
        "disjoint": [list(rule.members) for rule in ontology.disjoint],
        "needs": [
            {"concept": rule.concept, "one_of": list(rule.needs)} for rule in ontology.implications
        ],
        "required": [list(rule.members) for rule in ontology.required],
    }


def ontology_facts(ontology: Ontology, *, tree: str = "printed") -> dict[str, Any]:
    """How much there is of everything, what contradicts itself, and what was not used."""
    hierarchy = ontology.hierarchy(tree)
    return {
        "ontology": ontology.name,
        "digest": ontology.digest,
        "tree": tree,
        "concepts": len(ontology.concepts),
        "categories": len(hierarchy.parents) - len(ontology.concepts),
        "depth": hierarchy.height,
        "rules": len(ontology.rules),
        "contradictions": dict(ontology.contradictions),
        "ignored": dict(ontology.ignored),
    }
