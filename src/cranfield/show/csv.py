"""CSV: every field of every row, with all digits; undefined is empty.

Texts stand as they are, so that what is written can be read again. Only a table that is `defused`,
of names that strangers chose, in a file that people open, has an apostrophe before what a
spreadsheet would run, and control characters written out.
"""

from __future__ import annotations

import csv
import re
from types import SimpleNamespace
from typing import Any

from cranfield.core.printable import printable_name
from cranfield.core.table import Table

_FORMULA = re.compile("(^|;)(?=[=+@＝＋－＠-])")
"""Where a cell begins that is a formula; some spreadsheets split lines at semicolons."""


def csv_text(table: Table) -> str:
    lines: list[str] = []
    out: Any = SimpleNamespace(write=lines.append)
    # Of signs that end lines somewhere, csv quotes those of its own line ends only.
    writer = csv.writer(out, lineterminator="\r\n")
    written = _defused if table.defused else _exact
    writer.writerow(map(written, table.fields))
    for record in table.records:
        writer.writerow(map(written, record.values()))
    return "".join(line[:-2] + "\n" for line in lines)


def _exact(value: Any) -> Any:
    return "" if value is None else value


def _defused(value: Any) -> Any:
    if not isinstance(value, str):
        return _exact(value)
    return _FORMULA.sub(r"\1'", printable_name(value))
