"""What those ask who keep the server running."""

from __future__ import annotations

import hmac

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from cranfield.server.access import is_organiser
from cranfield.server.operation.metrics import exposition


@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """Whether the server and its database answer."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return JsonResponse({"database": "unreachable"}, status=503)
    return JsonResponse({"database": "ok"})


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Figures for Prometheus: for organisers, and whoever holds CRANFIELD_METRICS_TOKEN."""
    if not is_organiser(request.user) and not _holds_token(request):
        raise PermissionDenied("Metrics are for organisers.")
    return HttpResponse(
        exposition(settings.FOLDER), content_type="text/plain; version=0.0.4; charset=utf-8"
    )


def _holds_token(request: HttpRequest) -> bool:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    expected: str = settings.METRICS_TOKEN
    return (
        bool(expected)
        and scheme == "Bearer"
        and hmac.compare_digest(token.encode(), expected.encode())
    )
