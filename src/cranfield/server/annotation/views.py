"""Pages of the annotation room: jobs, one item after the other, and what organisers see of it."""

from __future__ import annotations

import secrets
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cranfield.assessment.agreement import analyse_agreement
from cranfield.assessment.files import write_votes
from cranfield.assessment.jobs import Form
from cranfield.errors import InputError
from cranfield.server import configuration
from cranfield.server.access import (
    active_track,
    competes_in,
    is_annotator,
    logged_in,
    may_annotate,
    organisers_only,
    pseudonym,
)
from cranfield.server.annotation import assignment
from cranfield.server.annotation.images import original, shown_copy
from cranfield.server.annotation.models import AnnotationJob, Sheet, Task
from cranfield.server.annotation.setting_up import ontology_of
from cranfield.server.annotation.shortcuts import shortcuts
from cranfield.server.front import FILE_HEADER
from cranfield.server.people.audit import record
from cranfield.server.people.models import User
from cranfield.server.results.board_page import shown_table
from cranfield.server.submissions.acceptance import RefusedError

_ANSWERED = Q(tasks__sheets__state=Sheet.State.ANSWERED)


@login_required
@require_safe
def jobs(request: HttpRequest) -> HttpResponse:
    """The jobs that somebody may work on, and how far they are."""
    user = logged_in(request)
    if not is_annotator(user):
        raise PermissionDenied("Ask an organiser to make you an annotator.")
    mine = _ANSWERED & Q(tasks__sheets__annotator=pseudonym(user))
    listed = AnnotationJob.objects.filter(active=True, track__active=True).annotate(
        items=Count("tasks", distinct=True),
        own=Count("tasks__sheets", filter=mine, distinct=True),
    )
    allowed = [job for job in listed.select_related("track") if may_annotate(user, job.track)]
    return render(request, "annotate.html", {"jobs": allowed})


@login_required
@require_safe
def work(request: HttpRequest, track: str, job: str) -> HttpResponse:
    """The next item of a job."""
    user = logged_in(request)
    shown = get_object_or_404(AnnotationJob, track=active_track(track), name=job, active=True)
    _require_annotator(user, shown)
    sheet = assignment.next_sheet(shown, _settings(shown), pseudonym(user))
    if sheet is None:
        return render(request, "annotated.html", {"job": shown})
    return redirect("sheet", sheet.id)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def sheet(request: HttpRequest, id: int) -> HttpResponse:
    """An item with its form: answered, skipped or handed back."""
    user = logged_in(request)
    shown = _own_sheet(user, id)
    job = shown.task.job
    _require_annotator(user, job)
    problem, code = "", 200
    if request.method == "POST":
        try:
            _act(request, shown)
            return redirect("annotation-work", job.track.name, job.name)
        except RefusedError as error:
            problem, code = str(error), 422
            shown.refresh_from_db()
    return render(request, "sheet.html", _sheet_context(request, shown, problem), status=code)


def _own_sheet(user: User, id: int) -> Sheet:
    sheets = Sheet.objects.select_related("task__job__track")
    return get_object_or_404(sheets, id=id, annotator__user=user)


def _act(request: HttpRequest, shown: Sheet) -> None:
    sent = request.POST
    action = sent.get("action", "answer")
    if action == "skip":
        assignment.skip(shown, _settings(shown.task.job), sent.get("comment", ""))
    elif action == "back":
        assignment.hand_back(shown)
    else:
        job = shown.task.job
        assignment.answer(shown, _reply(request), ontology_of(settings.FOLDER, job.track))


def _reply(request: HttpRequest) -> assignment.Reply:
    sent = request.POST
    choices = {name[2:]: sent[name] for name in sent if name.startswith("q:")}
    ticked = dict.fromkeys(sent.getlist("box"), "yes")
    revision = sent.get("revision", "")
    return assignment.Reply(
        sent.get("key", ""),
        {**ticked, **choices},
        sent.getlist("not_sure"),
        sent.get("comment", ""),
        int(revision) if revision.isdecimal() and len(revision) < 10 else -1,
    )


