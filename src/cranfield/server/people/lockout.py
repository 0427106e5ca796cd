"""Lockout: so many wrong passwords, and an address must wait; whatever the case it is typed in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest


def username(request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> str:
    """Under which name failures are counted: addresses are the same in any case."""
    typed = (credentials or {}).get("username") or request.POST.get("username", "")
    return str(typed).strip().lower()
