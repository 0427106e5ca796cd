"""A relatedness map as a source: what somebody computed before, looked up by the ids in it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.knowledge.maps import Normalisation, RelatednessMap
from cranfield.knowledge.provenance import Provenance
from cranfield.knowledge.relatedness.naming import Names
from cranfield.knowledge.relatedness.source import Source


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

    def relatedness(self, one: str, other: str) -> float:
        return float(self.table([one, other])[0, 1])

    def table(self, words: Sequence[str]) -> Floats:
        values = np.full((len(words), len(words)), np.nan)
        places = [self._places.place(word) for word in words]
        known = [at for at, place in enumerate(places) if place is not None]
        chosen = np.array([places[at] for at in known], dtype=np.int64)
        values[np.ix_(known, known)] = self.given.values[np.ix_(chosen, chosen)]
        return values

    @property
    def provenance(self) -> Provenance:
        return self.given.provenance


def _normalisation(low: float, high: float) -> Normalisation:
    if low < 0:
        return "minmax"
    return "max" if high > 1 else "none"
