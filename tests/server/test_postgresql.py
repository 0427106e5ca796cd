"""The tests of this folder once more, on PostgreSQL."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from postgres_cluster import cluster, programs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed"),
]


def test_everything_holds_on_postgresql_too() -> None:
    command = [sys.executable, "-m", "pytest", "-m", "not slow", "-p", "no:cacheprovider"]
    with cluster() as address:
        ended = subprocess.run(
            [*command, Path(__file__).parent],
            cwd=Path(__file__).parents[2],
            env=_environment() | {"CRANFIELD_DATABASE": address},
            capture_output=True,
            text=True,
            timeout=600,
        )
    assert ended.returncode == 0, ended.stdout[-10_000:]
    assert " passed" in ended.stdout


def _environment() -> dict[str, str]:
    """This one's without what belongs to this run of pytest."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
