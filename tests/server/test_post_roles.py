"""Who may change what: every form by every role, and each change in the log."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from routes import all_routes
from test_pages import ROLES, World

from cranfield.server.annotation.models import Sheet
from cranfield.server.folder import CampaignFolder
from cranfield.server.people.links import hashed
from cranfield.server.people.models import Audit, Group, Token, User
from cranfield.server.people.roles import set_roles
from cranfield.server.submissions.acceptance import RefusedError
from cranfield.server.submissions.models import Run

NOBODY = ("log in", "404", "done", "404")
ORGANISERS = ("log in", "403", "403", "done")
SHOWN_TO_ORGANISERS = ("log in", "403", "403", "200")
TOKENS = ("401", "401", "401", "401")
POSTS: dict[str, tuple[str, str, str, str]] = {
    "agree": ("log in", "done", "done", "done"),
    "revoke-token": NOBODY,
    "invite": NOBODY,
    "leave": NOBODY,
    "enter": NOBODY,
    "retract": NOBODY,
    "new-group": ("log in", "200", "200", "200"),
    "new-token": ("log in", "404", "200", "404"),
    "submit": ("log in", "403", "200", "200"),
    "organiser-token": SHOWN_TO_ORGANISERS,
    "correct": SHOWN_TO_ORGANISERS,
    "ruling": ORGANISERS,
    "requeue": ORGANISERS,
    "reset": ORGANISERS,
    "roles": ORGANISERS,
    "invite-person": ORGANISERS,
    "annotator": ORGANISERS,
    "annotation-pause": ORGANISERS,
    "exclude": ORGANISERS,
    "api:submit_run": TOKENS,
    "api:retract_run": TOKENS,
    "api:correct_cell": TOKENS,
    "api:rule_on_run": TOKENS,
}
"""What an empty form of each role does to things of the member: `done` changes something, 200 shows
the form again."""
OPEN = {"login", "logout", "register", "welcome", "invited", "forgotten"}
"""Forms of people who are not logged in, and the way out."""
ANNOTATION = {"sheet", "annotation-work"}
"""Forms of annotators, which tests of annotation send."""
SHARED = {"api:runs": "api:submit_run"}
"""Routes at the same address as another, which has the method."""


@pytest.fixture
def world(folder: CampaignFolder) -> World:
    return World(folder)


SENT = {
    "roles": {"active": "on", "organiser": "on"},
    "ruling": {"reason": "copied"},
    "exclude": {"reason": "at random"},
}


def _post(world: World, client: Client, name: str) -> Any:
    arguments = world.arguments(name)
    if name == "revoke-token":
        user, membership = world.users["member"], world.membership
        token = Token.objects.create(user=user, membership=membership, name="t", sha256=hashed("x"))
        arguments = {"id": token.id}
    data = SENT.get(name, {})
    return client.post(reverse(name, kwargs=arguments), data)


def _outcome(answer: Any) -> str:
    if answer.status_code != 302:
        return str(answer.status_code)
    return "log in" if answer["Location"].startswith("/login/") else "done"


def _expected(name: str, role: str) -> str:
    return POSTS[name][ROLES.index(role)]


@pytest.mark.parametrize("role", ROLES)
def test_forms_do_for_each_role_what_they_may_and_every_change_is_in_the_log(
    world: World, role: str
) -> None:
    client = world.client(role)
    Run.objects.update(state=Run.State.ACCEPTED)
    Sheet.objects.update(state=Sheet.State.ANSWERED)
    for name in POSTS:
        with transaction.atomic():
            before = Audit.objects.count()
            outcome = _outcome(_post(world, client, name))
            assert outcome == _expected(name, role), (name, role)
            logged = Audit.objects.count() > before
            assert logged == (outcome == "done"), (name, role)
            transaction.set_rollback(True)


def test_other_routes_take_no_forms(world: World) -> None:
    client = world.client("organiser")
    for name in (
        set(all_routes()) - POSTS.keys() - OPEN - ANNOTATION - SHARED.keys() - {"api:api-root"}
    ):
        answer = client.post(reverse(name, kwargs=world.arguments(name)))
        assert answer.status_code == 405, name


def test_forms_from_foreign_sites_are_refused(world: World) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(world.users["organiser"], "django.contrib.auth.backends.ModelBackend")
    for name in POSTS:
        if not name.startswith("api:"):
            assert _post(world, client, name).status_code == 403, name


def test_organisers_change_roles_but_one_stays(world: World) -> None:
    member, organiser = world.users["member"], world.users["organiser"]
    alone = {"organiser": False, "active": True}
    with pytest.raises(RefusedError, match="somebody must stay"):
        set_roles(organiser, alone, organiser)
    organiser.refresh_from_db()
    assert organiser.is_organiser
    set_roles(member, {"organiser": True, "active": True}, organiser)
    member.refresh_from_db()
    assert member.is_organiser
    assert Audit.objects.get(action="change roles").detail == {"organiser": True}
    set_roles(organiser, alone, member)
    assert world.client("organiser").get(reverse("organise")).status_code == 403


def test_who_is_locked_out_loses_session_token_and_links(world: World) -> None:
    user, membership = world.users["member"], world.membership
    Token.objects.create(user=user, membership=membership, name="t", sha256=hashed("key"))
    headers = {"authorization": "Bearer key"}
    session = world.client("member")
    from cranfield.server.people.links import make_link
    from cranfield.server.people.models import LoginLink

    link = reverse("welcome", args=[make_link(LoginLink, user=user)])
    assert session.get(reverse("account")).status_code == 200
    assert Client().get("/api/tracks/photos/runs", headers=headers).status_code == 200
    assert Client().get(link).status_code == 200
    set_roles(user, {"organiser": False, "active": False}, world.users["organiser"])
    assert session.get(reverse("account")).status_code == 302
    assert Client().get("/api/tracks/photos/runs", headers=headers).status_code == 401
    assert Client().get(link).status_code == 404


def test_ten_wrong_passwords_lock_an_address_whatever_its_case(world: World) -> None:
    client, address = Client(), reverse("login")
    for spelling in ("member@example.org", "Member@example.org") * 5:
        client.post(address, {"username": spelling, "password": "wrong"})
    right = {"username": "member@example.org", "password": "pass word 123"}
    assert client.post(address, right).status_code == 429
    other = {"username": "stranger@example.org", "password": "pass word 123"}
    assert client.post(address, other).status_code == 302


def test_an_invitation_lets_somebody_register_where_registration_is_by_invitation(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    from django.conf import settings

    monkeypatch.setattr(settings, "CAMPAIGN", replace(settings.CAMPAIGN, registration="invited"))
    assert Client().get(reverse("register")).status_code == 403
    page = world.client("organiser").post(reverse("invite-person"), follow=True).content.decode()
    link = page.split("/invited/")[1].split("/")[0]
    sent = {"name": "Ida", "email": "ida@example.org", "agree": "on"}
    sent |= dict.fromkeys(("password", "again"), "correct horse")
    address = reverse("invited", args=[link])
    assert Client().post(address, sent).status_code == 302
    assert User.objects.get(email="ida@example.org").acceptances.count() == 1
    assert Client().post(address, sent | {"email": "eve@example.org"}).status_code == 404


@pytest.mark.parametrize("name", ["=HYPERLINK(1)", "@home", "+1", "a\tb", "  "])
def test_a_group_is_not_called_by_a_formula_or_by_what_nobody_sees(world: World, name: str) -> None:
    answer = world.client("stranger").post(reverse("new-group"), {"name": name})
    assert answer.status_code == 200
    assert Group.objects.count() == 2
