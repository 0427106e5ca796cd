"""Tables of splits: what each part got, and which concepts differ most from the whole."""

from __future__ import annotations

import math

import numpy as np
from rich.console import Group
from rich.markup import escape
from rich.table import Table

from cranfield.collections.splits import Split, SplitReport
from cranfield.report.standings import UNDEFINED
from cranfield.report.tables import cut_name, plain_table, remark

_DECIMALS = ("cardinality", "density", "mean_difference", "largest_difference")
_DIGITS = 4
_CONCEPTS = 5
"""Concepts to show: those that differ most."""
_MOST_PARTS = 10
"""Parts that stand side by side in a table of concepts."""
_ORDERS = {1: "first", 2: "second"}


def split_tables(split: Split) -> Group:
    """How well the parts of a split resemble the whole."""
    report = split.report
    return Group(
        _parts(report),
        *([_concepts(report)] if len(report.names) <= _MOST_PARTS else []),
        remark(
            f"differences of odds: LD {_number(report.labels_distribution)} over concepts, "
            f"LPD {_number(report.label_pairs_distribution)} over pairs of concepts"
        ),
        remark(
            f"sizes: ED {report.examples_distribution:.2g}; lacking concepts: "
            f"{report.parts_without} of the parts (FZ), {report.concepts_without} in all (FLZ)"
        ),
        remark(f"stratified by the {_ORDERS[split.order]} order, seed {split.seed}"),
        *(remark(note) for note in report.notes),
    )


def _parts(report: SplitReport) -> Table:
    table = plain_table()
    table.add_column("\nsplit", no_wrap=True)
    for heading in (
        "items\nwanted",
        "\ngot",
        "labels\nper item",
        "\ndensity",
        "difference\nmean",
        "of frequency\nlargest",
        "concepts\nlacking",
    ):
        table.add_column(heading, justify="right")
    for row in report.rows():
        table.add_row(
            escape(row["split"]),
            f"{row['wanted']:.1f}".removesuffix(".0"),
            str(row["items"]),
            *(_number(row[name]) for name in _DECIMALS),
            str(row["without_positive"]),
        )
    return table


def _concepts(report: SplitReport) -> Table:
    """The concepts whose frequency differs most."""
    table = plain_table()
    table.add_column("frequencies that\ndiffer most")
    for heading in ("whole", *report.names):
        table.add_column(f"\n{escape(heading)}", justify="right", no_wrap=True)
    largest = np.nan_to_num(report.differences).max(axis=0)
    for concept in np.argsort(-largest, kind="stable")[:_CONCEPTS].tolist():
        numbers = (report.whole[concept], *report.frequencies[:, concept])
        table.add_row(cut_name(report.truth.concepts[concept]), *map(_number, numbers))
    return table


def _number(value: float | None) -> str:
    return UNDEFINED if value is None or math.isnan(value) else f"{value:.{_DIGITS}f}"
