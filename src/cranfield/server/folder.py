"""The folder of a campaign: where everything lies, and the secret that signs sessions."""

from __future__ import annotations

import os
import secrets
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

    def collection(self, track: str) -> Path:
        """Truth, ontology, splits: never served."""
        return self.path / "tracks" / track / "collection"

    def downloads(self, track: str) -> Path:
        return self.path / "tracks" / track / "downloads"

    @property
    def var(self) -> Path:
        """What the server keeps for itself."""
        return self.path / "var"

    @property
    def staging(self) -> Path:
        """Uploads on their way in."""
        return self.var / "staging"

    @property
    def backups(self) -> Path:
        return self.var / "backups"

    @property
    def database(self) -> Path:
        return self.var / "campaign.sqlite3"

    def run_file(self, sha256: str) -> Path:
        return self.var / "runs" / sha256[:2] / sha256

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
            self.backups,
        ):
            folder.mkdir(mode=0o700, exist_ok=True)
        if not self._secret_file.exists():
            with open(
                os.open(self._secret_file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w"
            ) as file:
                file.write(secrets.token_urlsafe(50))

    @property
    def secret(self) -> str:
        return self._secret_file.read_text()

    @property
    def _secret_file(self) -> Path:
        return self.var / "secret"
