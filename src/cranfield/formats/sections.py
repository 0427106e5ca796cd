"""A large list of cells, read by several threads at once, each a section of the file.

Every section has its own numbers for names; those of the later ones are translated when the ones
before them are known, so that names have the numbers that reading line after line would give them.
Only plain lines are read in this way: at the first other one it is over.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from io import FileIO
from itertools import pairwise

from cranfield.formats.lines import Layout
from cranfield.formats.source import Source
from cranfield.kernels import share, worker_count
from cranfield.kernels.numbering import Names, NumberedRows, Translation

_LENGTH = 2 << 20
"""Bytes of a section: what was read of it should still be at hand when it is taken."""
_BLOCK = 1 << 18
_MANY = 100_000
"""Lines that show whether most names are new."""
_LINE = 1 << 16
"""Bytes in which a line should end."""


class Sections:
    """The plain lines at the beginning of a file."""

    def __init__(self, source: Source, layout: Layout, names: Sequence[Names]) -> None:
        """names  what numbers those of each column."""
        self.position = source.begin
        """The byte up to which the file was read."""
        self._source = source
        self._readers = [_Reader(layout, names)]
        while len(self._readers) < min(worker_count(), source.size // _LENGTH):
            self._readers.append(_Reader(layout, [Names() for _ in names], into=names))

    def __iter__(self) -> Iterator[NumberedRows]:
        """Their rows, which stand where the next ones will."""
        if len(self._readers) < 2:
            return
        with suppress(OSError), _reopened(self._source) as file:  # who reads on says what is wrong
            while len(edges := self._edges(file)) > 1:
                self._read(list(pairwise(edges)))
                for reader, (begin, end) in zip(self._readers, pairwise(edges), strict=False):
                    reader.translate()
                    self.position = begin + reader.read_bytes
                    yield reader.rows
                    if self.position < end or reader.mostly_new:
                        return

    def _edges(self, file: FileIO) -> list[int]:
        """Where the next sections begin, and the last of them ends: at line ends."""
        edges = [self.position]
        for _ in self._readers:
            file.seek(edges[-1] + _LENGTH)
            end = file.read(_LINE).find(b"\n") + 1
            if not end:
                break
            edges.append(edges[-1] + _LENGTH + end)
        return edges

    def _read(self, parts: Sequence[tuple[int, int]]) -> None:
        def work(places: range) -> None:
            for place in places:
                self._readers[place].read(self._source, *parts[place])

        share(len(parts), 1, work)


def _reopened(source: Source) -> FileIO:
    """The file once more, if its name still leads to it."""
    file = FileIO(source.path)
    if os.path.samestat(os.fstat(file.fileno()), os.fstat(source.stream.fileno())):
        return file
    file.close()
    raise OSError("another file has its name now")


class _Reader:
    """Reads one section after the other, with numbers of its own for names."""

    def __init__(
        self, layout: Layout, names: Sequence[Names], into: Sequence[Names] | None = None
    ) -> None:
        """into  numbers to translate them into, if they are not those already."""
        self.rows = NumberedRows(names, **layout.built)
        self.read_bytes = 0
        """Of the section."""
        self._names = names
        self._read_lines = 0
        self._translations = [Translation(*pair) for pair in zip(names, into or (), strict=False)]
        self._block = bytearray(_BLOCK)

    def read(self, source: Source, begin: int, end: int) -> None:
        """Read lines as far as they are plain."""
        self.rows.clear()
        self.read_bytes = 0
        with _reopened(source) as file, memoryview(self._block) as view:
            while self.read_bytes < end - begin:
                file.seek(begin + self.read_bytes)
                size = file.readinto(view[: end - begin - self.read_bytes])
                stop = self._block.rfind(b"\n", 0, size) + 1
                if not stop or self._block.find(b"\r", 0, stop) >= 0:
                    break
                plain = self.rows.parse(self._block, 0, stop)
                self.read_bytes += plain
                if plain < stop:
                    break
        self._read_lines += len(self.rows)

    @property
    def mostly_new(self) -> bool:
        """Whether nearly each line has a name that is nowhere else: then to translate them takes
        longer than to read them."""
        return self._read_lines > _MANY and max(map(len, self._names)) > 0.8 * self._read_lines

    def translate(self) -> None:
        for translation, numbers in zip(self._translations, self.rows.numbers, strict=False):
            translation.apply(numbers)
