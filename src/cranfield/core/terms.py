"""Terms: what data call their concepts and items, for tables and sentences that people read.

Keys of JSON and CSV, signatures and names of measures stay canonical: concept, item.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from cranfield.errors import InputError

_WORD = re.compile(r"[^\W\d_][\w' -]*")
_MEND = "write topic,document or, with unusual plurals, person/people,photo/photos"


@dataclass(frozen=True)
class Terms:
    """The words for both sides of a truth, one and several."""

    concept: str = "concept"
    concepts: str = "concepts"
    item: str = "item"
    items: str = "items"

    @classmethod
    def of(cls, words: Any) -> Terms:
        """Terms as people write them: "topic,document"; "person/people,photo/photos" where an s
        does not make the plural."""
        if isinstance(words, Terms):
            return words
        sides = words.split(",") if isinstance(words, str) else []
        if len(sides) != 2:
            raise InputError(f"{words!r} does not name concepts and items", mend=_MEND)
        return cls(*_both(sides[0]), *_both(sides[1]))

    @classmethod
    def from_dict(cls, content: Mapping[str, str]) -> Terms:
        """What `to_dict` wrote."""
        return cls(**content)

    def to_dict(self) -> dict[str, str]:
        return asdict(self)

    def heading(self, field: str) -> str:
        """The words for a field of tables; "" for one that is neither concept nor item."""
        return self.to_dict().get(field, "")

    def count_concepts(self, count: int) -> str:
        """A number with its noun: 1 topic, 2 topics."""
        return f"{count} {self.concept if count == 1 else self.concepts}"

    def count_items(self, count: int) -> str:
        return f"{count} {self.item if count == 1 else self.items}"


def _both(side: str) -> tuple[str, str]:
    """A word and its plural."""
    singular, _, plural = (word.strip() for word in side.partition("/"))
    plural = plural or _plural(singular)
    for word in (singular, plural):
        if not _WORD.fullmatch(word):
            raise InputError(f"{word!r} is no word for a concept or item", mend=_MEND)
    return singular, plural


def _plural(word: str) -> str:
    if word.endswith(("s", "x", "ch", "sh")):
        return f"{word}es"
    return f"{word[:-1]}ies" if re.search("[^aeiou]y$", word) else f"{word}s"


CONCEPTS = Terms()
TOPICS = Terms("topic", "topics", "document", "documents")
"""Of searches."""
CLASSES = Terms("class", "classes")
"""Where each item has one label."""
