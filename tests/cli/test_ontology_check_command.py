"""`cranfield ontology check`: contradictions of an ontology, and labels that break its rules."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import cranfield as cf
from cranfield.knowledge import Ontology

Cranfield = Callable[..., Result]
PHOTOS = ("Sky", "Clouds", "Day", "Night", "No_Visual_Time")


@pytest.fixture
def truth(tmp_path: Path) -> Path:
    path = tmp_path / "truth.csv"
    path.write_text(
        f"item,{','.join(PHOTOS)}\na,1,1,1,0,0\nb,0,1,1,1,0\nc,1,0,0,0,0\nd,0,0,1,0,0\n"
    )
    return path


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = tmp_path / "run.csv"
    path.write_text(f"item,{','.join(PHOTOS)}\na,0.9,0.8,0.6,0.2,0\nb,0.1,0.4,0.9,0.3,0\n")
    return path


# --- the ontology itself ---


def test_shipped_ontologies_are_fine(cranfield: Cranfield) -> None:
    said = cranfield("ontology", "check", "pto2009")
    assert (said.exit_code, said.stderr) == (0, "")
    assert (
        said.stdout.strip()
        == "fine as an ontology: pto2009, 53 concepts, depth 3, 13 rules, no contradiction"
    )


def test_contradictions_are_told_with_their_axiom(tmp_path: Path, cranfield: Cranfield) -> None:
    path = tmp_path / "odd.ttl"
    path.write_text(
        "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        "@prefix : <http://example.org/#> .\n"
        ":a a owl:Class ; owl:disjointWith :b . :b a owl:Class .\n"
        ":c a owl:Class ; rdfs:subClassOf :a, :b .\n"
    )
    said = cranfield("ontology", "check", path)
    assert said.exit_code == 1
    assert "c stands below a and b, but at most one of a and b" in said.stdout
    assert "not fine as an ontology: odd" in said.stdout
    assert "1 contradiction" in said.stdout
    told = cranfield("ontology", "check", path, "--json")
    assert told.exit_code == 1
    assert list(json.loads(told.stdout)["contradictions"]) == ["c"]


# --- labels ---


def test_each_violation_is_told_and_counted_by_rule(truth: Path, cranfield: Cranfield) -> None:
    said = cranfield("ontology", "check", "pto2009", truth)
    assert said.exit_code == 1
    lines = [" ".join(line.split()) for line in said.stdout.splitlines()]
    group = "Day, Night and No_Visual_Time"
    assert lines[3:6] == [
        f"b at most one of {group} Day, Night",
        "b Clouds needs Sky Clouds",
        f"c at least one of {group} is expected",
    ]
    assert "Clouds needs Sky 1" in lines
    assert f"2 violations and 1 missing group by 2 of 4 items in {truth}" in lines
    assert "a run that is right about everything would score below 1 by OS" in lines


def test_required_groups_can_be_left_alone(truth: Path, cranfield: Cranfield) -> None:
    said = cranfield("ontology", "check", "pto2009", truth, "--no-required")
    assert f"2 violations by 1 of 4 items in {truth}" in said.stdout
    assert "expected" not in said.stdout


def test_labels_without_violations_are_fine(run: Path, cranfield: Cranfield) -> None:
    said = cranfield("ontology", "check", "pto2009", run)
    assert (said.exit_code, said.stderr) == (0, "")
    assert said.stdout.strip() == (
        f"fine as a run, labels of confidence 0.5 or more: {run}, 2 items, "
        "no rule of pto2009 is broken"
    )


def test_labels_of_a_run_depend_on_the_threshold(run: Path, cranfield: Cranfield) -> None:
    low = cranfield("ontology", "check", "pto2009", run, "--threshold", 0.3)
    assert low.exit_code == 1
    assert "Clouds needs Sky" in low.stdout
    assert "below 1 by OS" not in low.stdout


def test_a_threshold_that_decides_everything_alike_is_said(run: Path, cranfield: Cranfield) -> None:
    said = cranfield("ontology", "check", "pto2009", run, "--threshold", 0)
    assert "the threshold 0 makes every decision of the run a yes" in said.stdout


def test_confidences_outside_the_unit_interval_need_a_threshold(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    path = tmp_path / "margins.csv"
    path.write_text("item,Sky,Clouds\na,-2.5,3\n")
    said = cranfield("ontology", "check", "pto2009", path)
    assert said.exit_code == 1
    assert f"{path}: run 'margins' has scores from -2.5 to 3" in said.stderr
    assert "give --threshold" in said.stderr
    assert "needs Sky" in cranfield("ontology", "check", "pto2009", path, "--threshold", 0).stdout


def test_of_a_collection_the_truth_is_checked(folder: Path, cranfield: Cranfield) -> None:
    told = json.loads(cranfield("ontology", "check", "pto2009", folder, "--json").stdout)
    onto, labels = Ontology.load("pto2009"), cf.read_collection(folder).truth
    expected = onto.violations(labels)
    assert [(one["item"], one["rule"], tuple(one["labels"])) for one in told["violations"]] == [
        (one.item, str(one.rule), one.labels) for one in expected
    ]
    assert len(told["missing"]) == len(onto.missing(labels))
    assert sum(rule["items"] for rule in told["rules"]) == len(expected) + len(told["missing"])


def test_of_many_violations_twenty_are_shown(tmp_path: Path, cranfield: Cranfield) -> None:
    path = tmp_path / "truth.csv"
    path.write_text("item,Sky,Clouds\n" + "".join(f"i{n},0,1\n" for n in range(30)))
    said = cranfield("ontology", "check", "pto2009", path)
    assert said.stdout.count("Clouds needs Sky") == 21
    assert "30 violations by 30 of 30 items" in said.stdout
    assert "the first 20 of 30" in said.stdout


# --- other forms ---


def test_csv_has_a_line_for_each(truth: Path, cranfield: Cranfield) -> None:
    said = cranfield("ontology", "check", "pto2009", truth, "--csv")
    rows = list(csv.DictReader(io.StringIO(said.stdout)))
    assert (said.exit_code, said.stderr) == (1, "")
    assert [(row["item"], row["kind"], row["labels"]) for row in rows] == [
        ("b", "disjoint", "Day;Night"),
        ("b", "needs", "Clouds"),
        ("c", "required", ""),
    ]


def test_files_hold_all_of_them(truth: Path, cranfield: Cranfield) -> None:
    for extension in (".json", ".csv", ".txt"):
        path = truth.with_name(f"out{extension}")
        said = cranfield("ontology", "check", "pto2009", truth, "-o", path)
        assert (said.exit_code, said.stdout) == (1, "")
        assert "Clouds needs Sky" in path.read_text()


# --- what goes wrong ---


def test_concepts_that_the_ontology_does_not_know_are_said(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    path = tmp_path / "truth.csv"
    path.write_text("item,Sky,Heaven\na,1,0\n")
    said = cranfield("ontology", "check", "pto2009", path)
    assert said.exit_code == 1
    assert f"{path}: 1 concept that pto2009 does not know: 'Heaven'" in said.stderr


def test_a_file_that_holds_no_labels_is_said_with_its_line(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("item,Sky\na,blue\n")
    said = cranfield("ontology", "check", "pto2009", path)
    assert said.exit_code == 1
    assert "bad.csv:2" in said.stderr


def test_wrong_usage_is_said_before_anything_is_read(tmp_path: Path, cranfield: Cranfield) -> None:
    nowhere = tmp_path / "nowhere.csv"
    for words in (("--threshold", 0.5), (nowhere, "--json", "--csv"), (nowhere, "--threshold=inf")):
        said = cranfield("ontology", "check", tmp_path / "nowhere.owl", *words)
        assert (said.exit_code, said.stdout) == (2, "")


def test_what_a_file_says_in_vain_is_told(tmp_path: Path, cranfield: Cranfield) -> None:
    path = tmp_path / "photos.ttl"
    path.write_text(
        "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        ':a a owl:Class ; rdfs:subClassOf "b" .\n'.replace(":a", "<http://example.org/#a>")
    )
    said = cranfield("ontology", "check", path)
    assert (said.exit_code, said.stdout.strip()[:19]) == (0, "fine as an ontology")
    assert "1 statement not used, since labels are not concerned: text for a class 1" in said.stdout


# --- cells that nobody judged ---


@pytest.fixture
def partial(tmp_path: Path) -> Path:
    """Of a nobody judged what Clouds need, and of b one of the times of day."""
    path = tmp_path / "partial.csv"
    path.write_text(f"item,{','.join(PHOTOS)}\na,,1,1,0,0\nb,1,1,0,0,\nc,0,1,1,,0\n")
    return path


def test_what_nobody_judged_breaks_no_rule(partial: Path, cranfield: Cranfield) -> None:
    said = cranfield("ontology", "check", "pto2009", partial)
    assert said.exit_code == 1
    assert f"1 violation by 1 of 3 items in {partial}" in said.stdout
    assert "2 more violations if unjudged cells count as negative" in said.stdout
    assert "cranfield ontology close" in said.stdout


def test_what_cannot_be_told_is_said_beside_fine_as_well(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    path = tmp_path / "partial.csv"
    path.write_text("item,Sky,Clouds\na,,1\n")
    said = cranfield("ontology", "check", "pto2009", path)
    assert (said.exit_code, said.stdout.split()[0]) == (0, "fine")
    assert "1 more violation if unjudged" in said.stdout
    counted = json.loads(cranfield("ontology", "check", "pto2009", path, "--json").stdout)
    assert (counted["violations"], counted["undecided"]) == ([], 1)
