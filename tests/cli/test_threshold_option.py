"""`--threshold NUMBER|FILE|RUN=NUMBER` on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Cranfield = Callable[..., Result]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "truth.csv").write_text("item,cat,dog\na,0,1\nb,1,0\nc,1,1\n")
    (tmp_path / "runs").mkdir()
    logits = "item,cat,dog\na,-1,2\nb,0.5,-0.5\nc,3,0\n"
    (tmp_path / "runs" / "logits.csv").write_text(logits)
    (tmp_path / "runs" / "shares.csv").write_text("item,cat,dog\na,.3,.9\nb,.6,.4\nc,.9,.2\n")
    return tmp_path


@pytest.fixture
def score(folder: Path, cranfield: Cranfield) -> Callable[..., dict[str, float]]:
    def scored(*words: object) -> dict[str, float]:
        done = cranfield("evaluate", folder, "-m", "micro.R", "--json", *words)
        assert done.exit_code == 0, done.output
        return {row["run"]: row["score"] for row in json.loads(done.stdout)["scores"]}

    return scored


def test_runs_are_cut_each_at_its_own(score: Callable[..., dict[str, float]]) -> None:
    own = score("--threshold", "logits=0")
    assert own == {"logits": 1.0, "shares": 0.75}
    assert score("--threshold", "logits=0", "--threshold", "shares=0.1")["shares"] == 1.0
    assert score("--threshold", "1", "--threshold", "logits=0") == {"logits": 1.0, "shares": 0.0}


def test_searches_cut_each_run_at_its_own(folder: Path, cranfield: Cranfield) -> None:
    words = ("query", "cat", "--truth", folder, "--combine", "boolean", "--json")
    done = cranfield(*words, "-m", "concept.R", "--threshold", "logits=0")
    assert done.exit_code == 0, done.output
    scores = {row["run"]: row["score"] for row in json.loads(done.stdout)["scores"]}
    assert scores == {"logits": 1.0, "shares": 1.0}


def test_files_are_overridden_by_what_is_typed(
    folder: Path, score: Callable[..., dict[str, float]]
) -> None:
    file = folder / "thresholds.csv"
    file.write_text("run,threshold\nlogits,0\nshares,0.1\n")
    assert score("--threshold", file) == {"logits": 1.0, "shares": 1.0}
    assert score("--threshold", file, "--threshold", "shares=0.5")["shares"] == 0.75
    file.write_text("run,concept,threshold\nlogits,cat,0\nlogits,dog,2\n")
    assert score("--threshold", file) == {"logits": 0.75, "shares": 0.75}


def test_the_folder_may_say_it(folder: Path, score: Callable[..., dict[str, float]]) -> None:
    (folder / "runs.csv").write_text("run,threshold\nlogits,0\nshares,\n")
    assert score() == {"logits": 1.0, "shares": 0.75}


@pytest.mark.parametrize(
    ("words", "said", "code"),
    [
        (("logit=0",), "a threshold of 'logit', but no such run; runs: 'logits', 'shares'", 1),
        (("logits=high",), "neither a number nor a file", 2),
        (("logits=inf",), "is not finite", 2),
        (("0", "0.5"), "two thresholds for all runs", 2),
        (("logits=0", "logits=1"), "two thresholds of run 'logits'", 2),
    ],
)
def test_what_makes_no_sense_is_said(
    folder: Path, cranfield: Cranfield, words: tuple[str, ...], said: str, code: int
) -> None:
    options = [text for word in words for text in ("--threshold", word)]
    done = cranfield("evaluate", folder, "-m", "micro.F", *options)
    assert done.exit_code == code
    assert said in done.stderr


def test_a_number_and_a_file_of_concepts_contradict_each_other(
    folder: Path, cranfield: Cranfield
) -> None:
    (folder / "t.csv").write_text("concept,threshold\ncat,0\ndog,0\n")
    done = cranfield("evaluate", folder, "--threshold", "0", "--threshold", folder / "t.csv")
    assert done.exit_code == 1
    assert "t.csv: is a second threshold for all runs" in done.stderr


def test_a_broken_table_of_runs_is_told_by_check(folder: Path, cranfield: Cranfield) -> None:
    (folder / "runs.csv").write_text("run,threshold\nlogits,zero\n")
    done = cranfield("check", folder)
    assert done.exit_code == 1
    assert "runs.csv:2: the threshold is 'zero'" in done.stderr
    (folder / "runs.csv").write_text("run,threshold\nlogits,0\n")
    assert "fine as a table of runs" in cranfield("check", folder).stdout


def test_a_threshold_for_logits_on_probabilities_is_warned_of(
    folder: Path, cranfield: Cranfield
) -> None:
    for words in (
        ("evaluate", folder, "-m", "example.F"),
        ("compare", folder, "-m", "example.F"),
        ("query", "cat", "--truth", folder, "--combine", "boolean", "-m", "concept.F"),
    ):
        done = cranfield(*words, "--threshold", "0")
        assert done.exit_code == 0, done.output
        warning = "run 'shares': the threshold 0 makes every decision of the run a yes"
        assert warning in " ".join(done.output.split())
        assert "run 'logits'" not in done.output
        for form in ("--json", "--csv"):
            assert warning in cranfield(*words, "--threshold", "0", form).stderr
    quiet = cranfield("evaluate", folder, "-m", "concept.AP", "--threshold", "0")
    assert "warning" not in quiet.stderr
