"""One WordNet, opened once: its database, and all that sources compute from it when first asked."""

from __future__ import annotations

from importlib.resources.abc import Traversable
from pathlib import Path

from cranfield.caching import cached_property
from cranfield.knowledge.relatedness.wordnet.database import Database
from cranfield.knowledge.relatedness.wordnet.gloss_vectors import GlossVectors
from cranfield.knowledge.relatedness.wordnet.glosses import Glosses
from cranfield.knowledge.relatedness.wordnet.information_content import InformationContent
from cranfield.knowledge.relatedness.wordnet.locating import located
from cranfield.knowledge.relatedness.wordnet.senses import Senses
from cranfield.knowledge.relatedness.wordnet.taxonomy import Taxonomy

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
    place = located(folder)
    if str(place) not in _OPEN:
        _OPEN[str(place)] = WordNet(place)
    return _OPEN[str(place)]
