"""Tables of cost maps: all costs of a few concepts, the cheapest and dearest pairs of many."""

from __future__ import annotations

import numpy as np
from rich.console import Group, RenderableType
from rich.table import Table

from cranfield.errors import several
from cranfield.knowledge import CostMap
from cranfield.knowledge.map_checks import MapChecks
from cranfield.matrices import Ints
from cranfield.report.tables import cut_name, plain_table, remark

_FEW = 12
"""Concepts whose costs stand side by side."""
_PAIRS = 8
"""Pairs to show at either end."""


def cost_tables(costs: CostMap) -> Group:
    """Costs, and where they come from."""
    said = [f"{key}: {words}" for key, words in costs.provenance.stated().items()]
    return Group(*_costs(costs), *(remark(text) for text in (*said, f"hash: {costs.digest}")))


def check_table(checks: MapChecks) -> Group:
    """What holds of costs."""
    return Group(*(remark(line) for line in str(checks).splitlines()))


def _costs(costs: CostMap) -> list[RenderableType]:
    if costs.axis.size <= _FEW:
        return [_square(costs)]
    ordered = not np.array_equal(costs.values, costs.values.T)
    rows, columns = np.nonzero(
        ~np.eye(costs.axis.size, dtype=np.bool_)
        if ordered
        else np.triu(np.ones_like(costs.values, dtype=np.bool_), 1)
    )
    pairs, values = np.stack([rows, columns], axis=1), costs.values[rows, columns]
    return [
        _ends(costs, name, pairs[np.argsort(ranked, kind="stable")], ordered=ordered)
        for name, ranked in (("cheapest", values), ("dearest", -values))
    ]


def _square(costs: CostMap) -> Table:
    table = plain_table()
    table.add_column("", justify="right", style="dim", no_wrap=True)
    table.add_column("assigned for true")
    for place in range(costs.axis.size):
        table.add_column(str(place + 1), justify="right", no_wrap=True)
    for place, name in enumerate(costs.concepts):
        numbers = (_number(value) for value in costs.values[place].tolist())
        table.add_row(str(place + 1), cut_name(name), *numbers)
    return table


def _ends(costs: CostMap, name: str, pairs: Ints, *, ordered: bool) -> Table:
    """The first pairs, and how many further ones cost as much as the last of them."""
    table = plain_table()
    table.add_column(f"{name} pairs")
    table.add_column("")
    table.add_column("cost", justify="right", no_wrap=True)
    between = "for" if ordered else "and"
    values = costs.values[pairs[:, 0], pairs[:, 1]]
    for (one, other), value in zip(pairs[:_PAIRS].tolist(), values.tolist(), strict=False):
        names = cut_name(costs.concepts[one]), cut_name(f"{between} {costs.concepts[other]}")
        table.add_row(*names, _number(value))
    last = values[:_PAIRS][-1]
    more = int(np.count_nonzero(values[_PAIRS:] == last))
    if more:
        table.add_row(f"and {several(more, 'more pair')}", "", _number(float(last)))
    return table


def _number(value: float) -> str:
    return f"{value:.4f}"
