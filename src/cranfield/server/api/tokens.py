"""Tokens: `Authorization: Bearer …` names a member of a group, or an organiser."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils import timezone
from ninja.security import HttpBearer

from cranfield.server.people.links import hashed
from cranfield.server.people.models import Token


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
        Token.objects.filter(id=holder.id).update(last_used=now)
        request.user = holder.user
        return holder


def anybody(request: HttpRequest) -> bool:
    """A visitor, or whoever is logged in."""
    return "Authorization" not in request.headers
