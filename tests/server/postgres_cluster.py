"""A throwaway PostgreSQL on loopback, where its programs are installed."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

_PATIENCE = 60.0


@cache
def programs() -> Path | None:
    """The folder of initdb and its kin; packages put it where no PATH leads."""
    listed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    path = shutil.which("initdb") or (listed[-1] if listed else None)
    return None if path is None else Path(path).resolve().parent


@contextmanager
def cluster() -> Iterator[str]:
    """The address of an empty database; it is gone afterwards."""
    folder = programs()
    assert folder is not None, "PostgreSQL is not installed"
    somebody = _somebody()
    with tempfile.TemporaryDirectory(prefix="postgres-") as name:
        if somebody:
            os.chown(name, pwd.getpwnam(somebody["user"]).pw_uid, -1)
        data, port = Path(name) / "data", _free_port()
        create = [folder / "initdb", "--auth=trust", "--username=cranfield", "--no-sync", data]
        subprocess.run(
            create, check=True, stdout=subprocess.DEVNULL, timeout=_PATIENCE, cwd=name, **somebody
        )
        control = [folder / "pg_ctl", "--pgdata", data, "--wait", "--silent"]
        options = (
            f"-c listen_addresses=127.0.0.1 -p {port} -k {name} -c fsync=off -c max_connections=60"
        )
        subprocess.run(
            [*control, "--log", Path(name) / "log", "--options", options, "start"],
            check=True, timeout=_PATIENCE, cwd=name, **somebody,
        )  # fmt: skip
        try:
            yield f"postgresql://cranfield@127.0.0.1:{port}/postgres"
        finally:
            subprocess.run(
                [*control, "--mode", "immediate", "stop"],
                check=True, timeout=_PATIENCE, cwd=name, **somebody,
            )  # fmt: skip


def _somebody() -> dict[str, Any]:
    """Whom PostgreSQL runs as: it refuses to be root."""
    if os.geteuid():
        return {}
    names = {entry.pw_name for entry in pwd.getpwall()}
    return {"user": "postgres" if "postgres" in names else "nobody", "extra_groups": []}


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
