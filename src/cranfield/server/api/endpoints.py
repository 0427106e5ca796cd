"""All endpoints."""

from __future__ import annotations

import json
import secrets
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_safe
from ninja import NinjaAPI, Query, Status
from ninja.errors import HttpError

from cranfield._version import __version__
from cranfield.server.access import (
    accepted_licence,
    active_track,
    may_download,
    may_read_boards,
    may_see_run,
    phase_of,
    pseudonym,
)
from cranfield.server.api.decisions import router as decisions
from cranfield.server.api.schemas import (
    CampaignOut,
    DownloadOut,
    FieldOut,
    Message,
    PhaseOut,
    RunIn,
    RunOut,
    TrackOut,
)
from cranfield.server.api.tokens import TokenAuth, anybody, token_of
from cranfield.server.campaigns.changes import EditionLog
from cranfield.server.campaigns.models import Track
from cranfield.server.jobs.worker import wake_workers
from cranfield.server.people.models import Token
from cranfield.server.results import views as results
from cranfield.server.results.board import scores_shown
from cranfield.server.results.requests import audience_of, board_of, remembered
from cranfield.server.submissions.acceptance import Description, RefusedError, retract, submit
from cranfield.server.submissions.models import Run
from cranfield.server.submissions.uploads import is_question, permission, staged_body

api = NinjaAPI(
    title="Cranfield",
    version=__version__,
    auth=[TokenAuth(), anybody],
    docs_url=None,
    urls_namespace="api",
    openapi_url=None,
)
_MEMBERS = TokenAuth()
api.add_router("", decisions)
_FILE = {
    "required": True,
    "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
}
"""A body that is a file, as OpenAPI describes it."""


@api.get("campaign", response=CampaignOut)
def campaign(request: HttpRequest) -> CampaignOut:
    """The campaign with its tracks."""
    tracks = Track.objects.filter(active=True).prefetch_related("phases")
    return CampaignOut(title=settings.CAMPAIGN.title, tracks=[_track(track) for track in tracks])


def _track(track: Track) -> TrackOut:
    described = settings.CAMPAIGN.track(track.name)
    return TrackOut(
        name=track.name,
        title=track.title,
        measures=list(described.measures),
        modalities=dict(described.modalities or {}),
        fields=[FieldOut(**asdict(field)) for field in described.fields],
        quota=described.quota,
        phases=[PhaseOut.from_orm(phase) for phase in track.phases.all()],
    )


@api.get("tracks/{slug:track}/board", response={200: dict[str, Any], 403: Message})
def board(request: HttpRequest, track: str) -> Status[Any]:
    """A board as its page shows it; `phase`, `view`, `modality`, `edition` choose which."""
    if not may_read_boards(request.user):
        return Status(403, Message(message="boards are not public"))
    shown = board_of(request, active_track(track))
    return Status(200, remembered(shown, "facts", shown.to_dict))


@api.get("tracks/{slug:track}/changes", response={200: dict[str, Any], 403: Message})
def track_changes(request: HttpRequest, track: str) -> Status[Any]:
    """Editions of a track: what runs were scored by from when on, and why that changed."""
    if not may_read_boards(request.user):
        return Status(403, Message(message="boards are not public"))
    return Status(200, EditionLog(active_track(track), audience_of(request.user)).to_dict())


@api.get("tracks/{slug:track}/downloads", response={200: list[DownloadOut], 403: Message})
def downloads(request: HttpRequest, track: str) -> Status[Any]:
    """Files for groups that agreed to the licence."""
    if not may_download(request.user):
        return Status(403, Message(message="join a group and agree to the licence first"))
    listed = settings.FOLDER.downloadable(active_track(track).name)
    return Status(200, [DownloadOut(name=path.name, size=path.stat().st_size) for path in listed])


@api.get("tracks/{slug:track}/downloads/{str:name}", response={403: Message})
def download_file(request: HttpRequest, track: str, name: str) -> Any:
    """One of these files."""
    if not may_download(request.user):
        return Status(403, Message(message="join a group and agree to the licence first"))
    return results.download(request, track, name)


