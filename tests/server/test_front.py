"""The front: what no honest client sends is refused, uploads are asked about before they are read,
and nothing of what is refused stays in the staging folder."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from cranfield.server.front import ASKING, FILE_HEADER, MOST_HEADER, UPLOAD, Front

MOST = 3 << 20


class Pages:
    """Takes uploads at /take, refuses them at /refuse, sends a file at /file."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.seen: list[dict[str, Any]] = []

    def __call__(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        body = environ["wsgi.input"].read()
        self.seen.append(environ | {"body": body})
        path = environ["PATH_INFO"]
        if environ.get(ASKING):
            if path == "/take":
                start("204 No Content", [(MOST_HEADER, str(MOST))])
            else:
                start("401 Unauthorized", [("Content-Type", "text/plain")])
            return [b""]
        if path == "/file":
            start("200 OK", [(FILE_HEADER, str(self.file)), ("Content-Type", "text/plain")])
            return [b""]
        upload = environ.get(UPLOAD)
        start("200 OK", [("Content-Type", "text/plain")])
        return [upload.sha256.encode() if upload else b"page"]


class Answer:
    def __init__(self, sent: list[Any]) -> None:
        self.status = sent[0]["status"]
        self.headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        self.body = b"".join(message.get("body", b"") for message in sent[1:])


@pytest.fixture
def pages(tmp_path: Path) -> Pages:
    file = tmp_path / "file.txt"
    file.write_bytes(bytes(range(100)))
    return Pages(file)


@pytest.fixture
def staging(tmp_path: Path) -> Path:
    folder = tmp_path / "staging"
    folder.mkdir()
    return folder


@pytest.fixture
def front(pages: Pages, staging: Path) -> Front:
    return Front(pages, staging, threads=1, room=2 * MOST)


def ask(
    front: Front,
    path: str,
    pieces: Iterable[bytes] = (),
    *,
    method: str = "GET",
    headers: Iterable[tuple[str, str]] = (),
    leaves: bool = False,
) -> Answer:
    """leaves  the client hangs up after its pieces"""
    messages: list[dict[str, Any]] = [
        {"type": "http.request", "body": piece, "more_body": True} for piece in pieces
    ]
    messages.append({"type": "http.disconnect"} if leaves else {"type": "http.request"})
    sent: list[Any] = []
    scope = {
        "type": "http",
        "method": method,
        "raw_path": path.partition("?")[0].encode(),
        "query_string": path.partition("?")[2].encode(),
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers],
        "scheme": "http",
        "http_version": "1.1",
        "server": ("localhost", 8000),
        "client": ("127.0.0.1", 5),
    }

    async def receive() -> dict[str, Any]:
        return messages.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(front(scope, receive, send))
    return Answer(sent or [{"status": 0, "headers": []}])


def _large(body: bytes) -> list[tuple[str, str]]:
    return [("Content-Length", str(len(body)))]


@pytest.mark.parametrize(
    "path", ["//x", "/a//b", "/%2e%2e/x", "/a%2Fb", "/a%5cb", "/a\\b", "/x%00", "/" + "x" * 3000]
)
def test_addresses_that_could_mean_two_things_are_refused(
    front: Front, pages: Pages, path: str
) -> None:
    assert ask(front, path).status == 400
    assert not pages.seen


@pytest.mark.parametrize(
    "headers",
    [
        [("X-Cranfield-File", "/etc/passwd")],
        [("X-Cranfield-Most", "9")],
        [("X_Cranfield_File", "x")],
        [("Content-Length", "5"), ("Content-Length", "6")],
        [("Content-Length", "-5")],
        [("Content-Length", "five")],
    ],
)
def test_headers_of_the_front_and_two_lengths_are_refused(
    front: Front, pages: Pages, staging: Path, headers: list[tuple[str, str]]
) -> None:
    assert ask(front, "/take", [b"hello"], method="POST", headers=headers).status == 400
    assert not pages.seen
    assert not list(staging.iterdir())


