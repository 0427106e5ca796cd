"""Queries to test with, and what they mean, said once more in the plainest way there is.

`means` goes through one item at a time and knows True, False and None (nobody knows). It shares
nothing with the package but the trees.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from hypothesis import strategies as st

from cranfield.tasks.retrieval.query_language import And, Concept, Expression, Not, Or

NAMES = ["sea", "sky", "person", "big dog", "AND", "not", 'a "b"', "men's", "(x)", "'q", "Ünde"]

Value = TypeVar("Value")


def expressions(names: list[str], *, leaves: int = 8) -> st.SearchStrategy[Expression]:
    def larger(parts: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
        several = st.lists(parts, min_size=2, max_size=3).map(tuple)
        return st.one_of(st.builds(Not, parts), st.builds(And, several), st.builds(Or, several))

    return st.recursive(st.sampled_from(names).map(Concept), larger, max_leaves=leaves)


def means(
    expression: Expression,
    labels: Mapping[str, Value],
    *,
    opposite: Callable[[Value], Value],
    every: Callable[[list[Value]], Value],
    some: Callable[[list[Value]], Value],
) -> Value:
    """What an expression says of one item whose labels or confidences are these."""
    if isinstance(expression, Concept):
        return labels[expression.name]
    rules = {"opposite": opposite, "every": every, "some": some}
    if isinstance(expression, Not):
        return opposite(means(expression.part, labels, **rules))
    parts = [means(part, labels, **rules) for part in expression.parts]
    return every(parts) if isinstance(expression, And) else some(parts)


def opposite(value: bool | None) -> bool | None:
    return None if value is None else not value


def every(values: list[bool | None]) -> bool | None:
    if False in values:
        return False
    return None if None in values else True


def some(values: list[bool | None]) -> bool | None:
    if True in values:
        return True
    return None if None in values else False
