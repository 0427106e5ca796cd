"""The features in an ARFF file: attributes that are neither labels nor ids, as a Polars frame.

Numbers are Float64, nominal values an Enum, text String; missing values are null.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from cranfield.core.matrices import Floats, Ints
from cranfield.formats.mulan.arff import Attribute, Kind
from cranfield.formats.mulan.rows import Rows

if TYPE_CHECKING:
    import polars


class Features:
    """Gathers the features of rows."""

    def __init__(self, attributes: Sequence[Attribute], places: Sequence[int]) -> None:
        self._attributes = [attributes[place] for place in places]
        self._places = list(places)
        self._order = np.full(len(attributes), -1)
        self._order[self._places] = np.arange(len(places))
        self._rows = 0
        none = np.empty(0, dtype=np.int64)
        self._dense: list[tuple[Ints, Floats]] = [(none, np.empty((0, len(places))))]
        self._sparse: list[tuple[Ints, Ints, Floats]] = [(none, none, np.empty(0))]
        self._texts: dict[int, list[str | None]] = {
            place: [] for place in places if attributes[place].kind is Kind.TEXT
        }

    def add(self, rows: Rows) -> None:
        if rows.values is not None:
            self._dense.append((self._rows + np.arange(len(rows.lines)), rows.taken(self._places)))
        elif rows.cells is not None:
            row, column, value = rows.cells
            wanted = self._order[column] >= 0
            self._sparse.append(
                (row[wanted] + self._rows, self._order[column[wanted]], value[wanted])
            )
        for place, texts in self._texts.items():
            texts += rows.texts[place]
        self._rows += len(rows.lines)

    def frame(self) -> polars.DataFrame:
        import polars

        return polars.DataFrame(
            [
                polars.Series(attribute.name, self._texts[place], dtype=polars.String)
                if attribute.kind is Kind.TEXT
                else _column(attribute, values)
                for place, attribute, values in zip(
                    self._places, self._attributes, self._columns(), strict=True
                )
            ]
        )

    def _columns(self) -> Iterator[Floats]:
        """The values of one feature after the other; what sparse rows do not mention is 0."""
        dense_rows, matrix = map(np.concatenate, zip(*self._dense, strict=True))
        rows, columns, values = map(np.concatenate, zip(*self._sparse, strict=True))
        order = np.argsort(columns, kind="stable")
        edges = np.searchsorted(columns[order], np.arange(len(self._places) + 1))
        for place in range(len(self._places)):
            column = np.zeros(self._rows)
            column[dense_rows] = matrix[:, place]
            cells = order[edges[place] : edges[place + 1]]
            column[rows[cells]] = values[cells]
            yield column


def _column(attribute: Attribute, values: Floats) -> polars.Series:
    import polars

    numbers = polars.Series(attribute.name, values, nan_to_null=True)
    if attribute.kind is Kind.NUMBER:
        return numbers
    known = polars.Series(
        attribute.name, attribute.values, dtype=polars.Enum(list(attribute.values))
    )
    return known.gather(numbers.cast(polars.UInt32))
