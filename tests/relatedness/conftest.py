"""What tests of sources share: files with some content, and WordNet, which `make test` installs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cranfield.errors import InputError
from cranfield.knowledge.relatedness.wordnet import WordNet, opened


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    """Write bytes or text to a file of the given name."""

    def write(content: bytes | str, name: str = "corpus.txt") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture(scope="session")
def wordnet() -> WordNet:
    try:
        return opened()
    except InputError as error:
        pytest.skip(f"WordNet 3.0 could not be had: {error}")
