"""No command writes over what it reads."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import cranfield as cf

Cranfield = Callable[..., Result]
WIDE = "item,sky,sea\na,1,0\nb,0,1\nc,1,1\nd,0,0\n"


@pytest.fixture
def here(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files to read, and a collection folder."""
    shutil.copytree(folder, tmp_path / "small")
    (tmp_path / "small" / "costs").mkdir()
    costs = cf.Ontology.load("pto2009").cost_map()
    cf.formats.write_map(costs, tmp_path / "small" / "costs" / "DDMC.csv")
    for name in ("t.csv", "u.csv", "run.csv", "rules.csv"):
        (tmp_path / name).write_text(WIDE)
    (tmp_path / "groups.csv").write_text("item,group\na,1\nb,1\nc,2\nd,2\n")
    (tmp_path / "names.txt").write_text("sky\nsea\n")
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "one.csv").write_text(WIDE)
    (tmp_path / "soft.csv").symlink_to("t.csv")
    os.link(tmp_path / "t.csv", tmp_path / "hard.csv")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("split t.csv --folds 2 -o t.csv", "--output"),
        ("split t.csv --folds 2 -o ./small/../t.csv", "--output"),
        ("split t.csv --folds 2 -o soft.csv", "--output"),
        ("split soft.csv --folds 2 -o hard.csv", "--output"),
        ("split t.csv --folds 2 --groups groups.csv -o groups.csv", "--output"),
        ("split t.csv --folds 2 --concepts names.txt -o names.txt", "--output"),
        ("split small --folds 2 -o small/truth.txt", "--output"),
        ("split small --folds 2 -o small/concepts.txt", "--output"),
        ("split t.csv --shares t=0.5,x=0.5 --into . --force", "--into"),
        ("split t.csv --folds 2 --into small -o small/1.csv", "--into"),
        ("describe t.csv -o t.csv", "--output"),
        ("describe t.csv u.csv -o u.csv", "--output"),
        ("describe small --csv -o small/truth.txt", "--output"),
        ("describe t.csv -o new.json --picture new.json", "--picture"),
        ("evaluate t.csv run.csv -o t.csv", "--output"),
        ("evaluate t.csv run.csv -o run.csv", "--output"),
        ("evaluate t.csv runs -o runs/one.csv", "--output"),
        ("evaluate small -o small/runs/Random10.txt", "--output"),
        ("evaluate t.csv rules.csv --tables .", "--tables"),
        ("evaluate t.csv rules.csv --report r.html --tables ./small/..", "--tables"),
        ("compare t.csv rules.csv run.csv -m example.F --tables .", "--tables"),
        ("evaluate t.csv run.csv -m example.F -o new/leaderboard.csv --tables new", "--tables"),
        ("evaluate small -m HS -o small/costs/DDMC.csv", "--output"),
    ],
)
def test_writing_over_an_input_is_wrong_usage(
    command: str, option: str, here: Path, cranfield: Cranfield
) -> None:
    before = contents(here)
    said = cranfield(*command.split())
    assert (said.exit_code, said.stdout) == (2, "")
    assert option in said.stderr
    assert "would be lost; name another file" in said.stderr
    assert contents(here) == before


def test_a_picture_spares_a_truth_that_has_its_extension(here: Path, cranfield: Cranfield) -> None:
    assert cranfield("convert", "t.csv", "t.json", "--lossy").exit_code == 0
    said = cranfield("describe", "t.json", "--picture", "t.json")
    assert (said.exit_code, said.stdout) == (2, "")


@pytest.mark.parametrize(
    "command",
    [
        "split small --folds 2 -o small/splits.csv",
        "describe small -o small/description.txt",
        "evaluate small -o small/scores.csv",
        "evaluate t.csv runs -o scores.csv",
        "describe t.csv -o /dev/null --json",
        "convert t.csv t.csv",
        "evaluate t.csv run.csv -m example.F --tables .",
    ],
)
def test_what_lies_beside_inputs_may_be_written_again(
    command: str, here: Path, cranfield: Cranfield
) -> None:
    for _ in range(2):
        said = cranfield(*command.split())
        assert said.exit_code == 0, said.stderr
