"""Rules: what a set of labels may and may not hold.

    Disjoint     at most one of a group
    Implication  a concept needs one of several others
    Required     at least one of a group is expected

A member may be a category, which stands for the concepts below it. Disjointness is inherited: what
stands below two members is disjoint as well. "Exactly one" is Disjoint and Required together; OWL's
FunctionalProperty means at most one, although Nowak 2011 §5.5.1.2 says otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Disjoint:
    """At most one of these may be present; every one that is breaks the rule otherwise."""

    members: tuple[str, ...]

    def __str__(self) -> str:
        return f"at most one of {listed(self.members, 'and')}"


@dataclass(frozen=True)
class Implication:
    """A concept may be present only beside one of those that it needs."""

    concept: str
    needs: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.concept} needs {listed(self.needs, 'or')}"


@dataclass(frozen=True)
class Required:
    """One of these is expected; that it is missing is no fault of any label that is present."""

    members: tuple[str, ...]

    def __str__(self) -> str:
        return f"at least one of {listed(self.members, 'and')}"


Rule = Disjoint | Implication | Required


def listed(names: Sequence[str], last: str) -> str:
    """Names in a row, as "a, b and c"; of many the first ten and how many follow."""
    if not names:
        return "nothing"
    shown = names if len(names) <= 12 else (*names[:10], f"{len(names) - 10} others")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {last} {shown[-1]}"
