"""Rules: what a set of labels may and may not hold.

    Disjoint     at most one of a group
    Implication  a concept needs one of several others
    Required     at least one of a group is expected

A member may be a category, which stands for the concepts below it. Disjointness is inherited: what
stands below two members is disjoint as well. "Exactly one" is Disjoint and Required together; OWL's
FunctionalProperty means at most one, although Nowak 2011 §5.5.1.2 says otherwise.

`Constraints` are the rules of an ontology over the columns of a label matrix. Only concepts that
have a column can be checked. A rule that a concept without one could satisfy is left out, since
nobody can tell whether it is broken.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.axes import require_ordered
from cranfield.core.matrices import Bools, Ints
from cranfield.errors import InputError
from cranfield.kernels import Rules, pack
from cranfield.knowledge.hierarchy import first_met

if TYPE_CHECKING:
    from cranfield.knowledge.ontology import Ontology


def given_names(what: str, names: Any) -> tuple[str, ...]:
    """One name or several, as texts; None is no name."""
    if names is None:
        return ()
    if isinstance(names, str | int):
        return (str(names),)
    if not isinstance(names, Iterable):
        raise InputError(f"{what}: got {type(names).__name__}; give a tuple of ids")
    return tuple(map(str, names))


def ordered_names(what: str, names: Any) -> tuple[str, ...]:
    """Names whose order means something."""
    require_ordered(what, names)
    return given_names(what, names)


def given_mapping(what: str, value: Any) -> Mapping[Any, Any]:
    """A mapping, which has no other form."""
    if not isinstance(value, Mapping):
        raise InputError(f"{what}: got {type(value).__name__}; give a dict")
    return value


def given_path(what: str, path: Any) -> str | Path:
    """The name of a file, or of something shipped."""
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"{what}: got {type(path).__name__}; give the path of a file")
    return path if isinstance(path, str) else Path(path)


@dataclass(frozen=True)
class Disjoint:
    """At most one of these may be present; every one that is breaks the rule otherwise."""

    members: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "members", _group("Disjoint", self.members))

    def __str__(self) -> str:
        return f"at most one of {listed(self.members, 'and')}"


@dataclass(frozen=True)
class Implication:
    """A concept may be present only beside one of those that it needs; one name will do."""

    concept: str
    needs: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "concept", str(self.concept))
        needs = given_names(f"what {self.concept} needs", self.needs)
        object.__setattr__(self, "needs", needs)

    def __str__(self) -> str:
        return f"{self.concept} needs {listed(self.needs, 'or')}"


@dataclass(frozen=True)
class Required:
    """One of these is expected; that it is missing is no fault of any label that is present."""

    members: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "members", _group("Required", self.members))

    def __str__(self) -> str:
        return f"at least one of {listed(self.members, 'and')}"


Rule = Disjoint | Implication | Required

_Kind = TypeVar("_Kind", Disjoint, Implication, Required)


def given_rules(kind: type[_Kind], option: str, rules: Any) -> tuple[_Kind, ...]:
    """Rules of a kind: one or several, or what one is made of; implications also as a mapping."""
    if isinstance(rules, kind):
        return (rules,)
    if kind is Implication and isinstance(rules, Mapping):
        rules = rules.items()
    if rules is None or isinstance(rules, str | Rule) or not isinstance(rules, Iterable):
        raise InputError(
            f"{option}: got {type(rules).__name__}; give a tuple of rules: {_EXAMPLES[kind]}"
        )
    return tuple(rule if isinstance(rule, kind) else _rule(kind, option, rule) for rule in rules)


def _rule(kind: type[_Kind], option: str, parts: Any) -> _Kind:
    if not isinstance(parts, tuple | list | Set) or (kind is Implication and len(parts) != 2):
        raise InputError(f"{option}: {parts!r} is no rule; write {_EXAMPLES[kind]}")
    make: Callable[..., _Kind] = kind
    return make(*parts) if kind is Implication else make(parts)


def _group(kind: str, members: Any) -> tuple[str, ...]:
    if isinstance(members, str):
        raise InputError(f"{kind}({members!r}) is no group; give a tuple of ids: ({members!r}, …)")
    return given_names(kind, members)


_EXAMPLES: dict[type[Rule], str] = {
    Disjoint: 'disjoint=(Disjoint(("day", "night")),)',
    Implication: 'implications=(Implication("portrait", ("person", "animal")),)',
    Required: 'required=(Required(("day", "night")),)',
}


def kind_of(rule: Rule) -> str:
    """What programs call a kind of rule."""
    if isinstance(rule, Required):
        return "required"
    return "disjoint" if isinstance(rule, Disjoint) else "needs"


def worded(rule: Rule) -> str:
    """A rule as a sentence."""
    return f"{rule} is expected" if isinstance(rule, Required) else str(rule)


def listed(names: Sequence[str], last: str) -> str:
    """Names in a row, as "a, b and c"; of many the first ten and how many follow."""
    if not names:
        return "nothing"
    shown = names if len(names) <= 12 else (*names[:10], f"{len(names) - 10} others")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {last} {shown[-1]}"


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
