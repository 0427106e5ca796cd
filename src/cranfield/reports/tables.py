"""Tables of a report: each for a page, and the same numbers as CSV and LaTeX.

A page shows few digits and pictures between them; CSV has every digit and also the columns for
which a page has no room.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cranfield.report.exports import latex, tabular
from cranfield.report.standings import UNDEFINED
from cranfield.report.standings import written as number
from cranfield.show.markup import Html, element, joined

Value = str | float | int | None
DIGITS = 4


class Column(NamedTuple):
    """A column; the first of class name names the rows."""

    name: str
    """In CSV; what must be unique."""
    head: str | Html = ""
    """On the page and in LaTeX; default: the name."""
    digits: int = DIGITS
    place: str = "everywhere"
    """everywhere; data: CSV only; page: nowhere else, a picture, say."""
    css: str = ""


class Cell(NamedTuple):
    """A value, and how it is shown where that is not just the value."""

    value: Value
    page: Html | None = None
    latex: str | None = None
    css: str = ""


Row = Sequence[Cell | Value]


@dataclass(frozen=True)
class Table:
    """Rows under columns, with a name that files are called by."""

    name: str
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    css: str = ""
    sortable: bool = True
    row_css: Sequence[str] = ()
    """A class for each row, if any."""

    # ── on the page ───────────────────────────────────────────────────────────────────────────

    @property
    def html(self) -> Html:
        """The table in a frame that scrolls by itself, with buttons for its files."""
        places = [place for place, one in enumerate(self.columns) if one.place != "data"]
        head = joined(self._heading(self.columns[place], place) for place in places)
        classes = self.row_css or [""] * len(self.rows)
        body = joined(
            element("tr", *self._cells(row, places), class_=css or None)
            for row, css in zip(self.rows, classes, strict=True)
        )
        table = element(
            "table",
            element("caption", self.caption, class_="unseen"),
            element("thead", element("tr", head)),
            element("tbody", body),
            class_=self.css or None,
            data_sortable=self.sortable,
        )
        frame = element(
            "div", table, class_="frame", tabindex="0", role="region", aria_label=self.caption
        )
        return element("div", self._tools(), frame, class_="table", id=f"table-{self.name}")

    def _tools(self) -> Html:
        files = ((f"{self.name}.csv", "CSV", self.csv), (f"{self.name}.tex", "LaTeX", self.latex))
        buttons = joined(
            element("button", label, type="button", class_="file", data_file=name)
            for name, label, _ in files
        )
        held = joined(element("template", text, data_file=name) for name, _, text in files)
        return element(
            "div", element("span", self.caption, class_="caption", aria_hidden="true"),
            element("span", buttons, class_="files"), held, class_="tools",
        )  # fmt: skip

    def _heading(self, column: Column, place: int) -> Html:
        numeric = place != self._names and not any(
            isinstance(_value(row[place]), str) for row in self.rows
        )
        css = " ".join(filter(None, ("n" if numeric else "", column.css)))
        return element("th", column.head or column.name, scope="col", class_=css or None)

    def _cells(self, row: Row, places: Sequence[int]) -> list[Html]:
        return [
            self._cell(row[place], self.columns[place], names=place == self._names)
            for place in places
        ]

    @property
    def _names(self) -> int:
        """The column that names the rows."""
        return next((place for place, one in enumerate(self.columns) if "name" in one.css), 0)

    def _cell(self, given: Cell | Value, column: Column, *, names: bool) -> Html:
        cell = given if isinstance(given, Cell) else Cell(given)
        value, numeric = cell.value, not isinstance(cell.value, str)
        text: str = written(value, column.digits) if cell.page is None else cell.page
        # What is sorted by stands beside what is shown, where the two differ.
        key = f"{value:.6g}" if isinstance(value, float) else value
        classes = ("n" if numeric and not names else "", column.css, cell.css)
        return element(
            "th" if names else "td",
            text.replace("-", "−") if cell.page is None and numeric else text,
            scope="row" if names else None,
            class_=" ".join(filter(None, classes)) or None,
            data_v=None if cell.page is None else key,
        )

    # ── for other programs ────────────────────────────────────────────────────────────────────

    @property
    def csv(self) -> str:
        """Every digit; undefined is empty."""
        places = [place for place, one in enumerate(self.columns) if one.place != "page"]
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([self.columns[place].name for place in places])
        writer.writerows([_blank(_value(row[place])) for place in places] for row in self.rows)
        return out.getvalue()

    @property
    def latex(self) -> str:
        """What the page shows, as a booktabs table."""
        places = [place for place, one in enumerate(self.columns) if one.place == "everywhere"]
        return tabular(
            [latex(self.columns[place].name) for place in places],
            [
                [self._latex(row[place], self.columns[place]) for place in places]
                for row in self.rows
            ],
        )

    def _latex(self, given: Cell | Value, column: Column) -> str:
        if isinstance(given, Cell) and given.latex is not None:
            return given.latex
        text = latex(written(_value(given), column.digits))
        return {UNDEFINED: "--", "∞": r"$\infty$"}.get(text, text)


def written(value: Value, digits: int = DIGITS) -> str:
    """A value as readers see it."""
    if isinstance(value, int):
        return f"{value:,}"
    return value if isinstance(value, str) else number(value, digits=digits)


def _value(given: Cell | Value) -> Value:
    return given.value if isinstance(given, Cell) else given


def _blank(value: Value) -> Value:
    if isinstance(value, float) and not math.isfinite(value):
        return "" if math.isnan(value) else value
    return "" if value is None else value
