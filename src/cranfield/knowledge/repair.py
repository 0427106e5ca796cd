"""Repair: the label sets nearest to given ones that break no rule.

Nearest is the smallest change, labels added and removed counted alike; or, given confidences, the
most probable label set, each concept being present with its confidence whatever the others are.
Both are found exactly. Concepts that no broken rule reaches, directly or through others, stay.

Of equally small changes, one that adds what a label cannot do without (a broader concept) goes
before one that removes a label, and that before one that adds one of several alternatives; then
the earliest concept, by id, is rather present than absent. The order of columns never matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.core.progress import Progress, Step, silent
from cranfield.core.result import Analysis
from cranfield.core.run import Run
from cranfield.core.table import Column, Table
from cranfield.core.terms import CONCEPTS, Terms
from cranfield.core.truth import Truth
from cranfield.errors import InputError, first_ten, several
from cranfield.knowledge.consistency.clauses import components
from cranfield.knowledge.consistency.elimination import EntangledError, ImpossibleError
from cranfield.knowledge.consistency.nearest import Nearest
from cranfield.knowledge.label_table import (
    LabelTable,
    label_table,
    log_odds,
    revised_run,
    revised_truth,
    terms_of,
)
from cranfield.knowledge.rules import Constraints, Rule
from cranfield.knowledge.violations import (
    Violation,
    broken_rules,
    missing,
    missing_groups,
    rule_table,
    violations,
)

if TYPE_CHECKING:
    from cranfield.knowledge.ontology import Ontology

By = Literal["labels", "confidences"]

_BLOCK = 4096
"""Items between two reports of progress."""
_LISTED = 20
"""Changes that people see."""
_CRITERIA = {
    "labels": "the smallest change that breaks no rule",
    "confidences": "the most probable label sets that break no rule",
}


@dataclass(frozen=True)
class Change:
    """What was done to the labels of an item, and the rules that asked for it."""

    item: str
    added: tuple[str, ...]
    removed: tuple[str, ...]
    broken: tuple[Rule, ...]

    def __str__(self) -> str:
        done = [f"+{name}" for name in self.added] + [f"−{name}" for name in self.removed]
        return f"{self.item}: {' '.join(done)} ({'; '.join(map(str, self.broken))})"


class Gain(NamedTuple):
    """The Ontology Score before and after a repair."""

    before: float
    after: float
    of: str
    """What was scored."""

    def __str__(self) -> str:
        difference = self.after - self.before
        return f"OS {self.of}: {self.before:.4f} → {self.after:.4f} ({difference:+.4f})"


@dataclass(frozen=True, eq=False)
class Repair(Analysis):
    """Labels that break no rule, and what was done to get there."""

    title = "Repaired labels"

    ontology: Ontology
    labels: Any
    """What was given, repaired: a Truth, a Run (with its scores), or a matrix."""
    changes: tuple[Change, ...]
    items: int
    """How many items there are, changed or not."""
    by: By
    gain: Gain | None = None
    """What the repair does to the Ontology Score, where somebody scored it."""
    warnings: tuple[str, ...] = ()
    terms: Terms = CONCEPTS

    @cached_property
    def broken(self) -> dict[Rule, int]:
        """How many items broke each rule; the rule that most of them broke first."""
        counts = Counter(rule for change in self.changes for rule in change.broken)
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1], str(pair[0]))))

    @property
    def added(self) -> int:
        return sum(len(change.added) for change in self.changes)

    @property
    def removed(self) -> int:
        return sum(len(change.removed) for change in self.changes)

    def _facts(self) -> dict[str, Any]:
        return {
            "ontology": self.ontology.name,
            "digest": self.ontology.digest,
            "by": self.by,
            "items": self.items,
            "changed": len(self.changes),
            "added": self.added,
            "removed": self.removed,
            "rules": [{"rule": str(rule), "items": n} for rule, n in self.broken.items()],
            "changes": [
                {
                    "item": change.item,
                    "added": list(change.added),
                    "removed": list(change.removed),
                    "broken": list(map(str, change.broken)),
                }
                for change in self.changes
            ],
            "OS": None if self.gain is None else self.gain._asdict(),
        }

    def _tables(self) -> list[Table]:
        rows = [
            {
                "item": change.item,
                "added": ", ".join(change.added),
                "removed": ", ".join(change.removed),
                "broken": "; ".join(map(str, change.broken)),
            }
            for change in self.changes
        ]
        columns = tuple(map(Column, ("item", "added", "removed", "broken")))
        tables = [Table("changes", rows, columns, audience="programs")]
        if rows:
            more = [f"the first {_LISTED} of {len(rows)}"] if len(rows) > _LISTED else []
            first = Table("first changes", rows[:_LISTED], columns, remarks=more, audience="people")
            tables += [first, rule_table(list(self.broken.items()))]
        return tables

    def _remarks(self) -> list[str]:
        remarks = [
            f"{len(self.changes)} of {self.terms.several(self.items, 'item')} changed: "
            f"{several(self.added, 'label')} added, {self.removed} removed "
            f"({_CRITERIA[self.by]})"
        ]
        if self.gain is not None:
            remarks.append(str(self.gain))
        return remarks


def repair(
    ontology: Ontology,
    labels: Any,
    confidences: Any = None,
    *,
    required: bool = False,
    progress: Progress = silent,
) -> Repair:
    """The nearest label sets that break no rule; see `Ontology.repair`."""
    source = labels if isinstance(labels, Truth | Run) else Truth(labels)
    table = label_table(ontology, source)
    odds = None if confidences is None else log_odds(confidences, source)
    nearest = nearest_labels(
        ontology.constraints(table.concepts),
        table.labels,
        odds,
        required=required,
        progress=progress,
    )
    broken = violations(ontology, source, unjudged="negative")
    if required:
        broken += missing(ontology, source, unjudged="negative")
    return Repair(
        ontology,
        _as_given(labels, source, table.labels, nearest),
        tuple(_changes(table, nearest, broken)),
        len(table.items),
        "labels" if odds is None else "confidences",
        terms=terms_of(labels),
    )


def nearest_labels(
    constraints: Constraints,
    labels: Bools,
    odds: Floats | None = None,
    *,
    required: bool = False,
    progress: Progress = silent,
) -> Bools:
    """The matrix of the nearest label sets, without a word on what was changed and why.

    odds  logarithms of the odds that labels are present; without them the smallest change counts
    """
    with progress("repairing", len(labels)) as step:
        return _Work(constraints, required=required).nearest(labels, odds, step)


class _Work:
    """Finds the nearest label sets, component by component, where a rule is broken."""

    def __init__(self, constraints: Constraints, *, required: bool) -> None:
        self._constraints = constraints
        self._required: dict[Rule, Ints] = dict(constraints.required if required else ())
        self._parts = components(constraints, self._required.values())

    def nearest(self, labels: Bools, odds: Floats | None, step: Step) -> Bools:
        nearest_sets = labels.copy()
        rows_of = self._at_fault(labels)
        try:
            solvers = {part: Nearest(self._parts[part]) for part in rows_of}
            for first in range(0, len(labels), _BLOCK):
                for part, rows in rows_of.items():
                    here = rows[slice(*np.searchsorted(rows, (first, first + _BLOCK)))]
                    if len(here):
                        cells = np.ix_(here, self._parts[part].columns)
                        odds_here = None if odds is None else odds[cells]
                        nearest_sets[cells] = solvers[part](labels[cells], odds_here)
                step(min(_BLOCK, len(labels) - first))
        except ImpossibleError:
            raise InputError(self._unattainable()) from None
        except EntangledError:
            raise InputError(self._entangled(rows_of)) from None
        return nearest_sets

    def _at_fault(self, labels: Bools) -> dict[int, Ints]:
        """By component: the rows that break one of its rules, ascending."""
        part_of = {
            column: i for i, part in enumerate(self._parts) for column in part.columns.tolist()
        }
        at_fault: dict[int, Bools] = {}
        broken = list(broken_rules(self._constraints, labels, labels))
        if self._required:
            broken += missing_groups(self._constraints, labels)
        for _, columns, rows in broken:
            if rows.any():
                part = part_of[int(columns[0])]
                at_fault[part] = at_fault.get(part, False) | rows
        return {part: np.flatnonzero(rows) for part, rows in sorted(at_fault.items())}

    def _unattainable(self) -> str:
        name = self._constraints.ontology.name
        lost = [rule for rule, columns in self._required.items() if not self._can_have([columns])]
        what = str(lost[0]) if lost else "one label of each required group"
        return (
            f"{name}: no label set can have {what}, since other rules forbid it; mend the rules, "
            "or repair without required groups"
        )

    def _can_have(self, groups: list[Ints]) -> bool:
        try:
            for part in components(self._constraints, groups):
                Nearest(part)(np.zeros((1, len(part.columns)), dtype=np.bool_), None)
        except ImpossibleError:
            return False
        return True

    def _entangled(self, parts: Iterable[int]) -> str:
        largest = max((self._parts[part].columns for part in parts), key=len)
        names = [self._constraints.concepts[column] for column in largest]
        return (
            f"{self._constraints.ontology.name}: its rules tie {several(len(names), 'concept')} "
            f"together so closely ({first_ten(names)}) that the nearest label set cannot be "
            "found; repair fewer concepts at a time, or simplify the rules"
        )


def _as_given(labels: Any, source: Truth | Run, before: Bools, repaired: Bools) -> Any:
    """What was repaired in the form in which it came."""
    if source is not labels:
        return repaired.astype(labels.dtype) if isinstance(labels, np.ndarray) else repaired
    added = np.flatnonzero((repaired & ~before).ravel())
    removed = np.flatnonzero((before & ~repaired).ravel())
    if isinstance(source, Run):
        return revised_run(source, added, removed)
    return revised_truth(source, added, removed)


def _changes(table: LabelTable, repaired: Bools, broken: list[Violation]) -> Iterator[Change]:
    """What was changed, in the order of items; names in the order of ids."""
    rules: dict[str, dict[Rule, None]] = {}
    for violation in broken:
        rules.setdefault(violation.item, {})[violation.rule] = None
    differs = repaired != table.labels
    for row in np.flatnonzero(differs.any(axis=1)).tolist():
        columns = np.flatnonzero(differs[row]).tolist()
        names: dict[bool, list[str]] = {True: [], False: []}
        for column in columns:
            names[bool(repaired[row, column])].append(table.concepts[column])
        item = table.items[row]
        reasons = tuple(sorted(rules[item], key=str))
        yield Change(item, tuple(sorted(names[True])), tuple(sorted(names[False])), reasons)
