"""What is wrong with a file: raised at once when reading, gathered when checking."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from cranfield.errors import FileError, InputError

Built = TypeVar("Built")


class IncompleteError(Exception):
    """A file was read to its end, but errors were gathered, so there is nothing to make of it."""


class Findings(list[FileError]):
    """The errors of a file in the order of their lines; the first thousand, and how many in all."""

    total: int = 0


class Problems:
    """Where readers report what they find; a reader that is told to go on leaves the line out."""

    def __init__(self, path: str | Path, *, keep: int = 0) -> None:
        """keep  how many errors to gather; 0 raises the first one."""
        self.path = path
        self.keep = keep
        self.total = 0
        self._kept: list[FileError] = []

    def add(self, what: str, *, line: int | None = None) -> None:
        error = FileError(self.path, what, line=line)
        if not self.keep:
            raise error
        self.add_error(error)

    def add_error(self, error: FileError) -> None:
        self.total += 1
        if len(self._kept) < self.keep:
            self._kept.append(error)

    def count_only(self, errors: int) -> None:
        """Errors that nobody will read, so nobody words them."""
        self.total += errors

    def build(self, make: Callable[[], Built]) -> Built:
        """Make what was read, unless errors were found; what is refused now names the file."""
        if self.total:
            raise IncompleteError
        try:
            return make()
        except FileError:
            raise
        except InputError as error:
            raise FileError(self.path, str(error)) from None

    @property
    def full(self) -> bool:
        """Whether further errors are only counted, so that nobody need word them."""
        return bool(self.keep) and len(self._kept) >= self.keep

    def findings(self) -> Findings:
        found = Findings(sorted(self._kept, key=lambda error: error.line or 0))
        found.total = self.total
        return found


def shown(text: str | bytes) -> str:
    """Foreign text for a message: quoted, unprintable characters escaped, cut where it is long."""
    if isinstance(text, bytes):
        text = text[:80].decode("utf-8", errors="backslashreplace")
    return repr(text if len(text) <= 40 else text[:37] + "…")