@dataclass(frozen=True)
class Answer:
    """An answer of a question as the page shows it."""

    name: str
    title: str
    description: str
    field: str
    """Of the form that is sent."""
    kind: str
    keys: str
    checked: bool
    depth: int = 0


def _sheet_context(request: HttpRequest, shown: Sheet, problem: str) -> dict[str, Any]:
    job, form = shown.task.job, Form.of_content(shown.task.job.form)
    reply = _reply(request) if request.method == "POST" else None
    answers = shown.answers if reply is None else dict(reply.answers)
    before = Sheet.objects.filter(
        annotator=shown.annotator, task__job=job, state=Sheet.State.ANSWERED
    )
    earlier = before.exclude(id=shown.id)
    if shown.submitted is not None:
        earlier = earlier.filter(submitted__lt=shown.submitted)
    return {
        "sheet": shown,
        "job": job,
        "settings": _settings(job),
        "form": form,
        "sections": [
            (form.title_of(section.name) if section.name else "", _blocks(form, section, answers))
            for section in form.sections
        ],
        "not_sure": shown.not_sure if reply is None else list(reply.not_sure),
        "comment": shown.comment if reply is None else reply.comment,
        "key": secrets.token_urlsafe(16),
        "problem": problem,
        "has_image": _has_image(shown.task),
        "upcoming": _upcoming(shown),
        "previous": earlier.order_by("-submitted").first(),
        "done": before.count(),
    }


def _blocks(form: Form, section: Any, answers: Any) -> list[dict[str, Any]]:
    keys, every = shortcuts(form), list(form.blocks)
    blocks = []
    for block in section.blocks:
        number = every.index(block)
        offered = ("yes", "no") if block.ask == "yes_no" else block.concepts
        question = block.name if block.ask == "one" else block.concepts[0]
        depths = block.depths or (0,) * len(offered)
        shown = [
            Answer(
                name,
                name.title() if block.ask == "yes_no" else form.title_of(name),
                form.descriptions.get(name, ""),
                "box" if block.ask == "any" else f"q:{question}",
                "checkbox" if block.ask == "any" else "radio",
                keys.get((number, name), ""),
                answers.get(name) == "yes" if block.ask == "any" else answers.get(question) == name,
                min(depth, 4),
            )
            for name, depth in zip(offered, depths, strict=False)
        ]
        blocks.append(
            {
                "question": "" if block.ask == "any" else question,
                "title": form.title_of(block.name) if block.name else "",
                "answers": shown,
            }
        )
    return blocks


def _upcoming(shown: Sheet) -> Task | None:
    """The item that will most likely be next, so that its picture can be loaded ahead."""
    job = shown.task.job
    seen = Sheet.objects.filter(annotator=shown.annotator, task__job=job).values("task_id")
    task = job.tasks.exclude(id__in=seen).filter(number__gt=shown.task.number).first()
    return task if task is not None and _has_image(task) else None


def _has_image(task: Task) -> bool:
    return original(settings.FOLDER, task.job.track.name, task.item) is not None


@login_required
@require_safe
def image(request: HttpRequest, id: int) -> HttpResponse:
    """The picture of an item, for those who annotate it."""
    task = get_object_or_404(Task.objects.select_related("job__track"), id=id)
    if not may_annotate(logged_in(request), task.job.track):
        raise Http404
    picture = original(settings.FOLDER, task.job.track.name, task.item)
    copy = None if picture is None else shown_copy(settings.FOLDER, picture)
    if copy is None:
        raise Http404
    return HttpResponse(
        content_type="image/jpeg",
        headers={FILE_HEADER: str(copy), "Cache-Control": "private, max-age=86400"},
    )


