"""Writing: wholly or not at all, and never in the place of something that is not a file."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

import cranfield as cf
from cranfield import formats
from cranfield.errors import FileError
from cranfield.formats.source import written

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links and pipes differ there")


def test_a_link_stays_and_its_target_is_replaced(tmp_path: Path, truth: cf.Truth) -> None:
    (tmp_path / "far").mkdir()
    target = tmp_path / "far" / "truth.csv"
    target.write_text("old")
    link = tmp_path / "truth.csv"
    link.symlink_to(target)
    formats.write_truth(truth, link)
    assert link.is_symlink()
    assert not target.is_symlink()
    assert target.read_text().startswith("item,cat,dog\n")
    assert [path.name for path in target.parent.iterdir()] == ["truth.csv"]


def test_a_link_to_nothing_makes_its_target(tmp_path: Path, truth: cf.Truth) -> None:
    link = tmp_path / "truth.csv"
    link.symlink_to(tmp_path / "later.csv")
    formats.write_truth(truth, link)
    assert link.is_symlink()
    assert formats.read_truth(tmp_path / "later.csv").shape == truth.shape


def test_links_in_a_circle_are_an_error(tmp_path: Path, truth: cf.Truth) -> None:
    for one, other in (("a.csv", "b.csv"), ("b.csv", "a.csv")):
        (tmp_path / one).symlink_to(tmp_path / other)
    with pytest.raises(FileError, match="cannot be written"):
        formats.write_truth(truth, tmp_path / "a.csv")


def test_a_pipe_is_written_into(tmp_path: Path, truth: cf.Truth) -> None:
    pipe = tmp_path / "truth.csv"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    formats.write_truth(truth, pipe)
    reader.join(timeout=10)
    assert read[0].startswith("item,cat,dog\n")
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_what_fails_halfway_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    path.write_text("old")

    def fail() -> None:
        with written(path) as target:
            target.stream.write(b"half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert path.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["scores.json"]


def test_a_file_that_is_replaced_keeps_who_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.touch(mode=0o600)
    cf.write_truth(cf.Truth([[1]]), path)
    assert path.stat().st_mode & 0o777 == 0o600


def test_an_open_stream_is_written_as_it_stands(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with log.open("ab") as stream:
        stream.write(b"before\n")
        stream.flush()
        cf.write_truth(cf.Truth([[1]], items=["a"]), f"/dev/fd/{stream.fileno()}", "text")
        stream.write(b"after\n")
    assert log.read_text() == "before\na 1\nafter\n"


def test_an_id_that_numpy_would_shorten_is_refused(tmp_path: Path) -> None:
    with pytest.raises(cf.FileError, match="ends with a NUL"):
        cf.write_truth(cf.Truth([[1], [0]], items=["a", "a\0"]), tmp_path / "t.npz")
