"""Uploaded files: streamed into the staging folder and hashed on the way."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest, HttpResponse

from cranfield.server import configuration
from cranfield.server.front import ASKING, BEGAN, MOST_HEADER, UPLOAD, Upload
from cranfield.server.submissions.acceptance import RefusedError, StagedFile

_AROUND = 1 << 16
"""Bytes that a form adds to its file."""
_PACKED = (
    b"\x1f\x8b", b"\x1f\x9d", b"PK\x03\x04", b"PK\x05\x06", b"BZh", b"\xfd7zXZ\x00",
    b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18", b"7z\xbc\xaf\x27\x1c", b"Rar!", b"LZIP",
)  # fmt: skip
"""How files begin that gzip, compress, zip, bzip2, xz, zstd, lz4, 7z, RAR or lzip made."""
_PICKLE = re.compile(rb"\x80[\x02-\x05]")


def is_question(request: HttpRequest) -> bool:
    """Whether the front asks if it may receive a body."""
    return bool(request.META.get(ASKING))


def permission(track: configuration.Track) -> HttpResponse:
    """The answer to that: so many bytes."""
    most = (track.largest_run << 20) + _AROUND
    return HttpResponse(status=204, headers={MOST_HEADER: str(most)})


@dataclass(frozen=True)
class StagedUpload:
    """A file of a form, in the staging folder."""

    name: str
    size: int
    path: Path
    sha256: str

    def close(self) -> None:
        """What Django asks of files when a request ends; this one is closed already."""


class StagingHandler(FileUploadHandler):
    """Writes the files of a form to the staging folder."""

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request)
        self._paths: list[Path] = []

    def new_file(self, *args: Any, **options: Any) -> None:
        super().new_file(*args, **options)
        number, name = tempfile.mkstemp(dir=settings.FOLDER.staging, prefix="file-")
        self.path, self.target, self.digest = Path(name), open(number, "wb"), hashlib.sha256()  # noqa: SIM115
        self._paths.append(self.path)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        self.digest.update(raw_data)
        self.target.write(raw_data)

    def file_complete(self, file_size: int) -> StagedUpload:  # type: ignore[override]
        self.target.flush()
        os.fsync(self.target.fileno())
        self.target.close()
        return StagedUpload(self.file_name or "run", file_size, self.path, self.digest.hexdigest())

    def upload_interrupted(self) -> None:
        self.target.close()

    def remove_files(self) -> None:
        """Those that nobody took."""
        for path in self._paths:
            path.unlink(missing_ok=True)


def staged_form_file(request: HttpRequest, upload: StagedUpload) -> StagedFile:
    """The file of a form."""
    return _checked(
        StagedFile(upload.path, upload.name, upload.sha256, upload.size, _began(request))
    )


@contextmanager
def staged_body(request: HttpRequest, name: str) -> Iterator[StagedFile]:
    """A request whose whole body is the file; gone afterwards if nobody took it."""
    upload = request.META.get(UPLOAD)
    if isinstance(upload, Upload):  # the front's to remove
        yield _checked(StagedFile(upload.path, name, upload.sha256, upload.size, _began(request)))
        return
    number, path = tempfile.mkstemp(dir=settings.FOLDER.staging, prefix="file-")
    try:
        with open(number, "wb") as file:
            file.write(request.body)
            file.flush()
            os.fsync(file.fileno())
        digest = hashlib.sha256(request.body).hexdigest()
        yield _checked(StagedFile(Path(path), name, digest, len(request.body), _began(request)))
    finally:
        Path(path).unlink(missing_ok=True)


def _began(request: HttpRequest) -> datetime:
    """When the upload began, as the front saw it; without a front, now."""
    began = request.META.get(BEGAN)
    return began if isinstance(began, datetime) else datetime.now(UTC)


def _checked(file: StagedFile) -> StagedFile:
    """Packed files are refused: what they unpack to has no end; and pickles, which are programs."""
    with open(file.path, "rb") as content:
        head = content.read(8)
    if head.startswith(_PACKED):
        raise RefusedError("packed files and archives are not taken; send the run itself")
    if _PICKLE.match(head):
        raise RefusedError("pickles are not taken; send text, CSV, Parquet or a run of TREC")
    if not file.size:
        raise RefusedError("the file is empty")
    return file
