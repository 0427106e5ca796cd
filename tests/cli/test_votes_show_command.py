"""`cranfield votes show`: what is in files of votes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import cranfield as cf

Cranfield = Callable[..., Result]


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    path = tmp_path / "votes.csv"
    path.write_text(
        "item,annotator,concept,value\na,ann,Day,1\na,ann,Night,0\na,bob,Day,1\na,bob,Night,1\n"
    )
    return path


def test_it_tells_what_was_asked_and_by_whom_it_was_answered(
    votes: Path, cranfield: Cranfield
) -> None:
    said = cranfield("votes", "show", votes)
    assert said.exit_code == 0, said.stderr
    assert "4 votes of 2 annotators on 1 item, 2 questions" in said.stdout
    content = json.loads(cranfield("votes", "show", votes, "--json").stdout)
    assert content["by_question"][0] == {
        "question": "Day",
        "kind": "yes_no",
        "items": 1,
        "votes": 2,
        "answers": {"no": 0, "yes": 2},
    }
    assert [one["votes"] for one in content["by_annotator"]] == [2, 2]


def test_groups_become_choices_and_what_is_unclear_is_told(
    votes: Path, cranfield: Cranfield
) -> None:
    said = cranfield("votes", "show", votes, "--group", "Time=Day,Night", "--json")
    assert json.loads(said.stdout)["by_question"][0]["answers"] == {"Day": 1, "Night": 0}
    assert "'bob' on item 'a' chose Day and Night of 'Time': no vote" in said.stderr
    assert cranfield("votes", "show", votes, "--group", "Time").exit_code == 2


def test_what_is_wrong_is_an_error_or_told_if_it_may_be_left_out(
    votes: Path, cranfield: Cranfield, tmp_path: Path
) -> None:
    votes.write_text(votes.read_text() + "a,ann,Day,0\nb,,Day,1\n")
    said = cranfield("votes", "show", votes)
    assert said.exit_code == 1
    assert "give --keep-going to use what is sound" in said.stderr
    assert f"{votes}:7: the annotator is missing; fill it in" in said.stderr
    again = tmp_path / "sound.csv"
    kept = cranfield("votes", "show", votes, "--keep-going", "-o", again)
    assert kept.exit_code == 0
    assert f"{votes}:6: 'ann' on item 'a', 'Day' is '0' here and '1' on line 2" in kept.stderr
    assert len(cf.Votes.read(again)) == 4


@pytest.mark.parametrize("ending", ["json", "parquet", "xlsx", "json.gz"])
def test_votes_are_not_written_under_the_name_of_another_format(
    votes: Path, tmp_path: Path, cranfield: Cranfield, ending: str
) -> None:
    path = tmp_path / f"out.{ending}"
    commands = (("show", votes, "-o"), ("quality", votes, "--accepted"))
    for command in commands:
        done = cranfield("votes", *command, path)
        assert done.exit_code == 2
        assert "use .csv, .tsv, .txt" in done.stderr
        assert not path.exists()
    assert cranfield("votes", "show", votes, "-o", tmp_path / "out.tsv.gz").exit_code == 0


def test_kinds_can_be_insisted_on_and_questions_ignored(votes: Path, cranfield: Cranfield) -> None:
    said = cranfield("votes", "show", votes, "--kind", "Day=choice", "--ignore", "Night", "--json")
    assert said.exit_code == 0, said.stderr
    (day,) = json.loads(said.stdout)["by_question"]
    assert (day["kind"], day["answers"]) == ("choice", {"1": 2})
    assert cranfield("votes", "show", votes, "--kind", "Day=colour").exit_code == 2
    for option in (("--kind", "Dusk=choice"), ("--ignore", "Dusk")):
        unknown = cranfield("votes", "show", votes, *option)
        assert unknown.exit_code == 1
        assert "there is no question 'Dusk'" in unknown.stderr


@pytest.mark.parametrize("form", ["label-studio", "mturk"])
def test_votes_are_written_as_platforms_do(
    votes: Path, tmp_path: Path, cranfield: Cranfield, form: str
) -> None:
    path = tmp_path / "exported"
    said = cranfield("votes", "show", votes, "--as", form, "-o", path)
    assert said.exit_code == 0, said.stderr
    read = cf.Votes.read(path, item="item")
    assert read.frame.equals(cf.Votes.read(votes).frame)
    assert cranfield("votes", "show", votes, "--as", form).exit_code == 2
