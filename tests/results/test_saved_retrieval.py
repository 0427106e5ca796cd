"""Commands over searches and pools: a result that was saved is shown as it was."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cranfield.cli.program import app

COMMANDS = {
    "curves": ("curves", "truth.csv", "run.csv"),
    "curves of a concept": ("curves", "truth.csv", "run.csv", "--concept", "sky"),
    "roc": ("curves", "truth.csv", "run.csv", "--kind", "roc"),
    "query": ("query", "sky AND NOT snow", "sky", "-t", "truth.csv", "-r", "run.csv"),
    "query hits": (
        *("query", "sky", "snow", "-t", "truth.csv", "-r", "run.csv", "--show", "2"),
        *("--compare", "example.F", "--per-unit"),
    ),
    "pool": ("pool", "make", "a.run", "b.run", "--depth", "2", "-o", "pool"),
    "pool assign": ("pool", "assign", "made", "--to", "anna,ben"),
    "pool progress": ("pool", "progress", "made"),
    "pool merge": ("pool", "merge", "made"),
    "pool reuse": ("pool", "reuse", "qrels", "a.run", "b.run"),
}
FORMS: Sequence[tuple[str, ...]] = ((), ("--json",), ("--csv",), ("--latex",))


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)
    Path("truth.csv").write_text("item,sky,snow\na,1,0\nb,0,0\nc,1,0\nd,0,1\n")
    Path("run.csv").write_text("item,sky,snow\na,0.9,0.1\nb,0.8,0.2\nc,0.4,0.3\nd,0.1,0.4\n")
    Path("qrels").write_text("".join(f"t {n} d{n} {n % 2}\n" for n in range(6)))
    for run, order in (("a", "012345"), ("b", "143502")):
        lines = (f"t Q0 d{d} {n} {1 / (n + 1)} {run}\n" for n, d in enumerate(order))
        Path(f"{run}.run").write_text("".join(lines))

    def invoke(*words: str) -> Result:
        shutil.rmtree("pool", ignore_errors=True)
        return CliRunner(env={"COLUMNS": "80"}).invoke(app, list(words))

    invoke("pool", "make", "a.run", "b.run", "--depth", "3", "-o", "made")
    invoke("pool", "assign", "made", "--to", "anna,ben")
    return invoke


@pytest.mark.parametrize("name", COMMANDS)
def test_a_saved_result_is_shown_as_it_was(name: str, call: Callable[..., Result]) -> None:
    saved = call(*COMMANDS[name], "--save", "saved.json")
    assert saved.exit_code == 0, saved.output
    for form in FORMS:
        assert call("show", "saved.json", *form).stdout == call(*COMMANDS[name], *form).stdout
