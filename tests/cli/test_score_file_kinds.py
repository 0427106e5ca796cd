"""Commands about files of scores from elsewhere: check, describe, convert, studies; NPY vectors."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars
import pytest

from cli.conftest import Cranfield
from score_logs import INSPECT, TABLE, inspect_archive, lm_eval_samples, promptfoo_results


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder with a log of each harness, in folders of their own."""
    for name, content in (
        ("inspect/sums.eval", inspect_archive()),
        ("lm/lab__small/samples_sums_2026-05-01T10-00-00.0.jsonl", lm_eval_samples([1, 0, 1])),
        ("lm/lab__large/samples_sums_2026-05-01T11-00-00.0.jsonl", lm_eval_samples([1, 1, 1])),
        ("lm/lab__huge/samples_sums_2026-05-01T12-00-00.0.jsonl", lm_eval_samples([1, 1, 0])),
        ("promptfoo/results.json", promptfoo_results()),
        ("table/scores.csv", TABLE),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return tmp_path


@pytest.mark.parametrize(
    ("folder", "tool"),
    [
        ("inspect", "Inspect"),
        ("lm", "lm-evaluation-harness"),
        ("promptfoo", "promptfoo"),
        ("table", "table"),
    ],
)
def test_check_says_what_a_log_holds(
    folder: str, tool: str, logs: Path, cranfield: Cranfield
) -> None:
    done = cranfield("check", logs / folder)
    assert done.exit_code == 0
    assert f"format {tool})" in " ".join(done.stdout.split())
    assert " run" in done.stdout


def test_check_names_the_line_that_is_wrong(tmp_path: Path, cranfield: Cranfield) -> None:
    file = tmp_path / "scores.csv"
    file.write_text("run,item,score\na,q1,1\na,q2,high\n")
    done = cranfield("check", file)
    assert done.exit_code == 1
    assert "scores.csv:3: " in done.stderr


def test_describe_counts_items_repeats_and_what_is_missing(
    logs: Path, cranfield: Cranfield
) -> None:
    told = json.loads(cranfield("describe", logs / "inspect", "--json").stdout)
    rows = {row["measure"]: row for row in told["scores"]}
    assert told["items"] == len(
        {sample["id"] for sample in INSPECT["samples"] if sample.get("scores")}
    )
    assert rows["match"]["repeats"] == 2
    assert rows["judge:style"] | {"mean": 3.5, "lowest": 3.0, "highest": 4.0} == rows["judge:style"]
    assert rows["judge:style"]["missing"] == told["items"] - 1
    assert "--missing absent" in cranfield("describe", logs / "inspect").stdout


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "jsonl"])
def test_a_converted_log_scores_the_same(ending: str, logs: Path, cranfield: Cranfield) -> None:
    target = logs / f"scores.{ending}"
    assert cranfield("convert", logs / "lm", target).exit_code == 0
    before, after = (
        json.loads(cranfield("evaluate", source, "--json").stdout)
        for source in (logs / "lm", target)
    )
    assert before == after


def test_scores_are_written_as_tables_only(logs: Path, cranfield: Cranfield) -> None:
    done = cranfield("convert", logs / "lm", logs / "scores.npz")
    assert done.exit_code != 0
    assert "ends in .csv" in done.stderr


def test_studies_of_measures_take_scores_by_their_own_names(
    logs: Path, cranfield: Cranfield
) -> None:
    told = json.loads(cranfield("study", "power", logs / "lm", "--draws", 5, "--json").stdout)
    names = {row["measure"] for row in told["measures"]}
    assert names == {"exact_match,strict-match", "exact_match,flexible-extract"}
    alone = cranfield("study", "correlate", logs / "lm", "-m", "exact_match,strict-match")
    assert alone.exit_code == 0
    done = cranfield("study", "random", logs / "lm")
    assert "study power" in done.stderr


def test_comparisons_are_read_from_parquet(tmp_path: Path, cranfield: Cranfield) -> None:
    columns = {
        "item": [f"q{n}" for n in range(12)],
        "left": ["a"] * 12,
        "right": ["b"] * 12,
        "winner": ["a", "b", "tie"] * 4,
    }
    frame = polars.DataFrame(columns)
    frame.write_parquet(tmp_path / "votes.parquet")
    frame.write_csv(tmp_path / "votes.csv")
    one, other = (
        cranfield("study", "preferences", tmp_path / f"votes.{kind}", "--json")
        for kind in ("parquet", "csv")
    )
    assert one.exit_code == 0
    assert one.stdout == other.stdout


def test_vectors_in_npy_are_one_concept_and_classes_say_what_to_save(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    np.save(tmp_path / "truth.npy", np.array([1, 0, 1, 0]))
    np.save(tmp_path / "run.npy", np.array([0.9, 0.2, 0.4, 0.6]))
    done = cranfield("evaluate", tmp_path / "truth.npy", tmp_path / "run.npy", "-m", "concept.AUC")
    assert "0.7500" in done.stdout
    np.save(tmp_path / "classes.npy", np.array([2, 0, 1, 0]))
    assert "np.eye(K)[y]" in cranfield("check", tmp_path / "classes.npy", "--as", "truth").stderr
    np.save(tmp_path / "models.npy", np.zeros((3, 4, 1)))
    done = cranfield("evaluate", tmp_path / "truth.npy", tmp_path / "models.npy")
    assert "np.save('lr.npy', array[0])" in done.stderr
