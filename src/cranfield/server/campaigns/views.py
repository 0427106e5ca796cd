"""Pages of the organisers: what is going on, and what they decide."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cranfield.server.access import (
    active_track,
    logged_in,
    may_read_boards,
    organisers_only,
    pseudonym,
)
from cranfield.server.annotation.models import AnnotationJob
from cranfield.server.campaigns.changes import EditionLog
from cranfield.server.campaigns.corrections import correct
from cranfield.server.campaigns.forms import CorrectionForm
from cranfield.server.jobs.models import Job
from cranfield.server.jobs.worker import wake_workers
from cranfield.server.people.audit import record
from cranfield.server.people.links import password_link, show_once
from cranfield.server.people.models import Audit, Group, User
from cranfield.server.results.requests import audience_of
from cranfield.server.submissions.acceptance import RefusedError
from cranfield.server.submissions.models import Run
from cranfield.server.submissions.rulings import rule
from cranfield.show.html import table_html

_RULINGS = ("disqualify", "delete", "restore")


@organisers_only
@require_safe
def organise(request: HttpRequest) -> HttpResponse:
    """Runs, jobs, groups and people at a glance."""
    runs = Run.objects.select_related("group", "phase__track").order_by("-id")
    return render(
        request,
        "organise.html",
        {
            "runs": Paginator(runs, 100).get_page(request.GET.get("page")),
            "held": Job.objects.filter(state=Job.State.HELD).select_related("run", "analysis"),
            "waiting": Job.objects.filter(
                state__in=(Job.State.QUEUED, Job.State.RUNNING), run__isnull=False
            ).count(),
            "groups": Group.objects.prefetch_related("members").order_by("name"),
            "people": User.objects.order_by("name"),
            "annotation_jobs": AnnotationJob.objects.filter(active=True, track__active=True),
        },
    )


@organisers_only
@require_http_methods(["GET", "HEAD", "POST"])
def correction(request: HttpRequest, track: str) -> HttpResponse:
    """A cell of the truth is corrected."""
    shown = active_track(track)
    form = CorrectionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = correct(
                settings.FOLDER, shown, **form.options, who=pseudonym(logged_in(request))
            )
        except RefusedError as error:
            form.add_error(None, str(error))
        else:
            wake_workers()
            messages.success(
                request, f"All runs are scored again, as edition {made.edition.number}."
            )
            return redirect("changes", track)
    title = f"Correct a cell of the truth of {shown.title}"
    return render(request, "form.html", {"form": form, "title": title, "button": "Correct it"})


@require_safe
def changes(request: HttpRequest, track: str) -> HttpResponse:
    """What changed in a track, and why; for everybody who may read its boards."""
    shown = active_track(track)
    if not may_read_boards(request.user):
        raise PermissionDenied
    result = EditionLog(shown, audience_of(request.user)).result
    table = mark_safe(table_html(result.tables[0], files=True))  # it escapes what it holds
    context = {"track": shown, "table": table, "remarks": result.remarks}
    return render(request, "changes.html", context)


@organisers_only
@require_safe
def log(request: HttpRequest) -> HttpResponse:
    """Everything that was changed, the newest first."""
    entries = Audit.objects.select_related("who__user").order_by("-id")
    page = Paginator(entries, 200).get_page(request.GET.get("page"))
    return render(request, "log.html", {"entries": page})


@organisers_only
@require_POST
def ruling(request: HttpRequest, id: int, ruling: str) -> HttpResponse:
    """A run is disqualified, deleted or restored."""
    if ruling not in _RULINGS:
        raise Http404
    run = get_object_or_404(Run, id=id)
    try:
        rule(run, ruling, request.POST.get("reason", ""), pseudonym(logged_in(request)))  # type: ignore[arg-type]
    except RefusedError as error:
        messages.error(request, str(error))
    return redirect("organise")


@organisers_only
@require_POST
def requeue(request: HttpRequest, id: int) -> HttpResponse:
    """A job that was held is tried again."""
    with transaction.atomic():
        job = get_object_or_404(Job.objects.select_for_update(), id=id, state=Job.State.HELD)
        job.state, job.crashes, job.attempt = Job.State.QUEUED, 0, 0
        job.save()
        record(pseudonym(logged_in(request)), "requeue", job)
    wake_workers()
    return redirect("organise")


@organisers_only
@require_POST
def reset(request: HttpRequest, id: int) -> HttpResponse:
    """A link for somebody who forgot their password, for the organiser to send."""
    user = get_object_or_404(User, id=id)
    with transaction.atomic():
        address = password_link(request.build_absolute_uri("/"), user)
        record(pseudonym(logged_in(request)), "reset password", user)
    show_once(request, f"Send this link to {user.name}. It works once, within a day.", address)
    return redirect("organise")
