"""What is wrong with a file: raised at once when reading, gathered when checking."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import FileError, InputError

Built = TypeVar("Built")

_FOREIGN_BYTE = re.compile(r"\\udc([89a-f][0-9a-f])")
"""How `repr` writes a byte that is not UTF-8 after "surrogateescape"."""


KEPT = 1000
"""Errors that are gathered when a file is checked; of further ones only the number."""


class IncompleteError(Exception):
    """A file was read to its end, but errors were gathered, so there is nothing to make of it."""


class Findings(list[FileError]):
    """The errors of a file, or of a folder's files, by line: the first thousand, and the total."""

    total: int = 0
    run: Run | None = None
    """What the file holds, if it was read as a run and nothing is wrong with it."""
    truth: Truth | None = None
    """The same for a file that was read as a truth."""
    format: str | None = None
    """The format it was read in."""


class Problems:
    """Where readers report what they find; a reader leaves a line that is wrong out and goes on.

    When a file is read, the first error is raised as soon as it is sure to be the first: when
    everything up to it was looked at. When it is checked, errors are gathered.
    """

    def __init__(self, path: str | Path, *, keep: int = 0) -> None:
        """keep  how many errors to gather; 0 raises the first one."""
        self.path = path
        self.keep = keep
        self.total = 0
        self._kept: list[FileError] = []

    def add(self, what: str, *, line: int | None = None, mend: str = "") -> None:
        self.add_error(FileError(self.path, what, line=line, mend=mend))

    def add_error(self, error: FileError) -> None:
        self.total += 1
        if self.keep and len(self._kept) < self.keep:
            self._kept.append(error)
        elif not self.keep and self.wants(error.line):
            self._kept = [error]

    def wants(self, line: int | None) -> bool:
        """Whether an error on this line would be told, so that it need be worded."""
        if self.keep:
            return len(self._kept) < self.keep
        return not self._kept or (line or 0) < (self._kept[0].line or 0)

    def count_only(self, errors: int) -> None:
        """Errors that nobody will read."""
        self.total += errors

    def settle(self) -> None:
        """Say that everything up to here was looked at: when reading, raises the first error."""
        if self._kept and not self.keep:
            raise self._kept[0]

    def build(self, make: Callable[[], Built]) -> Built:
        """Make what was read, unless errors were found; what is refused now names the file."""
        self.settle()
        if self.total:
            raise IncompleteError
        try:
            return make()
        except FileError:
            raise
        except InputError as error:
            raise error.in_file(self.path) from None

    def findings(self) -> Findings:
        result = Findings(sorted(self._kept, key=lambda error: (error.path, error.line or 0)))
        result.total = self.total
        return result


def shown(text: str | bytes) -> str:
    """Foreign text for a message: quoted, unprintable characters escaped, cut where it is long."""
    if isinstance(text, bytes):
        text = text[:160].decode("utf-8", errors="surrogateescape")
    quoted = repr(text if len(text) <= 40 else text[:37] + "…")
    return _FOREIGN_BYTE.sub(r"\\x\1", quoted)
