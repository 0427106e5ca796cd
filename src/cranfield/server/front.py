"""The front: receives bodies and sends files on the event loop, and hands requests to Django.

Slow clients hold a few bytes of memory and a file here, never one of the threads that make pages.
An upload is asked about first, without its body: Django says whether this client may upload here,
and how much; then the body goes to the staging folder, is hashed on the way and is on the disk
before Django hears of it. What Django and the front tell each other stands in the WSGI environment
and in headers of the answer, where no client can write.
"""

from __future__ import annotations

import asyncio
import hashlib
import io
import os
import re
import tempfile
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import unquote_to_bytes

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

ASKING = "cranfield.asking"
"""In the environment: may the body that follows be received?"""
UPLOAD = "cranfield.upload"
"""In the environment: the `Upload` that was received."""
BEGAN = "cranfield.began"
"""In the environment: when the request began, whatever time its body took."""
FILE_HEADER = "X-Cranfield-File"
"""In Django's answer: send this file instead of the body."""
MOST_HEADER = "X-Cranfield-Most"
"""In Django's answer to a question: how many bytes the body may have."""

_SMALL = 1 << 20
"""Bytes of a body that is kept in memory: forms."""
_PIECE = 1 << 18
_PATIENCE = 30.0
"""Seconds within which a client must send the next piece."""
_LONGEST = 3600.0
"""Seconds that an upload may take altogether."""
_LINGERS, _MOST_IGNORED = 2.0, 64 << 20
"""Seconds and bytes for which the rest of a refused body is read and thrown away."""
FULL_DISK = "the server's disk is full; try again later, and tell the organisers"
_STRANGE = re.compile(rb"//|%2[eEfF]|%5[cC]|%00|\\")
_RANGE = re.compile(r"bytes=(\d*)-(\d*)")


@dataclass(frozen=True)
class Upload:
    """A body in the staging folder."""

    path: Path
    sha256: str
    size: int


@dataclass
class Answer:
    """What Django answers."""

    status: str = "500 Internal Server Error"
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""

    @property
    def code(self) -> int:
        return int(self.status.split(" ", 1)[0])

    def taken(self, name: str) -> str | None:
        """A header for the front, which no client sees."""
        values = [value for key, value in self.headers if key.lower() == name.lower()]
        self.headers = [(key, value) for key, value in self.headers if key.lower() != name.lower()]
        return values[0] if values else None


