"""Pages for visitors are made once a second at most, however many look at them.

Who is logged in or shows a token sees pages made for them alone. Everybody else sees the same: what
a visitor gets may be a second old.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from cranfield.server.front import FILE_HEADER
from cranfield.server.operation.middleware import Answer
from cranfield.server.submissions.uploads import is_question

_MOST_PAGES = 500
_LARGEST_PAGE = 1 << 20


@dataclass(frozen=True)
class _Page:
    made: float
    content: bytes
    headers: dict[str, str]
    match: Any
    """Of the address: what logs call the route."""


class VisitorCache:
    """Keeps the latest pages in memory."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self._pages: OrderedDict[tuple[str, str], _Page] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        lifetime: float = settings.VISITORS_CACHE_SECONDS
        if not lifetime or not _is_visitor(request):
            return self.answer(request)
        key = (request.build_absolute_uri("/"), request.get_full_path())
        page = self._pages.get(key)
        if page is None or time.monotonic() > page.made + lifetime:
            made = time.monotonic()
            response = self.answer(request)
            if _is_for_all(response):
                self._keep(key, _page(made, request, response))
            return response
        request.resolver_match = page.match
        return HttpResponse(page.content, headers=page.headers)

    def _keep(self, key: tuple[str, str], page: _Page) -> None:
        with self._lock:
            self._pages[key] = page
            self._pages.move_to_end(key)
            while len(self._pages) > _MOST_PAGES:
                self._pages.popitem(last=False)


def _is_visitor(request: HttpRequest) -> bool:
    return (
        request.method == "GET"
        and not request.COOKIES
        and "Authorization" not in request.headers
        and not is_question(request)
    )


def _is_for_all(response: HttpResponse) -> bool:
    """Forms set a cookie; files are sent by the front."""
    return (
        response.status_code == 200
        and not response.cookies
        and not response.streaming
        and FILE_HEADER not in response.headers
        and "no-store" not in response.headers.get("Cache-Control", "")
        and len(response.content) <= _LARGEST_PAGE
    )


def _page(made: float, request: HttpRequest, response: HttpResponse) -> _Page:
    return _Page(made, response.content, dict(response.headers), request.resolver_match)
