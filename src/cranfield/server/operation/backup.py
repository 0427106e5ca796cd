"""Backups: the database and everything a campaign consists of, in one archive."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import tarfile
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from django.db import connection

from cranfield.errors import FileError, InputError
from cranfield.server.folder import CampaignFolder

_LEFT_OUT = ("staging", "backups", "lock", "static", "campaign.sqlite3")
"""Of `var`: what is made anew, and the database, which is copied in one piece."""


_DATABASES = ("campaign.sqlite3", "campaign.dump")


def back_up(folder: CampaignFolder, target: Path | None = None) -> Path:
    """An archive of the whole campaign as it is now, while it may be running."""
    name = f"{datetime.now(UTC):%Y%m%d-%H%M%S}.tar.gz"
    path = target or folder.backups / name
    part = path.with_name(f".{path.name}.part")
    with folder.desk() as desk:
        copied = _database_copy(desk)
        with open(os.open(part, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as file:
            with tarfile.open(fileobj=file, mode="w:gz", compresslevel=1) as archive:
                archive.add(copied, arcname=copied.name)
                archive.add(folder.path, arcname="campaign", filter=_kept)
            file.flush()
            os.fsync(file.fileno())
    os.replace(part, path)
    return path


def _kept(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    left_out = tuple(f"campaign/var/{name}" for name in _LEFT_OUT)
    return None if member.name.startswith(left_out) else member


def _database_copy(desk: Path) -> Path:
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        copy = desk / "campaign.sqlite3"
        with sqlite3.connect(copy) as target:
            connection.connection.backup(target)
        return copy
    copy = desk / "campaign.dump"
    settings = connection.settings_dict
    environment = os.environ | {"PGPASSWORD": settings["PASSWORD"]}
    command = ["pg_dump", "--format=custom", f"--file={copy}", f"--dbname={settings['NAME']}"]
    for option, key in (("host", "HOST"), ("port", "PORT"), ("username", "USER")):
        if settings[key]:
            command.append(f"--{option}={settings[key]}")
    try:
        subprocess.run(command, check=True, capture_output=True, env=environment, text=True)
    except FileNotFoundError:
        raise InputError("pg_dump is not installed; install PostgreSQL's client") from None
    except subprocess.CalledProcessError as error:
        raise InputError(f"pg_dump failed: {error.stderr.strip()}") from None
    return copy


def restore(archive: Path, target: Path) -> None:
    """A campaign's folder from its backup; the folder must not be there. A dump of PostgreSQL lies
    in its `var`, for pg_restore."""
    if target.exists():
        raise FileError(target, "is there already; name a new folder")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".restored-") as name:
        desk = Path(name)
        try:
            with tarfile.open(archive, "r:gz") as members:
                members.extractall(desk, filter="data")  # no way out of the folder, no devices
            database = next(desk / name for name in _DATABASES if (desk / name).is_file())
            os.replace(database, desk / "campaign" / "var" / database.name)
            os.replace(desk / "campaign", target)
        except (tarfile.TarError, OSError, EOFError, StopIteration) as error:
            raise FileError(
                archive,
                f"is no backup of a campaign ({error}); `cranfield campaign backup` makes one",
            ) from None
