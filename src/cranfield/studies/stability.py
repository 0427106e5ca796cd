"""Stability: how far the order of runs survives noise in the truth, measure by measure.

A share of labels is flipped (Nowak 2011 §8.4.2, §9.4.2: 1, 2, 5 and 10 %), or items, concepts or
annotators are left out, several times over; the ranking at each stage is held against the original
one and against the stage before.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from cranfield.caching import cached_property
from cranfield.collections.collection import Collection
from cranfield.core.axes import Extra, Missing
from cranfield.core.chart import Axis, Chart
from cranfield.core.matrices import Floats
from cranfield.core.options import Option, numbers
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis
from cranfield.core.run import Run
from cranfield.core.table import Column, Row, Table, pivot
from cranfield.core.terms import CONCEPTS, Terms
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.engine.direct_calls import of_inputs
from cranfield.engine.evaluation import Evaluation
from cranfield.errors import MOST_DRAWS, require_draws, several
from cranfield.measures import Measure
from cranfield.statistics.rank_correlation import critical_shift, rank_shift, tau
from cranfield.studies.altered_truths import Change, alteration
from cranfield.studies.field import (
    CONCORDANT,
    DECISIONS,
    RANKINGS,
    Measures,
    Seed,
    about_concepts,
    knowledge_options,
    sign,
    studied,
)
from cranfield.studies.reference_runs import stream

LEVELS = (0.01, 0.02, 0.05, 0.10)
"""Shares of labels that Nowak 2011 flips."""
REFERENCES = ("original", "previous")
"""Rankings that a stage is compared with."""
_CHANGES = {
    "flip": "labels flipped",
    "items": "{items} left out",
    "concepts": "{concepts} left out",
    "annotators": "annotators left out",
}


@dataclass(frozen=True, eq=False)
class Stability(Analysis):
    """Scores at every stage of every repeat, and how the rankings compare."""

    title = "Stability of measures"

    change: Change
    levels: tuple[float, ...]
    counts: tuple[int, ...]
    """How many cells were flipped, or things left out, at each level."""
    runs: tuple[str, ...]
    measures: tuple[Measure, ...]
    original: Floats
    """(measures, runs): merits, of which the higher is the better."""
    merits: Floats
    """(repeats, levels, measures, runs)."""
    warnings: tuple[str, ...] = ()
    """What readers should know about the runs."""
    terms: Terms = CONCEPTS

    @property
    def repeats(self) -> int:
        return len(self.merits)

    @property
    def critical(self) -> float:
        """What D may reach for concordance, at the 5 % level."""
        return critical_shift(len(self.runs))

    @cached_property
    def to_original(self) -> Floats:
        """(repeats, levels, measures): τ with the ranking by the truth as it was."""
        return tau(*np.broadcast_arrays(self.merits, self.original))

    @cached_property
    def to_previous(self) -> Floats:
        """(repeats, levels, measures): τ with the ranking of the stage before."""
        return tau(self.merits, self._previous)

    @cached_property
    def shifts_to_original(self) -> Floats:
        """(repeats, levels, measures): D, the largest shift of a rank."""
        return rank_shift(*np.broadcast_arrays(self.merits, self.original))

    @cached_property
    def shifts_to_previous(self) -> Floats:
        return rank_shift(self.merits, self._previous)

    @property
    def _previous(self) -> Floats:
        first = np.broadcast_to(self.original, (self.repeats, 1, *self.original.shape))
        return np.concatenate([first, self.merits[:, :-1]], axis=1)

    def compared(self, reference: str) -> tuple[Floats, Floats]:
        """τ and D to the "original" ranking, or to the "previous" one."""
        if reference == "original":
            return self.to_original, self.shifts_to_original
        return self.to_previous, self.shifts_to_previous

    @property
    def _altered(self) -> str:
        return _CHANGES[self.change].format(**self.terms.to_dict())

    def _tables(self) -> list[Table]:
        rows = list(self._rows())
        wide = []
        for reference in REFERENCES:
            lines = [
                row | {"_level": _percent(row["level"]), "_mark": _mark(row)}
                for row in rows
                if row["to"] == reference
            ]
            cells = pivot(lines, "measure", "_level", Column("tau", mark="_mark"))
            wide.append(
                Table(reference, *cells, title=f"τ to the {reference} ranking", audience="people")
            )
        return [*wide, Table("stages", rows, audience="programs")]

    def _remarks(self) -> list[str]:
        counts = ", ".join(map("{} {}".format, map(_percent, self.levels), self.counts))
        return [
            f"{self._altered}: {counts}; {several(len(self.runs), 'run')}, mean over "
            f"{several(self.repeats, 'repeat')}",
            f"{CONCORDANT} concordant by Kolmogorov and Smirnov in every repeat: D, the largest "
            f"shift of a rank, is at most {self.critical:.3f}",
        ]

    def _charts(self) -> list[Chart]:
        rows = list(self._rows())
        lowest = min((row["lowest"] for row in rows if row["lowest"] < 0.0), default=0.0)
        return [
            Chart(
                kind="lines",
                rows=[row for row in rows if row["to"] == reference],
                x=Axis(
                    "level",
                    self._altered,
                    scale="sqrt",
                    domain=(0, max(self.levels) * 1.04),
                    ticks=self.levels,
                    percent=True,
                ),
                y=Axis("tau", "τ", domain=(math.floor(10 * lowest) / 10, 1.0)),  # that of both
                series="measure",
                ends=("lowest", "highest"),
                tooltip=("measure", "level", "count", "tau", "lowest", "highest"),
                title=f"Compared with the {reference} ranking",
                subtitle=f"mean and range over {several(self.repeats, 'repeat')}",
            )
            for reference in REFERENCES
        ]

    def _rows(self) -> Iterator[dict[str, Any]]:
        """A record for each reference, measure and level, over repeats."""
        for reference in REFERENCES:
            taus, shifts = self.compared(reference)
            for index, measure in enumerate(self.measures):
                for level, share in enumerate(self.levels):
                    values = taus[:, level, index]
                    yield {
                        "measure": str(measure),
                        "to": reference,
                        "level": share,
                        "count": self.counts[level],
                        "tau": values.mean(),
                        "lowest": values.min(),
                        "highest": values.max(),
                        "shift": shifts[:, level, index].mean(),
                        "concordant": (shifts[:, level, index] <= self.critical).mean(),
                    }

    def _facts(self) -> dict[str, Any]:
        """What was altered, and what each measure made of it in each repeat."""
        measures = []
        for index, measure in enumerate(self.measures):
            record: dict[str, Any] = {"measure": str(measure)}
            for reference in REFERENCES:
                taus, shifts = self.compared(reference)
                record[f"to_{reference}"] = {
                    "tau": taus[:, :, index].mean(axis=0),
                    "by_repeat": taus[:, :, index],
                    "shift": shifts[:, :, index].mean(axis=0),
                    "concordant": (shifts[:, :, index] <= self.critical).mean(axis=0),
                }
            measures.append(record)
        return {
            "change": self.change,
            "levels": list(self.levels),
            "counts": list(self.counts),
            "repeats": self.repeats,
            "runs": list(self.runs),
            "critical_shift": self.critical,
            "measures": measures,
        }


@of_inputs
def stability(
    truth: Truth | Collection,
    runs: Run | Iterable[Run],
    measures: Measures = None,
    *,
    change: Annotated[Change, Option()] = "flip",
    levels: Annotated[Sequence[float], Option(metavar="SHARES", parse=numbers)] = LEVELS,
    repeats: Annotated[int, Option(minimum=1, maximum=MOST_DRAWS)] = 10,
    annotators: Sequence[Truth] = (),
    missing: Missing = "error",
    extra: Extra = "error",
    seed: Seed = 0,
    progress: Progress = silent,
    **knowledge: Any,
) -> Stability:
    """Alter the truth stage by stage, and see which measures keep the order of runs.

    τ to the ranking by the truth as it was and to that of the stage before, mean over repeats. The
    number of labels that are flipped is exact, and what is altered at one stage stays so.

    change      Flip labels, or leave out items, concepts or annotators.
    levels      How much is altered at each stage.
    repeats     How often to draw.
    annotators  of change="annotators": the truth of each; those left vote by majority
    missing, extra  as for `evaluate`
    knowledge   ontology=, costs=, relatedness=, agreement= of `evaluate`
    """
    require_draws("repeats", repeats)
    about = about_concepts(truth, **knowledge)
    usual = (*RANKINGS, *DECISIONS)
    plain, systems, requested, warnings = studied(
        truth, runs, measures, usual=usual, extra=extra, **knowledge
    )
    altered = alteration(plain, change, annotators)
    counts = altered.counts(levels)

    with progress("altering", 1 + repeats * len(counts)) as step:

        def scored(stage_truth: Truth, stage_runs: list[Run]) -> Evaluation:
            options = knowledge_options(plain, about)
            evaluation = evaluate(stage_truth, stage_runs, requested, missing=missing, **options)
            step(1)
            return evaluation

        first = scored(plain, systems)
        original = _merits(first)
        merits = []
        for repeat in range(repeats):
            random = stream(seed, change, str(repeat))
            drawn = random.choice(altered.candidates, size=counts[-1], replace=False)
            for count in counts:
                stage = altered.stage(drawn[:count])
                remaining = [stage.of(run, plain, missing) for run in systems]
                merits.append(_merits(scored(stage.truth, remaining)))
    return Stability(
        change,
        tuple(levels),
        counts,
        first.runs,
        first.measures,
        original,
        np.array(merits).reshape(repeats, len(counts), *original.shape),
        warnings,
        plain.terms,
    )


def _merits(evaluation: Evaluation) -> Floats:
    rows = [
        [sign(measure) * evaluation[run, measure] for run in evaluation.runs]
        for measure in evaluation.measures
    ]
    return np.array(rows, dtype=np.float64)


def _percent(level: float) -> str:
    return f"{round(100 * level, 4):g} %"


def _mark(row: Row) -> str:
    return CONCORDANT if row["concordant"] == 1.0 else ""
