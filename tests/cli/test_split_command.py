"""`cranfield split`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from typer.testing import Result

import cranfield as cf
from cranfield.formats.splits import read_splits

Cranfield = Callable[..., Result]


def parts(text: str) -> dict[str, str]:
    header, *lines = text.splitlines()
    assert header == "item,split"
    return dict(line.split(",") for line in lines)


def test_the_parts_go_to_standard_output_and_the_report_beside_it(
    folder: Path, cranfield: Cranfield
) -> None:
    said = cranfield("split", folder, "--shares", "0.8,0.2", "--seed", 3)
    assert said.exit_code == 0, said.stderr
    assert parts(said.stdout) == cf.split(cf.read_collection(folder), [0.8, 0.2], seed=3).by_item
    assert "96" in said.stderr
    assert "first-order iterative stratification, seed 3" in said.stderr


def test_named_shares_and_folds(folder: Path, cranfield: Cranfield) -> None:
    named = cranfield("split", folder / "truth.txt", "--shares", "a=0.5, b=0.25,c=0.25")
    found = list(parts(named.stdout).values())
    assert [found.count(name) for name in "abc"] == [60, 30, 30]
    folds = cranfield("split", folder, "--folds", 5, "--order", 2)
    assert sorted(set(parts(folds.stdout).values())) == list("12345")
    assert "second-order" in folds.stderr


def test_written_elsewhere_the_report_is_the_output(
    folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    path = tmp_path / "splits.csv"
    said = cranfield("split", folder, "--folds", 3, "-o", path)
    assert said.exit_code == 0, said.stderr
    assert f"wrote {path}" in said.stderr
    assert "mean difference of odds from the whole: LD" in said.stdout
    items = cf.read_truth(folder / "truth.txt").items
    assert set(read_splits(path, items).values()) == {"1", "2", "3"}


def test_json_holds_the_report_and_the_parts_unless_written_elsewhere(
    folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    said = cranfield("split", folder, "--shares", "0.5,0.5", "--json")
    read = json.loads(said.stdout)
    split = cf.split(cf.read_collection(folder), [0.5, 0.5])
    assert read["items"] == split.by_item
    assert read["seed"] == 0
    assert read["overall"] == json.loads(split.report.to_json())["overall"]
    said = cranfield("split", folder, "--shares", "0.5,0.5", "--json", "-o", tmp_path / "s.csv")
    assert json.loads(said.stdout) == {key: read[key] for key in read if key != "items"}


def test_parts_are_written_in_the_format_of_the_file(
    folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    into = tmp_path / "new" / "parts"
    said = cranfield("split", folder, "--shares", "train=0.75,test=0.25", "--into", into)
    assert said.exit_code == 0, said.stderr
    assert sorted(path.name for path in into.iterdir()) == ["concepts.txt", "test.txt", "train.txt"]
    whole = cf.read_collection(folder)
    split = cf.split(whole, {"train": 0.75, "test": 0.25})
    for name in split.names:
        written = cf.read_truth(
            into / f"{name}.txt", concepts=(into / "concepts.txt").read_text().split()
        )
        assert written.digest == split.part(name).digest


@pytest.mark.parametrize("ending", ["csv", ".npz", "tsv.gz"])
def test_parts_are_written_as_asked(
    folder: Path, tmp_path: Path, cranfield: Cranfield, ending: str
) -> None:
    said = cranfield("split", folder, "--folds", 2, "--into", tmp_path, "--ending", ending)
    assert said.exit_code == 0, said.stderr
    suffix = ending.removeprefix(".")
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"1.{suffix}", f"2.{suffix}"]
    split = cf.folds(cf.read_collection(folder), 2)
    assert cf.read_truth(tmp_path / f"2.{suffix}").digest == split.part("2").digest


def test_unjudged_cells_and_long_files_survive(tmp_path: Path, cranfield: Cranfield) -> None:
    path = tmp_path / "labels.csv"
    cells = ((f"i{n}", concept) for n in range(12) for concept in ("cat", "dog")[: 1 + n % 2])
    lines = [f"{item},{concept},{len(item) % 2}\n" for item, concept in cells]
    path.write_text("item,concept,value\n" + "".join(lines))
    said = cranfield("split", path, "--shares", "0.5,0.5", "--into", tmp_path / "parts")
    assert said.exit_code == 0, said.stderr
    assert (tmp_path / "parts" / "train.csv").read_text().startswith("item,concept,value\n")
    split = cf.split(cf.read_truth(path), [0.5, 0.5])
    for name in split.names:
        written = cf.read_truth(tmp_path / "parts" / f"{name}.csv")
        assert written.digest == split.part(name).digest


def test_nothing_is_replaced_unless_forced(
    folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    (tmp_path / "test.csv").write_text("mine")
    words = ("split", folder, "--shares", "0.5,0.5", "--into", tmp_path, "--ending", "csv")
    said = cranfield(*words)
    assert said.exit_code == 1
    assert f"{tmp_path / 'test.csv'}: is there already" in said.stderr
    assert (tmp_path / "test.csv").read_text() == "mine"
    assert not (tmp_path / "train.csv").exists()
    assert cranfield(*words, "--force").exit_code == 0
    assert len(cf.read_truth(tmp_path / "test.csv").items) == 60


def test_only_files_that_would_be_written_stand_in_the_way(
    folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    (tmp_path / "concepts.txt").write_text("mine")
    words = ("split", folder, "--folds", 2, "--into", tmp_path)
    assert cranfield(*words).exit_code == 1  # text has no names, so they go to concepts.txt
    assert cranfield(*words, "--ending", "csv").exit_code == 0
    assert (tmp_path / "concepts.txt").read_text() == "mine"


def test_groups_are_read_from_a_file(folder: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    items = cf.read_truth(folder / "truth.txt").items
    group_of = {item: f"g{n % 30}" for n, item in enumerate(items)}
    path = tmp_path / "groups.csv"
    path.write_text("item,group\n" + "".join(f"{i},{g}\n" for i, g in group_of.items()))
    found = parts(cranfield("split", folder, "--folds", 3, "--groups", path).stdout)
    for group in set(group_of.values()):
        assert len({found[item] for item in items if group_of[item] == group}) == 1
    path.write_text("item,group\nstranger,1\n")
    said = cranfield("split", folder, "--folds", 3, "--groups", path)
    assert said.exit_code == 1
    assert f"{path}:2: item 'stranger' is not in the truth" in said.stderr


def test_a_note_says_what_could_not_be_kept(tmp_path: Path, cranfield: Cranfield) -> None:
    np.savez(tmp_path / "truth.npz", labels=np.eye(6, dtype=np.int8))
    (tmp_path / "groups.csv").write_text("item,group\n" + "".join(f"{n},1\n" for n in range(6)))
    said = cranfield(
        "split", tmp_path / "truth.npz", "--folds", 2, "--groups", tmp_path / "groups.csv"
    )
    assert "1 group found no part with room enough" in said.stderr
    assert "'2' has no items" in said.stderr or "'1' has no items" in said.stderr


def test_a_part_that_gets_no_item_is_named(tmp_path: Path, cranfield: Cranfield) -> None:
    path = tmp_path / "truth.csv"
    path.write_text("item,sky\na,1\nb,1\nc,0\nd,0\n")
    words = ("split", path, "--shares", "0.9,0.1")
    lack = "'test' has no items: 4 items cannot be dealt out so; enlarge small shares"
    assert lack in cranfield(*words).stderr
    (note,) = json.loads(cranfield(*words, "--json").stdout)["notes"]
    assert note.startswith(lack)
    refused = cranfield(*words, "--into", tmp_path / "parts", "-o", tmp_path / "s.csv", "--json")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert f"{path}: {lack}" in refused.stderr
    assert list(tmp_path.iterdir()) == [path]


def test_long_names_are_folded_and_frequencies_stay(tmp_path: Path, cranfield: Cranfield) -> None:
    path = tmp_path / "truth.csv"
    path.write_text(f"item,{'a' * 200}\nx,1\ny,1\nz,0\nw,0\n")
    said = cranfield("split", path, "--folds", 2, "-o", tmp_path / "s.csv", columns=80)
    assert said.stdout.count("0.5000") >= 3
    assert all(len(line) <= 80 for line in said.stdout.splitlines())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "give either --shares, such as 0.8,0.2, or --folds"),
        (("--shares", "0.8,0.2", "--folds", 5), "leave out --folds or this one"),
        (("--shares", "0.8,0.3"), "the shares sum to 1.1; they must sum to 1"),
        (("--shares", "0.8;0.2"), "the share of '1' is '0.8;0.2'"),
        (("--shares", "80%,20%"), "the share of 'train' is '80%'"),
        (("--shares", "a=0.5,0.5"), "name all parts, each differently, or none"),
        (("--shares", "a=0.5,a=0.5"), "name all parts, each differently"),
        (("--shares", "1"), "at least two"),
        (("--folds", 1), "'--folds'"),
        (("--folds", 2, "--order", 3), "'--order'"),
        (("--folds", 2, "--ending", "csv"), "give --into too"),
        (("--folds", 2, "--into", "x", "--ending", "doc"), "the extension '.doc' says no format"),
        (("--shares", "../a=0.5,b=0.5", "--into", "x"), "cannot be the name of a file"),
    ],
)
def test_wrong_usage_is_said_before_anything_is_read(
    words: tuple[object, ...], message: str, cranfield: Cranfield
) -> None:
    said = cranfield("split", "nowhere.csv", *words)
    assert said.exit_code == 2
    assert message in said.stderr


def test_more_folds_than_items_are_refused(folder: Path, cranfield: Cranfield) -> None:
    said = cranfield("split", folder, "--folds", 121)
    assert said.exit_code == 1
    assert "121 folds of 120 items leave some empty" in said.stderr


def test_a_bad_file_is_refused_like_everywhere(tmp_path: Path, cranfield: Cranfield) -> None:
    path = tmp_path / "truth.csv"
    path.write_text("item,cat\na,1\nb,2.5\n")
    for more in ((), ("--into", tmp_path / "parts")):
        said = cranfield("split", path, "--folds", 2, *more)
        assert said.exit_code == 1
        assert f"{path}:3: " in said.stderr
    assert not (tmp_path / "parts").exists()
