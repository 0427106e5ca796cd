"""Standings: the order of runs, the best of each measure, and what must be said beside the numbers.

Shared by every form of output, so that a terminal and a paper show the same table. An undefined
score never ranks and is never the best.
"""

from __future__ import annotations

import math

from cranfield.caching import cached_property
from cranfield.core.truth import Truth
from cranfield.engine.evaluation import Evaluation
from cranfield.measures import Measure
from cranfield.statistics.competition_ranks import competition_ranks

UNDEFINED = "–"
ARROWS = {"higher": "↑", "lower": "↓", "neither": " "}
_NAMED = 3
"""How many runs a note names before it counts the others."""
_LARGE = 1e9
"""From here on all digits would fill a line."""


class Standings:
    """An evaluation as a table: runs by measures, best run by the first measure on top."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self.names = evaluation.runs
        self.measures = evaluation.measures

    @cached_property
    def runs(self) -> tuple[str, ...]:
        """Best first by the first measure; undefined ones last; equals in the order given."""
        if not self.measures:
            return self.names
        return self.order(self.measures[0])

    def order(self, measure: Measure) -> tuple[str, ...]:
        """Best first by any of the measures."""
        return tuple(sorted(self.names, key=lambda run: self._loss(run, measure)))

    def place(self, run: str) -> int | None:
        """By the first measure; equal scores share one, undefined ones have none."""
        return self._places[run]

    @cached_property
    def _places(self) -> dict[str, int | None]:
        if not self.measures:
            return dict.fromkeys(self.names)
        losses = [self._loss(run, self.measures[0]) for run in self.names]
        ranks = competition_ranks([-loss for loss in losses]).tolist()
        return {
            run: None if math.isnan(self.value(run, self.measures[0])) else int(rank)
            for run, rank in zip(self.names, ranks, strict=True)
        }

    def value(self, run: str, measure: Measure) -> float:
        return self.evaluation[run, measure]

    def is_best(self, run: str, measure: Measure) -> bool:
        value = self.value(run, measure)
        is_judged = measure.traits.better != "neither" and not math.isnan(value)
        return is_judged and value == self._best[measure]

    def written(self, run: str, measure: Measure, *, digits: int) -> str:
        """A score with so many digits after the point."""
        return written(self.value(run, measure), digits=digits)

    @cached_property
    def remarks(self) -> tuple[str, ...]:
        """Units that were skipped, and the notes of the scores, each said once."""
        return (*self._skips(), *self._notes())

    @cached_property
    def _best(self) -> dict[Measure, float]:
        return {measure: self.value(self.order(measure)[0], measure) for measure in self.measures}

    def _loss(self, run: str, measure: Measure) -> float:
        value = self.value(run, measure)
        if math.isnan(value):
            return math.inf
        return {"higher": -value, "lower": value, "neither": 0.0}[measure.traits.better]

    def _skips(self) -> list[str]:
        by_count: dict[tuple[int, int, str], list[str]] = {}
        for measure in self.measures:
            scores = [self.evaluation.score(run, measure) for run in self.evaluation.runs]
            skipped = max(score.skipped for score in scores)
            if skipped:
                units = scores[0].skipped + scores[0].units
                key = (skipped, units, _unit_kind(measure))
                by_count.setdefault(key, []).append(str(measure))
        return [
            f"skipped as undefined: {skipped} of {units} {kind} by {', '.join(names)}"
            for (skipped, units, kind), names in by_count.items()
        ]

    def _notes(self) -> list[str]:
        said: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
        for score in self.evaluation:
            for note in score.notes:
                runs, measures = said.setdefault(note, ({}, {}))
                runs[score.run.name] = None
                measures[str(score.measure)] = None
        return [
            f"{_some(list(runs), of=len(self.runs))}: {note} ({', '.join(measures)})"
            for note, (runs, measures) in said.items()
        ]


def written(value: float | None, *, digits: int) -> str:
    """A number with so many digits after the point, or in all where these were too many; undefined
    and infinite ones have signs."""
    if value is None or math.isnan(value):
        return UNDEFINED
    if _LARGE <= abs(value) < math.inf:
        return f"{value:.{digits}g}"
    return f"{value:z.{digits}f}".replace("inf", "∞")


def written_p(p: float, *, digits: int) -> str:
    """A p-value; smaller than what so many digits can tell is said to be so."""
    least = 10.0**-digits
    return f"<{least:.{digits}f}" if p < least else written(p, digits=digits)


def unit_names(truth: Truth, measure: Measure) -> tuple[str, ...]:
    """The concepts or items that a measure scores one by one; none if it pools all cells."""
    match measure.traits.direction:
        case "concept":
            return truth.concepts
        case "example":
            return truth.items
    return ()


def _unit_kind(measure: Measure) -> str:
    kinds = {"concept": "concepts", "example": "items", "micro": "pools", "confusion": "matrices"}
    return kinds[measure.traits.direction]


def _some(runs: list[str], *, of: int) -> str:
    if len(runs) == of and of > 1:
        return "all runs"
    if len(runs) <= _NAMED + 1:
        return ", ".join(runs)
    return f"{', '.join(runs[:_NAMED])} and {len(runs) - _NAMED} more"
