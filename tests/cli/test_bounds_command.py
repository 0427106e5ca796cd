"""`cranfield evaluate --incomplete`: bounds and estimates from the command line."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import cranfield as cf

Cranfield = Callable[..., Result]


@pytest.fixture
def gappy(tmp_path: Path, cranfield: Cranfield) -> Path:
    """A simulated collection, 30 % of whose cells nobody judged."""
    folder = tmp_path / "gaps"
    asked = ("--items", 40, "--systems", 2, "--random", "none", "--unjudged", 0.3, "--unlawful")
    assert cranfield("simulate", folder, *asked).exit_code == 0
    return folder


def test_bounds_are_those_of_the_library(gappy: Path, cranfield: Cranfield) -> None:
    asked = ("-m", "example.F", "-m", "micro.P")
    done = cranfield("bounds", gappy, *asked, "--json")
    collection = cf.read_collection(gappy)
    runs = [cf.read_run(path, collection) for path in collection.runs]
    expected = cf.bounds(collection, runs, ["example.F", "micro.P"])
    assert json.loads(done.stdout)["bounds"] == expected.rows()


def test_estimates_come_as_csv(gappy: Path, cranfield: Cranfield) -> None:
    done = cranfield("bounds", gappy, "--estimate", "--csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert len(rows) == 10
    assert {row["method"] for row in rows} == {"linear", "ratio", "imputed"}
    assert all(float(row["low"]) <= float(row["estimate"]) <= float(row["high"]) for row in rows)


def test_tables_say_how_much_is_unjudged_and_what_was_assumed(
    gappy: Path, cranfield: Cranfield, tmp_path: Path
) -> None:
    bounds = cranfield("bounds", gappy).stdout
    assert "30.0 % of the cells are unjudged" in bounds
    assert "exact" in bounds
    cranfield("bounds", gappy, "--estimate", "-o", tmp_path / "table.txt")
    assert "random sample" in " ".join((tmp_path / "table.txt").read_text().split())


def test_closing_first_leaves_fewer_cells_open(gappy: Path, cranfield: Cranfield) -> None:
    asked = ("bounds", gappy, "-m", "OS", "--ontology", "pto2009")
    wide = json.loads(cranfield(*asked, "--json").stdout)["bounds"][0]
    done = cranfield(*asked, "--close", "--json")
    narrow = json.loads(done.stdout)["bounds"][0]
    assert narrow["unjudged"] < wide["unjudged"]
    assert "pto2009 resolved" in done.stderr


@pytest.mark.parametrize(
    "options",
    [
        ("--close",),
        ("--estimate", "--close"),
        ("--seed", "3"),
        ("--estimate", "--exact", "3"),
        ("--incomplete", "guess"),
    ],
)
def test_options_that_do_not_go_together_are_wrong_usage(
    gappy: Path, cranfield: Cranfield, options: tuple[str, ...]
) -> None:
    assert cranfield("bounds", gappy, *options).exit_code == 2


def test_what_cannot_be_done_is_told_without_a_traceback(gappy: Path, cranfield: Cranfield) -> None:
    for code, options, said in (
        (2, ("-m", "concept.AUC"), "there are no bounds for concept.AUC"),
        (2, ("--estimate", "-m", "example.AP"), "there are no estimates for example.AP"),
        (2, ("--close",), "it needs an ontology"),
    ):
        done = cranfield("bounds", gappy, *options)
        assert done.exit_code == code
        assert said in " ".join(done.stderr.split())
        assert "Traceback" not in done.stderr
