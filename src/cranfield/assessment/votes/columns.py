"""Votes from columns of texts, as tables and files hold them, and from arrays.

What is answered to a question tells its kind: 0/1, no/yes, false/true: yes/no; other whole numbers:
grades; anything else: a choice. Nothing, NA or −1 means that the annotator was not asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from cranfield.assessment.votes.cast import Votes
from cranfield.assessment.votes.questions import Kind, Question, is_whole
from cranfield.core.axes import is_missing, require_ordered
from cranfield.core.frames import is_a
from cranfield.core.matrices import Ints
from cranfield.core.unit_values import in_step
from cranfield.errors import InputError, first_ten

VoteFormat = Literal["long", "choices", "label-studio", "mturk"]
"""Of files: item,annotator,concept,value; item,annotator,label; what platforms export."""
Absent = Literal["unasked", "no"]
"""What it means that a sheet does not mention a concept."""
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
    columns = _rows({"item": item, "annotator": annotator, "concept": concept, "value": value})
    if len({len(column) for column in columns}) > 1:
        raise InputError("the columns of items, annotators, concepts and values differ in length")
    return from_numbered(*map(numbered, columns), kinds=kinds)


def _rows(columns: dict[str, Any]) -> list[Sequence[object]]:
    """Columns row by row: Series of pandas whose rows stand in different orders by their index."""
    for name, column in columns.items():
        require_ordered(f"the column {name}", column)
    series = [column for column in columns.values() if is_a(column, "pandas", "Series")]
    if all(column.index.equals(series[0].index) for column in series):
        # As of one table, whose index may name a row twice.
        return [list(column) for column in columns.values()]
    return [list(column) for column in in_step(columns).values()]


Numbered = tuple[Ints, Sequence[str]]
"""A column: the place of each text among the different ones."""


def numbered(column: Iterable[object]) -> Numbered:
    """A column of anything, numbered in the order of first mention."""
    names: dict[str, int] = {}
    places = [names.setdefault("" if is_missing(one) else str(one), len(names)) for one in column]
    return np.array(places, dtype=np.int64), tuple(names)


def from_numbered(
    item: Numbered,
    annotator: Numbered,
    concept: Numbered,
    value: Numbered,
    *,
    kinds: Mapping[str, Kind],
) -> Votes:
    """Votes from numbered columns."""
    questions, answer = answers_of(concept, value, kinds)
    keep = answer >= 0
    return Votes(
        item[0][keep],
        annotator[0][keep],
        concept[0][keep],
        answer[keep],
        items=item[1],
        annotators=annotator[1],
        questions=questions,
    )


def answers_of(
    concept: Numbered, value: Numbered, kinds: Mapping[str, Kind | Question]
) -> tuple[list[Question], Ints]:
    """The questions, and what each value is among the answers of its question; −1: not asked.

    kinds  what is known of a question: its kind, or all of it
    """
    concepts, values = concept[1], value[1]
    pairs = concept[0] * len(values) + value[0]
    met = _different(pairs, len(concepts) * len(values))
    given: list[dict[int, str]] = [{} for _ in concepts]
    for index, pair in enumerate(met.tolist()):
        number, said = divmod(pair, len(values))
        text = values[said].strip()
        if _is_answer(text, kinds.get(concepts[number])):
            given[number][index] = text
    questions = []
    answers = np.full(len(met), -1)
    for name, texts in zip(concepts, given, strict=True):
        made, spelled = _question(name, kinds.get(name), list(texts.values()))
        questions.append(made)
        order = {answer: index for index, answer in enumerate(made.answers)}
        answers[list(texts)] = [order[answer] for answer in spelled]
    return questions, answers[_places_in(met, pairs)]


def _different(numbers: Ints, below: int) -> Ints:
    """Every number once, ascending."""
    if below <= len(numbers):
        return np.flatnonzero(np.bincount(numbers, minlength=below))
    return np.unique(numbers)


def _places_in(different: Ints, numbers: Ints) -> Ints:
    """Where each number stands among the different ones."""
    most = int(different[-1]) + 1 if len(different) else 0
    if most > len(numbers):
        return np.searchsorted(different, numbers)
    places = np.empty(most, dtype=np.int64)
    places[different] = np.arange(len(different))
    return places[numbers]


def _is_answer(text: str, expected: Kind | Question | None) -> bool:
    """Whether a text is an answer, be it a word for none that the question lists."""
    listed = isinstance(expected, Question) and text in expected.answers
    return listed or text.casefold() not in NOT_ASKED


def _kind(texts: Sequence[str]) -> Kind:
    if all(map(_is_yes_no, texts)):
        return "yes_no"
    return "grade" if all(map(is_whole, texts)) else "choice"


def _question(
    concept: str, expected: Kind | Question | None, texts: Sequence[str]
) -> tuple[Question, list[str]]:
    """A question, and its name for each of the texts that were answered."""
    expected = expected or _kind(texts)
    for text in texts:
        if not fits(text, expected):
            raise InputError(f"{concept!r} {asks(expected)}; it was answered by {text!r}")
    kind = expected.kind if isinstance(expected, Question) else expected
    spelled = [_spelled(text, kind) for text in texts]
    if isinstance(expected, Question):
        return expected, spelled
    if kind == "choice":
        return Question.choice(concept, spelled or ["?"]), spelled
    if kind == "grade":
        return Question.grades(concept, map(int, spelled or ["0"])), spelled
    return Question(concept), spelled


def fits(text: str, expected: Kind | Question) -> bool:
    """Whether a text can answer a question of this kind, or this question."""
    text = text.strip()
    kind = expected.kind if isinstance(expected, Question) else expected
    if (kind == "yes_no" and not _is_yes_no(text)) or (kind == "grade" and not is_whole(text)):
        return False
    return not isinstance(expected, Question) or _spelled(text, kind) in expected.answers


def asks(expected: Kind | Question) -> str:
    """What a question expects, in words."""
    if isinstance(expected, Question) and expected.kind != "yes_no":
        return f"is answered by {first_ten(expected.answers)}"
    kind = expected.kind if isinstance(expected, Question) else expected
    return {"yes_no": "is a yes/no question", "grade": "asks for grades", "choice": "asks for one"}[
        kind
    ]


def _spelled(text: str, kind: Kind) -> str:
    """A text as the answer that it means."""
    if kind == "yes_no":
        return "yes" if text.casefold() in _YES else "no"
    return str(int(text)) if kind == "grade" else text


def _is_yes_no(text: str) -> bool:
    return text.casefold() in _NO | _YES


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
    require_ordered("concepts=", concepts)
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
