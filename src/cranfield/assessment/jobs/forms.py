"""Blocks and sections: the questions of a form as people see them.

one     exactly one of these concepts: radio buttons
any     all that hold of these concepts, or none: check boxes
yes_no  does this concept hold? two radio buttons, so that nobody answers by looking away

From an ontology to the sections of a form.

The top categories are the sections. Groups that are disjoint and required are single choices,
everything else is boxes under what stands above it; a concept that stands below another is set in.

Forms: what annotators are asked about an item, section by section.

They come from an ontology, from a list of concepts, or ask for one concept alone; words for people
are added to them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from cranfield.assessment.votes import Question, groups_of
from cranfield.core.axes import as_ids
from cranfield.errors import InputError, first_ten
from cranfield.knowledge import Ontology

Ask = Literal["one", "any", "yes_no"]


@dataclass(frozen=True)
class Block:
    """One question as people see it."""

    name: str
    """Of a single choice: what the choice is called among votes; else where the concepts belong."""
    ask: Ask
    concepts: tuple[str, ...]
    depths: tuple[int, ...] = ()
    """How far each concept is set in; none: not at all."""
    further: bool = False
    """Whether it is the rest of a category that another question is about as well."""

    @property
    def questions(self) -> tuple[Question, ...]:
        if self.ask == "one":
            return (Question.choice(self.name, self.concepts),)
        return tuple(map(Question, self.concepts))


@dataclass(frozen=True)
class Section:
    """Questions under one heading, beside the image."""

    name: str
    blocks: tuple[Block, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Its own, and those of questions and concepts."""
        blocks = (name for block in self.blocks for name in (block.name, *block.concepts))
        return (self.name, *blocks)


# ── from an ontology to the sections of a form ────────────────────────────────────────────────────


def named_concepts(ontology: Ontology, names: Iterable[str]) -> tuple[str, ...]:
    """Concepts by ids, categories standing for what is below them; in the ontology's order."""
    assignable = set(ontology.concepts)
    below = children_of(ontology)
    named: set[str] = set()
    for name in names:
        if name not in ontology.parents:
            raise InputError(
                f"{ontology.name} does not know {name!r}; there are {first_ten(ontology.concepts)}"
            )
        queue = [name]
        while queue:
            node = queue.pop()
            if node in assignable:
                named.add(node)
            else:
                queue += below.get(node, [])
    return tuple(concept for concept in ontology.concepts if concept in named)


def children_of(ontology: Ontology) -> dict[str, list[str]]:
    """What stands right below each node, in the order of the ontology."""
    below: dict[str, list[str]] = {}
    for node, parents in ontology.parents.items():
        for parent in parents:
            below.setdefault(parent, []).append(node)
    return below


class Tree:
    """An ontology on its way to sections."""

    def __init__(self, ontology: Ontology, requested: Sequence[str]) -> None:
        self.ontology = ontology
        self.requested = set(requested)
        self.below = children_of(ontology)
        self.groups = {
            member: (name, members)
            for name, members in self._groups().items()
            for member in members
        }

    def _groups(self) -> dict[str, tuple[str, ...]]:
        """Groups that are asked as a whole: of a part of one, none may hold."""
        groups = {}
        whole = groups_of(self.ontology)
        for name, members in whole.items():
            if self.requested.issuperset(members):
                groups["/".join(members) if name in self.ontology.concepts else name] = members
        return groups

    def titles(self) -> dict[str, str]:
        """What groups are called: as the node above them, if that has a name of its own."""
        labels = self.ontology.labels
        headings = {}
        for name, members in self.groups.values():
            above = set.intersection(*(set(self.ontology.parents[member]) for member in members))
            if above and min(above) in labels:
                headings[name] = labels[min(above)]
        return headings

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
            if node in self.requested:
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


# ── forms ─────────────────────────────────────────────────────────────────────────────────────────


_RULES = {
    "all": "Answer by what can be seen in the image, not by what you know or guess beyond it.",
    "one": "Round buttons exclude each other: choose exactly one for each question.",
    "any": "Square boxes stand for themselves: tick all that apply, or none.",
    "yes_no": "Answer yes if it can clearly be seen, however small; otherwise no.",
}
"""What people are told unless somebody words it for them."""


