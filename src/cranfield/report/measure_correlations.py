"""Which measures agree: tables, CSV and JSON of the study."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from rich.console import Group

from cranfield.errors import several
from cranfield.report.study_tables import SquareTable, as_csv, defined, listed
from cranfield.report.tables import remark
from cranfield.statistics.clustering import Merge
from cranfield.studies.measure_correlation import MeasureCorrelation

_NAMES = {
    "tau": "τ",
    "tau_b": "τ-b",
    "tau_ap": "τ_AP, symmetric",
    "weighted_tau": "weighted τ",
    "spearman": "Spearman's ρ",
    "pearson": "Pearson's r",
}


def measure_correlation_tables(found: MeasureCorrelation, coefficient: str = "tau") -> Group:
    """Correlations of system rankings, and of item rankings averaged over runs."""
    runs = several(len(found.field.systems), "run")
    parts: list[Any] = [
        SquareTable(
            f"{_NAMES[coefficient]} between rankings of {runs}",
            found.measures,
            found.coefficients[coefficient],
            found.shifts <= found.critical,
        ),
        remark(
            f"* concordant by Kolmogorov and Smirnov: D, the largest shift of a rank, is at most "
            f"{found.critical:.3f}; measures are turned so that higher is better"
        ),
    ]
    if found.items is not None:
        parts.append(
            SquareTable(
                f"τ between rankings of items, mean over {runs}",
                found.items.measures,
                found.items.mean,
            )
        )
    return Group(*parts)


def measure_correlation_content(found: MeasureCorrelation) -> dict[str, Any]:
    """Everything, for JSON; null where undefined."""
    field = found.field
    said: dict[str, Any] = {
        "systems": list(field.systems),
        "random": list(field.blind),
        "measures": list(map(str, found.measures)),
        "scores": {
            run: dict(zip(map(str, found.measures), listed(column), strict=True))
            for run, column in zip(field.runs, field.scores(field.runs).T, strict=True)
        },
        "coefficients": {name: listed(values) for name, values in found.coefficients.items()},
        "tau_intervals": listed(found.intervals),
        "shifts": listed(found.shifts),
        "critical_shift": found.critical,
        "clusters": _clusters(*found.clusters()),
        "items": None,
    }
    if found.items is not None:
        said["items"] = {
            "measures": list(map(str, found.items.measures)),
            "tau": listed(found.items.mean),
            "tau_intervals": listed(found.items.intervals),
        }
    return said


def measure_correlation_csv(found: MeasureCorrelation) -> str:
    """A line for each pair of measures."""
    return as_csv(_pairs(found))


def _pairs(found: MeasureCorrelation) -> Iterator[dict[str, Any]]:
    within = {} if found.items is None else {m: i for i, m in enumerate(found.items.measures)}
    for one, other in zip(*np.triu_indices(len(found.measures), 1), strict=True):
        first, second = found.measures[one], found.measures[other]
        items = np.nan
        if found.items is not None and first in within and second in within:
            items = found.items.mean[within[first], within[second]]
        yield {
            "measure": str(first),
            "other": str(second),
            **{name: defined(values[one, other]) for name, values in found.coefficients.items()},
            "tau_low": defined(found.intervals[one, other, 0]),
            "tau_high": defined(found.intervals[one, other, 1]),
            "shift": defined(found.shifts[one, other]),
            "concordant": bool(found.shifts[one, other] <= found.critical),
            "tau_of_items": defined(items),
        }


def _clusters(measures: tuple[Any, ...], merges: tuple[Merge, ...]) -> dict[str, Any]:
    return {
        "measures": list(map(str, measures)),
        "merges": [merge._asdict() for merge in merges],
    }
