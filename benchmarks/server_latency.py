"""How long it takes until a run is on the board: 13,000 photos × 53 concepts on a quiet server.

    python -m benchmarks.server_latency [RUNS]

A campaign is simulated in a temporary folder and served by `cranfield serve`. A group uploads runs
by the API, one after the other, each once the last is on the board. What is timed begins when the
upload has ended, that is with the server's answer, and ends when the board has the run.
"""

from __future__ import annotations

import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from cranfield.server.client import Client

ITEMS, RUNS = 13_000, 5
_GROUP = """
import sys
from pathlib import Path
from cranfield.server.serve import prepare
prepare(Path(sys.argv[1]))
from cranfield.server.campaigns.models import Acceptance, Entry, Licence, Track
from cranfield.server.people.links import hashed
from cranfield.server.people.models import Group, Membership, Token, User
user = User.objects.create_user("ida@example.org", name="Ida")
group = Group.objects.create(name="Timers")
membership = Membership.objects.create(user=user, group=group)
Entry.objects.create(group=group, track=Track.objects.get())
for licence in Licence.objects.all():
    Acceptance.objects.create(user=user, licence=licence)
Token.objects.create(user=user, membership=membership, name="t", sha256=hashed("benchmark"))
"""


def main(runs: int = RUNS) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _cranfield(
            "simulate", folder / "photos", "--items", str(ITEMS), "--systems", str(runs),
            "--random", "none",
        )  # fmt: skip
        files = sorted((folder / "photos" / "runs").iterdir())
        campaign = folder / "campaign"
        _cranfield("campaign", "init", campaign, "--collection", folder / "photos")
        server, address = _serve(campaign)
        try:
            subprocess.run([sys.executable, "-c", _GROUP, campaign], check=True)
            timings = [_timed(Client(address, "benchmark"), file) for file in files[:runs]]
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(60)
    size = statistics.mean(size for size, _, _ in timings) / 2**20
    load = os.getloadavg()[0]
    print(
        f"{len(timings)} runs of {ITEMS:,} × 53, {size:.1f} MB each, load of the machine {load:.1f}"
    )
    for title, values in (
        ("upload", [upload for _, upload, _ in timings]),
        ("from the upload's end to the board", [board for _, _, board in timings]),
    ):
        print(
            f"{title}: first {values[0]:.2f} s, median {statistics.median(values):.2f} s, "
            f"longest {max(values):.2f} s"
        )


def _timed(client: Client, file: Path) -> tuple[int, float, float]:
    """Bytes, seconds of the upload, and seconds from there to the board."""
    began = time.perf_counter()
    run = client.submit("photos", file, name=file.stem, modality="V")
    received = time.perf_counter()
    while run["id"] not in _on_board(client):
        time.sleep(0.02)
    return file.stat().st_size, received - began, time.perf_counter() - received


def _on_board(client: Client) -> set[Any]:
    return {row["id"] for row in client.board("photos")["runs"]}


def _cranfield(*words: str | Path) -> None:
    line = [sys.executable, "-m", "cranfield", *words]
    subprocess.run(line, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _serve(campaign: Path) -> tuple[subprocess.Popen[str], str]:
    line = [sys.executable, "-m", "cranfield", "serve", campaign, "--port", "0"]
    server = subprocess.Popen(line, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert server.stderr is not None
    match = re.search(r"http://localhost:\d+", server.stderr.readline())
    assert match is not None
    return server, match[0]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
