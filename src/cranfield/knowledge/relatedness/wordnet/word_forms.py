"""Base forms of inflected words, by WordNet's lists of exceptions and its rules (morphy(7WN)).

clouds → cloud, men → man, geese → goose, running → run. A form counts only if WordNet knows it.
"""

from __future__ import annotations

from cranfield.caching import cached_property
from cranfield.knowledge.relatedness.wordnet.database import PARTS, Database

_ENDINGS = {
    "n": (
        ("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"),
        ("shes", "sh"), ("men", "man"), ("ies", "y"),
    ),
    "v": (
        ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"),
        ("ing", ""),
    ),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}  # fmt: skip
"""What to take off the end of a word, and what to put there."""


class WordForms:
    """The forms under which WordNet lists words."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def base(self, lemma: str, part: str) -> list[str]:
        """The word itself and its base forms, as far as WordNet has them."""
        forms = self._exceptions[part].get(lemma) or [
            lemma.removesuffix(ending) + instead
            for ending, instead in _ENDINGS[part]
            if lemma.endswith(ending)
        ]
        return [form for form in dict.fromkeys([lemma, *forms]) if self._database.knows(form, part)]

    @cached_property
    def _exceptions(self) -> dict[str, dict[str, list[str]]]:
        return {part: self._read(f"{file}.exc") for part, file in PARTS.items()}

    def _read(self, name: str) -> dict[str, list[str]]:
        lines = (line.decode("utf-8", "replace").split() for line in self._database.lines(name))
        return {form: bases for form, *bases in lines}
