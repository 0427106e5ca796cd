"""Around every request: its number in the logs, how long it took, how often its sender may ask, and
headers that Django does not set."""

from __future__ import annotations

import hashlib
import logging
import math
import re
import secrets
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve

from cranfield.server.front import UPLOAD
from cranfield.server.operation.limits import RateLimit
from cranfield.server.operation.logs import event, request_id
from cranfield.server.operation.metrics import answered
from cranfield.server.submissions.uploads import is_question

log = logging.getLogger(__name__)
Answer = Callable[[HttpRequest], HttpResponse]
_REQUEST_ID = re.compile(r"[A-Za-z0-9-]{8,64}")
_NO_FEATURES = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
_UPLOADS = ("submit", "api:submit_run", "api:runs")
_REGISTRATIONS = ("register", "invited")
_PASSWORDS = ("login", "welcome", "forgotten")
"""Routes where somebody could guess, or make the server send mail."""


class RequestLog:
    """A line in the log for each request, and what metrics count."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        number = _number(request)
        token = request_id.set(number)
        began = time.perf_counter()
        try:
            response = self.answer(request)
            self._log(request, response, time.perf_counter() - began)
        finally:
            request_id.reset(token)
        response.headers["X-Request-ID"] = number
        response.headers.setdefault("Permissions-Policy", _NO_FEATURES)
        if getattr(request, "user", None) is not None and request.user.is_authenticated:
            response.headers.setdefault("Cache-Control", "private, no-store")
        return response

    def _log(self, request: HttpRequest, response: HttpResponse, seconds: float) -> None:
        match = request.resolver_match
        route = match.view_name if match else "none"
        answered.add(request.method or "", route, response.status_code, seconds)
        event(
            log,
            "request",
            method=request.method,
            path=request.path,
            route=route,
            status=response.status_code,
            ms=round(1000 * seconds, 1),
            address=request.META.get("REMOTE_ADDR"),
        )


def _number(request: HttpRequest) -> str:
    """What a request is called in the logs: as the proxy calls it, if there is one."""
    name = request.headers.get("X-Request-ID", "")
    if settings.BEHIND_PROXY and _REQUEST_ID.fullmatch(name):
        return name
    return secrets.token_hex(8)


class RateLimits:
    """Who asks too often is told when to come back; the body of a large upload is not read."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        limits = settings.CAMPAIGN.limits
        self.registrations = RateLimit(limits.registrations_per_hour, 3600)
        self.passwords = RateLimit(limits.logins_per_minute, 60)
        self.api = RateLimit(limits.api_per_minute, 60)
        self.uploads = RateLimit(limits.uploads_per_hour, 3600)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            route = resolve(request.path_info).view_name
        except (Resolver404, Http404):
            return self.answer(request)
        for limit, key in self._limits(request, route):
            seconds = math.ceil(limit.wait(key))
            if seconds:
                return _too_many(request, route, seconds)
        return self.answer(request)

    def _limits(self, request: HttpRequest, route: str) -> list[tuple[RateLimit, str]]:
        """What a request counts for; one whose body the front has received was counted before."""
        address = request.META.get("REMOTE_ADDR", "")
        received = request.META.get(UPLOAD) is not None
        sends = request.method == "POST" or is_question(request)
        limits = []
        if route.startswith("api:") and not received:
            limits.append((self.api, address))
        if route in _UPLOADS and sends and not received:
            limits.append((self.uploads, _sender(request, address)))
        if route in _REGISTRATIONS and sends:
            limits.append((self.registrations, address))
        if route in _PASSWORDS and sends:
            limits.append((self.passwords, address))
        return limits


def _sender(request: HttpRequest, address: str) -> str:
    """Who sends a run: an account, the holder of a token, or else an address."""
    token = request.headers.get("Authorization")
    if token:
        return hashlib.sha256(token.encode()).hexdigest()
    user: Any = request.user
    return f"user {user.pk}" if user.is_authenticated else address


def _too_many(request: HttpRequest, route: str, seconds: int) -> HttpResponse:
    message = f"This was tried too often; try again in {_in_words(seconds)}."
    if route.startswith("api:"):
        answer: HttpResponse = JsonResponse({"message": message}, status=429)
    else:
        answer = render(request, "429.html", {"message": message}, status=429)
    answer.headers["Retry-After"] = str(seconds)
    return answer


def _in_words(seconds: int) -> str:
    if seconds < 120:
        return f"{seconds} seconds"
    return f"{math.ceil(seconds / 60)} minutes"
