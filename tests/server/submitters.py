"""Groups that submit runs to the campaign of a test."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any

from photo_campaign import TRUTH

from cranfield.server import configuration
from cranfield.server.campaigns.models import Entry, Phase
from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs.worker import Worker
from cranfield.server.people.models import Group, Membership, Pseudonym, User
from cranfield.server.submissions.acceptance import Description, StagedFile, submit
from cranfield.server.submissions.models import Run

GOOD = TRUTH.replace(",1", ",0.9").replace(",0\n", ",0.2\n")
"""A run that is nearly right."""


class Submitter:
    """A group with one member, who submits to a phase; the only one unless told which."""

    def __init__(self, folder: CampaignFolder, name: str, phase: Phase | None = None) -> None:
        self.folder = folder
        self.user = User.objects.create_user(f"{name}@example.org", name=name)
        self.group = Group.objects.create(name=name)
        self.phase = phase or Phase.objects.get()
        Membership.objects.create(user=self.user, group=self.group)
        Entry.objects.create(group=self.group, track=self.phase.track)
        self.sent = 0

    @property
    def who(self) -> Pseudonym:
        return Pseudonym.objects.get(user=self.user)

    @property
    def track(self) -> configuration.Track:
        return self.folder.campaign.track(self.phase.track.name)

    def scored(self, text: str = GOOD, **options: Any) -> Run:
        """A run that is submitted and scored."""
        run = self.submit(text, **options)
        while Worker(self.folder).work_once():
            pass
        run.refresh_from_db()
        return run

    def submit(self, text: str, *, group: Group | None = None, **options: Any) -> Run:
        self.sent += 1
        key = options.pop("key", f"{self.user.name}-{self.sent}")
        content = text.encode()
        staged = self.folder.staging / f"upload-{key}"
        staged.write_bytes(content)
        file = StagedFile(
            staged,
            "run.csv",
            hashlib.sha256(content).hexdigest(),
            len(content),
            options.pop("began", datetime.now(UTC)),
        )
        described = Description(
            **{"name": "run", "modality": next(iter(self.track.modalities or {}), "")} | options
        )
        return submit(
            self.folder,
            file,
            described,
            phase=self.phase,
            group=group or self.group,
            who=self.who,
            key=key,
        )
