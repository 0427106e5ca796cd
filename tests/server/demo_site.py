"""The demonstration served for real, with everything that pages can show: a track that takes runs
and one that is over, runs in every state, people of every role."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from live_campaign import LiveCampaign

PASSWORD = "correct horse battery"
ROLES = ("visitor", "newcomer", "member", "annotator", "organiser")
"""A newcomer has an account and nothing else."""
_OVER = """
[[tracks]]
name = "last-year"
title = "Photos of last year"
text = "A track that is over."
measures = ["concept.AP", "example.F"]
modalities = { V = "visual", T = "textual", M = "both" }
private_share = 0.5

[[tracks.phases]]
name = "final"
title = "Final"
opens = 2025-01-01
closes = 2025-03-31
"""
RUNS_OF_LAST_YEAR = 6
_ANNOTATION = """
[[tracks.annotation]]
name = "labels"
title = "Labels of the photos"
overlap = 2
warning = "Some photos show crowds."
"""


def write_demonstration(folder: Path) -> Path:
    """What `cranfield campaign init --demo` makes, and a track that is over."""
    command = [sys.executable, "-m", "cranfield", "campaign", "init", str(folder), "--demo"]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    with open(folder / "campaign.toml", "a", encoding="utf-8") as file:
        file.write(_ANNOTATION)  # of the last track above
        file.write(_OVER)
    shutil.copytree(folder / "tracks/photos/collection", folder / "tracks/last-year/collection")
    for track in ("photos", "last-year"):
        downloads = folder / "tracks" / track / "downloads"
        downloads.mkdir(exist_ok=True)
        (downloads / "test-items.txt").write_text("photo1\nphoto2\n")
    return folder


def wait_until_scored(campaign: LiveCampaign) -> None:
    """Until the server has scored what `furnish` submitted."""
    ends = time.monotonic() + 120
    while any(job == "queued" for run in campaign.runs() for job in run["jobs"]):
        assert time.monotonic() < ends, "runs are never scored"


def furnish() -> dict[str, Any]:
    """Make people, links and runs in every state, where the folder is served; the ids of all."""
    from django.conf import settings
    from PIL import Image

    from cranfield.server.annotation.assignment import next_sheet
    from cranfield.server.annotation.models import AnnotationJob
    from cranfield.server.campaigns.models import Acceptance, Entry, Licence, Phase, Track
    from cranfield.server.jobs.models import Job
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
    from cranfield.server.serve import start_up
    from cranfield.server.submissions.models import Run

    folder = settings.FOLDER
    start_up(folder)
    users = {
        role: User.objects.create_user(
            f"{role}@example.org",
            PASSWORD,
            name=role.title(),
            is_organiser=role == "organiser",
            is_annotator=role == "annotator",
        )
        for role in ROLES[1:]
    }
    alder = Group.objects.get(name="Alder")
    membership = Membership.objects.create(user=users["member"], group=alder)
    Acceptance.objects.create(user=users["member"], licence=Licence.objects.get())
    for group in Group.objects.all():
        Entry.objects.get_or_create(group=group, track=Track.objects.get(name="last-year"))
    Phase.objects.filter(name="final").update(closes=None)  # the server reads the date again
    over, test = Phase.objects.get(name="final"), Phase.objects.get(name="test")
    files = sorted((folder.collection("last-year") / "runs").iterdir())[:RUNS_OF_LAST_YEAR]
    closed = [_submit(path.stem, path.read_bytes(), over) for path in files]
    wrong = files[0].read_bytes().replace(b"0.", b"x.", 3)
    refused = _submit("Alder_wrong", wrong, test)
    waiting = _submit("Alder_waiting", files[0].read_bytes(), test)
    Job.objects.filter(run=waiting).update(state=Job.State.HELD, error="stopped many times")
    accepted = Run.objects.get(name="Alder_2", phase=test)
    out = Run.objects.get(name="Alder_3", phase=test)
    Run.objects.filter(id=out.id).update(state=Run.State.DISQUALIFIED, reason="Used test labels.")
    token = Token.objects.create(
        user=users["member"], membership=membership, name="laptop", sha256=hashed("secret")
    )
    annotation = AnnotationJob.objects.get()
    described = folder.campaign.track("photos").annotation[0]
    sheet = next_sheet(annotation, described, Pseudonym.objects.get(user=users["annotator"]))
    assert sheet is not None
    folder.images("photos").mkdir(exist_ok=True)
    picture = Image.new("RGB", (640, 480), "teal")
    picture.save(folder.images("photos") / f"{sheet.task.item}.jpg")
    return {
        "annotation": annotation.id,
        "sheet": sheet.id,
        "task": sheet.task_id,
        "runs": {
            "accepted": accepted.id,
            "refused": refused.id,
            "waiting": waiting.id,
            "disqualified": out.id,
            "closed": closed[0].id,
            "other": closed[-1].id,
        },
        "group": alder.id,
        "token": token.id,
        "job": Job.objects.get(run=waiting).id,
        "person": users["newcomer"].id,
        "welcome": make_link(LoginLink),
        "invited": make_link(Invitation, group=alder),
    }


def _submit(name: str, content: bytes, phase: Any) -> Any:
    import hashlib

    from django.conf import settings

    from cranfield.server.people.models import Group, Pseudonym
    from cranfield.server.submissions.acceptance import Description, StagedFile, submit

    group = Group.objects.get(name=name.partition("_")[0])
    staged = settings.FOLDER.staging / name
    staged.write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    return submit(
        settings.FOLDER,
        StagedFile(staged, f"{name}.txt", digest, len(content), datetime.now(UTC)),
        Description(name, f"How {name} was made.", "V"),
        phase=phase,
        group=group,
        who=Pseudonym.objects.filter(user__groups=group).first(),
        key=f"{phase.name}-{name}",
    )
