"""Values that options cannot have: wrong usage, said in the words of the command line."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Cranfield = Callable[..., Result]


@pytest.mark.parametrize(
    "words",
    [
        "plan {} --margin -1",
        "plan {} --margin nan",
        "plan {} --difference 0",
        "plan {} --margin 0.1 --level nan",
        "plan {} --power 0",
        "compare {} --alpha nan",
        "study power {} --alpha 2",
        "study progress {} {} --alpha nan",
        "study stability {} --levels 0,1",
        "study stability {} --levels nan",
        "study stability {} --levels 0.2,0.1",
        "study audit math:dist --low nan",
        "study audit math:dist --low 2",
        "study audit example.F --seconds nan",
    ],
)
def test_values_that_an_option_cannot_have_are_wrong_usage(
    folder: Path, cranfield: Cranfield, words: str
) -> None:
    done = cranfield(*(str(folder) if word == "{}" else word for word in words.split()))
    assert done.exit_code == 2, done.output
    assert not re.search(r"\w=", done.output.split("Error")[-1]), "in the words of Python"


@pytest.mark.parametrize("command", ["compare", "gate"])
def test_help_names_no_option_that_a_command_lacks(cranfield: Cranfield, command: str) -> None:
    told = cranfield(command, "--help").stdout
    assert "--topics" in told
    assert "--style" not in told


def test_a_huge_margin_does_not_crush_the_table(folder: Path, cranfield: Cranfield) -> None:
    run, other, *_ = sorted((folder / "runs").iterdir())
    asked = ("-m", "example.F", "--margin", "1e308")
    gated = cranfield("gate", folder, run, "--baseline", other, *asked)
    for said in (gated, cranfield("plan", folder, *asked)):
        assert said.exit_code == 0, said.output
        assert "1e+308" in said.output
        assert "0" * 20 not in said.output
