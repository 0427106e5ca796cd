"""CSV: every field of every row, with all digits; undefined is empty."""

from __future__ import annotations

import csv
import io

from cranfield.core.table import Table


def csv_text(table: Table) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.fields)
    for record in table.records:
        writer.writerow(["" if value is None else value for value in record.values()])
    return out.getvalue()
