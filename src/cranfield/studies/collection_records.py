"""Tables of a study of a collection, each a list of records (Nowak 2011, Tables 10.3 to 10.10)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from cranfield.errors import InputError, several
from cranfield.studies.records import Row, defined

if TYPE_CHECKING:
    from cranfield.studies.collection_study import CollectionStudy, UnitScores

_NAMED = 3
"""Groups that are named as the best of a unit before they are only counted."""


def _measures(found: CollectionStudy) -> Iterator[Row]:
    for one in found.measures:
        alpha = one.reliability
        yield {
            "measure": str(one.measure),
            "parts": several(len(one.units), one.kind),
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


def records(found: CollectionStudy, table: str) -> list[Row]:
    """The whole of a table; an error where there is nothing in it."""
    if table not in TABLES:
        raise InputError(f"there is no table of {table}; choose {', '.join(TABLES)}")
    rows = list(TABLES[table](found))
    if not rows:
        why = {
            "concepts": "no measure by concept was studied; add one, such as concept.AP",
            "items": "no measure by item was studied; add one, such as example.F",
        }.get(table, "no run has confidences for all cells of a truth that lists its items")
        raise InputError(f"there is no table of {table}: {why}")
    return rows
