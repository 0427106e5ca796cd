"""Taking a run: deadline, licence, quota and file, decided in one transaction.

A quota is of people as much as of groups: who is in two groups, or left one for another, has one
quota, so the runs of all groups that a member of the submitting group is or was in count. The rows
of these groups are locked first.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from cranfield.server import configuration
from cranfield.server.campaigns.models import Edition, Entry, Phase, Track
from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs import queue
from cranfield.server.people.audit import record
from cranfield.server.people.models import Group, Pseudonym
from cranfield.server.submissions.models import Run

MOST_NAME, MOST_FIELD, MOST_TEXT, MOST_THRESHOLD = 100, 1000, 10_000, 1 << 19
"""Characters."""
MOST_KEY = 64
FORMULA = "=+-@"
"""What formulas of spreadsheets begin with."""
_ADDRESS = URLValidator(schemes=["http", "https"])


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
    if not 0 < len(key) <= MOST_KEY or not key.isprintable():
        raise RefusedError(f"an idempotency key has 1 to {MOST_KEY} printable characters")
    _require_text("the name of the file", file.name, MOST_TEXT)
    with transaction.atomic():
        groups = _locked(group, phase.track)
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
            file_name=file.name[-200:],
            key=key,
            submitted_by=who,
            began=file.began,
        )
        if run.primary:
            _only_primary(run)
        queue.enqueue([run], Edition.objects.filter(track=phase.track).latest("number"))
        phase.track.raise_revision()
        record(who, "submit", run, sha256=run.sha256, slot=slot)
    return run


def retract(folder: CampaignFolder, run: Run, who: Pseudonym) -> None:
    """Take a run back, until its phase closes. Its slot is free again unless a score was shown:
    once it is scored, the board shows it to somebody."""
    with transaction.atomic():
        run = Run.objects.select_for_update().get(id=run.id)
        if run.phase.is_closed(timezone.now()):
            raise RefusedError("the phase is closed; ask the organisers")
        if run.state not in (Run.State.CHECKING, Run.State.ACCEPTED):
            raise RefusedError(f"the run is {run.state} already")
        shows = folder.campaign.track(run.phase.track.name).shows
        if run.state == Run.State.CHECKING or shows == "nothing":
            run.slot = None
        run.state = Run.State.RETRACTED
        run.save()
        run.phase.track.raise_revision()
        record(who, "retract", run)


def require_fields(described: Description, settings: configuration.Track) -> None:
    """Refuse a description that lacks something, or says what cannot be said."""
    require_name(described.name, "the name of the run")
    for what, text, most in (
        ("description", described.description, MOST_TEXT),
        ("threshold", described.threshold, MOST_THRESHOLD),
    ):
        _require_text(what, text, most)
    _require_modality(described.modality, settings)
    names = [declared.name for declared in settings.fields]
    strange = next((name for name in described.fields if name not in names), None)
    if strange is not None:
        listed = ", ".join(sorted(names)) or "none"
        raise RefusedError(f"there is no field {strange!r}; there are: {listed}")
    for declared in settings.fields:
        _require_field(declared, described.fields.get(declared.name))


def _require_modality(modality: str, settings: configuration.Track) -> None:
    letters = settings.modalities or {}
    if modality in letters or (not letters and not modality):
        return
    choices = ", ".join(f"{letter} ({word})" for letter, word in letters.items())
    raise RefusedError(
        f"choose a modality: {choices}" if choices else "this track knows no modalities"
    )


def _require_field(declared: configuration.RunField, value: Any) -> None:
    title = declared.title or declared.name
    if value in (None, "", False):
        if declared.required:
            raise RefusedError(f"{title}: this field is required")
        return
    if declared.kind == "flag":
        if value is not True:
            raise RefusedError(f"{title}: say true or false")
        return
    if not isinstance(value, str):
        raise RefusedError(f"{title}: write a text")
    _require_text(title, value, MOST_FIELD)
    if declared.kind == "choice" and value not in declared.choices:
        raise RefusedError(f"{title}: choose one of {', '.join(declared.choices)}")
    if declared.kind == "url":
        try:
            _ADDRESS(value)
        except ValidationError:
            raise RefusedError(f"{title}: give an address such as https://example.org") from None


def runs_left(group: Group, phase: Phase, quota: int) -> int:
    """How many runs a group may still submit in a phase."""
    taken = Run.objects.filter(phase=phase, slot__isnull=False, group_id__in=_related(group))
    return max(0, quota - taken.count())


def require_name(name: str, what: str) -> None:
    """Refuse a name that cannot be seen, is too long, or is a formula to a spreadsheet."""
    if not name.strip():
        raise RefusedError(f"{what} is empty; write one")
    if not name.isprintable() or name[0] in FORMULA or name != name.strip():
        raise RefusedError(f"{what}: {name!r}; use signs that can be seen, a letter or digit first")
    _require_text(what, name, MOST_NAME)


def _require_text(what: str, text: str, most: int) -> None:
    if len(text) > most:
        raise RefusedError(f"{what}: {len(text)} characters; write at most {most}")
    if "\0" in text:
        raise RefusedError(f"{what}: it holds a NUL character; leave it out")


def _related(group: Group) -> list[int]:
    """Ids of all groups whose runs count for the quota of a group."""
    people = group.members.values("id")
    related = Group.objects.filter(
        Q(id=group.id) | Q(memberships__user__in=people) | Q(departures__user__in=people)
    )
    return sorted(set(related.values_list("id", flat=True)))


def _locked(group: Group | None, track: Track) -> list[int]:
    """Ids of all groups whose runs count for the quota; nobody else can submit for them now."""
    if group is None:
        Track.objects.select_for_update().get(id=track.id)
        return []
    ids = _related(group)
    list(Group.objects.select_for_update().filter(id__in=ids).order_by("id"))
    return ids


def _require_open(phase: Phase, began: datetime) -> None:
    if phase.is_closed(began):
        raise RefusedError(f"{phase.title} closed at {phase.closes:%Y-%m-%d %H:%M} UTC")
    if phase.is_over(timezone.now()):
        raise RefusedError(
            f"{phase.title} closed at {phase.closes:%Y-%m-%d %H:%M} UTC, and the upload took too "
            "long after that"
        )
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
