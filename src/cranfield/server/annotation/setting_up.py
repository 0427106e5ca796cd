"""Annotation jobs of `campaign.toml` become rows: a form, and the items in the order to be asked.

The order is drawn from the campaign's secret, so that an item keeps its place when others are
added. A form stays as it was once somebody has answered it.
"""

from __future__ import annotations

import hmac
from functools import lru_cache
from pathlib import Path

from cranfield import formats
from cranfield.assessment.jobs import Form
from cranfield.collections.collection import Collection
from cranfield.errors import CranfieldError, FileError
from cranfield.knowledge import Ontology
from cranfield.server import configuration
from cranfield.server.annotation.models import AnnotationJob, Sheet, Task
from cranfield.server.campaigns.models import Track
from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs.scoring import TRAINING


def synchronise_jobs(folder: CampaignFolder, track: Track) -> None:
    """Bring the annotation jobs of a track to what `campaign.toml` says."""
    declared = folder.campaign.track(track.name).annotation
    names = [job.name for job in declared]
    track.annotation_jobs.exclude(name__in=names).update(active=False)
    if not declared:
        return
    collection = formats.read_collection(folder.collection(track.name))
    for settings in declared:
        _synchronise(folder, track, settings, collection)


def _synchronise(
    folder: CampaignFolder,
    track: Track,
    settings: configuration.AnnotationJob,
    collection: Collection,
) -> None:
    try:
        form = form_of(collection, settings).content
    except CranfieldError as error:
        problem = f"annotation job {settings.name}: {error}"
        raise FileError(folder.path / configuration.FILE, problem) from None
    members = {"title": settings.title or settings.name, "active": True}
    job, made = AnnotationJob.objects.get_or_create(
        track=track, name=settings.name, defaults={**members, "form": form}
    )
    answered = not made and Sheet.objects.filter(task__job=job).exclude(submitted=None).exists()
    AnnotationJob.objects.filter(id=job.id).update(**members, form=job.form if answered else form)
    _add_tasks(job, _items(collection, settings), settings, folder.secret)


def form_of(collection: Collection, settings: configuration.AnnotationJob) -> Form:
    """What is asked: by the ontology where there is one, else a box for each concept."""
    if collection.ontology is not None:
        return Form.of_ontology(collection.ontology, settings.concepts or None)
    return Form.of_concepts(settings.concepts or collection.concepts)


def _items(collection: Collection, settings: configuration.AnnotationJob) -> list[str]:
    if settings.items == "all":
        return list(collection.items)
    training = settings.items == TRAINING
    splits = collection.splits
    return [item for item in collection.items if (splits.get(item) == TRAINING) == training]


def _add_tasks(
    job: AnnotationJob, items: list[str], settings: configuration.AnnotationJob, secret: str
) -> None:
    there = set(job.tasks.values_list("item", flat=True))
    new = [item for item in items if item not in there]
    if settings.order == "drawn":
        new.sort(key=lambda item: _drawn(secret, job.name, item))
    Task.objects.bulk_create(
        Task(job=job, number=number, item=item) for number, item in enumerate(new, len(there) + 1)
    )


def _drawn(secret: str, job: str, item: str) -> bytes:
    return hmac.digest(secret.encode(), f"order\0{job}\0{item}".encode(), "sha256")


def ontology_of(folder: CampaignFolder, track: Track) -> Ontology | None:
    """The ontology of the track's last edition."""
    edition = track.editions.order_by("-number").first()
    return None if edition is None else _ontology(folder.edition(track.name, edition.number))


@lru_cache(maxsize=16)
def _ontology(collection: Path) -> Ontology | None:
    """Collections of editions never change."""
    return formats.read_collection(collection).ontology
