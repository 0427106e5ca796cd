"""What came of a comparison of two cycles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.errors import InputError, several
from cranfield.measures import Measure
from cranfield.statistics import holm
from cranfield.statistics.comparing.units import Resample
from cranfield.studies.field import sign
from cranfield.studies.records import Records, Row, defined

Judge = Literal["later", "earlier", "own"]
Stand = Literal["best", "median", "mean", "best of each"]


@dataclass(frozen=True)
class Change:
    """One comparison of both cycles."""

    measure: Measure
    stand: Stand
    """What is compared: the best run, that in the middle (the better of two), the mean of all
    runs, or the best run of each unit."""
    runs: tuple[str, str]
    """Of either cycle; empty where it is no single run."""
    scores: tuple[float, float]
    units: int
    resample: Resample
    paired: bool
    p: float
    unpaired_p: float
    """Of the one-way analysis of variance."""
    adjusted: float = np.nan
    """p, corrected by Holm for all comparisons."""

    @property
    def gain(self) -> float:
        """How much better the later cycle is; below 0: worse."""
        return (self.scores[1] - self.scores[0]) * sign(self.measure)

    def row(self) -> Row:
        """A plain record."""
        return {
            "measure": str(self.measure),
            "of": self.stand,
            "earlier": self.scores[0],
            "later": self.scores[1],
            "gain": self.gain,
            "p": defined(self.p),
            "adjusted": defined(self.adjusted),
            "unpaired_p": defined(self.unpaired_p),
            "over": several(self.units, self.resample[:-1]),
            "runs": " → ".join(run for run in self.runs if run),
        }


@dataclass(frozen=True, eq=False)
class ConceptChanges:
    """What became of each concept, by one measure."""

    measure: Measure
    concepts: tuple[str, ...]
    best: Floats
    """(2, concepts): of any run, earlier and later."""
    mean: Floats
    """(2, concepts): of all runs."""
    p: Floats
    """(concepts,): of the two best runs of a concept, paired over items; NaN without such."""

    @property
    def gains(self) -> Floats:
        """(concepts,): how much better the best run is; below 0: worse."""
        return np.asarray((self.best[1] - self.best[0]) * sign(self.measure))

    @property
    def adjusted(self) -> Floats:
        """p, corrected by Holm for the number of concepts."""
        return holm(self.p)

    @property
    def gained(self) -> int:
        """How many concepts became easier."""
        return int(np.count_nonzero(self.gains > 1e-12))

    @property
    def lost(self) -> int:
        return int(np.count_nonzero(self.gains < -1e-12))

    def rows(self) -> list[Row]:
        """A record for each concept, those that gained most first."""
        adjusted = self.adjusted
        return [
            {
                "measure": str(self.measure),
                "concept": self.concepts[place],
                "earlier": float(self.best[0, place]),
                "later": float(self.best[1, place]),
                "gain": float(self.gains[place]),
                "p": defined(self.p[place]),
                "adjusted": defined(adjusted[place]),
                "earlier_mean": float(self.mean[0, place]),
                "later_mean": float(self.mean[1, place]),
            }
            for place in np.lexsort((np.array(self.concepts), -self.gains)).tolist()
        ]


@dataclass(frozen=True, eq=False)
class CycleComparison(Records):
    """Two cycles side by side."""

    names: tuple[str, str]
    runs: tuple[tuple[str, ...], tuple[str, ...]]
    items: int
    """Common items; 0 where they are not compared on any."""
    concepts: tuple[str, ...]
    judged_by: Judge
    agreement: float
    """The share of common cells that both truths label alike; NaN without common items."""
    kappa: float
    """The same, corrected for chance: near 0, common ids are not common items."""
    changes: tuple[Change, ...]
    by_concept: tuple[ConceptChanges, ...]
    """By each measure that scores concepts."""

    def change(self, measure: str, stand: Stand = "best") -> Change:
        """One comparison."""
        for one in self.changes:
            if str(one.measure).lower() == measure.lower() and one.stand == stand:
                return one
        told = ", ".join(dict.fromkeys(str(one.measure) for one in self.changes))
        raise InputError(f"there is no {stand!r} by {measure}; measures: {told}")

    def rows(self, table: str = "changes") -> list[Row]:
        """A record for each comparison ("changes"), or each measure and concept ("concepts")."""
        if table == "changes":
            return [one.row() for one in self.changes]
        if table != "concepts":
            raise InputError(f"there is no table of {table}; choose changes or concepts")
        if not self.by_concept:
            raise InputError(
                "there is no table of concepts: no measure by concept was compared; add one, such "
                "as concept.AP"
            )
        return [row for one in self.by_concept for row in one.rows()]

    def to_dict(self) -> dict[str, Any]:
        """Both cycles, all comparisons, and what became of each concept."""
        return {
            "earlier": {"name": self.names[0], "runs": list(self.runs[0])},
            "later": {"name": self.names[1], "runs": list(self.runs[1])},
            "common_items": self.items,
            "common_concepts": list(self.concepts),
            "judged_by": self.judged_by,
            "agreement": defined(self.agreement),
            "kappa": defined(self.kappa),
            "paired": self.changes[0].paired,
            "changes": self.rows(),
            "concepts": [row for one in self.by_concept for row in one.rows()],
            "counts": {
                str(one.measure): {"gained": one.gained, "lost": one.lost}
                for one in self.by_concept
            },
        }
