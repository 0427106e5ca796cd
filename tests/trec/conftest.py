"""What tests of TREC files share: trec_eval's own test files, where they lie beside the project."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cranfield.kernels import text

_SHARED = Path(__file__).parents[3] / "shared" / "data" / "trec" / "trec_eval_test"


@pytest.fixture(scope="session")
def trec_eval_test() -> Path:
    if not _SHARED.is_dir():
        pytest.skip("trec_eval's test files are not here")
    return _SHARED


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

    def write(content: bytes | str, name: str) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write
