"""Matching: which concept of one collection is which of another.

Concepts are the same if their ids are equal. They nearly match if ids, or else readable names, are
equal once case, surrounding white space, Unicode form and the choice between space, hyphen and
underscore are levelled. A match must be the only one on both sides, so every concept has at most
one partner, whatever the order of concepts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set
from typing import Literal, NamedTuple

from cranfield.collections.collection import Collection
from cranfield.collections.description.oddities import folded, grouped

Match = Literal["exact", "near"]


class Partners(NamedTuple):
    """A concept of the one collection and its match in the other."""

    one: str
    other: str
    match: Match


def partners(one: Collection, other: Collection) -> tuple[Partners, ...]:
    """The concepts that both have, in the order of the first."""
    rounds: tuple[tuple[Match, Callable[[Collection, str], str]], ...] = (
        ("exact", lambda side, concept: concept),
        ("near", lambda side, concept: _levelled(concept)),
        ("near", lambda side, concept: _levelled(side.descriptions.get(concept, concept))),
    )
    found: dict[str, Partners] = {}
    for match, form in rounds:
        taken = {pair.other for pair in found.values()}
        for mine, theirs in _alike(_by_form(one, found.keys(), form), _by_form(other, taken, form)):
            found[mine] = Partners(mine, theirs, match)
    return tuple(found[concept] for concept in one.concepts if concept in found)


def _by_form(
    side: Collection, taken: Set[str], form: Callable[[Collection, str], str]
) -> dict[str, list[str]]:
    free = (concept for concept in side.concepts if concept not in taken)
    return grouped(free, lambda concept: form(side, concept))


def _alike(one: dict[str, list[str]], other: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    for form in one.keys() & other.keys():
        if len(one[form]) == len(other[form]) == 1:
            yield one[form][0], other[form][0]


def _levelled(name: str) -> str:
    return re.sub(r"[\s_-]+", " ", folded(name))
