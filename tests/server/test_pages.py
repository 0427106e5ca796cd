"""Pages, by role: who may open which address, and that nothing of others can be reached."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image
from routes import all_routes

from cranfield.server.annotation.assignment import next_sheet
from cranfield.server.annotation.models import AnnotationJob
from cranfield.server.campaigns.models import Acceptance, Entry, Licence, Phase
from cranfield.server.folder import CampaignFolder
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
from cranfield.server.submissions.models import Run

ROLES = ("visitor", "stranger", "member", "organiser")
"""A stranger is somebody with an account and a group of their own."""
LOGIN = 302
OF_TRACKS = ("track", "board", "submit", "changes", "correct")
"""What names of routes begin with that need a track and nothing else."""
OF_ANNOTATION = ("annotation-progress", "annotation-pause", "votes-file")
"""What needs an annotation job."""
GET_ALLOWED: dict[str, tuple[int, int, int, int]] = {
    "home": (200, 200, 200, 200),
    "register": (200, 200, 200, 200),
    "login": (200, 200, 200, 200),
    "forgotten": (200, 200, 200, 200),
    "logout": (405, 405, 405, 405),
    "welcome": (200, 200, 200, 200),
    "invited": (200, 200, 200, 200),
    "account": (LOGIN, 200, 200, 200),
    "organiser-token": (LOGIN, 403, 403, 200),
    "agree": (LOGIN, 405, 405, 405),
    "revoke-token": (LOGIN, 405, 405, 405),
    "new-group": (LOGIN, 200, 200, 200),
    "group": (LOGIN, 404, 200, 404),
    "invite": (LOGIN, 405, 405, 405),
    "leave": (LOGIN, 405, 405, 405),
    "new-token": (LOGIN, 404, 200, 404),
    "enter": (LOGIN, 405, 405, 405),
    "track": (200, 200, 200, 200),
    "present-board-file": (200, 200, 200, 200),
    "board": (200, 200, 200, 200),
    "board-file": (200, 200, 200, 200),
    "record": (404, 404, 200, 200),
    "record-file": (404, 404, 200, 200),
    "changes": (200, 200, 200, 200),
    "analysis": (403, 403, 403, 200),
    "analysis-file": (403, 403, 403, 404),
    "report": (404, 404, 404, 404),
    "report-file": (404, 404, 404, 404),
    "comparison": (404, 404, 404, 404),
    "comparison-file": (404, 404, 404, 404),
    "compare": (404, 404, 302, 302),
    "download": (403, 200, 200, 200),
    "submit": (LOGIN, 403, 200, 200),
    "run": (404, 404, 200, 200),
    "retract": (LOGIN, 405, 405, 405),
    "openapi": (200, 200, 200, 200),
    "organise": (LOGIN, 403, 403, 200),
    "log": (LOGIN, 403, 403, 200),
    "correct": (LOGIN, 403, 403, 200),
    "ruling": (LOGIN, 403, 403, 405),
    "requeue": (LOGIN, 403, 403, 405),
    "invite-person": (LOGIN, 403, 403, 405),
    "roles": (LOGIN, 403, 403, 405),
    "reset": (LOGIN, 403, 403, 405),
    "annotate": (LOGIN, 403, 403, 200),
    "annotation-work": (LOGIN, 403, 403, LOGIN),
    "sheet": (LOGIN, 404, 404, 404),
    "item-image": (LOGIN, 404, 404, 200),
    "annotator": (LOGIN, 403, 403, 405),
    "annotation-progress": (LOGIN, 403, 403, 200),
    "annotation-pause": (LOGIN, 403, 403, 405),
    "votes-file": (LOGIN, 403, 403, 200),
    "exclude": (LOGIN, 403, 403, 405),
    "health": (200, 200, 200, 200),
    "metrics": (403, 403, 403, 200),
    "api:campaign": (200, 200, 200, 200),
    "api:track_changes": (200, 200, 200, 200),
    "api:downloads": (403, 200, 200, 200),
    "api:download_file": (403, 200, 200, 200),
    "api:correct_cell": (405, 405, 405, 405),
    "api:rule_on_run": (405, 405, 405, 405),
    "api:board": (200, 200, 200, 200),
    "api:runs": (401, 401, 401, 401),
    "api:submit_run": (401, 401, 401, 401),
    "api:run": (404, 404, 200, 200),
    "api:retract_run": (405, 405, 405, 405),
    "api:api-root": (404, 404, 404, 404),
}
"""What a GET answers, by the name of the route and by role."""
AS_ANNOTATOR = {
    "api:downloads": 403,
    "api:download_file": 403,
    "annotate": 200,
    "annotation-work": LOGIN,  # on to the item
    "sheet": 200,
    "item-image": 200,
    "download": 403,
}
"""What somebody without a group gets whom an organiser made an annotator, where a stranger gets
something else."""


class World:
    """A run that is being checked, its group, a stranger with a group, an organiser."""

    def __init__(self, folder: CampaignFolder) -> None:
        self.folder = folder
        self.phase = Phase.objects.get()
        self.users = {
            role: User.objects.create_user(f"{role}@example.org", "pass word 123", name=role)
            for role in ("stranger", "member")
        }
        self.users["organiser"] = User.objects.create_user(
            "organiser@example.org", "pass word 123", name="organiser", is_organiser=True
        )
        self.users["annotator"] = User.objects.create_user(
            "annotator@example.org", "pass word 123", name="annotator", is_annotator=True
        )
        self.group = Group.objects.create(name="ours")
        self.foreign = Group.objects.create(name="theirs")
        self.membership = Membership.objects.create(user=self.users["member"], group=self.group)
        Membership.objects.create(user=self.users["stranger"], group=self.foreign)
        Entry.objects.create(group=self.group, track=self.phase.track)
        for role in ("stranger", "member"):
            Acceptance.objects.create(user=self.users[role], licence=Licence.objects.get())
        self.run = Run.objects.create(
            group=self.group, phase=self.phase, slot=1, name="secret run", sha256="0" * 64, size=1,
            file_name="run.csv", key="k", began="2026-01-01T00:00Z",
            submitted_by=Pseudonym.objects.get(user=self.users["member"]),
        )  # fmt: skip
        self.job = Job.objects.create(
            run=self.run, edition=self.phase.track.editions.get(), state=Job.State.HELD
        )
        self.annotation = AnnotationJob.objects.get()
        annotator = Pseudonym.objects.get(user=self.users["annotator"])
        sheet = next_sheet(
            self.annotation, folder.campaign.track("photos").annotation[0], annotator
        )
        assert sheet is not None
        self.sheet = sheet
        folder.images("photos").mkdir(exist_ok=True)
        Image.new("RGB", (8, 8)).save(folder.images("photos") / f"{sheet.task.item}.png")
        downloads = folder.downloads("photos")
        downloads.mkdir(exist_ok=True)
        (downloads / "items.txt").write_text("i1\n")

    def client(self, role: str) -> Client:
        client = Client()
        if role != "visitor":
            client.force_login(self.users[role], "django.contrib.auth.backends.ModelBackend")
        return client

    def arguments(self, name: str) -> dict[str, Any]:
        """What the address of a route needs, about things of the member's."""
        track, group, run = {"track": "photos"}, {"id": self.group.id}, {"id": self.run.id}
        table, other = {"table": "runs", "form": "csv"}, {"other": self.run.id}
        board, csv = track | {"phase": "test", "edition": 1}, {"form": "csv"}
        return {
            "welcome": {"secret": make_link(LoginLink)},
            "invited": {"secret": make_link(Invitation, group=self.group)},
            "group": group, "invite": group, "leave": group, "new-token": group,
            "enter": group | track,
            "revoke-token": {"id": 1},
            "present-board-file": track | csv,
            "board": board, "board-file": board | csv,
            "record": board | run, "record-file": board | run | csv,
            "analysis": board | {"kind": "concepts"},
            "analysis-file": board | table | {"kind": "concepts"},
            "report": board | run, "report-file": board | run | table,
            "comparison": board | run | other, "comparison-file": board | run | other | table,
            "compare": run,
            "download": track | {"name": "items.txt"},
            "run": run, "retract": run, "ruling": run | {"ruling": "delete"},
            "requeue": {"id": self.job.id},
            "reset": {"id": self.users["member"].id},
            "annotation-work": track | {"job": "labels"},
            "sheet": {"id": self.sheet.id}, "exclude": {"id": self.sheet.id},
            "item-image": {"id": self.sheet.task.id},
            "annotator": {"id": self.users["member"].id},
            **{key: {"id": self.annotation.id} for key in OF_ANNOTATION},
            "roles": {"id": self.users["member"].id},
            "api:rule_on_run": run, "api:correct_cell": track, "api:track_changes": track,
            "api:downloads": track, "api:download_file": track | {"name": "items.txt"},
            "api:run": run, "api:retract_run": run,
            "api:board": track, "api:runs": track, "api:submit_run": track,
        }.get(name, track if name.startswith(OF_TRACKS) else {})  # fmt: skip


