"""`cranfield evaluate --report` and `--tables`: what they write, use and refuse."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Cranfield = Callable[..., Result]
FAST = ("-m", "example.F", "-m", "example.AP")


def test_a_page_and_its_tables_are_written_beside_what_is_printed(
    folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    page, tables = tmp_path / "report.html", tmp_path / "tables"
    given = ("evaluate", folder, *FAST)
    found = cranfield(*given, "--json", "--report", page, "--tables", tables)
    assert found.exit_code == 0, found.output
    assert found.stdout == cranfield(*given, "--json").stdout
    assert f"wrote {page}" in found.stderr
    assert page.read_text().startswith("<!doctype html>")
    assert "<title>small</title>" in page.read_text()
    lines = list(csv.DictReader(io.StringIO((tables / "leaderboard.csv").read_text())))
    scores = {
        one["run"]: one["score"]
        for one in json.loads(found.stdout)["scores"]
        if one["measure"] == "example.F"
    }
    assert {line["run"]: float(line["example.F"]) for line in lines} == scores
    assert (tables / "leaderboard.tex").is_file()


def test_intervals_that_were_asked_for_are_those_of_the_page(
    folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    page = tmp_path / "report.html"
    found = cranfield(
        "evaluate", folder, *FAST, "--intervals", "--confidence", "0.8", "--report", page
    )
    assert found.exit_code == 0, found.output
    assert "its 80% interval" in page.read_text()


def test_slices_that_were_asked_for_are_on_the_page(
    folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    page = tmp_path / "report.html"
    found = cranfield("slices", folder, "-m", "concept.AP", "--by", "frequency", "--report", page)
    assert found.exit_code == 0, found.output
    assert 'id="slices"' in page.read_text()


@pytest.mark.parametrize(
    "options",
    [
        ("--report", "report.pdf"),
        ("--report", "report.html", "--explain", "item1"),
        ("--tables", "tables", "--incomplete", "bounds"),
        ("--report", "report.html", "--style", "trec"),
    ],
)
def test_wrong_words_are_wrong_usage(
    folder: Path, cranfield: Cranfield, options: tuple[str, ...]
) -> None:
    assert cranfield("evaluate", folder, *options).exit_code == 2


def test_a_page_without_a_folder_is_refused_before_anything_is_scored(
    folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    found = cranfield("evaluate", folder, *FAST, "--report", tmp_path / "nowhere" / "report.html")
    assert found.exit_code == 1
    assert "its folder is not there" in found.stderr
    assert not found.stdout
