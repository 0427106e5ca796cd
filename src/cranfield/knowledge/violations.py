"""Which item breaks which rule with which labels, and which required groups it lacks.

What nobody judged breaks no rule: a rule that an unjudged cell may satisfy is not broken, just as
one that a concept without a column may satisfy. With unjudged="negative" such cells are negative.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.core.matrices import Bools, Ints
from cranfield.core.truth import Truth, Unjudged
from cranfield.knowledge.label_table import LabelTable, label_table
from cranfield.knowledge.rules import Rule

if TYPE_CHECKING:
    from cranfield.knowledge.constraints import Constraints
    from cranfield.knowledge.ontology import Ontology


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


def violations(
    ontology: Ontology, labels: Any, *, unjudged: Unjudged = "exclude"
) -> list[Violation]:
    """Every rule that an item breaks with labels it has, by item."""
    table = label_table(ontology, labels)
    possible = _possible(table, unjudged)
    constraints = ontology.constraints(table.concepts)
    found: list[tuple[int, Violation]] = []

    def add(row: int, rule: Rule, columns: list[int]) -> None:
        names = tuple(table.concepts[j] for j in columns)
        found.append((row, Violation(table.items[row], rule, names)))

    for rule, at_fault, broken in broken_rules(constraints, table.labels, possible):
        for row in np.flatnonzero(broken).tolist():
            add(row, rule, at_fault[table.labels[row, at_fault]].tolist())
    return [one for _, one in sorted(found, key=lambda pair: pair[0])]


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
    found = []
    for rule, _, lacking in missing_groups(ontology.constraints(table.concepts), possible):
        for row in np.flatnonzero(lacking).tolist():
            found.append((row, Violation(table.items[row], rule, ())))
    return [one for _, one in sorted(found, key=lambda pair: pair[0])]


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
