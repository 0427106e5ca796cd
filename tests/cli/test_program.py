"""The program itself, in a process of its own: streams, pipes, signals, completion, exit codes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner, Result

from cranfield import __version__
from cranfield.cli.program import app
from cranfield.commands.catalogue import COMMANDS

Cranfield = Callable[..., Result]

PROGRAM = [sys.executable, "-c", "from cranfield.cli import main; main()"]


def run(*words: object, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *map(str, words)],
        capture_output=True,
        text=True,
        env=os.environ | environment,
        check=False,
        timeout=60,
    )


def test_the_version_is_printed() -> None:
    said = run("--version")
    assert (said.returncode, said.stdout) == (0, f"cranfield {__version__}\n")
    module = [sys.executable, "-m", "cranfield", "--version"]
    assert subprocess.run(module, capture_output=True, text=True).stdout == said.stdout


@pytest.mark.parametrize(
    "command",
    [
        *("demo", "evaluate", "check", "describe", "measures", "simulate"),
        *(f"relatedness {one}" for one in ("costs", "correlate", "map", "install")),
    ],
)
def test_every_command_explains_itself_with_examples(command: str, cranfield: Cranfield) -> None:
    said = cranfield(*command.split(), "--help")
    assert said.exit_code == 0
    assert "Examples" in said.stdout
    assert f"cranfield {command}" in said.stdout
    for leak in ("<bool>", "<list[", "<path>"):
        assert leak not in said.stdout


def test_one_module_knows_typer() -> None:
    import cranfield

    folder = Path(cranfield.__file__).parent
    sources = {path: path.read_text("utf-8") for path in folder.rglob("*.py")}
    knowing = [path for path, text in sources.items() if re.search(r"(import|from) typer", text)]
    assert [path.relative_to(folder).as_posix() for path in knowing] == ["cli/program.py"]


def test_pages_of_help_load_no_page_of_typer() -> None:
    code = (
        "import sys\n"
        "from cranfield.cli.program import app\n"
        "app(['evaluate', '--help'], standalone_mode=False)\n"
        "sys.exit('typer.rich_utils' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0


@pytest.mark.parametrize(
    "command", ["votes merge", "votes agreement", "votes hits make", "pool make", "evaluate"]
)
def test_help_waits_for_no_measure_and_no_format(command: str) -> None:
    code = (
        "import sys\n"
        "from cranfield.cli.program import app\n"
        f"app({[*command.split(), '--help']}, standalone_mode=False)\n"
        "heavy = {'cranfield.measures', 'cranfield.formats.kinds', 'polars', 'scipy'}\n"
        "heavy &= set(sys.modules)\n"
        "sys.exit(repr(heavy) if heavy else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_examples_that_are_longer_than_a_line_can_be_copied(cranfield: Cranfield) -> None:
    page = cranfield("gate", "--help", columns=80).stdout
    assert max(map(len, page.splitlines())) <= 80
    joined = " ".join(page.replace("\\\n", " ").split())
    for example in next(command for command in COMMANDS if command.name == "gate").examples:
        assert example in joined


def test_help_loads_neither_tables_nor_studies() -> None:
    code = (
        "import sys\n"
        "from cranfield.cli.program import app\n"
        "app(['--help'], standalone_mode=False)\n"
        "heavy = {'polars', 'scipy', 'cranfield.studies', 'cranfield.reports'}\n"
        "sys.exit(repr(heavy & set(sys.modules)) if heavy & set(sys.modules) else 0)\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr


def test_no_help_loads_the_server() -> None:
    names = [c.name.split() for c in COMMANDS if "cranfield.server" in c.function]
    code = (
        "import sys\n"
        "from cranfield.cli.program import app\n"
        f"for words in {names}:\n"
        "    app([*words, '--help'], standalone_mode=False)\n"
        "sys.exit('django' in sys.modules)\n"
    )
    assert len(names) > 10
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "words", [("serve", "new"), ("campaign", "backup", "new"), ("campaign", "restore", "x", "y")]
)
def test_without_the_extra_the_server_says_what_to_install(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    code = (
        "import sys\n"
        "sys.modules['django'] = None\n"
        "from cranfield.cli.program import app\n"
        f"app({list(words)})\n"
    )
    run("campaign", "init", tmp_path / "new")
    line = [sys.executable, "-c", code]
    done = subprocess.run(line, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 1
    assert "pip install 'cranfield[server]'" in done.stderr.replace("\n", " ")


def test_json_can_be_piped(folder: Path) -> None:
    said = run("evaluate", folder, "-m", "concept.AP", "--json")
    assert said.returncode == 0
    assert len(json.loads(said.stdout)["scores"]) == 8
    assert said.stderr == ""


def test_no_colours_and_no_progress_reach_a_pipe(folder: Path) -> None:
    said = run("evaluate", folder)
    assert "\x1b" not in said.stdout + said.stderr
    assert said.stderr == ""


def test_a_terminal_without_arrows_gets_its_table(folder: Path) -> None:
    said = run("evaluate", folder, "-m", "concept.AP", PYTHONIOENCODING="ascii")
    assert said.returncode == 0, said.stderr
    assert "AP ?" in said.stdout


def test_bad_input_and_wrong_usage_have_their_own_exit_codes(tmp_path: Path) -> None:
    bad = run("evaluate", tmp_path / "nowhere.txt", tmp_path / "run.txt")
    assert (bad.returncode, bad.stdout) == (1, "")
    assert "Traceback" not in bad.stderr
    wrong = run("evaluat")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "evaluate" in wrong.stderr


@pytest.mark.skipif(os.name == "nt", reason="pipes close differently there")
def test_a_reader_that_has_left_hears_no_complaint(folder: Path) -> None:
    words = [*PROGRAM, "evaluate", str(folder), "-m", "example.F"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        complaint = process.stderr.read()
    assert complaint == b""
    assert process.returncode == 141


def commands(group: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The words of every command and of every group of them."""
    for name, command in (group or get_command(app)).commands.items():
        yield (*path, name)
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))


