"""Random guessing: which measures can be gamed by runs that know nothing (Nowak 2011 §7.5)?

A measure is gamed if the best of them scores at least as well as systems do on average: whoever
sends random labels of the right density is then no worse than the field.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.core.chart import Axis, Chart
from cranfield.core.matrices import Floats
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis
from cranfield.core.run import Run
from cranfield.core.table import Column, Table
from cranfield.core.terms import Terms
from cranfield.core.truth import Truth
from cranfield.engine.direct_calls import of_inputs
from cranfield.errors import several
from cranfield.measures import Measure
from cranfield.studies.field import (
    DECISIONS,
    KINDS,
    RANKINGS,
    Field,
    Measures,
    Seed,
    require_guesses,
    require_systems,
    scored_field,
    sign,
)
from cranfield.studies.reference_runs import RANDOM_PERCENTAGES


@dataclass(frozen=True)
class Guessing:
    """What guessing is worth by one measure; scores are those of the measure, not turned."""

    measure: Measure
    best: str
    """The run that knows nothing and scores best."""
    best_score: float
    worst_score: float
    """Of the runs that know nothing."""
    average: float
    """The mean score of systems."""
    perfect: float
    beaten: int
    """Systems that score worse than the best guess."""
    separation: float
    """Probability that a system scores better than a random run, equals counted by half: 1 = all
    systems lie above all random runs, 0.5 = the measure cannot tell them apart."""

    @property
    def gamed(self) -> bool:
        """Whether the best guess is at least as good as systems are on average."""
        turn = sign(self.measure)
        return bool(turn * self.best_score >= turn * self.average)


@dataclass(frozen=True, eq=False)
class RandomGuessing(Analysis):
    """Systems and guesses by all measures."""

    title = "Systems and random runs"

    field: Field
    measures: tuple[Guessing, ...]
    """Those that are defined, in the order given."""

    @property
    def terms(self) -> Terms:
        return self.field.terms

    @property
    def warnings(self) -> Sequence[str]:
        return self.field.warnings

    def __getitem__(self, spelling: str | Measure) -> Guessing:
        requested = self.field.evaluation.score(self.field.runs[0], spelling).measure
        return next(guess for guess in self.measures if guess.measure == requested)

    def _rows(self) -> list[dict[str, Any]]:
        """A record for each measure."""
        systems = len(self.field.systems)
        return [
            {
                "measure": str(guess.measure),
                "best_guess": guess.best,
                "best_score": guess.best_score,
                "worst_score": guess.worst_score,
                "average_of_systems": guess.average,
                "perfect": guess.perfect,
                "beaten": guess.beaten,
                "systems": systems,
                "separation": guess.separation,
                "gamed": guess.gamed,
            }
            for guess in self.measures
        ]

    def _facts(self) -> dict[str, Any]:
        """The scores of all runs, and a record for each measure."""
        return self.field.to_dict() | {"measures": self._rows()}

    def _tables(self) -> list[Table]:
        rows = self._rows()
        shown = [
            row
            | {
                "_beaten": f"{row['beaten']} of {row['systems']}",
                "_gamed": "yes" if row["gamed"] else "",
                "_emphasis": "strong" if row["gamed"] else "",
            }
            for row in rows
        ]
        columns = (
            Column("measure", key=True),
            Column("best_guess"),
            Column("best_score", "score"),
            Column("average_of_systems", "systems"),
            Column("_beaten", "beaten", align="right"),
            Column("separation"),
            Column("_gamed", "gamed"),
        )
        return [
            Table("guesses", shown, columns, audience="people", emphasis="_emphasis"),
            Table("measures", rows, audience="programs"),
        ]

    def _remarks(self) -> list[str]:
        return [
            "best guess: the random run that scores best; systems: their mean score; gamed: that "
            "random run scores at least as well",
            "separation: probability that a system scores above a random run; 0.5: no difference",
        ]

    def _charts(self) -> list[Chart]:
        """All runs by all measures, each from its worst run to the perfect one."""
        field = self.field
        rows: list[dict[str, Any]] = []
        for guess in self.measures:
            merits = field.merits(field.runs)[field.measures.index(guess.measure)]
            finite = merits[np.isfinite(merits)].tolist()
            low, high = min(finite, default=0.0), max(finite, default=0.0)
            rows += [
                {
                    "measure": str(guess.measure),
                    "run": run,
                    "kind": field.kind(run),
                    "score": field.evaluation[run, guess.measure],
                    "height": (merit - low) / ((high - low) or 1.0),
                }
                for run, merit in zip(field.runs, merits.tolist(), strict=True)
                if np.isfinite(merit)
            ]
        return [
            Chart(
                kind="dots",
                rows=rows,
                x=Axis("height", "from the worst run to the best", domain=(0.0, 1.0), ticks=()),
                y=Axis("measure", scale="names"),
                series="kind",
                order=KINDS,
                tooltip=("run", "measure", "score"),
                title=self.title,
                subtitle=f"{several(len(field.systems), 'system')}; each measure from its worst "
                "run to its best",
            )
        ]


@of_inputs
def random_guessing(
    truth: Truth | Collection,
    runs: Run | Iterable[Run],
    measures: Measures = None,
    *,
    percentages: Sequence[int] = RANDOM_PERCENTAGES,
    seed: Seed = 0,
    progress: Progress = silent,
    **options: Any,
) -> RandomGuessing:
    """Score systems beside random runs: which measures can be gamed?

    Random0 guesses confidences, Random10 to Random90 assign that share of all labels, AllOnes every
    label. A measure is gamed if the best of them scores at least as well as systems do on average.
    Runs that carry such a name are taken for them.

    options  of `evaluate`: ontology=, costs=, relatedness=, agreement=, missing=, extra=
    """
    field = scored_field(
        *(truth, runs, measures),
        usual=(*RANKINGS, *DECISIONS),
        percentages=percentages,
        seed=seed,
        progress=progress,
        **options,
    )
    require_systems(field.systems, 1)
    require_guesses(field)
    systems, blind = field.merits(field.systems), field.merits(field.blind)
    guesses = [
        _guessing(field, measure, systems[index], blind[index])
        for index, measure in enumerate(field.measures)
        if not np.isnan(systems[index]).any()
    ]
    return RandomGuessing(field, tuple(guesses))


def _guessing(field: Field, measure: Measure, systems: Floats, blind: Floats) -> Guessing:
    turn = sign(measure)
    best = int(np.argmax(blind))
    above = systems[:, None] > blind[None, :]
    tied = systems[:, None] == blind[None, :]
    assert field.perfect is not None
    return Guessing(
        measure=measure,
        best=field.blind[best],
        best_score=turn * float(blind[best]),
        worst_score=turn * float(blind.min()),
        average=turn * float(systems.mean()),
        perfect=field.evaluation[field.perfect, measure],
        beaten=int((systems < blind[best]).sum()),
        separation=float((above + tied / 2).mean()),
    )
