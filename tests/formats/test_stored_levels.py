"""Formats that hold grades keep the level of a truth, or say that they would lose it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cranfield as cf

GRADES = np.array([[0, 3, 10], [6, 5, 0], [7, 0, 1]])
NAMES = {"items": ["a", "b", "c"], "concepts": ["x", "y", "z"]}
TRUTH = cf.Truth(grades=GRADES, level=6, **NAMES)


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("t.csv", "csv"), ("t.tsv", "tsv"), ("t.csv", "long"), ("t.tsv", "long"),
        ("t.csv.gz", "csv"), ("t.npz", "npz"), ("t.parquet", "parquet"),
        ("t.parquet", "parquet-long"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("truth", ["graded", "low", "unjudged", "numbered"])
def test_the_level_is_stored_and_read_back(
    name: str, format: str, truth: str, tmp_path: Path
) -> None:
    judged = np.ones((3, 3), bool)
    judged[0, 1] = truth != "unjudged"
    concepts = ["1", "2", "3"] if truth == "numbered" else NAMES["concepts"]
    grades = np.minimum(GRADES, 1) if truth == "low" else GRADES * judged
    given = cf.Truth(grades=grades, judged=judged, level=6, items=NAMES["items"], concepts=concepts)
    cf.write_truth(given, tmp_path / name, format=format)
    read = cf.read_truth(tmp_path / name)
    assert (read.level, read.digest) == (6, given.digest)
    assert read.labels.sum() == (grades >= 6).sum()


def test_a_level_of_one_leaves_files_as_they_were(tmp_path: Path) -> None:
    cf.write_truth(TRUTH.at_level(1), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text().splitlines()[0] == "item,x,y,z"
    cf.write_truth(TRUTH, tmp_path / "six.csv")
    assert (tmp_path / "six.csv").read_text().splitlines()[0] == "item level=6,x,y,z"


def test_qrels_would_lose_the_level_and_say_so(tmp_path: Path) -> None:
    words = "would lose .*which grade is the lowest that counts as relevant"
    with pytest.raises(cf.InputError, match=words):
        cf.write_truth(TRUTH, tmp_path / "t.qrels")
    cf.write_truth(TRUTH, tmp_path / "t.qrels", lossy=True)
    read = cf.read_truth(tmp_path / "t.qrels")
    assert read.level == 1
    assert np.array_equal(read.at_level(6).part([read.items.index(i) for i in "abc"]).labels,
                          GRADES >= 6)  # fmt: skip


def test_formats_without_grades_keep_what_is_relevant(tmp_path: Path) -> None:
    cf.write_truth(TRUTH, tmp_path / "t.txt", lossy=True)
    read = cf.read_truth(tmp_path / "t.txt", concepts=NAMES["concepts"])
    assert read.labels.tolist() == (GRADES >= 6).tolist()


def test_parquet_without_ids_says_where_the_level_would_go(tmp_path: Path) -> None:
    truth = cf.Truth(grades=GRADES, level=6, concepts=NAMES["concepts"])
    with pytest.raises(cf.InputError, match="tells level 6 beside the ids of items"):
        cf.write_truth(truth, tmp_path / "t.parquet")
