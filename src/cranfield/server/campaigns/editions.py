"""Editions: the collections of a campaign's folder become what runs are scored by."""

from __future__ import annotations

import csv
import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Max

from cranfield import formats
from cranfield.collections.collection import Collection
from cranfield.core import run as core
from cranfield.core.atomic_write import replaced
from cranfield.engine import evaluate
from cranfield.errors import CranfieldError, FileError
from cranfield.formats import folder as folders
from cranfield.measures import measure
from cranfield.server import configuration
from cranfield.server.annotation.setting_up import synchronise_jobs
from cranfield.server.campaigns.downloads import require_no_hidden_labels
from cranfield.server.campaigns.models import (
    Campaign,
    Correction,
    Edition,
    Licence,
    Phase,
    Track,
)
from cranfield.server.campaigns.splits import divided, whole_and_parts
from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs import queue
from cranfield.server.jobs.scoring import TRAINING, test_part
from cranfield.server.people.audit import record
from cranfield.server.submissions.models import Run

SCORED = (Run.State.CHECKING, Run.State.ACCEPTED, Run.State.DISQUALIFIED)
"""States of runs that have scores."""
_KNOWLEDGE = ("ontology.*", "agreement.csv", "costs/*", "relatedness/*")


@transaction.atomic
def synchronise(folder: CampaignFolder) -> None:
    """Bring the database to what `campaign.toml` and the collections say."""
    settings = folder.campaign
    campaign, _ = Campaign.objects.update_or_create(id=1, defaults={"title": settings.title})
    campaign.tracks.exclude(name__in=[track.name for track in settings.tracks]).update(active=False)
    for order, described in enumerate(settings.tracks):
        track, _ = campaign.tracks.update_or_create(
            name=described.name,
            defaults={
                "title": described.title or described.name, "order": order, "active": True
            },
        )  # fmt: skip
        _synchronise_phases(folder, track, described)
        renew_edition(folder, track)
        synchronise_jobs(folder, track)
    if settings.licence is not None:
        _synchronise_licence(folder, settings.licence)


def _synchronise_licence(folder: CampaignFolder, described: configuration.Licence) -> None:
    """What people agreed to stays as it was when they did."""
    licence, _ = Licence.objects.get_or_create(
        version=described.version, defaults={"text": described.text}
    )
    if licence.text == described.text:
        return
    if licence.acceptances.exists():
        raise FileError(
            folder.path / configuration.FILE,
            f"licence: people have agreed to another text as version {licence.version!r}; give the "
            "new text a new version, and they are asked again",
        )
    licence.text = described.text
    licence.save()


def _synchronise_phases(
    folder: CampaignFolder, track: Track, described: configuration.Track
) -> None:
    gone = track.phases.exclude(name__in=[phase.name for phase in described.phases])
    used = gone.filter(runs__isnull=False).first()
    if used is not None:
        raise FileError(
            folder.path / configuration.FILE,
            f"the phase {used.name!r} of {track.name!r} has runs and is no longer there; put it "
            "back, and change its dates if it is to end",
        )
    gone.delete()
    for order, phase in enumerate(described.phases):
        before = track.phases.filter(name=phase.name).first()
        row, _ = Phase.objects.update_or_create(
            track=track,
            name=phase.name,
            defaults={
                "title": phase.title or phase.name,
                "order": order,
                "opens": phase.opening,
                "closes": phase.closing,
                "zone": phase.zone,
            },
        )
        if before is None or (before.opens, before.closes) != (row.opens, row.closes):
            record(None, "dates of a phase", row, opens=str(row.opens), closes=str(row.closes))


def renew_edition(
    folder: CampaignFolder, track: Track, reason: str = "", *, source: Path | None = None
) -> Edition:
    """The edition of the collection as it is now: a new one if anything changed.

    source  a collection to take instead of the one in the campaign's folder
    """
    described = folder.campaign.track(track.name)
    if source is None:
        finish_corrections(folder, track)
        source = folder.collection(track.name)
    whole = test_part(formats.read_collection(source))
    require_no_hidden_labels(folder, track.name, whole)
    splits = divided(whole, described.private_share, folder.secret)
    parts = whole_and_parts(whole, splits)
    content: dict[str, Any] = {
        "truths": {split: part.truth.digest for split, part in parts.items()},
        "measures": [
            (str(m), m.traits.revision)
            for m in (measure(spelling).on(whole.truth) for spelling in described.measures)
        ],
        "rules": {
            "missing": described.missing, "extra": described.extra, "level": described.level
        },
    }  # fmt: skip
    described_by = json.dumps([content, _knowledge_digest(source)], sort_keys=True)
    digest = hashlib.sha256(described_by.encode()).hexdigest()
    last = track.editions.order_by("-number").first()
    if last is not None and last.digest == digest:
        return last
    _require_scorable(folder, described, whole)
    number = (track.editions.aggregate(last=Max("number"))["last"] or 0) + 1
    _copy(source, folder.edition(track.name, number), splits)
    edition = Edition.objects.create(
        track=track, number=number, digest=digest, reason=reason, **content
    )
    queue.enqueue(Run.objects.filter(phase__track=track, state__in=SCORED), edition)
    track.raise_revision()
    record(None, "new edition", edition, track=track.name, number=number, reason=reason)
    return edition


def finish_corrections(folder: CampaignFolder, track: Track) -> None:
    """Bring the collection in the folder to the newest correction, if it is not there yet."""
    pending = Correction.objects.filter(edition__track=track, applied=False)
    newest = pending.order_by("-edition__number").select_related("edition").first()
    if newest is None:
        return
    source = folders.truth_file(folder.edition(track.name, newest.edition.number))
    with replaced(folder.collection(track.name) / source.name) as target, open(source, "rb") as new:
        shutil.copyfileobj(new, target)
    pending.update(applied=True)


def _knowledge_digest(collection: Path) -> str:
    """Of the files that say what is known about concepts."""
    digest = hashlib.sha256()
    for pattern in _KNOWLEDGE:
        for path in sorted(path for path in collection.glob(pattern) if path.is_file()):
            digest.update(f"{path.relative_to(collection)}\0{path.stat().st_size}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _require_scorable(
    folder: CampaignFolder, described: configuration.Track, whole: Collection
) -> None:
    """Refuse measures that ask for more than the collection has, before they refuse every run."""
    truth = whole.truth
    if truth.open:
        return
    perfect = core.Run(
        truth.labels.astype(float),
        labels=truth.labels,
        items=truth.item_axis,
        concepts=truth.concept_axis,
    )
    try:
        evaluate(whole, perfect, described.measures)
    except CranfieldError as error:
        raise FileError(
            folder.path / configuration.FILE,
            f"track {described.name!r}: {error.what}; add it to "
            f"{folder.collection(described.name)}, or take the measure out",
        ) from None


def _copy(collection: Path, target: Path, splits: Mapping[str, str]) -> None:
    """Keep a collection as it is now, with the splits of its test items."""
    shutil.rmtree(target, ignore_errors=True)  # of an edition that was not finished
    shutil.copytree(collection, target, ignore=shutil.ignore_patterns("runs", "runs.csv"))
    listed = formats.read_collection(collection).splits
    training = {item: split for item, split in listed.items() if split == TRAINING}
    (target / "splits.csv").unlink(missing_ok=True)
    if splits or training:
        with open(target / "splits.csv", "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("item", "split"), *{**splits, **training}.items()])
