"""`cranfield confusion`."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import cranfield as cf
from cranfield.tasks.classes.confused_pairs import ConfusedPairs

Cranfield = Callable[..., Result]

PEOPLE = cf.Confusion([[13, 2, 5], [4, 15, 1], [2, 1, 57]], ["woman", "man", "child"])
OTHER = cf.Confusion([[15, 3, 2], [4, 16, 0], [1, 1, 58]], ["woman", "man", "child"])


@pytest.fixture
def matrices(tmp_path: Path) -> tuple[Path, Path]:
    for name, system in (("people", PEOPLE), ("other", OTHER)):
        cf.formats.write_confusion(system, tmp_path / f"{name}.csv")
    return tmp_path / "people.csv", tmp_path / "other.csv"


def test_systems_stand_side_by_side_the_best_first(
    matrices: tuple[Path, Path], cranfield: Cranfield
) -> None:
    said = cranfield("confusion", *matrices)
    assert said.exit_code == 0, said.stderr
    assert f"{PEOPLE['kappa']:.4f}" in said.stdout
    assert f"{OTHER['S_I_norm']:.4f}" in said.stdout
    assert said.stdout.index("other") < said.stdout.index("people")


def test_json_has_the_scores_in_full(matrices: tuple[Path, Path], cranfield: Cranfield) -> None:
    said = cranfield("confusion", *matrices, "-m", "kappa", "-m", "confusion.I(base=2)", "--json")
    rows = json.loads(said.stdout)["scores"]
    assert [(row["run"], row["measure"]) for row in rows] == [
        ("people", "confusion.kappa"),
        ("people", "confusion.I(base=2)"),
        ("other", "confusion.kappa"),
        ("other", "confusion.I(base=2)"),
    ]
    assert rows[1]["score"] == PEOPLE["I(base=2)"]
    assert rows[0]["signature"].endswith(f"|matrix={PEOPLE.digest[:8]}")
    assert set(rows[0]) == {
        *("run", "measure", "score", "units", "skipped", "notes", "signature"),
    }


def test_undefined_and_infinite_scores_are_null(tmp_path: Path, cranfield: Cranfield) -> None:
    cf.formats.write_confusion(cf.Confusion([[7, 0], [0, 0]]), tmp_path / "one.csv")
    said = cranfield("confusion", tmp_path / "one.csv", "-m", "kappa", "-m", "xi", "--json")
    kappa, xi = json.loads(said.stdout)["scores"]
    assert (kappa["score"], kappa["units"], kappa["skipped"]) == (None, 0, 1)
    assert (xi["score"], xi["units"], xi["notes"]) == (None, 1, "infinite")
    shown = cranfield("confusion", tmp_path / "one.csv", "-m", "kappa", "-m", "xi").stdout
    assert "∞" in shown
    assert "–" in shown


def test_classes_one_by_one(matrices: tuple[Path, Path], cranfield: Cranfield) -> None:
    said = cranfield("confusion", matrices[0], "--by-class", "--csv")
    rows = list(csv.DictReader(io.StringIO(said.stdout)))
    assert [row["class"] for row in rows] == ["woman", "man", "child"]
    for row, expected in zip(rows, PEOPLE.by_class().to_dicts(), strict=True):
        assert row == {"run": "people", **{name: str(value) for name, value in expected.items()}}
    table = cranfield("confusion", *matrices, "--by-class", columns=70).stdout
    assert "H(S|t)" in table
    assert table.count("woman") > 2


def test_one_class_against_the_rest(matrices: tuple[Path, Path], cranfield: Cranfield) -> None:
    said = cranfield("confusion", matrices[0], "--one-vs-rest", "woman")
    for words in ("true not woman", "TPR 0.6500", "PPV 0.6842", "ACC 0.8700", "74"):
        assert words in said.stdout
    (row,) = json.loads(
        cranfield("confusion", matrices[0], "--one-vs-rest", "woman", "--json").stdout
    )["classes"]
    assert (row["TP"], row["FP"], row["FN"], row["TN"]) == (13, 6, 7, 74)
    assert cranfield("confusion", matrices[0], "--one-vs-rest", "dog").exit_code == 1


def test_intervals_as_the_library_draws_them(
    matrices: tuple[Path, Path], cranfield: Cranfield
) -> None:
    options = ("--interval", "bootstrap", "--samples", 300, "--seed", 7, "--level", 0.9)
    said = cranfield("confusion", matrices[0], "-m", "S_I_norm", *options, "--json")
    (row,) = json.loads(said.stdout)["scores"]
    one = PEOPLE.interval("S_I_norm", method="bootstrap", samples=300, seed=7, level=0.9)
    assert (row["low"], row["high"], row["corrected"]) == (one.low, one.high, one.corrected)
    table = cranfield("confusion", matrices[0], "-m", "S_I_norm", *options).stdout
    assert "90 % confidence intervals (bootstrap), 300 samples, seed 7" in table
    assert f"{one.low:.4f}" in table


def test_folds_are_added_up(matrices: tuple[Path, Path], cranfield: Cranfield) -> None:
    said = cranfield("confusion", *matrices, "--sum", "-m", "kappa", "--json")
    (row,) = json.loads(said.stdout)["scores"]
    assert (row["run"], row["score"]) == ("sum", (PEOPLE + OTHER)["kappa"])


def test_costs_of_ones_own(
    matrices: tuple[Path, Path], tmp_path: Path, cranfield: Cranfield
) -> None:
    costs = tmp_path / "costs.csv"
    costs.write_text("0,1,2\n1,0,5\n2,5,-1\n")
    said = cranfield("confusion", matrices[0], "-m", "kappa", "--loss", costs, "--json")
    _, loss = json.loads(said.stdout)["scores"]
    assert loss["measure"] == "confusion.loss(kind=custom)"
    assert loss["score"] == PEOPLE.loss([[0, 1, 2], [1, 0, 5], [2, 5, -1]])
    lacking = cranfield("confusion", matrices[0], "-m", "loss(kind=custom)")
    assert lacking.exit_code == 1
    assert "--loss FILE" in lacking.stderr


def test_labels_of_systems_beside_those_of_a_truth(tmp_path: Path, cranfield: Cranfield) -> None:
    for name, labels in (("truth", "aab"), ("one", "abb"), ("two", "aab")):
        lines = "".join(f"{place},{label}\n" for place, label in enumerate(labels))
        (tmp_path / f"{name}.csv").write_text("item,label\n" + lines)
    said = cranfield(
        *("confusion", tmp_path / "one.csv", tmp_path / "two.csv"),
        *("--truth", tmp_path / "truth.csv", "-m", "accuracy", "--json"),
    )
    rows = json.loads(said.stdout)["scores"]
    assert [(row["run"], row["score"]) for row in rows] == [("one", 2 / 3), ("two", 1)]


@pytest.mark.parametrize("ending", ["json", "csv", "tex", "txt"])
def test_files_hold_what_their_ending_says(
    ending: str, matrices: tuple[Path, Path], tmp_path: Path, cranfield: Cranfield
) -> None:
    for view in ((), ("--by-class",), ("--one-vs-rest", "man")):
        path = tmp_path / f"out.{ending}"
        said = cranfield("confusion", *matrices, *view, "-o", path)
        assert said.exit_code == 0, said.stderr
        text = path.read_text()
        assert {"json": "{", "csv": "run,", "tex": r"\begin{tabular}", "txt": "people"}[
            ending
        ] in text


@pytest.mark.parametrize(
    "options",
    [
        ("--by-class", "--one-vs-rest", "man"),
        ("-m", "kapa"),
        ("-m", "concept.AP"),
        ("--json", "--csv"),
        ("--interval", "jackknife"),
        ("--level", "2"),
        ("--level", "0.9"),
        ("--samples", "10"),
        ("--by-class", "-m", "kappa"),
        ("--by-class", "--interval", "dirichlet"),
        ("--one-vs-rest", "man", "-m", "kappa"),
    ],
)
def test_wrong_usage_exits_with_2(
    options: tuple[str, ...], matrices: tuple[Path, Path], cranfield: Cranfield
) -> None:
    assert cranfield("confusion", matrices[0], *options).exit_code == 2


def test_bad_files_exit_with_1_and_a_line(tmp_path: Path, cranfield: Cranfield) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("true,a,b\na,1,x\n")
    said = cranfield("confusion", path)
    assert said.exit_code == 1
    assert "bad.csv:2:" in said.stderr
    assert "Traceback" not in said.stderr


def test_inputs_are_not_written_over(matrices: tuple[Path, Path], cranfield: Cranfield) -> None:
    before = matrices[0].read_bytes()
    assert cranfield("confusion", *matrices, "-o", matrices[0]).exit_code == 2
    assert matrices[0].read_bytes() == before


def test_rows_may_be_what_the_system_said(tmp_path: Path, cranfield: Cranfield) -> None:
    """As R's caret writes its table: without a title, the system's classes as rows."""
    path = tmp_path / "caret.csv"
    path.write_text(",woman,man,child\nwoman,13,4,2\nman,2,15,1\nchild,5,1,57\n")
    options = ("--by-class", "--json")
    shown = cranfield("confusion", path, "--rows", "system", *options)
    assert shown.exit_code == 0, shown.stderr
    rows = json.loads(shown.stdout)["classes"]
    assert [row["TPR"] for row in rows] == [13 / 20, 15 / 20, 57 / 60]
    path.write_text("predicted" + path.read_text())
    assert cranfield("confusion", path, *options).stdout == shown.stdout
    for usage in (("--rows", "columns"), ("--rows", "truth", "--truth", path)):
        assert cranfield("confusion", path, *usage).exit_code == 2


def test_a_report_shows_measures_classes_confused_ones_and_matrices(
    matrices: tuple[Path, Path], tmp_path: Path, cranfield: Cranfield
) -> None:
    page = tmp_path / "page.html"
    words = ("--report", page, "--title", "Faces")
    done = cranfield("confusion", *matrices, "-m", "kappa", *words)
    assert done.exit_code == 0, done.stderr
    text = page.read_text()
    headings = re.findall(r"<h2[^>]*>([^<]*)", text)
    assert headings == [
        *("Scores of confusion matrices", "Class by class", "Most confused classes"),
        *("Confusion matrix of people", "Confusion matrix of other"),
    ]
    assert "<h1>Faces</h1>" in text
    low = PEOPLE.interval("kappa", method="dirichlet").low
    assert f"{low:.4f}" in text


def test_a_report_of_what_is_no_page_is_refused(
    matrices: tuple[Path, Path], tmp_path: Path, cranfield: Cranfield
) -> None:
    done = cranfield("confusion", *matrices, "--report", tmp_path / "page.csv")
    assert done.exit_code == 2
    assert ".html" in done.stderr


def test_confused_pairs_come_by_their_number_and_then_by_name() -> None:
    pairs = ConfusedPairs([PEOPLE]).rows()
    assert [(pair["true"], pair["said"], pair["count"]) for pair in pairs] == [
        *(("woman", "child", 5), ("man", "woman", 4), ("child", "woman", 2)),
        *(("woman", "man", 2), ("child", "man", 1), ("man", "child", 1)),
    ]
    assert pairs[0]["of_class"] == 5 / 20
    assert pairs[0]["of_errors"] == 5 / 15


def test_a_perfect_matrix_confuses_nothing() -> None:
    assert ConfusedPairs([cf.Confusion([[3, 0], [0, 4]])]).rows() == []
