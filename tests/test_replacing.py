"""Files are replaced wholly or not at all, and what killed writers leave is removed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cranfield.core.atomic_write import replaced

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no locks there")

WRITER = """
import sys
from pathlib import Path
from cranfield.core.atomic_write import replaced
with replaced(Path(sys.argv[1])) as raw:
    raw.write(b"half")
    raw.flush()
    print("writing", flush=True)
    sys.stdin.read()
"""


def parts(folder: Path) -> list[Path]:
    return sorted(folder.glob(".*.part"))


def writer(goal: Path) -> subprocess.Popen[bytes]:
    """A process that has begun to write a file, and waits."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(goal)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"writing\n"
    return process


def test_what_a_killed_writer_left_is_removed_by_the_next(tmp_path: Path) -> None:
    with writer(tmp_path / "a.csv") as process:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert len(parts(tmp_path)) == 1
    with replaced(tmp_path / "b.csv") as raw:
        raw.write(b"whole")
    assert [path.name for path in tmp_path.iterdir()] == ["b.csv"]


def test_what_somebody_is_writing_stays(tmp_path: Path) -> None:
    with writer(tmp_path / "a.csv") as process:
        begun = parts(tmp_path)
        with replaced(tmp_path / "b.csv") as raw:
            raw.write(b"whole")
        assert parts(tmp_path) == begun
        process.communicate()
    assert (tmp_path / "a.csv").read_bytes() == b"half"
    assert parts(tmp_path) == []


def test_files_of_others_stay(tmp_path: Path) -> None:
    names = {"film.part", ".film.part", ".0123456789abcdef.part.txt"}
    for name in names:
        (tmp_path / name).write_text("mine")
    with replaced(tmp_path / "a.csv") as raw:
        raw.write(b"whole")
    assert {path.name for path in tmp_path.iterdir()} == names | {"a.csv"}


def test_many_writers_in_one_folder_do_not_disturb_each_other(tmp_path: Path) -> None:
    def write(number: int) -> None:
        for _ in range(20):
            with replaced(tmp_path / f"{number}.csv") as raw:
                raw.write(str(number).encode())

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        f"{number}.csv": str(number) for number in range(8)
    }


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    goal = tmp_path / "a.csv"
    goal.write_text("old")
    with pytest.raises(TypeError), replaced(goal) as raw:
        raw.writelines([b"new", None])  # type: ignore[list-item]
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]
    assert goal.read_text() == "old"
