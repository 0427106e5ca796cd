"""Label Studio's JSON: a list of tasks, each with annotations, each with results.

A question is what a result's `from_name` says. Choices of which everybody took exactly one are one
choice; where somebody took several, or none, each is a box, and what was not ticked is a no. Labels
of regions are boxes too: yes, if somewhere on the item. Ratings and numbers are grades, text that
people wrote is a comment. An annotation without any result of a question was not asked it.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from cranfield.assessment.files.gathered import ASIDE, Gathered, HandedIn
from cranfield.assessment.votes.columns import fits
from cranfield.core.matrices import Ints
from cranfield.errors import FileError, several
from cranfield.formats.json_stream import JsonStream
from cranfield.formats.problems import Problems, shown
from cranfield.formats.source import Source

UNIT = "task"
OWN_FIELD = "item"
"""The field of a task's data that names the item in what we write."""
_BOXES, _CHOICES, _GRADES = "boxes", "choices", "grades"
_Said = tuple[str, str, list[str]]
"""A question's name and form, and what was answered."""


def read(source: Source, problems: Problems, gathered: Gathered, *, item: str | None) -> None:
    """Read all tasks; item: the field of their data that names the item, else `item` there does,
    as in what we write, or else their id."""
    reader = _Reader(problems, gathered, item)
    stream = JsonStream(source, problems)
    if stream.peek() != "[":
        raise FileError(
            source.path, "this is no list of tasks; export the project as JSON", line=stream.line
        )
    trouble: FileError | None = None
    try:
        for number, task in enumerate(stream.elements(), start=1):
            reader.take_task(number, task)
        stream.end()
    except FileError as error:
        trouble = error
    reader.finish()
    if trouble is not None:
        raise trouble


