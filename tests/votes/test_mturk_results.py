"""Results of Mechanical Turk as votes: every form of an answer, every broken line."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import cranfield as cf
from cranfield.assessment.quality.decisions import write_decisions

FIXED = {
    "HITId": "3H1", "HITTypeId": "3T", "Title": "Tag, please", "Keywords": "photo",
    "Reward": "$0.05", "CreationTime": "Thu Apr 18 10:00:00 PDT 2013", "AssignmentId": "3A",
    "WorkerId": "W1", "AssignmentStatus": "Submitted",
    "AcceptTime": "Thu Apr 18 12:15:00 PDT 2013", "SubmitTime": "Thu Apr 18 12:15:31 PDT 2013",
    "WorkTimeInSeconds": "31", "LifetimeApprovalRate": "100% (9/9)",
}  # fmt: skip


def batch(path: Path, *assignments: dict[str, Any], name: str = "Batch_1_results.csv") -> Path:
    """A file as MTurk writes it: every field quoted, inputs and answers behind."""
    keys = list(dict.fromkeys([*FIXED, *(key for one in assignments for key in one)]))
    keys.sort(key=lambda key: (key.startswith("Answer."), key.startswith("Input.")))
    with open(path / name, "w", newline="") as file:
        writer = csv.DictWriter(
            file, [*keys, "Approve", "Reject"], quoting=csv.QUOTE_ALL, restval=""
        )
        writer.writeheader()
        writer.writerows({**FIXED, **one} for one in assignments)
    return path / name


def rows(votes: cf.Votes) -> list[tuple[str, ...]]:
    return sorted(votes.frame.rows())


def answers(path: Path, *assignments: dict[str, str], **options: Any) -> list[tuple[str, str, str]]:
    """Worker, question and value of each vote; worker n handed in the n-th assignment."""
    given = [
        {"WorkerId": str(n), "Input.image": "a", **{f"Answer.{k}": v for k, v in one.items()}}
        for n, one in enumerate(assignments)
    ]
    return [row[1:] for row in rows(cf.Votes.read(batch(path, *given), **options))]


def test_times_comments_and_assignments_come_along(tmp_path: Path) -> None:
    path = batch(
        tmp_path,
        {"Input.image": "a", "Answer.Season": "Summer", "Answer.comment": 'so "dark",\nhere'},
    )
    votes = cf.Votes.read(path)
    assert rows(votes) == [("a", "W1", "Season", "Summer")]
    assert votes.sheets.seconds.tolist() == [31]
    assert str(votes.sheets.submitted[0]) == "2013-04-18T19:15:31"
    assert votes.sheets.comments == ('so "dark",\nhere',)
    assert votes.sheets.assignments == ("3A",)
    assert votes.notes == ()


def test_radio_buttons_of_plain_forms(tmp_path: Path) -> None:
    found = answers(tmp_path, {"Season": "Summer"}, {"Season": "Winter"}, {"Season": ""})
    assert found == [("0", "Season", "Summer"), ("1", "Season", "Winter")]


def test_radio_buttons_with_a_column_each(tmp_path: Path) -> None:
    found = answers(
        tmp_path,
        {"Season.Summer": "true", "Season.Winter": "false"},
        {"Season.Summer": "FALSE", "Season.Winter": "TRUE"},
        {"Season.Summer": "false", "Season.Winter": "false"},
    )
    assert found == [("0", "Season", "Summer"), ("1", "Season", "Winter")]


def test_buttons_that_hold_at_once_are_boxes(tmp_path: Path) -> None:
    found = answers(
        tmp_path,
        {"Sees.Sky": "true", "Sees.Sea": "true"},
        {"Sees.Sky": "true", "Sees.Sea": "false"},
    )
    assert found == [
        ("0", "Sea", "yes"), ("0", "Sky", "yes"), ("1", "Sea", "no"), ("1", "Sky", "yes")
    ]  # fmt: skip


def test_boxes_that_say_false_and_boxes_that_say_nothing(tmp_path: Path) -> None:
    explicit = answers(tmp_path, {"Sky.on": "true"}, {"Sky.on": "false"}, {"Sky.on": ""})
    assert explicit == [("0", "Sky", "yes"), ("1", "Sky", "no")]
    silent = [("0", "Sky", "yes"), ("1", "Sky", "no")]
    assert answers(tmp_path, {"Sky": "on"}, {"Sky": ""}) == silent
    assert answers(tmp_path, {"Sky.on": "on"}, {"Sky.on": ""}) == silent


@pytest.mark.parametrize(
    ("name", "two", "one"),
    [("tags", "Sky|Sea", "Sky"), ("tags.labels", '["Sky","Sea"]', '["Sky"]')],
)
def test_several_ticks_in_one_field(tmp_path: Path, name: str, two: str, one: str) -> None:
    found = answers(tmp_path, {name: two}, {name: one}, {name: ""})
    assert found == [
        ("0", "Sea", "yes"), ("0", "Sky", "yes"), ("1", "Sea", "no"), ("1", "Sky", "yes")
    ]  # fmt: skip


def test_classifiers_grades_and_words_for_yes(tmp_path: Path) -> None:
    found = answers(tmp_path, {"category.label": "Dog", "beauty": "4", "sharp": "yes"})
    assert found == [("0", "beauty", "4"), ("0", "category", "Dog"), ("0", "sharp", "yes")]


def test_answers_in_json(tmp_path: Path) -> None:
    said = [{"Sky": {"on": True}, "Season": {"Summer": False, "Winter": True}, "beauty": "4"}]
    more = [{"Sky": {"on": False}, "Season": {"Summer": True, "Winter": False}, "note": None}]
    found = answers(tmp_path, {"taskAnswers": json.dumps(said)}, {"taskAnswers": json.dumps(more)})
    assert found == [
        ("0", "Season", "Winter"), ("0", "Sky", "yes"), ("0", "beauty", "4"),
        ("1", "Season", "Summer"), ("1", "Sky", "no"),
    ]  # fmt: skip


def test_a_box_stays_a_box_whatever_slips_in(tmp_path: Path) -> None:
    given = [{"Sky.on": "true"}, {"Sky.on": "false"}, {"Sky.on": "ture"}]
    with pytest.raises(cf.FileError, match=r"assignment 3: Answer.Sky.on is 'ture', but it is a b"):
        answers(tmp_path, *given)
    assert answers(tmp_path, *given, keep_going=True) == [("0", "Sky", "yes"), ("1", "Sky", "no")]


def test_what_people_wrote_is_a_comment_and_nobody_must_write(tmp_path: Path) -> None:
    given = [
        {"Season": "Summer", "why": ""},
        {"Season": "Summer", "why": "leaves are green", "comment": "nice"},
        {"Season": "Winter", "why": ""},
    ]
    path = batch(
        tmp_path,
        *(
            {"WorkerId": str(n), "Input.image": "a", **{f"Answer.{k}": v for k, v in one.items()}}
            for n, one in enumerate(given)
        ),
    )
    votes = cf.Votes.read(path)
    assert [question.name for question in votes.questions] == ["Season"]
    assert votes.sheets.comments == ("", "nice\nleaves are green", "")
    assert "'why' is read as a comment" in votes.notes[0]
    assert votes.quality().rejected == {"unanswered": {}}
    insisted = cf.Votes.read(path, kinds={"why": "choice"})
    assert insisted.ballot("why").question.answers == ("leaves are green",)
    ignoring = cf.Votes.read(path, ignore=["why", "comment"])
    assert (ignoring.notes, ignoring.sheets.comments) == ((), ("", "", ""))
    with pytest.raises(cf.InputError, match="there is no question 'what' to ignore"):
        cf.Votes.read(path, ignore=["what"])


def test_many_texts_that_nobody_gave_twice_are_no_choice(tmp_path: Path) -> None:
    words = answers(tmp_path, *({"sharp": "yes", "word": f"w{n}"} for n in range(30)))
    assert {row[1] for row in words} == {"sharp"}
    labels = answers(tmp_path, *({"kind": f"kind{n % 6}"} for n in range(30)))
    assert {row[1] for row in labels} == {"kind"}


def test_an_input_field_names_the_item(tmp_path: Path) -> None:
    path = batch(tmp_path, {"Input.image": "a", "Input.place": "b", "Answer.s": "x"})
    votes = cf.Votes.read(path)
    assert votes.items == ("a",)
    assert "items are named by Input.image; there are place too" in votes.notes[0]
    assert cf.Votes.read(path, item="place").items == ("b",)
    assert cf.Votes.read(path, item="HITId").items == ("3H1",)
    with pytest.raises(cf.FileError, match="no column 'photo' that names items"):
        cf.Votes.read(path, item="photo")
    assert cf.Votes.read(batch(tmp_path, {"Answer.s": "x"})).items == ("3H1",)


def test_rejected_assignments_are_left_out_unless_asked_for(tmp_path: Path) -> None:
    path = batch(
        tmp_path,
        {"Input.i": "a", "Answer.s": "x", "AssignmentStatus": "Approved"},
        {"Input.i": "a", "Answer.s": "y", "AssignmentStatus": "Rejected", "WorkerId": "W2"},
    )
    votes = cf.Votes.read(path)
    assert votes.annotators == ("W1",)
    assert "left out 1 assignment that had been rejected" in votes.notes[0]
    assert cf.Votes.read(path, rejected=True).annotators == ("W1", "W2")


def test_a_half_broken_batch_is_told_record_by_record_and_the_rest_is_used(
    tmp_path: Path,
) -> None:
    good = {"Input.image": "a", "Answer.s": "x", "Answer.comment": "two\nlines"}
    path = batch(
        tmp_path,
        good,
        {**good, "WorkerId": ""},
        {**good, "WorkerId": "W3", "Input.image": ""},
        {**good, "WorkerId": "W4", "WorkTimeInSeconds": "soon"},
        {**good, "Answer.s": "y"},
        {**good, "WorkerId": "W6", "Answer.taskAnswers": "[{"},
    )
    lines = path.read_text().splitlines(keepends=True)
    lines.insert(3, '"3H1","cut off"\n')
    path.write_text("".join(lines))
    with pytest.raises(cf.InputError) as raised:
        cf.Votes.read(path)
    told = [line.removeprefix(f"{path}:").split(";")[0] for line in str(raised.value).splitlines()]
    assert told[1:] == [
        "4: the line has 2 fields",
        "5: assignment 3: the WorkerId is missing",
        "7: assignment 4: the item is missing",
        "9: seconds is 'soon'",
        "11: 'W1' on item 'a', 's' is 'y' here and 'x' on line 2",
        "13: assignment 7: Answer.taskAnswers is no JSON of answers: '[{'",
    ]
    votes = cf.Votes.read(path, keep_going=True)
    assert rows(votes) == [("a", "W1", "s", "x"), ("a", "W4", "s", "x")]
    assert len(votes.problems) == 6


@pytest.mark.parametrize("broken", ["[{broken", "5", "[5]", '"Sky"', "null"])
def test_an_assignment_of_broken_answers_is_neither_a_no_nor_rejected(
    tmp_path: Path, broken: str
) -> None:
    sound = json.dumps([{"Sky": {"on": True}, "Season": {"Summer": True, "Winter": False}}])
    path = batch(
        tmp_path,
        *(
            {
                "WorkerId": f"W{n}",
                "AssignmentId": f"A{n}",
                "Input.i": "a",
                "Answer.taskAnswers": one,
            }
            for n, one in enumerate([sound, broken, "[{}]"])
        ),
    )
    votes = cf.Votes.read(path, keep_going=True, absent="no")
    assert [error.line for error in votes.problems] == [3]
    assert votes.annotators == ("W0", "W2")
    decided = write_decisions(votes.quality(), tmp_path / "up.csv", results=path)
    assert decided == (1, 1, 1)  # who left the season open is told so, not whose record is broken


def test_a_broken_list_of_ticks_is_no_tick(tmp_path: Path) -> None:
    given = ['["Sky","Sea"]', "[broken", "[]", '["Sky"]']
    found = answers(tmp_path, *({"tags.labels": one} for one in given), keep_going=True)
    assert {row[0] for row in found} == {"0", "2", "3"}
    assert {row[1] for row in found} == {"Sky", "Sea"}


def test_an_assignment_with_an_answer_of_another_kind_is_left_out_whole(tmp_path: Path) -> None:
    given = [{"Sky": "1", "Sea": "1"}, {"Sky": "perhaps", "Sea": "0"}]
    with pytest.raises(cf.FileError, match="is 'perhaps', but it is a yes/no question"):
        answers(tmp_path, *given, kinds={"Sky": "yes_no"})
    found = answers(tmp_path, *given, kinds={"Sky": "yes_no"}, absent="no", keep_going=True)
    assert found == [("0", "Sea", "yes"), ("0", "Sky", "yes")]


def test_batches_read_together_are_told_apart(tmp_path: Path) -> None:
    files = [
        batch(tmp_path, {"Input.i": "a", "Answer.s": said}, name=f"Batch_{n}_results.csv")
        for n, said in enumerate("xy")
    ]
    votes = cf.Votes.read(*files)
    assert votes.batches == ("Batch_0_results", "Batch_1_results")
    assert votes.ballot("s").counts.tolist() == [[1, 1]]
