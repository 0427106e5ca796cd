"""Tables of costs and relatedness: all of a few concepts, the pairs at both ends of many."""

from __future__ import annotations

import numpy as np
from rich.console import Group, RenderableType
from rich.table import Table

from cranfield.core.matrices import Ints
from cranfield.errors import several
from cranfield.knowledge import ConceptMap, CostMap, RelatednessMap
from cranfield.knowledge.map_checks import MapChecks
from cranfield.report.tables import cut_name, plain_table, remark

_FEW = 12
"""Concepts whose values stand side by side."""
_PAIRS = 8
"""Pairs to show at either end."""


def map_tables(found: CostMap | RelatednessMap) -> Group:
    """What a map says, and where it comes from."""
    said = [f"{key}: {words}" for key, words in found.provenance.stated().items()]
    return Group(*_pairs(found), *(remark(text) for text in (*said, f"hash: {found.digest}")))


def check_table(checks: MapChecks) -> Group:
    """What holds of costs."""
    return Group(*(remark(line) for line in str(checks).splitlines()))


def _pairs(found: ConceptMap) -> list[RenderableType]:
    if found.axis.size <= _FEW:
        return [_square(found)]
    ordered = not np.array_equal(found.values, found.values.T)
    rows, columns = np.nonzero(
        ~np.eye(found.axis.size, dtype=np.bool_)
        if ordered
        else np.triu(np.ones_like(found.values, dtype=np.bool_), 1)
    )
    pairs, values = np.stack([rows, columns], axis=1), found.values[rows, columns]
    near, far = (values, -values) if isinstance(found, CostMap) else (-values, values)
    names = ("cheapest", "dearest") if isinstance(found, CostMap) else ("closest", "farthest")
    return [
        _ends(found, name, pairs[np.argsort(ranked, kind="stable")], ordered=ordered)
        for name, ranked in zip(names, (near, far), strict=True)
    ]


def _square(found: ConceptMap) -> Table:
    table = plain_table()
    table.add_column("", justify="right", style="dim", no_wrap=True)
    table.add_column("assigned for true" if isinstance(found, CostMap) else "related to")
    for place in range(found.axis.size):
        table.add_column(str(place + 1), justify="right", no_wrap=True)
    for place, name in enumerate(found.concepts):
        numbers = (_number(value) for value in found.values[place].tolist())
        table.add_row(str(place + 1), cut_name(name), *numbers)
    return table


def _ends(found: ConceptMap, name: str, pairs: Ints, *, ordered: bool) -> Table:
    """The first pairs, and how many further ones have the value of the last of them."""
    table = plain_table()
    table.add_column(f"{name} pairs")
    table.add_column("")
    what = "cost" if isinstance(found, CostMap) else "relatedness"
    table.add_column(what, justify="right", no_wrap=True)
    between = "for" if ordered else "and"
    values = found.values[pairs[:, 0], pairs[:, 1]]
    for (one, other), value in zip(pairs[:_PAIRS].tolist(), values.tolist(), strict=False):
        names = cut_name(found.concepts[one]), cut_name(f"{between} {found.concepts[other]}")
        table.add_row(*names, _number(value))
    last = values[:_PAIRS][-1]
    more = int(np.count_nonzero(values[_PAIRS:] == last))
    if more:
        table.add_row(f"and {several(more, 'more pair')}", "", _number(float(last)))
    return table


def _number(value: float) -> str:
    return f"{value:.4f}"
