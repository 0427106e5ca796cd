"""`--picture` and `--draw` of `cranfield confusion` and `cranfield thresholds`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

import cranfield as cf
from cranfield import formats
from cranfield.tasks.classes.coverage import sample_clouds

Cranfield = Callable[..., Result]


@pytest.fixture
def matrices(tmp_path: Path) -> list[Path]:
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    one.write_text("true,woman,man,child\nwoman,13,2,5\nman,4,15,1\nchild,2,1,57\n")
    two.write_text("true,woman,man,child\nwoman,18,1,1\nman,3,16,1\nchild,10,10,40\n")
    return [one, two]


def data(path: Path) -> list[dict[str, Any]]:
    """All data of a specification."""
    found: list[dict[str, Any]] = []

    def look(part: Any) -> None:
        if isinstance(part, dict):
            found.extend(part.get("data", {}).get("values", ()))
            for value in part.values():
                look(value)
        elif isinstance(part, list):
            for value in part:
                look(value)

    look(json.loads(path.read_text()))
    return found


# ── confusion ─────────────────────────────────────────────────────────────────────────────────


def test_systems_are_drawn_by_their_coverage_beside_the_table(
    matrices: list[Path], tmp_path: Path, cranfield: Cranfield
) -> None:
    picture = tmp_path / "coverage.json"
    said = cranfield("confusion", *matrices, "--picture", picture, "-m", "accuracy")
    assert said.exit_code == 0, said.stderr
    assert "accuracy" in said.stdout
    placed = {one["system"]: one["r"] for one in data(picture) if "system" in one}
    for path in matrices:
        ratio = cf.formats.read_confusion(path)["false_ratio"]
        assert placed[path.stem] == pytest.approx(ratio, abs=1e-6)


def test_intervals_are_drawn_as_clouds(
    matrices: list[Path], tmp_path: Path, cranfield: Cranfield
) -> None:
    picture = tmp_path / "clouds.json"
    options = ("--interval", "bootstrap", "--samples", 50, "-m", "accuracy")
    assert cranfield("confusion", *matrices, "--picture", picture, *options).exit_code == 0
    system = cf.formats.read_confusion(matrices[0])
    places = [(one["r"], one["f"]) for one in data(picture) if one.get("system") == "one"]
    (cloud,) = sample_clouds([system], method="bootstrap", samples=50, seed=0)
    assert set(zip(cloud.r.round(6).tolist(), cloud.f.round(6).tolist(), strict=True)) <= set(
        places
    )
    score = system["false_ratio"], system["completeness"]
    assert pytest.approx(score, abs=1e-6) in places, "the mark is the score of the table"


@pytest.mark.parametrize("drawing", ["coverage", "entropy", "classes", "heat"])
@pytest.mark.parametrize("extension", ["svg", "html"])
def test_every_picture_of_matrices_can_be_drawn(
    drawing: str, extension: str, matrices: list[Path], tmp_path: Path, cranfield: Cranfield
) -> None:
    pytest.importorskip("vl_convert")
    picture = tmp_path / f"picture.{extension}"
    said = cranfield("confusion", *matrices, "--picture", picture, "--draw", drawing)
    assert said.exit_code == 0, said.stderr
    assert "two" in picture.read_text()


def test_what_cross_validation_finds_is_drawn_as_clouds(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    pytest.importorskip("sklearn")
    file, picture = tmp_path / "data.csv", tmp_path / "clouds.json"
    rows = [f"{n % 7},{n % 3},{'ab'[n % 7 > n % 3]}" for n in range(60)]
    file.write_text("\n".join(["x,y,class", *rows, ""]))
    options = ("--folds", 3, "--repeats", 2, "--estimator", "naive_bayes")
    said = cranfield("cross-validate", file, *options, "--picture", picture)
    assert said.exit_code == 0, said.stderr
    assert "naive_bayes" in {one.get("system") for one in data(picture)}


# ── thresholds ────────────────────────────────────────────────────────────────────────────────


def test_the_sweep_of_a_concept_marks_the_best_threshold(
    folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    run, picture = folder / "runs" / "Random0.txt", tmp_path / "sweep.json"
    options = ("--table", "Sky", "--by", "accuracy", "--picture", picture)
    said = cranfield("thresholds", folder, run, *options)
    assert said.exit_code == 0, said.stderr
    collection = formats.read_collection(folder)
    best = cf.statistics.roc_table(collection, formats.read_run(run, collection), "Sky").best(
        "accuracy"
    )
    assert best is not None
    (marked,) = {one["best"] for one in data(picture) if "best" in one}
    assert marked == f"best by accuracy: {best.threshold:.4g}"


def test_a_curve_marks_the_best_threshold_instead_of_the_runs_own_decisions(
    folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    run, picture = folder / "runs" / "Random0.txt", tmp_path / "roc.json"
    options = ("--table", "Sky", "--by", "youden", "--draw", "roc", "--picture", picture)
    assert cranfield("thresholds", folder, run, *options).exit_code == 0
    collection = formats.read_collection(folder)
    table = cf.statistics.roc_table(collection, formats.read_run(run, collection), "Sky")
    best = table.best("youden")
    assert best is not None
    (mark,) = [one for one in data(picture) if "best" in one]
    assert mark["best"] == f"best by youden: {best.threshold:.4g}"
    assert (mark["FPR"], mark["TPR"]) == (table.fpr[best.row], table.tpr[best.row])


@pytest.mark.parametrize("drawing", ["sweep", "roc", "pr", "reliability"])
def test_every_picture_of_thresholds_can_be_drawn(
    drawing: str, folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    pytest.importorskip("vl_convert")
    picture = tmp_path / "picture.svg"
    run = folder / "runs" / "Random10.txt"
    said = cranfield("thresholds", folder, run, "--picture", picture, "--draw", drawing)
    assert said.exit_code == 0, said.stderr
    assert picture.read_text().startswith("<svg")


def test_a_picture_that_cannot_be_written_leaves_no_other_file(
    matrices: list[Path], tmp_path: Path, cranfield: Cranfield
) -> None:
    scores = tmp_path / "scores.json"
    options = ("--picture", tmp_path / "nowhere" / "p.json", "-o", scores)
    assert cranfield("confusion", *matrices, *options).exit_code == 1
    assert not scores.exists()


# ── what is refused ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("command", ["confusion", "thresholds"])
def test_a_kind_of_picture_without_a_file_is_wrong_usage(
    command: str, matrices: list[Path], cranfield: Cranfield
) -> None:
    drawing = "heat" if command == "confusion" else "roc"
    said = cranfield(command, *matrices, "--draw", drawing)
    assert said.exit_code == 2
    assert "give --picture" in " ".join(said.stderr.split())


def test_a_matrix_is_not_drawn_over(matrices: list[Path], cranfield: Cranfield) -> None:
    matrix = matrices[0].rename(matrices[0].with_suffix(".json"))
    assert cranfield("confusion", matrix, "--picture", matrix).exit_code == 2
    assert matrix.read_text().startswith("true,woman")
