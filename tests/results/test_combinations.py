"""Several saved results in one: history, one leaderboard, a section for each."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from cranfield.commands.saved_results import show
from cranfield.core.result import Result, load
from cranfield.show import FORMS, rendered


def evaluation(*names: str, flip: bool = False, seed: int = 0) -> cf.Evaluation:
    """Runs that differ in seed; the better, the later in the alphabet."""
    labels = np.random.default_rng(seed).random((40, 3)) < 0.4
    runs = []
    for name in names:
        noise = np.random.default_rng(ord(name)).random(labels.shape)
        skill = (ord(name) - ord("a")) / 10 + 0.3 * flip
        runs.append(cf.Run(np.clip(noise * (1 - skill) + labels * skill, 0, 1), name=name))
    return cf.evaluate(cf.Truth(labels), runs, ["concept.AP", "example.ranking_loss"])


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    evaluation("a", "b").save(tmp_path / "old.json")
    evaluation("b", "c", flip=True).save(tmp_path / "new.json")
    return [tmp_path / "old.json", tmp_path / "new.json"]


def test_the_history_follows_each_run_by_each_measure(files: list[Path]) -> None:
    old, new = evaluation("a", "b"), evaluation("b", "c", flip=True)
    rows = {(r["run"], r["measure"]): r for r in show(files).table("history-evaluation").rows}
    both = rows["b", "concept.AP"]
    assert (both["old"], both["new"]) == (old["b", "concept.AP"], new["b", "concept.AP"])
    assert both["change"] == both["new"] - both["old"] > 0
    assert np.isnan(rows["c", "concept.AP"]["old"])
    assert len(rows) == 3 * 2


def test_one_leaderboard_holds_the_latest_score_of_each_run(files: list[Path]) -> None:
    new = evaluation("b", "c", flip=True)
    rows = show(files).table("leaderboard").rows
    assert [row["run"] for row in rows] == ["c", "b", "a"]
    assert [row["result"] for row in rows] == ["new", "new", "old"]
    assert rows[1]["concept.AP"] == new["b", "concept.AP"]


def test_random_runs_stand_below_all_systems_and_are_never_the_best(tmp_path: Path) -> None:
    labels = np.random.default_rng(0).random((40, 3)) < 0.4
    for name in ("old", "new"):
        runs = [cf.Run(labels, name="Random90"), cf.Run(~labels, name="poor")]
        cf.evaluate(labels, runs, ["example.F"]).save(tmp_path / f"{name}.json")
    board = show([tmp_path / "old.json", tmp_path / "new.json"]).table("leaderboard")
    assert [row["run"] for row in board.rows] == ["poor", "Random90"]
    assert board.begins_section(1)
    assert board.best(board.columns[1]) == 0.0


def test_results_by_different_truths_are_warned_of(files: list[Path], tmp_path: Path) -> None:
    assert not show(files).warnings
    evaluation("a", seed=1).save(tmp_path / "other.json")
    (warning,) = show([*files, tmp_path / "other.json"]).warnings
    assert "different truths" in warning


def test_a_combination_has_all_forms_and_comes_back_as_it_was(
    files: list[Path], tmp_path: Path
) -> None:
    result = show(files, title="Both")
    result.save(tmp_path / "both.json")
    again = load(tmp_path / "both.json")
    assert isinstance(again, Result)
    for form in FORMS.values():
        assert rendered(again, form) == rendered(result, form)
    page = rendered(result, "html")
    assert "<h1>Both</h1>" in page
    assert page.count("<h2") == 3
    ids = [part.partition('"')[0] for part in page.split(' id="')[1:]]
    assert len(ids) == len(set(ids))


def test_results_of_different_kinds_stand_side_by_side(files: list[Path], tmp_path: Path) -> None:
    cf.compare(evaluation("a", "b"), "concept.AP").save(tmp_path / "compared.json")
    result = show([files[0], tmp_path / "compared.json"])
    assert [table.name for table in result.tables] == ["results"]
    assert len(result.parts) == 2
    assert show(files[:1]).parts == ()


def test_results_without_common_runs_have_a_leaderboard_and_no_history(tmp_path: Path) -> None:
    evaluation("a").save(tmp_path / "old.json")
    evaluation("c").save(tmp_path / "new.json")
    tables = {table.name for table in show([tmp_path / "old.json", tmp_path / "new.json"]).tables}
    assert "leaderboard" in tables
    assert not any(name.startswith("history") for name in tables)