@dataclass(frozen=True)
class Form:
    """What is asked, and in which words.

    titles        what names are called, where ids are codes
    descriptions  what concepts, questions and sections mean, by their names
    instructions  what stands above everything; default: a rule for each kind of question
    """

    title: str
    sections: tuple[Section, ...]
    titles: Mapping[str, str] = field(default_factory=dict)
    descriptions: Mapping[str, str] = field(default_factory=dict)
    instructions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.blocks:
            raise InputError("a form asks for nothing; name a concept at least")
        as_ids("question", [question.name for question in self.questions])
        strange = [name for name in self.descriptions if name not in self.names]
        if strange:
            raise InputError(
                f"descriptions of {first_ten(strange)}, which this form does not ask for; there "
                f"are {first_ten(self.names)}"
            )
        if not self.instructions:
            kinds = {block.ask for block in self.blocks}
            rules = tuple(rule for kind, rule in _RULES.items() if kind in kinds | {"all"})
            object.__setattr__(self, "instructions", rules)

    @property
    def blocks(self) -> tuple[Block, ...]:
        return tuple(block for section in self.sections for block in section.blocks)

    @property
    def questions(self) -> tuple[Question, ...]:
        """What votes on this form answer."""
        return tuple(question for block in self.blocks for question in block.questions)

    @property
    def concepts(self) -> tuple[str, ...]:
        return tuple(concept for block in self.blocks for concept in block.concepts)

    @property
    def names(self) -> tuple[str, ...]:
        """Sections, questions and concepts: everything that can be described."""
        names = (name for section in self.sections for name in section.names)
        return tuple(dict.fromkeys(name for name in names if name))

    def title_of(self, name: str) -> str:
        return self.titles.get(name) or spelled(name)

    def worded(
        self,
        *,
        title: str | None = None,
        descriptions: Mapping[str, str] | None = None,
        instructions: Iterable[str] = (),
    ) -> Form:
        """The same questions in other words."""
        return replace(
            self,
            title=title or self.title,
            descriptions=self.descriptions if descriptions is None else descriptions,
            instructions=tuple(instructions) or self.instructions,
        )

    # ── where forms come from ─────────────────────────────────────────────────────────────────

    @classmethod
    def of_ontology(cls, ontology: Ontology, concepts: Iterable[str] | None = None) -> Form:
        """A form for all concepts of an ontology, or for some; categories stand for their own."""
        requested = named_concepts(ontology, ontology.concepts if concepts is None else concepts)
        tree = Tree(ontology, requested)
        return cls("Describe this image", tree.sections(), {**ontology.labels, **tree.titles()})

    @classmethod
    def of_concepts(
        cls, concepts: Iterable[str], groups: Mapping[str, Sequence[str]] | None = None
    ) -> Form:
        """A form for a list of concepts: boxes, and single choices of the groups among them."""
        free: tuple[str, ...] = as_ids("concept", concepts)
        blocks: list[Block] = []
        for name, members in (groups or {}).items():
            strange = [member for member in members if member not in free]
            if strange:
                raise InputError(
                    f"group {name!r}: {first_ten(strange)} are not in the list, or in another "
                    "group already"
                )
            blocks.append(Block(name, "one", tuple(members)))
            free = tuple(concept for concept in free if concept not in members)
        if free:
            blocks.append(Block("", "any", free))
        return cls("Describe this image", (Section("", tuple(blocks)),))

    @classmethod
    def of_screening(cls, concept: str, title: str | None = None) -> Form:
        """Does this concept hold?"""
        titles = {} if title is None else {concept: title}
        shown = titles.get(concept) or spelled(concept)
        section = Section("", (Block(concept, "yes_no", (concept,)),))
        return cls(f"{shown}: yes or no?", (section,), titles)

    # ── on disk ───────────────────────────────────────────────────────────────────────────────

    @property
    def content(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "title": self.title,
            "instructions": list(self.instructions),
            "sections": [
                {
                    "name": section.name,
                    "blocks": [
                        {
                            "name": block.name,
                            "ask": block.ask,
                            "concepts": list(block.concepts),
                            "depths": list(block.depths),
                            "further": block.further,
                        }
                        for block in section.blocks
                    ],
                }
                for section in self.sections
            ],
            "titles": {name: self.title_of(name) for name in self.names},
            "descriptions": dict(self.descriptions),
        }

    @classmethod
    def of_content(cls, content: Mapping[str, Any]) -> Form:
        """What `content` said; KeyError, TypeError or ValueError where it is something else."""
        sections = []
        for section in content["sections"]:
            blocks = []
            for block in section["blocks"]:
                if block["ask"] not in get_args(Ask):
                    raise ValueError(block["ask"])
                depths = tuple(map(int, block["depths"]))
                concepts = tuple(map(str, block["concepts"]))
                blocks.append(
                    Block(
                        str(block["name"]), block["ask"], concepts, depths, bool(block["further"])
                    )
                )
            sections.append(Section(str(section["name"]), tuple(blocks)))
        return cls(
            str(content["title"]),
            tuple(sections),
            dict(content["titles"]),
            dict(content["descriptions"]),
            tuple(map(str, content["instructions"])),
        )


def spelled(name: str) -> str:
    """An id as words: SceneDescription.TimeOfDay is called Time Of Day."""
    if re.fullmatch(r"\w+(\.\w+)+", name):
        name = name.rpartition(".")[2]
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.replace("_", " ")).strip()
    return words[:1].upper() + words[1:]
