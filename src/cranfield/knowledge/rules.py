"""Rules: what a set of labels may and may not hold.

    Disjoint     at most one of a group
    Implication  a concept needs one of several others
    Required     at least one of a group is expected

A member may be a category, which stands for the concepts below it. Disjointness is inherited: what
stands below two members is disjoint as well. "Exactly one" is Disjoint and Required together; OWL's
FunctionalProperty means at most one, although Nowak 2011 §5.5.1.2 says otherwise.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from cranfield.core.axes import require_ordered
from cranfield.errors import InputError


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
