"""Filled databases of every schema that was released are brought up to date, and their boards are
what they were. `make_schema.py` keeps a new one."""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from make_schema import SCHEMAS, last_migration, migration_digest

from cranfield.server.folder import CampaignFolder
from cranfield.server.operation.backup import unpacked

NAMES = sorted(path.stem for path in SCHEMAS.glob("*.json"))
_BOARD = """
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from cranfield.server.serve import prepare, start_up
start_up(prepare(Path(sys.argv[1])))
from make_schema import board
print(json.dumps(board()))
"""


def _board(folder: Path) -> object:
    """What visitors see once the server has started."""
    line = [sys.executable, "-c", _BOARD, folder, str(SCHEMAS.parent)]
    answer = subprocess.run(line, capture_output=True, text=True, timeout=120)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def _database(archive: Path, statements: Path, folder: Path) -> None:
    with unpacked(archive, folder, most=1 << 30) as desk:
        shutil.move(desk / "campaign", folder)
    campaign = CampaignFolder(folder)
    campaign.make()
    with sqlite3.connect(campaign.database) as connection:
        connection.executescript(gzip.decompress(statements.read_bytes()).decode())


def _restored(archive: Path, folder: Path) -> None:
    line = [sys.executable, "-m", "cranfield", "campaign", "restore", archive, folder]
    subprocess.run(line, check=True, timeout=120, stdout=subprocess.DEVNULL)


@pytest.mark.slow
@pytest.mark.parametrize("source", ["database", "backup"])
@pytest.mark.parametrize("name", NAMES)
def test_an_old_campaign_is_brought_up_to_date_with_its_board(
    name: str, source: str, tmp_path: Path
) -> None:
    archive, folder = SCHEMAS / f"{name}.tar.gz", tmp_path / "campaign"
    if source == "database":
        _database(archive, SCHEMAS / f"{name}.sql.gz", folder)
    else:
        _restored(archive, folder)
    expected = json.loads((SCHEMAS / f"{name}.json").read_text())["board"]
    assert len(expected) >= 3
    assert _board(folder) == expected


@pytest.mark.slow
def test_the_last_migration_has_its_database_and_was_not_changed_since() -> None:
    name = last_migration().stem
    assert name in NAMES, "python tests/server/make_schema.py"
    content = json.loads((SCHEMAS / f"{name}.json").read_text())
    assert content["migration"] == migration_digest(), (
        "a released migration is never changed; write a new one. Before its release: "
        "python tests/server/make_schema.py"
    )
