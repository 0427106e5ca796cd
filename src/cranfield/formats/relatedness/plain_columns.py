"""Columns cut out of plain rows with NumPy: no quotes, and as many fields on each line.

Other rows are read one by one, which takes several times as long.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.core.matrices import Ints
from cranfield.knowledge.relatedness.spelling import PHRASE_PART


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
