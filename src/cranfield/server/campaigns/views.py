"""Pages of the organisers: what is going on, and what they decide."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from cranfield.server.access import logged_in, organisers_only, pseudonym
from cranfield.server.jobs.models import Job
from cranfield.server.jobs.worker import wake_workers
from cranfield.server.people.audit import record
from cranfield.server.people.links import password_link, show_once
from cranfield.server.people.models import Audit, Group, User
from cranfield.server.submissions.acceptance import RefusedError
from cranfield.server.submissions.models import Run
from cranfield.server.submissions.rulings import rule

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
        },
    )


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
    address = password_link(request.build_absolute_uri("/"), user)
    record(pseudonym(logged_in(request)), "reset password", user)
    show_once(request, f"Send this link to {user.name}. It works once, within a day.", address)
    return redirect("organise")
