"""Ids that would recolour a terminal, end a table or become code reach nobody as they are."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from typer.testing import Result

import cranfield as cf
from cranfield.cli.screen import data
from cranfield.core.printable import printable, printable_name
from cranfield.show.latex import escaped
from cranfield.show.markup import shown

Cranfield = Callable[..., Result]

HOSTILE = (
    *("\x1b[31mred", "back\rspace\x08", "nul\x00byte", "\x9b31mC1", "\u202egnp.exe", "\u2066x"),
    *(
        r"\input{/etc/passwd}",
        "<script>alert(1)</script>",
        "a&b_c%d$e#f",
        "line\u2028end",
        "[red]x",
    ),
)
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A collection whose items, concepts and runs have such ids."""
    folder = tmp_path_factory.mktemp("hostile") / "collection"
    (folder / "runs").mkdir(parents=True)
    random = np.random.default_rng(0)
    items = [f"{name}{row}" for row in range(4) for name in HOSTILE]
    labels = random.random((len(items), len(HOSTILE))) < 0.4
    labels[0] = True
    truth = cf.Truth(labels, items=items, concepts=HOSTILE)
    cf.write_truth(truth, folder / "truth.npz")
    for name in ("\x1b[31mred", "\u202egnp", "a&b_c%", "[red]x"):
        run = cf.Run(random.random(labels.shape), name=name, items=items, concepts=HOSTILE)
        cf.write_run(run, folder / "runs" / f"{name}.npz")
    return folder


COMMANDS = (
    "evaluate {}",
    "evaluate {} -m concept.AP --per-unit",
    "evaluate {} -m example.F --per-unit",
    "evaluate {} -m concept.AP --intervals",
    "evaluate {} -m concept.AP --latex",
    "evaluate {} -m concept.AP --latex --per-unit",
    "slices {} -m concept.AP --by frequency",
    "compare {} -m concept.AP",
    "compare {} -m concept.AP --latex",
    "curves {}",
    "thresholds {0} {0}/runs/[red]x.npz",
    "describe {}",
    "check {}",
    "study random {} -m example.F",
    "study correlate {} -m concept.AP -m example.F",
    "study collection {} -m concept.AP",
    "study collection {} -m concept.AP --table concepts --latex",
    "study power {} -m example.F",
    "study thresholds {}",
    "split {0} --folds 2 -o {0}/s.csv",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_harmful_reaches_the_terminal(
    hostile: Path, cranfield: Cranfield, command: str
) -> None:
    said = cranfield(*(word.format(hostile) for word in command.split()))
    assert said.exit_code in (0, 1), said.output
    assert said.exception is None or isinstance(said.exception, SystemExit)
    assert not RAW.search(said.output)


def test_errors_show_ids_written_out(hostile: Path, cranfield: Cranfield, tmp_path: Path) -> None:
    bad = tmp_path / "\x1b[31mbad.csv"
    bad.write_text("item,\x1b[31mred,\u202egnp\n\x1b[2Ja,1,maybe\n")
    for words in (("check", bad), ("evaluate", hostile, bad), ("evaluate", bad, bad)):
        said = cranfield(*words)
        assert said.exit_code == 1
        assert not RAW.search(said.output)
        assert r"\x1b[31mbad.csv" in said.output


def test_json_and_csv_keep_ids_exactly(hostile: Path, cranfield: Cranfield) -> None:
    words = ("evaluate", hostile, "-m", "concept.AP", "--per-unit")
    rows = list(csv.DictReader(io.StringIO(cranfield(*words, "--csv").stdout, newline="")))
    # Before 3.13, Python's csv leaves a lone carriage return without quotes.
    assert {row["unit"] for row in rows} >= {name for name in HOSTILE if "\r" not in name}
    told = json.loads(cranfield(*words, "--json").stdout)
    assert "\x1b[31mred" in {score["run"] for score in told["scores"]}


class _Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def test_data_is_written_out_only_where_a_terminal_shows_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    line = "item,\x1b[31mred,\u202egnp.exe\n"
    for kind, expected in ((_Terminal, printable(line)), (io.TextIOWrapper, line)):
        stream = kind(io.BytesIO(), encoding="utf-8")
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", stream)
            data(line)
        assert stream.buffer.getvalue().decode() == expected  # type: ignore[attr-defined]


@pytest.mark.parametrize("ending", ["tex", "txt", "html"])
def test_nothing_harmful_reaches_a_file_for_people(
    hostile: Path, cranfield: Cranfield, tmp_path: Path, ending: str
) -> None:
    path = tmp_path / f"out.{ending}"
    option = "--report" if ending == "html" else "-o"
    said = cranfield("evaluate", hostile, "-m", "concept.AP", "-m", "example.F", option, path)
    assert said.exit_code == 0, said.output
    text = path.read_text()
    assert not RAW.search(text)
    assert "<script>alert" not in text
    if ending == "tex":
        assert r"\input" not in text


def test_pictures_hold_no_control_characters(
    hostile: Path, cranfield: Cranfield, tmp_path: Path
) -> None:
    pytest.importorskip("vl_convert")
    for ending in ("svg", "html"):
        path = tmp_path / f"curves.{ending}"
        said = cranfield("curves", hostile, "--picture", path)
        assert said.exit_code == 0, said.output
        if ending == "svg":
            assert not RAW.search(path.read_text())
    shutil.rmtree(tmp_path)


def test_what_is_harmless_stays() -> None:
    for text in ("Schäfer 東京", "👩\u200d🔬", "می\u200cخواهم", "a\tb\nc", "5\u00a0%"):
        assert printable(text) == text
    assert printable_name("a\tb\nc") == r"a\tb\nc"
    assert printable("\x1b[31m\u202e") == r"\x1b[31m\u202e"
    assert escaped("\x1b_") == r"\textbackslash{}x1b\_"
    assert shown("\x1b<") == r"\x1b&lt;"
