"""Forms: what annotators are asked about an item, section by section.

They come from an ontology, from a list of concepts, or ask for one concept alone; words for people
are added to them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from cranfield.assessment.jobs.blocks import Ask, Block, Section
from cranfield.assessment.jobs.sections import Tree, named_concepts
from cranfield.assessment.votes import Question
from cranfield.core.axes import as_ids
from cranfield.errors import InputError, first_ten
from cranfield.knowledge import Ontology

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
        asked = named_concepts(ontology, ontology.concepts if concepts is None else concepts)
        tree = Tree(ontology, asked)
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
