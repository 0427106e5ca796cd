"""`cranfield ontology close`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import cranfield as cf

Cranfield = Callable[..., Result]

HIERARCHY = "child,parent\nplants,\ntrees,plants\noaks,trees\n"
TRUTH = "item,concept,value\nx,oaks,1\ny,plants,0\nz,trees,0\nz,oaks,1\n"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "plants.csv").write_text(HIERARCHY)
    (tmp_path / "truth.csv").write_text(TRUTH)
    return tmp_path


def test_what_follows_is_resolved_and_written(place: Path, cranfield: Cranfield) -> None:
    out = place / "closed.csv"
    said = cranfield("ontology", "close", place / "plants.csv", place / "truth.csv", "-o", out)
    assert said.exit_code == 0, said.stderr
    assert f"wrote {out}" in said.stderr
    closed = cf.read_truth(out)
    row = {name: closed.items.index(name) for name in "xyz"}
    at = {name: closed.concepts.index(name) for name in ("plants", "trees", "oaks")}
    states = {(i, c): int(closed.states[row[i], at[c]]) for i in row for c in at}
    assert [states["x", c] for c in at] == [1, 1, 1]
    assert [states["y", c] for c in at] == [0, 0, 0]
    assert [states["z", c] for c in at] == [-1, 0, 1]
    lines = [line.split() for line in said.stdout.splitlines()]
    assert ["all", "2", "2"] in lines
    assert "1 cell still unjudged" in said.stdout
    assert "2 contradictions, left as they were" in said.stdout
    assert [
        "z",
        "trees",
        "judged",
        "negative,",
        "but",
        "oaks",
        "is",
        "positive;",
        "oaks",
        "needs",
        "trees",
    ] in lines


def test_json_holds_counts_and_every_contradiction(place: Path, cranfield: Cranfield) -> None:
    said = cranfield("ontology", "close", place / "plants.csv", place / "truth.csv", "--json")
    assert said.exit_code == 0, said.stderr
    read = json.loads(said.stdout)
    assert read["resolved"]["hierarchy"] == {"positive": 2, "negative": 2}
    assert (read["positive"], read["negative"], read["unjudged"]) == (2, 2, 1)
    found = {(one["item"], one["concept"]): one["judged"] for one in read["contradictions"]}
    assert found == {("z", "trees"): False, ("z", "oaks"): True}


def test_required_groups_speak_on_request(tmp_path: Path, cranfield: Cranfield) -> None:
    path = tmp_path / "truth.csv"
    path.write_text("item,concept,value\nx,Indoor,0\nx,No_Visual_Place,0\ny,Outdoor,1\n")
    said = cranfield("ontology", "close", "pto2009", path, "--json")
    assert json.loads(said.stdout)["positive"] == 0
    said = cranfield("ontology", "close", "pto2009", path, "--json", "--required")
    assert json.loads(said.stdout)["resolved"]["required"] == {"positive": 1, "negative": 0}


def test_a_truth_without_gaps_says_so(place: Path, cranfield: Cranfield) -> None:
    (place / "full.csv").write_text("item,plants,trees\nx,1,1\n")
    said = cranfield("ontology", "close", place / "plants.csv", place / "full.csv")
    assert "every cell was judged" in said.stdout


def test_a_format_that_cannot_hold_gaps_is_refused_unless_losses_are_fine(
    place: Path, cranfield: Cranfield
) -> None:
    out = place / "closed.txt"
    words = ("ontology", "close", place / "plants.csv", place / "truth.csv", "-o", out)
    said = cranfield(*words)
    assert said.exit_code == 1
    assert "would lose 1 unjudged cell" in said.stderr
    assert "give --lossy" in said.stderr
    assert not out.exists()
    said = cranfield(*words, "--lossy")
    assert said.exit_code == 0, said.stderr
    assert "lost" in said.stderr
    assert out.exists()


def test_bad_truths_are_said_with_their_file(place: Path, cranfield: Cranfield) -> None:
    (place / "cats.csv").write_text("item,cat\nx,1\n")
    said = cranfield("ontology", "close", place / "plants.csv", place / "cats.csv")
    assert said.exit_code == 1
    assert "cats.csv: 1 concept that plants does not know: 'cat'" in said.stderr
    said = cranfield("ontology", "close", place / "none.csv", place / "cats.csv")
    assert said.exit_code == 1


def test_an_ending_that_says_no_format_is_wrong_usage(place: Path, cranfield: Cranfield) -> None:
    words = ("ontology", "close", place / "plants.csv", place / "truth.csv")
    said = cranfield(*words, "-o", place / "out.foo")
    assert (said.exit_code, said.stdout) == (2, "")
    assert "says no format" in said.stderr
