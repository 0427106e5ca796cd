"""What is gathered while a table is read: ids of items, rows as a matrix, and names as numbers.

A list of millions of cells names a few million documents: as texts they take longer than all the
rest. So names are numbered as bytes, one line after the other. Several threads read such a list,
each a section of the file. Every section has its own numbers for names; those of the later ones are
translated when the ones before them are known, so that names have the numbers that reading line
after line would give them. Only plain lines are read in this way: at the first other one it is
over.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from io import FileIO
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.core.matrices import Floats, Ints
from cranfield.formats.lines import Layout
from cranfield.formats.problems import Problems, shown
from cranfield.formats.source import Source
from cranfield.formats.table import Chunk, Table, Where
from cranfield.kernels import share, worker_count
from cranfield.kernels.numbering import Names, NumberedRows, Translation


class Items:
    """Ids of rows in the order of their lines; each may stand once."""

    def __init__(
        self,
        problems: Problems,
        *,
        rows: str = "item",
        known: tuple[str, ...] | None = None,
        repeats: Repeats | None = None,
    ) -> None:
        """rows     what an id names, in messages
        known    ids that may well be just these, in this order: then none need be looked up
        repeats  takes the rows that stand a second time, where that may mean something
        """
        self.problems = problems
        self._repeats = repeats
        self._rows = rows
        self._known = known or ()
        self._met = 0
        """How many rows there are, as long as their ids are the known ones in order."""
        self._lines_met: list[Ints] = []
        self._lines: dict[str, int] = {}

    @property
    def lines(self) -> dict[str, int]:
        """The line of each id."""
        if self._met:
            lines = np.concatenate(self._lines_met).tolist()
            self._lines = dict(zip(self._known[: self._met], lines, strict=True))
            self._met, self._known = 0, ()
        return self._lines

    @property
    def all_known(self) -> bool:
        """Whether the ids are the known ones in their order, all of them and no others."""
        return self._met > 0 and self._met == len(self._known)

    @property
    def ids(self) -> Sequence[str]:
        return self._known if self.all_known else list(self.lines)

    def add(self, chunk: Chunk) -> Chunk:
        """Note the items of a chunk; what comes back lacks the rows that stand a second time."""
        ids = chunk.names[0]
        after = self._met + len(ids)
        if self._known and ids == list(self._known[self._met : after]):
            self._lines_met.append(chunk.lines)
            self._met = after
            return chunk
        known, lines = self.lines, chunk.lines.tolist()
        self._known = ()
        new = dict(zip(ids, lines, strict=True))
        if len(new) == len(ids) and known.keys().isdisjoint(new):
            self._report(self._repeats.given_up() if self._repeats else [])
            known.update(new)
            return chunk
        kept: list[int] = []
        for row, (item, line) in enumerate(zip(ids, lines, strict=True)):
            first = known.setdefault(item, line)
            if first == line:
                kept.append(row)
                self._report(self._repeats.given_up() if self._repeats else [])
            elif self._repeats is None or not self._repeats.take(
                known, item, line, chunk.values[row]
            ):
                self._report([*(self._repeats.given_up() if self._repeats else []), (item, line)])
        return Chunk([[ids[row] for row in kept]], chunk.values[kept], chunk.lines[kept])

    def finish(self) -> NDArray[Any] | None:
        """What the second rows of all ids hold; None if there are none."""
        if not self._repeats:
            return None
        values = self._repeats.values(len(self.lines))
        self._report(self._repeats.given_up() if values is None else ())
        return values

    def _report(self, repeated: Iterable[tuple[str, int]]) -> None:
        for item, line in repeated:
            if self.problems.wants(line):
                self.problems.add(
                    f"{self._rows} {shown(item)} stands on line {self.lines[item]} already; "
                    "keep one of the two lines",
                    line=line,
                )
            else:
                self.problems.count_only(1)


class Repeats:
    """Rows that stand a second time, as long as they are decisions that follow on all confidences.

    ImageCLEF 2010: the confidences of all photos, then their decisions, in the same order.
    """

    def __init__(self) -> None:
        self._order: Iterator[str] | None = None
        """The ids that must come next, once the first came again."""
        self._rows: list[tuple[str, int]] = []
        self._values: list[NDArray[Any]] = []
        self._possible = True

    def take(self, known: Mapping[str, int], item: str, line: int, values: NDArray[Any]) -> bool:
        """Whether this row may be the next one of a second half."""
        if self._order is None:
            self._order = iter(list(known))
        decided = bool(((values == 0) | (values == 1)).all())
        self._possible = self._possible and decided and next(self._order, None) == item
        if self._possible:
            self._rows.append((item, line))
            self._values.append(values.astype(np.bool_))
        return self._possible

    def __len__(self) -> int:
        return len(self._rows)

    def given_up(self) -> list[tuple[str, int]]:
        """The ids and lines that were taken, which are only rows too many."""
        taken, self._rows = self._rows, []
        self._possible = self._possible and not taken
        return taken

    def values(self, count: int) -> NDArray[Any] | None:
        """All decisions, if there are so many."""
        complete = self._possible and count > 0 and len(self._rows) == count
        return np.array(self._values) if complete else None


class Stack:
    """Rows put one below the other; grows in place, so that nothing is held twice."""

    def __init__(self, width: int, dtype: type[np.generic], *, likely: int = 0) -> None:
        """likely  how many rows there will be, if that can be guessed: then none need move."""
        self._rows = np.empty((likely, width), dtype=dtype)
        self._filled = 0

    def add(self, rows: NDArray[Any]) -> None:
        needed = self._filled + len(rows)
        wider = np.promote_types(self._rows.dtype, rows.dtype)
        if wider != self._rows.dtype:
            self._rows = self._rows.astype(wider)
        if needed > len(self._rows):
            self._resize(max(needed, len(self._rows) + len(self._rows) // 2))
        self._rows[self._filled : needed] = rows
        self._filled = needed

    def finished(self) -> NDArray[Any]:
        self._resize(self._filled)
        return self._rows

    def _resize(self, rows: int) -> None:
        # Nothing else refers to the rows yet, so their memory may move.
        self._rows.resize((rows, self._rows.shape[1]), refcheck=False)


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
        def work(positions: range) -> None:
            for index in positions:
                self._readers[index].read(self._source, *parts[index])

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


_TOGETHER = 1 << 15
"""Rows of a section to hand out at a time, so that they are still at hand for who looks twice."""


class Numbered(NamedTuple):
    """Some rows of a table."""

    numbers: Sequence[NDArray[Any]]
    """Of the names, those of a column together. To be copied by who keeps them: the next rows may
    stand in their place."""
    values: Floats
    """(rows, width); to be copied, too."""
    passed: NDArray[Any]
    """Lines before each row, from `first` on; to be copied, too."""
    first: int

    @property
    def lines(self) -> Ints:
        return self.passed.astype(np.int64) + self.first

    @property
    def followed(self) -> range | Ints:
        """The lines; nearly always one follows the other, and two numbers say it."""
        first, last = int(self.passed[0]) + self.first, int(self.passed[-1]) + self.first
        return range(first, last + 1) if last - first == len(self.passed) - 1 else self.lines


class NumberedTable(Table):
    """A text file as lines of names, which are numbered, and numbers."""

    _began = False
    """Whether rows were handed out."""

    def numbered(
        self, layout: Layout, *, where: Where, names: Sequence[Names]
    ) -> Iterator[Numbered]:
        """All further rows.

        where  what to call a cell in messages
        names  what numbers those of each column
        """
        for rows in chain(self._in_sections(layout, names), self._in_blocks(layout, where, names)):
            if len(rows.passed):
                yield rows
            self.problems.settle()

    def _in_sections(self, layout: Layout, names: Sequence[Names]) -> Iterator[Numbered]:
        """The plain lines at the beginning of a large file in which a line end always is one."""
        if self.separator:
            return
        sections, line = Sections(self._source, layout, names), 1
        for rows in sections:
            for first in range(0, len(rows), _TOGETHER):
                some = slice(first, first + _TOGETHER)
                yield Numbered(
                    list(rows.numbers[:, some]), rows.values[some], rows.passed[some], line
                )
                self._began = True
            line += rows.lines
        if self._began:
            self._go_to(sections.position, line)

    def _in_blocks(
        self, layout: Layout, where: Where, names: Sequence[Names]
    ) -> Iterator[Numbered]:
        """All that is left: of each block plain lines together, the others one by one."""
        if not self._began:
            self._skip_blank_lines()
        rows = NumberedRows(names, **layout.built)
        while self._fill():
            rows.clear()
            self._position = rows.parse(self._block, self._position, self._end)
            yield Numbered(list(rows.numbers), rows.values, rows.passed, self._line)
            self._line += rows.lines
            if self._position < self._end:
                some = self._take_lines(self._end, layout, where, "")
                columns = [one.of(said) for one, said in zip(names, some.names, strict=True)]
                yield Numbered(columns, some.values, some.lines, 0)
