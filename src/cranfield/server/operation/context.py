"""What every page knows."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from cranfield._version import __version__
from cranfield.server.campaigns.models import Track
from cranfield.server.results.requests import SITE


def campaign(request: HttpRequest) -> dict[str, Any]:
    tracks = Track.objects.filter(active=True)
    return {
        "campaign": settings.CAMPAIGN,
        "all_tracks": tracks,
        "version": __version__,
        "published": SITE in request.META,
    }
