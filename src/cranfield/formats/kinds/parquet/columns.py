"""The columns of a Parquet file, decoded by Polars as they are asked for.

Polars raises a dozen kinds of error on broken bytes, and its Rust panics, which are no Exceptions;
all of them become a `FileError`. Errors in cells count rows from 1.
"""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from cranfield.core.matrices import Ints
from cranfield.errors import FileError, InputError
from cranfield.formats.kinds.parquet.survey import survey
from cranfield.formats.problems import Problems, shown
from cranfield.formats.source import Source, Target, seekable
from cranfield.formats.table import Chunk, Where

if TYPE_CHECKING:
    import polars

_BLOCK = 1 << 20
"""Rows to decode at a time, where row groups are no larger."""


class Columns:
    """An opened file: names, types and rows; cells only on demand."""

    def __init__(self, source: Source, stream: IO[bytes]) -> None:
        import polars

        self.path = source.path
        self._stream = stream
        try:
            seen = survey(stream, pages=True)
        except InputError as error:
            raise error.in_file(source.path) from None
        self.rows = seen.rows
        self.index = seen.index
        """Columns that were the index of a pandas frame."""
        self._groups = seen.groups
        with _decoding(source.path):
            schema = polars.read_parquet_schema(stream)
        self.names = tuple(schema)
        self.types = tuple(schema.values())
        if self.names != seen.names:
            raise FileError(source.path, "the Parquet file has two lists of columns; rewrite it")
        if not self.rows:
            raise FileError(source.path, "there are no rows; add one for each item")

    def read(self, positions: Sequence[int]) -> polars.DataFrame:
        """Some columns, whole."""
        import polars

        with _decoding(self.path):
            # By place, since Polars takes some names for patterns.
            frame = polars.read_parquet(self._stream, columns=list(positions))
        return self._complete(frame, self.rows)

    def slices(
        self, names: Sequence[str], *, rows: int = _BLOCK
    ) -> Iterator[tuple[int, polars.DataFrame]]:
        """The rows of some columns, a few row groups at a time; with the number of the first.

        rows  how many to decode at a time, where row groups are no larger
        """
        import polars

        # By place, since Polars takes some names for patterns.
        positions = [self.names.index(name) for name in names]
        begin = end = 0
        for position, size in enumerate(self._groups):
            end += size
            if end - begin >= rows or position + 1 == len(self._groups):
                with _decoding(self.path):
                    part = polars.scan_parquet(self._stream).slice(begin, end - begin)
                    frame = part.select(polars.nth(positions)).collect()
                yield begin + 1, self._complete(frame, end - begin)
                begin = end

    def _complete(self, frame: polars.DataFrame, rows: int) -> polars.DataFrame:
        if len(frame) != rows:
            raise FileError(
                self.path, "the Parquet file holds fewer rows than it says; write it again"
            )
        return frame


@contextmanager
def opened_columns(source: Source) -> Iterator[Columns]:
    with source.telling(), seekable(source) as stream:
        yield Columns(source, stream)


def write_frame(frame: polars.DataFrame, target: Target) -> None:
    # Nobody asks for a part of these columns, so statistics would only take room.
    stream: Any = target.stream
    frame.write_parquet(stream, statistics=False)


@contextmanager
def _decoding(path: Path) -> Iterator[None]:
    from polars.exceptions import PanicException

    try:
        with _hushed():
            yield
    except (Exception, PanicException) as error:
        why = "" if isinstance(error, PanicException) else str(error).partition("\n")[0][:200]
        raise FileError(
            path,
            f"the Parquet file cannot be decoded{why and f' ({why})'}; copy or write it again",
        ) from None


@contextmanager
def _hushed() -> Iterator[None]:
    """Let Rust not print its panics; what else is said in the meantime is said afterwards.

    Only where no other thread could want to print.
    """
    if threading.active_count() > 1 or not _is_open(2):
        yield
        return
    with tempfile.TemporaryFile() as said:
        before = os.dup(2)
        os.dup2(said.fileno(), 2)
        try:
            yield
        except BaseException:
            said.truncate(0)
            raise
        finally:
            os.dup2(before, 2)
            said.seek(0)
            os.write(before, said.read())
            os.close(before)


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


# -- What columns may hold ---------------------------------------------------------------------


def is_text(dtype: polars.DataType) -> bool:
    import polars

    return dtype in (polars.String, polars.Categorical, polars.Enum)


def require_ids(columns: Columns, position: int, problems: Problems) -> None:
    dtype = columns.types[position]
    if not (is_text(dtype) or dtype.is_integer()):
        problems.add(
            f"column {shown(columns.names[position])} holds {_named(dtype)}; ids are text or whole "
            "numbers"
        )


def require_numbers(columns: Columns, positions: Iterable[int], problems: Problems) -> None:
    import polars

    for position in positions:
        dtype = columns.types[position]
        if not (dtype.is_numeric() or dtype in (polars.Boolean, polars.Null)):
            first = ", or put it first if it names the items" if is_text(dtype) else ""
            problems.add(
                f"column {shown(columns.names[position])} holds {_named(dtype)}; a concept holds "
                f"numbers, or true and false: cast it, drop it{first}"
            )


def _named(dtype: polars.DataType) -> str:
    return dtype.base_type().__name__


# -- What cells may hold -----------------------------------------------------------------------


def ids_in(column: polars.Series, problems: Problems, *, first: int = 1) -> list[str]:
    """The ids in a column, those that repeat as one string; missing ones are reported.

    first  the number of the first row
    """
    import polars

    texts = column.cast(polars.String).fill_null("")
    for row in (texts == "").arg_true().to_list():
        problems.add(f"the {shown(column.name)} is missing; name it", line=first + row)
    known = texts.unique(maintain_order=True)
    names: list[str] = known.to_list()
    if len(names) == len(texts):
        return names
    codes = texts.cast(polars.Enum(known)).to_physical()
    return [names[code] for code in codes.to_list()]


def numbers_in(
    frame: polars.DataFrame,
    names: list[list[str]],
    problems: Problems,
    *,
    where: Where,
    first: int = 1,
    single: bool = False,
) -> Chunk:
    """The cells of some columns as numbers, NaN for null; what is not finite is reported.

    names   of the rows, for messages
    first   the number of the first row
    single  float32 instead of float64
    """
    import polars

    values: Any = frame.cast(polars.Float32 if single else polars.Float64).to_numpy()
    lines: Ints = np.arange(first, first + len(frame))
    wrong = ~np.isfinite(values)
    if not wrong.any():
        return Chunk(names, values, lines)
    wrong &= ~frame.select(polars.all().is_null()).to_numpy()
    for row, position in np.argwhere(wrong).tolist():
        line = int(lines[row])
        if not problems.wants(line):
            problems.count_only(1)
            continue
        cell = where([column[row] for column in names], position)
        problems.add(
            f"{cell}: {values[row, position]} is not finite; write a finite number, or null where "
            "there is none",
            line=line,
        )
    return Chunk(names, values, lines)
