"""Filled forms: what is open, what is implied, and that no rule is broken by what is taken."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.assessment.agreement import analyse_agreement
from cranfield.assessment.files import read_votes, write_votes
from cranfield.assessment.jobs import Form
from cranfield.assessment.jobs.filled import FilledForm, HandedIn, votes_of
from cranfield.assessment.votes import Votes
from cranfield.core.truth import Truth
from cranfield.errors import InputError
from cranfield.knowledge import Ontology

PHOTOS = Ontology.load("pto2010")
FORM = Form.of_ontology(PHOTOS)
CHOICES = {block.name: block.concepts for block in FORM.blocks if block.ask == "one"}
BOXES = [name for block in FORM.blocks if block.ask == "any" for name in block.concepts]
FIRST = {name: concepts[0] for name, concepts in CHOICES.items()}


def filled(*boxes: str, **choices: str) -> FilledForm:
    answers = {**FIRST, **choices, **dict.fromkeys(boxes, "yes")}
    return FilledForm.read(FORM, answers, ontology=PHOTOS)


def agreement(votes: Votes) -> dict[str, str]:
    """Coefficients of all questions, NaN included, whatever their order."""
    rows = analyse_agreement(votes).result.tables[0].rows
    return {str(row["question"]): repr(row) for row in rows}


def test_a_box_left_empty_is_a_no_and_a_choice_left_open_is_refused() -> None:
    nothing = FilledForm.read(FORM, {}, ontology=PHOTOS)
    assert nothing.answers == dict.fromkeys(BOXES, "no")
    assert set(nothing.open_questions) == CHOICES.keys()
    with pytest.raises(InputError, match="still open: 'Seasons'"):
        nothing.require_complete()


def test_who_is_not_sure_casts_no_vote() -> None:
    unsure = FilledForm.read(FORM, {}, not_sure=CHOICES, ontology=PHOTOS)
    unsure.require_complete()
    assert not unsure.votes.keys() & CHOICES.keys()
    assert not {"Day", "Night"} & unsure.labels.keys()


def test_what_holds_because_of_others_is_implied() -> None:
    lake = filled("Lake")
    assert lake.implied == ("Water",)
    assert lake.labels["Water"]
    assert lake.votes["Water"] == "yes"
    lake.require_complete()


def test_strange_questions_and_answers_are_refused() -> None:
    with pytest.raises(InputError, match="does not ask for 'Moon'"):
        FilledForm.read(FORM, {"Moon": "yes"})
    with pytest.raises(InputError, match="'Moon' is no answer"):
        FilledForm.read(FORM, {"Seasons": "Moon"})
    with pytest.raises(InputError, match="is no answer"):
        FilledForm.read(FORM, {"Lake": True})


@given(
    st.sets(st.sampled_from(BOXES)),
    st.fixed_dictionaries({name: st.sampled_from(some) for name, some in CHOICES.items()}),
    st.sets(st.sampled_from(sorted(CHOICES))),
)
def test_whatever_is_taken_breaks_no_rule(
    boxes: set[str], choices: dict[str, str], unsure: set[str]
) -> None:
    answers = {**choices, **dict.fromkeys(boxes, "yes")}
    form = FilledForm.read(FORM, answers, not_sure=unsure, ontology=PHOTOS)
    if form.broken_rules:
        with pytest.raises(InputError, match="cannot hold together"):
            form.require_complete()
        return
    form.require_complete()
    concepts = [concept for concept in PHOTOS.concepts if concept in form.labels]
    labels = np.array([[form.labels[concept] for concept in concepts]])
    truth = Truth(labels, items=["photo"], concepts=concepts)
    assert PHOTOS.violations(truth) == []


def test_votes_of_filled_forms_are_those_that_a_file_of_them_has(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    sheets = [
        HandedIn("p1", "Ada", filled("Lake").votes, 12.5, comment="wet"),
        HandedIn("p1", "Bea", filled("Sky", Place="Outdoor").votes, 7.0),
        HandedIn("p2", "Ada", filled().votes),
    ]
    votes = votes_of(FORM.questions, sheets)
    assert len(votes) == 3 * len(FORM.questions)
    path = tmp_path_factory.mktemp("votes") / "votes.csv"
    write_votes(votes, path)
    read = read_votes(path, kinds={question.name: question for question in FORM.questions})
    assert read.items == votes.items
    assert read.annotators == votes.annotators
    assert agreement(read) == agreement(votes)
