"""Keeps a filled database of the schema that the code has now, for the tests of later versions.

    python tests/server/make_schema.py

Run it when the first release with a new migration is made, and never again for that migration. It
writes to tests/server/schemas, under the name of the last migration: `.sql.gz`, the SQLite database
as statements; `.tar.gz`, a backup of the same campaign; `.json`, its board as visitors read it.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import sqlite3
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from photo_campaign import TRUTH, write_campaign

SCHEMAS = Path(__file__).parent / "schemas"


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = write_campaign(Path(name) / "campaign")
        from cranfield.server.serve import prepare, start_up

        campaign = prepare(folder)
        start_up(campaign)
        _fill()
        from cranfield.server.operation.backup import back_up

        SCHEMAS.mkdir(exist_ok=True)
        stem = SCHEMAS / last_migration().stem
        stem.with_suffix(".tar.gz").unlink(missing_ok=True)
        back_up(campaign, stem.with_suffix(".tar.gz"))
        _dump(campaign.database, stem.with_suffix(".sql.gz"))
        content = {"board": board(), "migration": migration_digest()}
        stem.with_suffix(".json").write_text(json.dumps(content, indent=1) + "\n")
    print(f"wrote {stem}.*")


def last_migration() -> Path:
    from cranfield.server import migrations

    return max(Path(next(iter(migrations.__path__))).glob("[0-9]*.py"))


def migration_digest() -> str:
    """Of the last migration: one that has been released is never changed."""
    lines = last_migration().read_text().splitlines()
    text = "\n".join(line for line in lines if not line.startswith("# Generated"))
    return hashlib.sha256(text.encode()).hexdigest()


def board() -> Any:
    """As a visitor gets it from the API."""
    from django.test import Client

    answer = Client(SERVER_NAME="localhost").get("/api/tracks/photos/board")
    assert answer.status_code == 200, answer.content
    keys = ("rank", "group", "run", "concept.AP", "example.F")
    return [{key: row.get(key) for key in keys} for row in answer.json()["runs"]]


def _fill() -> None:
    """People, groups, tokens and links; runs in every state."""
    from django.conf import settings

    from cranfield.server.campaigns.models import Acceptance, Entry, Licence, Phase
    from cranfield.server.jobs.worker import Worker
    from cranfield.server.people.links import hashed, make_link
    from cranfield.server.people.models import (
        Group,
        Invitation,
        LoginLink,
        Membership,
        Pseudonym,
        Token,
        User,
    )
    from cranfield.server.submissions.acceptance import Description, StagedFile, retract, submit
    from cranfield.server.submissions.rulings import rule

    phase, licence = Phase.objects.get(), Licence.objects.get()
    User.objects.create_user("otto@example.org", "pass word 123", name="Otto", is_organiser=True)
    runs = []
    for number, group_name in enumerate(("Alder", "Birch", "Çınar")):
        user = User.objects.create_user(f"member{number}@example.org", name=f"Member {number}")
        group = Group.objects.create(name=group_name, country="Finland")
        membership = Membership.objects.create(user=user, group=group)
        Entry.objects.create(group=group, track=phase.track)
        Acceptance.objects.create(user=user, licence=licence)
        Token.objects.create(
            user=user, membership=membership, name="laptop", sha256=hashed(f"token {number}")
        )
        make_link(Invitation, group=group)
        make_link(LoginLink, user=user)
        for attempt in range(2):
            content = _run(number, attempt)
            if (number, attempt) == (2, 1):
                content = content.replace(b"i3,", b"i3,x", 1)
            digest = hashlib.sha256(content).hexdigest()
            path = settings.FOLDER.staging / digest
            path.write_bytes(content)
            file = StagedFile(path, "run.csv", digest, len(content), datetime.now(UTC))
            runs.append(
                submit(
                    settings.FOLDER,
                    file,
                    Description(f"run {attempt}", "Made for tests.", "VTM"[number]),
                    phase=phase,
                    group=group,
                    who=Pseudonym.objects.get(user=user),
                    key=f"key {number} {attempt}",
                )
            )
    worker = Worker()
    while worker.work_once():
        pass
    rule(runs[3], "disqualify", "It was copied.", None)
    runs[1].refresh_from_db()
    retract(settings.FOLDER, runs[1], Pseudonym.objects.get(user__email="member0@example.org"))


def _run(number: int, attempt: int) -> bytes:
    """Confidences that are wrong for some items, more for some groups."""
    head, *lines = TRUTH.splitlines()
    rows = [head]
    for index, line in enumerate(lines):
        item, *labels = line.split(",")
        wrong = index % (5 - number) == attempt
        rows.append(",".join([item, *(f"{abs(int(label) - 0.7 * wrong):.1f}" for label in labels)]))
    return "\n".join(rows).encode()


def _dump(database: Path, target: Path) -> None:
    with sqlite3.connect(database) as connection:
        statements = "\n".join(connection.iterdump())
    with open(target, "wb") as file, gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as packed:
        packed.write(statements.encode())


if __name__ == "__main__":
    main()
