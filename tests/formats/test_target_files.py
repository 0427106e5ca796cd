"""Targets of regression in tables: the first column is called `item targets`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import mean_squared_error

import cranfield as cf

NUMBERS = np.array([[1.5, -2.0], [0.1, 3e10], [4.0, 0.0]])
IDS = {"items": ["a", "b", "c"], "concepts": ["age", "height"]}
ENDINGS = ("csv", "tsv", "parquet", "csv.gz")


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("gaps", [False, True])
def test_targets_are_written_and_come_back(tmp_path: Path, ending: str, gaps: bool) -> None:
    judged = np.array([[True, True], [True, False], [True, True]]) if gaps else None
    targets = np.where(judged, NUMBERS, 0) if gaps else NUMBERS
    truth = cf.Truth(targets=targets, judged=judged, **IDS)
    path = tmp_path / f"truth.{ending}"
    cf.write_truth(truth, path)
    again = cf.read_truth(path)
    assert again.digest == truth.digest
    assert not again.has_labels
    assert again.unjudged == "exclude"


def test_runs_are_scored_by_targets_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "truth.csv"
    path.write_text("item targets,age\na,31.5\nb,-7\nc,18\n")
    run = cf.Run([[30.0], [1.0], [20.0]], items=["a", "b", "c"], concepts=["age"])
    result = cf.evaluate(cf.read_collection(path), run, "concept.MSE")
    expected = mean_squared_error([31.5, -7, 18], [30, 1, 20])
    assert result["run", "concept.MSE"] == pytest.approx(expected, abs=1e-12)


def test_a_column_may_be_of_whole_numbers(tmp_path: Path) -> None:
    path = tmp_path / "truth.csv"
    path.write_text("Image Targets,age\na,3\nb,7\n")
    assert cf.read_truth(path).targets.tolist() == [[3.0], [7.0]]


def test_columns_follow_the_concepts_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "truth.csv"
    path.write_text("item targets,age,height\na,3,1.8\n")
    assert cf.read_truth(path, concepts=["height", "age"]).targets.tolist() == [[1.8, 3.0]]


def test_numbers_in_a_truth_of_labels_are_told_how_to_be_targets(tmp_path: Path) -> None:
    path = tmp_path / "truth.csv"
    path.write_text("item,age\na,1\nb,3.5\n")
    with pytest.raises(cf.FileError, match=r"csv:3: .*3\.5; .*called 'item targets'"):
        cf.read_truth(path)


@pytest.mark.parametrize(
    ("lines", "said"),
    [("a,1\nb,tall\n", r"csv:3: .*'tall'"), ("a,1\na,2\n", r"csv:3: item 'a' stands on line 2")],
)
def test_broken_targets_are_told_with_their_line(tmp_path: Path, lines: str, said: str) -> None:
    path = tmp_path / "truth.csv"
    path.write_text(f"item targets,age\n{lines}")
    with pytest.raises(cf.FileError, match=said):
        cf.read_truth(path)


@pytest.mark.parametrize("ending", ENDINGS)
def test_labels_beside_targets_need_npz(tmp_path: Path, ending: str) -> None:
    both = cf.Truth(NUMBERS > 0, targets=NUMBERS, **IDS)
    with pytest.raises(cf.InputError, match="would lose targets beside labels"):
        cf.write_truth(both, tmp_path / f"truth.{ending}")
    cf.write_truth(both, tmp_path / "truth.npz")
    assert cf.read_truth(tmp_path / "truth.npz").digest == both.digest


def test_parquet_needs_ids_to_mark_targets(tmp_path: Path) -> None:
    with pytest.raises(cf.InputError, match="give the truth items="):
        cf.write_truth(cf.Truth(targets=NUMBERS), tmp_path / "truth.parquet")
