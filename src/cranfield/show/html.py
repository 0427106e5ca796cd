"""HTML: tables as pages and notebooks show them, and a result as a fragment for notebooks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace

from cranfield.core.chart import Chart, Picture
from cranfield.core.result import Result
from cranfield.core.table import Column, Row, Table
from cranfield.errors import several
from cranfield.show.cells import ARROWS, interval, is_best, mark, marks_width, number
from cranfield.show.csv import csv_text
from cranfield.show.graphics import Heat, graphic_cell, scale_of
from cranfield.show.latex import tabular
from cranfield.show.markup import NOTHING, Html, element, joined, paragraphs, shown, slug
from cranfield.show.plots import plot, style
from cranfield.show.vega import drawing_html

Pictures = Callable[[str], str]
"""From the id of an item to the address of its picture; "" where there is none."""
_MOST_ROWS, _MOST_CHARTS, _MOST_POINTS = 300, 6, 3000
"""Of what a notebook shows: rows of a table, charts, rows of a chart."""
_MOST_ROWS_OF_PAGES = 1000
"""What browsers sort and search at once, and people still look through."""
_SHORT = 24
"""Characters of a text that stays in a line."""
_MARKS = 12
"""Characters of room for signs behind numbers."""
STYLE = """
.cf { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); --ink: #2b2f36; --faint: #6b7280;
  --line: #e4e7eb; --best: #0a7d38; --paper: #fff; color-scheme: light dark }
