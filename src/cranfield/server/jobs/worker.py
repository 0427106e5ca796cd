"""A worker: takes jobs from the queue and has them done in a child process, one by one."""

from __future__ import annotations

import logging
import os
import re
import secrets
import shutil
import socket
import threading
import time
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import close_old_connections

from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs import queue
from cranfield.server.jobs.models import Job, Score
from cranfield.server.jobs.sandbox import ChildFailedError, ChildKilledError, Limits, run_apart
from cranfield.server.jobs.scoring import check_and_score
from cranfield.server.operation.logs import event
from cranfield.server.submissions.models import Run

log = logging.getLogger(__name__)
_PAUSE = 0.5
"""Seconds between two looks at an empty queue, unless somebody wakes the worker."""
_ENDINGS = re.compile(r"(\.[A-Za-z0-9]{1,8}){0,2}$")


class Worker:
    """Scores runs until it is stopped; several may work beside each other, also in other
    processes."""

    analyses = False
    """Whether it takes analyses, not runs."""

    def __init__(self, folder: CampaignFolder | None = None, limits: Limits | None = None) -> None:
        self.folder = folder or settings.FOLDER
        allowed = self.folder.campaign.scoring
        self.limits = limits or Limits(int(allowed.memory * (1 << 30)), allowed.seconds)
        self.name = f"{socket.gethostname()[:32]}-{os.getpid()}-{secrets.token_hex(4)}"
        self.done = 0
        """Jobs."""
        self._stopped = threading.Event()
        self._woken = threading.Event()

    def work(self) -> None:
        """Until `stop`."""
        self.folder.sweep_desks()
        while not self._stopped.is_set():
            self._woken.clear()
            close_old_connections()
            try:
                if self.work_once():
                    continue
            except Exception:  # a worker goes on; its job comes back when the lease is past
                log.exception("worker %s", self.name)
            self._woken.wait(_PAUSE)

    def work_once(self) -> bool:
        """Take one job; False if there is none."""
        job = queue.claim(self.name, analyses=self.analyses)
        if job is None:
            return False
        began = time.perf_counter()
        try:
            self._do(job)
            self.done += 1
            took = round(1000 * (time.perf_counter() - began), 1)
            event(log, "job", job=job.id, run=job.run_id, attempt=job.attempt, ms=took)
        except (OSError, ChildKilledError) as error:
            log.exception("job %s", job.id)
            queue.try_again(job, str(error))
        return True

    def wake(self) -> None:
        """Look at the queue now."""
        self._woken.set()

    def stop(self) -> None:
        """End after the job at hand; a job that is given up goes back by its lease."""
        self._stopped.set()
        self._woken.set()

    def _do(self, job: Job) -> None:
        run = job.run
        assert run is not None
        with self.folder.desk() as desk:
            try:
                outcome = run_apart(
                    check_and_score,
                    self._work(job, desk),
                    limits=self.limits,
                    alive=lambda: queue.renew(job),
                    every=queue.HEARTBEAT.total_seconds(),
                )
            except ChildFailedError as error:
                outcome = {"errors": [{"line": None, "what": f"the file {error}", "mend": ""}]}
        if "errors" in outcome:
            queue.refuse(job, outcome["errors"])
        else:
            revisions = dict(job.edition.measures)
            queue.finish(
                job,
                [
                    Score(**row, run_digest=run.digest, revision=revisions[row["measure"]])
                    for row in outcome["scores"]
                ],
            )

    def _work(self, job: Job, desk: Path) -> dict[str, Any]:
        run, edition = job.run, job.edition
        assert run is not None
        copy = desk / f"run{endings(run)}"
        shutil.copyfile(self.folder.run_file(run.sha256), copy)
        return {
            "run": str(copy),
            "threshold": run.threshold,
            "edition": str(self.folder.edition(edition.track.name, edition.number)),
            "measures": [name for name, _ in edition.measures],
            "rules": edition.rules,
        }


def endings(run: Run) -> str:
    """What the file of a run was called at the end: formats are recognised by that, too, and the
    stored file has no name."""
    match = _ENDINGS.search(run.file_name)
    return match[0] if match else ""


working: list[Worker] = []
"""Workers of this process, who can be woken when a run comes in."""


def wake_workers() -> None:
    for worker in working:
        worker.wake()
