"""Which measures agree: tables and CSV of the study."""

from __future__ import annotations

from typing import Any

from rich.console import Group

from cranfield.errors import several
from cranfield.report.study_tables import SquareTable, as_csv
from cranfield.report.tables import remark
from cranfield.studies.field import CONCORDANT
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
            f"{CONCORDANT} concordant by Kolmogorov and Smirnov: D, the largest shift of a rank, "
            f"is at most {found.critical:.3f}; measures are turned so that higher is better"
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


def measure_correlation_csv(found: MeasureCorrelation) -> str:
    """A line for each pair of measures."""
    return as_csv(found.rows())
