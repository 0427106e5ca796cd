"""`cranfield study audit`: forms, functions of one's own, and what it refuses."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cranfield.cli.program import app
from cranfield.measures import measures


def run(*words: str, cells: int = 2) -> tuple[int, str]:
    effort = ("--cells", str(cells), "--drawn", "0")
    done = CliRunner().invoke(app, ["study", "audit", *words, *effort])
    return done.exit_code, done.output


def test_one_measure_gets_a_card() -> None:
    code, said = run("OS")
    assert code == 0
    assert "truth {day, night}, said {day, night}: 0" in said
    assert "holds where the truth follows the rules" in said


def test_several_measures_get_a_matrix() -> None:
    code, said = run("example.F", "example.hamming")
    assert code == 0
    row = next(line for line in said.splitlines() if "triangle" in line)
    assert row.split() == ["triangle", "✗", "✓"]
    assert "truth {" not in said
    assert "truth {" in run("example.F", "example.hamming", "--cards")[1]


def test_json_holds_every_card() -> None:
    code, said = run("example.F", "HS", "--json")
    assert code == 0
    assert [one["measure"] for one in json.loads(said)["audits"]] == ["example.F", "HS"]


@pytest.mark.parametrize("ending", [".json", ".csv", ".md", ".txt"])
def test_a_file_says_by_its_name_what_to_write(ending: str, tmp_path: Path) -> None:
    target = tmp_path / f"audit{ending}"
    assert run("example.F", "example.P", "-o", str(target))[0] == 0
    text = target.read_text(encoding="utf-8")
    assert "example.P" in text
    if ending == ".csv":
        rows = list(csv.DictReader(text.splitlines()))
        assert {row["verdict"] for row in rows} == {"holds", "fails", "inapplicable"}
    if ending == ".md":
        tables = [line for line in text.splitlines() if line.startswith("| triangle")]
        assert tables == ["| triangle | ✗ | ✗ |"]
        assert run("example.F", "example.P", "--cards", "-o", str(target))[0] == 0
        assert "**example.P: decisions" in target.read_text(encoding="utf-8")


def test_a_function_of_the_working_folder_is_audited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "audited_here.py").write_text(
        "def wrong(truth, said):\n    return float((truth != said).sum())\n"
    )
    code, said = run("audited_here:wrong", "--better", "lower", "--high", "inf", "--json")
    assert code == 0
    (card,) = json.loads(said)["audits"]
    assert card["range"] == [0.0, None]
    verdicts = {one["requirement"]: one["verdict"] for one in card["findings"]}
    assert (verdicts["triangle"], verdicts["duplicates"]) == ("holds", "fails")


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ((), 2, "name measures"),
        (("example.F", "--all"), 2, "name measures"),
        (("example.Q",), 2, "no measure"),
        (("example.F", "--better", "lower"), 2, "for functions"),
        (("example.F", "-o", "card.pdf"), 2, "extension"),
        (("no_such_module:f",), 1, "cannot be imported"),
    ],
)
def test_what_cannot_be_done_is_told(words: tuple[str, ...], code: int, told: str) -> None:
    done, said = run(*words)
    assert done == code
    assert told in said
    assert "Traceback" not in said


def test_every_registered_measure_can_be_audited() -> None:
    code, said = run("--all", "--json", cells=1)
    assert code == 0
    assert len(json.loads(said)["audits"]) == len(measures())
