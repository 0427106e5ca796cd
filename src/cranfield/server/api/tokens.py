"""Tokens: `Authorization: Bearer …` names a member of a group, or an organiser."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta

from django.db import OperationalError
from django.http import HttpRequest
from django.utils import timezone
from ninja.security import HttpBearer

from cranfield.server.people.links import hashed
from cranfield.server.people.models import Token

_MINUTE = timedelta(minutes=1)


class TokenAuth(HttpBearer):
    """The holder of a token becomes the user of the request."""

    def authenticate(self, request: HttpRequest, token: str) -> Token | None:
        holder = (
            Token.objects.select_related("user", "membership__group")
            .filter(sha256=hashed(token), user__is_active=True)
            .first()
        )
        now = timezone.now()
        if holder is None or not holder.is_valid(now):
            return None
        _note_use(holder, now)
        request.user = holder.user
        return holder


def _note_use(token: Token, now: datetime) -> None:
    """To the minute; reading needs no disk to write to."""
    if token.last_used is None or now - token.last_used > _MINUTE:
        with suppress(OperationalError):
            Token.objects.filter(id=token.id).update(last_used=now)


def token_of(request: HttpRequest) -> Token:
    """By which somebody was let in."""
    token: Token = request.auth  # type: ignore[attr-defined]
    return token


def anybody(request: HttpRequest) -> bool:
    """A visitor, or whoever is logged in."""
    return "Authorization" not in request.headers
