"""What the data are called, on the command line: terms.txt of a folder, and --terms."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Cranfield = Callable[..., Result]


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    (tmp_path / "truth.csv").write_text("item,Sky,Sea\na,1,1\nb,0,1\n")
    (tmp_path / "terms.txt").write_text("\nmotif,photo\n")
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "one.csv").write_text("item,Sky,Sea\na,0.9,0.1\nb,0.2,0.8\n")
    return tmp_path


def test_check_looks_at_terms(photos: Path, cranfield: Cranfield) -> None:
    assert "terms.txt" in cranfield("check", str(photos)).stdout
    (photos / "terms.txt").write_text("motif\n")
    result = cranfield("check", str(photos))
    assert result.exit_code == 1
    assert "terms.txt:1: 'motif' does not name concepts and items" in result.stderr


def test_the_command_line_overrides_what_data_say(photos: Path, cranfield: Cranfield) -> None:
    command = ("evaluate", str(photos), "-m", "concept.AP", "--per-unit")
    assert "motif" in cranfield(*command).stdout
    assert "tag" in cranfield(*command, "--terms", "tag,picture").stdout
    odd = cranfield(*command, "--terms", "tag")
    assert odd.exit_code == 2
    assert "--terms" in odd.stderr