class _Reader:
    """Takes task after task; what kind of question each is shows only when all are there."""

    def __init__(self, problems: Problems, gathered: Gathered, item: str | None) -> None:
        self._problems = problems
        self._gathered = gathered
        self._field = item
        self._skipped = 0
        self._unread: Counter[str] = Counter()
        self._items: list[str] = []
        self._annotators: list[str] = []
        self._people: dict[str, str] = {}
        """What those are called whom some annotations name by their number alone."""
        self._aside: dict[str, list[str]] = {name: [] for name in ASIDE}
        self._tasks = array("Q")
        self._questions: dict[tuple[str, str], int] = {}
        """By name and form."""
        self._answers: dict[str, int] = {"": 0}
        self._said = array("Q")
        """Sheet, question and answer, one after the other; answer 0: none of them."""

    # ── one task after the other ──────────────────────────────────────────────────────────────

    def take_task(self, number: int, task: Any) -> None:
        if not isinstance(task, dict):
            self._problems.add(f"task {number}: this is no task, but {shown(repr(task))}; mend it")
            return
        where = f"task {number}" + (f" (id {task['id']!r:.40})" if "id" in task else "")
        annotations = task.get("annotations", task.get("completions"))
        if not isinstance(annotations, list):
            self._problems.add(
                f"{where}: there is no list of annotations; export the project as JSON, with "
                "annotations and not JSON-MIN"
            )
            return
        item = self._item(task)
        if item is None:
            lacks = "no id" if self._field is None else f"no {self._field!r} in its data"
            self._problems.add(f"{where}: {lacks}; name a field of the data that names the item")
            return
        for index, annotation in enumerate(annotations, start=1):
            self._take_annotation(f"{where}, annotation {index}", number, item, annotation)

    def _item(self, task: dict[str, Any]) -> str | None:
        data = task.get("data")
        named = _text(data.get(self._field or OWN_FIELD)) if isinstance(data, dict) else None
        return _text(task.get("id")) if self._field is None and named is None else named

    def _take_annotation(self, where: str, number: int, item: str, annotation: Any) -> None:
        if not isinstance(annotation, dict):
            self._problems.add(f"{where}: this is no annotation; mend it or take it out")
            return
        if annotation.get("was_cancelled") or annotation.get("skipped"):
            self._skipped += 1
            return
        annotator = self._person(annotation.get("completed_by"))
        results = annotation.get("result")
        if annotator is None or not isinstance(results, list):
            lacks = "completed_by: who made it" if annotator is None else "a list as result"
            self._problems.add(f"{where}: it lacks {lacks}; export the project again")
            return
        answers: list[_Said] = []
        comments: list[str] = []
        broken = False
        for index, result in enumerate(results, start=1):
            try:
                self._take_result(result, answers, comments)
            except _StrangeError as error:
                self._problems.add(f"{where}, result {index}: {error}")
                broken = True
        if broken:  # what the rest does not tell is neither a no nor left open
            return
        for answer in answers:
            self._say(len(self._items), *answer)
        self._items.append(item)
        self._annotators.append(annotator)
        self._tasks.append(number)
        seconds = annotation.get("lead_time")
        known = {
            "seconds": repr(seconds) if isinstance(seconds, float) else _text(seconds),
            "submitted": _text(annotation.get("created_at")),
            "comment": "\n".join(comments),
            "assignment": _text(annotation.get("id")),
        }
        for name, texts in self._aside.items():
            texts.append(known[name] or "")

    def _person(self, completed_by: Any) -> str | None:
        """Whoever made an annotation: an address, a name or a number."""
        if not isinstance(completed_by, dict):
            return _text(completed_by)
        names = {key: _text(completed_by.get(key)) for key in ("email", "username", "id")}
        name = next((text for text in names.values() if text), None)
        if name is not None and names["id"] is not None:
            self._people.setdefault(names["id"], name)
        return name

    def _take_result(self, result: Any, taken: list[_Said], comments: list[str]) -> None:
        if not isinstance(result, dict):
            raise _StrangeError("this is no result; mend it or take it out")
        form, value = result.get("type"), result.get("value")
        if form == "relation":
            return
        name = _text(result.get("from_name"))
        if name is None or not isinstance(form, str) or not isinstance(value, dict):
            raise _StrangeError("it lacks from_name, type or value; export the project again")
        if form == "textarea":
            written = value.get("text")
            texts = map(_text, written if isinstance(written, list) else [written])
            comments.extend(text for text in texts if text)
        elif form in ("choices", "taxonomy", "pairwise"):
            taken.append((name, _CHOICES, list(_chosen(form, value))))
        elif form.endswith("labels"):
            taken.append((name, _BOXES, list(_texts(value.get(form)))))
        elif form in ("rating", "number"):
            taken.append((name, _GRADES, [_grade(name, value.get(form))]))
        else:
            self._unread[form] += 1

    def _say(self, sheet: int, name: str, form: str, answers: list[str]) -> None:
        question = self._questions.setdefault((name, form), len(self._questions))
        for answer in answers or [""]:
            number = self._answers.setdefault(answer, len(self._answers))
            self._said.extend((sheet, question, number))

    # ── when all are there ────────────────────────────────────────────────────────────────────

    def finish(self) -> None:
        gathered = self._gathered
        if self._skipped:
            gathered.note(f"{several(self._skipped, 'annotation')} skipped by their annotators")
        if self._unread:
            gathered.note(f"left out results of type {', '.join(sorted(self._unread))}")
        sheets = HandedIn(
            gathered.texts["item"].of(self._items),
            gathered.texts["annotator"].of(
                [self._people.get(name, name) for name in self._annotators]
            ),
            np.array(self._tasks, dtype=np.int64),
        )
        aside = {name: gathered.texts[name].of(texts) for name, texts in self._aside.items()}
        gathered.add(*sheets[:2], 0, 0, sheets.position, aside=aside)
        rows = np.array(self._said, dtype=np.int64).reshape(-1, 3)
        answers = list(self._answers)
        for (name, form), number in self._questions.items():
            sheet, _, answer = rows[rows[:, 1] == number].T
            if form == _CHOICES:
                form = self._form_of_choices(name, sheet, answer)
            if form == _BOXES:
                self._add_boxes(name, sheets, sheet, answer, answers)
            else:
                self._add_answers(name, form, sheets.some(sheet), answer, answers)

    def _form_of_choices(self, name: str, sheet: Ints, answer: Ints) -> str:
        """Boxes, if anybody took several, or was asked and took none; told where few did."""
        answered, times = np.unique(sheet, return_counts=True)
        boxes = int(((times > 1) | np.isin(answered, sheet[answer == 0])).sum())
        if 0 < 2 * boxes < len(answered):
            self._gathered.note(
                f"{shown(name)} has several answers, or none, in {boxes} of {len(answered)} "
                "annotations: read as boxes"
            )
        return _BOXES if boxes else _CHOICES

    def _add_boxes(
        self, name: str, sheets: HandedIn, sheet: Ints, answer: Ints, answers: list[str]
    ) -> None:
        answered, index = np.unique(sheet, return_inverse=True)
        ticked = answer > 0
        boxes, box = np.unique(answer[ticked], return_inverse=True)
        names = [self._gathered.new_concept(name, answers[number]) for number in boxes]
        self._gathered.add_boxes(sheets.some(answered), names, box, index[ticked])

    def _add_answers(
        self, name: str, form: str, sheets: HandedIn, answer: Ints, answers: list[str]
    ) -> None:
        if form == _GRADES:
            self._gathered.kinds[name] = "grade"
        elif not all(fits(answers[number], "yes_no") for number in set(answer.tolist())):
            self._gathered.kinds[name] = "choice"
        texts = self._gathered.texts
        concept = texts["concept"].number(name)
        value = texts["value"].of(answers)[answer]
        self._gathered.add(sheets.item, sheets.annotator, concept, value, sheets.position)


class _StrangeError(Exception):
    """A result that cannot be used; says why and how to mend it."""


def _chosen(form: str, value: dict[str, Any]) -> Iterator[str]:
    if form == "pairwise":
        yield from _texts([value.get("selected")])
    elif form == "choices":
        yield from _texts(value.get("choices"))
    else:
        paths = value.get("taxonomy")
        if not isinstance(paths, list):
            raise _StrangeError("a taxonomy has a list of paths; export the project again")
        for path in paths:
            yield "/".join(_texts(path))


def _texts(value: Any) -> Iterator[str]:
    """A list of names; a name alone is taken as one."""
    for member in value if isinstance(value, list) else [value]:
        text = _text(member)
        if text is None:
            raise _StrangeError(f"{shown(repr(member))} is no answer; mend it")
        yield text


def _grade(name: str, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
        raise _StrangeError(f"{name!r} is {shown(repr(value))}; grades are whole numbers")
    return str(int(value))


def _text(value: Any) -> str | None:
    """A name: text that is not empty, or a whole number."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    # JSON may escape what no text in UTF-8 holds.
    text = str(value).strip().encode("utf-8", errors="replace").decode().replace("\0", "\ufffd")
    return text or None
