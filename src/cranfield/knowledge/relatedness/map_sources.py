"""Sources that look pairs up: in a relatedness map, or along the paths of an ontology."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.knowledge.maps import Normalisation, RelatednessMap
from cranfield.knowledge.ontology import Costing, Ontology
from cranfield.knowledge.provenance import Provenance
from cranfield.knowledge.relatedness.source import Source
from cranfield.knowledge.relatedness.spelling import Names


class GivenMap(Source):
    """The numbers of a map; case does not matter, and blanks may stand for underscores.

    Its scale is not known, so what it holds decides how to normalise it. A map that is not
    symmetric stays so.
    """

    def __init__(self, given: RelatednessMap, *, name: str | None = None) -> None:
        self.given = given
        self.name = name or given.name
        self.normalisation = _normalisation(*given.extent)
        self._places = Names(given.concepts)

    def covers(self, word: str) -> bool:
        return self._places.place(word) is not None

    def relatedness(self, word: str, other: str) -> float:
        return float(self.table([word, other])[0, 1])

    def table(self, words: Sequence[str]) -> Floats:
        values = np.full((len(words), len(words)), np.nan)
        indices = [self._places.place(word) for word in words]
        covered = [at for at, index in enumerate(indices) if index is not None]
        chosen = np.array([indices[at] for at in covered], dtype=np.int64)
        values[np.ix_(covered, covered)] = self.given.values[np.ix_(chosen, chosen)]
        return values

    @property
    def provenance(self) -> Provenance:
        return self.given.provenance


def _normalisation(low: float, high: float) -> Normalisation:
    if low < 0:
        return "minmax"
    return "max" if high > 1 else "none"


class OntologyPaths(Source):
    """1 − the cost of the path between two nodes, in [0, 1] (Nowak 2011 §7.3 and Table 8.5).

    A word is the id of a concept or category, or what it is called; case does not matter, and
    blanks may stand for underscores.

    tree, kind  which levels count, and how: see `Ontology.costs`
    """

    normalisation = "none"

    def __init__(
        self,
        ontology: Ontology,
        *,
        tree: str = "flat",
        kind: Costing = "DDMC",
        name: str | None = None,
    ) -> None:
        self.ontology = ontology
        self.name = name or ontology.name
        self._tree: str = tree
        self._kind: Costing = kind
        self._nodes = tuple(ontology.hierarchy(tree).parents)
        self._ids = Names(self._nodes)
        self._labels = Names(ontology.labels.get(node, node) for node in self._nodes)

    def covers(self, word: str) -> bool:
        return self._place(word) is not None

    def relatedness(self, word: str, other: str) -> float:
        return float(self.table([word, other])[0, 1])

    def table(self, words: Sequence[str]) -> Floats:
        values = np.full((len(words), len(words)), np.nan)
        places = [self._place(word) for word in words]
        covered = [at for at, place in enumerate(places) if place is not None]
        nodes, back = np.unique([places[at] for at in covered], return_inverse=True)
        if covered:
            chosen = [self._nodes[node] for node in nodes]
            costs = self.ontology.costs(self._tree, self._kind, chosen)
            values[np.ix_(covered, covered)] = 1.0 - costs[np.ix_(back, back)]
        return values

    @property
    def provenance(self) -> Provenance:
        ontology = self.ontology
        return Provenance(
            f"{ontology.name}:{ontology.digest[:8]}, 1 − {self._kind}, tree {self._tree}",
            date.today().isoformat(),
            {"nodes": len(self._nodes)},
        )

    def _place(self, word: str) -> int | None:
        place = self._ids.place(word)
        return self._labels.place(word) if place is None else place
