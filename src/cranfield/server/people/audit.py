"""The log of changes: written in the transaction of the change itself."""

from __future__ import annotations

from typing import Any

from django.db import models

from cranfield.server.people.models import Audit, Pseudonym


def record(who: Pseudonym | None, action: str, subject: models.Model, **detail: Any) -> None:
    """Somebody changed something; None: the server itself, or its command line."""
    Audit.objects.create(
        who=who, action=action, subject=f"{subject._meta.model_name} {subject.pk}", detail=detail
    )
