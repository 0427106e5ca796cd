"""An ontology summed up: facts, the tree with its rules, and what contradicts itself.

What holds for all children of a node stands beside it; members of other groups carry the number of
the group, which is listed below the tree. In large ontologies the lowest nodes stand side by side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from cranfield.caching import cached_property
from cranfield.core.chart import Drawing
from cranfield.core.options import Option
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.errors import several
from cranfield.knowledge.ontology import Ontology, Tree
from cranfield.knowledge.ontology_drawing import ontology_drawing
from cranfield.knowledge.outline import Outline, Row

_LARGE = 150
"""Nodes from which on the lowest ones stand side by side."""
_LONG, _DEEP = 300, 20
"""Lines and levels that a tree may have unless a depth is requested."""
_LISTED = 20
"""Contradictions that are listed."""
_SIGN = "⊥"
_BLANK = "\u00a0"
"""A blank that pages keep."""
_MEANINGS = {
    "at most one": "groups of which more than one contradict each other",
    "at least one": "groups of which one is expected",
    "exactly one": "groups of which one is expected, and no more",
    "needs": "nodes that stand only beside certain others",
}


@dataclass(frozen=True, eq=False)
class OntologySummary(Analysis):
    """An ontology as a tree of so many levels."""

    title = "Ontology"

    ontology: Ontology
    tree: str = "printed"
    depth: int | None = None

    def _facts(self) -> dict[str, Any]:
        """Facts, nodes, rules, and what is odd."""
        ontology = self.ontology
        return {
            **ontology_facts(ontology, tree=self.tree),
            "nodes": self._nodes,
            "disjoint": [list(rule.members) for rule in ontology.disjoint],
            "needs": [
                {"concept": rule.concept, "one_of": list(rule.needs)}
                for rule in ontology.implications
            ],
            "required": [list(rule.members) for rule in ontology.required],
        }

    @property
    def _nodes(self) -> list[dict[str, Any]]:
        ontology, hierarchy = self.ontology, self.ontology.hierarchy(self.tree)
        assignable = set(ontology.concepts)
        return [
            {
                "id": node,
                "label": ontology.labels.get(node),
                "kind": "concept" if node in assignable else "category",
                "depth": hierarchy.depths[node],
                "parents": list(parents),
            }
            for node, parents in hierarchy.parents.items()
        ]

    def _tables(self) -> list[Table]:
        nodes = [row | {"parents": ";".join(row["parents"])} for row in self._nodes]
        tables = [
            Table("nodes", nodes, audience="programs"),
            self._counts(),
            Table(
                "tree",
                list(_lines(self._outline)),
                (
                    Column("tree", audience="screens"),
                    Column("indented", "tree", audience="papers"),
                ),
                audience="people",
                emphasis="_emphasis",
            ),
        ]
        if self._outline.scattered:
            groups = [
                {"group": f"{_SIGN}{number}", "rule": self._outline.worded(group)}
                for number, group in enumerate(self._outline.scattered, start=1)
            ]
            tables.append(Table("groups", groups, audience="people"))
        if self.ontology.contradictions:
            tables.append(contradiction_table(self.ontology))
        return tables

    def _counts(self) -> Table:
        """How much there is of everything."""
        ontology, outline = self.ontology, self._outline
        several_parents = sum(len(up) > 1 for up in outline.hierarchy.parents.values())
        categories = len(outline.hierarchy.parents) - len(ontology.concepts)
        unused = f"statements of the file that say nothing about labels: {ignored_kinds(ontology)}"
        facts = [
            ("concepts", len(ontology.concepts), "can be assigned"),
            ("categories", categories, "only give order"),
            ("depth", outline.hierarchy.height, "links from the deepest node to the root"),
            ("several parents", several_parents, "nodes, which stand below each"),
            *((bound, count, _MEANINGS[bound]) for bound, count in outline.counts.items()),
            ("contradictions", len(ontology.contradictions), "concepts that can never be assigned"),
            ("not used", sum(ontology.ignored.values()), unused),
        ]
        rows = [
            {"fact": fact, "number": count, "meaning": meaning}
            for fact, count, meaning in facts
            if count or fact in ("concepts", "depth")
        ]
        columns = (
            Column("fact", self.ontology.name),
            Column("number", kind="count"),
            Column("meaning"),
        )
        return Table("facts", rows, columns, audience="people")

    def _remarks(self) -> list[str]:
        remarks = [
            "strong: concepts, faint: categories; ⊥ groups of which at most one may be assigned, "
            "→ what a node needs, ↑ further parents"
        ]
        if self._outline.hidden:
            deepest = Outline.of(self.ontology, self.tree).deepest
            remarks.append(
                f"{several(self._outline.hidden, 'node')} below depth {self._outline.depth} "
                f"folded; depth {deepest} shows all of them"
            )
        return remarks

    def _charts(self) -> list[Drawing]:
        return [ontology_drawing(Outline.of(self.ontology, self.tree, self.depth))]

    @cached_property
    def _outline(self) -> Outline:
        """The deepest outline that is not too long, but never less than two levels."""
        outline = Outline.of(self.ontology, self.tree, self.depth)
        if self.depth is not None:
            return outline
        compact = len(outline.rows) > _LARGE
        depth = outline.deepest
        while depth > _DEEP or (depth > 2 and _count_lines(outline, compact=compact) > _LONG):
            depth = min(depth - 1, _DEEP)
            outline = Outline.of(self.ontology, self.tree, depth)
        return outline


def summarise(
    ontology: Ontology,
    *,
    tree: Annotated[Tree, Option()] = "printed",
    depth: Annotated[int | None, Option(metavar="N", minimum=1)] = None,
) -> OntologySummary:
    """Show an ontology: concepts, categories, and the rules between them.

    ⊥ marks groups of which no two may stand together, → what a concept needs, ↑ further parents.

    tree   The whole tree (printed), or one without levels that the ontology names.
    depth  Fold what is further below the root; default: only if the tree is very long.
    """
    ontology.hierarchy(tree)
    return OntologySummary(ontology, tree, depth)


@dataclass(frozen=True, eq=False)
class OntologyCheck(Analysis):
    """Concepts that can never be assigned, and why."""

    title = "Contradictions of an ontology"

    ontology: Ontology

    @property
    def exit_code(self) -> int:
        return int(bool(self.ontology.contradictions))

    def _facts(self) -> dict[str, Any]:
        return ontology_facts(self.ontology)

    def _tables(self) -> list[Table]:
        rows = _contradictions(self.ontology)
        columns = (Column("concept", key=True), Column("contradiction"))
        tables = [Table("contradictions", rows, columns, audience="programs")]
        return [*tables, contradiction_table(self.ontology)] if rows else tables

    def _remarks(self) -> list[str]:
        ontology = self.ontology
        reasons = several(len(ontology.contradictions), "contradiction")
        remarks = [
            f"{'not ' * bool(ontology.contradictions)}fine as an ontology: {ontology.name}, "
            f"{several(len(ontology.concepts), 'concept')}, depth {ontology.hierarchy().height}, "
            f"{several(len(ontology.rules), 'rule')}, "
            f"{reasons if ontology.contradictions else 'no contradiction'}"
        ]
        if ontology.ignored:
            count = several(sum(ontology.ignored.values()), "statement")
            remarks.append(
                f"{count} not used, since labels are not concerned: {ignored_kinds(ontology)}"
            )
        return remarks


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


def ignored_kinds(ontology: Ontology) -> str:
    """What a file says beside what labels must obey, by kind."""
    return ", ".join(f"{kind} {count}" for kind, count in ontology.ignored.items())


def contradiction_table(ontology: Ontology) -> Table:
    """The first contradictions, and how many follow."""
    rows = _contradictions(ontology)
    more = [f"and {len(rows) - _LISTED} more"] if len(rows) > _LISTED else []
    columns = (Column("concept", key=True), Column("contradiction"))
    return Table("first contradictions", rows[:_LISTED], columns, "Contradictions", more, "people")


def _contradictions(ontology: Ontology) -> list[dict[str, Any]]:
    return [
        {"concept": concept, "contradiction": reason}
        for concept, reason in ontology.contradictions.items()
    ]


# ── the tree, line by line ────────────────────────────────────────────────────────────────────


def _count_lines(outline: Outline, *, compact: bool) -> int:
    """About as many lines as it takes."""
    return len(outline.rows) - (len(outline.lowest) if compact else 0)


def _lines(outline: Outline) -> Iterator[dict[str, str]]:
    """A row for each line of the tree, with guides before its name."""
    rows = outline.rows
    numbers: dict[str, list[int]] = {}
    for number, group in enumerate(outline.scattered, start=1):
        for member in group.members:
            numbers.setdefault(member, []).append(number)
    marks = [_marks(outline, row, numbers) for row in rows]
    compact = len(rows) > _LARGE
    # Guides of a line, those of what is below it, and its rows: several, side by side.
    waiting: list[tuple[str, str, list[int]]] = [("", "", [0])]
    while waiting:
        guide, below, indices = waiting.pop()
        names = " · ".join(_name(outline, rows[index]) for index in indices)
        kind = outline.kind(rows[indices[0]].node)
        level = len(guide) // 4
        yield {
            "tree": f"{guide}{names}{marks[indices[0]]}",
            "indented": f"{level * '– '}{names}{marks[indices[0]]}",
            "_emphasis": "faint" if kind == "category" else "strong",
        }
        children = [[child] for index in indices for child in outline.children[index]]
        plain = [
            child
            for (child,) in children
            if compact and _is_plain(outline, child) and not marks[child]
        ]
        if len(plain) > 2:
            children = [[child] for (child,) in children if child not in plain] + [plain]
        last = len(children) - 1
        for number in range(last, -1, -1):
            ends = number == last
            waiting.append(
                (
                    f"{below}{'└──' if ends else '├──'}{_BLANK}",
                    f"{below}{_BLANK if ends else '│'}{3 * _BLANK}",
                    children[number],
                )
            )


def _is_plain(outline: Outline, index: int) -> bool:
    """Whether nothing but the name is to be shown, marks apart."""
    row = outline.rows[index]
    return not outline.children[index] and not row.folded and not row.repeated


def _name(outline: Outline, row: Row) -> str:
    name = outline.name(row.node)
    return f"{name} {row.node}" if row.node and name != row.node else name


def _marks(outline: Outline, row: Row, numbers: dict[str, list[int]]) -> str:
    """What follows a name: rules, further parents, what is not shown."""
    marks = [
        f"{_SIGN if bound != 'at least one' else '≥'} {bound}"
        for bound in outline.bounds.get(row.node, ())
    ]
    marks += [f"{_SIGN}{number}" for number in numbers.get(row.node, ())]
    marks += [f"→ {outline.needed(rule)}" for rule in outline.needs.get(row.node, ())]
    others = outline.other_parents(row)
    if others:
        marks.append(f"↑ also below {', '.join(others)}")
    if outline.kind(row.node) == "never assignable":
        marks.append("✗ contradicts itself")
    if row.repeated:
        marks.append("… as above")
    if row.folded:
        marks.append(f"… {row.folded} below")
    return "".join(f"  {mark}" for mark in marks)
