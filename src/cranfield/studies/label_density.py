"""Label density: does a measure reward runs for how many labels they assign (Nowak 2011 §7.5.3)?

The density of a run is the share of all labels that it assigns. Random runs differ in nothing else,
so what their scores do over density is the measure's doing alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.core.chart import Axis, Chart
from cranfield.core.matrices import Floats, total
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis
from cranfield.core.run import Run
from cranfield.core.table import Column, Table
from cranfield.core.terms import Terms
from cranfield.core.truth import Truth
from cranfield.engine.direct_calls import of_inputs
from cranfield.measures import Measure
from cranfield.statistics.correlation import spearman
from cranfield.studies.field import (
    DECISIONS,
    KINDS,
    DecisionMeasures,
    Field,
    Seed,
    require_guesses,
    require_systems,
    scored_field,
)
from cranfield.studies.reference_runs import RANDOM_PERCENTAGES


@dataclass(frozen=True, eq=False)
class LabelDensity(Analysis):
    """Densities and scores of all runs."""

    title = "Score against label density"

    field: Field
    truth: float
    """The density of the truth."""
    densities: dict[str, float]
    """By run."""

    @property
    def terms(self) -> Terms:
        return self.field.terms

    @property
    def warnings(self) -> Sequence[str]:
        return self.field.warnings

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
        defined = ~np.isnan(merits).any(axis=1)
        out = np.full(len(merits), np.nan)
        if len(runs) > 1:
            out[defined] = spearman(density[defined], merits[defined])
        return out

    def _tables(self) -> list[Table]:
        columns = (
            Column("measure", key=True),
            Column("systems", "ρ of systems"),
            Column("guesses", "ρ of guesses"),
            Column("sparsest"),
            Column("densest"),
            Column("best_density", "best guess", kind="percent", digits=0),
        )
        return [
            Table("measures", list(self.by_measure()), columns, audience="people"),
            Table("runs", self._rows(), audience="programs"),
        ]

    def _rows(self) -> list[dict[str, Any]]:
        """A record for each run: its kind, its density and its scores."""
        field = self.field
        return [
            {"run": run, "kind": field.kind(run), "density": self.densities[run]}
            | {str(measure): field.evaluation[run, measure] for measure in field.measures}
            for run in field.runs
        ]

    def by_measure(self) -> Iterator[dict[str, Any]]:
        """How each measure goes with density, over systems and over guesses."""
        field = self.field
        guesses = sorted(field.blind, key=self.densities.__getitem__)
        merits = field.merits(guesses)
        systems, blind = self.of_systems, self.of_guesses
        for index, measure in enumerate(self.measures):
            best = guesses[int(np.argmax(merits[index]))]
            yield {
                "measure": str(measure),
                "systems": systems[index],
                "guesses": blind[index],
                "sparsest": field.evaluation[guesses[0], measure],
                "densest": field.evaluation[guesses[-1], measure],
                "best_density": self.densities[best],
            }

    def _facts(self) -> dict[str, Any]:
        """Scores and densities of all runs, and a record for each measure."""
        return self.field.to_dict() | {
            "truth_density": self.truth,
            "densities": self.densities,
            "measures": list(self.by_measure()),
        }

    def _remarks(self) -> list[str]:
        return [
            f"density of the truth: {self.truth:.3f}; Spearman's ρ of density and score: above 0 "
            "if runs with more labels score better",
            "sparsest, densest: scores of the random runs with the fewest and the most labels; "
            "best guess: density of the random run that scores best",
        ]

    def _charts(self) -> list[Chart]:
        """Score against density, a panel for each measure (Nowak 2011, Figure 7.6)."""
        field = self.field
        rows = [
            {
                "measure": str(measure),
                "run": run,
                "kind": field.kind(run),
                "density": self.densities[run],
                "score": field.evaluation[run, measure],
            }
            for measure in self.measures
            for run in field.runs
        ]
        return [
            Chart(
                kind="dots",
                rows=rows,
                x=Axis("density", "label density", domain=(0.0, 1.0)),
                y=Axis("score"),
                series="kind",
                order=KINDS,
                panels="measure",
                free_y=True,
                tooltip=("run", "density", "score"),
                title=self.title,
                subtitle=f"the truth assigns {100 * self.truth:.1f} % of all labels",
            )
        ]


@of_inputs
def label_density(
    truth: Truth | Collection,
    runs: Run | Iterable[Run],
    measures: DecisionMeasures = None,
    *,
    percentages: Sequence[int] = RANDOM_PERCENTAGES,
    seed: Seed = 0,
    progress: Progress = silent,
    **options: Any,
) -> LabelDensity:
    """Score systems against the labels that they assign: does it pay to assign more?

    The density of a run is the share of all labels that it assigns. Random runs of all densities,
    which differ in nothing else, show what the measure makes of density alone.

    options  of `evaluate`: ontology=, costs=, relatedness=, agreement=, missing=, extra=
    """
    field = scored_field(
        *(truth, runs, measures),
        usual=DECISIONS,
        percentages=percentages,
        seed=seed,
        progress=progress,
        **options,
    )
    require_systems(field.systems, 1)
    require_guesses(field)
    plain = field.evaluation.truth
    cells = plain.shape[0] * plain.shape[1]
    scored = {score.run.name: score.run for score in field.evaluation}
    densities = {name: int(total(run.assigned, 0).sum()) / cells for name, run in scored.items()}
    return LabelDensity(field, int(total(plain.matrix, 0).sum()) / cells, densities)
