"""Links between pages: a page, a tab and a page that it links to, on each line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from cranfield.errors import FileError
from cranfield.formats.problems import shown
from cranfield.formats.relatedness.rows import text_blocks
from cranfield.formats.source import legible, opened
from cranfield.knowledge.relatedness.counts import Links


class LinkFile:
    """The links of a file; in titles, underscores stand for blanks."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        with opened(path) as source:
            self.name, self.origin = source.name, legible(self._path.name)
            if source.is_folder:
                raise FileError(path, "this is a folder; name one file of links")

    def links(self) -> Iterator[Links]:
        with opened(self._path) as source:
            for first, data in text_blocks(source):
                if not _is_plain(data):
                    data = self._plain(first, data)
                ends = data.replace(b"_", b" ").replace(b"\n", b"\t").split(b"\t")
                yield Links(ends[:-1:2], ends[1::2])

    def _plain(self, first: int, data: bytes) -> bytes:
        """The lines without blank ones; every other must be a link."""
        kept = []
        for number, line in enumerate(data.split(b"\n"), first):
            ends = [end.strip() for end in line.split(b"\t")]
            if len(ends) == 2 and all(ends):
                kept.append(b"\t".join(ends) + b"\n")
            elif line.strip():
                raise FileError(
                    self._path,
                    f"{shown(line)} is no link; write a title, one tab, and another title",
                    line=number,
                )
        return b"".join(kept)


def _is_plain(data: bytes) -> bool:
    """Whether every line is two titles with one tab between."""
    raw = np.frombuffer(data, dtype=np.uint8)
    marks = np.flatnonzero((raw == ord("\t")) | (raw == ord("\n")))
    tabs = raw[marks] == ord("\t")
    alternate = bool(tabs[::2].all()) and not tabs[1::2].any()
    # Between two marks there must be a title.
    return alternate and marks[0] > 0 and bool((np.diff(marks) > 1).all())
