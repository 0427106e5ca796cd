"""A worker for analyses: has them computed in child processes, and stores their results.

The file is written before the database knows of it, under a name that says what it rests on: who is
killed between the two leaves a file that the next one writes again, with the same content.
"""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from cranfield.core.chart import Chart
from cranfield.core.result import Result
from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs import queue
from cranfield.server.jobs.models import Job
from cranfield.server.jobs.sandbox import ChildFailedError, Limits, run_apart
from cranfield.server.jobs.worker import Worker, endings
from cranfield.server.submissions.models import Run

log = logging.getLogger(__name__)
LIMITS = Limits(memory=6 << 30, seconds=900.0, answer=64 << 20, niceness=10)
_LOOKS_EVERY = 0.5
"""Seconds after which a child is given up at the latest when the worker stops."""
_LONGEST_TRY = 60.0
"""Seconds that a single run may take where all together could not be analysed."""


class Analyst(Worker):
    """Computes analyses until it is stopped."""

    analyses = True

    def __init__(self, folder: CampaignFolder | None = None, limits: Limits = LIMITS) -> None:
        super().__init__(folder, limits)

    def _do(self, job: Job) -> None:
        from cranfield.server.jobs.analysing import analyse

        analysis = job.analysis
        assert analysis is not None
        with self.folder.desk() as desk:
            work = self._work(job, desk)
            try:
                outcome = self._apart(job, analyse, work)
            except ChildFailedError as error:
                if not self._goes_on(job):
                    return
                outcome = self._without_breaking_runs(job, work, str(error))
        if "result" not in outcome:
            queue.give_up(job, str(outcome.get("error", "")))
            return
        try:
            result = trusted(outcome["result"])
        except Exception as error:  # whatever a child sends and nobody can show
            log.exception("the result of job %s", job.id)
            queue.give_up(job, f"the result is damaged ({error})")
            return
        path = self.folder.analysis(analysis.key)
        path.parent.mkdir(mode=0o700, exist_ok=True)
        result.save(path)
        queue.finish_analysis(job)

    def _goes_on(self, job: Job) -> bool:
        """Whether a job is still to be done by this worker; one that stops hands it back."""
        if not self._stopped.is_set():
            return queue.renew(job)
        queue.put_back(job)
        return False

    def _apart(
        self, job: Job, function: Any, work: dict[str, Any], limits: Limits | None = None
    ) -> dict[str, Any]:
        renewed = time.monotonic()

        def alive() -> bool:
            nonlocal renewed
            if self._stopped.is_set():
                return False
            if time.monotonic() < renewed + queue.HEARTBEAT.total_seconds():
                return True
            renewed = time.monotonic()
            return queue.renew(job)

        return run_apart(
            function, work, limits=limits or self.limits, alive=alive, every=_LOOKS_EVERY
        )

    def _without_breaking_runs(self, job: Job, work: dict[str, Any], reason: str) -> dict[str, Any]:
        """Compute an analysis without those runs that break it, so that nobody's file keeps the
        others from their results."""
        from cranfield.server.jobs.analysing import analyse

        sound = [run for run in work["runs"] if self._is_sound(job, work | {"runs": [run]})]
        broken = [run["label"] for run in work["runs"] if run not in sound]
        if not sound or not broken:
            return {"error": f"the analysis {reason}"}
        warnings = [f"{label} is left out: it cannot be analysed" for label in broken]
        try:
            return self._apart(job, analyse, work | {"runs": sound, "warnings": warnings})
        except ChildFailedError as error:
            return {"error": f"the analysis {error}"}

    def _is_sound(self, job: Job, work: dict[str, Any]) -> bool:
        from cranfield.server.jobs.analysing import try_run

        limits = replace(self.limits, seconds=min(_LONGEST_TRY, self.limits.seconds))
        try:
            return bool(self._apart(job, try_run, work, limits)["readable"])
        except ChildFailedError:
            return False

    def _work(self, job: Job, desk: Path) -> dict[str, Any]:
        analysis, edition = job.analysis, job.edition
        assert analysis is not None
        track = edition.track
        files = Run.objects.in_bulk([row[0] for row in analysis.runs])
        return {
            "kind": analysis.kind,
            "edition": str(self.folder.edition(track.name, edition.number)),
            "split": analysis.split,
            "measures": [name for name, _ in edition.measures],
            "rules": edition.rules,
            "runs": [
                self._described(files[run], desk) | {"label": label, "competes": competes}
                for run, label, competes in analysis.runs
            ],
            "others": {
                f"edition {other.number}": str(self.folder.edition(track.name, other.number))
                for other in track.editions.exclude(id=edition.id).order_by("number")
                if analysis.split in other.truths
            },
            "warnings": [],
        }

    def _described(self, run: Run, desk: Path) -> dict[str, Any]:
        link = desk / f"{run.id}{endings(run)}"
        link.symlink_to(self.folder.run_file(run.sha256))
        return {"file": str(link), "threshold": run.threshold}


def trusted(content: Any) -> Result:
    """What a child answered, as a result that pages can show: damaged ones are refused, and so are
    drawings, which are carried out as they are written."""
    from cranfield.server.results.sections import sections_of

    result = Result.from_dict(content)
    _refuse_drawings(result)
    sections_of(result)
    return result


def _refuse_drawings(result: Result) -> None:
    if not all(isinstance(chart, Chart) for chart in result.charts):
        raise ValueError("it holds a drawing")
    for part in result.parts:
        _refuse_drawings(part)
