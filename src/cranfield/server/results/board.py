"""Boards: the runs of a phase by their scores, as a result like any other.

Ties share a rank, undefined scores have none, baselines and random runs stand apart. While a phase
is open a board shows what the campaign allows and no more: rounded scores of the public split, of
one's own runs or of all, or ranks alone; runs are ranked by what is shown, since an order of finer
numbers would tell them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from django.conf import settings
from django.urls import reverse

from cranfield.caching import cached_property
from cranfield.core.reference_names import is_system
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Row, Table
from cranfield.engine.standings import competition_ranks, score_column
from cranfield.errors import several
from cranfield.measures import measure
from cranfield.server.campaigns.models import LONGEST_UPLOAD, Edition, Phase, Split
from cranfield.server.jobs.models import Job, Score
from cranfield.server.results.disclosure import Audience
from cranfield.server.submissions.models import Run

View = Literal["all", "best"]
SCORED = (Run.State.ACCEPTED, Run.State.RETRACTED, Run.State.DISQUALIFIED)
"""States of runs whose scores somebody may see."""


@dataclass(frozen=True)
class Standing:
    """A run with its scores, as they are shown."""

    run: Run
    scores: Mapping[str, float | None]
    rank: int | None = None

    @property
    def competes(self) -> bool:
        return competes(self.run)


def competes(run: Run) -> bool:
    """Whether a run is ranked: baselines, random runs and the perfect one stand apart."""
    return run.group_id is not None and is_system(run.name)


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
        self.disclosed = audience.sees_everything(phase)
        self.split = split if self.disclosed else _open_split(edition)
        self.view, self.modality = view, modality
        self.certainty: Mapping[int, Row] = {}
        """By id of a run: its letter, the ends of its intervals, the letters of runs it beats."""
        self.title = f"{phase.track.title}: {phase.title}"  # type: ignore[misc]

    @property
    def measures(self) -> list[str]:
        return [name for name, _ in self.edition.measures]

    @property
    def primary(self) -> str:
        return self.measures[0]

    @cached_property
    def standings(self) -> list[Standing]:
        """All runs, the best first; those that do not compete come last."""
        runs = Run.objects.filter(phase=self.phase, state=Run.State.ACCEPTED)
        if self.modality:
            runs = runs.filter(modality=self.modality)
        scores = _scores(runs.values_list("id", flat=True), self.edition, self.split)
        listed = [
            Standing(run, self._rounded(scores[run.id]))
            for run in runs.select_related("group")
            if run.id in scores
        ]
        listed.sort(key=self._order)
        if self.view == "best":
            listed = _best_of_groups(listed)
        return self._ranked(listed)

    def _merit(self, standing: Standing) -> float:
        """The higher, the better; NaN where undefined."""
        value = standing.scores.get(self.primary)
        if value is None:
            return math.nan
        return -value if measure(self.primary).traits.better == "lower" else value

    def _order(self, standing: Standing) -> tuple[bool, bool, float, str, int]:
        merit, run = self._merit(standing), standing.run
        undefined = math.isnan(merit)
        return (not standing.competes, undefined, 0.0 if undefined else -merit, run.name, run.id)

    def _ranked(self, listed: list[Standing]) -> list[Standing]:
        merits = [self._merit(standing) if standing.competes else math.nan for standing in listed]
        ranks = competition_ranks(merits)
        return [
            replace(standing, rank=None if math.isnan(rank) else int(rank))
            for standing, rank in zip(listed, ranks.tolist(), strict=True)
        ]

    def lists(self, run: Run) -> bool:
        """Whether this audience sees that a run is there."""
        return self.disclosed or self._shows_ranks or self.shows(run)

    @property
    def _shows_ranks(self) -> bool:
        return self.disclosed or self.described.shows in ("ranks", "all scores")

    def shows(self, run: Run) -> bool:
        """Whether the scores of a run are shown to this audience."""
        shows = self.described.shows
        if self.disclosed or shows == "all scores":
            return True
        return shows != "nothing" and run.group_id in self.audience.groups

    def rounded(self, value: float | None) -> float | None:
        """A score with as many digits as this audience may see."""
        if value is None or self.disclosed:
            return value
        return rounded(value, self.described.digits)

    def _rounded(self, scores: Mapping[str, float | None]) -> dict[str, float | None]:
        return {name: self.rounded(value) for name, value in scores.items()}

    def rows(self) -> list[dict[str, Any]]:
        return [self._row(standing) for standing in self.standings if self.lists(standing.run)]

    def _row(self, standing: Standing) -> dict[str, Any]:
        run = standing.run
        shown = self.shows(run)
        return {
            "rank": standing.rank if self._shows_ranks else None,
            "group": run.group.name if run.group else "baseline",
            "run": run.name,
            "id": run.id,
            "modality": run.modality,
            "primary": run.primary,
            **{name: standing.scores.get(name) if shown else None for name in self.measures},
            **self.certainty.get(run.id, {}),
        }

    def _facts(self) -> dict[str, Any]:
        return {
            "track": self.phase.track.name,
            "phase": self.phase.name,
            "edition": self.edition.number,
            "split": self.split,
            **({"truth": self.edition.truths[self.split][:16]} if self.disclosed else {}),
            "runs": self.rows(),
        }

    def _tables(self) -> Sequence[Table]:
        columns = [
            Column("rank", "#", align="right"),
            *([Column("letter", " ", key=True)] if self.certainty else ()),
            Column("group", key=True),
            Column("run", key=True, link="_address"),
            *([Column("modality")] if self.described.modalities else ()),
            Column("id", audience="programs"),
            Column("primary", audience="programs"),
            *(self._column(name) for name in self.measures),
        ]
        apart = {s.run.id for s in self.standings if not s.competes}
        rows: list[Row] = [
            row
            | {
                "_apart": row["id"] in apart,
                "_emphasis": "faint" * (row["id"] in apart),
                "_address": reverse("run", args=[row["id"]]),
            }
            for row in self.rows()
        ]
        return [
            Table(
                "board", rows, columns, title=self.title, section="_apart", emphasis="_emphasis"
            )
        ]  # fmt: skip

    def _column(self, name: str) -> Column:
        column = score_column(measure(name), self.described.digits)
        if not self.certainty:
            return column
        return replace(column, interval=(f"{name} low", f"{name} high"), mark=f"{name} beats")

    def _remarks(self) -> list[str]:
        remarks = [f"Ranked by {self.primary}; equal scores share a rank."]
        if self.split != Split.ALL:
            remarks.append(f"Scores on the {self.split} part of the test items.")
        if not self.disclosed:
            remarks.append(
                "Scores are rounded and preliminary while runs are taken; uploads that began "
                f"before the deadline may end {LONGEST_UPLOAD.seconds // 60} minutes after it."
            )
        waiting = self._waiting()
        if waiting:
            remarks.append(f"Scores of {several(waiting, 'run')} are being computed.")
        if self.certainty:
            remarks.append(
                "In brackets: 95 % confidence intervals. Letters behind a score name the runs that "
                "it is significantly better than (α = 0.05)."
            )
        return remarks

    def _waiting(self) -> int:
        """Runs that will be on this board."""
        waiting = (Job.State.QUEUED, Job.State.RUNNING)
        runs = Run.objects.filter(
            phase=self.phase,
            state=Run.State.ACCEPTED,
            jobs__edition=self.edition,
            jobs__state__in=waiting,
        )
        return sum(map(self.lists, runs))


def rounded(value: float, digits: int) -> float:
    """A number with so many digits after the point; above one, with so many in all, lest a large
    number say more than a small one. There is no −0."""
    if abs(value) < 1:
        return round(value, digits) + 0.0
    return float(f"{value:.{digits}g}")


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


def scores_shown(run: Run, audience: Audience) -> dict[str, float | None] | None:
    """What the board shows of a run to somebody; None while there is nothing to show.

    Who retracted a run before it was scored had its slot back, and sees no score of it.
    """
    edition = run.phase.track.editions.first()
    freed = run.state == Run.State.RETRACTED and run.slot is None
    if edition is None or run.state not in SCORED or freed:
        return None
    board = Board(run.phase, edition, audience, split=Split.ALL)
    scores = _scores([run.id], edition, board.split).get(run.id)
    if not scores or not board.shows(run):
        return None
    return {name: board.rounded(scores.get(name)) for name in board.measures}
