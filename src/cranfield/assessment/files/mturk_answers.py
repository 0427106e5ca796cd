"""What columns of answers at Mechanical Turk mean: boxes, radio buttons, lists, plain answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield.assessment.files.gathered import NEARLY_ALL, Gathered, HandedIn, Texts
from cranfield.assessment.votes.questions import Kind, Question, is_whole
from cranfield.core.matrices import Bools, Ints
from cranfield.formats.problems import shown

_MANY = 20
"""Answers of which most would be given more than once if they were to be chosen."""
_SENTENCE = 3
"""Words."""
_TRUE, _FALSE = {"true", "on"}, {"false", "off"}


class Column(NamedTuple):
    """A column: for each assignment the place of its text; the first text is the empty one."""

    places: Ints
    texts: Sequence[str]

    def some(self, keep: Bools) -> Column:
        return Column(self.places[keep], self.texts)

    def numbered(self, texts: Texts) -> Ints:
        """The same column in the numbers that all files share."""
        return texts.of(list(self.texts)).astype(np.int64)[self.places]

    @property
    def filled(self) -> list[str]:
        """The different texts that stand in it."""
        return [self.texts[index] for index in np.unique(self.places).tolist() if index]

    @property
    def is_list(self) -> bool:
        """Whether fields hold several answers at once."""
        return any("|" in text or _list(text) is not None for text in self.filled)

    @property
    def is_written(self) -> bool:
        """Whether people wrote what stands in it: sentences, or much, and mostly what nobody else
        wrote.
        """
        times = np.bincount(self.places, minlength=len(self.texts))[1:]
        answers, once = int(times.sum()), int((times == 1).sum())
        filled = self.filled
        if 2 * once <= answers or self.is_list or all(map(is_whole, filled)):
            return False
        sentences = sum(len(text.split()) >= _SENTENCE for text in filled)
        return answers >= _MANY or 2 * sentences >= len(filled)

    def where(self, odd: Callable[[str], bool]) -> Iterator[tuple[int, str]]:
        """Where odd texts stand, and the texts."""
        places = np.array([bool(text) and odd(text) for text in self.texts])[self.places]
        return (
            (index, self.texts[self.places[index]]) for index in np.flatnonzero(places).tolist()
        )

    @property
    def words(self) -> set[str]:
        """What stands in it, in lower case."""
        return {text.casefold() for text in self.filled}

    def holding(self, words: set[str]) -> Bools:
        """Where one of these words stands."""
        matching = np.array([text.casefold() in words for text in self.texts])
        return matching[self.places]


def joined(columns: Sequence[Column]) -> Column:
    """Columns of texts as one, each text on a line of its own."""
    rows = zip(
        *([column.texts[index] for index in column.places.tolist()] for column in columns),
        strict=True,
    )
    different = {"": 0}
    places = [different.setdefault("\n".join(filter(None, row)), len(different)) for row in rows]
    return Column(np.array(places, dtype=np.int64), list(different))


def families(answers: Mapping[str, Column]) -> dict[str, dict[str, Column]]:
    """Columns by what stands before their last point, if all of them are true or false."""
    families: dict[str, dict[str, Column]] = {}
    for name, column in answers.items():
        group, point, part = name.rpartition(".")
        if point and group and part and column.words <= _TRUE | _FALSE:
            families.setdefault(group, {})[part] = column
        else:
            families.setdefault(name, {})[""] = column
    return families


class Answers:
    """Hands on what was answered on some sheets, one question after the other."""

    def __init__(self, gathered: Gathered, sheets: HandedIn) -> None:
        self._gathered = gathered
        self._sheets = sheets

    def add(self, name: str, parts: Mapping[str, Column]) -> None:
        """A question: a box, a radio group of several columns, or a column of answers."""
        if "" not in parts and len(parts) > 1:
            self._add_buttons(name, parts)
            return
        for part, column in parts.items():
            question = f"{name}.{part}".rstrip(".")
            words = column.words
            if part == "on" or (words and words <= {"on"}):
                self._add_box(name if part == "on" else question, column)
            elif column.is_list:
                self._add_list(question.removesuffix(".labels"), column)
            else:
                concept = self._gathered.texts["concept"].number(question.removesuffix(".label"))
                value = column.numbered(self._gathered.texts["value"])
                self._gathered.add(*self._sheets[:2], concept, value, self._sheets.position)

    def _add_buttons(self, name: str, parts: Mapping[str, Column]) -> None:
        """One column for each radio button of a group."""
        chosen = np.stack([column.holding(_TRUE) for column in parts.values()], axis=1)
        answered: Bools = np.any(chosen, axis=1)
        if (chosen.sum(axis=1) > 1).any():
            self._gathered.note(f"{name!r} has several answers at once: read as boxes")
            presented: Bools = np.any([column.places > 0 for column in parts.values()], axis=0)
            names = [self._gathered.new_concept(name, part) for part in parts]
            sheet, box = np.nonzero(chosen[presented])
            self._gathered.add_boxes(self._sheets.some(presented), names, box, sheet)
            return
        self._gathered.kinds[name] = "choice"
        labels = self._gathered.texts["value"].of(list(parts))
        self._gathered.add(
            *self._sheets.some(answered)[:2],
            self._gathered.texts["concept"].number(name),
            labels[chosen[answered].argmax(axis=1)],
            self._sheets.position[answered],
        )

    def _add_box(self, name: str, column: Column) -> None:
        ticked = column.holding(_TRUE)
        explicit = column.holding(_FALSE)
        presented = ticked | explicit if explicit.any() else np.ones(len(ticked), dtype=np.bool_)
        sheet = np.flatnonzero(ticked[presented])
        concept = self._gathered.new_concept(f"{name}.on", name)
        self._gathered.add_boxes(
            self._sheets.some(presented), [concept], np.zeros_like(sheet), sheet
        )

    def _add_list(self, name: str, column: Column) -> None:
        """Several answers in one field."""
        used = np.unique(column.places).tolist()
        parts = {index: list(_listed(column.texts[index])) for index in used}
        names: dict[str, int] = {}
        for part in parts.values():
            for answer in part:
                names.setdefault(answer, len(names))
        answered = np.flatnonzero(column.places > 0)
        ticks = [
            (names[answer], index)
            for index, number in enumerate(column.places[answered].tolist())
            for answer in parts[number]
        ]
        box, sheet = np.array(ticks, dtype=np.int64).reshape(-1, 2).T
        concepts = [self._gathered.new_concept(name, answer) for answer in names]
        self._gathered.add_boxes(self._sheets.some(answered), concepts, box, sheet)


def oddities(
    answers: Mapping[str, Column], kinds: Mapping[str, Kind | Question]
) -> Iterator[tuple[int, str]]:
    """Answers that cannot be what the others in their column are: which assignment, and why."""
    for name, column in answers.items():
        if _is_box(name, column, kinds.get(name)):
            for index, text in column.where(lambda text: text.casefold() not in _TRUE | _FALSE):
                yield (
                    index,
                    f"Answer.{name} is {shown(text)}, but it is a box: true or false; mend it",
                )
        elif column.is_list:
            for index, text in column.where(
                lambda text: text.startswith("[") and _list(text) is None
            ):
                yield index, f"Answer.{name} is no list: {shown(text)}; mend it"


def _is_box(name: str, column: Column, known: Kind | Question | None) -> bool:
    """Whether a column is a box, be it that a few of its answers are neither true nor false."""
    if known is not None:
        return known == "yes_no" and "on" in column.words
    marks = int(column.holding(_TRUE | _FALSE).sum())
    nearly_all = marks > 0 and marks >= NEARLY_ALL * int((column.places > 0).sum())
    return nearly_all or name.endswith(".on")


def flat(content: Any, before: str = "") -> Iterator[tuple[str, str]]:
    """Answers in JSON by names with points, as the columns of CSV have them.

    Raises ValueError where nothing names an answer.
    """
    if isinstance(content, list) and not before:
        for member in content:
            yield from flat(member)
    elif isinstance(content, dict):
        for name, inner in content.items():
            yield from flat(inner, f"{before}.{_clean(name)}".lstrip("."))
    elif before:
        text = content if isinstance(content, str) else json.dumps(content)
        yield before, "" if content is None else _clean(text)
    else:
        raise ValueError


def _listed(text: str) -> Iterator[str]:
    """The answers in a field: a list in JSON, or with | between them."""
    parts = _list(text)
    for part in text.split("|") if parts is None else parts:
        answer = _clean(str(part)).strip()
        if answer:
            yield answer


def _list(text: str) -> list[Any] | None:
    """A list in JSON; None if it is none."""
    if not text.startswith("["):
        return None
    try:
        content: list[Any] = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return content


def _clean(text: str) -> str:
    """Text as UTF-8 can hold it; JSON may escape more."""
    return text.encode("utf-8", errors="replace").decode().replace("\0", "\ufffd")
