"""Scores from files: tables, and logs of Inspect, lm-evaluation-harness and promptfoo."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import polars
import pytest

import cranfield as cf
import score_logs
from cranfield.formats.scores import is_scores


def written(path: Path, content: bytes | str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


# ── tables ────────────────────────────────────────────────────────────────────────────────────


def test_csv_tsv_json_lines_parquet_and_packed_files_hold_the_same_scores(tmp_path: Path) -> None:
    frame = polars.read_csv(score_logs.TABLE, schema_overrides={"score": polars.String})
    frame.write_parquet(tmp_path / "scores.parquet")
    lines = "\n".join(json.dumps(row) for row in frame.iter_rows(named=True))
    files = [
        written(tmp_path / "scores.csv", score_logs.TABLE),
        written(tmp_path / "scores.tsv", score_logs.TABLE.replace(b",", b"\t")),
        written(tmp_path / "semicolons.csv", score_logs.TABLE.replace(b",", b";")),
        written(tmp_path / "scores.jsonl", lines),
        written(tmp_path / "scores.csv.gz", gzip.compress(score_logs.TABLE)),
        tmp_path / "scores.parquet",
    ]
    read = [cf.read_scores(file) for file in files]
    assert len({tuple(score.signature for score in result) for result in read}) == 1
    assert read[0]["B", "acc"] == 1.0
    assert read[0].truth.clusters == ("d1", "d1", "d2")


def test_columns_stand_in_any_order_and_others_are_not_looked_at(tmp_path: Path) -> None:
    table = "Score,comment,ITEM,run\n1,fine,q1,A\n0,,q2,A\n"
    assert cf.read_scores(written(tmp_path / "x.csv", table))["A", "score"] == 0.5


def test_several_files_are_one_table_and_a_folder_is_all_of_its_score_files(tmp_path: Path) -> None:
    files = [
        written(tmp_path / "all" / f"{run}.csv", f"run,item,score\n{run},q1,1\n{run},q2,0\n")
        for run in "AB"
    ]
    written(tmp_path / "all" / "notes.txt", "not scores\n")
    assert cf.read_scores(files).runs == cf.read_scores(tmp_path / "all").runs == ("A", "B")
    assert not is_scores(written(tmp_path / "truth.csv", "item,cat,dog\na,1,0\n"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("run,item,score\nA,q1,1\nA,q2,\n", r":3: the score is nothing; give a number"),
        ("run,item,score\nA,q1,1\n\nA,q2,nan\n", r":4: the score is 'nan'; give a number"),
        ("run,item,score\nA,q1,good\n", r":2: the score is 'good'"),
        ("run,item,score\nA,q1\n", r":2: 2 fields, where the header has 3"),
        ("run,item,score\nA,q1,1\nA,q1,0\n", r":3: item 'q1' of run 'A' has a score on line 2 of"),
        ("run,item,score,repeat\nA,q1,1,1\nA,q1,0,1\n", r":3: .* in the same repeat on line 2"),
        ("run,item,score,cluster\nA,q1,1,x\nB,q1,0,y\n", r":3: item 'q1' is of cluster 'y' here"),
        ("run,item,score,cluster\nA,q1,1,x\nA,q2,0,\n", r":3: there is no cluster"),
        ("run,item,score\nA,,1\n", r":2: there is no item; name it"),
        ("run,item,score,score\nA,q1,1,1\n", r":1: two columns are called 'score'"),
        ('{"run": "A", "item": "q", "score": 1}\n{"run": "A"}\n', r":2: there is no 'item'"),
        ('{"run": "A", "item": "q", "score": 1}\n{"run"\n', r":2: this is no JSON"),
        ('{"run": "A", "item": "q", "score": 1}\n[1]\n', r":2: .*is no object"),
        ("run,item,score\n", r"there are no scores in"),
        ("a b c\n", r"there are no scores of items in a form that is known; give a table run,item"),
    ],
)
def test_what_is_wrong_is_told_with_file_line_and_how_to_mend_it(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(cf.InputError, match=message):
        cf.read_scores(written(tmp_path / "scores.txt", text))


# ── Inspect ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("summaries", [True, False])
def test_logs_of_inspect_are_the_same_as_json_and_as_an_archive(
    tmp_path: Path, summaries: bool
) -> None:
    log = written(tmp_path / "log.json", json.dumps(score_logs.INSPECT, indent=2))
    archive = written(tmp_path / "log.eval", score_logs.inspect_archive(summaries=summaries))
    results = [cf.read_scores(file, missing="absent") for file in (log, archive)]
    assert results[0].runs == results[1].runs == ("lab/small",)
    scores = [dict(zip(r.truth.items, r.units("lab/small", "match"), strict=True)) for r in results]
    assert scores[0] == scores[1] == {"sums/one": 0.5, "sums/7": 0.5, "sums/8": 0.0}
    assert results[0]["lab/small", "judge:style"] == 3.5
    assert results[0].score("lab/small", "judge:tone").units == 1


def test_samples_of_inspect_without_a_score_are_items_that_the_run_lacks(tmp_path: Path) -> None:
    other = json.loads(json.dumps(score_logs.INSPECT))
    other["eval"]["model"] = "lab/large"
    other["samples"][-1]["scores"] = {"match": {"value": "C"}}
    files = [
        written(tmp_path / "small.json", json.dumps(score_logs.INSPECT)),
        written(tmp_path / "large.json", json.dumps(other)),
    ]
    with pytest.raises(cf.InputError, match=r"'lab/small'.*'sums/9'"):
        cf.read_scores(files)
    result = cf.read_scores(files, missing="absent")
    assert result["lab/small", "match"] == 0.25
    assert result["lab/large", "match"] == 0.5


def test_broken_logs_of_inspect_are_refused(tmp_path: Path) -> None:
    headless = {**score_logs.INSPECT, "samples": None}
    with pytest.raises(cf.FileError, match="no samples"):
        cf.read_scores(written(tmp_path / "x.json", json.dumps(headless)))
    wordy = json.loads(json.dumps(score_logs.INSPECT))
    wordy["samples"][0]["scores"]["match"]["value"] = "splendid"
    with pytest.raises(cf.FileError, match=r"match says .*splendid.* of 'sums/one'.*C, I, P and N"):
        cf.read_scores(written(tmp_path / "y.json", json.dumps(wordy)))
    cut = score_logs.inspect_archive()[:200]
    with pytest.raises(cf.FileError, match="the archive is broken"):
        cf.read_scores(written(tmp_path / "z.eval", cut))


# ── lm-evaluation-harness ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("listed", [True, False])
def test_samples_of_lm_evaluation_harness_are_runs_by_folder_and_measures_by_filter(
    tmp_path: Path, listed: bool
) -> None:
    name = "samples_gsm8k_2026-05-01T10-00-00.123456.jsonl"
    for model, right in (("lab__small", [1, 0, 0]), ("lab__large", [1, 1, 0])):
        content = score_logs.lm_eval_samples(right, listed=listed)
        written(tmp_path / "out" / model / name, content)
        written(tmp_path / "out" / model / "results_2026-05-01T10-00-00.123456.json", "{}")
    result = cf.read_scores(tmp_path / "out")
    assert sorted(result.runs) == ["lab/large", "lab/small"]
    assert list(map(str, result.measures)) == [
        "exact_match,strict-match",
        "exact_match,flexible-extract",
    ]
    assert result["lab/large", "exact_match,strict-match"] == pytest.approx(2 / 3)
    assert result.truth.items == ("gsm8k/0", "gsm8k/1", "gsm8k/2")


# ── promptfoo ─────────────────────────────────────────────────────────────────────────────────


def test_results_of_promptfoo_are_runs_by_provider_and_repeats_of_tests_are_found(
    tmp_path: Path,
) -> None:
    result = cf.read_scores(written(tmp_path / "out.json", score_logs.promptfoo_results()))
    assert result.runs == ("lab:small", "lab:large")
    assert result.truth.items == ("0", "1")
    assert list(map(str, result.measures)) == ["score", "pass", "Tone [formal]"]
    assert result.units("lab:small", "pass").tolist() == [0.5, 0.0]
    assert result["lab:small", "Tone (formal)"] == 0.5
    assert "mean of 2 repeats" in result.scores[0].notes[0]


def test_several_prompts_of_promptfoo_are_several_runs(tmp_path: Path) -> None:
    content = score_logs.promptfoo_results(prompts=2)
    result = cf.read_scores(written(tmp_path / "out.json", content))
    assert result.runs[:2] == ("lab:small · prompt 0", "lab:large · prompt 0")
    assert len(result.runs) == 4
