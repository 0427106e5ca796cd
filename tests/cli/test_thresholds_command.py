"""`cranfield thresholds`, and `--threshold FILE` of `cranfield evaluate`."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from typer.testing import Result

import cranfield as cf
from problems import Problem, problem

Cranfield = Callable[..., Result]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A part to tune on and a part to test on."""
    for name, case in (("dev", problem(1, items=40, values=20)), ("test", problem(2, items=30))):
        write(case, tmp_path, name)
    return tmp_path


def write(case: Problem, folder: Path, name: str) -> None:
    cf.write_truth(case.truth(), folder / f"{name}.csv")
    cf.write_run(cf.Run(case.scores, **case.ids), folder / f"{name}_run.csv")


def tuned(data: Path, **options: object) -> cf.statistics.Thresholds:
    truth = cf.read_truth(data / "dev.csv")
    return cf.tune(truth, cf.read_run(data / "dev_run.csv", truth), **options)  # type: ignore[arg-type]


def test_the_table_shows_each_concept_and_what_it_reaches(data: Path, cranfield: Cranfield) -> None:
    said = cranfield("thresholds", data / "dev.csv", data / "dev_run.csv")
    assert said.exit_code == 0, said.stderr
    wanted = tuned(data)
    row = next(line for line in said.stdout.splitlines() if "c03" in line).split()
    assert float(row[1]) == pytest.approx(wanted["c03"], rel=1e-5)
    wanted = tuned(data, folds=5)
    mean = (
        f"mean of F over 6 concepts: before {wanted.score_before:.4f}, after {wanted.score:.4f}, "
        f"cross-fitted {wanted.score_cross_fitted:.4f}"
    )
    assert mean in " ".join(said.stdout.split())
    assert "optimistic" in said.stdout
    assert "1 concept without a best threshold got that of all cells together" in said.stdout


def test_csv_and_json_hold_the_thresholds_exactly(data: Path, cranfield: Cranfield) -> None:
    files = data / "dev.csv", data / "dev_run.csv"
    wanted = tuned(data, by="youden", folds=5)
    rows = list(
        csv.reader(io.StringIO(cranfield("thresholds", *files, "--by", "youden", "--csv").stdout))
    )
    assert rows[0] == ["concept", "threshold"]
    assert [float(value) for _, value in rows[1:]] == wanted.values.tolist()
    said = json.loads(cranfield("thresholds", *files, "--by", "youden", "--json").stdout)
    assert (said["by"], said["per"], said["score"]) == ("youden", "concept", wanted.score)
    assert said["thresholds"] == list(wanted.rows())
    assert said["notes"] == list(wanted.notes)


def test_a_file_of_thresholds_decides_another_run(data: Path, cranfield: Cranfield) -> None:
    cut = data / "thresholds.csv"
    wrote = cranfield("thresholds", data / "dev.csv", data / "dev_run.csv", "-o", cut)
    assert wrote.exit_code == 0, wrote.stderr
    test = data / "test.csv", data / "test_run.csv"
    said = cranfield("evaluate", *test, "-m", "concept.F", "--threshold", cut, "--json")
    assert said.exit_code == 0, said.stderr
    truth = cf.read_truth(test[0])
    run = tuned(data).apply(cf.read_run(test[1], truth))
    wanted = cf.evaluate(truth, run, "concept.F")["test_run", "concept.F"]
    assert json.loads(said.stdout)["scores"][0]["score"] == wanted


@pytest.mark.parametrize(
    ("name", "decisions_only"), [("d.txt", False), ("d.npz", False), ("d.csv", True)]
)
def test_another_run_is_decided_and_written(
    data: Path, cranfield: Cranfield, name: str, decisions_only: bool
) -> None:
    said = cranfield(
        *("thresholds", data / "dev.csv", data / "dev_run.csv"),
        *("--apply", data / "test_run.csv", "--decisions", data / name),
    )
    assert said.exit_code == 0, said.stderr
    assert ("decisions without confidences" in said.stderr) is decisions_only
    truth = cf.read_truth(data / "test.csv")
    read = cf.read_run(data / name, truth)
    wanted = tuned(data).apply(cf.read_run(data / "test_run.csv", truth)).assigned
    assert np.array_equal(read.assigned, wanted)
    assert "mean of F over" in said.stdout


def test_one_threshold_for_all_by_an_average(data: Path, cranfield: Cranfield) -> None:
    said = cranfield(
        *("thresholds", data / "dev.csv", data / "dev_run.csv"),
        *("--per", "run", "--by", "example.F", "--json"),
    )
    found = json.loads(said.stdout)
    assert found["score"] == tuned(data, by="example.F", per="run").score
    assert len({row["threshold"] for row in found["thresholds"]}) == 1


