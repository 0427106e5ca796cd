"""A small collection on disk, made by the command line itself, and a way to call commands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cranfield.cli.program import app

Cranfield = Callable[..., Result]


def call(*words: object, columns: int = 200) -> Result:
    """What the program prints and how it ends.

    The terminal is wide, so that no message is broken by its width.
    """
    return CliRunner(env={"COLUMNS": str(columns)}).invoke(app, [str(word) for word in words])


@pytest.fixture
def cranfield() -> Cranfield:
    return call


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """120 items, 53 photo concepts, 5 systems, Random0, Random10 and Random50; no ontology."""
    path = tmp_path_factory.mktemp("collections") / "small"
    shape = ("--items", 120, "--systems", 5, "--random", "0,10,50")
    made = call("simulate", path, *shape, "--unlawful")
    assert made.exit_code == 0, made.output
    return path
