"""Judging: who says whether a document is relevant while a pool grows.

A function that is asked for a topic and a document, or a truth: judgements so far, or those of a
finished collection as an oracle.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cranfield.assessment.pools.qrels import Qrels
from cranfield.assessment.pools.rankings import Rankings
from cranfield.core.truth import State, Truth
from cranfield.errors import InputError

Asked = Callable[[str, str], int | None]
"""The grade of a document for a topic, given their ids; None = not judged."""


class Judge:
    """Grades of pairs, by their codes, each asked for once; below zero = not judged."""

    def __init__(self, given: Asked | Truth | None, rankings: Rankings) -> None:
        self._topics, self._documents = rankings.topics, rankings.documents
        self._known: dict[int, int] = {}
        self._asked: Asked | None = None
        if isinstance(given, Truth):
            known = Qrels.of(given, self._topics, self._documents)
            self._known = dict(zip(known.codes.tolist(), known.grades.tolist(), strict=True))
        elif callable(given):
            self._asked = given
        elif given is not None:
            raise InputError(
                f"judge is a {type(given).__name__}; give a cf.Truth, or a function of topic and "
                "document"
            )

    def __call__(self, code: int) -> int:
        if code not in self._known:
            self._known[code] = self._ask(code)
        return self._known[code]

    def _ask(self, code: int) -> int:
        if self._asked is None:
            return State.UNJUDGED
        topic, document = divmod(code, len(self._documents))
        return _as_grade(self._asked(self._topics[topic], self._documents[document]))


def _as_grade(said: Any) -> int:
    if said is None:
        return State.UNJUDGED
    try:
        grade = int(said)
    except (TypeError, ValueError):
        grade = State.OUTSIDE
    if grade != said or grade < State.UNJUDGED:
        raise InputError(
            f"the judge says {said!r}; a judgement is 0, 1 or a higher grade, and None if there is "
            "none"
        )
    return grade
