"""Standings: the order of runs, their ranks, and what must be said beside their scores.

Shared by every form of output, so that a terminal and a paper show the same table. An undefined
score never ranks and is never the best; neither does that of a random run or the perfect one, which
stand below all systems.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.matrices import Floats
from cranfield.core.notes import gathered
from cranfield.core.reference_names import is_system
from cranfield.core.table import Audience, Better, Column, Row, Table
from cranfield.core.truth import Truth

if TYPE_CHECKING:
    from cranfield.engine.evaluation import Evaluation, Score
    from cranfield.measures import Measure

EQUAL = 1e-12
"""Scores that differ by less are equal."""
_NAMED = 3
"""How many runs a note names before it counts the others."""


def competition_ranks(merits: Any) -> Floats:
    """1 + the number of better ones along the last axis: 1, 2, 2, 4; equals share the best rank.

    merits  the higher, the better; what is undefined (NaN) has no rank, and takes none
    """
    values = np.asarray(merits, dtype=np.float64)
    better = values[..., None, :] > values[..., :, None] + EQUAL
    return np.where(np.isnan(values), np.nan, 1.0 + better.sum(axis=-1))


def better_of(measure: Measure) -> Better:
    """Which end of a column of scores is the better; "" where neither is."""
    better = measure.traits.better
    return "" if better == "neither" else better


def score_column(measure: Measure, digits: int = 4) -> Column:
    """The column of a measure: what it averages over above its name, and which end is better."""
    direction, dot, name = str(measure).partition(".")
    if not dot or "(" in direction:
        direction, name = "", str(measure)
    return Column(
        str(measure), title=name, group=direction, digits=digits, better=better_of(measure)
    )


def runs_table(
    name: str,
    rows: Sequence[Row],
    columns: Sequence[Column],
    *,
    references: Collection[str] = (),
    audience: Audience = "people",
    title: str = "",
    caption: str = "",
) -> Table:
    """Runs with their scores; those that are no systems faint, below a rule."""
    system = {"_section": "", "_emphasis": ""}
    reference = {"_section": "references", "_emphasis": "faint"}
    return Table(
        name,
        [{**row, **(reference if row["run"] in references else system)} for row in rows],
        columns,
        title=title,
        audience=audience,
        section="_section",
        emphasis="_emphasis",
        caption=caption,
    )


def unit_names(truth: Truth, measure: Measure) -> tuple[str, ...]:
    """The concepts or items that a measure scores one by one; none if it pools all cells."""
    match measure.traits.direction:
        case "concept":
            return truth.concepts
        case "example":
            return truth.items
    return ()


class Standings:
    """An evaluation as a table: runs by measures, best run by the first measure on top."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self.names = evaluation.runs
        self.measures = evaluation.measures

    @cached_property
    def runs(self) -> tuple[str, ...]:
        """Best first by the first measure; undefined ones last; equals in their own order; then
        those that are no systems."""
        ordered = self.order(self.measures[0]) if self.measures else self.names
        return tuple(sorted(ordered, key=self.references.__contains__))

    @cached_property
    def references(self) -> frozenset[str]:
        """Random runs and the perfect one, which have no rank; none where there is nothing else."""
        if not any(map(is_system, self.names)):
            return frozenset()
        return frozenset(run for run in self.names if not is_system(run))

    def order(self, measure: Measure) -> tuple[str, ...]:
        """Best first by any of the measures."""
        return tuple(sorted(self.names, key=lambda run: self._loss(run, measure)))

    def place(self, run: str) -> int | None:
        """The rank by the first measure; equal scores share one; undefined ones have none, nor
        have runs that are no systems."""
        return self._ranks[run]

    @cached_property
    def _ranks(self) -> dict[str, int | None]:
        if not self.measures:
            return dict.fromkeys(self.names)
        systems = [run for run in self.names if run not in self.references]
        ranks = competition_ranks([-self._loss(run, self.measures[0]) for run in systems])
        return dict.fromkeys(self.names) | {
            run: None if math.isnan(self.value(run, self.measures[0])) else int(rank)
            for run, rank in zip(systems, ranks.tolist(), strict=True)
        }

    def table(self, rows: Sequence[Row], columns: Sequence[Column]) -> Table:
        """Runs by measures for people; a row needs no rank."""
        measures = ", ".join(map(str, self.measures))
        caption = f"Scores by {measures}; the best of each column is bold."
        if self.references:
            caption += " Runs below the second rule are no systems."
        return runs_table(
            "standings",
            [{"place": self._shown_place(row["run"]), **row} for row in rows],
            (Column("place", "#", key=True, align="right", audience="screens"), *columns),
            references=self.references,
            caption=caption,
        )

    def _shown_place(self, run: str) -> int | str | None:
        return "" if run in self.references else self.place(run)

    def value(self, run: str, measure: Measure) -> float:
        return self.evaluation[run, measure]

    def is_best(self, run: str, measure: Measure) -> bool:
        value = self.value(run, measure)
        is_judged = measure.traits.better != "neither" and not math.isnan(value)
        return is_judged and value == self._best[measure]

    @cached_property
    def remarks(self) -> tuple[str, ...]:
        """Units that were skipped, and the notes of the scores, each said once."""
        return (*self._skips(), *self._notes())

    @cached_property
    def _best(self) -> dict[Measure, float]:
        systems = [run for run in self.names if run not in self.references]
        return {
            measure: self.value(min(systems, key=lambda run: self._loss(run, measure)), measure)
            for measure in self.measures
        }

    def _loss(self, run: str, measure: Measure) -> float:
        value = self.value(run, measure)
        if math.isnan(value):
            return math.inf
        return {"higher": -value, "lower": value, "neither": 0.0}[measure.traits.better]

    def _skips(self) -> list[str]:
        terms = self.evaluation.terms
        nouns = {"concept": terms.concepts, "example": terms.items, "micro": "pools"}
        by_count: dict[tuple[int, int, str], list[str]] = {}
        for measure in self.measures:
            scores = [self.evaluation.score(run, measure) for run in self.evaluation.runs]
            skipped = max(score.skipped for score in scores)
            if skipped:
                units = scores[0].skipped + scores[0].units
                key = (skipped, units, nouns.get(measure.traits.direction, "matrices"))
                by_count.setdefault(key, []).append(str(measure))
        return [
            f"skipped as undefined: {skipped} of {units} {kind} by {', '.join(names)}"
            for (skipped, units, kind), names in by_count.items()
        ]

    def _notes(self) -> list[str]:
        scores = ((note, score) for score in self.evaluation for note in score.notes)
        notes = gathered(scores, self.evaluation.terms)
        return [f"{self._where(scores)}: {note} ({_measures(scores)})" for note, scores in notes]

    def _where(self, scores: list[Score]) -> str:
        runs = list(dict.fromkeys(score.run.name for score in scores))
        return _some(runs, of=len(self.runs))


def _measures(scores: list[Score]) -> str:
    return ", ".join(dict.fromkeys(str(score.measure) for score in scores))


def _some(runs: list[str], *, of: int) -> str:
    if len(runs) == of and of > 1:
        return "all runs"
    if len(runs) <= _NAMED + 1:
        return ", ".join(runs)
    return f"{', '.join(runs[:_NAMED])} and {len(runs) - _NAMED} more"
