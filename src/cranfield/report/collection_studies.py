"""What runs tell of their collection: tables for the screen, CSV, LaTeX and JSON.

Every table is a list of records, so that all forms say the same (Nowak 2011, Tables 10.3 to 10.10).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cranfield.errors import InputError, several
from cranfield.report.records import Row, records_latex, records_table
from cranfield.report.study_tables import as_csv, defined, number
from cranfield.report.tables import remark
from cranfield.studies.collection_study import CollectionStudy, UnitScores

_NAMED = 3
"""Groups that are named as the best of a unit before they are only counted."""
_FIRST = 8
"""Lines of long tables on the screen, unless one is asked for."""


# ── records ───────────────────────────────────────────────────────────────────────────────────


def _measures(found: CollectionStudy) -> Iterator[Row]:
    for one in found.measures:
        alpha = one.reliability
        yield {
            "measure": str(one.measure),
            "parts": f"{len(one.units)} {one.kind}s",
            "alpha": None if alpha is None else defined(alpha.alpha),
            "low": None if alpha is None else defined(alpha.low),
            "high": None if alpha is None else defined(alpha.high),
            "best_run": one.leader.run,
            "score": one.leader.score,
            "best_of_each": one.envelope,
            "frequency_rho": defined(one.by_frequency),
        }


def _groups(found: CollectionStudy) -> Iterator[Row]:
    for group in found.groups:
        row: Row = {"group": group.name, "runs": len(group.runs)}
        for one, best in zip(found.measures, group.bests, strict=True):
            row |= {str(one.measure): best.score, f"place by {one.measure}": best.place}
        yield row


def _units(found: CollectionStudy, kind: str) -> Iterator[Row]:
    for one in found.measures:
        if one.kind == kind:
            yield from _of_measure(found, one)


def _of_measure(found: CollectionStudy, one: UnitScores) -> Iterator[Row]:
    """Hardest first."""
    best, average, median, without = one.best, one.average, one.median, one.reliability_without
    for place in one.hardest.tolist():
        yield {
            "measure": str(one.measure),
            one.kind: one.units[place],
            "positives": int(one.positives[place]),
            "frequency": float(one.positives[place] / max(1, one.size)),
            "mean": float(average[place]),
            "median": float(median[place]),
            "best": float(best[place]),
            "by": _by(found, one.winners(place)),
            "alpha_without": defined(without[place]),
        }


def _by(found: CollectionStudy, winners: tuple[str, ...]) -> str:
    names = sorted({found.group_of[run] for run in winners})
    return " / ".join(names) if len(names) <= _NAMED else f"{len(names)} groups"


def _confidences(found: CollectionStudy) -> Iterator[Row]:
    compared = found.comparability
    if compared is None:
        return
    for place in np.argsort(-compared.losses[0], kind="stable").tolist():
        row: Row = {"run": compared.runs[place]}
        for number_, one in enumerate(compared.measures):
            row |= {
                str(one): float(compared.as_given[number_, place]),
                f"{one} comparable": float(compared.comparable[number_, place]),
                f"{one} lost": float(compared.losses[number_, place]),
            }
        yield row


def _places(found: CollectionStudy) -> Iterator[Row]:
    compared = found.comparability
    if compared is None:
        return
    for place in np.argsort(-compared.too_high, kind="stable").tolist():
        column = compared.places[:, place]
        yield {
            "concept": compared.concepts[place],
            "places_too_high": float(column.mean()),
            "lowest": float(column.min()),
            "highest": float(column.max()),
        }


TABLES: dict[str, Callable[[CollectionStudy], Iterator[Row]]] = {
    "measures": _measures,
    "groups": _groups,
    "concepts": lambda found: _units(found, "concept"),
    "items": lambda found: _units(found, "item"),
    "confidences": _confidences,
    "places": _places,
}
_TITLES = {
    "measures": "Reliability, and the best",
    "groups": "The best run of each group",
    "concepts": "Hardest concepts",
    "items": "Hardest items",
    "confidences": "Confidences made comparable across concepts",
    "places": "Concepts whose confidences stand too high, or too low",
}


def _records(found: CollectionStudy, table: str) -> list[Row]:
    """The whole of a table; an error where there is nothing in it."""
    rows = list(TABLES[table](found))
    if not rows:
        why = {
            "concepts": "no measure by concept was studied; add one, such as concept.AP",
            "items": "no measure by item was studied; add one, such as example.F",
        }.get(table, "no run has confidences for all cells of a truth that lists its items")
        raise InputError(f"there is no table of {table}: {why}")
    return rows


# ── forms ─────────────────────────────────────────────────────────────────────────────────────


def collection_tables(found: CollectionStudy, table: str | None = None) -> RenderableType:
    """One table as a whole, or the beginnings of all."""
    if table is not None:
        return Group(records_table(_records(found, table)), *map(remark, _remarks(found, table)))
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


def collection_content(found: CollectionStudy) -> dict[str, Any]:
    """Everything, for JSON; null where undefined."""
    compared = found.comparability
    content: dict[str, Any] = {"runs": list(found.runs), "group_of": found.group_of}
    content |= {name: list(rows_of(found)) for name, rows_of in TABLES.items()}
    if compared is not None:
        content["comparability"] = {
            str(one): {"mean_loss": float(losses.mean()), "tau": defined(tau)}
            for one, losses, tau in zip(
                compared.measures, compared.losses, compared.taus.tolist(), strict=True
            )
        }
    return content | {"notes": [] if compared is None else list(compared.notes)}


def collection_csv(found: CollectionStudy, table: str) -> str:
    """All lines of a table."""
    return as_csv(_records(found, table))


def collection_latex(found: CollectionStudy, table: str) -> str:
    """A booktabs table; of concepts and items one for each measure."""
    rows = _records(found, table)
    if table not in ("concepts", "items"):
        return records_latex(rows)
    names = dict.fromkeys(row["measure"] for row in rows)
    return "\n".join(
        records_latex([row for row in rows if row["measure"] == name]) for name in names
    )
