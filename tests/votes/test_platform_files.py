"""Votes written as Label Studio and Mechanical Turk export them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from cranfield.assessment.votes import Question, Sheets


def random_votes(seed: int) -> cf.Votes:
    """All kinds of questions, gaps, times and comments."""
    rng = np.random.default_rng(seed)
    questions = [
        Question("Sky"),
        Question.choice("Season", ["Summer", "Winter, late", 'the "other"']),
        Question.grades("Beauty", [1, 2, 3]),
    ]
    shape = (6, 4, len(questions))
    item, annotator, question = np.nonzero(rng.random(shape) < 0.8)
    sizes = np.array([one.size for one in questions])
    sheets = np.unique(item * 4 + annotator)
    return cf.Votes(
        item, annotator, question, rng.integers(99, size=len(item)) % sizes[question],
        items=["p1", "p 2", "<p3>", "p,4", "ü5", "6"], annotators=["ann", "bob", "7", "é"],
        questions=questions,
        sheets=Sheets.of(
            sheets // 4, sheets % 4, np.zeros(len(sheets), dtype=np.int64),
            seconds=np.where(rng.random(len(sheets)) < 0.5, 12.5, np.nan),
            submitted=np.full(len(sheets), np.datetime64("2020-01-02T03:04:05", "s")),
            comments=["so, so\nla la" if n % 3 == 0 else "" for n in range(len(sheets))],
        ),
    )  # fmt: skip


@pytest.mark.parametrize("format", ["label-studio", "mturk"])
@pytest.mark.parametrize("seed", range(4))
def test_what_is_written_reads_back(format: str, seed: int, tmp_path: Path) -> None:
    votes, path = random_votes(seed), tmp_path / "votes.out"
    votes.write(path, format=format)  # type: ignore[arg-type]
    read = cf.Votes.read(path, item="item", format=format)
    names = ["item", "annotator", "question"]
    assert read.frame.sort(names).equals(votes.frame.sort(names))
    assert {q.name: q.kind for q in read.questions} == {q.name: q.kind for q in votes.questions}

    def beside(one: cf.Votes) -> set[tuple[object, ...]]:
        sheets = one.sheets
        return {
            (one.items[i], one.annotators[a], None if np.isnan(s) else s, str(when), comment)
            for i, a, s, when, comment in zip(
                sheets.item, sheets.annotator, sheets.seconds, sheets.submitted, sheets.comments,
                strict=True,
            )
        }  # fmt: skip

    assert beside(read) == beside(votes)


def test_the_files_are_what_the_platforms_make(tmp_path: Path) -> None:
    votes = random_votes(0)
    votes.write(tmp_path / "tasks.json", format="label-studio")
    tasks = json.loads((tmp_path / "tasks.json").read_text())
    assert [task["data"]["item"] for task in tasks] == list(votes.items)
    assert {result["type"] for task in tasks for note in task["annotations"]
            for result in note["result"]} == {"choices", "rating", "textarea"}  # fmt: skip
    votes.write(tmp_path / "batch.csv", format="mturk")
    rows = list(csv.DictReader((tmp_path / "batch.csv").open()))
    assert len(rows) == len(votes.sheets)
    assert len({row["AssignmentId"] for row in rows}) == len(rows)


def test_what_a_platform_cannot_hold_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "votes.out"
    twice = cf.Votes(
        [0, 0], [0, 0], [0, 0], [0, 1],
        items="a", annotators="x", questions=[Question("P")], batch=[0, 1], batches="12",
    )  # fmt: skip
    for platform in ("label-studio", "mturk"):
        with pytest.raises(cf.InputError, match="there are 2 batches"):
            twice.write(path, format=platform)  # type: ignore[arg-type]
    for name, label in (("feedback", "good"), ("tags", "a|b"), ("tags", "[x]"), ("tick", "true")):
        votes = cf.Votes.from_choices("ab", "xy", [label, label], group=name)
        with pytest.raises(cf.InputError, match="which mean something else there"):
            votes.write(path, format="mturk")
    with pytest.raises(cf.InputError, match="choose long, choices, label-studio, mturk"):
        twice.write(path, format="excel")  # type: ignore[arg-type]
    assert not path.exists()
