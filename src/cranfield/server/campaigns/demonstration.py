"""A campaign to look around in: simulated groups submit the runs that were simulated for them."""

from __future__ import annotations

import hashlib
import shutil
from datetime import UTC, datetime
from pathlib import Path

from cranfield.core.progress import Progress, silent
from cranfield.core.reference_names import is_system
from cranfield.formats.two_columns import read_groups_of_runs
from cranfield.server.campaigns.models import Entry, Phase
from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs.worker import Worker
from cranfield.server.people.models import Group, Membership, Pseudonym, User
from cranfield.server.submissions.acceptance import Description, StagedFile, submit

_LETTERS = "VTM"


def populate(folder: CampaignFolder, runs: Path, groups: Path, progress: Progress = silent) -> None:
    """Submit runs, each for its group, as a member of it would; then score them all."""
    phase = Phase.objects.get()
    whose = read_groups_of_runs(groups)
    listed = sorted(path for path in runs.iterdir() if path.is_file())
    for number, path in enumerate(listed):
        name = path.name.partition(".")[0]
        group = _group(whose[name], phase) if is_system(name) else None
        submit(
            folder,
            _staged(folder, path),
            Description(name, "Simulated.", _LETTERS[number % 3]),
            phase=phase,
            group=group,
            who=_member(group),
            key=name,
        )
    worker = Worker(folder)
    with progress("scoring runs", len(listed)) as step:
        while worker.work_once():
            step(1)


def _staged(folder: CampaignFolder, path: Path) -> StagedFile:
    copy = folder.staging / path.name
    shutil.copyfile(path, copy)
    content = copy.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    return StagedFile(copy, path.name, digest, len(content), datetime.now(UTC))


def _group(name: str, phase: Phase) -> Group:
    group, new = Group.objects.get_or_create(name=name, defaults={"affiliation": "Simulated"})
    if new:
        user = User.objects.create_user(f"{name.lower()}@example.org", name=f"A member of {name}")
        Membership.objects.create(user=user, group=group)
        Entry.objects.create(group=group, track=phase.track)
    return group


def _member(group: Group | None) -> Pseudonym:
    """Who submits: a member of the group, or nobody in particular."""
    if group is None:
        return Pseudonym.objects.create()
    return Pseudonym.objects.get(user__groups=group)
