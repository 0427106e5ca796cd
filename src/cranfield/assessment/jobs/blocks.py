"""Blocks and sections: the questions of a form as people see them.

one     exactly one of these concepts: radio buttons
any     all that hold of these concepts, or none: check boxes
yes_no  does this concept hold? two radio buttons, so that nobody answers by looking away
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cranfield.assessment.votes import Question

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
