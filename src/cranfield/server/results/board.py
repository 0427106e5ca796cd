"""Boards: the runs of a phase by their scores, as a result like any other.

Ties share a rank, undefined scores have none, baselines and random runs stand apart. While a phase
is open a board shows what the campaign allows and no more: rounded scores of the public split, of
one's own runs or of all, or ranks alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.conf import settings
from django.utils import timezone

from cranfield.core.reference_names import is_system
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Row, Table
from cranfield.measures import measure
from cranfield.server.campaigns.models import Edition, Phase, Split
from cranfield.server.jobs.models import Job, Score
from cranfield.server.submissions.models import Run

View = Literal["all", "best"]
SCORED = (Run.State.ACCEPTED, Run.State.RETRACTED, Run.State.DISQUALIFIED)
"""States of runs whose scores somebody may see."""


@dataclass(frozen=True)
class Audience:
    """Who looks at a board, and what of open phases is theirs to see."""

    organiser: bool = False
    groups: frozenset[int] = frozenset()

    def sees_everything(self, phase: Phase) -> bool:
        return self.organiser or phase.is_closed(timezone.now())


@dataclass(frozen=True)
class Standing:
    """A run with its scores."""

    run: Run
    scores: dict[str, float | None]
    rank: int | None = None

    @property
    def competes(self) -> bool:
        return self.run.group_id is not None and is_system(self.run.name)


class Board(Analysis):
    """The board of a phase, for somebody."""

    def __init__(
        self,
        phase: Phase,
        edition: Edition,
        audience: Audience,
        *,
        split: Split,
        view: View = "all",
        modality: str = "",
    ) -> None:
        self.phase, self.edition, self.audience = phase, edition, audience
        self.described = settings.CAMPAIGN.track(phase.track.name)
        self.split = split if audience.sees_everything(phase) else _open_split(edition)
        self.view, self.modality = view, modality
        self.title = f"{phase.track.title}: {phase.title}"  # type: ignore[misc]

    @property
    def measures(self) -> list[str]:
        return [name for name, _ in self.edition.measures]

    @property
    def primary(self) -> str:
        return self.measures[0]

    def standings(self) -> list[Standing]:
        """All runs, the best first; those that do not compete come last."""
        runs = Run.objects.filter(phase=self.phase, state=Run.State.ACCEPTED)
        if self.modality:
            runs = runs.filter(modality=self.modality)
        scores = _scores(runs.values_list("id", flat=True), self.edition, self.split)
        listed = [
            Standing(run, scores[run.id])
            for run in runs.select_related("group")
            if run.id in scores
        ]
        listed.sort(key=self._order)
        if self.view == "best":
            listed = _best_of_groups(listed)
        return _ranked(listed, self.primary)

    def _order(self, standing: Standing) -> tuple[bool, float, str, int]:
        value = standing.scores.get(self.primary)
        undefined = value is None
        better = measure(self.primary).traits.better
        number = math.inf if value is None else (-value if better == "higher" else value)
        return (not standing.competes or undefined, number, standing.run.name, standing.run.id)

    def shows(self, run: Run) -> bool:
        """Whether the scores of a run are shown to this audience."""
        if self.audience.sees_everything(self.phase) or self.described.shows == "all scores":
            return True
        return run.group_id in self.audience.groups

    def rounded(self, value: float | None) -> float | None:
        """A score with as many digits as this audience may see."""
        if value is None or self.audience.sees_everything(self.phase):
            return value
        return round(value, self.described.digits)

    def rows(self) -> list[dict[str, Any]]:
        return [self._row(standing) for standing in self.standings()]

    def _row(self, standing: Standing) -> dict[str, Any]:
        run = standing.run
        shown = self.shows(run)
        return {
            "rank": standing.rank,
            "group": run.group.name if run.group else "baseline",
            "run": run.name,
            "id": run.id,
            "modality": run.modality,
            "primary": run.primary,
        } | {
            name: self.rounded(standing.scores.get(name)) if shown else None
            for name in self.measures
        }

    def _facts(self) -> dict[str, Any]:
        return {
            "track": self.phase.track.name,
            "phase": self.phase.name,
            "edition": self.edition.number,
            "split": self.split,
            "truth": self.edition.truths[self.split][:16],
            "runs": self.rows(),
        }

    def _tables(self) -> Sequence[Table]:
        digits = self.described.digits
        columns = [
            Column("rank", "#", align="right"),
            Column("group", key=True),
            Column("run", key=True),
            Column("id", audience="programs"),
            Column("primary", audience="programs"),
            *(
                Column(name, digits=digits, better=_better(name)) for name in self.measures
            ),
        ]  # fmt: skip
        if self.described.modalities:
            columns.insert(3, Column("modality"))
        rows: list[Row] = self.rows()  # type: ignore[assignment]
        return [Table("board", rows, columns, title=self.title)]

    def _remarks(self) -> list[str]:
        remarks = [f"Ranked by {self.primary}; equal scores share a rank."]
        if self.split != Split.ALL:
            remarks.append(f"Scores on the {self.split} part of the test items.")
        if not self.audience.sees_everything(self.phase):
            remarks.append("The phase is open: scores are rounded and preliminary.")
        return remarks


def _better(name: str) -> Any:
    better = measure(name).traits.better
    return better if better in ("higher", "lower") else ""


def _open_split(edition: Edition) -> Split:
    """What an open phase is scored on: the public part, where there are two."""
    return Split.PUBLIC if Split.PUBLIC in edition.truths else Split.ALL


def _scores(runs: Any, edition: Edition, split: Split) -> dict[int, dict[str, float | None]]:
    """Scores by run and measure, of runs that are scored."""
    done = Job.objects.filter(run__in=runs, edition=edition, state=Job.State.DONE)
    table: dict[int, dict[str, float | None]] = {
        run: {} for run in done.values_list("run_id", flat=True)
    }
    rows = Score.objects.filter(jobs__in=done, split=split)
    for run, name, value in rows.values_list("jobs__run_id", "measure", "value"):
        if run in table:
            table[run][name] = value
    return table


def _best_of_groups(listed: list[Standing]) -> list[Standing]:
    """The first run of each group; all that do not compete."""
    seen: set[int | None] = set()
    best = []
    for standing in listed:
        if standing.competes and standing.run.group_id in seen:
            continue
        seen.add(standing.run.group_id)
        best.append(standing)
    return best


def _ranked(listed: list[Standing], primary: str) -> list[Standing]:
    ranked: list[Standing] = []
    for index, standing in enumerate(listed):
        value = standing.scores.get(primary)
        if not standing.competes or value is None:
            ranked.append(standing)
            continue
        before = ranked[-1] if ranked else None
        tied = before is not None and before.scores.get(primary) == value
        rank = before.rank if tied and before is not None else index + 1
        ranked.append(Standing(standing.run, standing.scores, rank))
    return ranked


def scores_shown(run: Run, audience: Audience) -> dict[str, float | None] | None:
    """What the board shows of a run to somebody; None while there is nothing to show.

    Once its own group has seen a score, the run's slot is used up.
    """
    edition = run.phase.track.editions.first()
    if edition is None or run.state not in SCORED:
        return None
    board = Board(run.phase, edition, audience, split=Split.ALL)
    scores = _scores([run.id], edition, board.split).get(run.id)
    if not scores or not board.shows(run):
        return None
    if run.group_id in audience.groups and not run.shown:
        Run.objects.filter(id=run.id).update(shown=True)
    return {name: board.rounded(scores.get(name)) for name in board.measures}
