"""Tournaments: all runs against each other by several measures, corrected together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from cranfield.core.chart import Drawing
from cranfield.core.reference_names import references_remark
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.core.terms import Terms
from cranfield.engine.standings import runs_table, score_column
from cranfield.errors import InputError, several
from cranfield.measures import Measure
from cranfield.measures.reported import measure_among
from cranfield.statistics.comparing.tournament import (
    Tournament,
    letter,
    letters,
)


class Tournaments(Analysis):
    """A tournament by each measure: tournaments["concept.AP"]["A", "B"].adjusted.

    Adjusted p-values are so for all pairs by all measures. Runs have the same letters by all of
    them, in the order of the first.
    """

    title = "Which runs differ, by several measures"

    def __init__(self, tournaments: Sequence[Tournament]) -> None:
        self.tournaments = tuple(tournaments)

    @property
    def terms(self) -> Terms:
        return self.tournaments[0].terms

    @property
    def measures(self) -> tuple[Measure, ...]:
        return tuple(tournament.measure for tournament in self)

    @property
    def runs(self) -> tuple[str, ...]:
        """Best first by the first measure."""
        return self.tournaments[0].runs

    @property
    def alpha(self) -> float:
        return self.tournaments[0].alpha

    def __iter__(self) -> Iterator[Tournament]:
        return iter(self.tournaments)

    def __len__(self) -> int:
        return len(self.tournaments)

    def __getitem__(self, spelling: str | Measure) -> Tournament:
        name = str(measure_among(spelling, self.measures)).lower()
        for tournament in self:
            if name in (str(tournament.measure).lower(), tournament.measure.name.lower()):
                return tournament
        there = ", ".join(map(str, self.measures))
        raise InputError(f"there is no comparison by {spelling}; measures: {there}")

    def at(self, alpha: float) -> Tournaments:
        """The same at another level of significance."""
        return Tournaments([tournament.at(alpha) for tournament in self])

    def letters_of_beaten(self, run: str, by: str | Measure) -> str:
        """The letters of runs that a run beats significantly by a measure: a,c–f."""
        return letters(sorted(map(self.runs.index, self[by].beaten()[run])))

    # ── the result ────────────────────────────────────────────────────────────────────────────

    def _tables(self) -> list[Table]:
        return [self._runs_table(), Table("pairs", self._pairs(), audience="programs")]

    def _runs_table(self) -> Table:
        rows: list[dict[str, Any]] = [
            {"letter": letter(index), "run": run}
            | {str(t.measure): t.score(run) for t in self}
            | {f"_{t.measure} beats": self.letters_of_beaten(run, t.measure) for t in self}
            for index, run in enumerate(self.runs)
        ]
        rows += [
            {"letter": "", "run": run} | {str(t.measure): t.references[run] for t in self}
            for run in self.tournaments[0].references
        ]
        columns = [
            Column("letter", " ", key=True),
            Column("run", key=True),
            *(replace(score_column(m), mark=f"_{m} beats") for m in self.measures),
        ]
        references = self.tournaments[0].references
        return runs_table("runs", rows, columns, references=references, caption=self._caption())

    def _caption(self) -> str:
        first = self.tournaments[0]
        return (
            f"Scores of {several(len(self.runs), 'run')} by {several(len(self), 'measure')}. "
            "Superscripts name the runs that a run is significantly better than by the measure of "
            f"the column ({first.choices.test_name} over {self._over()}, p-values "
            f"{first.choices.corrected_for(len(first.pairs))}, α = {self.alpha:g}); the best score "
            f"of each column is bold.{first.untested}"
        )

    def _over(self) -> str:
        """300 items; or 300 items (example.F) and 53 concepts (concept.P@10)."""
        measures: dict[str, list[str]] = {}
        for tournament in self:
            measures.setdefault(tournament.over, []).append(str(tournament.measure))
        if len(measures) == 1:
            return next(iter(measures))
        return " and ".join(f"{over} ({', '.join(names)})" for over, names in measures.items())

    def _remarks(self) -> list[str]:
        first = self.tournaments[0]
        how = f"{first.choices.test_name} over {self._over()}"
        drawn = dict.fromkeys(t.choices.samples for t in self if t.choices.samples is not None)
        if drawn:
            resamples = " and ".join(map(str, drawn))
            how += f", {resamples} resamples, seed {first.choices.seed}"
        remarks = [
            "letters beside a score name the runs that it is significantly better than",
            f"{how}; p-values {first.choices.corrected_for(len(first.pairs))}, α = {self.alpha:g}",
        ]
        if first.left_out:
            remarks.append(references_remark(first.left_out))
        smallest = max(self, key=lambda tournament: tournament.choices.smallest)
        return [*remarks, *smallest.unreachable(self.alpha)]

    def _charts(self) -> list[Drawing]:
        return [drawing for tournament in self for drawing in tournament._charts()]

    def _signature(self) -> str:
        return "\n".join(tournament.signature for tournament in self)

    def _pairs(self) -> list[dict[str, Any]]:
        return [
            {"measure": str(tournament.measure)} | pair.row(self.alpha)
            for tournament in self
            for pair in tournament.pairs
        ]

    def _facts(self) -> dict[str, Any]:
        """As of one tournament; rows of runs, pairs and so on say by which measure."""
        parts = {str(tournament.measure): tournament._facts() for tournament in self}
        first = next(iter(parts.values()))
        shared = {name: first[name] for name in ("test", "correction", "seed", "alpha")}
        own = ("resample", "samples", "units", "groups", "variance", "remarks", "signature")
        listed = ("runs", "pairs", "references")
        return {
            **shared,
            "comparisons": sum(len(part["pairs"]) for part in parts.values()),
            "families": self.tournaments[0].choices.families,
            "measures": [
                {"measure": name} | {key: part[key] for key in own} for name, part in parts.items()
            ],
            **{
                key: [{"measure": name} | row for name, part in parts.items() for row in part[key]]
                for key in listed
            },
            "left_out": first["left_out"],
        }
