"""`cranfield evaluate --explain`: how the score of an item comes about, in every form."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import cranfield as cf
from cranfield.show import vega

Cranfield = Callable[..., Result]


@pytest.fixture
def scene(tmp_path: Path) -> tuple[Path, Path]:
    """A truth and a run: Clouds without Sky, River for Lake."""
    truth, run = tmp_path / "truth.csv", tmp_path / "run.csv"
    truth.write_text("item,Sky,Clouds,Water,Lake,River\na,1,0,1,1,0\nb,0,0,0,0,0\n")
    run.write_text("item,Sky,Clouds,Water,Lake,River\na,0.2,0.9,0.8,0.1,0.7\nb,0,0,0,0,0\n")
    return truth, run


def lines(said: Result) -> list[str]:
    assert said.exit_code == 0, said.stderr
    return [" ".join(line.split()) for line in said.stdout.splitlines()]


# --- on the screen ---


def test_os_tells_matches_rules_and_the_sum(scene: tuple[Path, Path], cranfield: Cranfield) -> None:
    words = ("-m", "OS", "--ontology", "pto2009", "--item", "a")
    shown = lines(cranfield("explain", *scene, *words))
    for line in (
        "a: OS of run = 0.7571",
        "true Sky, Water, Lake",
        "assigned Clouds, Water, River",
        "Water right Water 0.0000",
        "Clouds false breaks a rule: Clouds needs Sky 1.0000",
        "River false Water 0.0714",
        "Sky missed Clouds 0.0714",
        "Lake missed Water 0.0714",
        "union of both sets: 5 labels",
        "lost = 1 + 0.0714 + 0.0714 + 0.0714 = 1.2143",
        "score = 1 − 1.2143 / 5 = 0.7571",
    ):
        assert line in shown


def test_agreement_is_shown_where_it_counts(
    scene: tuple[Path, Path], tmp_path: Path, cranfield: Cranfield
) -> None:
    agreement = tmp_path / "agreement.csv"
    agreement.write_text("concept,value\nSky,1\nClouds,1\nWater,0.5\nLake,1\nRiver,1\n")
    words = ("-m", "OS", "--ontology", "pto2009", "--agreement", agreement, "--item", "a")
    shown = lines(cranfield("explain", *scene, *words))
    assert "River false Water 0.0714 0.5000 0.0357" in shown
    assert "label matched with cost agreement counts" in shown


def test_several_items_and_measures_are_told_one_below_the_other(
    scene: tuple[Path, Path], cranfield: Cranfield
) -> None:
    words = ("-m", "HS", "-m", "example.F", "--ontology", "pto2009")
    shown = lines(cranfield("explain", *scene, *words, "--item", "b", "--item", "a"))
    titles = [line for line in shown if " of run = " in line]
    assert [title.partition(" = ")[0] for title in titles] == [
        "b: HS of run",
        "b: example.F of run",
        "a: HS of run",
        "a: example.F of run",
    ]
    assert "no label is true and none was assigned" in shown
    assert "1 hit, 2 false, 2 missed" in shown


def test_without_a_measure_those_that_score_items_are_told(
    scene: tuple[Path, Path], cranfield: Cranfield
) -> None:
    shown = lines(cranfield("explain", *scene, "--item", "a"))
    titles = [line for line in shown if line.startswith("a: ")]
    assert [title.split()[1] for title in titles] == [
        "example.F",
        "example.AP",
        "example.ranking_loss",
    ]
    assert "Water 2 0.8" in shown


def test_measures_of_concepts_say_that_items_have_no_score(
    scene: tuple[Path, Path], cranfield: Cranfield
) -> None:
    shown = lines(cranfield("explain", *scene, "-m", "concept.F", "--item", "a"))
    assert "concept.F scores concepts, so no item has a score of its own" in shown


# --- other forms ---


def test_json_holds_scores_and_explanations(scene: tuple[Path, Path], cranfield: Cranfield) -> None:
    words = ("-m", "OS", "--ontology", "pto2009", "--item", "a", "--json")
    said = cranfield("explain", *scene, *words)
    told = json.loads(said.stdout)
    truth = cf.read_truth(scene[0])
    result = cf.evaluate(
        truth, cf.read_run(scene[1], truth), "OS", ontology=cf.Ontology.load("pto2009")
    )
    assert told["explanations"] == [
        json.loads(json.dumps(result.explain("run", "OS", "a").to_dict()))
    ]
    assert told["scores"] == json.loads(result.to_json())["scores"]


@pytest.mark.parametrize("extension", [".svg", ".html", ".png", ".pdf", ".json", ".txt"])
def test_files_are_written_as_their_extension_says(
    scene: tuple[Path, Path], extension: str, cranfield: Cranfield
) -> None:
    path = scene[0].with_name(f"out{extension}")
    words = ("-m", "OS", "-m", "SRP-DDMC", "-m", "example.AP", "--ontology", "pto2009")
    said = cranfield("explain", *scene, *words, "--item", "a", "-o", path)
    assert (said.exit_code, said.stdout) == (0, ""), said.stderr
    assert said.stderr == f"wrote {path}\n"
    assert path.stat().st_size > 500


# --- what goes wrong ---


def test_an_item_that_is_not_there_is_bad_input(
    scene: tuple[Path, Path], cranfield: Cranfield
) -> None:
    said = cranfield("explain", *scene, "--item", "z")
    assert (said.exit_code, said.stdout) == (1, "")
    assert "the truth has no item 'z'; it has 'a', 'b'" in said.stderr


def test_the_option_that_it_was_names_the_command(
    scene: tuple[Path, Path], cranfield: Cranfield
) -> None:
    said = cranfield("evaluate", *scene, "--explain", "a")
    assert (said.exit_code, said.stdout) == (2, "")
    assert "cranfield explain TRUTH RUN… --item ITEM" in " ".join(said.stderr.split())


def test_programs_get_a_row_for_each_label(scene: tuple[Path, Path], cranfield: Cranfield) -> None:
    words = ("-m", "OS", "--ontology", "pto2009", "--item", "a", "--csv")
    rows = list(csv.DictReader(io.StringIO(cranfield("explain", *scene, *words).stdout)))
    assert [row["label"] for row in rows] == ["Sky", "Water", "Lake", "Clouds", "River"]
    assert {row["rules"] for row in rows} == {"", "Clouds needs Sky"}


def test_without_the_extra_nothing_is_done_in_vain(
    scene: tuple[Path, Path], cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vega, "find_spec", lambda name: None)
    path = scene[0].with_name("out.svg")
    said = cranfield("explain", *scene, "--item", "a", "-o", path)
    assert (said.exit_code, said.stdout) == (1, "")
    assert "pip install 'cranfield[plots]'" in said.stderr
