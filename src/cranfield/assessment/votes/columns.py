"""Votes from columns of texts, as tables and files hold them, and from arrays.

What is answered to a question tells its kind: 0/1, no/yes, false/true: yes/no; other whole numbers:
grades; anything else: a choice. Nothing, NA or −1 means that the annotator was not asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from cranfield.assessment.votes.cast import Votes
from cranfield.assessment.votes.questions import Kind, Question, is_whole
from cranfield.errors import InputError
from cranfield.matrices import Ints

NOT_ASKED = {"", "na", "n/a", "nan", "null", "none", "-1"}
"""Words for no answer, in lower case."""
_NO = {"0", "no", "n", "false", "f", "0.0"}
_YES = {"1", "yes", "y", "true", "t", "1.0"}


def from_columns(
    item: Iterable[object],
    annotator: Iterable[object],
    concept: Iterable[object],
    value: Iterable[object],
    *,
    kinds: Mapping[str, Kind],
) -> Votes:
    """Votes from columns of anything that has a text."""
    columns = [numbered(column) for column in (item, annotator, concept, value)]
    if len({len(places) for places, _ in columns}) > 1:
        raise InputError("the columns of items, annotators, concepts and values differ in length")
    return from_numbered(*columns, kinds=kinds)


Numbered = tuple[Ints, Sequence[str]]
"""A column: the place of each text among the different ones."""


def numbered(column: Iterable[object]) -> Numbered:
    """A column of anything, numbered in the order of first mention."""
    names: dict[str, int] = {}
    places = [names.setdefault("" if one is None else str(one), len(names)) for one in column]
    return np.array(places, dtype=np.int64), tuple(names)


def from_numbered(
    item: Numbered,
    annotator: Numbered,
    concept: Numbered,
    value: Numbered,
    *,
    kinds: Mapping[str, Kind],
    **more: Any,
) -> Votes:
    """Votes from numbered columns; more: what `Votes` takes beside them, for every row."""
    values = value[1]
    asked = np.array([text.strip().casefold() not in NOT_ASKED for text in values], dtype=np.bool_)
    keep = asked[value[0]] if len(values) else np.zeros(0, dtype=np.bool_)
    question, answer = concept[0][keep], value[0][keep]
    questions, places = _questions(question, answer, concept[1], values, kinds)
    if more.get("batch") is not None:
        more["batch"] = more["batch"][keep]
    return Votes(
        item[0][keep],
        annotator[0][keep],
        question,
        places[question * len(values) + answer] if len(values) else answer,
        items=item[1],
        annotators=annotator[1],
        questions=questions,
        **more,
    )


def _questions(
    question: Ints,
    answer: Ints,
    concepts: Sequence[str],
    values: Sequence[str],
    kinds: Mapping[str, Kind],
) -> tuple[list[Question], Ints]:
    """The questions, and the place of every value among the answers of every question."""
    given: list[list[int]] = [[] for _ in concepts]
    for pair in np.unique(question * len(values) + answer).tolist():
        given[pair // len(values)].append(pair % len(values))
    questions = []
    places = np.full(len(concepts) * len(values), -1)
    for number, (concept, there) in enumerate(zip(concepts, given, strict=True)):
        texts = [values[place].strip() for place in there]
        kind = kinds.get(concept) or _kind(texts)
        made, spelled = _question(concept, kind, texts)
        questions.append(made)
        order = {name: place for place, name in enumerate(made.answers)}
        for place, name in zip(there, spelled, strict=True):
            places[number * len(values) + place] = order[name]
    return questions, places


def _kind(texts: Sequence[str]) -> Kind:
    if all(text.casefold() in _NO | _YES for text in texts):
        return "yes_no"
    return "grade" if all(is_whole(text) for text in texts) else "choice"


def _question(concept: str, kind: Kind, texts: Sequence[str]) -> tuple[Question, list[str]]:
    """A question, and its name for each of the texts that were answered."""
    if kind == "yes_no":
        strange = [text for text in texts if text.casefold() not in _NO | _YES]
        if strange:
            raise InputError(f"{concept!r} is a yes/no question; it was answered by {strange[0]!r}")
        return Question(concept), ["yes" if text.casefold() in _YES else "no" for text in texts]
    if kind == "grade":
        strange = [text for text in texts if not is_whole(text)]
        if strange:
            raise InputError(f"{concept!r} asks for grades; it was answered by {strange[0]!r}")
        return Question.grades(concept, map(int, texts)), [str(int(text)) for text in texts]
    return Question.choice(concept, texts or ["?"]), list(texts)


def from_array(
    votes: Any,
    *,
    items: Sequence[object] | None,
    annotators: Sequence[object] | None,
    concepts: Sequence[object] | None,
) -> Votes:
    """Yes/no votes of an array (items, annotators, concepts)."""
    array = np.asarray(votes, dtype=np.float64)
    if array.ndim != 3:
        raise InputError(
            f"votes have {array.ndim} dimensions; give an array (items, annotators, concepts)"
        )
    asked = ~(np.isnan(array) | (array == -1))
    if not np.isin(array[asked], (0, 1)).all():
        raise InputError("votes must be 0 or 1, and NaN or −1 where nobody was asked")
    item, annotator, question = np.nonzero(asked)
    names = [
        range(size) if given is None else given
        for size, given in zip(array.shape, (items, annotators, concepts), strict=True)
    ]
    return Votes(
        item,
        annotator,
        question,
        array[asked].astype(np.int64),
        items=names[0],
        annotators=names[1],
        questions=[Question(str(name)) for name in names[2]],
    )
