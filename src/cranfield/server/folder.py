"""The folder of a campaign: where everything lies, and the secret that signs sessions."""

from __future__ import annotations

import fcntl
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from cranfield.server.configuration import Campaign, read_campaign

VARIABLE = "CRANFIELD_CAMPAIGN"
"""The environment variable that names the folder to Django's settings."""


@dataclass(frozen=True)
class CampaignFolder:
    """Paths; nothing is read before somebody asks."""

    path: Path

    @classmethod
    def current(cls) -> CampaignFolder:
        """The folder that this process serves."""
        return cls(Path(os.environ.get(VARIABLE, "")))

    @cached_property
    def campaign(self) -> Campaign:
        return read_campaign(self.path)

    def address(self, chosen: str | None = None) -> str:
        """At which the server is reached, as links have it."""
        return (chosen or self.campaign.address or "http://localhost:8000").rstrip("/") + "/"

    def collection(self, track: str) -> Path:
        """Truth, ontology, splits: never served."""
        return self.path / "tracks" / track / "collection"

    def downloads(self, track: str) -> Path:
        return self.path / "tracks" / track / "downloads"

    def images(self, track: str) -> Path:
        """Pictures of items, for annotators."""
        return self.path / "tracks" / track / "images"

    def downloadable(self, track: str) -> list[Path]:
        """Files for groups: those that lie there themselves, not what links lead to."""
        folder = self.downloads(track)
        if not folder.is_dir():
            return []
        return sorted(path for path in folder.iterdir() if path.is_file() and not path.is_symlink())

    @property
    def var(self) -> Path:
        """What the server keeps for itself."""
        return self.path / "var"

    @property
    def staging(self) -> Path:
        """Uploads on their way in."""
        return self.var / "staging"

    @property
    def logs(self) -> Path:
        return self.var / "logs"

    @property
    def backups(self) -> Path:
        return self.var / "backups"

    @property
    def database(self) -> Path:
        return self.var / "campaign.sqlite3"

    def run_file(self, sha256: str) -> Path:
        return self.var / "runs" / sha256[:2] / sha256

    def analysis(self, key: str) -> Path:
        """The result of a stored analysis."""
        return self.var / "analyses" / key[:2] / f"{key}.json"

    def edition(self, track: str, number: int) -> Path:
        """The collection as it was when an edition was made: never served."""
        return self.var / "editions" / track / str(number)

    def make(self) -> None:
        """The folders of the server, closed to other users of the machine."""
        for folder in (
            self.var,
            self.staging,
            self.var / "runs",
            self.var / "editions",
            self.var / "analyses",
            self.backups,
        ):
            folder.mkdir(mode=0o700, exist_ok=True)
        if not self._secret_file.exists():
            with open(
                os.open(self._secret_file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w"
            ) as file:
                file.write(secrets.token_urlsafe(50))

    @contextmanager
    def desk(self) -> Iterator[Path]:
        """A folder for a piece of work, locked while its process lives and gone afterwards."""
        with tempfile.TemporaryDirectory(dir=self.staging, prefix="desk-") as name:
            lock = os.open(name, os.O_RDONLY)
            try:
                fcntl.flock(lock, fcntl.LOCK_SH)
                yield Path(name)
            finally:
                os.close(lock)

    def sweep_desks(self) -> None:
        """Remove what killed processes left; desks of those that live are locked."""
        for desk in self.staging.glob("desk-*"):
            try:
                lock = os.open(desk, os.O_RDONLY)
            except FileNotFoundError:  # its process is done with it
                continue
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(desk, ignore_errors=True)
            except BlockingIOError:
                pass
            finally:
                os.close(lock)

    def sweep_uploads(self) -> None:
        """Remove uploads that a killed server left; it must not be running."""
        for upload in self.staging.iterdir():
            if upload.is_file():
                upload.unlink()

    @property
    def secret(self) -> str:
        return self._secret_file.read_text()

    @property
    def _secret_file(self) -> Path:
        return self.var / "secret"
