"""Tables: rows of raw values, and columns that say how people read them.

A table knows nothing of terminals, papers or pages; `show` renders it in any of them. Rows hold
numbers as they were computed, NaN and infinity included. A field whose name begins with `_` is a
mark for renderers (`_rank`, `_mark`): programs never see it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

from cranfield.caching import cached_property
from cranfield.core.plain import changed, checked, finite, restored, stored
from cranfield.core.terms import CONCEPTS, Terms
from cranfield.errors import InputError

if TYPE_CHECKING:
    import polars

Row = Mapping[str, Any]
"""A record: names of fields to texts, numbers, truth values or None."""
Kind = Literal["", "percent", "p", "count"]
Audience = Literal["all", "people", "screens", "papers", "programs"]
"""Who sees it: people look at screens and read papers, programs read CSV and JSON."""
Better = Literal["", "higher", "lower"]


@dataclass(frozen=True)
class Graphic:
    """A small drawing beside the values of a column, on pages; all rows share one scale."""

    kind: Literal["bar", "interval", "gain", "spread", "lanes"]
    """bar       from the left to the value
    interval  a dot for the value, a line from end to end of its interval
    gain      from a small dot at the first of `fields` to a large one at the value
    spread    a histogram of shares, with a line at the value
    lanes     bars that join rows: [lane, begins, ends] for each bar of a row"""
    fields: Sequence[str] = ()
    """What is drawn besides the value: both ends, the start, the shares, the bars."""
    domain: Sequence[float] | None = None
    letters: int = 0
    """How wide terminals draw bars and intervals; 0: not at all."""


@dataclass(frozen=True)
class Column:
    """A field of the rows, and how people read it."""

    field: str
    title: str = ""
    """The heading; default: the field, with blanks for underscores."""
    digits: int = 3
    kind: Kind = ""
    """How numbers are written; default: `digits` after the point, whole numbers as they are."""
    better: Better = ""
    """Which end is the better: an arrow in the heading, and the best value stands out."""
    group: str = ""
    """A heading above the headings, for columns that belong together."""
    key: bool = False
    """Whether it names the row: repeated wherever a wide table is continued."""
    interval: tuple[str, str] | None = None
    """Fields with the ends of an interval, written behind the value."""
    mark: str = ""
    """A field with signs that follow the value: "*", or letters of runs it is better than."""
    align: Literal["", "left", "right"] = ""
    """Default: words on the left, numbers on the right."""
    shade: Better = ""
    """Which end is shaded strongest on pages, over all columns that are shaded."""
    graphic: Graphic | None = None
    pictured: bool = False
    """Whether pages show a picture of what it names, where they know of one."""
    link: str = ""
    """A field with addresses that names lead to on pages of a server; they begin with "/"."""
    audience: Audience = "all"

    @property
    def heading(self) -> str:
        return self.title or self.field.replace("_", " ")


class LazyRows(Sequence[Row]):
    """Rows that are made when somebody reads them: signatures need hashes, which take time."""

    def __init__(self, make: Callable[[], list[Any]]) -> None:
        self._make = make

    @cached_property
    def _rows(self) -> list[Any]:
        return self._make()

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        return self._rows[index]


@dataclass(frozen=True)
class Table:
    """Rows under columns, with the name that files and JSON know it by."""

    name: str
    rows: Sequence[Row]
    columns: Sequence[Column] = ()
    """Default: one for each field of the first row."""
    title: str = ""
    remarks: Sequence[str] = ()
    audience: Audience = "all"
    section: str = ""
    """A field: a line is drawn where its value changes, and the value shown only there."""
    emphasis: str = ""
    """A field with "strong", "faint" or "" for each row; a faint one is never the best."""
    caption: str = ""
    """What papers print above it: with a caption it is a float in LaTeX."""
    defused: bool = False
    """Whether strangers chose names in it and people open its CSV in spreadsheets: texts that would
    be taken for formulas begin with an apostrophe there."""

    def in_terms(self, terms: Terms) -> Table:
        """The same table, whose headings call concepts and items by these words."""
        if terms == CONCEPTS or self.audience == "programs":
            return self
        columns = [
            replace(
                column,
                title=column.title or terms.word(column.heading),
                group=terms.word(column.group),
            )
            for column in self.columns or map(Column, self._names)
        ]
        return replace(self, columns=columns)

    def for_people(self, medium: Literal["screens", "papers"] = "screens") -> list[Column]:
        """The columns to show; the first is a key unless others are."""
        columns = self.columns or [Column(name) for name in self._names]
        visible = [column for column in columns if column.audience in ("all", "people", medium)]
        if visible and not any(column.key for column in visible):
            visible[0] = replace(visible[0], key=True)
        return visible

    @property
    def fields(self) -> list[str]:
        """What programs read: every field but marks and those of columns for people only."""
        hidden = {
            column.field for column in self.columns if column.audience not in ("all", "programs")
        }
        return [name for name in self._names if name not in hidden and not name.startswith("_")]

    @property
    def _names(self) -> list[str]:
        if self.rows:
            return list(self.rows[0])
        return [column.field for column in self.columns]

    @property
    def records(self) -> list[dict[str, Any]]:
        """What programs read, row by row; None where undefined or infinite."""
        return [{name: finite(row.get(name)) for name in self.fields} for row in self.rows]

    @property
    def frame(self) -> polars.DataFrame:
        """As a Polars frame, numbers as they are."""
        import polars

        columns = {name: [row.get(name) for row in self.rows] for name in self.fields}
        return polars.DataFrame(columns, strict=False)

    def to_pandas(self) -> Any:
        """As a frame of pandas, numbers as they are; needs pandas, and nothing else."""
        try:
            pandas: Any = import_module("pandas")
        except ImportError:
            raise InputError("to_pandas needs pandas: pip install pandas, or take .frame") from None
        return pandas.DataFrame(
            {name: [row.get(name) for row in self.rows] for name in self.fields}
        )

    def best(self, column: Column) -> float | None:
        """The best value of a column; None where none is better than another."""
        if not column.better:
            return None
        clear = [row for row in self.rows if row.get(self.emphasis) != "faint"]
        values = [row.get(column.field) for row in clear or self.rows]
        numbers = [value for value in values if isinstance(value, (int, float)) and value == value]
        if not numbers:
            return None
        return max(numbers) if column.better == "higher" else min(numbers)

    def begins_section(self, index: int) -> bool:
        """Whether a row is the first of a section."""
        if not self.section:
            return False
        value = self.rows[index].get(self.section)
        return index == 0 or value != self.rows[index - 1].get(self.section)

    def is_text(self, column: Column) -> bool:
        """Whether a column holds words, which start on the left."""
        if column.align:
            return column.align == "left"
        return column.key or column.field in self._text_fields

    @cached_property
    def _text_fields(self) -> frozenset[str]:
        """Fields that hold words in some row; renderers ask for every cell."""
        return frozenset(
            field for row in self.rows for field, value in row.items() if isinstance(value, str)
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON can hold it."""
        content = changed(self) | {"columns": list(map(_column_content, self.columns))}
        return dict(stored(content))

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Table:
        members = restored(content)
        columns = members.get("columns", [])
        for column in columns:
            if "interval" in column:
                column["interval"] = tuple(column["interval"])
            if "graphic" in column:
                column["graphic"] = checked(Graphic(**column["graphic"]))
        table = checked(
            cls(**members | {"columns": [checked(Column(**column)) for column in columns]})
        )
        drawn = {name for shown in table.columns if shown.graphic for name in shown.graphic.fields}
        texts = {column.field for column in table.for_people()} - drawn
        texts |= {table.section, table.emphasis}
        for row in table.rows if table.audience != "programs" else ():
            if any(isinstance(row.get(name), dict | list) for name in texts):
                raise TypeError(f"table {table.name!r}: a cell holds no text or number")
        return table


