"""A campaign served for real: the server and workers are processes of their own, which can be
killed. Groups are made, and the database is looked at, in further processes, since Django serves
one folder in each.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

_PATIENCE = 60.0
_ADDRESS = re.compile(rb"http://localhost:(\d+)/")


class LiveCampaign:
    """The server of a folder, and workers beside it."""

    def __init__(self, folder: Path, database: str | None = None, *, workers: int = 1) -> None:
        """workers  threads of the server that score"""
        self.folder, self.database, self.workers = folder, database, workers
        self.port = 0
        self.log = folder.parent / f"{folder.name}.log"
        self._server: subprocess.Popen[bytes] | None = None
        self._beside: list[subprocess.Popen[bytes]] = []

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"

    def __enter__(self) -> LiveCampaign:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()
        self.kill_workers()

    def start(self) -> None:
        """Until it answers; on the same port as before."""
        begin = self.log.stat().st_size if self.log.exists() else 0
        options = ["--port", str(self.port), "--workers", str(self.workers)]
        self._server = self._command("serve", *options)
        ends = time.monotonic() + _PATIENCE
        while (match := _ADDRESS.search(self.log.read_bytes()[begin:])) is None:
            text = self.log.read_bytes()[begin:].decode()
            assert self._server.poll() is None, f"the server ended:\n{text}"
            assert time.monotonic() < ends, f"the server does not answer:\n{text}"
            time.sleep(0.02)
        self.port = int(match[1])

    def start_worker(self) -> None:
        self._beside.append(self._command("worker"))

    def kill(self) -> None:
        if self._server is not None:
            self._server.kill()
            self._server.wait()

    def kill_workers(self) -> None:
        for worker in self._beside:
            worker.kill()
            worker.wait()
        self._beside.clear()

    def stop(self) -> int:
        """As Ctrl-C does; its exit code."""
        assert self._server is not None
        self._server.send_signal(signal.SIGINT)
        return self._server.wait(_PATIENCE)

    def _command(self, command: str, *options: str) -> subprocess.Popen[bytes]:
        where = ["--database", self.database] if self.database else []
        with open(self.log, "ab") as log:
            return subprocess.Popen(
                [sys.executable, "-um", "cranfield", command, self.folder, *options, *where],
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    def fill(self, groups: int) -> list[str]:
        """Groups that entered every track; the token of a member of each."""
        return list(self._apart(_fill, groups))

    def runs(self) -> list[dict[str, Any]]:
        """All runs as the database has them, with their jobs and scores."""
        return list(self._apart(_runs))

    def run_job(self, job: Callable[..., Any], *arguments: Any) -> Any:
        """What a function answers in a process that serves this folder."""
        return self._apart(job, *arguments)

    def _apart(self, function: Callable[..., Any], *arguments: Any) -> Any:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            return pool.apply(_prepared, (self.folder, self.database, function, arguments))

    def request(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        token: str = "",
        **headers: str,
    ) -> tuple[int, bytes]:
        """Status and body of an answer."""
        if token:
            headers["Authorization"] = f"Bearer {token}"
        request = Request(self.address + path, data=body, headers=headers, method=method)
        request.add_header("Content-Type", "application/octet-stream")
        try:
            with urlopen(request, timeout=_PATIENCE) as answer:
                return answer.status, answer.read()
        except HTTPError as error:
            return error.code, error.read()

    def submit(self, token: str, content: bytes, name: str = "run.csv", key: str = "") -> Any:
        """The run that the server made of a file; fails where it was refused."""
        path = f"/api/tracks/photos/runs?name={name}&file_name={name}&modality=V"
        headers = {"Idempotency-Key": key} if key else {}
        status, answer = self.request("POST", path, content, token, **headers)
        assert status == 201, (status, answer)
        return json.loads(answer)

    def finished(self, token: str, run: int, seconds: float = _PATIENCE) -> Any:
        """A run once it is scored or refused."""
        ends = time.monotonic() + seconds
        while True:
            status, answer = self.request("GET", f"/api/runs/{run}", token=token)
            assert status == 200, (status, answer)
            content = json.loads(answer)
            if content["state"] != "checking":
                return content
            assert time.monotonic() < ends, f"still {content}"
            time.sleep(0.05)


def _prepared(
    folder: Path, database: str | None, function: Callable[..., Any], arguments: tuple[Any, ...]
) -> Any:
    os.environ.pop("CRANFIELD_DATABASE", None)
    from cranfield.server.serve import prepare

    prepare(folder, database)
    return function(*arguments)


def _fill(groups: int) -> list[str]:
    from django.conf import settings

    from cranfield.server.campaigns.models import Acceptance, Entry, Licence, Track
    from cranfield.server.people.links import hashed, new_secret
    from cranfield.server.people.models import Group, Membership, Token, User
    from cranfield.server.serve import start_up

    start_up(settings.FOLDER)
    secrets = []
    for number in range(groups):
        user = User.objects.create_user(f"member{number}@example.org", name=f"Member {number}")
        group = Group.objects.create(name=f"Group {number}")
        membership = Membership.objects.create(user=user, group=group)
        for track in Track.objects.all():
            Entry.objects.create(group=group, track=track)
        for licence in Licence.objects.all():
            Acceptance.objects.create(user=user, licence=licence)
        secrets.append(new_secret())
        Token.objects.create(
            user=user, membership=membership, name="load", sha256=hashed(secrets[-1])
        )
    return secrets


def _runs() -> list[dict[str, Any]]:
    from cranfield.server.submissions.models import Run

    return [
        {
            "id": run.id,
            "name": run.name,
            "group": run.group_id,
            "slot": run.slot,
            "state": run.state,
            "sha256": run.sha256,
            "jobs": [job.state for job in run.jobs.all()],
            "crashes": [job.crashes for job in run.jobs.all()],
            "scores": sorted(
                (score.split, score.measure) for job in run.jobs.all() for score in job.scores.all()
            ),
        }
        for run in Run.objects.prefetch_related("jobs__scores")
    ]
