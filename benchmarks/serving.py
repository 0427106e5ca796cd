"""A campaign under load: readers click through pages while groups submit runs all at once.

    python -m benchmarks.serving [--readers 200] [--submissions 50] [--items 13000] [--think 1.0]

Server, worker and the clients share the cores of this machine; everything goes over loopback. Each
reader waits for a page and then thinks for about a second. Submissions begin at the same moment,
five of each group, of which the quota lets four in. Readers go on until everything is scored. Ends
with an error if a request failed or a quota was not exact.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.campaign import write_run
from cranfield.studies.simulation import Design, World, draw_systems, simulate_run, simulate_world
from cranfield.studies.vocabulary import photo_concepts

sys.path.append(str(Path(__file__).parents[1] / "tests" / "server"))
from live_campaign import LiveCampaign

PAGES = (
    "/", "/", "/tracks/photos/", "/tracks/photos/", "/tracks/photos/", "/tracks/photos/?view=best",
    "/tracks/photos/board.csv", "/api/tracks/photos/board", "/api/campaign", "/runs/1/",
)  # fmt: skip
EACH, QUOTA = 5, 4
"""Submissions of a group, and how many of them are taken."""
_PATIENCE = 60.0
_LONGEST = 300.0
CAMPAIGN = f"""
title = "A campaign under load"

[limits]                    # all clients have one address here
api_per_minute = 1000000

[[tracks]]
name = "photos"
measures = ["concept.AP", "example.F", "micro.F"]
quota = {QUOTA}
private_share = 0.5

[[tracks.phases]]
name = "test"
"""


@dataclass
class Measured:
    """What clients saw."""

    seconds: list[float] = field(default_factory=list)
    """Of each page."""
    errors: list[str] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    """Of submissions."""
    runs: list[tuple[int, str]] = field(default_factory=list)
    """Ids of runs that were taken, with the token that may look at each."""
    lasted: float = 0.0
    scored_after: float = 0.0


class Connection:
    """HTTP/1.1 to a port of this machine, kept open."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, path: str, body: bytes | None = None, token: str = "") -> tuple[int, bytes]:
        async with asyncio.timeout(_PATIENCE):
            if self._streams is None:
                self._streams = await asyncio.open_connection("127.0.0.1", self.port)
            reader, writer = self._streams
            writer.write(self._head(path, body, token))
            if body is not None:
                writer.write(body)
            await writer.drain()
            status, headers = await _answer_head(reader)
            content = await _answer_body(reader, headers)
            if headers.get("connection") == "close":
                self.close()
            return status, content

    def _head(self, path: str, body: bytes | None, token: str) -> bytes:
        lines = [f"{'GET' if body is None else 'POST'} {path} HTTP/1.1", "Host: localhost"]
        if token:
            lines.append(f"Authorization: Bearer {token}")
        if body is not None:
            lines.append(f"Content-Length: {len(body)}")
        return "\r\n".join([*lines, "", ""]).encode()

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def _answer_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    pairs = (line.split(": ", 1) for line in lines if line)
    return int(first.split(" ")[1]), {name.lower(): value for name, value in pairs}


async def _answer_body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    if "content-length" in headers:
        return await reader.readexactly(int(headers["content-length"]))
    content = b""
    while headers.get("transfer-encoding") == "chunked":
        size = int(await reader.readuntil(b"\r\n"), 16)
        content += (await reader.readexactly(size + 2))[:-2]
        if not size:
            break
    return content


async def read_pages(
    port: int, number: int, think: float, over: asyncio.Event, measured: Measured
) -> None:
    """A reader, until it is over."""
    connection, chance = Connection(port), random.Random(number)
    await asyncio.sleep(chance.random() * think)
    while not over.is_set():
        path, began = chance.choice(PAGES), time.perf_counter()
        try:
            status, _ = await connection.ask(path)
            measured.seconds.append(time.perf_counter() - began)
            if status != 200:
                measured.errors.append(f"{path}: {status}")
        except (OSError, EOFError, ValueError) as error:
            measured.errors.append(f"{path}: {error!r}")
            connection.close()
        await asyncio.sleep(think * (0.5 + chance.random()))
    connection.close()


async def submit(port: int, token: str, number: int, run: bytes, measured: Measured) -> None:
    connection = Connection(port)
    path = f"/api/tracks/photos/runs?name=run{number}&file_name=run.txt"
    try:
        status, content = await connection.ask(path, run, token)
        measured.statuses[status] += 1
        if status == 201:
            measured.runs.append((json.loads(content)["id"], token))
        elif status != 409:
            measured.errors.append(f"submission: {status} {content[:200]!r}")
    except (OSError, EOFError, ValueError) as error:
        measured.errors.append(f"submission: {error!r}")
    connection.close()


async def wait_until_scored(port: int, runs: list[tuple[int, str]], ends: float) -> list[str]:
    """The states of runs once they are checked."""
    connection, states = Connection(port), []
    for run, token in runs:
        while True:
            _, content = await connection.ask(f"/api/runs/{run}", token=token)
            state = json.loads(content)["state"]
            if state != "checking" or time.monotonic() > ends:
                break
            await asyncio.sleep(0.2)
        states.append(state)
    connection.close()
    return states


