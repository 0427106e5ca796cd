"""Label density: does a measure reward runs for how many labels they assign (Nowak 2011 §7.5.3)?

The density of a run is the share of all labels that it assigns. Random runs differ in nothing else,
so what their scores do over density is the measure's doing alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.collection import Collection
from cranfield.engine.local import as_runs
from cranfield.matrices import Floats, total
from cranfield.measures import Measure
from cranfield.run import Run
from cranfield.statistics.correlation import spearman
from cranfield.studies.field import (
    Field,
    Progress,
    require_guesses,
    require_systems,
    scored_field,
)
from cranfield.studies.records import Records, Row, defined
from cranfield.studies.reference_runs import RANDOM_PERCENTAGES
from cranfield.truth import Truth


@dataclass(frozen=True, eq=False)
class LabelDensity(Records):
    """Densities and scores of all runs."""

    field: Field
    truth: float
    """The density of the truth."""
    densities: dict[str, float]
    """By run."""

    @property
    def measures(self) -> tuple[Measure, ...]:
        return self.field.measures

    @property
    def of_systems(self) -> Floats:
        """For each measure, ρ of density and merit over systems; above 0, more labels pay."""
        return self._correlation(self.field.systems)

    @property
    def of_guesses(self) -> Floats:
        """The same over runs that know nothing."""
        return self._correlation(self.field.blind)

    def _correlation(self, runs: Sequence[str]) -> Floats:
        merits = self.field.merits(runs)
        density = np.broadcast_to([self.densities[run] for run in runs], merits.shape)
        known = ~np.isnan(merits).any(axis=1)
        out = np.full(len(merits), np.nan)
        if len(runs) > 1:
            out[known] = spearman(density[known], merits[known])
        return out

    def rows(self) -> list[Row]:
        """A record for each run: its kind, its density and its scores."""
        field = self.field
        return [
            {"run": run, "kind": field.kind(run), "density": self.densities[run]}
            | {str(one): defined(field.evaluation[run, one]) for one in field.measures}
            for run in field.runs
        ]

    def by_measure(self) -> Iterator[Row]:
        """How each measure goes with density, over systems and over guesses."""
        field = self.field
        guesses = sorted(field.blind, key=self.densities.__getitem__)
        merits = field.merits(guesses)
        systems, blind = self.of_systems, self.of_guesses
        for place, one in enumerate(self.measures):
            best = guesses[int(np.argmax(merits[place]))]
            yield {
                "measure": str(one),
                "systems": defined(systems[place]),
                "guesses": defined(blind[place]),
                "sparsest": defined(field.evaluation[guesses[0], one]),
                "densest": defined(field.evaluation[guesses[-1], one]),
                "best_density": self.densities[best],
            }

    def to_dict(self) -> dict[str, Any]:
        """Scores and densities of all runs, and a record for each measure."""
        return self.field.to_dict() | {
            "truth_density": self.truth,
            "densities": self.densities,
            "measures": list(self.by_measure()),
        }


def label_density(
    truth: Truth | Collection,
    runs: Run | Iterable[Run],
    measures: Iterable[str | Measure],
    *,
    percentages: Sequence[int] = RANDOM_PERCENTAGES,
    seed: int = 0,
    progress: Progress | None = None,
    **options: Any,
) -> LabelDensity:
    """Score systems and random runs, and hold the scores against the labels that they assign.

    progress  called after each run that is scored
    options   of `evaluate`: ontology=, costs=, relatedness=, agreement=, missing=, extra=
    """
    listed = as_runs(runs)
    field = scored_field(
        truth, listed, measures, percentages=percentages, seed=seed, progress=progress, **options
    )
    require_systems(field.systems, 1)
    require_guesses(field)
    plain = field.evaluation.truth
    cells = plain.shape[0] * plain.shape[1]
    scored = {score.run.name: score.run for score in field.evaluation}
    densities = {name: int(total(run.assigned, 0).sum()) / cells for name, run in scored.items()}
    return LabelDensity(field, int(total(plain.matrix, 0).sum()) / cells, densities)
