"""What strangers may send to a server that runs: nothing of it ends the server, stays in staging
or is answered by 500."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import pickle
import shutil
import socket
import subprocess
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from live_campaign import LiveCampaign
from photo_campaign import CAMPAIGN, TRUTH, write_campaign

pytestmark = pytest.mark.slow
LARGEST = 4
"""MB."""
GOOD = TRUTH.replace(",1", ",0.9").encode()
UPLOAD = "/api/tracks/photos/runs?name=run&modality=V"


class Target:
    """A server, and the token of a group."""

    def __init__(self, live: LiveCampaign, token: str) -> None:
        self.live, self.token = live, token

    @property
    def staged(self) -> list[Path]:
        return list((self.live.folder / "var" / "staging").iterdir())

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.live.port), timeout=20)

    def head(
        self, *lines: str, method: str = "POST", path: str = UPLOAD, token: bool = True
    ) -> bytes:
        """A request up to its body."""
        listed = [f"{method} {path} HTTP/1.1", "Host: localhost", *lines]
        if token:
            listed.append(f"Authorization: Bearer {self.token}")
        return "\r\n".join([*listed, "", ""]).encode()

    def status(self, sent: bytes) -> int:
        """What the server answers to bytes as they are."""
        with closing(self.connect()) as connection:
            connection.sendall(sent)
            return status_of(connection)

    def check_alive(self) -> None:
        assert self.live.request("GET", "/health/")[0] == 200
        ends = time.monotonic() + 20
        while self.staged and time.monotonic() < ends:
            time.sleep(0.02)
        assert not self.staged
        assert b"Traceback" not in self.live.log.read_bytes()


def status_of(connection: socket.socket) -> int:
    answer = b""
    while b"\r\n" not in answer:
        piece = connection.recv(4096)
        if not piece:
            return 0
        answer += piece
    return int(answer.split(b" ", 2)[1])


def campaign(folder: Path) -> Path:
    text = CAMPAIGN.replace("quota = 3", f"quota = 1000\nlargest_run = {LARGEST}")
    return write_campaign(folder, text)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    live = LiveCampaign(campaign(tmp_path_factory.mktemp("hostile") / "campaign"))
    [token] = live.fill(1)
    with live:
        yield Target(live, token)


@pytest.fixture
def target(served: Target) -> Iterator[Target]:
    yield served
    served.check_alive()


# ── files ─────────────────────────────────────────────────────────────────────────────────────


def _zip() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("run.csv", b"0" * (1 << 26))
    return stream.getvalue()


def _npz() -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, scores=np.zeros((1000, 1000)))
    return stream.getvalue()


AT_THE_DOOR = {
    "gzip": lambda: gzip.compress(bytes(1 << 28)),
    "bzip2": lambda: bz2.compress(bytes(1 << 24)),
    "xz": lambda: lzma.compress(bytes(1 << 24)),
    "zstd": lambda: b"\x28\xb5\x2f\xfd" + bytes(1000),
    "zip": _zip,
    "npz": _npz,
    "pickle": lambda: pickle.dumps({"run": 1}),
    "nothing": lambda: b"",
}


@pytest.mark.parametrize("kind", AT_THE_DOOR)
def test_packed_files_and_pickles_are_refused_at_the_door(target: Target, kind: str) -> None:
    status, answer = target.live.request("POST", UPLOAD, AT_THE_DOOR[kind](), target.token)
    assert status == 409
    assert any(word in json.loads(answer)["message"] for word in ("packed", "pickles", "empty"))


def _parquet(rows: int, **options: object) -> Callable[[], bytes]:
    """Rows beyond number in a few bytes."""

    def make() -> bytes:
        stream, zeros = io.BytesIO(), np.zeros(rows, np.float32)
        items = pa.DictionaryArray.from_arrays(np.zeros(rows, np.int32), ["i0"])
        columns = {"item": items} | dict.fromkeys(("Sky", "Sea", "Person"), zeros)
        pq.write_table(pa.table(columns), stream, **options)
        return stream.getvalue()

    return make


def _broken_parquet() -> bytes:
    """A page whose values are noise."""
    stream = io.BytesIO()
    table = pa.table({"item": [f"i{n}" for n in range(40)], "Sky": [0.5] * 40})
    pq.write_table(table, stream, compression="none", use_dictionary=False)
    content = bytearray(stream.getvalue())
    begin = content.index(b"i0") - 4
    content[begin : begin + 100] = b"\xff" * 100
    return bytes(content)


IN_THE_JOB = {
    "zstd-bomb.parquet": _parquet(12_000_000, compression="zstd", use_dictionary=False),
    "rle-bomb.parquet": _parquet(12_000_000, compression="none", use_dictionary=True),
    "broken.parquet": _broken_parquet,
    "cut.parquet": lambda: _parquet(100)()[:-20],
    "noise.csv": lambda: np.random.default_rng(1).bytes(100_000),
    "noise.parquet": lambda: b"PAR1" + np.random.default_rng(2).bytes(100_000) + b"PAR1",
    "program.txt": lambda: b"\x7fELF\x02\x01\x01" + bytes(1000),
    "utf-16.csv": lambda: GOOD.decode().encode("utf-16"),
    "latin-1.csv": lambda: GOOD.replace(b"Sky", "Himmel für alle".encode("latin-1")),
    "columns.csv": lambda: b"item" + b",%d" * 10_000 % (*range(10_000),) + b"\ni0" + b",1" * 10_000,
    "line.csv": lambda: b"item,Sky,Sea,Person\ni0," + b"9" * 3_000_000,
    "quotes.csv": lambda: b'item,Sky,Sea,Person\n"' + b'i0,1,1,1\n' * 300_000,
    "number.csv": lambda: GOOD.replace(b"0.9", b"1e999999999"),
    "nul.csv": lambda: GOOD.replace(b"0.9", b"\0\0\0"),
    "deep.json": lambda: b"[" * 1_000_000,
    "deep-object.json": lambda: b'{"a":' * 300_000,
    "laughs.xml": lambda: b"<!DOCTYPE l [" + b"".join(
        b'<!ENTITY l%d "%s">' % (n, b"&l%d;" % (n - 1) * 10 if n else b"ha") for n in range(12)
    ) + b"]><annotation>&l11;</annotation>",
    "lines.txt": lambda: b"i0 0.1 0.2 0.3\n" * 200_000,
    "..%2f..%2fescaped.csv": lambda: b"nothing",
}  # fmt: skip


@pytest.mark.parametrize("name", IN_THE_JOB)
def test_what_cannot_be_read_costs_its_job_and_says_why(target: Target, name: str) -> None:
    content = IN_THE_JOB[name]()
    assert len(content) < LARGEST << 20
    run = target.live.submit(target.token, content, name)
    finished = target.live.finished(target.token, run["id"])
    assert finished["state"] == "refused"
    assert finished["slot"] is None
    assert finished["errors"][0]["what"]
    assert len(json.dumps(finished)) < 100_000


def test_a_good_run_is_scored_among_them(target: Target) -> None:
    run = target.live.submit(target.token, GOOD)
    assert target.live.finished(target.token, run["id"])["state"] == "accepted"


# ── requests ──────────────────────────────────────────────────────────────────────────────────


def test_a_gigabyte_that_is_declared_is_refused_before_a_byte_of_it(target: Target) -> None:
    assert target.status(target.head(f"Content-Length: {1 << 30}")) == 413


def test_a_gigabyte_in_chunks_is_refused_at_the_limit(target: Target) -> None:
    piece = b"10000\r\n" + b"x" * 65536 + b"\r\n"
    with closing(target.connect()) as connection:
        connection.sendall(target.head("Transfer-Encoding: chunked"))
        sent = _sent_until_refused(connection, piece)
    assert sent < 200 << 20


def _sent_until_refused(connection: socket.socket, piece: bytes) -> int:
    """Bytes, of a gigabyte at most."""
    sent = 0
    while sent < 1 << 30:
        try:
            connection.sendall(piece)
        except (ConnectionResetError, BrokenPipeError):
            break
        sent += len(piece)
    return sent


def test_who_sends_too_much_hears_why(target: Target) -> None:
    status, answer = target.live.request(
        "POST", UPLOAD, bytes((LARGEST << 20) + (1 << 20)), target.token
    )
    assert (status, answer) == (413, b"the file is larger than 4 MB\n")


@pytest.mark.parametrize("length", [f"Content-Length: {3 << 20}", "Transfer-Encoding: chunked"])
def test_uploads_without_a_token_are_refused_before_the_body(target: Target, length: str) -> None:
    assert target.status(target.head(length, token=False)) == 401
    form = "/tracks/photos/submit/"
    assert target.status(target.head(length, path=form, token=False)) == 302  # to log in


@pytest.mark.parametrize(
    "lines",
    [
        ["X-Cranfield-File: /etc/passwd"],
        ["X-Cranfield-Most: 99999999999"],
        ["x_cranfield_file: /etc/passwd"],
        ["Content-Length: 5", "Content-Length: 6"],
        ["Content-Length: 5", "Content-Length: 5"],
        ["Content-Length: -5"],
        ["Content-Length: 5, 5"],
        ["Content-Length: +5"],
        ["Content-Length: 5", "Transfer-Encoding: chunked"],
        ["Transfer-Encoding: chunked, identity"],
        ["Host: elsewhere.example"],
        ["A" * 70_000],
        [f"X-{n}: {'x' * 1000}" for n in range(200)],
    ],
)
def test_requests_that_mean_two_things_are_refused(target: Target, lines: list[str]) -> None:
    sent = target.head(*lines) + b"hello"
    assert target.status(sent) in (400, 0)


@pytest.mark.parametrize(
    "path",
    [
        "//api/tracks/photos/runs", "/api//tracks/photos/runs", "/%2e%2e/etc/passwd",
        "/api/%2E/campaign", "/static/..%2f..%2fcampaign.sqlite3", "/a\\b", "/x%00", "/%c0%ae",
        "/tracks/photos/downloads/..%5ccollection%5ctruth.csv", "/" + "x" * 5000,
    ],
)  # fmt: skip
def test_addresses_that_mean_two_things_are_refused(target: Target, path: str) -> None:
    assert target.status(target.head(path=path, method="GET")) in (400, 404)
    body = target.head(f"Content-Length: {2 << 20}", path=path)
    assert target.status(body) in (400, 404)


def test_what_is_no_http_is_refused(target: Target) -> None:
    for noise in (b"\x16\x03\x01\x02\x00\x01\x00", b"\0" * 100, b"GET\r\n\r\n", b"\xff" * 4096):
        assert target.status(noise + b"\r\n\r\n") in (400, 0)
    upgrade = target.head("Connection: Upgrade", "Upgrade: websocket", method="GET", path="/")
    assert target.status(upgrade) in (200, 400, 426)


def test_pages_answer_while_forty_clients_send_slowly(target: Target) -> None:
    over = threading.Event()
    with ExitStack() as stack:
        connections = [stack.enter_context(closing(target.connect())) for _ in range(40)]
        for number, connection in enumerate(connections):
            length = "Content-Length: 2000000" if number % 2 else "Transfer-Encoding: chunked"
            connection.sendall(target.head(length))
        drip = threading.Thread(target=_drip, args=(connections, over))
        drip.start()
        try:
            ends = time.monotonic() + 20
            while len(target.staged) < 40 and time.monotonic() < ends:
                time.sleep(0.02)
            assert len(target.staged) == 40
            for path in ("/", "/tracks/photos/", "/health/", "/api/campaign") * 5:
                assert target.live.request("GET", path)[0] == 200
            run = target.live.submit(target.token, GOOD)
            assert target.live.finished(target.token, run["id"])["state"] == "accepted"
        finally:
            over.set()
            drip.join()


def _drip(connections: list[socket.socket], over: threading.Event) -> None:
    """A byte to each, now and then."""
    while not over.wait(0.2):
        for number, connection in enumerate(connections):
            connection.sendall(b"x" if number % 2 else b"1\r\nx\r\n")


# ── disks ─────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 24 MB, which root can make."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", folder]
    if os.geteuid() or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("no small disk can be made here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def test_a_full_disk_refuses_uploads_and_nothing_else(small_disk: Path) -> None:
    live = LiveCampaign(campaign(small_disk / "campaign"))
    live.log = small_disk.parent / "log"
    [token] = live.fill(1)
    with live:
        target = Target(live, token)
        first = live.submit(token, GOOD)
        assert live.finished(token, first["id"])["state"] == "accepted"
        filler = small_disk / "filler"
        _fill_up(filler)
        large = bytes(2 << 20)
        for content in (large, GOOD + b"\n"):
            status, answer = live.request("POST", UPLOAD, content, token)
            assert (status, b"disk is full" in answer) == (507, True)
        for path in (
            "/",
            "/tracks/photos/",
            "/api/tracks/photos/board",
            f"/api/runs/{first['id']}",
        ):
            assert live.request("GET", path, token=token if "api" in path else "")[0] == 200
        assert not target.staged
        filler.unlink()
        second = live.submit(token, GOOD.replace(b"0.9", b"0.8"))
        assert live.finished(token, second["id"])["state"] == "accepted"
        target.check_alive()


def _fill_up(filler: Path) -> None:
    with open(filler, "wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(1 << 12)):
            pass
    assert shutil.disk_usage(filler).free == 0
