"""Expressions: a query as a tree of concepts joined by AND, OR and NOT.

Trees never change and can be compared; written out, they are read back as the same tree. What an
expression means for some item is left to a `Logic`: whether a search is Boolean, graded or
three-valued is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Protocol, TypeVar

AND, OR, NOT = WORDS = "AND", "OR", "NOT"
QUOTES = "\"'"
BRACKETS = "()"

Answer = TypeVar("Answer")


class Logic(Protocol[Answer]):
    """What concepts, their opposites, AND and OR mean."""

    def literal(self, concept: str, negated: bool) -> Answer: ...
    def both(self, one: Answer, other: Answer) -> Answer: ...
    def either(self, one: Answer, other: Answer) -> Answer: ...


@dataclass(frozen=True)
class Concept:
    """Items that have a concept."""

    name: str

    def __str__(self) -> str:
        return _quoted(self.name) if _needs_quotes(self.name) else self.name


@dataclass(frozen=True)
class Not:
    """Items that something does not hold of."""

    part: Expression

    def __str__(self) -> str:
        return f"{NOT} {_inside(self.part, _Joined)}"


@dataclass(frozen=True)
class _Joined:
    """Two or more parts; parts of the same kind become one with them."""

    parts: tuple[Expression, ...]

    def __post_init__(self) -> None:
        flat: list[Expression] = []
        for part in self.parts:
            flat.extend(part.parts if isinstance(part, type(self)) else [part])
        object.__setattr__(self, "parts", tuple(flat))


class And(_Joined):
    """Items that all parts hold of."""

    def __str__(self) -> str:
        return f" {AND} ".join(_inside(part, Or) for part in self.parts)


class Or(_Joined):
    """Items that at least one part holds of."""

    def __str__(self) -> str:
        return f" {OR} ".join(map(str, self.parts))


Expression = Concept | Not | And | Or


def joined(kind: type[And] | type[Or], parts: Sequence[Expression]) -> Expression:
    """Parts as one; a single one stands for itself."""
    return parts[0] if len(parts) == 1 else kind(tuple(parts))


def answer(expression: Expression, logic: Logic[Answer]) -> Answer:
    """What an expression says.

    NOT is carried down to the concepts (De Morgan), so that nothing is rounded twice and NOT NOT
    means nothing. The order in which somebody wrote the parts never changes a bit of the answer.
    """
    return _answer(_in_order(expression), logic, negated=False)


def _answer(expression: Expression, logic: Logic[Answer], *, negated: bool) -> Answer:
    match expression:
        case Concept(name):
            return logic.literal(name, negated)
        case Not(part):
            return _answer(part, logic, negated=not negated)
    join = logic.either if isinstance(expression, Or) != negated else logic.both
    return reduce(join, (_answer(part, logic, negated=negated) for part in expression.parts))


def _in_order(expression: Expression) -> Expression:
    """The same with the parts of each AND and OR sorted by what they say."""
    match expression:
        case Concept():
            return expression
        case Not(part):
            return Not(_in_order(part))
    parts = sorted((_in_order(part) for part in expression.parts), key=str)
    return type(expression)(tuple(parts))


def literals(expression: Expression, *, negated: bool = False) -> Iterator[tuple[str, bool]]:
    """The concepts in the order in which they stand, and whether each is wanted absent."""
    match expression:
        case Concept(name):
            yield name, negated
        case Not(part):
            yield from literals(part, negated=not negated)
        case And(parts) | Or(parts):
            for part in parts:
                yield from literals(part, negated=negated)


def renamed(expression: Expression, name: Callable[[str], str]) -> Expression:
    """The same with concepts called otherwise."""
    match expression:
        case Concept(old):
            return Concept(name(old))
        case Not(part):
            return Not(renamed(part, name))
    return type(expression)(tuple(renamed(part, name) for part in expression.parts))


def _inside(part: Expression, looser: type) -> str:
    """A part within something that binds closer than what is looser."""
    return f"({part})" if isinstance(part, looser) else str(part)


def _needs_quotes(name: str) -> bool:
    return (
        not name
        or name[0] in QUOTES
        or name.upper() in WORDS
        or any(sign.isspace() or sign in BRACKETS for sign in name)
    )


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
