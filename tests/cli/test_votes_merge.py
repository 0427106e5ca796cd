"""`cranfield votes merge`."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from typer.testing import Result

import cranfield as cf

Cranfield = Callable[..., Result]


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    common = rng.random((20, 1, 3)) < 0.4
    array = (common ^ (rng.random((20, 4, 3)) < 0.15)).astype(float)
    path = tmp_path / "votes.csv"
    cf.Votes.from_array(array, annotators=list("abcd"), concepts=["P", "Q", "R"]).write(path)
    return path


@pytest.mark.parametrize("method", ["majority", "dawid_skene", "weighted_majority"])
def test_the_truth_is_what_the_library_merges(
    votes: Path, tmp_path: Path, cranfield: Cranfield, method: str
) -> None:
    truth = tmp_path / "truth.csv"
    done = cranfield("votes", "merge", votes, "--method", method, "-o", truth, "--json")
    assert done.exit_code == 0, done.output
    found = cf.Votes.read(votes).consensus(method)
    assert (cf.read_truth(truth).labels == found.truth.labels).all()
    told = json.loads(done.stdout)
    assert (told["method"], told["ties"]) == (method, found.ties)
    assert {row["annotator"] for row in told["annotators"]} == set("abcd")


def test_everything_that_merging_knows_can_be_written(
    votes: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    files = {name: tmp_path / f"{name}.csv" for name in ("confidence", "reliability", "map")}
    graded = tmp_path / "graded.npz"
    options = [part for name, path in files.items() for part in (f"--{name}", path)]
    done = cranfield("votes", "merge", votes, *options, "--graded", graded)
    assert done.exit_code == 0, done.output
    assert "reliability" in done.stdout
    rows = list(csv.DictReader(files["confidence"].open()))
    assert len(rows) == 60
    assert all(0.5 <= float(row["confidence"]) <= 1 for row in rows)
    assert len(list(csv.DictReader(files["reliability"].open()))) == 4
    assert cf.read_truth(graded).grades.max() == 10
    assert cf.formats.read_agreement(files["map"]).values.min() >= 0.5


def test_weights_come_from_a_file(votes: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    weights, truth = tmp_path / "weights.csv", tmp_path / "truth.csv"
    weights.write_text("annotator,weight\na,1\nb,0\nc,0\nd,0\n")
    options = ("--method", "weighted_majority", "--weights", weights, "-o", truth)
    assert cranfield("votes", "merge", votes, *options).exit_code == 0
    own = cf.Votes.read(votes).only(annotators=["a"]).merge()
    assert (cf.read_truth(truth).labels == own.labels).all()
    weights.write_text("annotator,weight\na,much\nb,0\nc,0\nd,0\n")
    done = cranfield("votes", "merge", votes, *options)
    assert done.exit_code == 1
    assert "annotator 'a' has the weight 'much'" in done.stderr


def test_impossible_requests_are_refused(votes: Path, cranfield: Cranfield) -> None:
    assert cranfield("votes", "merge", votes, "-o", votes).exit_code == 2
    assert cranfield("votes", "merge", votes, "--weights", votes).exit_code == 2
    assert cranfield("votes", "merge", votes, "--method", "median").exit_code == 2


@pytest.mark.parametrize("method", ["one_coin", "dawid_skene", "mace", "glad"])
def test_a_model_that_did_not_converge_is_told_of(
    method: str, tmp_path: Path, cranfield: Cranfield
) -> None:
    path = tmp_path / "votes.csv"
    answers = np.random.default_rng(0).integers(2, size=(30, 5, 1))
    cf.Votes.from_array(answers, concepts=["Sky"]).write(path)
    options = ("votes", "merge", path, "--method", method)
    few = cranfield(*options, "--iterations", 1)
    assert "did not converge within 1 iteration on 1 question ('Sky')" in " ".join(
        few.stdout.split()
    )
    content = json.loads(cranfield(*options, "--iterations", 1, "--json").stdout)
    assert "did not converge" in content["remarks"][0]
    assert json.loads(cranfield(*options, "--json").stdout)["remarks"] == []


def test_a_label_that_is_asked_by_itself_too_is_told_apart(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    path = tmp_path / "votes.csv"
    path.write_text(
        "item,annotator,concept,value\np,ann,Sky,1\np,bob,Sky,1\np,ann,View,Sky\np,bob,View,Sea\n"
        "p,eve,View,Sky\n"
    )
    assert cf.Votes.read(path).concepts == ("Sky", "Sea", "View: Sky")
    shown = cranfield("votes", "merge", path).stdout
    assert "1 label that other questions ask about too: called 'View: Sky'" in shown
