"""Who gets which item next, and what becomes of their answers.

Each step is one transaction that locks the job's row. An item is reserved for a while; then
somebody else may have it, but whoever still answers it loses nothing: the answer counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from cranfield.assessment.jobs import Form
from cranfield.assessment.jobs.filled import FilledForm, HandedIn, votes_of
from cranfield.assessment.votes import Votes
from cranfield.errors import InputError
from cranfield.knowledge import Ontology
from cranfield.server import configuration
from cranfield.server.annotation.models import AnnotationJob, Sheet, Task
from cranfield.server.people.audit import record
from cranfield.server.people.models import Pseudonym
from cranfield.server.submissions.acceptance import MOST_KEY, MOST_TEXT, RefusedError

MOST_SECONDS = 24 * 3600.0


@dataclass(frozen=True)
class Reply:
    """What an annotator sent about an item."""

    key: str
    answers: Mapping[str, Any] = field(default_factory=dict)
    not_sure: Iterable[str] = ()
    comment: str = ""
    revision: int = 0
    """Of the sheet as they saw it."""


def next_sheet(
    job: AnnotationJob, settings: configuration.AnnotationJob, annotator: Pseudonym
) -> Sheet | None:
    """The item that somebody is to answer now: the one that they have, or the next that is free."""
    now = timezone.now()
    with transaction.atomic():
        job = AnnotationJob.objects.select_for_update().get(id=job.id)
        if job.paused or not job.active:
            return None
        own = Sheet.objects.filter(task__job=job, annotator=annotator)
        current = own.filter(state=Sheet.State.RESERVED).order_by("id").first()
        if current is not None:
            current.reserved_until = _until(settings, now)
            current.save(update_fields=["reserved_until"])
            return current
        done = own.exclude(state=Sheet.State.RETURNED)
        if settings.most and done.count() >= settings.most:
            return None
        held = Q(sheets__state=Sheet.State.RESERVED, sheets__reserved_until__gt=now)
        taken = Count("sheets", filter=held | Q(sheets__state=Sheet.State.ANSWERED))
        free = job.tasks.exclude(id__in=done.values("task_id")).annotate(taken=taken)
        task = free.filter(taken__lt=settings.overlap).order_by("number").first()
        if task is None:
            return None
        return _reserve(task, annotator, settings, now)


def _reserve(
    task: Task, annotator: Pseudonym, settings: configuration.AnnotationJob, now: datetime
) -> Sheet:
    sheet, _ = Sheet.objects.update_or_create(
        task=task,
        annotator=annotator,
        defaults={
            "state": Sheet.State.RESERVED, "reserved_until": _until(settings, now), "shown": now
        },
    )  # fmt: skip
    return sheet


def _until(settings: configuration.AnnotationJob, now: datetime) -> datetime:
    return now + timedelta(minutes=settings.minutes)


def answer(sheet: Sheet, reply: Reply, ontology: Ontology | None) -> Sheet:
    """Take answers, or say why not. The same key again changes nothing."""
    if not 0 < len(reply.key) <= MOST_KEY:
        raise RefusedError(f"an idempotency key has 1 to {MOST_KEY} characters")
    if len(reply.comment) > MOST_TEXT:
        raise RefusedError(f"the comment has more than {MOST_TEXT} characters; shorten it")
    job = sheet.task.job
    try:
        filled = FilledForm.read(
            Form.of_content(job.form), reply.answers, not_sure=reply.not_sure, ontology=ontology
        )
        filled.require_complete()
    except InputError as error:
        raise RefusedError(str(error)) from None
    with transaction.atomic():
        sheet = Sheet.objects.select_for_update().get(id=sheet.id)
        if sheet.key == reply.key:
            return sheet
        _require_changeable(sheet)
        if sheet.revision != reply.revision:
            raise RefusedError("this item was answered in another window; load it again")
        now = timezone.now()
        if sheet.seconds is None:
            sheet.seconds = min(MOST_SECONDS, (now - sheet.shown).total_seconds())
        sheet.state = Sheet.State.ANSWERED
        sheet.submitted = now
        sheet.answers, sheet.not_sure = filled.votes, sorted(filled.not_sure)
        sheet.comment, sheet.key = reply.comment, reply.key
        sheet.revision += 1
        sheet.save()
    return sheet


def skip(sheet: Sheet, settings: configuration.AnnotationJob, reason: str) -> None:
    """Leave an item to others, without penalty."""
    if not settings.may_skip:
        raise RefusedError("items of this job cannot be skipped")
    _leave(sheet, Sheet.State.SKIPPED, reason)


def hand_back(sheet: Sheet) -> None:
    """Give a reserved item back, to go on with it later."""
    _leave(sheet, Sheet.State.RETURNED, "")


def _leave(sheet: Sheet, state: Sheet.State, reason: str) -> None:
    with transaction.atomic():
        sheet = Sheet.objects.select_for_update().get(id=sheet.id)
        if sheet.state != Sheet.State.RESERVED:
            raise RefusedError(f"this item is {sheet.state} already")
        sheet.state, sheet.reason = state, reason[:MOST_TEXT]
        sheet.save()


def exclude(sheet: Sheet, who: Pseudonym, reason: str) -> None:
    """Take votes out of everything that is made of them; they stay in the database."""
    if not reason.strip():
        raise RefusedError("say why")
    with transaction.atomic():
        sheet = Sheet.objects.select_for_update().get(id=sheet.id)
        if sheet.state != Sheet.State.ANSWERED:
            raise RefusedError(f"this item is {sheet.state}; only answers can be excluded")
        sheet.state, sheet.reason = Sheet.State.EXCLUDED, reason
        sheet.save()
        record(who, "exclude", sheet, reason=reason)


def _require_changeable(sheet: Sheet) -> None:
    if sheet.state not in (Sheet.State.RESERVED, Sheet.State.ANSWERED):
        raise RefusedError(f"this item is {sheet.state}; go on with the next")
    if sheet.task.job.paused:
        raise RefusedError("the job is paused; your answers can be sent once it goes on")


def job_votes(job: AnnotationJob) -> Votes:
    """The votes of a job under pseudonyms; excluded ones are left out."""
    answered = Sheet.objects.filter(task__job=job, state=Sheet.State.ANSWERED)
    rows = answered.select_related("task", "annotator").order_by("task__number", "annotator__code")
    handed_in = [
        HandedIn(
            sheet.task.item,
            sheet.annotator.code,
            sheet.answers,
            float("nan") if sheet.seconds is None else sheet.seconds,
            sheet.submitted,
            sheet.comment,
        )
        for sheet in rows
    ]
    return votes_of(Form.of_content(job.form).questions, handed_in)
