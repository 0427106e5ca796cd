"""The child process that reads what strangers sent: whatever it does costs its job only."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from cranfield.server.jobs.sandbox import ChildFailedError, ChildKilledError, Limits, run_apart


def _answer(work: dict[str, Any]) -> dict[str, Any]:
    return {"twice": 2 * work["number"]}


def _crash(work: dict[str, Any]) -> dict[str, Any]:
    os.kill(os.getpid(), work["signal"])
    return {}


def _devour(work: dict[str, Any]) -> dict[str, Any]:
    return {"size": len(bytearray(work["bytes"]))}


def _linger(work: dict[str, Any]) -> dict[str, Any]:
    if "folder" in work:
        (Path(work["folder"]) / str(os.getpid())).mkdir()
    time.sleep(60)
    return {}


def _write(work: dict[str, Any]) -> dict[str, Any]:
    Path(work["file"]).write_bytes(b"x")
    return {}


def _babble(work: dict[str, Any]) -> dict[str, Any]:
    return [1, 2, 3]  # type: ignore[return-value]


def test_a_child_answers() -> None:
    assert run_apart(_answer, {"number": 21}) == {"twice": 42}


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGXCPU])
def test_a_crash_is_the_files_fault(number: signal.Signals) -> None:
    with pytest.raises(ChildFailedError, match="crashed the reader"):
        run_apart(_crash, {"signal": number})


def test_a_child_that_was_killed_from_outside_is_nobodys_fault() -> None:
    with pytest.raises(ChildKilledError, match="killed"):
        run_apart(_crash, {"signal": signal.SIGKILL})


def test_signals_for_the_worker_do_not_end_its_child() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):  # Ctrl-C reaches all processes of a terminal
        assert run_apart(_crash, {"signal": number}) == {}


def test_memory_and_time_and_files_are_limited(tmp_path: Path) -> None:
    with pytest.raises(ChildFailedError, match="memory"):
        run_apart(_devour, {"bytes": 1 << 30}, limits=Limits(memory=1 << 28))
    with pytest.raises(ChildFailedError, match=r"longer than 0\.2 seconds"):
        run_apart(_linger, {}, limits=Limits(seconds=0.2))
    with pytest.raises(ChildFailedError):
        run_apart(_write, {"file": str(tmp_path / "written")})
    assert not (tmp_path / "written").read_bytes()


def test_a_job_that_is_somebody_elses_by_now_is_given_up() -> None:
    with pytest.raises(ChildFailedError, match="given up"):
        run_apart(_linger, {}, alive=lambda: False, every=0.05)


def test_what_is_no_answer_is_the_files_fault() -> None:
    with pytest.raises(ChildFailedError):
        run_apart(_babble, {})


def test_a_child_ends_with_its_worker(tmp_path: Path) -> None:
    """Its worker is killed; the child would go on for a minute."""
    code = "import test_sandbox, sys; test_sandbox.linger(sys.argv[1])"
    worker = subprocess.Popen([sys.executable, "-c", code, tmp_path], cwd=Path(__file__).parent)
    ends = time.monotonic() + 60
    try:
        while not (names := list(tmp_path.iterdir())) and time.monotonic() < ends:
            time.sleep(0.02)
    finally:
        worker.kill()
        worker.wait()
    child = int(names[0].name)
    while _lives(child) and time.monotonic() < ends:
        time.sleep(0.02)
    assert not _lives(child)


def linger(folder: str) -> None:
    run_apart(_linger, {"folder": folder})


def _lives(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"
