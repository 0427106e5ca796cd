"""Names of all routes, as the URL resolver has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver


def all_routes() -> list[str]:
    return list(dict.fromkeys(_names(get_resolver().url_patterns)))


def _names(patterns: Any, prefix: str = "") -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            space = f"{pattern.namespace}:" if pattern.namespace else ""
            yield from _names(pattern.url_patterns, prefix + space)
        else:
            assert isinstance(pattern, URLPattern)
            yield f"{prefix}{pattern.name}"
