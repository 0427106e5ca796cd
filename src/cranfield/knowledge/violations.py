"""Which item breaks which rule with which labels, and which required groups it lacks.

What nobody judged breaks no rule: a rule that an unjudged cell may satisfy is not broken, just as
one that a concept without a column may satisfy. With unjudged="negative" such cells are negative.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.matrices import Bools, Ints
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.core.terms import CONCEPTS, Terms
from cranfield.core.truth import Truth, Unjudged
from cranfield.errors import several
from cranfield.knowledge.label_table import LabelTable, label_table, terms_of
from cranfield.knowledge.rules import Rule, kind_of, worded

if TYPE_CHECKING:
    from cranfield.knowledge.ontology import Ontology
    from cranfield.knowledge.rules import Constraints


_LISTED = 20
"""Violations and rules that people see."""


@dataclass(frozen=True)
class Violation:
    """An item and a rule that its labels do not follow."""

    item: str
    rule: Rule
    labels: tuple[str, ...]
    """The labels at fault; none where a required group is missing."""

    def __str__(self) -> str:
        at_fault = f" (has {', '.join(self.labels)})" if self.labels else ""
        return f"{self.item}: {self.rule}{at_fault}"


@dataclass(frozen=True, eq=False)
class LabelCheck(Analysis):
    """What is wrong with the labels of some items."""

    title = "Labels against an ontology"

    ontology: Ontology
    items: int
    broken: Sequence[Violation]
    missing: Sequence[Violation]
    """Items that lack a required group."""
    undecided: int = 0
    """How many more there would be, were unjudged cells negative."""
    source: str = "the labels"
    """What was checked."""
    verdict: str = "as labels"
    """As what it was read: as a truth, as a run."""
    warnings: Sequence[str] = ()
    """What readers should know about the labels."""
    terms: Terms = CONCEPTS

    @cached_property
    def all(self) -> list[Violation]:
        return [*self.broken, *self.missing]

    @cached_property
    def by_rule(self) -> list[tuple[Rule, int]]:
        """The rules that are not followed and by how many items, most first."""
        return Counter(violation.rule for violation in self.all).most_common()

    @property
    def exit_code(self) -> int:
        return int(bool(self.all))

    def _facts(self) -> dict[str, Any]:
        return {
            "ontology": self.ontology.name,
            "digest": self.ontology.digest,
            "items": self.items,
            "violations": [_record(violation) for violation in self.broken],
            "missing": [_record(violation) for violation in self.missing],
            "undecided": self.undecided,
            "rules": [
                {"rule": str(rule), "kind": kind_of(rule), "items": items}
                for rule, items in self.by_rule
            ],
        }

    def _tables(self) -> list[Table]:
        columns = tuple(map(Column, ("item", "kind", "rule", "labels")))
        records = [_record(violation) for violation in self.all]
        rows = [record | {"labels": ";".join(record["labels"])} for record in records]
        tables = [Table("violations", rows, columns, audience="programs")]
        if self.all:
            shown = self.all[:_LISTED]
            first = [
                {"item": v.item, "violation": worded(v.rule)}
                | ({"has": ", ".join(v.labels)} if any(v.labels for v in shown) else {})
                for v in shown
            ]
            more = [f"the first {_LISTED} of {len(rows)}"] if len(rows) > _LISTED else []
            tables += [
                Table("first violations", first, remarks=more, audience="people"),
                rule_table(self.by_rule),
            ]
        return tables

    def _remarks(self) -> list[str]:
        remarks = [self._summary]
        if self.broken and self.verdict == "as a truth":
            remarks.append("a run that is right about everything would score below 1 by OS")
        if self.undecided:
            remarks.append(
                f"{several(self.undecided, 'more violation')} if unjudged cells count as negative; "
                "cranfield ontology close resolves those that are implied"
            )
        return remarks

    @property
    def _summary(self) -> str:
        """How many there are, and of how many items."""
        items = self.terms.several(self.items, "item")
        if not self.all:
            return (
                f"fine {self.verdict}: {self.source}, {items}, no rule of {self.ontology.name} "
                "is broken"
            )
        counts = []
        if self.broken:
            counts.append(several(len(self.broken), "violation"))
        if self.missing:
            counts.append(several(len(self.missing), "missing group"))
        at_fault = len({violation.item for violation in self.all})
        return f"{' and '.join(counts)} by {at_fault} of {items} in {self.source}"


def check_labels(
    ontology: Ontology,
    labels: Any,
    *,
    required: bool = True,
    source: str = "the labels",
    verdict: str = "as labels",
    warnings: Sequence[str] = (),
) -> LabelCheck:
    """Everything that labels break: rules, and required groups unless `required` is False."""
    return LabelCheck(
        ontology,
        len(label_table(ontology, labels).items),
        violations(ontology, labels),
        missing(ontology, labels) if required else [],
        undecided(ontology, labels, required=required),
        source,
        verdict,
        warnings,
        terms_of(labels),
    )


def rule_table(by_rule: Sequence[tuple[Rule, int]]) -> Table:
    """Rules, and how many items do not follow them."""
    rows = [{"rule": worded(rule), "items": items} for rule, items in by_rule[:_LISTED]]
    rest = by_rule[_LISTED:]
    if rest:
        further = several(len(rest), "further rule")
        rows.append({"rule": further, "items": sum(items for _, items in rest)})
    columns = (Column("rule", key=True), Column("items", kind="count"))
    return Table("rules", rows, columns, audience="people")


def _record(violation: Violation) -> dict[str, Any]:
    return {
        "item": violation.item,
        "kind": kind_of(violation.rule),
        "rule": str(violation.rule),
        "labels": list(violation.labels),
    }


def violations(
    ontology: Ontology, labels: Any, *, unjudged: Unjudged = "exclude"
) -> list[Violation]:
    """Every rule that an item breaks with labels it has, by item."""
    table = label_table(ontology, labels)
    possible = _possible(table, unjudged)
    constraints = ontology.constraints(table.concepts)
    by_row: list[tuple[int, Violation]] = []
    for rule, at_fault, broken in broken_rules(constraints, table.labels, possible):
        for row in np.flatnonzero(broken).tolist():
            columns = at_fault[table.labels[row, at_fault]].tolist()
            names = tuple(table.concepts[column] for column in columns)
            by_row.append((row, Violation(table.items[row], rule, names)))
    return [violation for _, violation in sorted(by_row, key=lambda pair: pair[0])]


def count_violations(ontology: Ontology, labels: Any) -> tuple[dict[Rule, int], int]:
    """How many items break each rule that is broken, and how many break any; without naming them,
    which takes long where there are many."""
    table = label_table(ontology, labels)
    constraints = ontology.constraints(table.concepts)
    counts: dict[Rule, int] = {}
    anywhere = np.zeros(len(table.labels), dtype=np.bool_)
    for rule, _, broken in broken_rules(constraints, table.labels, _possible(table, "exclude")):
        counts[rule] = counts.get(rule, 0) + int(np.count_nonzero(broken))
        anywhere |= broken
    return {rule: count for rule, count in counts.items() if count}, int(anywhere.sum())


def broken_rules(
    constraints: Constraints, labels: Bools, possible: Bools
) -> Iterator[tuple[Rule, Ints, Bools]]:
    """Each rule, the columns whose labels may break it, and which items break it."""
    for disjoint, belongs in constraints.disjoint:
        here = np.flatnonzero(belongs.any(axis=1))
        # Floats, since NumPy multiplies large matrices of integers a hundred times more slowly.
        held = labels[:, here].astype(np.float32) @ belongs[here].astype(np.float32)
        yield disjoint, here, np.count_nonzero(held, axis=1) > 1
    for need, column, enough in constraints.implications:
        yield need, np.array([column]), labels[:, column] & ~possible[:, enough].any(axis=1)


def missing(ontology: Ontology, labels: Any, *, unjudged: Unjudged = "exclude") -> list[Violation]:
    """Every required group of which an item has no label, by item."""
    table = label_table(ontology, labels)
    possible = _possible(table, unjudged)
    by_row = []
    for rule, _, lacking in missing_groups(ontology.constraints(table.concepts), possible):
        for row in np.flatnonzero(lacking).tolist():
            by_row.append((row, Violation(table.items[row], rule, ())))
    return [violation for _, violation in sorted(by_row, key=lambda pair: pair[0])]


def missing_groups(constraints: Constraints, possible: Bools) -> Iterator[tuple[Rule, Ints, Bools]]:
    """Each required group, its columns, and which items lack it."""
    for rule, columns in constraints.required:
        yield rule, columns, np.logical_not(possible[:, columns].any(axis=1))


def undecided(ontology: Ontology, labels: Any, *, required: bool = True) -> int:
    """How many more there would be, were unjudged cells negative; `required`: groups as well."""
    if not isinstance(labels, Truth) or labels.judged is None:
        return 0
    looks = (violations, missing) if required else (violations,)
    return sum(
        len(look(ontology, labels, unjudged="negative")) - len(look(ontology, labels))
        for look in looks
    )


def _possible(table: LabelTable, unjudged: Unjudged) -> Bools:
    """The labels that items have or may have."""
    if table.unjudged is None or unjudged == "negative":
        return table.labels
    return table.labels | table.unjudged
