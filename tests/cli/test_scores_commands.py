"""Scores from elsewhere on the command line: the commands that take a truth take them too."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Cranfield = Callable[..., Result]


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    lines = ["run,item,measure,score,cluster"]
    for index, run in enumerate(("old", "new")):
        for item in range(40):
            right = item * 37 % 11 < 5 + 3 * index
            lines.append(f"{run},q{item},acc,{int(right)},d{item // 2}")
            lines.append(f"{run},q{item},seconds,{3 - index + item / 100},d{item // 2}")
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_evaluate_scores_all_runs_by_all_measures_with_intervals_and_a_report(
    cranfield: Cranfield, scores: Path, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    done = cranfield("evaluate", scores, "--intervals", "--json", "--report", page)
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)["scores"]
    assert [(row["run"], row["measure"]) for row in rows][:2] == [
        ("old", "acc"),
        ("old", "seconds"),
    ]
    assert all(row["low"] < row["score"] < row["high"] for row in rows)
    assert "20 clusters of items resampled" in rows[0]["notes"]
    assert page.exists()


def test_compare_takes_names_of_runs_and_says_what_was_resampled(
    cranfield: Cranfield, scores: Path
) -> None:
    done = cranfield("compare", scores, "new", "old", "-m", "acc")
    assert done.exit_code == 0, done.output
    assert "randomisation test over 20 clusters" in done.output


def test_gate_holds_two_runs_of_a_table_or_a_stored_baseline_against_each_other(
    cranfield: Cranfield, scores: Path, tmp_path: Path
) -> None:
    stored = tmp_path / "old.json"
    measures = ("-m", "acc", "-m", "seconds(better=lower)")
    assert cranfield("gate", scores, "old", *measures, "--write-baseline", stored).exit_code == 0
    for baseline in ("old", stored):
        done = cranfield(
            "gate", scores, "new", *measures, "--baseline", baseline, "--margin", 0.05, "--json"
        )
        assert done.exit_code == 0, done.output
        assert json.loads(done.stdout)["outcome"] == "pass"
    slower = ("-m", "seconds(better=lower)", "--margin", 0.05)
    assert cranfield("gate", scores, "old", "--baseline", "new", *slower).exit_code == 3


def test_plan_and_slices_work_on_scores(cranfield: Cranfield, scores: Path, tmp_path: Path) -> None:
    done = cranfield("plan", scores, "-m", "acc", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["plans"][0]["items_now"] == 40
    halves = tmp_path / "halves.csv"
    halves.write_text("item,half\n" + "".join(f"q{i},{i < 20}\n" for i in range(40)))
    done = cranfield("slices", scores, "--by", halves, "-m", "acc")
    assert done.exit_code == 0, done.output
    assert "clusters of items resampled as wholes" in done.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("evaluate", "-m", "nope"), "their measures are 'acc', 'seconds'"),
        (("evaluate", "-m", "acc(worse=1)"), "write options as acc(better=lower"),
        (("compare", "nobody"), "neither a file nor a run 'nobody'"),
        (("evaluate", "--style", "trec"), "does not go with scores"),
        (("evaluate", "--depth", "5"), "does not go with scores"),
        (("compare", "--ontology", "pto2009"), "means nothing to scores from elsewhere"),
        (("explain", "--item", "q1"), "needs a truth and predictions"),
        (("bounds",), "needs a truth and predictions"),
        (("study", "correlate"), "this study needs at least 3"),
        (("thresholds", "x.csv"), "needs a truth and predictions"),
    ],
)
def test_what_scores_cannot_answer_is_refused(
    cranfield: Cranfield, scores: Path, words: tuple[str, ...], message: str
) -> None:
    count = 2 if words[0] == "study" else 1
    done = cranfield(*words[:count], scores, *words[count:])
    assert done.exit_code in (1, 2), done.output
    assert message in done.output


def test_a_run_that_lacks_items_is_named_with_its_file(cranfield: Cranfield, scores: Path) -> None:
    kept = [line for line in scores.read_text().splitlines() if "new,q7,acc" not in line]
    scores.write_text("\n".join(kept))
    done = cranfield("compare", scores, "-m", "acc")
    assert done.exit_code == 1
    assert "scores.csv: run 'new' has no score by acc of 1 item: 'q7'" in done.output
    assert "--missing absent" in done.output
    assert cranfield("compare", scores, "-m", "acc", "--missing", "absent").exit_code == 0
