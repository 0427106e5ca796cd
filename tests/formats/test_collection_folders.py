"""Collection folders: a truth and what lies beside it, read and checked together."""

from __future__ import annotations

from pathlib import Path

import pytest

import cranfield as cf


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "photos"
    (path / "runs").mkdir(parents=True)
    (path / "truth.txt").write_text("a 1 0\nb 0 1\nc 1 1\n")
    (path / "concepts.txt").write_text("cat\ndog\n")
    (path / "splits.csv").write_text("item,split\na,train\nb,test\nc,train\n")
    (path / "runs" / "good.csv").write_text("item,cat,dog\na,.9,.1\nb,.2,.8\nc,.6,.5\n")
    return path


def test_a_folder_is_read_with_all_that_lies_beside_its_truth(folder: Path) -> None:
    collection = cf.read_collection(folder)
    assert collection.name == "photos"
    assert collection.concepts == ("cat", "dog")
    assert collection.splits == {"a": "train", "b": "test", "c": "train"}
    assert [path.name for path in collection.runs] == ["good.csv"]


def test_a_part_holds_the_items_of_its_split(folder: Path) -> None:
    part = cf.read_collection(folder).part("train")
    assert part.items == ("a", "c")
    assert part.truth.labels.tolist() == [[True, False], [True, True]]
    assert part.name == "photos/train"


def test_a_part_that_is_not_there_is_an_error_that_names_the_others(folder: Path) -> None:
    with pytest.raises(cf.InputError, match="'test', 'train'"):
        cf.read_collection(folder).part("dev")


def test_splits_must_fit_the_truth(folder: Path) -> None:
    (folder / "splits.csv").write_text("item,split\na,train\nstranger,test\n")
    with pytest.raises(cf.FileError, match=r"splits\.csv:3: item 'stranger'"):
        cf.read_collection(folder)


def test_a_single_file_is_a_collection_too(folder: Path) -> None:
    collection = cf.read_collection(folder / "truth.txt")
    assert collection.name == "truth"
    assert collection.runs == ()


def test_two_truths_are_one_too_many(folder: Path) -> None:
    (folder / "truth.csv").write_text("item,cat\na,1\n")
    with pytest.raises(cf.FileError, match="2 truths"):
        cf.read_collection(folder)


def test_the_truth_and_runs_of_a_folder_may_be_folders(tmp_path: Path) -> None:
    truth = cf.Truth([[1, 0], [0, 1]], items=["a", "b"], concepts=["cat", "dog"])
    run = cf.Run([[0.9, 0.1], [0.2, 0.8]], items=["a", "b"], concepts=["cat", "dog"])
    (tmp_path / "runs").mkdir()
    cf.write_truth(truth, tmp_path / "truth.voc", "voc")
    cf.write_run(run, tmp_path / "runs" / "mine", "voc")
    (tmp_path / "runs" / "notes").mkdir()
    collection = cf.read_collection(tmp_path)
    assert collection.truth.digest == truth.digest
    assert [path.name for path in collection.runs] == ["mine"]
    assert cf.read_run(collection.runs[0], collection).scores.tolist() == run.scores.tolist()
