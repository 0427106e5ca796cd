"""Commands over searches and pools: a result that was saved is shown as it was."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cranfield.cli.program import app

COMMANDS = {
    "curves": ("curves", "truth.csv", "run.csv"),
    "curves of a concept": ("curves", "truth.csv", "run.csv", "--concept", "sky"),
    "roc": ("curves", "truth.csv", "run.csv", "--kind", "roc"),
}
FORMS: Sequence[tuple[str, ...]] = ((), ("--json",), ("--csv",), ("--latex",))


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)
    Path("truth.csv").write_text("item,sky,snow\na,1,0\nb,0,0\nc,1,0\nd,0,1\n")
    Path("run.csv").write_text("item,sky,snow\na,0.9,0.1\nb,0.8,0.2\nc,0.4,0.3\nd,0.1,0.4\n")
    return lambda *words: CliRunner(env={"COLUMNS": "80"}).invoke(app, list(words))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_saved_result_is_shown_as_it_was(name: str, call: Callable[..., Result]) -> None:
    saved = call(*COMMANDS[name], "--save", "saved.json")
    assert saved.exit_code == 0, saved.output
    for form in FORMS:
        assert call("show", "saved.json", *form).stdout == call(*COMMANDS[name], *form).stdout
