"""Pages for submitting and taking back."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST

from cranfield.server.access import (
    accepted_licence,
    active_track,
    groups_of,
    is_member,
    is_organiser,
    logged_in,
    phase_of,
    pseudonym,
)
from cranfield.server.jobs.worker import wake_workers
from cranfield.server.submissions.acceptance import RefusedError, retract, runs_left, submit
from cranfield.server.submissions.forms import SubmissionForm
from cranfield.server.submissions.models import Run
from cranfield.server.submissions.uploads import (
    StagedUpload,
    StagingHandler,
    is_question,
    permission,
    staged_form_file,
)


@csrf_exempt  # the handler of files must be set before the form is read, and so before its token
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def submission(request: HttpRequest, track: str) -> HttpResponse:
    """A run is sent."""
    handler = StagingHandler(request)
    request.upload_handlers = [handler]
    try:
        return _submission(request, track)
    finally:
        handler.remove_files()


@csrf_protect
def _submission(request: HttpRequest, track: str) -> HttpResponse:
    shown, user = active_track(track), logged_in(request)
    described = settings.CAMPAIGN.track(track)
    groups = [group for group in groups_of(user) if group.entries.filter(track=shown).exists()]
    if not is_organiser(user) and not (groups and accepted_licence(user)):
        raise PermissionDenied("Join or make a group, and let it enter the track, first.")
    if is_question(request):
        return permission(described)
    phase = phase_of(shown, request.GET.get("phase"))
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = SubmissionForm(*sent, track=described, groups=groups, baselines=is_organiser(user))
    if request.method == "POST" and form.is_valid():
        chosen = form.cleaned_data["group"]
        group = next((group for group in groups if str(group.id) == chosen), None)
        upload = form.cleaned_data["file"]
        assert isinstance(upload, StagedUpload)
        try:
            run = submit(
                settings.FOLDER,
                staged_form_file(request, upload),
                form.described,
                phase=phase,
                group=group,
                who=pseudonym(user),
                key=form.cleaned_data["key"],
            )
        except RefusedError as error:
            form.add_error(None, str(error))
        else:
            wake_workers()
            return redirect("run", run.id)
    context = {
        "form": form,
        "track": shown,
        "described": described,
        "phase": phase,
        "open": phase.is_open(timezone.now()),
        "left": [(group, runs_left(group, phase, described.quota)) for group in groups],
    }
    return render(request, "submit.html", context)


@login_required
@require_POST
def retraction(request: HttpRequest, id: int) -> HttpResponse:
    """A group takes a run back."""
    run, user = get_object_or_404(Run, id=id), logged_in(request)
    if not is_member(user, run.group):
        raise Http404
    try:
        retract(settings.FOLDER, run, pseudonym(user))
        messages.success(request, f"{run.name} is retracted.")
    except RefusedError as error:
        messages.error(request, str(error))
    return redirect("run", id)
