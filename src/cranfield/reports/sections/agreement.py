"""Agreement: do the measures put the systems in the same order?"""

from __future__ import annotations

import math

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.reports.findings import Findings
from cranfield.reports.graphics import LEVELS, short
from cranfield.reports.naming import emphasised, heading
from cranfield.reports.section import Section
from cranfield.reports.tables import Cell, Column, Row, Table
from cranfield.show.markup import NOTHING, Html, joined, shown
from cranfield.statistics.rank_correlation import tau_b
from cranfield.studies.field import Field

_LEAST = 3
"""Systems without which a correlation says nothing."""
_SAME = 1e-9
"""What rounding may take off a perfect correlation."""


def section(found: Findings) -> Section | None:
    measures = [one for one in found.result.measures if one.traits.better != "neither"]
    if len(found.systems) < _LEAST or len(measures) < 2:
        return None
    merits = Field(found.result, found.systems).merits(found.systems)
    kept = [place for place, one in enumerate(found.result.measures) if one in measures]
    taus = _taus(merits[kept])
    columns = (
        Column("measure", css="name"),
        *(Column(str(one), heading(one), 3, css="score") for one in measures),
    )
    rows: list[Row] = [
        [str(one), *(_cell(taus[i, j], same=i == j) for j in range(len(measures)))]
        for i, one in enumerate(measures)
    ]
    table = Table("measures", "τ-b of the rankings of systems", columns, rows, "heat square")
    return Section(
        "measures",
        "Do the measures agree?",
        f"Kendall's τ-b between the rankings of {len(found.systems)} systems by each two measures: "
        "1 = the same order, 0 = nothing to do with each other, −1 = the reverse.",
        table.html,
        (table,),
        _finding(list(map(str, measures)), taus),
    )


def _taus(merits: Floats) -> Floats:
    """(M, M); NaN where a measure has an undefined score."""
    out = np.full((len(merits), len(merits)), np.nan)
    known = np.flatnonzero(~np.isnan(merits).any(axis=1)).tolist()
    for i in known:
        for j in known[: known.index(i) + 1]:
            out[i, j] = out[j, i] = tau_b(merits[i], merits[j])
    return out


def _cell(tau: float, *, same: bool) -> Cell:
    value = float(tau)
    if math.isnan(value):
        return Cell(value, css="hx")
    if same:
        return Cell(value, Html("1"), css="same")
    level = f"h{round(LEVELS * value)}" if value >= 0 else f"below{min(4, round(-LEVELS * value))}"
    return Cell(value, short(value), css=level)


def _finding(names: list[str], taus: Floats) -> Html:
    pairs = [
        (taus[i, j], i, j) for i in range(len(names)) for j in range(i) if taus[i, j] == taus[i, j]
    ]
    if not pairs:
        return NOTHING
    least, i, j = min(pairs)
    if least > 1.0 - _SAME:
        return shown("All measures put the systems in the same order.")
    return joined(
        [
            emphasised(names[j]), " and ", emphasised(names[i]),
            f" agree least on the order of systems (τ-b {least:.2f}).",
        ]
    )  # fmt: skip
