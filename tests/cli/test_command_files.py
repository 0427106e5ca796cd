"""Declared commands on the command line: files they write, groups, notices, moved options."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import pytest
import typer
from typer.testing import CliRunner, Result

from cranfield.cli import program
from cranfield.cli.program import Commands, declare_all
from cranfield.cli.targets import chosen_form
from cranfield.commands.declaration import Command
from cranfield.core.options import Argument, Option
from cranfield.core.progress import Notify, unheard
from cranfield.core.result import Result as Data
from cranfield.core.table import Table
from cranfield.errors import InputError


class Lines(NamedTuple):
    lines: list[str]


def lines_of(path: Annotated[Path, Argument(metavar="FILE")], *, notify: Notify = unheard) -> Lines:
    """Lines of a file.

    path  A file.
    """
    lines = path.read_text().split()
    notify(f"{len(lines)} lines")
    return Lines(lines)


def copy(
    lines: list[str],
    *,
    output: Annotated[Path, Option(short="-o", writes="file")],
    truth: Annotated[Path | None, Option(writes="truth")] = None,
    folder: Annotated[Path | None, Option(writes="folder")] = None,
    lossy: Annotated[bool, Option()] = False,
    ends: Annotated[Sequence[Literal["unix", "dos"]], Option(name="end")] = (),
) -> Data:
    """Copy lines.

    output  Where to.
    """
    if not lossy and len(lines) > 2:
        raise InputError("that is too much", mend="give {lossy=True}")
    output.write_text("\n".join(lines))
    return Data("copy", {"lines": lines}, [Table("lines", [{"line": line} for line in lines])])


HERE = __name__
COPY = Command(
    "files text copy",
    "Copy lines.",
    function=f"{HERE}:copy",
    inputs=(f"{HERE}:lines_of",),
    moved={"count": "cranfield files text count FILE"},
)


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> typer.Typer:
    monkeypatch.setattr(program, "GROUPS", {"files": "Files.", "files text": "Files of text."})
    made = typer.Typer(cls=Commands, no_args_is_help=True)
    made.callback()(lambda: None)
    declare_all(made, [COPY])
    return made


def call(app: typer.Typer, *words: object) -> Result:
    return CliRunner(env={"COLUMNS": "200"}).invoke(app, [str(word) for word in words])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "a.txt"
    path.write_text("x y")
    return path


def test_groups_stand_within_groups_with_their_help(app: typer.Typer) -> None:
    assert "Files of text." in call(app, "files", "--help").output
    assert "Copy lines." in call(app, "files", "text", "--help").output


def test_what_was_written_and_noticed_is_told_on_standard_error(
    app: typer.Typer, source: Path, tmp_path: Path
) -> None:
    target = tmp_path / "b.txt"
    ended = call(app, "files", "text", "copy", source, "-o", target, "--json")
    assert ended.exit_code == 0, ended.output
    assert target.read_text() == "x\ny"
    assert ended.stderr.splitlines() == ["2 lines", f"wrote {target}"]
    assert '"lines"' in ended.stdout


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ("-o {source}", 2, "would be lost; name another file"),
        ("-o {folder}/b.csv --truth {folder}/b.csv", 2, "would be lost; name another file"),
        ("-o {folder}/b.txt --truth {folder}/b.xyz", 2, "--truth"),
        ("-o {folder}/none/b.txt", 1, "its folder is not there"),
        ("-o {folder}", 1, "is a folder; name a file"),
        ("-o {source}/b.txt", 1, "its folder is not there"),
        ("-o {folder}/b.txt --folder {source}/new", 1, "its folder is not there"),
        ("-o {folder}/b.txt --folder {folder}", 1, "not empty; choose another folder"),
    ],
)
def test_files_that_cannot_be_written_are_refused_before_any_work(
    words: str, code: int, message: str, app: typer.Typer, source: Path, tmp_path: Path
) -> None:
    ended = call(
        app, "files", "text", "copy", source, *words.format(source=source, folder=tmp_path).split()
    )
    assert ended.exit_code == code
    assert message in ended.stderr
    assert "2 lines" not in ended.stderr
    assert source.read_text() == "x y"


def test_what_may_not_be_written_is_refused_before_any_work(
    app: typer.Typer, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: False)  # a superuser may write anywhere
    for name in ("a.txt", "b.txt"):
        ended = call(app, "files", "text", "copy", "/dev/null", "-o", tmp_path / name)
        assert ended.exit_code == 1
        assert "may not be written; change its permissions" in ended.stderr
        assert "lines" not in ended.stderr


def test_a_file_without_a_name_is_refused(app: typer.Typer, tmp_path: Path) -> None:
    ended = call(app, "files", "text", "copy", "", "-o", tmp_path / "b.txt")
    assert ended.exit_code == 2
    assert "FILE: its name is empty" in ended.stderr


def test_the_extension_of_a_result_may_be_in_capitals(
    app: typer.Typer, source: Path, tmp_path: Path
) -> None:
    words = ("--html", tmp_path / "b.HTML")
    ended = call(app, "files", "text", "copy", source, "-o", tmp_path / "b.txt", *words)
    assert ended.exit_code == 0, ended.stderr
    assert chosen_form({"csv": False}, Path("X.CSV"), {".csv": "csv"}) == "csv"


def test_the_value_of_an_option_is_not_taken_for_one_that_moved(
    app: typer.Typer, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert call(app, "files", "text", "copy", source, "-o", "--count").exit_code == 0
    assert Path("--count").exists()


def test_an_option_that_became_a_command_answers_with_it(app: typer.Typer, source: Path) -> None:
    for words in (("--count", "3"), ("--count=3",)):
        ended = call(app, "files", "text", "copy", source, *words)
        assert ended.exit_code == 2
        assert "cranfield files text count FILE" in ended.stderr


def test_advice_is_spelled_as_options(app: typer.Typer, source: Path, tmp_path: Path) -> None:
    source.write_text("x y z")
    ended = call(app, "files", "text", "copy", source, "-o", tmp_path / "b.txt")
    assert ended.exit_code == 1
    assert "that is too much; give --lossy" in ended.stderr


def test_members_of_a_list_are_checked(app: typer.Typer, source: Path, tmp_path: Path) -> None:
    words = ("files", "text", "copy", source, "-o", tmp_path / "b.txt", "--end", "unix", "--end")
    assert call(app, *words, "dos").exit_code == 0
    ended = call(app, *words, "mac")
    assert ended.exit_code == 2
    assert "'mac' is not one of 'unix', 'dos'" in ended.stderr
