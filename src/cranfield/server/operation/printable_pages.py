"""Pages without characters that mislead: control characters and overrides of the writing direction
in names of groups and runs are written out, wherever a template shows them."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from cranfield.core.printable import printable


class PrintablePages:
    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self._answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._answer(request)
        if response.get("Content-Type", "").startswith("text/html") and not response.streaming:
            page = response.content.decode().replace("\r\n", "\n")
            response.content = printable(page).encode()
        return response
