"""`cranfield curves`: averages, single concepts, every form of the answer, and pictures."""

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

Cranfield = Callable[..., Result]


@pytest.fixture
def small(tmp_path: Path) -> tuple[Path, Path]:
    truth, run = tmp_path / "truth.csv", tmp_path / "run.csv"
    truth.write_text("item,sky,snow\na,1,0\nb,0,0\nc,1,0\nd,0,0\n")
    run.write_text("item,sky,snow\na,0.9,0.1\nb,0.8,0.2\nc,0.4,0.3\nd,0.1,0.4\n")
    return truth, run


# ── what is printed ───────────────────────────────────────────────────────────────────────────


def test_without_a_concept_precision_is_averaged_at_eleven_levels(
    folder: Path, cranfield: Cranfield
) -> None:
    rows = list(csv.DictReader(io.StringIO(cranfield("curves", folder, "--csv").stdout)))
    collection = formats.read_collection(folder)
    run = formats.read_run(folder / "runs" / "Random50.txt", collection, name="Random50")
    (curve,) = cf.curves(collection, run, average="recall")
    mine = [float(row["precision"]) for row in rows if row["run"] == "Random50"]
    assert mine == pytest.approx(curve.precision.tolist())


def test_a_concept_is_followed_point_by_point(
    small: tuple[Path, Path], cranfield: Cranfield
) -> None:
    said = cranfield("curves", *small, "--concept", "sky")
    assert said.exit_code == 0, said.stderr
    lines = [" ".join(line.split()) for line in said.stdout.splitlines()]
    assert "run: sky" in lines
    assert "1 0.9 1.0000 0.5000 1.0000 0.0000" in lines
    assert "3 0.4 0.6667 1.0000 0.6667 0.5000" in lines
    assert "with its own decisions: precision 0.5000, recall 0.5000, fallout 0.5000" in lines


def test_a_threshold_moves_the_operating_point(
    small: tuple[Path, Path], cranfield: Cranfield
) -> None:
    said = cranfield("curves", *small, "--concept", "sky", "--threshold", 0.3, "--json")
    (curve,) = json.loads(said.stdout)["curves"]
    assert curve["operating"] == pytest.approx({"precision": 2 / 3, "recall": 1.0, "fallout": 0.5})


def test_json_says_how_equals_count_and_what_has_no_curve(
    small: tuple[Path, Path], cranfield: Cranfield
) -> None:
    told = json.loads(cranfield("curves", *small, "--average", "none", "--json").stdout)
    assert (told["average"], told["ties"]) == ("none", "grouped")
    assert [curve["concept"] for curve in told["curves"]] == ["sky"]
    assert [point["rank"] for point in told["curves"][0]["points"]] == [1, 2, 3, 4]
    assert told["notes"] == ["without positives, so without a curve: 'snow'"]


def test_ranks_are_averaged_at_those_given(folder: Path, cranfield: Cranfield) -> None:
    options = ("--average", "ranks", "--at", "10,1", "--csv")
    rows = list(csv.DictReader(io.StringIO(cranfield("curves", folder, *options).stdout)))
    assert [row["rank"] for row in rows if row["run"] == "Random0"] == ["1", "10"]


def test_a_narrow_screen_shows_all_runs_in_several_tables(
    folder: Path, cranfield: Cranfield
) -> None:
    said = cranfield("curves", folder, "--average", "ranks", columns=80).stdout
    assert max(map(len, said.splitlines())) <= 80
    for run in (folder / "runs").iterdir():
        assert run.stem in said


def test_long_curves_are_cut_on_the_screen_and_say_so(folder: Path, cranfield: Cranfield) -> None:
    said = cranfield("curves", folder, "--average", "pooled").stdout
    assert "more points in CSV and JSON" in said


# ── pictures ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--kind", "roc"),
        ("--concept", "Sky", "--interpolated"),
        ("--concept", "Sky", "--concept", "Day", "--kind", "roc"),
        ("--average", "ranks"),
    ],
)
def test_all_runs_are_drawn_in_one_picture(
    options: tuple[str, ...], folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    pytest.importorskip("vl_convert")
    path = tmp_path / "curves.svg"
    said = cranfield("curves", folder, *options, "--picture", path)
    assert said.exit_code == 0, said.stderr
    assert f"wrote {path}" in said.stderr
    drawn = path.read_text()
    for run in (folder / "runs").iterdir():
        assert run.stem in drawn


# ── what is refused ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--kind", "roc", "--average", "ranks"), 2, "ROC curves are of single concepts"),
        (("--average", "pooled", "--concept", "sky"), 2, "takes the cells of all concepts"),
        (("--at", "5", "--average", "none"), 2, "give --average ranks or --average recall"),
        (("--average", "ranks", "--at", "5,0"), 2, "ranks from 1"),
        (("--average", "recall", "--at", "half"), 2, "levels of recall from 0 to 1"),
        (("--average", "ranks", "--ties", "grouped"), 1, "choose 'expected'"),
        (("--concept", "moon"), 1, "there is no concept 'moon'"),
        (("--picture", "curves.gif"), 2, "is no picture"),
        (("--concept", "snow", "--picture", "x.json"), 1, "there is nothing to draw"),
    ],
)
def test_what_cannot_be_done_is_said(
    options: tuple[str, ...],
    code: int,
    said: str,
    small: tuple[Path, Path],
    cranfield: Cranfield,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(small[0].parent)
    answer = cranfield("curves", *small, *options)
    assert answer.exit_code == code
    assert said in " ".join(answer.stderr.split())


def test_nothing_that_is_read_is_written_over(
    small: tuple[Path, Path], cranfield: Cranfield
) -> None:
    truth = small[0].rename(small[0].with_suffix(".json"))
    assert cranfield("curves", truth, small[1], "--picture", truth).exit_code == 2
