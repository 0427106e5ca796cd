"""What every page knows."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from cranfield.server.configuration import Campaign


def campaign(request: HttpRequest) -> dict[str, Campaign]:
    return {"campaign": settings.CAMPAIGN}
