"""Backups: the database and everything a campaign consists of, in one archive; and back again.

An archive holds `database/`, rows as text, and `campaign/`, the folder without what is made anew.
"""

from __future__ import annotations

import os
import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

from django.core.exceptions import ValidationError
from django.db import DatabaseError, connections

from cranfield.errors import FileError, InputError
from cranfield.server import settings
from cranfield.server.folder import CampaignFolder
from cranfield.server.operation.dump import dump, load

_LEFT_OUT = ("staging", "backups", "lock", "static", "campaign.sqlite3")
"""Of `var`: what is made anew, and the database, whose rows are dumped."""
_PARTS = ("campaign", "database")
_ALIAS = "restored"
_RESERVE = 1 << 28
"""Bytes of the disk that a restore leaves free."""


@dataclass(frozen=True)
class Backup:
    """An archive, and how many rows of each model it holds."""

    path: Path
    rows: dict[str, int]


def back_up(folder: CampaignFolder, target: Path | None = None) -> Backup:
    """An archive of the whole campaign as it is now, while it may be running."""
    path = target or _new_name(folder.backups)
    if path.exists():
        raise FileError(path, "is there already; name a new file")
    part = path.with_name(f".{path.name}.part")
    own = {path.resolve(), part.resolve()}

    def chosen(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
        name = PurePosixPath(member.name)
        beside = len(name.parts) > 2 and name.parts[1] == "var"
        if (beside and name.parts[2].startswith(_LEFT_OUT)) or (
            folder.path.joinpath(*name.parts[1:]).resolve() in own
        ):
            return None
        return member

    try:
        with folder.desk() as desk:
            rows = dump(desk / "database")
            with open(os.open(part, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as file:
                with tarfile.open(
                    fileobj=file, mode="w:gz", compresslevel=1, dereference=True
                ) as archive:
                    archive.add(desk / "database", arcname="database")
                    archive.add(folder.path, arcname="campaign", filter=chosen)
                file.flush()
                os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        raise FileError(path, f"cannot be written ({error.strerror or error})") from None
    finally:
        part.unlink(missing_ok=True)
    return Backup(path, rows)


def _new_name(backups: Path) -> Path:
    return backups / f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.tar.gz"


def restore(archive: Path, target: Path, database: str | None, *, most: int) -> dict[str, int]:
    """A campaign's folder from its backup; its rows go into the folder's SQLite file, or into the
    empty database at an address. What fails leaves nothing behind.

    most  bytes that the archive may unpack to
    """
    if target.exists():
        raise FileError(target, "is there already; name a new folder")
    with unpacked(archive, target, most=most) as desk:
        campaign = CampaignFolder(desk / "campaign")
        campaign.make()
        with _connected(settings.database(database, campaign.database)):
            rows = load(desk / "database", _ALIAS)
        os.replace(campaign.path, target)
    return rows


@contextmanager
def unpacked(archive: Path, target: Path, *, most: int) -> Iterator[Path]:
    """The parts of an archive in a folder beside the target, which goes when all is done."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".restored-") as name:
        desk = Path(name)
        try:
            with tarfile.open(archive, "r:gz") as members:
                _unpack(members, desk, most)
        except FileNotFoundError:
            raise FileError(archive, "there is no such file; check the name") from None
        except (tarfile.TarError, OSError, EOFError, ValueError) as error:
            raise FileError(archive, f"is no backup of a campaign ({error})") from None
        for part in _PARTS:
            if not (desk / part).is_dir():
                raise FileError(archive, f"is no backup of a campaign (it lacks {part}/)")
        yield desk


def _unpack(members: tarfile.TarFile, desk: Path, most: int) -> None:
    """Files and folders below the two parts, and nothing else: no links, no devices, no way out."""
    room = min(most, shutil.disk_usage(desk).free - _RESERVE)
    for member in members:
        name = PurePosixPath(member.name)
        if name.is_absolute() or ".." in name.parts or name.parts[0] not in _PARTS:
            raise ValueError(f"{member.name!r} would lie elsewhere")
        path = desk.joinpath(*name.parts)
        if member.isdir():
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            continue
        if not member.isreg() or member.issparse():
            raise ValueError(f"{member.name!r} is no file")
        room -= member.size
        if room < 0:
            raise ValueError("it unpacks to more than is allowed, or than the disk has room for")
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        content = members.extractfile(member)
        assert content is not None
        with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            shutil.copyfileobj(content, file, 1 << 20)


@contextmanager
def _connected(described: dict[str, Any]) -> Iterator[None]:
    """A connection beside that of the settings, for a database that is being made."""
    complete = connections.configure_settings({"default": described})["default"]
    connections.settings[_ALIAS] = complete
    try:
        yield
    except (DatabaseError, ValidationError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"its rows cannot be loaded into the database: {error}") from None
    finally:
        connections[_ALIAS].close()
        del connections[_ALIAS]
        del connections.settings[_ALIAS]
