"""Errors that a user can cause, each with where, what and how to mend.

Everything raised on purpose derives from `CranfieldError`; the command line prints the message
without a traceback. A message is one paragraph: *where* (file:line, item, concept), *what* is
wrong, and *how to mend* it. Advice names parameters in braces, `{missing=absent}`, and each front
end spells them: `missing="absent"` in Python, `--missing absent` on the command line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from numbers import Integral
from pathlib import Path

Spelling = Callable[[str, str], str]
"""How a front end writes a parameter with a value, which may be empty."""
_REFERENCE = re.compile(r"\{(\w+)(?:=([^{}]*))?\}")


def python_spelling(parameter: str, value: str) -> str:
    """A parameter as people type it in Python: missing="absent", lossy=True, threshold=."""
    plain = not value or value in ("True", "False", "None") or value[0].isdigit()
    return f"{parameter}={value}" if plain else f'{parameter}="{value}"'


class CranfieldError(Exception):
    """Base of every error raised on purpose.

    what       what is wrong
    mend       how to mend it; parameters in braces: "count them by {missing=absent}"
    parameter  the parameter that holds what is wrong, as Python calls it
    about      what it is about, kind and name, such as ("run", "baseline")
    """

    def __init__(
        self,
        what: str,
        *,
        mend: str = "",
        parameter: str = "",
        about: tuple[str, str] | None = None,
    ) -> None:
        super().__init__(what)
        self.what = what
        self.mend = mend
        self.parameter = parameter
        self.about = about
        self.spelling: Spelling = python_spelling
        """How `str` spells parameters; a front end that catches an error sets its own."""

    def message(self, spelling: Spelling) -> str:
        """The whole paragraph, parameters spelled as a front end does."""
        text = f"{self.where}: {self.what}" if self.where else self.what
        if not self.mend:
            return text
        advice = _REFERENCE.sub(lambda match: spelling(match[1], match[2] or ""), self.mend)
        return f"{text}; {advice}"

    @property
    def where(self) -> str:
        """The file and line, where there is one."""
        return ""

    def in_file(self, path: str | Path, *, line: int | None = None) -> FileError:
        """The same, of what a file holds."""
        if isinstance(self, FileError):
            return self
        return FileError(path, self.what, line=line, mend=self.mend)

    def __str__(self) -> str:
        return self.message(self.spelling)


class InputError(CranfieldError):
    """The data handed in cannot be used as it is."""


class FileError(InputError):
    """A file cannot be used; knows the file and, where there is one, the line."""

    def __init__(
        self, path: str | Path, what: str, *, line: int | None = None, mend: str = ""
    ) -> None:
        super().__init__(what, mend=mend)
        self.path = str(path)
        self.line = line

    @property
    def where(self) -> str:
        return self.path if self.line is None else f"{self.path}:{self.line}"


class UsageError(CranfieldError):
    """What was typed contradicts itself, or cannot be done; nothing was read."""


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


def no_such_concept(unknown: Iterable[str], concepts: Iterable[str]) -> str:
    """Says which concepts are not there, and those that are spelled alike, or else the first."""
    listed, names = list(concepts), list(unknown)
    folded = {name.casefold() for name in names}
    alike = [concept for concept in listed if concept.casefold() in folded]
    rest = f"did you mean {first_ten(alike)}?" if alike else f"concepts: {first_ten(listed)}"
    return f"there is no concept {first_ten(names)}; {rest}"


def several(count: int, noun: str) -> str:
    """A number with its noun: 1 item, 2 items."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
