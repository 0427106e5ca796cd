"""Violations of rules: one by one, counted by rule, and as data for other programs."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table
from rich.text import Text

from cranfield.caching import cached_property
from cranfield.errors import several
from cranfield.knowledge import Disjoint, Ontology, Required, Rule, Violation
from cranfield.report.tables import plain_table

_RULES = 20
"""Rules that are counted one by one on a screen."""


@dataclass(frozen=True)
class Violations:
    """What is wrong with the labels of some items."""

    ontology: Ontology
    items: int
    broken: Sequence[Violation]
    missing: Sequence[Violation]
    """Items that lack a required group."""
    undecided: int = 0
    """How many more there would be, were unjudged cells negative."""

    @cached_property
    def all(self) -> list[Violation]:
        return [*self.broken, *self.missing]

    @cached_property
    def by_rule(self) -> list[tuple[Rule, int]]:
        """The rules that are not followed and by how many items, most first."""
        return Counter(one.rule for one in self.all).most_common()

    @property
    def summary(self) -> str:
        """How many there are, and of how many items."""
        words = []
        if self.broken:
            words.append(several(len(self.broken), "violation"))
        if self.missing:
            words.append(several(len(self.missing), "missing group"))
        items = len({one.item for one in self.all})
        return f"{' and '.join(words)} by {items} of {several(self.items, 'item')}"

    def table(self) -> Table:
        """How often each rule is broken."""
        return rule_table(self.by_rule)

    def as_json(self) -> str:
        content = {
            "ontology": self.ontology.name,
            "digest": self.ontology.digest,
            "items": self.items,
            "violations": [_record(one) for one in self.broken],
            "missing": [_record(one) for one in self.missing],
            "undecided": self.undecided,
            "rules": [
                {"rule": str(rule), "kind": _kind(rule), "items": items}
                for rule, items in self.by_rule
            ],
        }
        return json.dumps(content, indent=2, ensure_ascii=False) + "\n"

    def as_csv(self) -> str:
        """A line for each, its labels joined by semicolons."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(("item", "kind", "rule", "labels"))
        for one in self.all:
            writer.writerow((one.item, _kind(one.rule), one.rule, ";".join(one.labels)))
        return out.getvalue()


def rule_table(by_rule: Sequence[tuple[Rule, int]]) -> Table:
    """Rules and how many items do not follow them."""
    table = plain_table()
    table.add_column("items", justify="right", no_wrap=True)
    table.add_column("rule")
    for rule, items in by_rule[:_RULES]:
        table.add_row(f"{items:,}", Text(worded(rule)))
    if len(by_rule) > _RULES:
        left = by_rule[_RULES:]
        table.add_row(f"{sum(items for _, items in left):,}", several(len(left), "further rule"))
    return table


def told(violation: Violation) -> str:
    """A violation in one line."""
    if isinstance(violation.rule, Required):
        return f"{violation.item}: {worded(violation.rule)}"
    return str(violation)


def worded(rule: Rule) -> str:
    return f"{rule} is expected" if isinstance(rule, Required) else str(rule)


def _record(violation: Violation) -> dict[str, Any]:
    return {
        "item": violation.item,
        "kind": _kind(violation.rule),
        "rule": str(violation.rule),
        "labels": list(violation.labels),
    }


def _kind(rule: Rule) -> str:
    if isinstance(rule, Required):
        return "required"
    return "disjoint" if isinstance(rule, Disjoint) else "needs"
