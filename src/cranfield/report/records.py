"""Records as tables: the same lines for the screen and for LaTeX, with a heading for each field."""

from __future__ import annotations

from typing import Any

from rich.table import Table
from rich.text import Text

from cranfield.report.exports import latex, latex_number, tabular
from cranfield.report.standings import written, written_p
from cranfield.report.tables import cut_name, plain_table
from cranfield.studies.records import Row

_HEADINGS = {"alpha": "α", "alpha_without": "α without", "frequency_rho": "ρ freq."}
_CHANCES = ("p", "adjusted", "unpaired_p")
_SIGNS = {"α": r"$\alpha$", "ρ": r"$\rho$"}


def records_table(rows: list[Row]) -> Table:
    """Records for the screen."""
    table = plain_table()
    for name, value in rows[0].items():
        left = isinstance(value, str)
        table.add_column(_heading(name), justify="left" if left else "right", no_wrap=not left)
    for row in rows:
        table.add_row(*(_cell(name, value) for name, value in row.items()))
    return table


def records_latex(rows: list[Row]) -> str:
    """Records as a booktabs table."""

    def cell(name: str, value: Any) -> str:
        if isinstance(value, str):
            return latex(value)
        if name in _CHANCES and value is not None:
            return latex(written_p(value, digits=4))
        return str(value) if isinstance(value, int) else latex_number(value)

    header = [
        " ".join(_SIGNS.get(word, latex(word)) for word in _heading(name).split())
        for name in rows[0]
    ]
    return tabular(header, [[cell(*field) for field in row.items()] for row in rows])


def _heading(name: str) -> str:
    if name.startswith("place by "):  # beside the column of the measure
        return "place"
    return _HEADINGS.get(name, name.replace("_", " "))


def _cell(name: str, value: Any) -> Text:
    if isinstance(value, str):
        return cut_name(value)
    if isinstance(value, int):
        return Text(str(value))
    if name in _CHANCES and value is not None:
        return Text(written_p(value, digits=4))
    digits = 4 if name.startswith("alpha") else 3
    return Text(written(value, digits=digits))
