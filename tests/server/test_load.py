"""The load script in small: readers and submissions at once, no error, quotas exact."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
_SIZE = ("--readers", "20", "--submissions", "10", "--items", "300")


def test_nothing_fails_and_quotas_are_exact_under_load() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "benchmarks.serving", *_SIZE],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "errors: 0" in ended.stdout
    assert "8 taken, 2 beyond the quota," in ended.stdout