@api.get("tracks/{slug:track}/runs", response=list[RunOut], auth=_MEMBERS)
def runs(request: HttpRequest, track: str) -> Any:
    """The runs of one's own group."""
    token = token_of(request)
    shown = active_track(track)
    if is_question(request):
        _require_member(token)
        return permission(settings.CAMPAIGN.track(track))
    listed = Run.objects.filter(phase__track=shown, group=_group(token))
    return [_run(request, run) for run in listed.select_related("phase__track")]


@api.post(
    "tracks/{slug:track}/runs",
    response={201: RunOut, 403: Message, 409: Message},
    auth=_MEMBERS,
    openapi_extra={"requestBody": _FILE},
)
def submit_run(request: HttpRequest, track: str, described: Query[RunIn]) -> Status[Any]:
    """Submit a run: the body is the file. A header `Idempotency-Key` makes resending safe."""
    token = token_of(request)
    _require_member(token)
    shown = active_track(track)
    key = request.headers.get("Idempotency-Key", "") or secrets.token_hex(16)
    try:
        with staged_body(request, described.file_name) as file:
            run = submit(
                settings.FOLDER,
                file,
                _description(described),
                phase=phase_of(shown, described.phase or None),
                group=_group(token),
                who=pseudonym(token.user),
                key=key,
            )
    except RefusedError as error:
        return Status(409, Message(message=str(error)))
    wake_workers()
    return Status(201, _run(request, run))


@api.get("runs/{int:id}", response=RunOut)
def run(request: HttpRequest, id: int) -> RunOut:
    """A run: whether it is checked and scored, what is wrong with it, its scores."""
    shown = get_object_or_404(Run.objects.select_related("phase__track"), id=id)
    if not may_see_run(request.user, shown):
        raise Http404
    return _run(request, shown)


@api.post("runs/{int:id}/retract", response={200: RunOut, 409: Message}, auth=_MEMBERS)
def retract_run(request: HttpRequest, id: int) -> Status[Any]:
    """Take a run back."""
    token = token_of(request)
    shown = get_object_or_404(Run, id=id, group=_group(token))
    try:
        retract(settings.FOLDER, shown, pseudonym(token.user))
    except RefusedError as error:
        return Status(409, Message(message=str(error)))
    shown.refresh_from_db()
    return Status(200, _run(request, shown))


def _group(token: Token) -> Any:
    return None if token.membership is None else token.membership.group


def _require_member(token: Token) -> None:
    """Members submit for their group; organisers submit baselines, out of competition."""
    if token.membership is None:
        if not token.user.is_organiser:
            raise HttpError(403, "this token is of no group; make one on the group's page")
        return
    if not accepted_licence(token.user):
        raise HttpError(403, "agree to the licence on your account's page first")


def _description(described: RunIn) -> Description:
    try:
        fields = json.loads(described.fields)
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        raise RefusedError("fields: write a JSON object")
    return Description(
        name=described.name,
        description=described.description,
        modality=described.modality,
        primary=described.primary,
        threshold=described.threshold,
        fields=fields,
    )


def _run(request: HttpRequest, run: Run) -> RunOut:
    return RunOut(
        id=run.id,
        name=run.name,
        track=run.phase.track.name,
        phase=run.phase.name,
        state=run.state,
        slot=run.slot,
        sha256=run.sha256,
        group=run.group.name if run.group else None,
        description=run.description,
        modality=run.modality,
        primary=run.primary,
        fields=run.fields,
        reason=run.reason,
        errors=run.errors,
        scores=scores_shown(run, audience_of(request.user)) or {},
        address=request.build_absolute_uri(reverse("run", args=[run.id])),
    )


@require_safe
def documentation(request: HttpRequest) -> HttpResponse:
    """The description of the API, for programs that read OpenAPI."""
    return HttpResponse(json.dumps(api.get_openapi_schema()), content_type="application/json")