@media (prefers-color-scheme: dark) { .cf { --ink: #e6e8eb; --faint: #9aa3af; --line: #363b44;
  --best: #5fd38d; --paper: #16191d } }
.cf .frame { overflow-x: auto }
.cf table { border-collapse: collapse; font-variant-numeric: tabular-nums }
.cf caption { text-align: left; font-weight: 600; padding: .5rem 0 }
.cf th, .cf td { padding: .25rem .75rem; white-space: nowrap; font-weight: normal;
  text-align: left }
.cf thead th { border-bottom: 1px solid var(--faint); vertical-align: bottom; font-weight: 600 }
.cf thead small { display: block; color: var(--faint); font-weight: normal }
.cf th[scope=row] { position: sticky; left: 0; background: var(--paper) }
.cf .number { text-align: right }
.cf .ends { color: var(--faint) }
.cf .best { font-weight: 700; color: var(--best) }
.cf .faint, .cf .remark { color: var(--faint) }
.cf .strong > * { font-weight: 700 }
.cf .section > * { border-top: 1px solid var(--line) }
.cf .remark { font-size: .85em; margin: .2rem 0 }
"""


def no_pictures(item: str) -> str:
    """Where nobody knows of pictures."""
    return ""


def fragment(result: Result) -> str:
    """Tables, charts and remarks with their style: for notebooks, which keep them, so that large
    ones are cut."""
    shown_tables = [
        table if table.audience == "programs" else _cut(table, _MOST_ROWS, ".frame has all")
        for table in result.tables
    ]
    small = [c for c in result.charts if not isinstance(c, Chart) or len(c.rows) <= _MOST_POINTS]
    charts = joined(map(picture_html, small[:_MOST_CHARTS]))
    left = len(result.charts) - len(small[:_MOST_CHARTS])
    remark = f"{several(left, 'more chart')}: .to_altair() draws all of them"
    look = STYLE + style() if charts else STYLE
    content = element(
        "div",
        _body(replace(result, tables=shown_tables)),
        charts,
        paragraphs([remark] if left else (), class_="remark"),
        class_="cf",
    )
    return str(element("style", Html(look)) + content)


def picture_html(picture: Picture) -> Html:
    """A chart or a drawing, with its words."""
    return plot(picture) if isinstance(picture, Chart) else drawing_html(picture)


def _cut(table: Table, most: int, whole: str) -> Table:
    """The first rows of a long table; which is the best of all is not to be seen there.

    whole  where the others are
    """
    if len(table.rows) <= most:
        return table
    return replace(
        table,
        rows=table.rows[:most],
        columns=[replace(column, better="") for column in table.columns],
        remarks=[*table.remarks, f"the first {most:,} of {len(table.rows):,} rows; {whole}"],
    )


def table_html(table: Table, *, files: bool = False, pictures: Pictures = no_pictures) -> Html:
    """A table that scrolls by itself where there is no room; its keys stay in sight.

    files     whether it hands itself out as CSV and LaTeX, where a page has a script for that
    pictures  addresses of pictures, for columns that have them
    """
    visible = _cut(table, _MOST_ROWS_OF_PAGES, "CSV has all") if files else table
    grid = _Grid(visible, pictures)
    frame = element(
        "div", grid.table(scripted=files), class_="frame", tabindex=0, role="region",
        aria_label=table.title or None,
    )  # fmt: skip
    legend = grid.heat.legend if grid.heat else NOTHING
    if files:
        shade = element("div", frame, class_="shade")
        frame = element(
            "div", _tools(table, visible), shade, class_="table", id=f"table-{slug(table.name)}"
        )
    return Html(legend + frame + paragraphs(visible.remarks, class_="remark"))


def _tools(table: Table, visible: Table) -> Html:
    """The caption, and buttons for files of the table, which stand beside them; papers print no
    more rows than pages show."""
    content = {"csv": ("CSV", csv_text(table)), "tex": ("LaTeX", tabular(visible))}
    buttons = joined(
        element("button", label, type="button", class_="file", data_file=f"{table.name}.{ending}")
        for ending, (label, _) in content.items()
    )
    held = joined(
        element("template", text, data_file=f"{table.name}.{ending}")
        for ending, (_, text) in content.items()
    )
    caption = element("span", table.title, class_="caption", aria_hidden="true")
    return element("div", caption, element("span", buttons, class_="files"), held, class_="tools")


def _body(result: Result) -> Html:
    if result.text:
        return element("pre", result.text)
    tables = joined(map(table_html, result.tables_for("people", "screens")))
    return Html(tables + paragraphs(result.notes, class_="remark"))


class _Grid:
    """A table on its way to HTML: what all rows share is worked out once."""

    def __init__(self, table: Table, pictures: Pictures) -> None:
        self._table, self._pictures = table, pictures
        self._columns = table.for_people()
        self._best = {column.field: table.best(column) for column in self._columns}
        self._marks = {column.field: marks_width(table, column) for column in self._columns}
        self._scales = {c.field: scale_of(table, c) for c in self._columns if c.graphic}
        self.heat = Heat.of(table)

    def table(self, *, scripted: bool) -> Html:
        """scripted  whether a script sorts it and finds rows by their keys"""
        columns, title = self._columns, self._table.title
        caption = element("caption", title, class_="unseen" if scripted else None)
        lanes = any(column.graphic and column.graphic.kind == "lanes" for column in columns)
        return element(
            "table",
            caption if title else NOTHING,
            element("thead", element("tr", *map(self._heading, columns))),
            element("tbody", *map(self._row, range(len(self._table.rows)))),
            class_=_classes("heat" if self.heat else "", "charted" if self._scales else ""),
            data_sortable=scripted and not lanes,
            data_names=scripted and " ".join(column.field for column in columns if column.key),
        )

    def _heading(self, column: Column) -> Html:
        grouped = any(column.group for column in self._columns)
        group = element("small", column.group or "\u00a0") if grouped else NOTHING
        drawn = NOTHING
        if column.graphic and column.graphic.kind == "lanes":
            return element("th", "\u00a0", scope="col", class_="lane")
        if column.graphic:
            drawn = element("th", self._scales[column.field].axis, scope="col", class_="drawn")
        text: object = f"{column.heading} {ARROWS[column.better]}".rstrip()
        if column.shade:
            text = element("span", text)
        classes = _classes(
            "" if self._table.is_text(column) else "number",
            "shaded" if column.shade else "",
            "name" if column.key else "",
        )
        return Html(drawn + element("th", group, text, scope="col", class_=classes))

    def _row(self, index: int) -> Html:
        table = self._table
        row = table.rows[index]
        begins = index > 0 and table.begins_section(index)
        classes = _classes(row.get(table.emphasis) or "", "section" if begins else "")
        return element(
            "tr", *(self._cells(column, row) for column in self._columns), class_=classes
        )

    def _cells(self, column: Column, row: Row) -> Html:
        """The value, behind its drawing if there is one."""
        drawn = NOTHING
        if column.graphic:
            lanes = column.graphic.kind == "lanes"
            picture = graphic_cell(column, row, self._scales[column.field])
            drawn = element("td", picture, class_="lane" if lanes else "drawn")
            if lanes:
                return drawn
        value = row.get(column.field)
        text = number(value, column)
        if not isinstance(value, str):  # a name keeps its hyphens
            text = text.replace("-", "−")
        kind = "" if self._table.is_text(column) else "number"
        ends = interval(row, column).replace("-", "−")
        parts = (
            text,
            self._signs(column, row),
            element("small", f" {ends}", class_="ends") if ends else NOTHING,
        )
        if column.key:
            address = self._pictures(value) if column.pictured and isinstance(value, str) else ""
            name = element("span", _linked(parts, row.get(column.link)), class_="id")
            classes = _classes("name", kind)
            return element("th", _picture(address), name, scope="row", class_=classes)
        exact = repr(float(value)) if isinstance(value, float) and math.isfinite(value) else None
        highlighted = "best" if is_best(column, row, self._best[column.field]) else ""
        shade = self.heat.level(value) if self.heat and column.shade else ""
        short = "tight" if not kind and len(text) <= _SHORT else ""
        classes = _classes(kind, short, highlighted, shade)
        return Html(drawn + element("td", *parts, class_=classes, title=exact))

    def _signs(self, column: Column, row: Row) -> Html:
        """Signs behind a number, in as much room as all of its column have."""
        signs = mark(row, column)
        room = 0 if self._table.is_text(column) or column.shade else self._marks[column.field]
        if not signs and not room:
            return NOTHING
        return element("sup", signs, class_=f"m{min(_MARKS, room)}" if room else None)


def _linked(parts: Iterable[object], address: object) -> Html:
    """A name, which leads somewhere on the same server if there is an address."""
    content = joined(parts)
    local = isinstance(address, str) and address.startswith("/") and address[1:2] != "/"
    return element("a", content, href=address) if local else content


def _picture(address: str) -> Html:
    """A small picture that leads to the whole of it; "" where there is none."""
    if not address:
        return NOTHING
    small = Html(f'<img src="{shown(address)}" alt="" loading="lazy">')
    return element("a", small, href=address, class_="picture", rel="noreferrer")


def _classes(*names: str) -> str | None:
    return " ".join(filter(None, names)) or None
