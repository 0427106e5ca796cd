"""Answers of a search engine, kept in a file: the day, the number, whom it was asked, and what.

One line for each, parted by tabs, so that people can read it and mend it. An answer is written as
soon as it is there; whatever was cut while it was written is asked again.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import NamedTuple

from cranfield.errors import FileError

_LONGEST = 18
"""Digits of an answer; more of them are something else."""


class Answer(NamedTuple):
    number: int
    day: str
    """When it was given, as YYYY-MM-DD."""


class Answers:
    """What was answered, by who was asked and what.

    path  the file that keeps them, which need not be there yet; none: they are forgotten
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known: dict[tuple[str, str], Answer] = {}
        self._whole: int | None = None
        """Where the last answer of the file begins, if it was cut while it was written."""
        if path is not None:
            self._read(path)

    def get(self, asked: str, query: str) -> Answer | None:
        return self._known.get((asked, query))

    def keep(self, asked: str, query: str, number: int) -> Answer:
        answer = self._known[asked, query] = Answer(number, date.today().isoformat())
        if self._path is not None:
            try:
                with self._path.open("a", encoding="utf-8", newline="\n") as file:
                    if self._whole is not None:
                        file.truncate(self._whole)
                        self._whole = None
                    file.write(f"{answer.day}\t{number}\t{asked}\t{query}\n")
            except OSError as error:
                raise FileError(
                    self._path, f"answers cannot be kept here ({error.strerror}); name another file"
                ) from None
        return answer

    def _read(self, path: Path) -> None:
        """Take the answers of a file; a last one that was cut goes when the next is written."""
        try:
            data = path.read_bytes() if path.exists() else b""
        except OSError as error:
            raise FileError(path, f"cannot be read ({error.strerror}); name another file") from None
        *lines, rest = data.split(b"\n")
        for number, line in enumerate(lines, 1):
            try:
                day, count, asked, query = line.decode().split("\t")
                self._known[asked, query] = Answer(
                    _count(count), date.fromisoformat(day).isoformat()
                )
            except ValueError:
                raise _foreign(path, number) from None
        if rest and not lines:
            raise _foreign(path, 1)
        if rest:
            self._whole = len(data) - len(rest)


def _foreign(path: Path, line: int) -> FileError:
    return FileError(
        path,
        "this is no answer that was kept (day, number, whom, what, parted by tabs); "
        "remove the line, or name another file",
        line=line,
    )


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= _LONGEST):
        raise ValueError
    return int(text)
