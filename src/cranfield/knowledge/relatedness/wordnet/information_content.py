"""How much it says that a word means a synset: −log of how often texts use it or what is below it.

The texts are SemCor's; WordNet counts its senses there (cntlist.rev). A count goes to all hypernyms
of a synset, once for each way up to them, as WordNet::Similarity counts.
"""

from __future__ import annotations

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.matrices import Floats
from cranfield.errors import FileError
from cranfield.knowledge.relatedness.wordnet.database import Database
from cranfield.knowledge.relatedness.wordnet.taxonomy import Taxonomy

_COUNTS = "cntlist.rev"


class InformationContent:
    """Counts of the nodes of one taxonomy, and what they tell."""

    def __init__(self, database: Database, taxonomy: Taxonomy, part: str) -> None:
        self._taxonomy = taxonomy
        self.counts = self._spread(_own_counts(database, taxonomy, part))
        """How often each node, or one below it, was meant; last, the root."""
        if not self.total:
            raise FileError(
                f"{database.folder}/{_COUNTS}", f"counts no sense with part of speech {part!r}"
            )

    @property
    def total(self) -> float:
        return float(self.counts[-1])

    @cached_property
    def values(self) -> Floats:
        """−log(count / total) of each node; 0 where nothing was counted."""
        seen = np.where(self.counts > 0, self.counts, self.total)
        return np.abs(np.log(seen / self.total))

    def _spread(self, own: Floats) -> Floats:
        counts = own.copy()
        links = self._taxonomy.levels[self._taxonomy.children]
        for level in range(int(links.max()), 0, -1):
            here = links == level
            np.add.at(counts, self._taxonomy.parents[here], counts[self._taxonomy.children[here]])
        return counts


def _own_counts(database: Database, taxonomy: Taxonomy, part: str) -> Floats:
    """Counts of the synsets themselves; keys that this WordNet does not have are left out."""
    keys = database.sense_keys(part)
    own = np.zeros(taxonomy.root + 1)
    for line in database.lines(_COUNTS):
        key, _, rest = line.partition(b"::")
        row = keys.get(key)
        if row is not None:
            own[row - taxonomy.first] += _count(database, line, rest)
    return own


def _count(database: Database, line: bytes, rest: bytes) -> int:
    """What a line says after its key: the number of the sense, and how often it was meant."""
    try:
        return int(rest.split()[1])
    except (ValueError, IndexError):
        raise FileError(
            f"{database.folder}/{_COUNTS}", f"broken count: {line[:60]!r}; install WordNet anew"
        ) from None