@organisers_only
@require_POST
def appoint(request: HttpRequest, id: int) -> HttpResponse:
    """Somebody becomes an annotator, or is one no longer."""
    person = get_object_or_404(User, id=id)
    with transaction.atomic():
        person.is_annotator = request.POST.get("annotator") == "yes"
        person.annotates_despite_group = "despite_group" in request.POST
        person.save()
        record(
            pseudonym(logged_in(request)),
            "appoint",
            person,
            annotator=person.is_annotator,
            despite_group=person.annotates_despite_group,
        )
    return redirect("organise")


@organisers_only
@require_safe
def progress(request: HttpRequest, id: int) -> HttpResponse:
    """How far a job is, who did what, and how well annotators agree."""
    job = get_object_or_404(AnnotationJob.objects.select_related("track"), id=id)
    sheets = Sheet.objects.filter(task__job=job)
    states = dict(sheets.values_list("state").annotate(count=Count("id")))
    overlap = _settings(job).overlap
    answered = Q(sheets__state=Sheet.State.ANSWERED)
    complete = job.tasks.annotate(done=Count("sheets", filter=answered)).filter(done__gte=overlap)
    votes = assignment.job_votes(job)
    tables, reason = [], ""
    if len(votes.annotators) > 1:
        try:
            agreement = analyse_agreement(votes).result
            tables = [shown_table(table) for table in agreement.tables]
        except InputError as error:
            reason = str(error)
    context = {
        "job": job,
        "states": states,
        "items": job.tasks.count(),
        "complete": complete.count(),
        "people": sheets.values("annotator__code").annotate(
            answered=Count("id", filter=Q(state=Sheet.State.ANSWERED)),
            skipped=Count("id", filter=Q(state=Sheet.State.SKIPPED)),
            excluded=Count("id", filter=Q(state=Sheet.State.EXCLUDED)),
        ).order_by("annotator__code"),
        "latest": sheets.exclude(submitted=None).select_related("task", "annotator").order_by(
            "-submitted"
        )[:20],
        "tables": tables,
        "reason": reason,
    }  # fmt: skip
    return render(request, "annotation.html", context)


@organisers_only
@require_POST
def pause(request: HttpRequest, id: int) -> HttpResponse:
    """Stop handing out items, or go on."""
    job = get_object_or_404(AnnotationJob, id=id)
    with transaction.atomic():
        job.paused = not job.paused
        job.save()
        record(pseudonym(logged_in(request)), "pause" if job.paused else "go on", job)
    return redirect("annotation-progress", id)


@organisers_only
@require_POST
def exclusion(request: HttpRequest, id: int) -> HttpResponse:
    """An organiser takes the votes of a sheet out."""
    shown = get_object_or_404(Sheet.objects.select_related("task"), id=id)
    try:
        who = pseudonym(logged_in(request))
        assignment.exclude(shown, who, request.POST.get("reason", ""))
        messages.success(request, f"The votes on {shown.task.item} are excluded.")
    except RefusedError as error:
        messages.error(request, str(error))
    return redirect("annotation-progress", shown.task.job_id)


@organisers_only
@require_safe
def votes_file(request: HttpRequest, id: int) -> HttpResponse:
    """All votes of a job under pseudonyms, as `cranfield votes` reads them."""
    job = get_object_or_404(AnnotationJob, id=id)
    with tempfile.TemporaryDirectory(dir=settings.FOLDER.staging) as desk:
        path = Path(desk, "votes.csv")
        write_votes(assignment.job_votes(job), path)
        content = path.read_bytes()
    name = f"{job.name}-{timezone.now():%Y-%m-%d}.csv"
    return HttpResponse(
        content,
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _settings(job: AnnotationJob) -> configuration.AnnotationJob:
    declared = settings.CAMPAIGN.track(job.track.name).annotation
    found = next((described for described in declared if described.name == job.name), None)
    if found is None:
        raise Http404
    return found


def _require_annotator(user: User, job: AnnotationJob) -> None:
    if may_annotate(user, job.track):
        return
    if is_annotator(user) and competes_in(user, job.track):
        raise PermissionDenied("A group of yours takes part in this track; its labels are hidden.")
    raise PermissionDenied("Ask an organiser to make you an annotator.")
