"""`cranfield votes report`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import cranfield as cf
from cranfield.assessment.agreement import analyse_agreement
from cranfield.assessment.files import read_votes
from cranfield.studies.annotators import Crew, simulated_votes

Cranfield = Callable[..., Result]


@pytest.fixture(scope="module")
def votes(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("votes") / "votes.csv"
    simulated_votes(cf.read_collection(folder).truth, [Crew("ann", 3)]).write(path)
    return path


def headings(page: Path) -> list[str]:
    return re.findall(r"<h2[^>]*>([^<]*)", page.read_text())


def test_a_page_has_a_section_for_each_question(
    votes: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    page = tmp_path / "page.html"
    done = cranfield("votes", "report", votes, "--html", page, "--title", "Our crowd")
    assert done.exit_code == 0, done.stderr
    assert headings(page) == [
        *("Votes", "Agreement of annotators", "Quality of annotators", "Merged votes"),
    ]
    assert "<h1>Our crowd</h1>" in page.read_text()


def test_runs_add_what_annotators_do_to_their_ranking(
    votes: Path, folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    page = tmp_path / "page.html"
    concepts = ("--concepts", folder / "concepts.txt")
    done = cranfield("votes", "report", votes, "--run", folder / "runs", *concepts, "--html", page)
    assert done.exit_code == 0, done.stderr
    assert headings(page)[-1] == "Effect of annotators on rankings"


def test_json_holds_what_the_single_commands_say(votes: Path, cranfield: Cranfield) -> None:
    done = cranfield("votes", "report", votes, "--json")
    facts = json.loads(done.stdout)
    assert list(facts) == ["votes", "agreement", "quality", "merging"]
    agreed = analyse_agreement(read_votes(votes), intervals=True)
    assert facts["agreement"] == json.loads(agreed.to_json())


def test_the_order_of_concepts_means_nothing_without_runs(
    votes: Path, folder: Path, cranfield: Cranfield
) -> None:
    done = cranfield("votes", "report", votes, "--concepts", folder / "concepts.txt")
    assert done.exit_code == 2
    assert "--run" in done.stderr
