"""`convert`: the same content in another format, or an error that says what would be lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from typer.testing import Result

import cranfield as cf
from cranfield import formats

Cranfield = Callable[..., Result]

TRUTH = cf.Truth([[1, 0], [0, 1], [1, 1]], items=["a", "b", "c"], concepts=["cat", "dog"])
SCORES = np.array([[0.5, 0.25], [0.125, 1e-5], [0.75, 0.1]])
RUN = cf.Run(SCORES, name="run", items=TRUTH.items, concepts=TRUTH.concepts)


@pytest.fixture
def truth_file(tmp_path: Path) -> Path:
    cf.write_truth(TRUTH, tmp_path / "truth.csv")
    return tmp_path / "truth.csv"


@pytest.fixture
def run_file(tmp_path: Path) -> Path:
    cf.write_run(RUN, tmp_path / "run.csv")
    return tmp_path / "run.csv"


@pytest.mark.parametrize("out", ["out.tsv", "out.npz", "out.csv.gz"])
def test_a_truth_stays_the_same_truth(out: str, truth_file: Path, cranfield: Cranfield) -> None:
    target = truth_file.with_name(out)
    assert cranfield("convert", truth_file, target).exit_code == 0
    assert cf.read_truth(target).digest == TRUTH.digest


def test_a_file_of_confidences_is_taken_for_a_run(run_file: Path, cranfield: Cranfield) -> None:
    target = run_file.with_name("out.npz")
    said = cranfield("convert", run_file, target)
    assert said.exit_code == 0
    assert "as a run" in said.stdout
    assert cf.read_run(target, TRUTH).digest == RUN.digest


def test_the_result_says_what_was_read_and_written(truth_file: Path, cranfield: Cranfield) -> None:
    target = truth_file.with_name("out.npz")
    said = cranfield("convert", truth_file, target, "--json")
    assert json.loads(said.stdout) == {
        "source": str(truth_file),
        "target": str(target),
        "kind": "truth",
        "left_out": 0,
        "lost": [],
    }
    assert "wrote" in cranfield("convert", truth_file, target).stdout


def test_what_would_be_lost_is_said_and_nothing_written(
    truth_file: Path, cranfield: Cranfield
) -> None:
    target = truth_file.with_name("out.txt")
    said = cranfield("convert", truth_file, target)
    assert said.exit_code == 1
    assert f"{target}: the format text would lose concept ids; write" in said.stderr
    assert "give --lossy" in said.stderr
    assert not target.exists()


def test_lossy_writes_and_says_what_was_lost(truth_file: Path, cranfield: Cranfield) -> None:
    target = truth_file.with_name("out.txt")
    said = cranfield("convert", truth_file, target, "--lossy")
    assert said.exit_code == 0
    assert "lost concept ids" in said.stdout
    assert target.read_text() == "a 1 0\nb 0 1\nc 1 1\n"


def test_grades_and_gaps_are_counted_among_the_losses(tmp_path: Path, cranfield: Cranfield) -> None:
    path = tmp_path / "truth.csv"
    path.write_text("item,cat,dog\na,2,\nb,0,1\n")
    said = cranfield("convert", path, tmp_path / "out.npy")
    assert "item ids, concept ids, grades, 1 unjudged cell" in said.stderr
    assert cranfield("convert", path, tmp_path / "out.npy", "--lossy").exit_code == 0
    assert cf.read_truth(tmp_path / "out.npy").labels.tolist() == [[True, False], [False, True]]


def test_absent_cells_are_lost_by_no_option(tmp_path: Path, cranfield: Cranfield) -> None:
    path = tmp_path / "run.csv"
    path.write_text("item,cat,dog\na,.5,\nb,.1,.2\n")
    said = cranfield("convert", path, tmp_path / "out.txt", "--lossy", "--as", "run")
    assert said.exit_code == 1
    assert "which cells are absent" in said.stderr
    assert "--lossy" not in said.stderr


def test_a_text_run_takes_its_names_from_the_truth(truth_file: Path, cranfield: Cranfield) -> None:
    text, target = truth_file.with_name("r.txt"), truth_file.with_name("r.csv")
    text.write_text("a 0.5 0.25\nb 0.125 1e-05\nc 0.75 0.1\n")
    assert cranfield("convert", text, target, "--against", truth_file).exit_code == 0
    assert target.read_text().startswith("item,cat,dog\n")
    assert cf.read_run(target, TRUTH, name="run").digest == RUN.digest


def test_the_kind_and_the_formats_can_be_said(truth_file: Path, cranfield: Cranfield) -> None:
    target = truth_file.with_name("out.dat")
    said = cranfield(
        "convert", truth_file, target, "--as", "truth", "--from", "csv", "--to", "long"
    )
    assert said.exit_code == 0
    assert target.read_text().startswith("item,concept,value\na,cat,1\n")
    assert cranfield("convert", truth_file, target, "--to", "papyrus").exit_code == 2
    assert cranfield("convert", truth_file, truth_file.with_name("out.xyz")).exit_code == 1


def test_a_broken_truth_is_not_taken_for_a_run(tmp_path: Path, cranfield: Cranfield) -> None:
    path = tmp_path / "truth.csv"
    path.write_text("item,cat\na,0.5\n")
    said = cranfield("convert", path, tmp_path / "out.npz")
    assert said.exit_code == 1
    assert "truth.csv:2" in said.stderr


def test_a_file_may_be_converted_onto_itself(truth_file: Path, cranfield: Cranfield) -> None:
    assert cranfield("convert", truth_file, truth_file, "--to", "long").exit_code == 0
    assert cf.read_truth(truth_file).digest == TRUTH.digest


def test_names_without_descriptions_are_refused(truth_file: Path, cranfield: Cranfield) -> None:
    said = cranfield("convert", truth_file, truth_file.with_name("out.csv"), "--names")
    assert said.exit_code == 1
    assert "no descriptions" in said.stderr


def test_concepts_can_be_called_by_their_descriptions() -> None:
    collection = cf.Collection(TRUTH, descriptions={"cat": "a cat"}, parents={"cat": "dog"})
    called = formats.described(collection, collection.descriptions)
    assert isinstance(called, cf.Collection)
    assert called.concepts == ("a cat", "dog")
    assert called.parents == {"a cat": "dog"}
    assert called.truth.labels.tolist() == TRUTH.labels.tolist()


def test_the_error_told_is_of_what_could_be_read_further(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    truth = tmp_path / "labels.json"
    truth.write_text('{"images": [{"id": 1}],\n"categories": [{"id": 3, "name": "cat"}],\n')
    truth.open("a").write('"annotations": [{"image_id": 2, "category_id": 3}]}\n')
    run = tmp_path / "run.csv"
    run.write_text("item,cat\na,0.5\nb,x\n")
    for command in (("convert", truth, tmp_path / "out.npz"), ("check", truth)):
        assert "labels.json:3: " in cranfield(*command).stderr
    for command in (("convert", run, tmp_path / "out.npz"), ("check", run)):
        assert "run.csv:3: " in cranfield(*command).stderr


def test_what_is_proposed_instead_is_never_what_was_asked_for(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    path = tmp_path / "run.csv"
    path.write_text("item,cat,dog\na,.5,\nb,.1,.2\n")
    said = cranfield("convert", path, tmp_path / "out.txt", "--lossy", "--as", "run").stderr
    proposed = said.partition("; write ")[2].partition(" instead")[0].split(" or ")
    assert "text" not in proposed
    for name in proposed:
        target = tmp_path / f"out-{name}"
        said = cranfield("convert", path, target, "--to", name, "--as", "run")
        assert said.exit_code == 0, said.stderr


def test_decisions_that_become_confidences_are_a_loss(tmp_path: Path, cranfield: Cranfield) -> None:
    decided = cf.Run(labels=[[1, 0]], items=["a"], concepts=["cat", "dog"])
    cf.write_run(decided, tmp_path / "run.npz")
    said = cranfield("convert", tmp_path / "run.npz", tmp_path / "run.csv", "--as", "run")
    assert "that these are decisions" in said.stderr


def test_two_codes_of_one_name_are_told_apart(tmp_path: Path, cranfield: Cranfield) -> None:
    path = tmp_path / "labels.json"
    twice = [{"id": 1, "name": "ball"}, {"id": 2, "name": "ball"}]
    content = {"images": [{"id": 1}], "annotations": [], "categories": twice}
    path.write_text(json.dumps(content))
    said = cranfield("convert", path, tmp_path / "out.csv", "--names", "--lossy")
    assert said.exit_code == 1
    assert f"{path}: with descriptions as names: " in said.stderr
