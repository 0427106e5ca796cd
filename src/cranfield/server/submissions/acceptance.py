"""Taking a run: deadline, licence, quota and file, decided in one transaction.

A quota is of people as much as of groups: who is in two groups has one quota, so the runs of all
groups that share a member with the submitter count. The rows of these groups are locked first.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from cranfield.server import configuration
from cranfield.server.campaigns.models import Edition, Entry, Phase, Track
from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs import queue
from cranfield.server.people.audit import record
from cranfield.server.people.models import Group, Pseudonym
from cranfield.server.submissions.models import Run


class RefusedError(Exception):
    """A submission that is not taken; the message says why and how to mend it."""


@dataclass(frozen=True)
class StagedFile:
    """An upload that the front has received."""

    path: Path
    name: str
    sha256: str
    size: int
    began: datetime


@dataclass(frozen=True)
class Description:
    """What a group says of its run."""

    name: str
    description: str = ""
    modality: str = ""
    primary: bool = False
    threshold: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)


def submit(
    folder: CampaignFolder,
    file: StagedFile,
    described: Description,
    *,
    phase: Phase,
    group: Group | None,
    who: Pseudonym,
    key: str,
) -> Run:
    """Take a run, or say why not. The same key gets the same run, however often it is sent."""
    settings = folder.campaign.track(phase.track.name)
    require_fields(described, settings)
    with transaction.atomic():
        groups = _locked(group, who)
        same = Run.objects.filter(group=group, key=key).first()
        if same is not None:
            if same.sha256 != file.sha256:
                raise RefusedError("this key was used for another file; send a new key with it")
            return same
        slot = None
        if group is not None:
            _require_open(phase, file.began)
            _require_entry(group, phase.track)
            slot = _free_slot(groups, group, phase, settings.quota)
        _store(folder, file)
        run = Run.objects.create(
            group=group,
            phase=phase,
            slot=slot,
            name=described.name,
            description=described.description,
            modality=described.modality,
            primary=described.primary,
            threshold=described.threshold,
            fields=dict(described.fields),
            sha256=file.sha256,
            size=file.size,
            file_name=file.name,
            key=key,
            submitted_by=who,
            began=file.began,
        )
        if run.primary:
            _only_primary(run)
        queue.enqueue([run], Edition.objects.filter(track=phase.track).latest("number"))
        Track.objects.filter(id=phase.track_id).update(revision=F("revision") + 1)
        record(who, "submit", run, sha256=run.sha256, slot=slot)
    return run


def retract(run: Run, who: Pseudonym) -> None:
    """Take a run back, until its phase closes. Its slot is free again unless a score was shown."""
    with transaction.atomic():
        run = Run.objects.select_for_update().get(id=run.id)
        if run.phase.is_closed(timezone.now()):
            raise RefusedError("the phase is closed; ask the organisers")
        if run.state not in (Run.State.CHECKING, Run.State.ACCEPTED):
            raise RefusedError(f"the run is {run.state} already")
        run.state = Run.State.RETRACTED
        if not run.shown:
            run.slot = None
        run.save()
        Track.objects.filter(id=run.phase.track_id).update(revision=F("revision") + 1)
        record(who, "retract", run)


def require_fields(described: Description, settings: configuration.Track) -> None:
    """Refuse a description that lacks something, or says what cannot be said."""
    if not described.name.strip():
        raise RefusedError("the run has no name; give it one")
    if settings.modalities and described.modality not in settings.modalities:
        letters = ", ".join(f"{letter} ({word})" for letter, word in settings.modalities.items())
        raise RefusedError(f"choose a modality: {letters}")
    known = {declared.name for declared in settings.fields}
    strange = next((name for name in described.fields if name not in known), None)
    if strange is not None:
        raise RefusedError(f"there is no field {strange!r}; there are: {', '.join(sorted(known))}")
    for declared in settings.fields:
        value = described.fields.get(declared.name)
        title = declared.title or declared.name
        if declared.required and value in (None, "", False):
            raise RefusedError(f"{title}: this field is required")
        if declared.kind == "choice" and value and value not in declared.choices:
            raise RefusedError(f"{title}: choose one of {', '.join(declared.choices)}")
        if declared.kind == "url" and value and not str(value).startswith(("http://", "https://")):
            raise RefusedError(f"{title}: give an address that begins with https://")


def runs_left(group: Group, phase: Phase, quota: int) -> int:
    """How many runs a group may still submit in a phase."""
    taken = Run.objects.filter(phase=phase, slot__isnull=False, group_id__in=_related(group))
    return max(0, quota - taken.count())


def _related(group: Group) -> list[int]:
    """Ids of all groups whose runs count for the quota of a group."""
    related = Group.objects.filter(members__groups=group) | Group.objects.filter(id=group.id)
    return sorted(set(related.values_list("id", flat=True)))


def _locked(group: Group | None, who: Pseudonym) -> list[int]:
    """Ids of all groups whose runs count for the quota; nobody else can submit for them now."""
    if group is None:
        return []
    ids = _related(group)
    list(Group.objects.select_for_update().filter(id__in=ids).order_by("id"))
    return ids


def _require_open(phase: Phase, began: datetime) -> None:
    if phase.is_closed(began):
        raise RefusedError(f"{phase.title} closed at {phase.closes:%Y-%m-%d %H:%M} UTC")
    if not phase.is_open(began):
        raise RefusedError(f"{phase.title} opens at {phase.opens:%Y-%m-%d %H:%M} UTC")


def _require_entry(group: Group, track: Track) -> None:
    if not Entry.objects.filter(group=group, track=track).exists():
        raise RefusedError(f"{group} does not take part in {track}; enter the track first")


def _free_slot(groups: list[int], group: Group, phase: Phase, quota: int) -> int:
    taken = Run.objects.filter(phase=phase, slot__isnull=False)
    if taken.filter(group_id__in=groups).count() >= quota:
        raise RefusedError(
            f"the quota of {quota} runs is used up; retract a run whose score nobody has seen"
        )
    own = set(taken.filter(group=group).values_list("slot", flat=True))
    return next(slot for slot in range(1, quota + 1) if slot not in own)


def _store(folder: CampaignFolder, file: StagedFile) -> None:
    """Move an upload to where it stays; the folder's entry is on the disk before the row is."""
    target = folder.run_file(file.sha256)
    target.parent.mkdir(mode=0o700, exist_ok=True)
    if target.exists():
        file.path.unlink()
        return
    os.replace(file.path, target)
    descriptor = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _only_primary(run: Run) -> None:
    """A group has one primary run in a phase: the last that it called so."""
    Run.objects.filter(group=run.group, phase=run.phase).exclude(id=run.id).update(primary=False)
