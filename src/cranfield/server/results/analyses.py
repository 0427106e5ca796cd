"""Analyses of boards and runs: which there are, whether they are up to date, and what they found.

A stored analysis is found by a digest of everything that it rests on: runs, edition, split, kind.
When one of these changes it is another analysis, which is computed anew; until it is there, the one
before is shown with its date.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from django.conf import settings
from django.urls import reverse

from cranfield.core.reference_names import is_system
from cranfield.core.result import Result, load
from cranfield.core.table import Row
from cranfield.errors import FileError
from cranfield.server.campaigns.models import Edition, Phase
from cranfield.server.jobs import queue
from cranfield.server.jobs.models import Job, StoredAnalysis
from cranfield.server.jobs.worker import wake_workers
from cranfield.server.results.board import Board, competes
from cranfield.server.results.disclosure import Kind, may_see
from cranfield.server.submissions.models import Run

OF_BOARDS: dict[Kind, str] = {
    "significance": "Intervals and significance",
    "concepts": "Single concepts",
    "items": "Single items",
    "measures": "Agreement of measures",
    "truths": "Ranking by other truths",
    "progress": "Progress over time",
}
"""Kinds of analyses of a board, and what they are called."""
OF_RUNS: dict[Kind, str] = {"report": "Report", "comparison": "Comparison"}
"""Kinds of analyses of one run, and of two."""
VERSION = 2
"""Raised when the numbers of analyses change, so that all are computed again."""
MOST_RUNS = 100
"""Competing runs of a board that are analysed together, the best ones."""
MOST_WAITING = 500
"""Analyses that wait to be computed; more are queued when somebody looks again."""
MOST_COMPARISONS = 50
"""Comparisons of two runs among them."""


@dataclass(frozen=True)
class Subject:
    """What an analysis is to be of."""

    kind: Kind
    phase: Phase
    edition: Edition
    split: str
    runs: Sequence[Run]
    name: str = ""
    """As `StoredAnalysis.subject`."""

    @cached_property
    def labels(self) -> dict[int, str]:
        """A name for each run that no other has, and no field of a table."""
        labels: dict[int, str] = {}
        for run in self.runs:
            whose = run.group.name if run.group else "baseline"
            # The library knows random runs by their names.
            reference = run.group is None and not is_system(run.name)
            label = run.name if reference else f"{whose}: {run.name}"
            while label in labels.values():
                label += f" ({run.id})"
            labels[run.id] = label
        return labels

    @cached_property
    def key(self) -> str:
        others = self.edition.track.editions.exclude(id=self.edition.id).order_by("number")
        content = {
            "kind": self.kind,
            "version": VERSION,
            "phase": self.phase.id,
            "edition": [self.edition.number, self.edition.digest],
            "split": self.split,
            "subject": self.name,
            "runs": [[run.digest, run.file_name, *self._described(run)] for run in self.runs],
            "others": [other.digest for other in others] if self.kind == "truths" else [],
        }
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def _described(self, run: Run) -> list[Any]:
        return [run.id, self.labels[run.id], competes(run)]

    def to_store(self) -> StoredAnalysis:
        return StoredAnalysis(
            kind=self.kind,
            phase=self.phase,
            edition=self.edition,
            split=self.split,
            subject=self.name,
            runs=[self._described(run) for run in self.runs],
            key=self.key,
        )


def of_board(kind: Kind, board: Board) -> Subject:
    """An analysis of the runs of a board: the best that compete, and what stands apart."""
    standings = board.standings
    competing = [s.run for s in standings if s.rank is not None][:MOST_RUNS]
    apart = [s.run for s in standings if s.part == "reference"][:MOST_RUNS]
    name = ",".join(filter(None, ("best" if board.view == "best" else "", board.modality)))
    return Subject(kind, board.phase, board.edition, board.split, [*competing, *apart], name)


def of_runs(kind: Kind, runs: Sequence[Run], edition: Edition, split: str) -> Subject:
    """An analysis of a run, or of two."""
    name = "-".join(str(run.id) for run in runs)
    return Subject(kind, runs[0].phase, edition, split, runs, name)


@dataclass(frozen=True)
class Outcome:
    """What there is of an analysis at the moment."""

    stored: StoredAnalysis | None = None
    """The one to show: the present one, or the last that was computed."""
    is_current: bool = False
    error: str = ""
    """Why the present one cannot be computed."""

    @property
    def waiting(self) -> bool:
        return not self.is_current and not self.error

    @property
    def result(self) -> Result | None:
        return None if self.stored is None else loaded(self.stored.key)

    @property
    def ids(self) -> dict[str, int]:
        """Ids of runs by their labels."""
        return {label: run for run, label, _ in self.stored.runs} if self.stored else {}


def look_up(subject: Subject) -> Outcome:
    """What is stored of an analysis; it is queued to be computed if it is not there."""
    if not subject.runs:
        return Outcome(error="There is no run to analyse yet.")
    stored = StoredAnalysis.objects.filter(key=subject.key).select_related("job").first()
    if stored is None:
        _enqueue(subject)
    elif stored.finished is not None and _is_readable(stored):
        return Outcome(stored, is_current=True)
    error = "" if stored is None or stored.job.state != Job.State.FAILED else stored.job.error
    return Outcome(_last(subject), error=error)


def _enqueue(subject: Subject) -> None:
    waiting = StoredAnalysis.objects.filter(job__state=Job.State.QUEUED)
    most = MOST_WAITING
    if subject.kind == "comparison":
        waiting, most = waiting.filter(kind="comparison"), MOST_COMPARISONS
    if waiting.count() < most:
        queue.enqueue_analysis(subject.to_store())
        wake_workers()


def _is_readable(stored: StoredAnalysis) -> bool:
    """Whether the file is there; else it is computed again."""
    try:
        loaded(stored.key)
    except FileError:
        queue.compute_again(stored)
        wake_workers()
        return False
    return True


def _last(subject: Subject) -> StoredAnalysis | None:
    """The analysis before, if all of its runs may still be seen."""
    before = StoredAnalysis.objects.filter(
        kind=subject.kind,
        phase=subject.phase,
        edition=subject.edition,
        split=subject.split,
        subject=subject.name,
        finished__isnull=False,
    )
    for stored in before.order_by("-finished")[:3]:
        ids = [run for run, *_ in stored.runs]
        gone = Run.objects.filter(id__in=ids).exclude(state=Run.State.ACCEPTED)
        if settings.FOLDER.analysis(stored.key).exists() and not gone.exists():
            return stored
    return None


@lru_cache(maxsize=32)
def loaded(key: str) -> Result:
    """The result of a stored analysis."""
    return load(settings.FOLDER.analysis(key))


def certainty_of(board: Board) -> tuple[dict[int, Row], str]:
    """Intervals and letters of the runs of a board, by their ids; or why there are none."""
    outcome = look_up(of_board("significance", board))
    if outcome.is_current and outcome.result is not None:
        return dict(_certainty(outcome.result, outcome.ids, board.measures)), ""
    return {}, "Intervals and significance are being computed." if outcome.waiting else ""


def analysis_links(board: Board) -> list[tuple[str, str]]:
    """Titles and addresses of the analyses of a board that its audience may see."""
    return [
        (title, analysis_address(board, kind))
        for kind, title in OF_BOARDS.items()
        if may_see(kind, board.audience, board.phase)
    ]


def analysis_address(board: Board, kind: Kind) -> str:
    phase = board.phase
    return reverse("analysis", args=[phase.track.name, phase.name, board.edition.number, kind])


def _certainty(
    result: Result, ids: dict[str, int], measures: Sequence[str]
) -> Iterator[tuple[int, Row]]:
    leaderboard = next(part for part in result.parts if part.name == "leaderboard")
    for row in leaderboard.tables[0].rows:
        certain: dict[str, Any] = {"letter": row.get("_letter", "")}
        for name in measures:
            certain |= {f"{name} {end}": row.get(f"{name} {end}") for end in ("low", "high")}
            certain[f"{name} beats"] = row.get(f"_{name} beats", "")
        yield ids[row["run"]], certain
