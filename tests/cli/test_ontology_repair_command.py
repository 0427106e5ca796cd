"""`cranfield ontology repair`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from typer.testing import Result

import cranfield as cf
from cranfield.knowledge import Ontology

Cranfield = Callable[..., Result]

HIERARCHY = "child,parent\nplants,\ntrees,plants\nflowers,plants\n"
TRUTH = "item,plants,trees,flowers\nx,0,1,0\ny,1,0,1\nz,0,0,1\n"
RUN = "item,plants,trees,flowers\nx,0.2,0.9,0.1\ny,0.9,0.1,0.8\nz,0.1,0.1,0.6\n"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "plants.csv").write_text(HIERARCHY)
    (tmp_path / "truth.csv").write_text(TRUTH)
    (tmp_path / "run.csv").write_text(RUN)
    return tmp_path


def test_a_truth_is_repaired_and_written(place: Path, cranfield: Cranfield) -> None:
    out = place / "repaired.csv"
    said = cranfield("ontology", "repair", place / "plants.csv", place / "truth.csv", "-o", out)
    assert said.exit_code == 0, said.stderr
    assert out.read_text() == TRUTH.replace("x,0", "x,1").replace("z,0", "z,1")
    assert "2 of 3 items changed: 2 labels added, 0 removed" in said.stdout
    assert "trees needs plants" in said.stdout
    assert "OS of a run that is right about everything: 0.3333 → 1.0000 (+0.6667)" in said.stdout
    assert f"wrote {out}" in said.stderr


def test_a_run_is_scored_before_and_after(place: Path, cranfield: Cranfield) -> None:
    said = cranfield(
        "ontology", "repair", place / "plants.csv", place / "run.csv",
        "--against", place / "truth.csv", "--json",
    )  # fmt: skip
    assert said.exit_code == 0, said.stderr
    read = json.loads(said.stdout)
    onto = Ontology.load(place / "plants.csv")
    truth = cf.read_truth(place / "truth.csv")
    run = cf.read_run(place / "run.csv", truth)
    after = onto.repair(run).labels
    for when, which in (("before", run), ("after", after)):
        assert read["OS"][when] == cf.evaluate(truth, which, "OS", ontology=onto)["run", "OS"]
    assert read["changes"][0] == {
        "item": "x",
        "added": ["plants"],
        "removed": [],
        "broken": ["trees needs plants"],
    }
    assert read["rules"] == [
        {"rule": "flowers needs plants", "items": 1},
        {"rule": "trees needs plants", "items": 1},
    ]
    assert (read["ontology"], read["by"], read["changed"]) == ("plants", "labels", 2)


def test_by_confidences_the_most_probable_label_set_is_taken(
    place: Path, cranfield: Cranfield
) -> None:
    out = place / "out.txt"
    said = cranfield(
        "ontology", "repair", place / "plants.csv", place / "run.csv",
        "--by", "confidences", "-o", out,
    )  # fmt: skip
    assert said.exit_code == 0, said.stderr
    assert "the most probable label sets" in said.stdout
    assert "OS if these labels were the truth" in said.stdout
    after = cf.read_run(out, concepts=["plants", "trees", "flowers"])
    assert after.labels.tolist() == [[1, 1, 0], [1, 0, 1], [0, 0, 0]]
    assert np.allclose(after.scores, cf.read_run(place / "run.csv").scores)


def test_a_format_without_room_for_both_is_refused_or_gets_the_decisions(
    place: Path, cranfield: Cranfield
) -> None:
    out = place / "out.csv"
    words = ("ontology", "repair", place / "plants.csv", place / "run.csv", "-o", out)
    refused = cranfield(*words)
    assert (refused.exit_code, out.exists()) == (1, False)
    assert "out.csv: the format csv would lose decisions beside confidences" in refused.stderr
    assert "or give --lossy" in refused.stderr
    said = cranfield(*words, "--lossy")
    assert said.exit_code == 0, said.stderr
    assert "lost confidences beside decisions" in said.stderr
    assert out.read_text() == ("item,plants,trees,flowers\nx,1,1,0\ny,1,0,1\nz,1,0,1\n")


def test_a_threshold_makes_it_a_run(place: Path, cranfield: Cranfield) -> None:
    words = ("ontology", "repair", place / "plants.csv", place / "run.csv", "--json")
    said = cranfield(*words, "--threshold", 0.7)
    assert [change["item"] for change in json.loads(said.stdout)["changes"]] == ["x"]


def test_all_required_groups_are_filled_on_request(folder: Path, cranfield: Cranfield) -> None:
    said = cranfield("ontology", "repair", "pto2009", folder / "runs" / "Random10.txt",
                     "--concepts", folder / "concepts.txt", "--required", "--json")  # fmt: skip
    assert said.exit_code == 0, said.stderr
    rules = {one["rule"] for one in json.loads(said.stdout)["rules"]}
    assert "at least one of Indoor, Outdoor and No_Visual_Place" in rules


def test_what_breaks_no_rule_is_left_alone(place: Path, cranfield: Cranfield) -> None:
    (place / "fine.csv").write_text("item,plants,trees\nx,1,1\n")
    said = cranfield("ontology", "repair", place / "plants.csv", place / "fine.csv")
    assert said.exit_code == 0, said.stderr
    assert "0 of 1 item changed: 0 labels added, 0 removed" in said.stdout
    assert "1.0000 → 1.0000" in said.stdout


def test_long_lists_of_changes_are_cut(place: Path, cranfield: Cranfield) -> None:
    lines = "".join(f"i{n:02},1\n" for n in range(30))
    (place / "many.csv").write_text(f"item,trees,plants\n{lines.replace(',1', ',1,0')}")
    said = cranfield("ontology", "repair", place / "plants.csv", place / "many.csv")
    assert "i19" in said.stdout
    assert "i20" not in said.stdout
    assert "the first 20 of 30" in said.stdout


def test_an_ontology_that_contradicts_itself_has_no_os(place: Path, cranfield: Cranfield) -> None:
    (place / "odd.ttl").write_text(
        "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        "@prefix : <http://example.org/#> .\n"
        ":a a owl:Class . :b a owl:Class ; owl:disjointWith :a .\n"
        ":c a owl:Class ; rdfs:subClassOf :a , :b .\n"
    )
    (place / "both.csv").write_text("item,a,b,c\nx,1,0,1\n")
    said = cranfield("ontology", "repair", place / "odd.ttl", place / "both.csv", "--json")
    assert said.exit_code == 0, said.stderr
    assert "without OS, since odd contradicts itself: c stands below" in said.stderr
    read = json.loads(said.stdout)
    assert read["OS"] is None
    assert read["changes"][0]["removed"] == ["c"]


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("item,cat\nx,1\n", (), "labels.csv: 1 concept that plants does not know: 'cat'"),
        ("item,trees\nx,7.5\n", ("--by", "confidences", "--threshold", 1), "as probabilities"),
        ("item,trees\nx,many\n", (), "labels.csv:2:"),
    ],
)
def test_bad_labels_are_said_with_their_file_and_nothing_is_written(
    place: Path, cranfield: Cranfield, content: str, options: tuple[object, ...], message: str
) -> None:
    (place / "labels.csv").write_text(content)
    out = place / "out.csv"
    said = cranfield(
        "ontology", "repair", place / "plants.csv", place / "labels.csv", "-o", out, *options
    )
    assert said.exit_code == 1
    assert message in said.stderr
    assert "Traceback" not in said.output
    assert not out.exists()


def test_inputs_are_spared(place: Path, cranfield: Cranfield) -> None:
    said = cranfield(
        "ontology", "repair", place / "plants.csv", place / "truth.csv", "-o", place / "truth.csv"
    )
    assert said.exit_code == 2
    assert (place / "truth.csv").read_text() == TRUTH


def test_a_run_that_does_not_fit_its_truth_is_named(place: Path, cranfield: Cranfield) -> None:
    (place / "short.csv").write_text("item,plants,trees,flowers\nx,0.2,0.9,0.1\n")
    words = ("ontology", "repair", place / "plants.csv", place / "short.csv")
    said = cranfield(*words, "--against", place / "truth.csv")
    assert said.exit_code == 1
    assert f"{place / 'short.csv'}: run 'short' lacks 2 items of the truth" in said.stderr
    assert "--missing absent" in said.stderr
    said = cranfield(*words, "--against", place / "truth.csv", "--missing", "absent")
    assert said.exit_code == 0, said.stderr


def test_a_collection_is_no_run(folder: Path, cranfield: Cranfield) -> None:
    said = cranfield("ontology", "repair", "pto2009", folder, "--by", "confidences")
    assert said.exit_code == 1
    assert "is a collection folder where a run is needed; name a file of it" in said.stderr


def test_an_ending_that_says_no_format_is_wrong_usage(place: Path, cranfield: Cranfield) -> None:
    words = ("ontology", "repair", place / "plants.csv", place / "truth.csv")
    said = cranfield(*words, "-o", place / "out.foo")
    assert (said.exit_code, said.stdout) == (2, "")
    assert "says no format" in said.stderr
