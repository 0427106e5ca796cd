"""Findings: what a report rests on, computed where it was not given.

Intervals of all scores, a test of all pairs of runs by the leading measure, and which runs are
systems. What cannot be had is told in the notes instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from cranfield.caching import cached_property
from cranfield.collections.collection import Collection
from cranfield.core.matrices import Floats
from cranfield.core.reference_names import PERFECT, is_blind
from cranfield.core.truth import Truth
from cranfield.engine.evaluation import Evaluation
from cranfield.errors import CranfieldError
from cranfield.knowledge import Ontology
from cranfield.measures import Measure
from cranfield.report.standings import Standings
from cranfield.statistics.comparing import Tournament, compare
from cranfield.statistics.influence import NoItemValuesError, item_values
from cranfield.statistics.intervals import Interval, Intervals, intervals
from cranfield.statistics.slices import Slices

_DRAWN = 500_000
"""Cells of all runs and measures that are drawn again and again: a few seconds' worth."""
_Found = TypeVar("_Found")


@dataclass(frozen=True, eq=False)
class Findings:
    """An evaluation, and what can be said of it."""

    result: Evaluation
    collection: Collection
    intervals: Intervals | None
    tournament: Tournament | None
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
        tournament: Tournament | None = None,
        alpha: float = 0.05,
        slices: Slices | None = None,
    ) -> Findings:
        """With everything that was not given."""
        notes: list[str] = []
        if intervals is None:
            intervals = _tried(lambda: _intervals(result, notes), "no intervals", notes)
        if tournament is None and leading(result) is not None:
            tournament = _tried(lambda: _tournament(result), "no test of runs", notes)
        known = collection or Collection(result.truth, name="Evaluation")
        return cls(result, known, intervals, tournament, alpha, slices, tuple(notes))

    @cached_property
    def standings(self) -> Standings:
        return Standings(self.result)

    @property
    def truth(self) -> Truth:
        return self.result.truth

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
        found = self._by_score.get((run, measure))
        return None if found is None or math.isnan(found.low) else found

    @cached_property
    def _by_score(self) -> Mapping[tuple[str, Measure], Interval]:
        return {(one.run, one.measure): one for one in self.intervals or ()}

    def of_direction(self, direction: str) -> tuple[Measure, ...]:
        """Measures with scores of single concepts, or of single items ("example")."""
        return tuple(
            one
            for one in self.result.measures
            if one.traits.direction == direction and one.traits.better != "neither"
        )

    def by_unit(self, measure: Measure) -> tuple[Floats, Floats]:
        """(systems, units) scores, and the mean of each unit over systems; NaN = undefined."""
        values = np.array([self.result.units(run, measure) for run in self.systems])
        known = np.isfinite(values)
        counts = known.sum(axis=0)
        mean = np.full(values.shape[1], np.nan)
        np.divide(np.where(known, values, 0.0).sum(axis=0), counts, out=mean, where=counts > 0)
        return values, mean

    def called(self, concept: str) -> str:
        """A concept by its name, beside its id where that is a code."""
        said = self.collection.descriptions.get(concept)
        return f"{concept} {said}" if said else concept


def leading(result: Evaluation) -> Measure | None:
    """The first measure by which a run can be better than another."""
    return next((one for one in result.measures if one.traits.better != "neither"), None)


def _intervals(result: Evaluation, notes: list[str]) -> Intervals | None:
    """Over items; over concepts (topics) where a truth does not list its items."""
    if result.truth.open:
        kept = [one for one in result if one.measure.traits.direction == "concept"]
        return intervals(Evaluation(result.truth, kept), resample="concepts") if kept else None
    drawn = [one for one in result.measures if not _has_item_values(result, one)]
    items, concepts = result.truth.shape
    if items * concepts * len(result.runs) * len(drawn) <= _DRAWN:
        return intervals(result)
    notes.append(
        f"no intervals by {', '.join(map(str, drawn))}: no item has a share in such scores, and to "
        "draw items again and again would take long; give intervals=cf.intervals(result) (on the "
        "command line --intervals)"
    )
    kept = [one for one in result if one.measure not in drawn]
    return intervals(Evaluation(result.truth, kept)) if kept else None


def _has_item_values(result: Evaluation, measure: Measure) -> bool:
    """Whether intervals need no draws."""
    defined = (one for one in result if one.measure == measure and math.isfinite(one.value))
    first = next(defined, None)
    try:
        return first is None or len(item_values(first)) > 0
    except NoItemValuesError:
        return False


def _tournament(result: Evaluation) -> Tournament | None:
    """All runs that have a score by the leading measure."""
    measure = leading(result)
    assert measure is not None
    scores = [one for one in result if one.measure == measure and math.isfinite(one.value)]
    return compare(Evaluation(result.truth, scores), measure) if len(scores) > 1 else None


def _tried(compute: Callable[[], _Found], lacking: str, notes: list[str]) -> _Found | None:
    try:
        return compute()
    except CranfieldError as error:
        notes.append(f"{lacking}: {error}")
        return None
