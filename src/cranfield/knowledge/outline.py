"""Outlines: an ontology as a tree that can be shown, in a table or a drawing.

A node with several parents stands below each of them; what stands below it, below the first only.
Levels can be folded, and long outlines go on in further columns. Rules that say the same about one
group are one mark: at most one and at least one of a group is exactly one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from cranfield.caching import cached_property
from cranfield.knowledge.hierarchy import Hierarchy
from cranfield.knowledge.ontology import Ontology
from cranfield.knowledge.rules import Implication, listed

Bound = Literal["at most one", "at least one", "exactly one"]
Kind = Literal["concept", "category", "never assignable"]
_ROOT = ""
"""Stands for an implied root; no node has an empty name."""


@dataclass(frozen=True)
class Group:
    """Nodes of which so many are allowed or expected."""

    members: tuple[str, ...]
    bound: Bound


@dataclass(frozen=True)
class Row:
    """One line of an outline: a node below a parent."""

    node: str
    above: int
    """The index of the row it stands below; -1 = none."""
    level: int
    """Links to the root, the way it is shown."""
    repeated: bool = False
    """Whether it stands further up as well, and what is below it stands there."""
    folded: int = 0
    """How many nodes below it are not shown."""
    continued: bool = False
    """Whether it goes on from the column before."""


@dataclass(frozen=True)
class Outline:
    """The nodes of an ontology, line by line, each after the one it stands below."""

    ontology: Ontology
    tree: str
    depth: int | None
    rows: tuple[Row, ...]

    @classmethod
    def of(cls, ontology: Ontology, tree: str = "printed", depth: int | None = None) -> Outline:
        """All nodes of a tree, or those of so many levels below the root."""
        return cls(ontology, tree, depth, tuple(_unfolded(ontology.hierarchy(tree), depth)))

    @property
    def hierarchy(self) -> Hierarchy:
        return self.ontology.hierarchy(self.tree)

    @cached_property
    def children(self) -> list[list[int]]:
        """The rows below each row."""
        children: list[list[int]] = [[] for _ in self.rows]
        for index, row in enumerate(self.rows):
            if row.above >= 0:
                children[row.above].append(index)
        return children

    @cached_property
    def lowest(self) -> list[int]:
        """Rows with nothing below them."""
        return [index for index, below in enumerate(self.children) if not below]

    @property
    def deepest(self) -> int:
        """The level of the row that is furthest from the root."""
        return max(row.level for row in self.rows)

    @cached_property
    def hidden(self) -> int:
        """How many nodes are not shown."""
        nodes = {row.node for row in self.rows} - {_ROOT}
        return len(self.hierarchy.parents) - len(nodes)

    def in_columns(self, count: int) -> Outline:
        """The same in several trees of about equal size, each with all that is above its nodes."""
        rows: list[Row] = []
        shown: set[int] = set()
        for part in self._parts(count):
            here: dict[int, int] = {}
            for index in sorted(self._upwards(part)):
                row = self.rows[index]
                above = here.get(row.above, -1)
                here[index] = len(rows)
                rows.append(replace(row, above=above, continued=index in shown))
            shown |= here.keys()
        return replace(self, rows=tuple(rows))

    def _parts(self, count: int) -> Iterator[list[int]]:
        """The lowest rows in parts, cut near equal sizes where the least belongs together."""
        lowest, start = self.lowest, 0
        size = len(lowest) / count
        for number in range(1, count):
            goal = number * size
            near = range(
                max(start + 1, round(goal - size / 6)),
                min(len(lowest), round(goal + size / 6) + 1),
            )
            # The row after a lowest one hangs on the last node that both sides have in common.
            cut = min(
                near,
                key=lambda at: (self.rows[lowest[at - 1] + 1].level, abs(at - goal)),
                default=start,
            )
            yield lowest[start:cut]
            start = cut
        yield lowest[start:]

    def _upwards(self, indices: Iterable[int]) -> set[int]:
        """These rows and all above them."""
        above: set[int] = set()
        for index in indices:
            while index >= 0 and index not in above:
                above.add(index)
                index = self.rows[index].above
        return above

    # ── nodes ─────────────────────────────────────────────────────────────────────────────────

    def name(self, node: str) -> str:
        """What people call a node; an implied root is called as the ontology."""
        return self.ontology.labels.get(node, node) if node else self.ontology.name

    def kind(self, node: str) -> Kind:
        if node in self.ontology.contradictions:
            return "never assignable"
        return "concept" if node in self._assignable else "category"

    @cached_property
    def _assignable(self) -> frozenset[str]:
        return frozenset(self.ontology.concepts)

    def other_parents(self, row: Row) -> tuple[str, ...]:
        """The parents of a node other than the one it stands below here."""
        above = self.rows[row.above].node if row.above >= 0 else None
        broader = self.hierarchy.parents.get(row.node, ())
        return tuple(self.name(parent) for parent in broader if parent != above)

    # ── rules ─────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """Disjoint and required groups, those that are both once."""
        ontology = self.ontology
        required = {frozenset(rule.members) for rule in ontology.required}
        disjoint = {frozenset(rule.members) for rule in ontology.disjoint}
        return (
            *(
                Group(
                    rule.members,
                    "exactly one" if frozenset(rule.members) in required else "at most one",
                )
                for rule in ontology.disjoint
            ),
            *(
                Group(rule.members, "at least one")
                for rule in ontology.required
                if frozenset(rule.members) not in disjoint
            ),
        )

    @cached_property
    def bounds(self) -> dict[str, list[Bound]]:
        """By node: what holds for all of its children together."""
        bounds: dict[str, list[Bound]] = {}
        for group in self.groups:
            parent = self._parent_of_all(group)
            if parent is not None:
                bounds.setdefault(parent, []).append(group.bound)
        return bounds

    @cached_property
    def scattered(self) -> tuple[Group, ...]:
        """Groups that are not all the children of one node."""
        return tuple(group for group in self.groups if self._parent_of_all(group) is None)

    def _parent_of_all(self, group: Group) -> str | None:
        broader = self.hierarchy.parents.get(group.members[0], ())
        return next(
            (
                parent
                for parent in broader
                if parent != self.hierarchy.root
                and frozenset(self.hierarchy.children[parent]) == frozenset(group.members)
            ),
            None,
        )

    @cached_property
    def needs(self) -> dict[str, list[Implication]]:
        """Implications by the node that needs something."""
        needs: dict[str, list[Implication]] = {}
        for rule in self.ontology.implications:
            needs.setdefault(rule.concept, []).append(rule)
        return needs

    def worded(self, group: Group) -> str:
        return f"{group.bound} of {self._names(group.members, 'and')}"

    def needed(self, rule: Implication) -> str:
        return f"needs {self._names(rule.needs, 'or')}"

    def _names(self, nodes: Sequence[str], last: str) -> str:
        return listed([self.name(node) for node in nodes], last)

    @property
    def counts(self) -> dict[str, int]:
        """How many rules there are of each kind."""
        bounds = Counter[str](group.bound for group in self.groups)
        return {**bounds, **({"needs": len(self.ontology.implications)} if self.needs else {})}


def _unfolded(hierarchy: Hierarchy, depth: int | None) -> Iterator[Row]:
    root = _ROOT if hierarchy.root is None else hierarchy.root
    waiting = [(root, -1, 0)]
    shown: set[str] = set()
    index = 0
    while waiting:
        node, above, level = waiting.pop()
        children = hierarchy.tops if node == root else hierarchy.children[node]
        repeated = bool(children) and node in shown
        folded = bool(children) and not repeated and depth is not None and level >= depth
        yield Row(node, above, level, repeated, _count_below(hierarchy, node) if folded else 0)
        if children and not repeated and not folded:
            shown.add(node)
            waiting += [(child, index, level + 1) for child in reversed(children)]
        index += 1


def _count_below(hierarchy: Hierarchy, node: str) -> int:
    if node == _ROOT:
        return len(hierarchy.parents)
    return sum(node in above for above in hierarchy.ancestors.values())
