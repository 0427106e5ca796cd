"""Terms: what data call their concepts and items, for tables and sentences that people read.

Keys of JSON and CSV, signatures and names of measures stay canonical: concept, item.
"""

from __future__ import annotations

import re
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

    def to_dict(self) -> dict[str, str]:
        return asdict(self)

    def word(self, noun: str) -> str:
        """ "topics" for "concepts"; what is neither concept nor item stays as it is."""
        return self.to_dict().get(noun, noun)

    def several(self, count: int, noun: str) -> str:
        """A number with its noun: 1 topic, 2 topics of 2 and "concept"."""
        return f"{count} {self.word(noun if count == 1 else f'{noun}s')}"


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
