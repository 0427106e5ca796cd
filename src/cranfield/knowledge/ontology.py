"""Ontology: what is known about concepts: a hierarchy, and rules about which go together.

Nodes are concepts, which can be assigned to an item, or categories, which only give order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from cranfield.caching import cached_property
from cranfield.core.axes import as_ids
from cranfield.core.matrices import Floats
from cranfield.core.progress import Progress, silent
from cranfield.errors import InputError, first_ten, several
from cranfield.knowledge.hierarchy import Hierarchy, Parents
from cranfield.knowledge.maps import CostMap
from cranfield.knowledge.provenance import Provenance
from cranfield.knowledge.rules import (
    Constraints,
    Disjoint,
    Implication,
    Required,
    Rule,
    given_mapping,
    given_names,
    given_path,
    given_rules,
    ordered_names,
)

if TYPE_CHECKING:
    from cranfield.knowledge.closing import Closure
    from cranfield.knowledge.repair import Repair
    from cranfield.knowledge.violations import Violation

Tree = Literal["flat", "flattest", "printed"]
"""Which levels count for costs; an ontology says which categories a flatter tree leaves out."""

Costing = Literal["DDMC", "DIMC"]
"""Misclassification costs by distance, dependent on or independent of depth."""

_Made = TypeVar("_Made")
_REMEMBERED = 8
"""Costs and constraints that are kept: as many as a few collections need."""


@dataclass(frozen=True, eq=False)
class Ontology:
    """Concepts, the hierarchy above them, and rules.

    concepts      ids that can be assigned; default: every node
    parents       the broader nodes of each node, or the one; none for those at the top
    disjoint      groups of which at most one member may be present: rules, or tuples of ids
    implications  what a concept needs beside the concepts right above it, which it always needs:
                  rules, or a dict
    required      groups of which at least one member is expected: rules, or tuples of ids
    dropped       by tree: categories that the tree leaves out; "printed" is the whole one
    labels        what nodes are called, where their ids are codes
    ignored       how many statements of a file, by kind, say nothing about labels
    """

    parents: Parents
    concepts: tuple[str, ...] = ()
    disjoint: tuple[Disjoint, ...] = ()
    implications: tuple[Implication, ...] = ()
    required: tuple[Required, ...] = ()
    dropped: Mapping[str, frozenset[str]] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    name: str = "ontology"
    ignored: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._read_given()
        if not self.parents:
            raise InputError(f"{self.name}: there is no concept in it")
        self._require_known("concept", self.concepts)
        for rule in self.rules:
            self._require_known(f"rule “{rule}”: concept", _named_in(rule))
        for tree, gone in self.dropped.items():
            self._require_known(f"tree {tree}: category", gone)
            lost = [node for node in self.concepts if node in gone]
            if lost:
                raise InputError(f"{self.name}: tree {tree} leaves out concepts: {first_ten(lost)}")
        self.hierarchy("printed")
        self._require_sense()

    def _read_given(self) -> None:
        """Bring what people give into one form: texts, tuples, rules."""
        parents = {
            str(node): tuple(dict.fromkeys(given_names(f"what stands above {node}", up)))
            for node, up in given_mapping("parents", self.parents).items()
        }
        nodes = as_ids("concept", list(parents))
        dropped = {
            str(tree): frozenset(given_names(f"tree {tree}", gone))
            for tree, gone in given_mapping("dropped", self.dropped).items()
        }
        for field_name, value in (
            ("parents", parents),
            ("concepts", as_ids("concept", ordered_names("concepts", self.concepts) or nodes)),
            ("disjoint", given_rules(Disjoint, "disjoint", self.disjoint)),
            ("implications", given_rules(Implication, "implications", self.implications)),
            ("required", given_rules(Required, "required", self.required)),
            ("dropped", dropped),
            ("labels", given_mapping("labels", self.labels)),
            ("name", str(self.name)),
        ):
            object.__setattr__(self, field_name, value)

    @classmethod
    def load(cls, source: str | Path) -> Ontology:
        """A shipped ontology ("pto2009", "pto2010", "pto2011"), or one from a file."""
        from cranfield.knowledge.reading import load

        return load(given_path("ontology", source))

    def write(self, path: str | Path) -> None:
        """Write it as OWL: Turtle for .ttl, RDF/XML otherwise."""
        from cranfield.knowledge.owl_writing import write

        write(self, given_path("ontology", path))

    # ── what there is ─────────────────────────────────────────────────────────────────────────

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that were stated; that a concept needs the one right above it comes besides."""
        return (*self.disjoint, *self.implications, *self.required)

    @cached_property
    def categories(self) -> tuple[str, ...]:
        """Nodes that cannot be assigned."""
        assignable = set(self.concepts)
        return tuple(node for node in self.parents if node not in assignable)

    @cached_property
    def disjoint_pairs(self) -> frozenset[frozenset[str]]:
        """Pairs of nodes that were stated to be disjoint; their descendants inherit it besides."""
        return frozenset(
            frozenset(pair) for rule in self.disjoint for pair in combinations(rule.members, 2)
        )

    def hierarchy(self, tree: str = "printed") -> Hierarchy:
        """The hierarchy, without the levels that a tree leaves out."""
        if tree not in ("flat", "flattest", "printed", *self.dropped):
            raise InputError(f"tree={tree!r}; choose flat, flattest or printed")
        if tree not in self._trees:
            self._trees[tree] = self._whole.without(self.dropped.get(tree, ()))
        return self._trees[tree]

    @cached_property
    def _whole(self) -> Hierarchy:
        return Hierarchy(self.parents)

    def _remembered(self, key: Hashable, make: Callable[[], _Made]) -> _Made:
        """What was made before for the same key, since one evaluation follows another."""
        made: _Made | None = self._memory.get(key)
        if made is None:
            made = make()
            if len(self._memory) >= _REMEMBERED:
                self._memory.clear()
            self._memory[key] = made
        return made

    @cached_property
    def _memory(self) -> dict[Hashable, Any]:
        return {}

    @cached_property
    def _trees(self) -> dict[str, Hierarchy]:
        return {}

    def constraints(self, concepts: Iterable[str] | None = None) -> Constraints:
        """The rules, for label sets over these concepts; default: all."""
        chosen = self._chosen(concepts)
        return self._remembered(chosen, lambda: Constraints(self, chosen))

    @cached_property
    def digest(self) -> str:
        """Hash of everything that a score can depend on, whatever the order it was stated in."""
        content = (
            sorted(self.concepts),
            sorted((node, sorted(up)) for node, up in self.parents.items()),
            sorted(sorted(rule.members) for rule in self.disjoint),
            sorted((rule.concept, sorted(rule.needs)) for rule in self.implications),
            sorted(sorted(rule.members) for rule in self.required),
            sorted((tree, sorted(gone)) for tree, gone in self.dropped.items() if gone),
        )
        return hashlib.blake2b(repr(content).encode(), digest_size=16).hexdigest()

    # ── what it is good for ───────────────────────────────────────────────────────────────────

    def costs(
        self,
        tree: str = "flat",
        kind: Costing = "DDMC",
        concepts: Iterable[str] | None = None,
    ) -> Floats:
        """(C, C): what it costs to take one concept for another, in [0, 1].

        DDMC: a link whose lower end has depth d costs 2^(L−d) / (2^(L+1) − 2) in a tree of height
        L, half as much on each deeper level; a pair costs the sum over the path between them, so
        that two deepest concepts of different branches cost 1 (Nowak 2011 eq 7.2).
        DIMC: the links on that path, divided by 2L.
        """
        chosen = self._chosen(concepts, self.hierarchy(tree))
        key = tree, kind, chosen
        return self._remembered(key, lambda: self._path_costs(*key)).copy()

    def _path_costs(self, tree: str, kind: Costing, concepts: tuple[str, ...]) -> Floats:
        hierarchy = self.hierarchy(tree)
        height = max(hierarchy.height, 1)
        match kind:
            case "DDMC":
                # Powers of two add exactly, and one division makes equal costs equal numbers.
                ways = hierarchy.path_costs(concepts, lambda depth: 0.5**depth)
                return ways / (2.0 - 0.5 ** (height - 1))
            case "DIMC":
                return hierarchy.path_costs(concepts, lambda depth: 1.0) / (2.0 * height)
        raise InputError(f"kind={kind!r}; choose DDMC or DIMC")

    def cost_map(
        self,
        tree: str = "flat",
        kind: Costing = "DDMC",
        concepts: Iterable[str] | None = None,
    ) -> CostMap:
        """The same costs as a map that knows its concepts and where it comes from."""
        hierarchy = self.hierarchy(tree)
        chosen = self._chosen(concepts, hierarchy)
        return CostMap(
            self.costs(tree, kind, chosen),
            chosen,
            name=kind,
            provenance=Provenance(
                f"{self.name}:{self.digest[:8]}, {kind}, tree {tree}",
                date.today().isoformat(),
                {"concepts": len(chosen), "levels": hierarchy.height},
            ),
        )

    def violations(self, labels: Any) -> list[Violation]:
        """Which item breaks which rule with which labels.

        labels  a Truth, a Run, or a matrix whose columns are the concepts of this ontology

        A rule that a cell which nobody judged may satisfy is not broken; `close` tells what the
        judged ones imply.
        """
        from cranfield.knowledge.violations import violations

        return violations(self, labels)

    def missing(self, labels: Any) -> list[Violation]:
        """Which item has no label of which required group, and no unjudged cell there."""
        from cranfield.knowledge.violations import missing

        return missing(self, labels)

    def repair(
        self,
        labels: Any,
        confidences: Any = None,
        *,
        required: bool = False,
        progress: Progress = silent,
    ) -> Repair:
        """The nearest label sets that break no rule, and what was changed.

        labels       a Truth, a Run, or a matrix whose columns are the concepts of this ontology
        confidences  a Run with scores in [0, 1] or a matrix of them: take the most probable label
                     set instead of the smallest change
        required     fill required groups as well

        Exact; ties are broken by rules that `cranfield.knowledge.repair` states.
        """
        from cranfield.knowledge.repair import repair

        return repair(self, labels, confidences, required=required, progress=progress)

    def close(
        self,
        truth: Any,
        *,
        required: bool = False,
        progress: Progress = silent,
    ) -> Closure:
        """The truth with all unjudged cells resolved that its judgements imply.

        A positive concept makes those above it positive, a negative one those below it negative;
        a positive member of a disjoint group makes the others negative; of what a concept needs,
        the last that is not negative is positive.

        required  conclude from required groups as well
        """
        from cranfield.knowledge.closing import close

        return close(self, truth, required=required, progress=progress)

    def __repr__(self) -> str:
        return (
            f"Ontology({self.name!r}: {several(len(self.concepts), 'concept')}, "
            f"{len(self.categories)} categories, {several(len(self.rules), 'rule')})"
        )

    # ── checks ────────────────────────────────────────────────────────────────────────────────

    def _chosen(
        self, concepts: Iterable[str] | None, within: Hierarchy | None = None
    ) -> tuple[str, ...]:
        """These concepts, all of them known; default: all there are."""
        if concepts is None:
            return self.concepts
        chosen = as_ids("concept", ordered_names("concepts", concepts))
        self._require_known("concept", chosen, within)
        return chosen

    def _require_known(
        self, what: str, names: Iterable[str], within: Hierarchy | None = None
    ) -> None:
        nodes = self.parents if within is None else within.parents
        unknown = [name for name in names if name not in nodes]
        if unknown:
            raise InputError(
                f"{self.name}: {what} that the hierarchy does not know: {first_ten(unknown)}; "
                "add it there, or mend its spelling"
            )

    def _require_sense(self) -> None:
        """Refuse what no label set could follow."""
        above = self._whole.ancestors
        for rule in self.rules:
            names = _named_in(rule)
            if len(names) == isinstance(rule, Implication):
                raise InputError(f"{self.name}: rule “{rule}” names no concept")
            if len(set(names)) != len(names):
                raise InputError(f"{self.name}: rule “{rule}” names a concept twice")
            if isinstance(rule, Disjoint):
                members = frozenset(names)
                for lower in names:
                    if upper := above[lower] & members:
                        raise InputError(
                            f"{self.name}: rule “{rule}” contradicts the hierarchy, in which "
                            f"{lower} stands below {min(upper)}; remove one of the two"
                        )
            if isinstance(rule, Implication):
                self._require_possible(rule)

    def _require_possible(self, rule: Implication) -> None:
        with_it = self._disjoint_with.get(rule.concept, {})
        if all(need in with_it for need in rule.needs):
            raise InputError(
                f"{self.name}: rule “{rule}” contradicts rule “{with_it[rule.needs[0]]}”; "
                "remove one of the two"
            )

    @cached_property
    def _disjoint_with(self) -> dict[str, dict[str, Disjoint]]:
        """What each concept that needs something is disjoint with, and by which rule."""
        needy = {rule.concept for rule in self.implications}
        by_concept: dict[str, dict[str, Disjoint]] = {}
        for rule in self.disjoint:
            for member in needy.intersection(rule.members):
                by_concept.setdefault(member, {}).update(dict.fromkeys(rule.members, rule))
        return by_concept

    @cached_property
    def contradictions(self) -> dict[str, str]:
        """Concepts that can never be assigned, and why: the rules that forbid it."""
        return self.constraints().impossible


def _named_in(rule: Rule) -> tuple[str, ...]:
    return (rule.concept, *rule.needs) if isinstance(rule, Implication) else rule.members
