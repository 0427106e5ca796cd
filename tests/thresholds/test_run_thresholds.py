"""Thresholds of single runs: typed, in files, and in a collection's runs.csv."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

import cranfield as cf

LOGITS = [[-1.0, 2.0], [0.5, -0.5], [3.0, 0.0]]
SHARES = [[0.3, 0.9], [0.6, 0.4], [0.9, 0.2]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run of logits, one of probabilities, and their truth."""
    (tmp_path / "truth.csv").write_text("item,cat,dog\na,0,1\nb,1,0\nc,1,1\n")
    (tmp_path / "runs").mkdir()
    for name, scores in (("logits", LOGITS), ("shares", SHARES)):
        rows = "".join(f"{item},{x},{y}\n" for item, (x, y) in zip("abc", scores, strict=True))
        (tmp_path / "runs" / f"{name}.csv").write_text(f"item,cat,dog\n{rows}")
    return tmp_path


def read(folder: Path, text: str) -> cf.statistics.Thresholds | cf.statistics.RunThresholds:
    path = folder / "thresholds.csv"
    path.write_text(text)
    return cf.formats.read_thresholds(path)


def decisions(folder: Path, thresholds: object) -> dict[str, list[list[bool]]]:
    collection = cf.read_collection(folder)
    runs = cf.read_runs(collection.runs, collection, threshold=thresholds)
    return {run.name: np.asarray(run.assigned).tolist() for run in runs}


AT_0 = [[False, True], [True, False], [True, True]]
AT_05 = [[False, True], [True, False], [True, False]]


def test_a_run_decides_by_its_own_threshold(folder: Path) -> None:
    thresholds = read(folder, "run,threshold\nlogits,0\nshares,0.5\n")
    assert decisions(folder, thresholds) == {"logits": AT_0, "shares": AT_05}


def test_a_run_without_one_decides_as_it_did(folder: Path) -> None:
    thresholds = read(folder, "run,group,threshold\nshares,us,\nlogits,them,0\n")
    assert decisions(folder, thresholds) == {"logits": AT_0, "shares": AT_05}


def test_each_concept_of_a_run_may_have_its_own(folder: Path) -> None:
    text = "run,concept,threshold\nlogits,cat,0\nlogits,dog,1\nshares,dog,0.3\nshares,cat,0.8\n"
    found = decisions(folder, read(folder, text))
    assert found["logits"] == (np.array(LOGITS) >= [0, 1]).tolist()
    assert found["shares"] == (np.array(SHARES) >= [0.8, 0.3]).tolist()


def test_a_file_by_concept_serves_all_runs(folder: Path) -> None:
    found = decisions(folder, read(folder, "concept,threshold\ndog,0.3\ncat,0.8\n"))
    assert found["shares"] == (np.array(SHARES) >= [0.8, 0.3]).tolist()
    assert found["logits"] == (np.array(LOGITS) >= [0.8, 0.3]).tolist()


def test_one_threshold_serves_all_other_runs(folder: Path) -> None:
    found = decisions(folder, cf.statistics.RunThresholds({"logits": 0.0}, others=0.6))
    assert found == {"logits": AT_0, "shares": (np.array(SHARES) >= 0.6).tolist()}


def test_they_apply_to_runs_in_memory_whatever_those_decided() -> None:
    thresholds = cf.statistics.RunThresholds({"logits": 0.0})
    decided = cf.Run(LOGITS, labels=np.ones((3, 2)), name="logits", group="us")
    run = thresholds.apply(decided)
    assert np.asarray(run.assigned).tolist() == AT_0
    assert (run.group, run.labels) == ("us", None)
    assert run.digest == cf.Run(LOGITS, name="logits", threshold=0.0).digest
    assert decided.digest != run.digest
    other = cf.Run(SHARES, name="shares")
    assert thresholds.apply(other) is other


def test_the_folder_tells_thresholds_of_its_runs(folder: Path) -> None:
    (folder / "runs.csv").write_text(
        "run,group,threshold,seconds\nlogits,us,0,12\nshares,them,,3\n"
    )
    assert decisions(folder, None) == {"logits": AT_0, "shares": AT_05}
    assert (
        decisions(folder, cf.statistics.RunThresholds({"logits": 1.0}))["logits"]
        == (np.array(LOGITS) >= 1).tolist()
    )


