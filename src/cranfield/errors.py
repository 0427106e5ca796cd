"""Errors that a user can cause, each with where, what and how to mend.

Everything raised on purpose derives from `CranfieldError`; the command line prints the message
without a traceback. A message is one paragraph: *where* (file:line, item, concept), *what* is
wrong, and *how to mend* it.
"""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from pathlib import Path


class CranfieldError(Exception):
    """Base of every error raised on purpose."""


class InputError(CranfieldError):
    """The data handed in cannot be used as it is."""


class FileError(InputError):
    """A file cannot be used; knows the file and, where there is one, the line."""

    def __init__(self, path: str | Path, what: str, *, line: int | None = None) -> None:
        self.path = str(path)
        self.line = line
        self.what = what
        where = self.path if line is None else f"{self.path}:{line}"
        super().__init__(f"{where}: {what}")


class MeasureError(CranfieldError):
    """A measure that does not exist, an option it does not take, or one it cannot honour here."""


def require_whole(name: str, value: object, *, least: int) -> None:
    """Refuse an option that is no whole number from `least` up."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise InputError(f"{name}={value!r}; give a whole number from {least} up")


MOST_DRAWS = 1_000_000
"""Of any bootstrap, test or study; more say nothing new, and take memory and time without end."""


def require_draws(name: str, value: int, *, least: int = 1) -> None:
    """Refuse a number of draws that is too small to tell anything, or too large to wait for."""
    require_whole(name, value, least=least)
    if value > MOST_DRAWS:
        raise InputError(f"{name}={value}; more than {MOST_DRAWS} say nothing new, give fewer")


def first_ten(ids: Iterable[str]) -> str:
    """The first ten ids and how many follow, for messages about many of them."""
    listed = list(ids)
    shown = ", ".join(repr(name if len(name) <= 60 else f"{name[:60]}…") for name in listed[:10])
    return shown if len(listed) <= 10 else f"{shown} and {len(listed) - 10} more"


def several(count: int, noun: str) -> str:
    """A number with its noun: 1 item, 2 items."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