@pytest.fixture
def world(folder: CampaignFolder) -> World:
    return World(folder)


def test_every_route_has_its_line_in_the_table_of_roles() -> None:
    assert set(all_routes()) == GET_ALLOWED.keys()


@pytest.mark.parametrize("role", [*ROLES, "annotator"])
def test_roles_reach_what_they_may_and_nothing_else(world: World, role: str) -> None:
    client = world.client(role)
    for name in all_routes():
        if name == "api:api-root":
            continue
        answer = client.get(reverse(name, kwargs=world.arguments(name)))
        as_role = "stranger" if role == "annotator" else role
        allowed = GET_ALLOWED[name][ROLES.index(as_role)]
        allowed = AS_ANNOTATOR.get(name, allowed) if role == "annotator" else allowed
        assert answer.status_code == allowed, (name, role)


def test_the_truth_is_served_by_no_address(world: World) -> None:
    client = world.client("organiser")
    for name in ("../collection/truth.csv", "..%2Fcollection%2Ftruth.csv", "truth.csv"):
        assert client.get(f"/tracks/photos/downloads/{name}").status_code in (400, 404)


def test_opening_a_link_uses_nothing_up(world: World) -> None:
    secret = make_link(LoginLink)
    client = Client()
    for _ in range(3):
        answer = client.get(reverse("welcome", args=[secret]))
        assert answer.status_code == 200
        assert "_auth_user_id" not in client.session
    sent = {"name": "Olga", "email": "olga@example.org"}
    sent |= dict.fromkeys(("password", "again"), "correct horse")
    assert client.post(reverse("welcome", args=[secret]), sent).status_code == 302
    assert User.objects.get(email="olga@example.org").is_organiser
    assert Client().get(reverse("welcome", args=[secret])).status_code == 404


