"""Every result of `cranfield votes`, saved and shown again, is the one that was saved."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cranfield.cli.program import app
from cranfield.commands.catalogue import VOTES

sys.path.insert(0, str(Path(__file__).parents[1]))
import goldens

COMMANDS = {name: words for name, words in goldens.COMMANDS.items() if name.startswith("votes-")}
FORMS = ("--json", "--csv", "--latex", "--markdown")


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("goldens") / "inputs"
    here = Path.cwd()
    goldens.make_inputs(folder)
    os.chdir(here)
    return folder


def test_every_command_is_tried() -> None:
    tried = {words.partition(".csv")[0] for words in COMMANDS.values()}
    for command in VOTES:
        assert any(words.startswith(command.name) for words in tried), command.name


@pytest.mark.parametrize("name", list(COMMANDS))
def test_a_saved_result_is_shown_as_it_was(
    name: str, inputs: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(inputs)
    runner = CliRunner(env={"COLUMNS": "80"})

    def output(*words: str) -> str:
        shutil.rmtree("pool", ignore_errors=True)
        Path("pool").mkdir()
        result = runner.invoke(app, words)
        assert result.exit_code == 0, result.output
        return result.stdout

    saved, page = str(tmp_path / "saved.json"), str(tmp_path / "page.html")
    command = shlex.split(COMMANDS[name])
    first = output(*command, "--save", saved, "--html", page)
    assert output("show", saved) == first
    for form in FORMS:
        assert output("show", saved, form) == output(*command, form)
    output("show", saved, "--html", str(tmp_path / "again.html"))
    assert (tmp_path / "again.html").read_text() == Path(page).read_text()
