"""Links that let somebody in: what is in the link is secret, what is stored is its hash.

A link that is merely opened, by a previewer in a chat for instance, is not used up: it shows a
form, and only sending that uses it.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import TypeVar

from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from cranfield.server.people.models import Invitation, LoginLink, Secret, User

_Link = TypeVar("_Link", bound=Secret)
LIFETIME = timedelta(hours=24)


def hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def new_secret() -> str:
    return secrets.token_urlsafe(32)


def make_link(kind: type[_Link], lifetime: timedelta = LIFETIME, **members: object) -> str:
    """A secret that is good for a time; only its holder knows it."""
    secret = new_secret()
    kind._default_manager.create(
        sha256=hashed(secret), expires=timezone.now() + lifetime, **members
    )
    return secret


def holder(kind: type[_Link], secret: str) -> _Link | None:
    """The row of a secret that is still good and not used."""
    row = kind._default_manager.filter(sha256=hashed(secret), used=None).first()
    return row if row is not None and row.is_valid(timezone.now()) else None


def first_organiser_link(address: str) -> str | None:
    """A link that makes its holder the first organiser; None if there is one."""
    if User.objects.filter(is_organiser=True).exists():
        return None
    LoginLink.objects.filter(user=None).delete()
    return organiser_link(address)


def organiser_link(address: str) -> str:
    """A link that makes its holder an organiser."""
    return address.rstrip("/") + reverse("welcome", args=[make_link(LoginLink)])


def password_link(address: str, user: User) -> str:
    """A link for somebody to choose a new password."""
    return address.rstrip("/") + reverse("welcome", args=[make_link(LoginLink, user=user)])


def invitation_link(address: str, **members: object) -> str:
    secret = make_link(Invitation, timedelta(days=14), **members)
    return address.rstrip("/") + reverse("invited", args=[secret])


def show_once(request: HttpRequest, words: str, secret: str) -> None:
    """Show a link or a token on the next page, to be copied."""
    messages.success(request, format_html("{} <code>{}</code>", words, secret))
