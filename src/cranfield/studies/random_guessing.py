"""Random guessing: which measures can be gamed by runs that know nothing (Nowak 2011 §7.5)?

A measure is gamed if the best of them scores at least as well as systems do on average: whoever
sends random labels of the right density is then no worse than the field.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.collection import Collection
from cranfield.matrices import Floats
from cranfield.measures import Measure
from cranfield.run import Run
from cranfield.studies.field import (
    Field,
    Progress,
    require_guesses,
    require_systems,
    scored_field,
    sign,
)
from cranfield.studies.records import Records, Row, defined
from cranfield.studies.reference_runs import RANDOM_PERCENTAGES
from cranfield.truth import Truth


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
class RandomGuessing(Records):
    """Systems and guesses by all measures."""

    field: Field
    measures: tuple[Guessing, ...]
    """Those that are defined, in the order given."""

    def __getitem__(self, spelling: str | Measure) -> Guessing:
        wanted = self.field.evaluation.score(self.field.runs[0], spelling).measure
        return next(one for one in self.measures if one.measure == wanted)

    def rows(self) -> list[Row]:
        """A record for each measure."""
        systems = len(self.field.systems)
        return [
            {
                "measure": str(one.measure),
                "best_guess": one.best,
                "best_score": defined(one.best_score),
                "worst_score": defined(one.worst_score),
                "average_of_systems": defined(one.average),
                "perfect": defined(one.perfect),
                "beaten": one.beaten,
                "systems": systems,
                "separation": one.separation,
                "gamed": one.gamed,
            }
            for one in self.measures
        ]

    def to_dict(self) -> dict[str, Any]:
        """The scores of all runs, and a record for each measure."""
        return self.field.to_dict() | {"measures": self.rows()}


def random_guessing(
    truth: Truth | Collection,
    runs: Run | Iterable[Run],
    measures: Iterable[str | Measure],
    *,
    percentages: Sequence[int] = RANDOM_PERCENTAGES,
    seed: int = 0,
    progress: Progress | None = None,
    **options: Any,
) -> RandomGuessing:
    """Score systems beside Random0, Random10 … Random90 and AllOnes.

    progress  called after each run that is scored
    options   of `evaluate`: ontology=, costs=, relatedness=, agreement=, missing=, extra=
    """
    field = scored_field(
        truth, runs, measures, percentages=percentages, seed=seed, progress=progress, **options
    )
    require_systems(field.systems, 1)
    require_guesses(field)
    systems, blind = field.merits(field.systems), field.merits(field.blind)
    found = [
        _guessing(field, one, systems[place], blind[place])
        for place, one in enumerate(field.measures)
        if not np.isnan(systems[place]).any()
    ]
    return RandomGuessing(field, tuple(found))


def _guessing(field: Field, one: Measure, systems: Floats, blind: Floats) -> Guessing:
    turn = sign(one)
    best = int(np.argmax(blind))
    above = systems[:, None] > blind[None, :]
    tied = systems[:, None] == blind[None, :]
    assert field.perfect is not None
    return Guessing(
        measure=one,
        best=field.blind[best],
        best_score=turn * float(blind[best]),
        worst_score=turn * float(blind.min()),
        average=turn * float(systems.mean()),
        perfect=field.evaluation[field.perfect, one],
        beaten=int((systems < blind[best]).sum()),
        separation=float((above + tied / 2).mean()),
    )
