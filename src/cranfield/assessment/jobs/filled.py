"""Filled forms: the answers of somebody about an item, checked by the form and by the ontology.

A box that is left empty is a no. Who is not sure of a question casts no vote on it. A label that
the answers imply, such as Water where there is a Lake, is set and named as implied. What breaks a
rule is refused with the rule in words; so is a choice that nobody made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from cranfield.assessment.jobs.forms import Form
from cranfield.assessment.votes import Question, Sheets, Votes
from cranfield.assessment.votes.questions import YES_NO
from cranfield.caching import cached_property
from cranfield.core.truth import State, Truth
from cranfield.errors import InputError, first_ten
from cranfield.knowledge import Ontology

NO, YES = YES_NO


@dataclass(frozen=True)
class FilledForm:
    """Answers to a form.

    answers   by question: yes or no, or the concept of a choice; of boxes, no may be left out
    not_sure  questions that its annotator left open on purpose
    """

    form: Form
    answers: Mapping[str, str]
    not_sure: frozenset[str] = frozenset()
    ontology: Ontology | None = None

    @classmethod
    def read(
        cls,
        form: Form,
        answers: Mapping[str, Any],
        *,
        not_sure: Iterable[str] = (),
        ontology: Ontology | None = None,
    ) -> FilledForm:
        """Answers as somebody sent them; InputError where the form has no such answer."""
        questions = {question.name: question for question in form.questions}
        unsure = frozenset(not_sure)
        strange = [name for name in (*answers, *unsure) if name not in questions]
        if strange:
            raise InputError(f"the form does not ask for {first_ten(strange)}")
        for name, answer in answers.items():
            if answer not in questions[name].answers:
                raise InputError(
                    f"{form.title_of(name)}: {answer!r} is no answer; "
                    f"choose {first_ten(questions[name].answers)}"
                )
        boxes = (name for block in form.blocks if block.ask == "any" for name in block.concepts)
        complete = {**dict.fromkeys(boxes, NO), **answers}
        given = {name: answer for name, answer in complete.items() if name not in unsure}
        return cls(form, given, unsure, ontology)

    @cached_property
    def open_questions(self) -> tuple[str, ...]:
        """Questions without an answer of somebody who did not say that they are not sure."""
        answered = self.answers.keys() | self.not_sure
        return tuple(q.name for q in self.form.questions if q.name not in answered)

    @cached_property
    def _judged(self) -> dict[str, bool]:
        """What the answers say of each concept."""
        judged: dict[str, bool] = {}
        for question in self.form.questions:
            answer = self.answers.get(question.name)
            if answer is not None and question.kind == "choice":
                judged |= {concept: concept == answer for concept in question.answers}
            elif answer is not None:
                judged[question.name] = answer == YES
        return judged

    @cached_property
    def implied(self) -> tuple[str, ...]:
        """Concepts that hold because others do, though nobody said so."""
        if self.ontology is None:
            return ()
        positive = {concept for concept, holds in self._judged.items() if holds}
        holds = np.array([[concept in positive for concept in self.ontology.concepts]])
        truth = Truth(holds, judged=holds, items=["item"], concepts=self.ontology.concepts)
        closed = self.ontology.close(truth).truth.states[0] == State.POSITIVE
        return tuple(
            concept
            for concept, is_positive in zip(self.ontology.concepts, closed, strict=True)
            if is_positive and concept not in positive
        )

    @cached_property
    def labels(self) -> dict[str, bool]:
        """Whether each concept holds, implied ones included; what nobody is sure of is not here."""
        asked = set(self.form.concepts)
        return self._judged | {concept: True for concept in self.implied if concept in asked}

    @cached_property
    def broken_rules(self) -> tuple[str, ...]:
        """Rules of the ontology that the labels break, in words."""
        if self.ontology is None:
            return ()
        labels = {**self.labels, **dict.fromkeys(self.implied, True)}
        concepts = [concept for concept in self.ontology.concepts if concept in labels]
        cells = np.array([[labels[concept] for concept in concepts]])
        truth = Truth(cells, items=["item"], concepts=concepts)
        return tuple(str(violation.rule) for violation in self.ontology.violations(truth))

    def require_complete(self) -> None:
        """Refuse what is open, and what breaks rules."""
        if self.open_questions:
            titles = first_ten([self.form.title_of(name) for name in self.open_questions])
            raise InputError(
                f"still open: {titles}; choose an answer, or say that you are not sure"
            )
        if self.broken_rules:
            raise InputError(f"these labels cannot hold together: {'; '.join(self.broken_rules)}")

    @cached_property
    def votes(self) -> dict[str, str]:
        """The answer to each question that was answered; a box that is implied is a yes."""
        boxes = {
            name for block in self.form.blocks if block.ask == "any" for name in block.concepts
        }
        implied = {concept: YES for concept in self.implied if concept in boxes - self.not_sure}
        return {**self.answers, **implied}


@dataclass(frozen=True)
class HandedIn:
    """Votes of an annotator on an item, with when they came and how long they took."""

    item: str
    annotator: str
    votes: Mapping[str, str]
    seconds: float = np.nan
    submitted: datetime | None = None
    comment: str = ""
    batch: str = "1"


def votes_of(questions: Sequence[Question], sheets: Sequence[HandedIn]) -> Votes:
    """Votes of everybody, as `read_votes` has them from a file."""
    items, annotators, batches = (
        list(dict.fromkeys(getattr(sheet, name) for sheet in sheets))
        for name in ("item", "annotator", "batch")
    )
    of_item, of_annotator, of_batch = (
        {name: at for at, name in enumerate(names)} for names in (items, annotators, batches)
    )
    rows = [
        (
            of_item[sheet.item],
            of_annotator[sheet.annotator],
            of_batch[sheet.batch],
            position,
            question.answers.index(sheet.votes[question.name]),
        )
        for sheet in sheets
        for position, question in enumerate(questions)
        if question.name in sheet.votes
    ]
    item, annotator, batch, question, answer = np.array(rows, dtype=np.int64).reshape(-1, 5).T
    places = [
        np.array([of[getattr(sheet, name)] for sheet in sheets], dtype=np.int64)
        for name, of in (("item", of_item), ("annotator", of_annotator), ("batch", of_batch))
    ]
    submitted = [
        sheet.submitted.replace(tzinfo=None) if sheet.submitted else "NaT" for sheet in sheets
    ]
    return Votes(
        item,
        annotator,
        question,
        answer,
        items=items,
        annotators=annotators,
        questions=questions,
        batch=batch,
        batches=batches or ["1"],
        sheets=Sheets.of(
            *places,
            seconds=np.array([sheet.seconds for sheet in sheets], dtype=np.float64),
            submitted=np.array(submitted, dtype="datetime64[s]"),
            comments=[sheet.comment for sheet in sheets],
        ),
    )
