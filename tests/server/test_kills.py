"""The server and its workers are killed while runs come in: nothing is lost, doubled or stuck."""

from __future__ import annotations

import hashlib
import random
import threading
import time
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path

import pytest
from live_campaign import LiveCampaign
from photo_campaign import CAMPAIGN, TRUTH, write_campaign
from postgres_cluster import cluster, programs

pytestmark = pytest.mark.slow
KILLS = 20
GROUPS, QUOTA = 4, 1000
MEASURES = ("concept.AP", "example.F")
SCORES = sorted((split, name) for split in ("all", "private", "public") for name in MEASURES)
_LONGEST = 150.0


class Submitters:
    """Groups that send their runs one by one, each again and again until the server took it."""

    def __init__(self, live: LiveCampaign, tokens: list[str]) -> None:
        self.live = live
        self.sent: dict[str, int] = {}
        """The id that the server gave, by key."""
        self.errors: list[object] = []
        self.ends = time.monotonic() + _LONGEST
        self._enough = threading.Event()
        self._threads = [
            threading.Thread(target=self._submit_all, args=(token, f"group{number}"))
            for number, token in enumerate(tokens)
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def wait_for_next(self) -> None:
        """Until a run was taken."""
        before, ends = len(self.sent), time.monotonic() + 10
        while len(self.sent) == before and time.monotonic() < min(ends, self.ends):
            time.sleep(0.01)

    def stop(self) -> None:
        """After the run that each is sending."""
        self._enough.set()
        for thread in self._threads:
            thread.join()

    def _submit_all(self, token: str, group: str) -> None:
        chance = random.Random(group)
        number = 0
        while not self._enough.wait(chance.random()):
            # Several groups send the same file now and then.
            content = run_file(number if number % 4 == 0 else hash_of(f"{group}-{number}"))
            self._submit(token, content, f"{group}-{number}")
            number += 1

    def _submit(self, token: str, content: bytes, key: str) -> None:
        while time.monotonic() < self.ends:
            try:
                self.sent[key] = self.live.submit(token, content, f"{key}.csv", key=key)["id"]
                return
            except (OSError, HTTPException):  # the server was killed: send it again
                time.sleep(0.1)
            except AssertionError as error:
                self.errors.append(error)
                return


def hash_of(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16)


def run_file(seed: int) -> bytes:
    """A run of random confidences."""
    chance = random.Random(seed)
    head, *lines = TRUTH.splitlines()
    rows = [
        ",".join([line.split(",")[0], *(f"{chance.random():.4f}" for _ in range(3))])
        for line in lines
    ]
    return "\n".join([head, *rows, ""]).encode()


def check_everything_is_there_once(live: LiveCampaign, sent: dict[str, int]) -> None:
    runs = live.runs()
    assert {run["name"]: run["id"] for run in runs} == {
        f"{key}.csv": number for key, number in sent.items()
    }
    for run in runs:
        assert (run["state"], run["jobs"], run["scores"]) == ("accepted", ["done"], SCORES), run
        stored = live.folder / "var" / "runs" / run["sha256"][:2] / run["sha256"]
        assert hashlib.sha256(stored.read_bytes()).hexdigest() == run["sha256"]
    slots = {(run["group"], run["slot"]) for run in runs}
    assert len(slots) == len(runs) >= KILLS
    assert sum(sum(run["crashes"]) for run in runs) > 0, "no worker was killed over a job"


def wait_until_scored(live: LiveCampaign, tokens: list[str], sent: dict[str, int]) -> None:
    for key, number in sent.items():
        live.finished(tokens[int(key[5 : key.index("-")])], number)


def campaign(folder: Path) -> Path:
    return write_campaign(folder / "campaign", CAMPAIGN.replace("quota = 3", f"quota = {QUOTA}"))


def kill_while_runs_come_in(live: LiveCampaign, kill: Callable[[random.Random], None]) -> None:
    tokens = live.fill(GROUPS)
    chance = random.Random(7)
    with live:
        submitters = Submitters(live, tokens)
        submitters.start()
        try:
            for _ in range(KILLS):
                submitters.wait_for_next()
                time.sleep(0.5 * chance.random())
                kill(chance)
        finally:
            submitters.stop()
        assert not submitters.errors
        wait_until_scored(live, tokens, submitters.sent)
        check_everything_is_there_once(live, submitters.sent)
        live.kill()
        live.kill_workers()
        live.start()
        assert not list((live.folder / "var" / "staging").iterdir())


def test_the_server_with_its_worker_is_killed(tmp_path: Path) -> None:
    live = LiveCampaign(campaign(tmp_path))
    kill_while_runs_come_in(live, lambda _: restart(live))


def test_the_server_and_workers_beside_it_are_killed(tmp_path: Path) -> None:
    live = LiveCampaign(campaign(tmp_path), workers=0)

    def kill(chance: random.Random) -> None:
        if chance.random() < 0.5:
            restart(live)
        else:
            live.kill_workers()
            live.start_worker()
            live.start_worker()

    kill_while_runs_come_in(live, kill)


@pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed")
def test_they_are_killed_on_postgresql(tmp_path: Path) -> None:
    with cluster() as address:
        live = LiveCampaign(campaign(tmp_path), address)

        def kill(chance: random.Random) -> None:
            if chance.random() < 0.5:
                restart(live)
            else:
                live.kill_workers()
                live.start_worker()

        kill_while_runs_come_in(live, kill)


def restart(live: LiveCampaign) -> None:
    live.kill()
    live.start()