def _column_content(column: Column) -> dict[str, Any]:
    content = changed(column)
    return content | ({"graphic": changed(column.graphic)} if column.graphic else {})


class Wide(NamedTuple):
    """Rows and columns of a table that people read across."""

    rows: list[dict[str, Any]]
    columns: list[Column]


def pivot(
    rows: Iterable[Row],
    down: str | Column,
    across: str,
    cell: Column,
    by_column: Mapping[str, Mapping[str, Any]] | None = None,
) -> Wide:
    """Long rows as wide ones: a row for each value of `down`, a column for each of `across`.

    cell       how values are written: its field, digits, interval, mark
    by_column  replacements of what `cell` says, by value of `across`: {"EER": {"better": "lower"}}
    """
    key = Column(down, key=True) if isinstance(down, str) else replace(down, key=True)
    beside = [name for name in (cell.mark, *(cell.interval or ())) if name]
    wide: dict[Any, dict[str, Any]] = {}
    columns: dict[str, Column] = {}
    for row in rows:
        name = str(row[across])
        target = wide.setdefault(row[key.field], {key.field: row[key.field]})
        target[name] = row[cell.field]
        target |= {_beside(name, field): row[field] for field in beside}
        if name not in columns:
            column = replace(
                cell,
                field=name,
                title=cell.title or name,
                interval=cell.interval
                and (_beside(name, cell.interval[0]), _beside(name, cell.interval[1])),
                mark=cell.mark and _beside(name, cell.mark),
            )
            columns[name] = replace(column, **(by_column or {}).get(name, {}))
    return Wide(list(wide.values()), [key, *columns.values()])


def _beside(name: str, field: str) -> str:
    """What a cell's companion is called in a wide row; a mark stays one."""
    return f"_{name} {field.lstrip('_')}" if field.startswith("_") else f"{name} {field}"


def square(
    name: str,
    labels: Sequence[str],
    values: Any,
    *,
    marks: Any = None,
    title: str = "",
    remarks: Sequence[str] = (),
) -> Table:
    """Things by the same things, for people: columns carry the numbers of rows.

    values  a matrix of numbers; the diagonal is not shown
    marks   a matrix of signs that follow them
    """
    columns = [Column("_row", "#", key=True, align="right"), Column("name", " ", key=True)]
    columns += [
        Column(f"{number} {label}", str(number), align="right", mark=f"_{number}")
        for number, label in enumerate(labels, start=1)
    ]
    rows = []
    for i, label in enumerate(labels):
        row: dict[str, Any] = {"_row": str(i + 1), "name": label}
        for j, other in enumerate(labels):
            row[f"{j + 1} {other}"] = "·" if i == j else float(values[i][j])
            row[f"_{j + 1}"] = "" if i == j or marks is None else str(marks[i][j])
        rows.append(row)
    return Table(name, rows, columns, title=title, remarks=remarks, audience="people")
