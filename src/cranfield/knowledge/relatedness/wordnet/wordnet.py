"""One WordNet, opened once: its database, and all that sources compute from it when first asked.

The senses that words have: dog, Dogs, dog#n, dog#n#1, still life.

Case does not matter, blanks and underscores are the same, a hyphen may stand for them, and
inflected words count as their base forms. Without a part of speech a word stands for its nouns; if
it has none, for its verbs, then adjectives, then adverbs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources.abc import Traversable
from pathlib import Path

from cranfield.caching import cached_property
from cranfield.knowledge.relatedness.wordnet.database import Database, WordForms
from cranfield.knowledge.relatedness.wordnet.glosses import Glosses, GlossVectors
from cranfield.knowledge.relatedness.wordnet.installation import located
from cranfield.knowledge.relatedness.wordnet.taxonomy import InformationContent, Taxonomy

_SENSE = re.compile(r"(?P<word>[^#]+)#(?P<part>[nvars])(?:#(?P<number>[0-9]{1,3}))?")


class Senses:
    """Looks words up."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._forms = WordForms(database)

    def of(self, word: str, parts: Sequence[str]) -> list[int]:
        """The synsets that a word, or a sense such as dog#n#1, can mean; none if it is unknown.

        parts  of speech that count, in the order in which they are tried
        """
        named = _SENSE.fullmatch(word.strip())
        if named is None:
            found = (self._of_word(word, part) for part in parts)
            return next((rows for rows in found if rows), [])
        part = named["part"].replace("s", "a")
        rows = self._of_word(named["word"], part) if part in parts else []
        if named["number"] is None:
            return rows
        place = int(named["number"])
        return rows[place - 1 : place] if place else []

    def _of_word(self, word: str, part: str) -> list[int]:
        lemma = "_".join(word.lower().split())
        for spelled in dict.fromkeys((lemma, lemma.replace("-", "_"), lemma.replace("_", "-"))):
            forms = self._forms.base(spelled, part)
            if forms:
                found = (row for form in forms for row in self._database.senses(form, part))
                return list(dict.fromkeys(found))
        return []


_OPEN: dict[str, WordNet] = {}


class WordNet:
    """What the nine sources share."""

    def __init__(self, folder: Path | Traversable) -> None:
        self.database = Database(folder)
        self.senses = Senses(self.database)
        self._information: dict[str, InformationContent] = {}
        self._glosses: dict[str, Glosses] = {}

    @cached_property
    def taxonomies(self) -> dict[str, Taxonomy]:
        """Of nouns and of verbs."""
        return {part: Taxonomy(self.database, part) for part in "nv"}

    def information(self, part: str) -> InformationContent:
        """Of nouns or of verbs."""
        if part not in self._information:
            taxonomy = self.taxonomies[part]
            self._information[part] = InformationContent(self.database, taxonomy, part)
        return self._information[part]

    def glosses(self, stop: str) -> Glosses:
        """Without the words of a stop list."""
        if stop not in self._glosses:
            self._glosses[stop] = Glosses(self.database, stop)
        return self._glosses[stop]

    @cached_property
    def gloss_vectors(self) -> GlossVectors:
        return GlossVectors(self.database)


def opened(folder: Path | Traversable | str | None = None) -> WordNet:
    """The WordNet of a folder, or the one that is found; the same one each time."""
    location = located(folder)
    if str(location) not in _OPEN:
        _OPEN[str(location)] = WordNet(location)
    return _OPEN[str(location)]