async def load(
    port: int, tokens: list[str], runs: list[bytes], readers: int, think: float
) -> Measured:
    """Readers all the time; submissions at once, after three seconds."""
    measured, over = Measured(), asyncio.Event()
    began = time.monotonic()
    async with asyncio.TaskGroup() as tasks:
        for number in range(readers):
            tasks.create_task(read_pages(port, number, think, over, measured))
        await asyncio.sleep(3)
        sent = time.monotonic()
        await asyncio.gather(
            *(
                submit(port, tokens[number // EACH], number, run, measured)
                for number, run in enumerate(runs)
            )
        )
        states = await wait_until_scored(port, measured.runs, began + _LONGEST)
        measured.scored_after = time.monotonic() - sent
        measured.errors += [f"a run is {state}" for state in states if state != "accepted"]
        over.set()
    measured.lasted = time.monotonic() - began
    return measured


async def seconds_to_board(port: int, token: str, run: bytes) -> float:
    """From the end of an upload to its scores, with nobody else about."""
    connection = Connection(port)
    path = "/api/tracks/photos/runs?name=first&file_name=run.txt"
    status, content = await connection.ask(path, run, token)
    began = time.perf_counter()
    assert status == 201, content
    name = b'"run": "first"'
    while name not in (await connection.ask("/api/tracks/photos/board"))[1]:
        assert time.perf_counter() - began < _PATIENCE
        await asyncio.sleep(0.01)
    connection.close()
    return time.perf_counter() - began


def write_campaign(folder: Path, world: World) -> Path:
    collection = folder / "tracks" / "photos" / "collection"
    collection.mkdir(parents=True)
    (folder / "campaign.toml").write_text(CAMPAIGN)
    rows = np.asarray(world.truth.labels, dtype=int).astype(str)
    lines = [",".join(["item", *world.truth.concepts])]
    lines += [",".join([item, *row]) for item, row in zip(world.truth.items, rows, strict=True)]
    (collection / "truth.csv").write_text("\n".join([*lines, ""]))
    return folder


def processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    values = dict(line.split(":", 1) for line in lines if ":" in line)
    names = {name.strip(): value.strip() for name, value in values.items()}
    family, model = names.get("cpu family", "?"), names.get("model", "?")
    return f"{names.get('model name', '?')} (family {family}, model {model})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--readers", type=int, default=200)
    parser.add_argument("--submissions", type=int, default=50)
    parser.add_argument("--items", type=int, default=13_000)
    parser.add_argument("--think", type=float, default=1.0)
    chosen = parser.parse_args()
    world = simulate_world(Design(photo_concepts(), items=chosen.items, seed=2009))
    systems = draw_systems(chosen.submissions + 1, seed=2009)
    groups = -(-chosen.submissions // EACH)
    with tempfile.TemporaryDirectory() as name:
        runs = []
        for system in systems:
            path = Path(name) / "run.txt"
            write_run(simulate_run(world, system), path, decisions=True)
            runs.append(path.read_bytes())
        live = LiveCampaign(write_campaign(Path(name) / "campaign", world))
        *tokens, first = live.fill(groups + 1)
        before = os.getloadavg()
        with live:
            alone = asyncio.run(seconds_to_board(live.port, first, runs.pop()))
            measured = asyncio.run(load(live.port, tokens, runs, chosen.readers, chosen.think))
    report(chosen, measured, alone, before, len(runs[0]))
    refused = chosen.submissions - groups * QUOTA
    exact = measured.statuses == Counter({201: groups * QUOTA, 409: refused})
    if measured.errors or not exact:
        sys.exit(f"{len(measured.errors)} errors: {measured.errors[:5]}; {measured.statuses}")


def report(
    chosen: argparse.Namespace,
    measured: Measured,
    alone: float,
    before: tuple[float, float, float],
    size: int,
) -> None:
    median, p95, p99 = 1000 * np.quantile(measured.seconds, [0.5, 0.95, 0.99])
    print(f"{processor()}, {os.cpu_count()} cores; load before: {before[0]:.2f}")
    pages, taken, beyond = len(measured.seconds), measured.statuses[201], measured.statuses[409]
    lines = (
        f"{chosen.readers} readers, {chosen.think:g} s between clicks",
        f"{pages} pages in {measured.lasted:.1f} s, {pages / measured.lasted:.0f} a second",
        f"page: median {median:.0f} ms, p95 {p95:.0f} ms, p99 {p99:.0f} ms",
        f"errors: {len(measured.errors)}",
        f"{chosen.submissions} submissions at once, {size / 1e6:.1f} MB each",
        f"{taken} taken, {beyond} beyond the quota, all scored after {measured.scored_after:.1f} s",
        f"one run alone: on the board {alone:.2f} s after its upload",
    )
    print(*lines, sep="\n")


if __name__ == "__main__":
    main()
