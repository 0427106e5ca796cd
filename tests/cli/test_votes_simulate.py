"""`cranfield votes simulate`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from typer.testing import Result

import cranfield as cf
from cranfield.studies.annotators import Crew, simulated_votes

Cranfield = Callable[..., Result]


def test_votes_are_those_of_the_library(folder: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    votes, people = tmp_path / "votes.csv", tmp_path / "people.csv"
    done = cranfield(
        "votes", "simulate", folder, "-o", votes, "--crews", people,
        "--crew", "ann=2", "--crew", "crowd=5/3,slips=0.1,careless=0.2", "--seed", 7,
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    crews = [Crew("ann", 2), Crew("crowd", 5, per_item=3, slips=0.1, careless=0.2)]
    expected = simulated_votes(cf.read_collection(folder).truth, crews, seed=7)
    read = cf.Votes.read(votes)
    assert read.agreement("fleiss") == expected.agreement("fleiss")
    assert len(read) == len(expected)
    assert people.read_text().splitlines()[:2] == ["annotator,group", "ann1,ann"]


def test_crews_that_make_no_sense_are_refused(
    folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    for crew in ("ann", "ann=x", "ann=2/3", "ann=2,skill=1", "=3", "ann=2,careless=2"):
        done = cranfield("votes", "simulate", folder, "-o", tmp_path / "v.csv", "--crew", crew)
        assert done.exit_code == 2, crew
    assert not (tmp_path / "v.csv").exists()


def test_votes_are_written_as_a_table_only(
    folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    done = cranfield("votes", "simulate", folder, "-o", tmp_path / "votes.json")
    assert done.exit_code == 2
    assert not (tmp_path / "votes.json").exists()
