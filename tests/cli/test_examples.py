"""Examples of help: what they say can be typed as it stands."""

from __future__ import annotations

import shlex
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cranfield.cli.program import app
from cranfield.commands import declaration
from cranfield.commands.catalogue import COMMANDS
from cranfield.commands.declaration import Command


class ReachedError(Exception):
    """The command line was understood, and reading begins."""


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_options_values_and_measures_of_examples_are_understood(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reached(*arguments: Any) -> None:
        raise ReachedError

    monkeypatch.setattr(declaration, "_call", reached)
    monkeypatch.chdir(tmp_path)
    Path("collection").mkdir()
    Path("my_measures.py").write_text("def loss(*arrays):\n    return 0.5\n\n\nweighted_f = loss\n")
    for example in command.examples:
        program, *words = takewhile(lambda word: word not in "|>", shlex.split(example))
        assert program == "cranfield", example
        answer = CliRunner().invoke(app, words)
        assert isinstance(answer.exception, ReachedError), f"{example}\n{answer.output}"