def test_an_upload_is_hashed_on_the_way_and_gone_from_staging_afterwards(
    front: Front, pages: Pages, staging: Path
) -> None:
    body = b"x" * (2 << 20)
    answer = ask(front, "/take", [body[:7], body[7:]], method="POST", headers=_large(body))
    assert answer.body.decode() == hashlib.sha256(body).hexdigest()
    assert pages.seen[-1]["body"] == body
    assert pages.seen[-1]["CONTENT_LENGTH"] == str(len(body))
    assert not list(staging.iterdir())


def test_an_upload_is_refused_before_its_body_is_read(
    front: Front, pages: Pages, staging: Path
) -> None:
    answer = ask(
        front, "/refuse", [b"never read"], method="POST", headers=[("Content-Length", "99999999")]
    )
    assert answer.status == 401
    assert answer.headers["connection"] == "close"
    assert [environ["REQUEST_METHOD"] for environ in pages.seen] == ["GET"]
    assert not list(staging.iterdir())


@pytest.mark.parametrize("declared", [True, False])
def test_a_body_beyond_the_limit_is_refused_declared_or_chunked(
    front: Front, staging: Path, declared: bool
) -> None:
    body = b"x" * (MOST + 1)
    headers = _large(body) if declared else [("Transfer-Encoding", "chunked")]
    answer = ask(front, "/take", [body], method="POST", headers=headers)
    assert answer.status == 413
    assert b"larger than 3 MB" in answer.body
    assert not list(staging.iterdir())


def test_a_client_that_hangs_up_leaves_nothing(front: Front, pages: Pages, staging: Path) -> None:
    headers = [("Content-Length", str(2 << 20))]
    ask(front, "/take", [b"half"], method="POST", headers=headers, leaves=True)
    assert len(pages.seen) == 1  # asked, never told
    assert not list(staging.iterdir())
    assert front._taken == 0


def test_all_uploads_together_have_a_limit(front: Front, staging: Path) -> None:
    front._taken = 2 * MOST - 10
    headers = [("Transfer-Encoding", "chunked")]
    answer = ask(front, "/take", [b"x" * 100], method="POST", headers=headers)
    assert answer.status == 503
    assert front._taken == 2 * MOST - 10
    assert not list(staging.iterdir())


@pytest.mark.parametrize(
    ("asked", "status", "content"),
    [
        ("", 200, bytes(range(100))),
        ("bytes=10-19", 206, bytes(range(10, 20))),
        ("bytes=90-", 206, bytes(range(90, 100))),
        ("bytes=-5", 206, bytes(range(95, 100))),
        ("bytes=95-500", 206, bytes(range(95, 100))),
        ("bytes=100-", 416, b""),
        ("lines=1-2", 200, bytes(range(100))),
    ],
)
def test_files_are_sent_whole_or_in_ranges(
    front: Front, asked: str, status: int, content: bytes
) -> None:
    answer = ask(front, "/file", headers=[("Range", asked)] if asked else [])
    assert (answer.status, answer.body) == (status, content)
    assert answer.headers["content-length"] == str(len(content))
    assert "x-cranfield-file" not in answer.headers


def test_uploads_at_once_share_the_room(front: Front, staging: Path) -> None:
    """Two that are too much together, though neither is by itself."""
    front._room = MOST
    piece = b"x" * (MOST - 1)

    async def upload(waits: asyncio.Event | None) -> int:
        messages = [{"type": "http.request", "body": piece, "more_body": True}]
        sent: list[Any] = []

        async def receive() -> dict[str, Any]:
            if messages:
                return messages.pop()
            if waits is not None:
                await waits.wait()
            return {"type": "http.request"}

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {
            "type": "http", "method": "POST", "raw_path": b"/take", "query_string": b"",
            "headers": [(b"transfer-encoding", b"chunked")], "scheme": "http",
            "http_version": "1.1", "server": None, "client": None,
        }  # fmt: skip
        await front(scope, receive, send)
        return int(sent[0]["status"])

    async def both() -> tuple[int, int]:
        go_on = asyncio.Event()
        first = asyncio.create_task(upload(go_on))
        while front._taken < len(piece):
            await asyncio.sleep(0.01)
        second = await upload(None)
        go_on.set()
        return await first, second

    assert asyncio.run(both()) == (200, 503)
    assert front._taken == 0
    assert not list(staging.iterdir())
