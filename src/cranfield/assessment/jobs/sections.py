"""From an ontology to the sections of a form.

The top categories are the sections. Groups that are disjoint and required are single choices,
everything else is boxes under what stands above it; a concept that stands below another is set in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cranfield.assessment.jobs.blocks import Block, Section
from cranfield.assessment.votes import groups_of
from cranfield.errors import InputError, first_ten
from cranfield.knowledge import Ontology


def named_concepts(ontology: Ontology, names: Iterable[str]) -> tuple[str, ...]:
    """Concepts by ids, categories standing for what is below them; in the ontology's order."""
    assignable = set(ontology.concepts)
    below = children_of(ontology)
    found: set[str] = set()
    for name in names:
        if name not in ontology.parents:
            raise InputError(
                f"{ontology.name} does not know {name!r}; there are {first_ten(ontology.concepts)}"
            )
        queue = [name]
        while queue:
            node = queue.pop()
            if node in assignable:
                found.add(node)
            else:
                queue += below.get(node, [])
    return tuple(concept for concept in ontology.concepts if concept in found)


def children_of(ontology: Ontology) -> dict[str, list[str]]:
    """What stands right below each node, in the order of the ontology."""
    below: dict[str, list[str]] = {}
    for node, parents in ontology.parents.items():
        for parent in parents:
            below.setdefault(parent, []).append(node)
    return below


class Tree:
    """An ontology on its way to sections."""

    def __init__(self, ontology: Ontology, asked: Sequence[str]) -> None:
        self.ontology = ontology
        self.asked = set(asked)
        self.below = children_of(ontology)
        self.groups = {
            member: (name, members)
            for name, members in self._groups().items()
            for member in members
        }

    def _groups(self) -> dict[str, tuple[str, ...]]:
        """Groups that are asked as a whole: of a part of one, none may hold."""
        found = {}
        whole = groups_of(self.ontology)
        for name, members in whole.items():
            if self.asked.issuperset(members):
                found["/".join(members) if name in self.ontology.concepts else name] = members
        return found

    def titles(self) -> dict[str, str]:
        """What groups are called: as the node above them, if that has a name of its own."""
        labels = self.ontology.labels
        found = {}
        for name, members in self.groups.values():
            above = set.intersection(*(set(self.ontology.parents[member]) for member in members))
            if above and min(above) in labels:
                found[name] = labels[min(above)]
        return found

    def sections(self) -> tuple[Section, ...]:
        seen: set[str] = set()
        made = []
        for name, tops in self._tops():
            blocks = self._blocks(name, tops, seen)
            if blocks:
                made.append(Section(name, blocks))
        return tuple(made)

    def _tops(self) -> list[tuple[str, list[str]]]:
        """Names of the sections and where each begins; concepts above all categories are one."""
        roots = [node for node, parents in self.ontology.parents.items() if not parents]
        name = ""
        while len(roots) == 1 and self._is_category(roots[0]) and self._has_categories(roots[0]):
            name = roots[0]
            roots = self.below[name]
        loose = [node for node in roots if not self._is_category(node)]
        sections = [(node, [node]) for node in roots if self._is_category(node)]
        return [*([(name, loose)] if loose else []), *sections]

    def _is_category(self, node: str) -> bool:
        return node in self.below and node not in self.ontology.concepts

    def _has_categories(self, node: str) -> bool:
        return any(map(self._is_category, self.below[node]))

    def _blocks(self, section: str, tops: list[str], seen: set[str]) -> tuple[Block, ...]:
        """Questions by where their concepts belong: the nearest node above that is not asked."""
        boxes: dict[str, list[tuple[str, int]]] = {}
        order: list[tuple[str, str]] = []
        choices: dict[str, Block] = {}
        queue = [(node, section, 0) for node in reversed(tops)]
        while queue:
            node, home, depth = queue.pop()
            if node in self.asked:
                if node in seen:
                    continue
                seen.add(node)
                if node in self.groups:
                    name, members = self.groups[node]
                    if name not in choices:
                        choices[name] = Block(name, "one", members)
                        order.append(("one", name))
                else:
                    if home not in boxes:
                        order.append(("any", home))
                    boxes.setdefault(home, []).append((node, depth))
                inner = home, depth + 1
            else:
                inner = node, 0
            queue += [(child, *inner) for child in reversed(self.below.get(node, []))]
        return tuple(
            choices[name]
            if ask == "one"
            else _of_boxes(name, boxes[name], further=self._is_shared(name, choices))
            for ask, name in order
        )

    def _is_shared(self, home: str, choices: Mapping[str, Block]) -> bool:
        """Whether a single choice comes from the same node as some boxes."""
        return any(
            home in self.ontology.parents[member]
            for block in choices.values()
            for member in block.concepts
        )


def _of_boxes(home: str, boxes: list[tuple[str, int]], *, further: bool) -> Block:
    concepts, depths = zip(*boxes, strict=True)
    return Block(home, "any", concepts, depths if any(depths) else (), further)
