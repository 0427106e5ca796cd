"""Files that can be read once only: a command may look at them as often as it likes."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest
from typer.testing import Result

import cranfield as cf
from cranfield.core import pipes

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")

Pipe = Callable[[str, str], Path]
Cranfield = Callable[..., Result]

_TOPICS, _DEPTH = 5, 1000
QRELS = "".join(
    f"{topic} 0 {f'd{topic}-{rank:05}'.ljust(57)} {int(rank % 3 == 0)}\n"
    for topic in range(_TOPICS)
    for rank in range(_DEPTH)
)
"""Lines of 64 bytes, so that what a glance takes away ends with a line."""
RUN = "".join(
    f"{topic} Q0 d{topic}-{rank:05} {rank} {_DEPTH - rank} s\n"
    for topic in range(_TOPICS)
    for rank in range(_DEPTH)
)


@pytest.fixture
def pipe(tmp_path: Path) -> Pipe:
    """A named pipe out of which a text comes, once."""

    def made(name: str, text: str) -> Path:
        path = tmp_path / name
        os.mkfifo(path)
        Thread(target=path.write_text, args=(text,), daemon=True).start()
        return path

    return made


def test_a_truth_out_of_a_pipe_loses_nothing(
    pipe: Pipe, tmp_path: Path, cranfield: Cranfield
) -> None:
    for name, text in (("q", QRELS), ("r", RUN)):
        (tmp_path / f"{name}.txt").write_text(text)
    options = ("-m", "concept.AP", "--csv")
    expected = cranfield("evaluate", tmp_path / "q.txt", tmp_path / "r.txt", *options)
    found = cranfield("evaluate", pipe("q", QRELS), pipe("r", RUN), *options)
    assert found.exit_code == 0
    assert found.stdout == expected.stdout


def test_a_pipe_is_checked_and_converted(pipe: Pipe, tmp_path: Path, cranfield: Cranfield) -> None:
    checked = cranfield("check", pipe("first.run", RUN))
    assert checked.exit_code == 0
    assert "5000 items, 5 concepts" in checked.stdout
    out = tmp_path / "out.run"
    assert cranfield("convert", pipe("second.run", RUN), out).exit_code == 0
    assert cf.read_run(out).shape == (_TOPICS * _DEPTH, _TOPICS)


def test_what_was_kept_is_thrown_away(pipe: Pipe, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[str] = []
    temporary = tempfile.NamedTemporaryFile

    def spied(**options: bool) -> object:
        made = temporary(**options)
        kept.append(made.name)
        return made

    monkeypatch.setattr(tempfile, "NamedTemporaryFile", spied)
    path = pipe("r", "text")
    with pipes.kept():
        assert pipes.readable(path).read_text() == "text"
        assert pipes.readable(path).read_text() == "text"
    assert len(kept) == 1
    assert not Path(kept[0]).exists()
    assert pipes.readable(path) == path
