"""A map summed up: all values of a few concepts, the pairs at both ends of many, its origin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cranfield.core.matrices import Ints
from cranfield.core.result import Analysis
from cranfield.core.table import Column, LazyRows, Table
from cranfield.errors import several
from cranfield.knowledge.map_checks import MapChecks
from cranfield.knowledge.maps import CostMap, RelatednessMap

_FEW = 12
"""Concepts whose values stand side by side."""
_LISTED = 8
"""Pairs that people see at either end."""


@dataclass(frozen=True, eq=False)
class MapSummary(Analysis):
    """What a map says, where it comes from, and what holds of it."""

    title = "Costs and relatedness of concepts"

    map: CostMap | RelatednessMap
    checks: MapChecks | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What is known besides, for programs."""
    remarks: Sequence[str] = ()

    @property
    def value_name(self) -> str:
        return "cost" if isinstance(self.map, CostMap) else "relatedness"

    def _facts(self) -> dict[str, Any]:
        checks = {} if self.checks is None else {"checks": self.checks.to_dict()}
        return self.map.to_dict() | dict(self.facts) | checks

    def _tables(self) -> list[Table]:
        pairs = Table("pairs", LazyRows(self._pairs), audience="programs")
        return [pairs, *([self._square()] if self.map.axis.size <= _FEW else self._ends())]

    def _pairs(self) -> list[dict[str, Any]]:
        """A row for each pair of concepts: many."""
        names = self.map.concepts
        return [
            {"concept": concept, "other": other, self.value_name: value}
            for concept, row in zip(names, self.map.values.tolist(), strict=True)
            for other, value in zip(names, row, strict=True)
        ]

    def _remarks(self) -> list[str]:
        origin = [f"{name}: {text}" for name, text in self.map.provenance.stated().items()]
        checks = [] if self.checks is None else str(self.checks).splitlines()
        return [*origin, f"hash: {self.map.digest}", *self.remarks, *checks]

    def _square(self) -> Table:
        title = "assigned for true" if isinstance(self.map, CostMap) else "related to"
        numbers = [str(index + 1) for index in range(self.map.axis.size)]
        rows = [
            {"concept": f"{number} {name}", **dict(zip(numbers, values, strict=True))}
            for number, name, values in zip(
                numbers, self.map.concepts, self.map.values.tolist(), strict=True
            )
        ]
        columns = (
            Column("concept", title, key=True),
            *(Column(number, digits=4) for number in numbers),
        )
        return Table("values", rows, columns, audience="people")

    def _ends(self) -> list[Table]:
        """The nearest and the farthest pairs."""
        values = self.map.values
        ordered = not np.array_equal(values, values.T)
        others = ~np.eye(len(values), dtype=np.bool_)
        chosen = others if ordered else np.triu(others)
        pairs = np.argwhere(chosen)
        near, names = values[chosen], ("cheapest", "most costly")
        if isinstance(self.map, RelatednessMap):
            near, names = -near, ("closest", "farthest")
        return [
            self._end(name, pairs[np.argsort(ranked, kind="stable")], "for" if ordered else "and")
            for name, ranked in zip(names, (near, -near), strict=True)
        ]

    def _end(self, name: str, pairs: Ints, between: str) -> Table:
        """The first pairs, and how many further ones have the value of the last of them."""
        concepts = self.map.concepts
        values = self.map.values[pairs[:, 0], pairs[:, 1]]
        rows = [
            {
                "concept": concepts[first],
                "other": f"{between} {concepts[second]}",
                self.value_name: value,
            }
            for (first, second), value in zip(
                pairs[:_LISTED].tolist(), values[:_LISTED].tolist(), strict=True
            )
        ]
        last = values[:_LISTED][-1]
        more = int(np.count_nonzero(values[_LISTED:] == last))
        columns = (
            Column("concept", f"{name} pairs", key=True),
            Column("other", "\u00a0", key=True),
            Column(self.value_name, digits=4),
        )
        remarks = [f"and {several(more, 'more pair')} at {last:.4f}"] if more else []
        return Table(f"{name} pairs", rows, columns, remarks=remarks, audience="people")
