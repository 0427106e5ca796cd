"""Findings: what a report rests on, computed where nobody did so before.

Intervals of all scores, a test of all pairs of runs by the leading measure, and which runs are
systems. What cannot be had is told in the notes instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np

from cranfield.caching import cached_property
from cranfield.collections.collection import Collection
from cranfield.core.matrices import Floats
from cranfield.core.reference_names import PERFECT, is_blind
from cranfield.core.table import Column
from cranfield.core.truth import Truth
from cranfield.engine.evaluation import Evaluation
from cranfield.engine.standings import Standings
from cranfield.errors import CranfieldError
from cranfield.knowledge import Ontology
from cranfield.measures import Measure
from cranfield.show.cells import number
from cranfield.statistics.comparing import Tournament, Tournaments, compare, units_by
from cranfield.statistics.influence import NoItemValuesError, item_values
from cranfield.statistics.intervals import Interval, Intervals, intervals
from cranfield.statistics.slices import Slices

_DRAWN = 500_000
"""Cells of all runs and measures that are drawn again and again: a few seconds' worth."""
_Result = TypeVar("_Result")
DIGITS = 4
_WAYS = {"higher": "higher is better", "lower": "lower is better"}


@dataclass(frozen=True, eq=False)
class Findings:
    """An evaluation, and what can be said of it."""

    result: Evaluation
    collection: Collection
    intervals: Intervals | None
    tournaments: Tournaments | None
    """Which runs differ by which measures, corrected for all of them."""
    alpha: float
    slices: Slices | None
    notes: tuple[str, ...]
    """What could not be computed, and why."""

    @classmethod
    def of(
        cls,
        result: Evaluation,
        *,
        collection: Collection | None = None,
        intervals: Intervals | None = None,
        tournament: Tournament | Tournaments | None = None,
        alpha: float = 0.05,
        slices: Slices | None = None,
    ) -> Findings:
        """With everything that was not given."""
        notes: list[str] = []
        if intervals is None:
            intervals = tried(lambda: _intervals(result, notes), "no intervals", notes)
        if isinstance(tournament, Tournament):
            tournament = Tournaments([tournament])
        if tournament is None and leading(result) is not None:
            tournament = tried(lambda: _tournaments(result, notes), "no test of runs", notes)
        named = collection or Collection(result.truth, name="Evaluation")
        return cls(result, named, intervals, tournament, alpha, slices, tuple(notes))

    @property
    def standings(self) -> Standings:
        return self.result.standings

    @property
    def truth(self) -> Truth:
        return self.result.truth

    @cached_property
    def tournament(self) -> Tournament | None:
        """Which runs differ by the leading measure, or by the first that they were compared by."""
        if self.tournaments is None:
            return None
        by_leading = (t for t in self.tournaments if t.measure == self.leading)
        return next(by_leading, self.tournaments.tournaments[0])

    @cached_property
    def leading(self) -> Measure | None:
        """The first measure by which a run can be better."""
        return leading(self.result)

    @cached_property
    def ontology(self) -> Ontology | None:
        scores = self.result.scores
        return scores[0].known.knowledge.ontology if scores else None

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """Runs that are neither guesses nor the perfect one, best first; all if there are none."""
        runs = self.standings.runs
        return tuple(run for run in runs if not self.kind(run)) or runs

    def kind(self, run: str) -> str:
        """guess, perfect, or nothing for a system."""
        return "perfect" if run == PERFECT else "guess" if is_blind(run) else ""

    def interval(self, run: str, measure: Measure) -> Interval | None:
        """Of a score, if there is one."""
        interval = self._by_score.get((run, measure))
        return None if interval is None or math.isnan(interval.low) else interval

    @cached_property
    def _by_score(self) -> Mapping[tuple[str, Measure], Interval]:
        return {(i.run, i.measure): i for i in self.intervals or ()}

    def of_direction(self, direction: str) -> tuple[Measure, ...]:
        """Measures with scores of single concepts, or of single items ("example")."""
        return tuple(
            measure
            for measure in self.result.measures
            if measure.traits.direction == direction and measure.traits.better != "neither"
        )

    def by_unit(self, measure: Measure) -> tuple[Floats, Floats]:
        """(systems, units) scores, and the mean of each unit over systems; NaN = undefined."""
        values = np.array([self.result.units(run, measure) for run in self.systems])
        defined = np.isfinite(values)
        counts = defined.sum(axis=0)
        mean = np.full(values.shape[1], np.nan)
        np.divide(np.where(defined, values, 0.0).sum(axis=0), counts, out=mean, where=counts > 0)
        return values, mean

    def called(self, concept: str) -> str:
        """A concept by its name, beside its id where that is a code."""
        meaning = self.collection.descriptions.get(concept)
        return f"{concept} {meaning}" if meaning else concept


def titled(measure: Measure) -> str:
    """A measure in a line of text, with which way is better."""
    way = _WAYS.get(measure.traits.better)
    return f"{measure} ({way})" if way else str(measure)


def written(value: float) -> str:
    """A number in a sentence."""
    return number(value, Column("", digits=3)).replace("-", "−")


def leading(result: Evaluation) -> Measure | None:
    """The first measure by which a run can be better than another."""
    return next((m for m in result.measures if m.traits.better != "neither"), None)


def _intervals(result: Evaluation, notes: list[str]) -> Intervals | None:
    """Over items; over concepts (topics) where a truth does not list its items."""
    if result.truth.open:
        scores = [s for s in result if s.measure.traits.direction == "concept"]
        part = Evaluation(result.truth, scores)
        return intervals(part, resample="concepts") if scores else None
    terms = result.terms
    drawn = [m for m in result.measures if not _has_item_values(result, m)]
    items, concepts = result.truth.shape
    if items * concepts * len(result.runs) * len(drawn) <= _DRAWN:
        return intervals(result)
    notes.append(
        f"no intervals by {', '.join(map(str, drawn))}: no {terms.item} has a share in such "
        f"scores, and to draw {terms.items} again and again would take long; ask for intervals to "
        "have them"
    )
    scores = [score for score in result if score.measure not in drawn]
    return intervals(Evaluation(result.truth, scores)) if scores else None


def _has_item_values(result: Evaluation, measure: Measure) -> bool:
    """Whether intervals need no draws."""
    defined = (s for s in result if s.measure == measure and math.isfinite(s.value))
    first = next(defined, None)
    try:
        return first is None or len(item_values(first)) > 0
    except NoItemValuesError:
        return False


def _tournaments(result: Evaluation, notes: list[str]) -> Tournaments | None:
    """All runs that have a score by the leading measure, by this one and all others that compare
    the same runs."""
    first = leading(result)
    runs = {s.run.name for s in result if s.measure == first and math.isfinite(s.value)}
    if len(runs) < 2:
        return None
    part = Evaluation(result.truth, [score for score in result if score.run.name in runs])
    measures = [m for m in part.measures if m.traits.better != "neither"]
    others = [m for m in measures if m != first]
    comparable = [m for m in others if tried(partial(units_by, part, m), f"no test by {m}", notes)]
    return compare(part, [m for m in measures if m == first or m in comparable])


def tried(compute: Callable[[], _Result], lacking: str, notes: list[str]) -> _Result | None:
    """What can be computed; else a note says why not."""
    try:
        return compute()
    except CranfieldError as error:
        notes.append(f"{lacking}: {error}")
        return None
