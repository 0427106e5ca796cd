"""The language of queries: `sea AND sky AND NOT person`, read into trees of concepts.

NOT binds closer than AND, AND closer than OR; round brackets group. AND, OR and NOT may be written
in either case. Names with blanks or brackets, or that are one of these words, stand in double or
single quotes; a quote inside is doubled. Every mistake is shown where it stands.

Trees never change and can be compared; written out, they are read back as the same tree. What an
expression means for some item is left to a `Logic`: whether a search is Boolean, graded or
three-valued is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple, Protocol, TypeVar

from cranfield.errors import InputError

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


# ── reading ───────────────────────────────────────────────────────────────────────────────────

NAME = "name"
_DEEPEST = 50
"""Brackets and NOTs within each other; nobody means more."""
_AROUND = 30
"""Characters that a message shows on either side of a mistake."""


class QueryError(InputError):
    """A query that cannot be understood, or that asks for a concept that is not there."""


class Token(NamedTuple):
    """A name, a word of the language, or a bracket, and where it stands."""

    kind: str
    """NAME, or AND, OR, NOT, ( and ) themselves; nothing at the end."""
    text: str
    start: int
    end: int


def parse(text: str) -> Expression:
    """The expression that a text stands for."""
    return _Parser(text).whole()


def tokens(text: str) -> Iterator[Token]:
    """The names, words and brackets of a text, and a last one that marks its end."""
    position = 0
    while position < len(text):
        sign = text[position]
        if sign.isspace():
            position += 1
            continue
        if sign in BRACKETS:
            token = Token(sign, sign, position, position + 1)
        elif sign in QUOTES:
            token = _quoted_token(text, position)
        else:
            token = _word(text, position)
        yield token
        position = token.end
    yield Token("", "", len(text), len(text))


def mistake(text: str, start: int, end: int, what: str) -> QueryError:
    """An error that shows the text with the place marked."""
    before, marked, after = text[:start], text[start:end], text[end:]
    if len(before) > _AROUND:
        before = "…" + before[-_AROUND:]
    if len(after) > _AROUND:
        after = after[:_AROUND] + "…"
    if len(marked) > 2 * _AROUND:
        marked = marked[: 2 * _AROUND] + "…"
    shown = f"{before}>>>{marked}<<<{after}"
    shown = "".join(sign if sign.isprintable() else "�" for sign in shown)
    return QueryError(f"query {shown}, character {start + 1}: {what}")


def _quoted_token(text: str, start: int) -> Token:
    quote, position, name = text[start], start + 1, ""
    while True:
        end = text.find(quote, position)
        if end < 0:
            raise mistake(
                text,
                start,
                start + 1,
                "this quote is never closed; write it at the end of the name",
            )
        name += text[position:end]
        if not text.startswith(quote, end + 1):
            return Token(NAME, name, start, end + 1)
        name, position = name + quote, end + 2


def _word(text: str, start: int) -> Token:
    end = start
    while end < len(text) and not text[end].isspace() and text[end] not in BRACKETS:
        end += 1
    word = text[start:end]
    kind = word.upper() if word.upper() in WORDS else NAME
    return Token(kind, word, start, end)


class _Parser:
    """Goes through the tokens once, from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(tokens(text))
        self._place = 0
        self._depth = 0

    def whole(self) -> Expression:
        if len(self._tokens) == 1:
            raise QueryError("a query is empty; write concepts, such as sea AND sky AND NOT person")
        result = self._alternatives()
        here = self._here
        if here.kind == ")":
            raise self._refusal("this bracket was never opened; write ( before, or leave it out")
        if here.kind:
            raise self._unjoined(here)
        return result

    @property
    def _here(self) -> Token:
        return self._tokens[self._place]

    def _alternatives(self) -> Expression:
        parts = [self._conjunction()]
        while self._took(OR):
            parts.append(self._conjunction())
        return joined(Or, parts)

    def _conjunction(self) -> Expression:
        parts = [self._single()]
        while self._took(AND):
            parts.append(self._single())
        return joined(And, parts)

    def _single(self) -> Expression:
        here = self._here
        if here.kind == NAME:
            self._place += 1
            if not here.text:
                raise mistake(
                    self._text, here.start, here.end, "this name is empty; write a concept"
                )
            return Concept(here.text)
        if here.kind not in (NOT, "("):
            raise self._refusal(self._lacking(here))
        self._deeper()
        self._place += 1
        result = Not(self._single()) if here.kind == NOT else self._bracketed(here)
        self._depth -= 1
        return result

    def _bracketed(self, opened: Token) -> Expression:
        result = self._alternatives()
        if self._here.kind == ")":
            self._place += 1
            return result
        if self._here.kind:
            raise self._unjoined(self._here)
        raise mistake(self._text, opened.start, opened.end, "this bracket is never closed; write )")

    def _took(self, kind: str) -> bool:
        taken = self._here.kind == kind
        self._place += taken
        return taken

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._refusal(
                f"more than {_DEEPEST} brackets and NOTs stand within each other; make it simpler"
            )

    def _lacking(self, here: Token) -> str:
        before = self._tokens[self._place - 1].kind if self._place else ""
        after = f" after {before}" if before else ""
        if not here.kind:
            return f"a concept is missing{after}; write one, or leave {before} out"
        return f"{here.kind} stands where a concept should{after}; write a concept"

    def _unjoined(self, here: Token) -> QueryError:
        before = self._tokens[self._place - 1]
        what = f"{AND} or {OR} is missing before {here.text!r}; write one of them"
        if before.kind == here.kind == NAME:
            what += f', or quote "{before.text} {here.text}" if this is one name'
        return self._refusal(what)

    def _refusal(self, what: str) -> QueryError:
        here = self._here
        return mistake(self._text, here.start, here.end, what)
