"""What runs tell of their collection: tables for the screen, CSV and LaTeX.

Every table is a list of records, so that all forms say the same (Nowak 2011, Tables 10.3 to 10.10).
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cranfield.errors import several
from cranfield.report.records import records_latex, records_table
from cranfield.report.study_tables import as_csv, number
from cranfield.report.tables import remark
from cranfield.studies.collection_records import TABLES
from cranfield.studies.collection_study import CollectionStudy
from cranfield.studies.records import Row

_FIRST = 8
"""Lines of long tables on the screen, unless one is asked for."""


_TITLES = {
    "measures": "Reliability, and the best",
    "groups": "The best run of each group",
    "concepts": "Hardest concepts",
    "items": "Hardest items",
    "confidences": "Confidences made comparable across concepts",
    "places": "Concepts whose confidences stand too high, or too low",
}


def collection_tables(found: CollectionStudy, table: str | None = None) -> RenderableType:
    """One table as a whole, or the beginnings of all."""
    if table is not None:
        return Group(records_table(found.rows(table)), *map(remark, _remarks(found, table)))
    parts: list[RenderableType] = []
    for name, rows_of in TABLES.items():
        rows = list(rows_of(found))
        if name in ("concepts", "items"):
            rows = [row for row in rows if row["measure"] == rows[0]["measure"]]
        if rows:
            parts += [_titled(_TITLES[name], rows, name), *map(remark, _remarks(found, name))]
    return Group(*parts)


def _titled(title: str, rows: list[Row], name: str) -> Table:
    if name == "places":  # both ends are of interest
        shown = rows if len(rows) <= _FIRST else [*rows[: _FIRST // 2], *rows[-_FIRST // 2 :]]
    else:
        shown = rows if name in ("measures", "groups") else rows[:_FIRST]
    table = records_table(shown)
    more = "" if len(shown) == len(rows) else f", {len(shown)} of {len(rows)}"
    table.title = Text(f"\n{title}{more}", style="bold")
    table.title_justify = "left"
    return table


def _remarks(found: CollectionStudy, table: str) -> Iterator[str]:
    if table == "measures":
        yield (
            f"α: Cronbach's, {several(len(found.runs), 'run')} take the test and concepts or items "
            "are its parts, with a 95 % interval; best of each: who picks the best run for each "
            "part; ρ freq.: Spearman's, of frequency and best score"
        )
    elif table == "groups":
        yield "the best run of a group by one measure need not be its best by another"
    elif table == "confidences" and found.comparability is not None:
        compared = found.comparability
        for one, losses, tau in zip(
            compared.measures, compared.losses, compared.taus.tolist(), strict=True
        ):
            yield (
                f"{one}: {losses.mean():+.3f} on average if confidences of concepts are made "
                f"comparable (largest {losses.max():+.3f}); τ to the ranking as given {number(tau)}"
            )
        yield from compared.notes
    elif table == "places":
        yield "places among all concepts of an item, mean over items and runs; below 0: too low"


def collection_csv(found: CollectionStudy, table: str) -> str:
    """All lines of a table."""
    return as_csv(found.rows(table))


def collection_latex(found: CollectionStudy, table: str) -> str:
    """A booktabs table; of concepts and items one for each measure."""
    rows = found.rows(table)
    if table not in ("concepts", "items"):
        return records_latex(rows)
    names = dict.fromkeys(row["measure"] for row in rows)
    return "\n".join(
        records_latex([row for row in rows if row["measure"] == name]) for name in names
    )
