"""Endpoints for organisers, who hold a token of no group: corrections, rulings."""

from __future__ import annotations

from typing import Any, Literal

from django.conf import settings
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Router, Schema, Status
from ninja.errors import HttpError

from cranfield.server.access import active_track, pseudonym
from cranfield.server.api.schemas import Message
from cranfield.server.api.tokens import TokenAuth, token_of
from cranfield.server.campaigns.corrections import correct
from cranfield.server.jobs.worker import wake_workers
from cranfield.server.people.models import Pseudonym
from cranfield.server.submissions.acceptance import RefusedError
from cranfield.server.submissions.models import Run
from cranfield.server.submissions.rulings import rule

router = Router(auth=TokenAuth())


class CorrectionIn(Schema):
    item: str
    concept: str
    value: int | float | None
    """None: nobody judged the cell."""
    reason: str
    shown: bool = False
    despite_rules: bool = False


class CorrectionOut(Schema):
    edition: int
    old: int | float | None
    new: int | float | None


class RulingIn(Schema):
    ruling: Literal["disqualify", "delete", "restore"]
    reason: str


class RulingOut(Schema):
    id: int
    state: str
    reason: str


_REFUSALS: dict[int, Any] = {403: Message, 409: Message}


@router.post("tracks/{slug:track}/corrections", response={201: CorrectionOut, **_REFUSALS})
def correct_cell(request: HttpRequest, track: str, wrong: CorrectionIn) -> Status[Any]:
    """Correct a cell of the truth; all runs are scored again."""
    who = _organiser(request)
    try:
        made = correct(settings.FOLDER, active_track(track), **wrong.dict(), who=who)
    except RefusedError as error:
        return Status(409, Message(message=str(error)))
    wake_workers()
    return Status(201, CorrectionOut(edition=made.edition.number, old=made.old, new=made.new))


@router.post("runs/{int:id}/rulings", response={200: RulingOut, **_REFUSALS})
def rule_on_run(request: HttpRequest, id: int, decided: RulingIn) -> Status[Any]:
    """Disqualify, delete or restore a run."""
    who = _organiser(request)
    run = get_object_or_404(Run, id=id)
    try:
        rule(run, decided.ruling, decided.reason, who)
    except RefusedError as error:
        return Status(409, Message(message=str(error)))
    run.refresh_from_db()
    return Status(200, RulingOut(id=run.id, state=run.state, reason=run.reason))


def _organiser(request: HttpRequest) -> Pseudonym:
    token = token_of(request)
    if token.membership is not None or not token.user.is_organiser:
        raise HttpError(403, "this needs a token of an organiser; make one on your account's page")
    return pseudonym(token.user)
