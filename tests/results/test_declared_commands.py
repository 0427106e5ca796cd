"""Declared commands on the command line: files that they write, exit codes, advice."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer.testing import CliRunner

from cranfield.cli.program import Commands, declare
from cranfield.commands.declaration import Command
from cranfield.core.options import Argument, Option
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis
from cranfield.core.table import Table
from cranfield.errors import InputError


class Copied(Analysis):
    def __init__(self, text: str) -> None:
        self.text = text

    def _facts(self) -> dict[str, Any]:
        return {"text": self.text}

    def _tables(self) -> list[Table]:
        return [Table("text", [{"text": self.text}])]

    @property
    def exit_code(self) -> int:
        return 1 if "bad" in self.text else 0


def copied(
    source: Annotated[str, Argument(metavar="SOURCE")],
    *,
    output: Annotated[Path | None, Option(short="-o", writes="file")] = None,
    upper: Annotated[bool, Option()] = True,
    progress: Progress = silent,
) -> Copied:
    """Copy a text.

    source  kind:FILE
    output  Where to.
    upper   Whether in capitals.
    """
    text = Path(source.partition(":")[2]).read_text()
    if "odd" in text:
        raise InputError("odd", mend="give {upper=True}, or {lossy=True} and {missing=absent}")
    with progress("copying", 0):
        if output is not None:
            output.write_text(text.upper() if upper else text)
    return Copied(text)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)
    app = typer.Typer(cls=Commands)
    declare(app, Command("copy", "Copy.", function=f"{__name__}:copied"))
    app.command("other")(lambda: None)
    return lambda *words: CliRunner().invoke(app, ["copy", *words])


def test_a_command_writes_its_own_file_and_says_so(run: Any) -> None:
    Path("in.txt").write_text("abc")
    answer = run("file:in.txt", "-o", "out.txt")
    assert (answer.exit_code, Path("out.txt").read_text()) == (0, "ABC")
    assert "wrote out.txt" in answer.stderr
    run("file:in.txt", "-o", "out.txt", "--no-upper")
    assert Path("out.txt").read_text() == "abc"


def test_what_is_read_is_never_written_over(run: Any) -> None:
    Path("in.txt").write_text("abc")
    answer = run("file:in.txt", "-o", "in.txt")
    assert answer.exit_code == 2
    assert "is an input" in answer.stderr
    assert Path("in.txt").read_text() == "abc"


def test_a_result_can_fail(run: Any) -> None:
    Path("in.txt").write_text("bad")
    assert run("file:in.txt").exit_code == 1


def test_advice_names_options_as_they_are_typed(run: Any) -> None:
    Path("in.txt").write_text("odd")
    answer = run("file:in.txt")
    assert answer.exit_code == 1
    assert "odd; give --upper, or --lossy and --missing absent" in " ".join(answer.stderr.split())


def test_a_page_is_not_written_under_the_name_of_something_else(run: Any) -> None:
    Path("a.txt").write_text("good")
    done = run("text:a.txt", "--html", "page.svg")
    assert done.exit_code == 2
    assert "the extension '.svg' is no page" in done.output
    assert not Path("page.svg").exists()
    assert run("text:a.txt", "--html", "page.html").exit_code == 0