def test_a_table_of_runs_need_not_tell_thresholds(folder: Path) -> None:
    (folder / "runs.csv").write_text("run,group\nlogits,us\n")
    assert cf.read_collection(folder).thresholds == {}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("run,threshold\nlogits,0\nlogits,1\n", r"csv:3: run 'logits' stands on line 2 already"),
        ("run,threshold\nlogits,high\n", r"csv:2: the threshold is 'high'; write a finite number"),
        ("run,threshold\nlogits,nan\n", r"csv:2: the threshold is 'nan'"),
        ("run,concept,threshold\nlogits,cat,\n", r"csv:2: the threshold is missing"),
        ("run,concept,threshold\nlogits,,1\n", r"csv:2: a run or concept is missing"),
        (
            "run,concept,threshold\nx,cat,1\nx,cat,2\n",
            r"csv:3: run 'x', concept 'cat', stands on line 2 already",
        ),
        ("run,threshold\nlogits,0,1\n", r"csv:2: 3 fields, where the header has 2"),
        ("run,threshold\n", r"csv: has a header and nothing below it"),
        ("run,cut\nlogits,0\n", r"csv:1: the header is 'run,cut'; write concept,threshold or run"),
        ("system,threshold\nlogits,0\n", r"csv:1: the header is 'system,threshold'; write concept"),
    ],
)
def test_a_broken_file_is_told_with_its_line(folder: Path, text: str, said: str) -> None:
    with pytest.raises(cf.FileError, match=said):
        read(folder, text)


def test_a_threshold_of_no_run_is_an_error(folder: Path) -> None:
    with pytest.raises(cf.InputError, match="a threshold of 'logit', but no such run; runs: 'log"):
        decisions(folder, cf.statistics.RunThresholds({"logit": 0.0}))
    (folder / "runs.csv").write_text("run,threshold\nlogits,0\nshare,0.5\n")
    with pytest.raises(cf.FileError, match=r"runs\.csv:3: run 'share' is not in the folder runs"):
        cf.read_collection(folder)


def test_a_concept_without_a_threshold_is_an_error(folder: Path) -> None:
    thresholds = read(folder, "run,concept,threshold\nlogits,cat,0\n")
    with pytest.raises(
        cf.InputError, match="'logits': 1 concept of the run without a value: 'dog'"
    ):
        decisions(folder, thresholds)


# -- Thresholds that decide nothing ------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "threshold", "answer"),
    [
        (SHARES, 0.0, "the threshold 0 makes every decision of the run a yes"),
        (SHARES, 0.2, "the threshold 0.2 makes every decision of the run a yes"),
        (SHARES, 0.95, "the threshold 0.95 makes every decision of the run a no"),
        ([[0.1, 0.2]] * 3, None, "the threshold 0.5 makes every decision of the run a no"),
        (SHARES, [0.3, 0.2], "its thresholds make every decision of the run a yes"),
        (SHARES, np.ones((3, 2)), "its thresholds make every decision of the run a no"),
        (csr_array(SHARES), 0.1, "the threshold 0.1 makes every decision of the run a yes"),
        (csr_array(SHARES), 2.0, "the threshold 2 makes every decision of the run a no"),
        (np.float32(SHARES), np.float32(0.2), "the threshold 0.2 makes every decision"),
        (SHARES, 0.21, None),
        (SHARES, [0.31, 0.2], None),
        (csr_array([[0.9, 0], [0.8, 0.7], [0, 0.6]]), 0.5, None),
    ],
)
def test_a_threshold_that_decides_everything_alike_is_noted(
    scores: object, threshold: object, answer: str | None
) -> None:
    truth = cf.Truth([[0, 1], [1, 0], [1, 1]])
    result = cf.evaluate(
        truth, cf.Run(scores, threshold=threshold), ["example.F", "micro.P", "concept.AP"]
    )
    for measure in ("example.F", "micro.P"):
        notes = "; ".join(result.score("run", measure).notes)
        assert answer in notes if answer is not None else "every decision" not in notes
    assert "every decision" not in "; ".join(result.score("run", "concept.AP").notes)


def test_it_is_seen_wherever_the_odd_cell_stands() -> None:
    scores = np.ones((20_000, 3), dtype=np.float32)
    assert cf.Run(scores, threshold=0.5).one_sided is not None
    scores[-1, -1] = 0
    assert cf.Run(scores, threshold=0.5).one_sided is None


def test_decisions_of_its_own_are_no_threshold() -> None:
    assert cf.Run(SHARES, labels=np.ones((3, 2))).one_sided is None
    assert cf.Run(labels=np.zeros((3, 2))).one_sided is None


def test_a_part_is_looked_at_on_its_own() -> None:
    run = cf.Run(SHARES, items="abc", threshold=0.35)
    assert run.one_sided is None
    assert run.select(items=["b"]).one_sided is not None


@pytest.mark.parametrize(
    "content", ['{"x": ' + "[" * 100_000, '{"thresholds": 1}', "{}", '{"a": NaN']
)
def test_json_that_holds_no_thresholds_is_refused_with_advice(content: str, tmp_path: Path) -> None:
    path = tmp_path / "thresholds.json"
    path.write_text(content)
    with pytest.raises(cf.CranfieldError, match="CSV"):
        cf.formats.read_thresholds(path)
