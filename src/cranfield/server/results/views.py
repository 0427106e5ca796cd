"""Pages that everybody reads: the campaign, its tracks and boards, runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from cranfield.core.table import Column, Table
from cranfield.server import configuration
from cranfield.server.access import (
    accepted_licence,
    active_track,
    groups_of,
    is_member,
    may_download,
    may_read_boards,
    may_see_run,
)
from cranfield.server.campaigns.models import Edition, Track
from cranfield.server.front import FILE_HEADER
from cranfield.server.jobs.models import Job
from cranfield.server.results.analysis_pages import run_context
from cranfield.server.results.board import record_address, scores_shown
from cranfield.server.results.board_page import board_context, shown_table
from cranfield.server.results.requests import audience_of, board_of
from cranfield.server.submissions.models import Run


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The campaign and its tracks."""
    accepted = Q(phases__runs__state=Run.State.ACCEPTED, phases__runs__group__isnull=False)
    tracks = (
        Track.objects.filter(active=True)
        .prefetch_related("phases")
        .annotate(
            runs=Count("phases__runs", filter=accepted, distinct=True),
            groups=Count("phases__runs__group", filter=accepted, distinct=True),
        )
    )
    return render(request, "home.html", {"tracks": tracks})


@require_safe
def track(request: HttpRequest, track: str) -> HttpResponse:
    """A track: what it is about, its board, its downloads."""
    shown, user = active_track(track), request.user
    files = settings.FOLDER.downloadable(track)
    board = board_of(request, shown) if may_read_boards(user) else None
    groups, agreed = groups_of(user), accepted_licence(user)
    now = timezone.now()
    context = {} if board is None else board_context(request, board)
    context |= {
        "track": shown,
        "described": settings.CAMPAIGN.track(track),
        "files": [(path.name, path.stat().st_size) for path in files],
        "may_download": may_download(user),
        "takes_runs": any(not phase.is_closed(now) for phase in shown.phases.all()),
        "takes_part": agreed and shown.entries.filter(group__in=groups).exists(),
    }
    return render(request, "track.html", context)


@require_safe
def download(request: HttpRequest, track: str, name: str) -> HttpResponse:
    """A file for groups that agreed to the licence; nothing but what lies in `downloads`."""
    shown, user = active_track(track), request.user
    if not may_download(user):
        raise PermissionDenied("Join a group and agree to the licence first.")
    files = {path.name: path for path in settings.FOLDER.downloadable(shown.name)}
    if name not in files:
        raise Http404
    return HttpResponse(
        content_type="application/octet-stream",
        headers={
            FILE_HEADER: str(files[name]),
            "Content-Disposition": f'attachment; filename="{name}"',
        },
    )


@require_safe
def run(request: HttpRequest, id: int) -> HttpResponse:
    """A run: what was said of it, how it is checked and scored."""
    shown = get_object_or_404(Run.objects.select_related("phase__track", "group"), id=id)
    user = request.user
    if not may_see_run(user, shown):
        raise Http404
    own = is_member(user, shown.group)
    job = Job.objects.filter(run=shown).order_by("-edition__number").first()
    scores = scores_shown(shown, audience_of(user))
    described = settings.CAMPAIGN.track(shown.phase.track.name)
    context = {
        "run": shown,
        "own": own,
        "job": job,
        "ahead": _jobs_before(job),
        "modality": (described.modalities or {}).get(shown.modality, shown.modality),
        "fields": list(_fields_shown(shown, described)),
        "errors": shown_table(_errors_table(shown)) if shown.errors else "",
        "table": None if scores is None else shown_table(_scores_table(shown, scores)),
        "records": [
            (edition, record_address(shown, edition))
            for edition in Edition.objects.filter(jobs__run=shown, jobs__state=Job.State.DONE)
        ],
        "waiting": shown.state == Run.State.CHECKING,
        "open": shown.phase.is_open(timezone.now()),
        **run_context(request, shown),
    }
    return render(request, "run.html", context)


def _jobs_before(job: Job | None) -> int:
    """How many jobs wait before this one, if it waits."""
    if job is None or job.state != Job.State.QUEUED:
        return 0
    waiting = Job.objects.filter(state=Job.State.QUEUED, run__isnull=False)
    return waiting.filter(id__lt=job.id).count()


def _fields_shown(run: Run, track: configuration.Track) -> Iterator[tuple[str, str]]:
    """What a group declared of its run, as people read it."""
    for declared in track.fields:
        value = run.fields.get(declared.name)
        if declared.kind == "flag":
            yield declared.title or declared.name, "yes" if value else "no"
        elif value:
            yield declared.title or declared.name, str(value)


def _errors_table(run: Run) -> Table:
    what, mend = Column("what", "what is wrong"), Column("mend", "how to mend it")
    columns = [Column("line"), what, *([mend] if any(e["mend"] for e in run.errors) else ())]
    return Table("errors", run.errors, columns, title="Errors of the file")


def _scores_table(run: Run, scores: Mapping[str, float | None]) -> Table:
    rows = [{"measure": name, "score": score} for name, score in scores.items()]
    digits = settings.CAMPAIGN.track(run.phase.track.name).digits
    columns = (Column("measure", key=True), Column("score", digits=digits))
    return Table("scores", rows, columns, title="Scores")
