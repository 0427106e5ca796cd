"""A full disk is not a fault of the program: whoever sends something hears of it."""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable

from django.db import OperationalError
from django.http import HttpRequest, HttpResponse

from cranfield.server.front import FULL_DISK

log = logging.getLogger(__name__)
_DATABASES_SAY = ("disk is full", "No space left on device")


class FullDiskMiddleware:
    """Answers 507 where something could not be stored."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not _is_full_disk(error):
            return None
        log.error("%s: %s", request.path, error)
        return HttpResponse(f"{FULL_DISK}\n", status=507, content_type="text/plain; charset=utf-8")


def _is_full_disk(error: Exception) -> bool:
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    return isinstance(error, OperationalError) and any(
        words in str(error) for words in _DATABASES_SAY
    )
