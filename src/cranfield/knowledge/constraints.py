"""Constraints: the rules of an ontology over the columns of a label matrix.

Only concepts that have a column can be checked. A rule that a concept without one could satisfy is
left out, since nobody can tell whether it is broken.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.matrices import Bools, Ints
from cranfield.kernels import Rules, pack
from cranfield.knowledge.hierarchy import first_met
from cranfield.knowledge.rules import Disjoint, Implication, Required

if TYPE_CHECKING:
    from cranfield.knowledge.ontology import Ontology


class Constraints:
    """What label sets over some concepts must obey."""

    def __init__(self, ontology: Ontology, concepts: tuple[str, ...]) -> None:
        self.ontology = ontology
        self.concepts = concepts
        self._place = {name: i for i, name in enumerate(concepts)}
        self._hierarchy = ontology.hierarchy()
        self._assignable = set(ontology.concepts)

    # ── rules, by column ──────────────────────────────────────────────────────────────────────

    @cached_property
    def disjoint(self) -> list[tuple[Disjoint, Bools]]:
        """Disjoint groups with two members or more here: (C, members), which column is of which."""
        rules = []
        for rule in self.ontology.disjoint:
            belongs = np.zeros((len(self.concepts), len(rule.members)), dtype=np.bool_)
            for j, member in enumerate(rule.members):
                belongs[[self._place[name] for name in self._at_or_below(member)], j] = True
            if np.count_nonzero(belongs.any(axis=0)) > 1:
                rules.append((rule, belongs))
        return rules

    @cached_property
    def implications(self) -> list[tuple[Implication, int, Ints]]:
        """What columns need: the rule, the column, and the columns of which one will do."""
        rules = []
        for rule in (*self._from_hierarchy(), *self._stated()):
            # What stands for a category may lie outside; then the rule cannot be checked.
            enough = [name for need in rule.needs for name in self._standing_for(need)]
            if all(name in self._place for name in enough):
                columns = np.array([self._place[name] for name in enough], dtype=np.int64)
                rules.append((rule, self._place[rule.concept], columns))
        return rules

    @cached_property
    def required(self) -> list[tuple[Required, Ints]]:
        """Groups of which one is expected, all of whose members are here."""
        rules = []
        for rule in self.ontology.required:
            enough = [name for member in rule.members for name in self._standing_for(member)]
            if enough and all(name in self._place for name in enough):
                rules.append((rule, np.array([self._place[name] for name in enough])))
        return rules

    @cached_property
    def needs(self) -> dict[int, list[Ints]]:
        """What a column needs: sets of columns, of each of which one will do."""
        needs: dict[int, list[Ints]] = {}
        for _, column, enough in self.implications:
            needs.setdefault(column, []).append(enough)
        return needs

    def needed_first(self) -> list[int]:
        """All columns in such an order that what one of them may need comes before it."""

        def reach(column: int) -> int:
            """How many columns it may need, directly or through others."""
            reached, waiting = {column}, [column]
            while waiting:
                for enough in self.needs.get(waiting.pop(), ()):
                    fresh = set(enough.tolist()) - reached
                    reached |= fresh
                    waiting.extend(fresh)
            return len(reached)

        return sorted(range(len(self.concepts)), key=reach)

    def exclusive(self, columns: Ints) -> bool:
        """Whether at most one of several columns may be present."""
        pairs = ~np.eye(len(columns), dtype=np.bool_)
        return len(columns) > 1 and bool(self.conflicts[np.ix_(columns, columns)][pairs].all())

    def _from_hierarchy(self) -> Iterator[Implication]:
        """A concept needs the nearest concepts above it, each of them."""
        for concept in self.concepts:
            for above in self._nearest_above(concept):
                yield Implication(concept, (above,))

    def _stated(self) -> Iterator[Implication]:
        """Implications; that of a category holds for the nearest concepts below it."""
        for rule in self.ontology.implications:
            if rule.concept in self._place:
                yield rule
            elif rule.concept not in self._assignable:
                for concept in self._nearest_below(rule.concept):
                    if concept in self._place:
                        yield Implication(concept, rule.needs)

    def _nearest_above(self, concept: str) -> list[str]:
        parents = self._hierarchy.parents
        return first_met(parents[concept], parents, self._place.keys())

    def _nearest_below(self, category: str) -> list[str]:
        children = self._hierarchy.children
        return first_met(children[category], children, self._assignable)

    def _standing_for(self, member: str) -> list[str]:
        """A concept stands for itself, a category for every concept below it."""
        if member in self._assignable:
            return [member]
        above = self._hierarchy.ancestors
        return [name for name in self.ontology.concepts if member in above[name]]

    def _at_or_below(self, member: str) -> list[str]:
        above = self._hierarchy.ancestors
        return [name for name in self.concepts if name == member or member in above[name]]

    # ── for the kernels ───────────────────────────────────────────────────────────────────────

    @cached_property
    def conflicts(self) -> Bools:
        """(C, C): which two may not stand together; on the diagonal: which may not stand at all."""
        found = np.zeros((len(self.concepts), len(self.concepts)), dtype=np.bool_)
        for _, belongs in self.disjoint:
            here = np.flatnonzero(belongs.any(axis=1))
            of = belongs[here].astype(np.int64)
            pairs = of.sum(axis=1)
            found[np.ix_(here, here)] |= np.outer(pairs, pairs) > of @ of.T
        return found

    @cached_property
    def rules(self) -> Rules:
        """Everything that a label can break, as sets of columns."""
        ordered = sorted(self.implications, key=lambda need: need[1])
        enough = np.zeros((len(ordered), len(self.concepts)), dtype=np.bool_)
        for row, (_, _, columns) in enumerate(ordered):
            enough[row, columns] = True
        counts = np.bincount([column for _, column, _ in ordered], minlength=len(self.concepts))
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return Rules(pack(self.conflicts), pack(enough), starts)

    @cached_property
    def impossible(self) -> dict[str, str]:
        """Concepts that no label set could hold without breaking a rule, and which rules."""
        reasons: dict[str, str] = {}
        for rule, belongs in self.disjoint:
            for twice in np.flatnonzero(belongs.sum(axis=1) > 1):
                sides = [rule.members[j] for j in np.flatnonzero(belongs[twice])]
                name = self.concepts[twice]
                reasons[name] = f"{name} stands below {' and '.join(sides)}, but {rule}"
        for need, column, columns in self.implications:
            if len(columns) and self.conflicts[column, columns].all():
                against = next(
                    rule
                    for rule, belongs in self.disjoint
                    if belongs[column].any() and belongs[columns[0]].any()
                )
                reasons.setdefault(need.concept, f"{need}, but {against}")
        return reasons
