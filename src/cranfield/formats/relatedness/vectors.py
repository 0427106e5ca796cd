"""Vectors of words on disk: text as word2vec, GloVe and fastText write it, or an NPZ.

Text is a word and its numbers on each line, parted by blanks; the first line may say how many words
and numbers there are. Only the words that are asked for are read, in one pass, so that a file of
any size will do. An NPZ has `words`, an array of strings, and `vectors`, a row for each.

Plain rows, without quotes and with as many fields on each line, are cut with NumPy; other rows are
read one by one, which takes several times as long.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from cranfield.core.matrices import Floats, Ints
from cranfield.errors import FileError, InputError
from cranfield.formats.lines import complaint, number, numbers
from cranfield.formats.problems import shown
from cranfield.formats.source import Source, legible, opened
from cranfield.formats.stored_arrays import ids_of, read_npz, telling
from cranfield.knowledge.relatedness.spelling import PHRASE_PART

_ARCHIVE = b"PK"


class VectorFile:
    """The vectors of a file."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        with opened(path) as source:
            self.name, self.origin = source.name, legible(self._path.name)
            if source.is_folder:
                raise FileError(path, "this is a folder; name one file of vectors")

    def find(self, words: Collection[str]) -> Mapping[str, Floats]:
        with opened(self._path) as source:
            if source.head.startswith(_ARCHIVE):
                return _stored(source, set(words))
            return dict(_listed(source, {word.encode(errors="replace") for word in words}))


def _stored(source: Source, wanted: set[str]) -> dict[str, Floats]:
    arrays = read_npz(source, ("words", "vectors"), main="words and vectors")
    with telling(source, "NPZ archive"):
        names, vectors = ids_of(arrays, "words"), arrays.get("vectors")
        if names is None or vectors is None:
            raise InputError("the archive needs two arrays, words and vectors")
        if vectors.shape[:-1] != (len(names),) or vectors.dtype.kind not in "biuf":
            raise InputError(
                f"vectors has shape {vectors.shape} for {len(names)} words; give a row of numbers "
                "for each"
            )
        result = {}
        for name, vector in zip(names, vectors, strict=True):
            if name in wanted and name not in result:
                result[name] = vector.astype(np.float64)
                if not np.isfinite(result[name]).all():
                    raise InputError(f"the vector of {shown(name)} is not finite")
        return result


def _listed(source: Source, wanted: set[bytes]) -> Iterator[tuple[str, Floats]]:
    """Vectors of wanted words; of a word that stands twice, the first."""
    if b"\0" in source.head:
        raise FileError(source.path, "this is not text; save the vectors as text or NPZ", line=1)
    width = _width(source)
    # A word may hold blanks, so all that begin like one that is wanted are looked at.
    begins = {word.split(b" ", 1)[0] for word in wanted}
    left, line = set(wanted), 0
    for block in source.blocks():
        for row in block.data[: block.end].replace(b"\t", b" ").split(b"\n")[:-1]:
            line += 1
            if row[: row.find(b" ")] in begins:
                word, *cells = row.rsplit(None, width)
                if word in left:
                    left.remove(word)
                    yield word.decode(), _vector(source, word, cells, width, line)


def _width(source: Source) -> int:
    """How many numbers a line has, as the first line says or shows."""
    first = source.first_line.split()
    if len(first) == 2 and all(field.isdigit() for field in first):
        return max(1, int(first[1]))
    if len(first) < 2 or number(first[-1]) is None:
        raise FileError(
            source.path,
            f"{shown(source.first_line)} is no vector; write a word and its numbers on each line",
            line=1,
        )
    return len(first) - 1


def _vector(source: Source, word: bytes, cells: list[bytes], width: int, line: int) -> Floats:
    if len(cells) < width:
        raise FileError(
            source.path, f"{shown(word)} has {len(cells)} numbers; expected {width}", line=line
        )
    values = numbers(cells)
    if values is None:
        bad = next(cell for cell in cells if number(cell) is None)
        raise FileError(source.path, f"{shown(word)}: {complaint(bad, 'word')}", line=line)
    return np.array(values)


class PlainColumns:
    """The fields of some lines."""

    def __init__(self, data: bytes, ends: Ints) -> None:
        self._data = data
        self._ends = ends
        """(lines, width): where each field ends."""

    @classmethod
    def of(cls, data: bytes, separator: bytes, width: int) -> PlainColumns | None:
        """The fields of whole lines; None if these are not plain."""
        if width < 2 or (separator != b"\t" and b'"' in data):
            return None
        raw = np.frombuffer(data, dtype=np.uint8)
        marks = np.flatnonzero((raw == ord(separator)) | (raw == ord("\n")))
        if len(marks) % width:
            return None
        ends = marks.reshape(-1, width)
        closing = raw[ends] == ord("\n")
        return cls(data, ends) if closing[:, -1].all() and not closing[:, :-1].any() else None

    def __len__(self) -> int:
        return len(self._ends)

    def texts(self, columns: Sequence[int]) -> bytes:
        """Some columns of each line as one line; no phrase goes from one to the next."""
        *others, last = sorted(set(columns))
        raw = np.frombuffer(self._data, dtype=np.uint8).copy()
        raw[self._ends[:, others]] = ord(PHRASE_PART)
        raw[self._ends[:, last]] = ord("\n")
        edges = np.zeros(len(raw) + 1, dtype=np.int8)
        for column in (*others, last):
            edges[self._begins(column)] += 1
            edges[self._ends[:, column] + 1] -= 1
        return raw[np.cumsum(edges[:-1], dtype=np.int8).view(np.bool_)].tobytes()

    def names(self, column: int) -> list[str]:
        """The fields of a column."""
        begins, ends = self._begins(column).tolist(), self._ends[:, column].tolist()
        return [self._data[a:b].decode() for a, b in zip(begins, ends, strict=True)]

    def _begins(self, column: int) -> Ints:
        if column:
            return self._ends[:, column - 1] + 1
        return np.concatenate([[0], self._ends[:-1, -1] + 1])
