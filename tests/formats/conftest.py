"""What all tests of formats share: a small collection, and both parsers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from cranfield.kernels import text


@pytest.fixture
def truth() -> cf.Truth:
    return cf.Truth([[1, 0], [0, 1]], items=["a", "b"], concepts=["cat", "dog"])


@pytest.fixture(params=["native", "python"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each of the two parsers in turn."""
    if request.param == "python":
        monkeypatch.setattr(text, "extension", None)
    elif text.extension is None:
        pytest.skip("the C extension is not built, or not wanted")
    return str(request.param)


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    """Write bytes or text to a file of the given name."""

    def write(content: bytes | str, name: str = "run.txt") -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture
def numbers() -> np.random.Generator:
    return np.random.default_rng(2009)