@pytest.mark.parametrize("concept", ["c03", "all"])
def test_every_threshold_of_a_concept_or_of_all(
    data: Path, cranfield: Cranfield, concept: str
) -> None:
    files = data / "dev.csv", data / "dev_run.csv"
    truth = cf.read_truth(files[0])
    table = cf.statistics.roc_table(
        truth, cf.read_run(files[1], truth), None if concept == "all" else concept
    )
    call = ("thresholds", *files, "--table", concept, "--by", "accuracy")
    best = table.best("accuracy")
    assert best is not None
    shown = cranfield(*call)
    assert f"{best.threshold:.6g}, with {best.value:.4f}" in shown.stdout
    assert shown.stdout.count("\n") > len(table)
    found = json.loads(cranfield(*call, "--json").stdout)
    assert found["best"] == {"threshold": best.threshold, "value": best.value}
    assert found["rows"][0]["threshold"] is None
    assert found["rows"][1:] == list(table.rows())[1:]
    lines = cranfield(*call, "--csv").stdout.splitlines()
    assert lines[0] == "threshold,TP,FP,FN,TN,TPR,FPR,PPV,accuracy,F"
    assert len(lines) == len(table) + 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--apply", "test_run.csv", "-o", "x.txt"], "give --decisions too"),
        (["--apply", "test_run.csv", "--decisions", "x.txt", "--table", "c01"], "leave out --"),
        (["--apply", "test_run.csv", "--decisions", "x.doc"], "doc"),
        (["-o", "x.doc"], "does not say what to write"),
        (["-o", "dev_run.csv"], "is an input"),
        (["--by", "fame"], "there is no measure 'fame'"),
        (["--by", "concept.AP"], "does not judge decisions"),
        (["--by", "example.F"], "for one threshold of the whole run give --per run"),
        (["--per", "item"], "item"),
    ],
)
def test_wrong_usage_is_told_without_a_traceback(
    data: Path,
    cranfield: Cranfield,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(data)
    said = cranfield("thresholds", "dev.csv", "dev_run.csv", *words)
    assert said.exit_code == 2
    assert message in said.stderr
    assert "Traceback" not in said.stderr


def test_bad_input_ends_with_1_and_names_the_file(data: Path, cranfield: Cranfield) -> None:
    said = cranfield("thresholds", data / "dev.csv", data / "dev_run.csv", "--table", "sky")
    assert (said.exit_code, "there is no concept 'sky'" in said.stderr) == (1, True)
    short = data / "short.csv"
    short.write_text("concept,threshold\nc00,0.5\n")
    call = ("evaluate", data / "test.csv", data / "test_run.csv", "-m", "concept.F", "--threshold")
    said = cranfield(*call, short)
    assert said.exit_code == 1
    lacking = "threshold of run 'test_run': 6 concepts of the run without a value: 'c01'"
    assert f"test_run.csv: {lacking}" in said.stderr
    short.write_text("concept,value\nc00,0.5\n")
    said = cranfield(*call, short)
    assert (said.exit_code, "short.csv:1: the header is" in said.stderr) == (1, True)
    for wrong in ("high", "inf"):
        said = cranfield(*call, wrong)
        assert said.exit_code == 2


def test_a_run_of_decisions_has_no_threshold(data: Path, cranfield: Cranfield) -> None:
    case = problem(1, items=40)
    cf.write_run(cf.Run(labels=case.labels, **case.ids), data / "said.npz")
    said = cranfield("thresholds", data / "dev.csv", data / "said.npz")
    assert said.exit_code == 1
    assert "said.npz: run 'said' has decisions and no confidences" in said.stderr


def test_an_ontology_lets_measures_of_meaning_choose(data: Path, cranfield: Cranfield) -> None:
    words = ("thresholds", data / "dev.csv", data / "dev_run.csv", "--by", "OS", "--per", "run")
    lacking = cranfield(*words)
    assert lacking.exit_code == 1
    assert "give --ontology or --costs" in lacking.stderr
    concepts = cf.read_truth(data / "dev.csv").concepts
    tree = cf.Ontology(dict.fromkeys(concepts, ("thing",)) | {"thing": ()})
    tree.write(data / "tree.ttl")
    said = cranfield(*words, "--ontology", data / "tree.ttl", "--json")
    assert said.exit_code == 0, said.stderr
    wanted = tuned(data, by="OS", per="run", ontology=tree)
    assert json.loads(said.stdout)["score"] == wanted.score


def test_all_asks_for_the_table_of_all_cells(data: Path, cranfield: Cranfield) -> None:
    words = ("thresholds", data / "dev.csv", data / "dev_run.csv", "--table", "all", "--csv")
    truth = cf.read_truth(data / "dev.csv")
    table = cf.statistics.roc_table(truth, cf.read_run(data / "dev_run.csv", truth))
    assert len(cranfield(*words).stdout.splitlines()) == len(table) + 1


def test_decisions_keep_to_constraints_or_are_refused(data: Path, cranfield: Cranfield) -> None:
    words = ("thresholds", data / "dev.csv", data / "dev_run.csv", "--by", "R", "--per", "run")
    kept = json.loads(cranfield(*words, "--subject-to", "fallout<=0.05", "--json").stdout)
    free = json.loads(cranfield(*words, "--json").stdout)
    assert kept["score"] < free["score"]
    both = ("--subject-to", "fallout<=0.05", "--subject-to", "P>=1.5")
    refused = cranfield(*words, *both)
    assert refused.exit_code == 2
    assert "P is at most" in " ".join(refused.stderr.split())
    wrong = cranfield(*words, "--subject-to", "fallout=0.05")
    assert wrong.exit_code == 2
    assert "is no constraint" in wrong.stderr


def test_a_table_of_many_thresholds_is_short_unless_all_are_demanded(
    data: Path, cranfield: Cranfield
) -> None:
    words = ("thresholds", data / "dev.csv", data / "dev_run.csv", "--table", "all")
    rows = len(cranfield(*words, "--csv").stdout.splitlines()) - 1
    short, whole = cranfield(*words).stdout, cranfield(*words, "--all").stdout
    if rows > 41:
        assert f"of {rows:,} thresholds are shown" in " ".join(short.split())
        assert len(short.splitlines()) < 60
    assert len(whole.splitlines()) > rows


def test_densities_are_drawn(data: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    words = ("thresholds", data / "dev.csv", data / "dev_run.csv", "--draw", "densities")
    assert cranfield(*words, "--picture", tmp_path / "d.json").exit_code == 0
    assert "negatives" in (tmp_path / "d.json").read_text()
