"""Texts in columns of a Parquet file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cranfield.errors import FileError, first_ten
from cranfield.formats.parquet.columns import (
    Columns,
    ids_in,
    is_text,
    opened_columns,
    require_ids,
)
from cranfield.formats.problems import Problems, shown
from cranfield.formats.source import Source
from cranfield.knowledge.relatedness.counts import Passages
from cranfield.knowledge.relatedness.spelling import PHRASE_PART

_ROWS_DECODED = 1 << 17
_ROWS = 1 << 14
"""Rows to hand out at once: about a megabyte of captions."""


def passages_of(source: Source, columns: Sequence[str], by: str | None) -> Iterator[Passages]:
    """The texts of some columns, a few rows at a time; null is no text."""
    import polars

    texts = polars.concat_str(
        [polars.col(str(place)).cast(polars.String) for place in range(len(columns))],
        separator=PHRASE_PART.decode(),
        ignore_nulls=True,
    ).str.replace_all("[\n\r]", " ")
    problems = Problems(source.path)
    with opened_columns(source) as there:
        _require_columns(there, columns, by, problems)
        asked = columns if by is None else (*columns, by)
        for first, frame in there.slices(asked, rows=_ROWS_DECODED):
            frame.columns = [str(place) for place in range(len(asked))]
            for begin in range(0, len(frame), _ROWS):
                rows = frame.slice(begin, _ROWS)
                lines = rows.select(texts).to_series().to_list()
                keys = None
                if by is not None:
                    keys = ids_in(rows[str(len(columns))].alias(by), problems, first=first + begin)
                    problems.settle()
                yield Passages("\n".join([*lines, ""]).encode(), keys)


def _require_columns(
    there: Columns, columns: Sequence[str], by: str | None, problems: Problems
) -> None:
    missing = [name for name in (*columns, by) if name not in (*there.names, None)]
    if missing:
        raise FileError(
            there.path,
            f"there is no column {first_ten(map(str, missing))}, only {first_ten(there.names)}",
        )
    for name in columns:
        if not is_text(there.types[there.names.index(name)]):
            problems.add(f"column {shown(name)} holds no text; name columns of text")
    if by is not None:
        require_ids(there, there.names.index(by), problems)
    problems.settle()
