"""Backups: what is archived comes back as it was; what no backup holds leaves nothing behind."""

from __future__ import annotations

import io
import json
import os
import stat
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from cranfield.errors import FileError
from cranfield.server.campaigns.editions import synchronise
from cranfield.server.folder import CampaignFolder
from cranfield.server.operation.backup import back_up, restore
from cranfield.server.people.models import Group, User

MOST = 1 << 30


@pytest.fixture
def filled(transactional_db: None) -> CampaignFolder:
    synchronise(settings.FOLDER)
    User.objects.create_user("ida@example.org", "pass word 123", name="Ida Ünal")
    Group.objects.create(name='=HYPERLINK("x")\n')
    return settings.FOLDER


def _cranfield(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own, since Django serves one folder in a process."""
    line = [sys.executable, "-m", "cranfield", *map(str, words)]
    environment = {name: os.environ[name] for name in os.environ if name != "CRANFIELD_DATABASE"}
    return subprocess.run(line, capture_output=True, text=True, timeout=120, env=environment)


def _contents(archive: Path) -> dict[str, bytes]:
    with tarfile.open(archive) as members:
        files = [member for member in members if member.isreg()]
        return {member.name: members.extractfile(member).read() for member in files}  # type: ignore[union-attr]


def _changed(archive: Path, name: str, content: str) -> Path:
    """The same archive with another file in it."""
    members = _contents(archive) | {name: content.encode()}
    changed = archive.with_name("changed.tar.gz")
    return _archive(changed, *((_member(n, len(text)), text) for n, text in members.items()))


def test_a_backup_is_restored_as_it_was(filled: CampaignFolder, tmp_path: Path) -> None:
    archive = back_up(filled, tmp_path / "first.tar.gz").path
    assert stat.S_IMODE(os.stat(archive).st_mode) == 0o600
    restored, second = tmp_path / "again", tmp_path / "second.tar.gz"
    assert _cranfield("campaign", "restore", archive, restored).returncode == 0
    assert _cranfield("campaign", "backup", restored, second).returncode == 0
    contents = _contents(archive)
    assert _contents(second) == contents
    assert contents["campaign/var/secret"].decode() == filled.secret
    assert "Ida Ünal" in json.loads(contents["database/user.jsonl"].splitlines()[1])
    secret = restored / "var" / "secret"
    assert stat.S_IMODE(os.stat(secret).st_mode) == 0o600


def test_nothing_is_written_over(filled: CampaignFolder, tmp_path: Path) -> None:
    archive = back_up(filled, tmp_path / "backup.tar.gz").path
    with pytest.raises(FileError, match="there already"):
        back_up(filled, archive)
    (tmp_path / "again").mkdir()
    with pytest.raises(FileError, match="there already"):
        restore(archive, tmp_path / "again", None, most=MOST)


def test_an_archive_does_not_hold_itself_nor_other_backups(filled: CampaignFolder) -> None:
    archive = back_up(filled).path
    inside = filled.path / "own.tar.gz"
    back_up(filled, inside)
    try:
        with tarfile.open(inside) as members:
            names = members.getnames()
    finally:
        inside.unlink()
        archive.unlink()
    assert "campaign/campaign.toml" in names
    assert not [name for name in names if name.endswith(("tar.gz", "part", "sqlite3"))]


def _archive(path: Path, *members: tuple[tarfile.TarInfo, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for member, content in members:
            archive.addfile(member, io.BytesIO(content) if member.isreg() else None)
    return path


def _member(name: str, size: int = 4, **attributes: Any) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size = size if attributes.get("type", tarfile.REGTYPE) == tarfile.REGTYPE else 0
    for attribute, value in attributes.items():
        setattr(member, attribute, value)
    return member


HOSTILE = {
    "above": (_member("../escaped"), "would lie elsewhere"),
    "above, further in": (_member("campaign/../../escaped"), "would lie elsewhere"),
    "absolute": (_member("/tmp/escaped-absolutely"), "would lie elsewhere"),
    "elsewhere": (_member("escaped"), "would lie elsewhere"),
    "symbolic link": (_member("campaign/l", type=tarfile.SYMTYPE, linkname="/etc"), "is no file"),
    "hard link": (_member("campaign/l", type=tarfile.LNKTYPE, linkname="x"), "is no file"),
    "device": (_member("campaign/d", type=tarfile.CHRTYPE), "is no file"),
    "pipe": (_member("campaign/p", type=tarfile.FIFOTYPE), "is no file"),
    "too large": (_member("campaign/x", size=5000), "more than is allowed"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_archive_leaves_nothing_anywhere(tmp_path: Path, case: str) -> None:
    member, complaint = HOSTILE[case]
    first = _member("campaign/campaign.toml")
    archive = _archive(tmp_path / "hostile.tar.gz", (first, b"nice"), (member, b"e" * member.size))
    with pytest.raises(FileError, match=complaint):
        restore(archive, tmp_path / "inside" / "target", None, most=4096)
    assert not list((tmp_path / "inside").iterdir())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hostile.tar.gz", "inside"]
    assert not Path("/tmp/escaped-absolutely").exists()


def test_a_file_that_comes_twice_is_refused(tmp_path: Path) -> None:
    twice = [(_member("campaign/campaign.toml"), b"nice")] * 2
    with pytest.raises(FileError, match="File exists"):
        restore(_archive(tmp_path / "a.tar.gz", *twice), tmp_path / "target", None, most=MOST)


@pytest.mark.parametrize("content", [b"", b"no archive", b"\x1f\x8b\x08\x00truncated"])
def test_what_is_no_archive_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.tar.gz").write_bytes(content)
    with pytest.raises(FileError, match="no backup of a campaign"):
        restore(tmp_path / "x.tar.gz", tmp_path / "target", None, most=MOST)
    assert [path.name for path in tmp_path.iterdir()] == ["x.tar.gz"]


@pytest.mark.parametrize(
    ("file", "content", "complaint"),
    [
        ("user.jsonl", '["id"]\nno JSON\n', "cannot be loaded into the database"),
        ("user.jsonl", '["id"]\n[1]\n[1]\n', "cannot be loaded into the database"),
        ("schema.json", '{"applied": ["9999_later"]}', "made by a later version (9999_later)"),
    ],
)
def test_a_restore_that_fails_half_way_leaves_nothing(
    filled: CampaignFolder, tmp_path: Path, file: str, content: str, complaint: str
) -> None:
    archive = back_up(filled, tmp_path / "backup.tar.gz").path
    changed = _changed(archive, f"database/{file}", content)
    answer = _cranfield("campaign", "restore", changed, tmp_path / "again")
    assert answer.returncode == 1
    assert complaint in answer.stderr.replace("\n", " ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup.tar.gz", "changed.tar.gz"]