WITHOUT_ARGUMENTS = {("demo",), ("measures",), ("relatedness", "correlate")}
"""Commands that need none."""


@pytest.mark.parametrize("words", sorted(set(commands()) - WITHOUT_ARGUMENTS), ids=" ".join)
def test_every_command_without_arguments_prints_its_usage(words: tuple[str, ...]) -> None:
    said = CliRunner().invoke(app, list(words))
    assert said.exit_code == 2
    assert "Usage" in said.output


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("CRANFIELD_KERNELS", "nump"),
        ("CRANFIELD_LOOPS", "sse"),
        ("CRANFIELD_THREADS", "many"),
        ("CRANFIELD_THREADS", "0"),
    ],
)
def test_a_bad_value_of_an_environment_variable_is_an_error(
    folder: Path, variable: str, value: str
) -> None:
    said = run("evaluate", str(folder), "-m", "concept.AP", **{variable: value})
    assert said.returncode == 1
    assert f"{variable} is '{value}'; set it to" in said.stderr
    assert "Traceback" not in said.stderr


@pytest.mark.skipif(os.name == "nt", reason="signals differ there")
def test_an_interrupt_is_quiet(tmp_path: Path) -> None:
    out = tmp_path / "made"
    words = [*PROGRAM, "simulate", str(out), "--items", "200000"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while not out.exists() and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said == (b"", b"")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_script_prints(shell: str) -> None:
    said = run(_CRANFIELD_COMPLETE=f"source_{shell}")
    assert said.returncode == 0
    assert "cranfield" in said.stdout


def test_measures_are_completed() -> None:
    said = run(
        _CRANFIELD_COMPLETE="complete_bash",
        COMP_WORDS="cranfield evaluate t r -m concept.A",
        COMP_CWORD="5",
    )
    names = set(said.stdout.split())
    assert {"concept.AP", "concept.AP_at_prevalence", "concept.AUC", "concept.Acc"} <= names
    assert all(name.startswith("concept.A") for name in names)


# --- streams that fail ---

FULL = Path("/dev/full")
full = pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")


@full
@pytest.mark.parametrize(
    "words",
    [("measures",), ("measures", "--json"), ("--help",), ("--version",), ("evaluate", "--help")],
)
def test_output_that_cannot_be_written_is_one_message(words: tuple[str, ...]) -> None:
    with FULL.open("w") as nowhere:
        said = subprocess.run(
            [*PROGRAM, *words],
            stdout=nowhere,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    assert said.returncode == 1
    assert said.stderr.startswith("error: standard output cannot be written (No space left")
    assert said.stderr.count("\n") == 1


@pytest.mark.skipif(os.name == "nt", reason="streams close differently there")
def test_closed_streams_are_met_without_a_traceback(folder: Path, tmp_path: Path) -> None:
    program = f"'{sys.executable}' -c 'from cranfield.cli import main; main()'"

    def shell(words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            f"{program} {words}", shell=True, capture_output=True, text=True, check=False
        )

    said = shell("measures >&-")
    assert said.returncode == 1
    assert said.stderr.startswith("error: standard output cannot be written")
    assert said.stderr.count("\n") == 1
    assert shell("check nowhere.txt 2>&-").returncode == 1
    kept = shell(f"evaluate '{folder}' -o '{tmp_path}/s.json' >&-")
    assert kept.returncode == 0, kept.stderr
    assert json.loads((tmp_path / "s.json").read_text())


def test_an_interrupt_while_modules_load_is_quiet() -> None:
    code = (
        "import builtins\n"
        "from cranfield.cli import main\n"
        "load = builtins.__import__\n"
        "def interrupted(name, *rest):\n"
        "    if name.startswith('typer'):\n"
        "        raise KeyboardInterrupt\n"
        "    return load(name, *rest)\n"
        "builtins.__import__ = interrupted\n"
        "main()\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (said.returncode, said.stdout, said.stderr) == (130, "", "")


@pytest.mark.parametrize("flag", ["--csv", "--json", "--latex"])
def test_data_is_utf8_whatever_the_terminal(flag: str, tmp_path: Path) -> None:
    (tmp_path / "truth.csv").write_text("item,cat\na,1\nb,0\n")
    (tmp_path / "名.csv").write_text("item,cat\na,.9\nb,.1\n")
    said = subprocess.run(
        [*PROGRAM, "evaluate", tmp_path / "truth.csv", tmp_path / "名.csv", flag],
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": "latin-1"},
        check=False,
    )
    assert said.returncode == 0
    assert "名" in said.stdout.decode("utf-8")


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text elsewhere")
@pytest.mark.parametrize("words", [("-o", "s.json"), ("-o", "s.txt"), ("--csv",), ()])
def test_a_name_that_is_not_utf8_is_shown_escaped(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "truth.csv").write_text("item,cat\na,1\nb,0\n")
    name = b"r\xff.csv"
    with open(os.path.join(os.fsencode(tmp_path), name), "w") as run_file:
        run_file.write("item,cat\na,.9\nb,.1\n")
    said = subprocess.run(
        [*PROGRAM, "evaluate", "truth.csv", name, *words],
        capture_output=True,
        cwd=tmp_path,
        check=False,
    )
    assert said.returncode == 0, said.stderr
    written = said.stdout + b"".join(path.read_bytes() for path in tmp_path.glob("s.*"))
    assert b"r\\xff" in written.replace(b"\\\\", b"\\")


def test_help_fills_the_lines_of_a_narrow_terminal(cranfield: Cranfield) -> None:
    said = cranfield("votes", "agreement", "--help", columns=80).stdout
    lines = [line.strip() for line in said.split("\n")]
    first = lines.index(next(line for line in lines if line.startswith("Concepts that exclude")))
    paragraph = lines[first : lines.index("", first)]
    assert all(len(line) > 65 for line in paragraph[:-1])
