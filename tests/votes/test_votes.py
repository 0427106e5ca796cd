"""Votes: what annotators answered."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield as cf
from cranfield.assessment.votes import Question, groups_of


@pytest.fixture
def votes() -> cf.Votes:
    return cf.Votes.from_columns(
        item=["i1", "i1", "i2", "i2", "i1"],
        annotator=["ann", "bob", "ann", "bob", "ann"],
        concept=["Sky", "Sky", "Sky", "Sky", "Season"],
        value=[1, 0, "yes", None, "Summer"],
    )


def test_values_tell_the_kind_of_a_question() -> None:
    votes = cf.Votes.from_columns(
        list("aaaa"), list("xxxx"), ["yes?", "how far?", "which?", "bool"], [0, 3, "red", True]
    )
    assert [q.kind for q in votes.questions] == ["yes_no", "grade", "choice", "yes_no"]


def test_no_answer_is_no_vote(votes: cf.Votes) -> None:
    assert len(votes) == 4
    assert votes.ballot("Sky").counts.tolist() == [[1, 1], [0, 1]]
    assert votes.ballot("Sky").table.tolist() == [[1, 0], [1, -1]]


def test_the_order_of_rows_does_not_matter() -> None:
    rng = np.random.default_rng(0)
    rows = [(i, a, c, int(rng.integers(2))) for i in "abc" for a in "xyz" for c in "PQ"]
    one = cf.Votes.from_columns(*zip(*rows, strict=True))
    other = cf.Votes.from_columns(*zip(*(rows[k] for k in rng.permutation(18)), strict=True))
    names = ["item", "annotator", "question"]
    assert one.frame.sort(names).equals(other.frame.sort(names))


def test_a_vote_cast_twice_is_refused_unless_in_another_batch() -> None:
    with pytest.raises(cf.InputError, match="1 vote cast twice: 'x' on item 'a', 'P'"):
        cf.Votes.from_columns("aa", "xx", "PP", [0, 1])
    again = cf.Votes(
        [0, 0], [0, 0], [0, 0], [0, 1],
        items="a", annotators="x", questions=[Question("P")], batch=[0, 1], batches="12",
    )  # fmt: skip
    assert again.ballot("P").counts.tolist() == [[1, 1]]
    assert len(again.sheets) == 2


def test_votes_of_some(votes: cf.Votes) -> None:
    bob = votes.only(annotators=["bob"])
    assert (bob.annotators, len(bob), bob.items) == (("bob",), 1, ("i1", "i2"))
    assert votes.only(questions=["Season"]).concepts == ("Summer",)
    with pytest.raises(cf.InputError, match="1 annotator that nobody voted with: 'eve'"):
        votes.only(annotators=["eve"])


def test_an_array_holds_votes_where_it_holds_zero_or_one() -> None:
    votes = cf.Votes.from_array([[[1, np.nan]], [[-1, 0]]], concepts=["P", "Q"])
    assert votes.frame.rows() == [("0", "0", "P", "yes"), ("1", "0", "Q", "no")]
    with pytest.raises(cf.InputError, match="votes must be 0 or 1"):
        cf.Votes.from_array([[[2]]])


def test_labels_that_several_questions_offer_are_called_by_their_question() -> None:
    votes = cf.Votes.from_columns("aa", "xx", ["colour", "mood"], ["blue", "blue"])
    assert votes.concepts == ("colour: blue", "mood: blue")


def test_disjoint_concepts_become_one_choice() -> None:
    votes = cf.Votes.from_columns(
        ["i"] * 9,
        ["ann"] * 3 + ["bob"] * 3 + ["eve"] * 3,
        ["Day", "Night", "Sky"] * 3,
        [1, 0, 1, 1, 1, 0, 0, 0, 0],
    )
    grouped, unclear = votes.grouped({"Time": ["Day", "Night"]})
    assert grouped.frame.rows() == [
        ("i", "ann", "Sky", "yes"),
        ("i", "bob", "Sky", "no"),
        ("i", "eve", "Sky", "no"),
        ("i", "ann", "Time", "Day"),
    ]
    assert [(one.annotator, one.chosen) for one in unclear] == [
        ("bob", ("Day", "Night")),
        ("eve", ()),
    ]
    with pytest.raises(cf.InputError, match="nobody was asked about 'Dusk'"):
        votes.grouped({"Time": ["Day", "Dusk"]})


def test_groups_of_the_photo_tagging_ontology() -> None:
    groups = groups_of(cf.Ontology.load("pto2009"))
    assert {name: len(members) for name, members in groups.items()} == {
        "Seasons": 5, "Place": 3, "TimeOfDay": 3, "Illumination": 3, "Blurring": 4, "Persons": 4,
    }  # fmt: skip
