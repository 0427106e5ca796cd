"""`cranfield describe`: one collection, two of them, and every form of the answer."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import cranfield as cf
from cranfield import formats
from cranfield.show import vega

Cranfield = Callable[..., Result]


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    path = tmp_path / "photos.csv"
    path.write_text("item,sky,Park_Garden,snow\na,1,1,0\nb,1,1,0\nc,1,0,0\nd,0,0,0\n")
    return path


@pytest.fixture
def others(tmp_path: Path) -> Path:
    path = tmp_path / "others.csv"
    path.write_text("item,park garden,sky,cat\nb,1,0,1\nx,1,1,1\n")
    return path


# --- one collection ---


def test_the_facts_are_on_the_screen(photos: Path, cranfield: Cranfield) -> None:
    said = cranfield("describe", photos)
    assert said.exit_code == 0, said.stderr
    lines = [" ".join(line.split()) for line in said.stdout.splitlines()]
    assert "photos" in lines
    assert "cardinality 1.2500 mean number of labels per item" in lines
    assert "sky 3 ███████████████ 75.0 % 1.00" in lines
    assert "snow 0 0.0 % –" in lines
    assert "concepts never positive 1 'snow'" in lines


def test_json_is_what_the_library_says(folder: Path, cranfield: Cranfield) -> None:
    said = cranfield("describe", folder, "--json", "--top", 3)
    description = cf.describe(formats.read_collection(folder), pairs=3)
    assert json.loads(said.stdout) == json.loads(description.to_json())
    assert said.stderr == ""


def test_csv_has_a_line_for_each_concept_in_the_order_of_the_file(
    photos: Path, cranfield: Cranfield
) -> None:
    rows = list(csv.DictReader(io.StringIO(cranfield("describe", photos, "--csv").stdout)))
    assert [row["concept"] for row in rows] == ["sky", "Park_Garden", "snow"]
    assert [row["positives"] for row in rows] == ["3", "2", "0"]
    assert [row["imbalance"] for row in rows] == ["1.0", "1.5", ""]


def test_as_many_pairs_are_listed_as_are_wanted(folder: Path, cranfield: Cranfield) -> None:
    heading = "Concepts that occur together"
    for wanted in (0, 1, 4):
        said = cranfield("describe", folder, "--top", wanted).stdout
        table = said.partition(heading)[2].partition("Most frequent label sets")[0]
        rows = [line for line in table.splitlines() if line.count("%") == 2]
        assert len(rows) == wanted
        assert (heading in said) == (wanted > 0)


def test_files_are_written_as_their_extension_says(photos: Path, cranfield: Cranfield) -> None:
    for extension, flag in ((".json", "--json"), (".csv", "--csv"), (".txt", None)):
        path = photos.with_name(f"out{extension}")
        said = cranfield("describe", photos, "-o", path)
        assert (said.exit_code, said.stdout) == (0, "")
        printed = cranfield("describe", photos, *([flag] if flag else [])).stdout
        assert path.read_text().split() == printed.split()


def test_names_without_a_file_of_them_come_from_concepts(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    (tmp_path / "truth.txt").write_text("a 1 0\nb 1 1\n")
    (tmp_path / "names.txt").write_text("sky\nsea\n")
    said = cranfield("describe", tmp_path / "truth.txt", "--concepts", tmp_path / "names.txt")
    assert "sky" in said.stdout


def test_of_hundreds_of_concepts_the_most_frequent_and_the_rarest_are_shown(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    made = cranfield("simulate", tmp_path / "wide", "--concepts", 300, "--items", 50)
    assert made.exit_code == 0, made.stderr
    said = cranfield("describe", tmp_path / "wide")
    assert "250 concepts are not shown; CSV and JSON hold all of them" in said.stdout


def test_with_gaps_it_is_said_what_frequencies_are_shares_of(
    photos: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    path = tmp_path / "partly.csv"
    path.write_text("item,concept,value\na,sky,1\na,sea,0\nb,sea,1\n")
    share = "frequencies are shares of all items, whether they were judged or not"
    said = cranfield("describe", path).stdout
    lines = [" ".join(line.split()) for line in said.splitlines()]
    assert "sky 1 ██████████ 50.0 % 1.00 1" in lines
    assert share in lines
    assert "concepts positive wherever judged 1 'sky'" in lines
    assert "never negative" not in said
    assert share in cranfield("describe", photos, path).stdout
    assert share not in cranfield("describe", photos).stdout
    told = cranfield("describe", path, "--json")
    assert json.loads(told.stdout)["cells"]["unjudged"] == 1
    assert told.stderr == ""


@pytest.mark.parametrize("length", [67, 200])
def test_long_names_are_folded_and_numbers_stay(
    tmp_path: Path, length: int, cranfield: Cranfield
) -> None:
    path = tmp_path / f"{'n' * length}.csv"
    path.write_text(f"item,{'a' * length},{'b' * length}\nx,1,1\ny,1,1\nz,0,1\nw,0,0\n")
    one = cranfield("describe", path, columns=80).stdout
    two = cranfield("describe", path, path, columns=80).stdout
    assert all(len(line) <= 80 for line in (one + two).splitlines())
    for number in ("0.577", "0.667", "66.7 %", "1.33"):
        assert number in one
    assert two.count("███████▌") == 2
    assert two.count("75.0 %") == 2
    assert one.replace("\n", "").replace(" ", "").count("a" * 20) > 0


# --- two collections ---


def test_two_collections_stand_side_by_side(
    photos: Path, others: Path, cranfield: Cranfield
) -> None:
    said = cranfield("describe", photos, others)
    assert said.exit_code == 0, said.stderr
    lines = [" ".join(line.split()) for line in said.stdout.splitlines()]
    assert "items 4 2" in lines
    assert "concepts 2 1 of them nearly" in lines
    assert "coverage 66.7% of the concepts of photos" in lines
    assert "agreement 50.0% of 2 cells that both judged have equal labels" in lines
    assert "Park_Garden (park garden) █████ 50.0 % ██████████ 100.0 % 100.0 %" in lines
    assert "cat ██████████ 100.0 %" in lines


def test_json_of_two_holds_both_and_what_they_share(
    photos: Path, others: Path, cranfield: Cranfield
) -> None:
    told = json.loads(cranfield("describe", photos, others, "--json").stdout)
    one, other = (formats.read_collection(path) for path in (photos, others))
    assert [side["collection"] for side in told["collections"]] == ["photos", "others"]
    assert told == json.loads(cf.overlap(one, other).to_json())
    assert told["overlap"]["shared_concepts"] == 2


def test_csv_of_two_lists_the_concepts_of_both(
    photos: Path, others: Path, cranfield: Cranfield
) -> None:
    said = cranfield("describe", photos, others, "--csv")
    rows = list(csv.DictReader(io.StringIO(said.stdout)))
    assert [(row["concept"], row["other"]) for row in rows] == [
        ("sky", "sky"),
        ("Park_Garden", "park garden"),
        ("snow", ""),
        ("", "cat"),
    ]


def test_collections_without_names_of_concepts_ask_for_them(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    (tmp_path / "truth.txt").write_text("a 1 0\n")
    said = cranfield("describe", tmp_path / "truth.txt", tmp_path / "truth.txt")
    assert said.exit_code == 1
    assert "'truth' has no ids of concepts" in said.stderr
    assert "name them with --concepts" in said.stderr


# --- pictures ---


@pytest.mark.parametrize("extension", [".json", ".svg", ".html"])
def test_a_picture_is_drawn_beside_the_table(
    photos: Path, others: Path, extension: str, cranfield: Cranfield
) -> None:
    for words in ((photos,), (photos, others)):
        path = photos.with_name(f"picture{extension}")
        said = cranfield("describe", *words, "--picture", path)
        assert said.exit_code == 0, said.stderr
        assert "cardinality" in said.stdout
        assert said.stderr == f"wrote {path}\n"
        assert path.stat().st_size > 1000
        path.unlink()


def test_a_picture_that_nobody_can_draw_is_wrong_usage(photos: Path, cranfield: Cranfield) -> None:
    said = cranfield("describe", photos, "--picture", "picture.gif")
    assert (said.exit_code, said.stdout) == (2, "")
    assert ".html, .svg, .png, .pdf, .json" in said.stderr


def test_without_the_extra_nothing_is_done_in_vain(
    photos: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vega, "find_spec", lambda name: None)
    said = cranfield("describe", photos, "--picture", photos.with_name("picture.png"))
    assert (said.exit_code, said.stdout) == (1, "")
    assert "pip install 'cranfield[plots]'" in said.stderr


# --- what goes wrong ---


def test_wrong_usage_is_said_before_anything_is_read(tmp_path: Path, cranfield: Cranfield) -> None:
    for words in (("--json", "--csv"), ("-o", "out.xls"), ("--top", "-1"), ("--format", "xls")):
        said = cranfield("describe", tmp_path / "nowhere.csv", *words)
        assert (said.exit_code, said.stdout) == (2, "")


def test_a_file_that_is_no_truth_is_bad_input(tmp_path: Path, cranfield: Cranfield) -> None:
    (tmp_path / "bad.csv").write_text("item,sky\na,0.5\n")
    said = cranfield("describe", tmp_path / "bad.csv")
    assert (said.exit_code, said.stdout) == (1, "")
    assert "bad.csv:2" in said.stderr
