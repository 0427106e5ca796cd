"""Scoring again: by what the folder holds now, or because somebody at the command line says so."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from cranfield.server.campaigns.editions import SCORED, renew_edition
from cranfield.server.campaigns.models import Track
from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs.models import Job
from cranfield.server.people.audit import record

_ENDED = (Job.State.DONE, Job.State.FAILED, Job.State.HELD)


@transaction.atomic
def rescore_track(
    folder: CampaignFolder, name: str, reason: str, *, again: bool
) -> tuple[str, int, bool, int]:
    """Name, edition, whether it is new, and how many runs wait for their scores.

    again  put what is scored, or failed, into the queue as well
    """
    track = Track.objects.select_for_update().get(name=name)
    before = track.editions.first()
    edition = renew_edition(folder, track, reason)
    jobs = Job.objects.filter(edition=edition, run__state__in=SCORED)
    if again:
        jobs.filter(state__in=_ENDED).update(
            state=Job.State.QUEUED, attempt=0, crashes=0, error="", not_before=timezone.now()
        )
    new = before is None or before.id != edition.id
    if new or again:
        record(None, "rescore", track, edition=edition.number, reason=reason)
    waiting = jobs.filter(state__in=(Job.State.QUEUED, Job.State.RUNNING)).count()
    return name, edition.number, new, waiting
