"""Permanent addresses: boards under an edition, and runs with their scores, as pages and files.

What is cited stays where it is. An edition never changes; while a phase is open its pages show no
more than its board does, and more of the same afterwards.
"""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from cranfield.server.access import active_track, may_read_boards, may_see_run, phase_of
from cranfield.server.campaigns.models import Edition
from cranfield.server.results.board import Board, record_address
from cranfield.server.results.board_page import board_context, file_links, shown_table
from cranfield.server.results.citations import board_bibtex, run_bibtex
from cranfield.server.results.exports import file_response, file_text
from cranfield.server.results.record import Record
from cranfield.server.results.requests import (
    address,
    audience_of,
    board_of,
    edition_of,
    remembered,
)
from cranfield.server.submissions.models import Run


@require_safe
def board(request: HttpRequest, track: str, phase: str, edition: int) -> HttpResponse:
    """A board under an edition."""
    shown = readable_board(request, track, phase, edition)
    return render(
        request, "board.html", {"track": shown.phase.track, **board_context(request, shown)}
    )


@require_safe
def board_file(
    request: HttpRequest,
    track: str,
    form: str,
    phase: str | None = None,
    edition: int | None = None,
) -> HttpResponse:
    """A board as a file; the same that its page shows. Without an edition: the present one."""
    shown = readable_board(request, track, phase, edition)
    text = remembered(
        shown,
        form,
        lambda: file_text(
            shown.result, form, board_bibtex(shown.phase, shown.edition, shown.address)
        ),
    )
    return file_response(text, form, f"{track}-{shown.phase.name}-{shown.edition.number}")


@require_safe
def record(request: HttpRequest, track: str, phase: str, edition: int, id: int) -> HttpResponse:
    """A run with its scores under an edition."""
    run, under = run_under(track, phase, edition, id)
    if not may_see_run(request.user, run):
        return _gone(request, run)
    own = record_address(run, under)
    shown = Record(run, under, audience_of(request.user), address(request, own))
    context = {
        "run": run,
        "edition": under,
        "permanent": own,
        "tables": [shown_table(table) for table in shown.result.tables if table.rows],
        "remarks": shown.result.remarks,
        "exports": file_links(f"{own}record"),
    }
    return render(request, "record.html", context)


@require_safe
def record_file(
    request: HttpRequest, track: str, phase: str, edition: int, id: int, form: str
) -> HttpResponse:
    """The same as a file."""
    run, under = run_under(track, phase, edition, id)
    if not may_see_run(request.user, run):
        raise Http404
    own = address(request, record_address(run, under))
    shown = Record(run, under, audience_of(request.user), own)
    text = file_text(shown.result, form, run_bibtex(run, under, own))
    return file_response(text, form, f"{track}-{phase}-{edition}-run-{run.id}")


def readable_board(
    request: HttpRequest, track: str, phase: str | None, edition: int | None
) -> Board:
    """The board of an address, for those who may read boards."""
    if not may_read_boards(request.user):
        raise PermissionDenied
    return board_of(request, active_track(track), phase, edition)


def run_under(track: str, phase: str, edition: int, id: int) -> tuple[Run, Edition]:
    """The run of an address, and the edition that it was scored by."""
    shown = phase_of(active_track(track), phase)
    runs = Run.objects.select_related("phase__track", "group")
    run = get_object_or_404(runs, id=id, phase=shown, jobs__edition__number=edition)
    return run, edition_of(shown.track, edition)


def _gone(request: HttpRequest, run: Run) -> HttpResponse:
    """What is there no more, if it was scored before."""
    retracted = run.state == Run.State.RETRACTED and run.slot is not None
    deleted = run.state == Run.State.DELETED
    if not (retracted or deleted) or not may_read_boards(request.user):
        raise Http404
    return render(request, "gone.html", {"run": run}, status=410)
