"""Confused pairs: which class is taken for which, the most frequent errors first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield import kernels
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.errors import several
from cranfield.tasks.classes.confusion import Confusion

_MOST = 20
"""Pairs of a system that people see."""


@dataclass(frozen=True, eq=False)
class ConfusedPairs(Analysis):
    """Errors of each system by the true and the said class."""

    title = "Most confused classes"

    systems: Sequence[Confusion]

    def _records(self) -> list[dict[str, Any]]:
        return [record for system in self.systems for record in _pairs(system)]

    def _facts(self) -> dict[str, Any]:
        return {"confused": self._records()}

    def _tables(self) -> list[Table]:
        return [*map(_table, self.systems), Table("confused", self._records(), audience="programs")]


def _pairs(system: Confusion) -> list[dict[str, Any]]:
    """A record for each error that occurs; equally frequent ones by their names."""
    counts = system.counts
    errors = _errors(system) & (counts > 0)
    of_class, of_errors = kernels.row_sums(counts), kernels.total(counts[errors])
    records = [
        {
            "run": system.name,
            "true": system.true[row],
            "said": system.said[column],
            "count": int(counts[row, column]) if system.table.holds_counts else counts[row, column],
            "of_class": counts[row, column] / of_class[row],
            "of_errors": counts[row, column] / of_errors,
        }
        for row, column in zip(*np.nonzero(errors), strict=True)
    ]
    return sorted(records, key=lambda record: (-record["count"], record["true"], record["said"]))


def _errors(system: Confusion) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """(R, S): cells whose classes differ."""
    return np.array([[true != said for said in system.said] for true in system.true])


def _table(system: Confusion) -> Table:
    pairs = _pairs(system)
    left_out = len(pairs) - _MOST
    columns = (
        Column("true", "true class", key=True),
        Column("said", "said", key=True),
        Column("count", "errors"),
        Column("of_class", "of the true class", 1, kind="percent"),
        Column("of_errors", "of all errors", 1, kind="percent"),
    )
    return Table(
        f"confused {system.name}",
        pairs[:_MOST],
        columns,
        title=system.name,
        remarks=[f"and {several(left_out, 'pair')} more"] if left_out > 0 else (),
        audience="people",
    )
