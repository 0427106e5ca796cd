"""Logs: a JSON object on each line, without secrets.

Requests, and the addresses they came from, go to files in `var/logs`, a new one each day, which are
deleted after some days. Warnings and errors go to standard error as well, without addresses, since
nobody knows how long they stay there.
"""

from __future__ import annotations

import json
import logging
import logging.handlers
import re
import sys
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""Of the request that is being answered."""
ADDRESS = "address"
"""The key of what must not stay."""
_FIELDS = "fields"
_SECRET_PATHS = re.compile(r"/(welcome|invited)/[^/\s\"']+")
_CREDENTIALS = re.compile(r"(Bearer\s+|://[^:/@\s]+:)[^\s@\"']+", re.IGNORECASE)


def without_secrets(text: str) -> str:
    """A text without links that let somebody in, tokens and passwords of databases."""
    return _CREDENTIALS.sub(r"\1…", _SECRET_PATHS.sub(r"/\1/…", text))


class JsonLines(logging.Formatter):
    """A record as one line of JSON."""

    def __init__(self, *, addresses: bool) -> None:
        super().__init__()
        self.addresses = addresses

    def format(self, record: logging.LogRecord) -> str:
        fields: Mapping[str, Any] = getattr(record, _FIELDS, {})
        content: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "request": request_id.get(),
            **{key: value for key, value in fields.items() if self.addresses or key != ADDRESS},
        }
        if record.exc_info:
            content["trace"] = self.formatException(record.exc_info)
        filled = {key: value for key, value in content.items() if value not in ("", None)}
        return without_secrets(json.dumps(filled, ensure_ascii=False, default=str))


def event(logger: logging.Logger, message: str, level: int = logging.INFO, **fields: Any) -> None:
    """Log something with facts that programs can read."""
    logger.log(level, message, extra={_FIELDS: fields})


def start_logging(folder: Path, days: int, *, file: bool = True) -> None:
    """Log from now on.

    folder  of the files
    days    after which a file is deleted
    file    False: requests go to standard error as well, without addresses, and no file is written
    """
    errors = logging.StreamHandler(sys.stderr)
    errors.setFormatter(JsonLines(addresses=False))
    errors.setLevel(logging.WARNING if file else logging.INFO)
    handlers: list[logging.Handler] = [errors]
    if file:
        folder.mkdir(mode=0o700, exist_ok=True)
        daily = logging.handlers.TimedRotatingFileHandler(
            folder / "server.jsonl", when="midnight", utc=True, backupCount=days, encoding="utf-8"
        )
        daily.setFormatter(JsonLines(addresses=True))
        handlers.append(daily)
    logging.basicConfig(level=logging.INFO, handlers=handlers, force=True)
    # Every request has its line; these would repeat what visitors typed wrongly …
    logging.getLogger("django.request").setLevel(logging.ERROR)
    # … with a trace of our code, or name addresses.
    for name in ("django.security", "axes", "django.server", "uvicorn.access"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def delete_old_logs(folder: Path, days: int, now: datetime) -> None:
    """Those of days long past, which a server that was stopped could not delete."""
    for path in folder.glob("server.jsonl*"):
        age = now.timestamp() - path.stat().st_mtime
        if age > (days + 1) * 86_400:
            path.unlink(missing_ok=True)