class _RefusedError(Exception):
    """A request that ends here."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


class Front:
    """An ASGI application around a WSGI one."""

    def __init__(self, django: Wsgi, staging: Path, *, threads: int = 4, room: int = 8 << 30):
        """room  bytes that all uploads together may take in the staging folder"""
        self.django = django
        self.staging = staging
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="page")
        self._disk = ThreadPoolExecutor(2, thread_name_prefix="disk")
        self._room = room
        self._taken = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise RuntimeError(f"{scope['type']} is not served")
        try:
            await self._answer(scope, receive, send)
        except _RefusedError as error:
            await _send_refusal(receive, send, error)
        except TimeoutError:
            late = _RefusedError(HTTPStatus.REQUEST_TIMEOUT, "the request came too slowly")
            await _send_refusal(receive, send, late)
        except ClientGoneError:
            return

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        environ = _environ(scope) | {BEGAN: datetime.now(UTC)}
        length = _declared_length(scope)
        if (length is not None and length <= _SMALL) or not _has_body(scope):
            environ["wsgi.input"] = io.BytesIO(await _small_body(receive, length or 0))
            return await self._finish(await self._ask(environ), scope, send)
        answer = await self._ask(environ | {"REQUEST_METHOD": "GET", ASKING: True})
        most = answer.taken(MOST_HEADER)
        if most is None:
            if answer.code < 300:
                raise _RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "no upload is taken here")
            return await _send_and_close(receive, send, answer)
        upload = await self._staged(receive, int(most), length)
        try:
            with open(upload.path, "rb") as body:
                environ |= {
                    "wsgi.input": body, "CONTENT_LENGTH": str(upload.size), UPLOAD: upload
                }  # fmt: skip
                answer = await self._ask(environ)
        finally:
            self._taken -= upload.size
            upload.path.unlink(missing_ok=True)
        return await self._finish(answer, scope, send)

    async def _ask(self, environ: dict[str, Any]) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(
            self._pool, _call, self.django, environ
        )

    async def _staged(self, receive: Receive, most: int, length: int | None) -> Upload:
        """The body on the disk; nothing stays there of a body that is refused."""
        if length is not None and length > most:
            raise _too_large(most)
        loop = asyncio.get_running_loop()
        digest, size, path = hashlib.sha256(), 0, None
        try:
            number, path = tempfile.mkstemp(dir=self.staging, prefix="upload-")
            with open(number, "wb", buffering=_PIECE) as file:
                async with asyncio.timeout(_LONGEST):
                    async for piece in _pieces(receive):
                        size += len(piece)
                        self._taken += len(piece)
                        self._require_room(size, most)
                        digest.update(piece)
                        file.write(piece)
                await loop.run_in_executor(self._disk, _to_disk, file)
        except BaseException as error:
            self._taken -= size
            if path is not None:
                os.unlink(path)
            if isinstance(error, OSError) and not isinstance(error, TimeoutError):
                raise _RefusedError(HTTPStatus.INSUFFICIENT_STORAGE, FULL_DISK) from None
            raise
        return Upload(Path(path), digest.hexdigest(), size)

    def _require_room(self, size: int, most: int) -> None:
        if size > most:
            raise _too_large(most)
        if self._taken > self._room:
            raise _RefusedError(
                HTTPStatus.SERVICE_UNAVAILABLE,
                "too many uploads at once; send it again in a minute",
            )

    async def _finish(self, answer: Answer, scope: Scope, send: Send) -> None:
        path = answer.taken(FILE_HEADER)
        if path is not None and answer.code == HTTPStatus.OK:
            await _send_file(Path(path), answer, scope, send)
            return
        await _start(send, answer.code, answer.headers)
        await send({"type": "http.response.body", "body": answer.body})

    def close(self) -> None:
        self._pool.shutdown()
        self._disk.shutdown()


class ClientGoneError(Exception):
    """The client hung up."""


def _too_large(most: int) -> _RefusedError:
    return _RefusedError(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"the file is larger than {most >> 20} MB"
    )


def _to_disk(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def _call(django: Wsgi, environ: dict[str, Any]) -> Answer:
    answer = Answer()

    def start_response(status: str, headers: list[tuple[str, str]], _: Any = None) -> None:
        answer.status, answer.headers = status, list(headers)

    parts = django(environ, start_response)
    try:
        answer.body = b"".join(parts)
    finally:
        close = getattr(parts, "close", None)
        if close is not None:
            close()
    return answer


# ── requests ──────────────────────────────────────────────────────────────────────────────────


def _environ(scope: Scope) -> dict[str, Any]:
    """The request as WSGI knows it; what no honest client sends is refused."""
    raw: bytes = scope["raw_path"]
    if _STRANGE.search(raw) or len(raw) > 2000:
        raise _RefusedError(HTTPStatus.BAD_REQUEST, "this address is not well-formed")
    host, port = scope["server"] or ("localhost", 80)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(raw.partition(b"?")[0]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": scope["client"][0] if scope["client"] else "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": io.StringIO(),
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        text, key = value.decode("latin-1"), name.decode("latin-1").upper().replace("-", "_")
        if key.startswith("X_CRANFIELD") or b"_" in name:
            raise _RefusedError(HTTPStatus.BAD_REQUEST, "a header of this name is not for clients")
        if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            key = f"HTTP_{key}"
        environ[key] = f"{environ[key]},{text}" if key in environ else text
    return environ


def _declared_length(scope: Scope) -> int | None:
    lengths = [value for name, value in scope["headers"] if name == b"content-length"]
    if len(lengths) > 1 or (lengths and not lengths[0].isdigit()):
        raise _RefusedError(HTTPStatus.BAD_REQUEST, "send one Content-Length")
    return int(lengths[0]) if lengths else None


def _has_body(scope: Scope) -> bool:
    return any(name in (b"content-length", b"transfer-encoding") for name, _ in scope["headers"])


async def _small_body(receive: Receive, most: int) -> bytes:
    body = b""
    if most:
        async for piece in _pieces(receive):
            body += piece
            if len(body) > most:
                raise _RefusedError(HTTPStatus.BAD_REQUEST, "more bytes came than were announced")
    return body


async def _pieces(receive: Receive) -> Any:
    more = True
    while more:
        message = await asyncio.wait_for(receive(), _PATIENCE)
        if message["type"] == "http.disconnect":
            raise ClientGoneError
        more = message.get("more_body", False)
        yield message.get("body", b"")


# ── answers ───────────────────────────────────────────────────────────────────────────────────


async def _start(send: Send, code: int, headers: Iterable[tuple[str, str]]) -> None:
    lines = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    await send({"type": "http.response.start", "status": code, "headers": lines})


async def _send_refusal(receive: Receive, send: Send, error: _RefusedError) -> None:
    headers = [("Content-Type", "text/plain; charset=utf-8")]
    answer = Answer(f"{error.status} {error.status.phrase}", headers, f"{error}\n".encode())
    with suppress(RuntimeError):  # an answer that has begun
        await _send_and_close(receive, send, answer)


async def _send_and_close(receive: Receive, send: Send, answer: Answer) -> None:
    """Answer before a body has come, and listen for a moment more: who is cut off while sending
    never hears it."""
    answer.taken("Content-Length")
    length = ("Content-Length", str(len(answer.body)))
    await _start(send, answer.code, [*answer.headers, length, ("Connection", "close")])
    await send({"type": "http.response.body", "body": answer.body, "more_body": True})
    await _ignore_rest(receive)
    await send({"type": "http.response.body", "body": b""})


async def _ignore_rest(receive: Receive) -> None:
    ignored = 0
    with suppress(TimeoutError, ClientGoneError):
        async with asyncio.timeout(_LINGERS):
            async for piece in _pieces(receive):
                ignored += len(piece)
                if ignored > _MOST_IGNORED:
                    return


async def _send_file(path: Path, answer: Answer, scope: Scope, send: Send) -> None:
    """A file, or the range of it that was asked for."""
    size = path.stat().st_size
    wanted = dict(scope["headers"]).get(b"range", b"").decode("latin-1")
    start, stop, code = _range(wanted, size)
    answer.taken("Content-Length")
    headers = [*answer.headers, ("Accept-Ranges", "bytes"), ("Content-Length", str(stop - start))]
    if code != HTTPStatus.OK:
        span = f"{start}-{stop - 1}" if code == HTTPStatus.PARTIAL_CONTENT else "*"
        headers.append(("Content-Range", f"bytes {span}/{size}"))
    await _start(send, code, headers)
    loop = asyncio.get_running_loop()
    with open(path, "rb") as file:
        file.seek(start)
        while start < stop and scope["method"] != "HEAD":
            piece = await loop.run_in_executor(None, file.read, min(_PIECE, stop - start))
            start += len(piece)
            await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


def _range(text: str, size: int) -> tuple[int, int, HTTPStatus]:
    """Where to begin and end, and how to call it; a range that makes no sense is refused."""
    match = _RANGE.fullmatch(text.strip())
    if match is None or match[0] == "bytes=-":
        return 0, size, HTTPStatus.OK
    if match[1]:
        start, stop = int(match[1]), min(int(match[2]) + 1 if match[2] else size, size)
    else:
        start, stop = max(0, size - int(match[2])), size
    if start >= stop:
        return 0, 0, HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE
    return start, stop, HTTPStatus.PARTIAL_CONTENT