def test_a_token_ends_with_its_membership(world: World) -> None:
    token = Token.objects.create(
        user=world.users["member"], membership=world.membership, name="t", sha256=hashed("secret")
    )
    headers = {"authorization": "Bearer secret"}
    assert Client().get("/api/tracks/photos/runs", headers=headers).status_code == 200
    world.membership.delete()
    assert not Token.objects.filter(id=token.id).exists()
    assert Client().get("/api/tracks/photos/runs", headers=headers).status_code == 401


def test_every_page_forbids_foreign_scripts_and_styles(world: World) -> None:
    client = world.client("member")
    for name in ("home", "account", "track", "run", "submit", "group"):
        answer = client.get(reverse(name, kwargs=world.arguments(name)))
        assert "default-src 'none'" in answer["Content-Security-Policy"]
        text = answer.content.decode()
        assert " style=" not in text
        assert "<style" not in text
        assert " onclick=" not in text


def test_an_open_phase_shows_rounded_scores_of_the_public_part_only(world: World) -> None:
    from cranfield.server.campaigns.models import Split
    from cranfield.server.results.board import Board
    from cranfield.server.results.disclosure import Audience

    edition = world.phase.track.editions.get()
    board = Board(world.phase, edition, Audience(), split=Split.PRIVATE)
    assert board.split == Split.PUBLIC
    assert board.rounded(0.123456789) == 0.1235
    assert (
        Board(world.phase, edition, Audience(organiser=True), split=Split.PRIVATE).split
        == "private"
    )
