"""Commands about a campaign's people and scores: what they change, and that the log has it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from photo_campaign import TRUTH

from cranfield.errors import FileError, InputError
from cranfield.server.administration import rescore
from cranfield.server.campaigns.editions import synchronise
from cranfield.server.campaigns.models import Track
from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs.models import Job
from cranfield.server.operation.housekeeping import clean_up
from cranfield.server.people.accounts import (
    add_organiser,
    deactivate,
    list_people,
    reset_password,
)
from cranfield.server.people.links import first_organiser_link, make_link
from cranfield.server.people.models import Audit, Invitation, LoginLink, Token, User
from cranfield.server.serve import prepare
from cranfield.server.submissions.models import Run

BACKEND = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture
def ida(folder: CampaignFolder) -> User:
    return User.objects.create_user("ida@example.org", "pass word 123", name="Ida")


def test_accounts_are_listed_with_their_roles(ida: User, folder: CampaignFolder) -> None:
    (row,) = list_people(folder.path).people
    assert row == {"email": ida.email, "name": "Ida", "role": "", "groups": "", "active": True}


def test_a_link_for_a_new_password_works_once(ida: User, folder: CampaignFolder) -> None:
    link = reset_password(folder.path, "IDA@example.org", address="https://x.example").link
    path = link.removeprefix("https://x.example")
    words = {"password": "new pass word", "again": "new pass word"}
    assert Client().get(path).status_code == 200
    assert Client().post(path, words).status_code == 302
    assert Client().post(path, words).status_code == 404
    ida.refresh_from_db()
    assert ida.check_password("new pass word")
    assert "reset password" in Audit.objects.values_list("action", flat=True)


def test_a_new_password_ends_sessions_and_other_links(ida: User, folder: CampaignFolder) -> None:
    client = Client()
    client.force_login(ida, BACKEND)
    first, second = (reset_password(folder.path, ida.email).link for _ in range(2))
    paths = [link.removeprefix("http://localhost:8000") for link in (first, second)]
    words = {"password": "new pass word", "again": "new pass word"}
    assert Client().post(paths[0], words).status_code == 302
    assert Client().get(paths[1]).status_code == 404
    assert client.get("/account/").status_code == 302


def test_a_link_for_a_second_organiser_leaves_the_first_alone(folder: CampaignFolder) -> None:
    User.objects.create_user("otto@example.org", name="Otto", is_organiser=True)
    assert first_organiser_link("http://localhost/") is None
    path = add_organiser(folder.path).link.removeprefix("http://localhost:8000")
    words = {"password": "pass word 123", "again": "pass word 123", "name": "Eve"}
    assert Client().post(path, words | {"email": "eve@example.org"}).status_code == 302
    assert User.objects.filter(is_organiser=True).count() == 2


def test_who_is_locked_out_loses_session_and_tokens_at_once(
    ida: User, folder: CampaignFolder
) -> None:
    client = Client()
    client.force_login(ida, BACKEND)
    Token.objects.create(user=ida, name="laptop", sha256="0" * 64)
    assert client.get("/account/").status_code == 200
    deactivate(folder.path, "ida@example.org")
    assert client.get("/account/").status_code == 302
    assert not Token.objects.exists()
    login = {"username": "ida@example.org", "password": "pass word 123"}
    assert Client().post("/login/", login).status_code == 200
    deactivate(folder.path, "ida@example.org", undo=True)
    assert Client().post("/login/", login).status_code == 302


def test_an_unknown_account_is_told(folder: CampaignFolder) -> None:
    with pytest.raises(InputError, match="nobody has the address eve@"):
        deactivate(folder.path, "eve@example.org")


def test_a_process_works_on_one_campaign(folder: CampaignFolder, tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text((folder.path / "campaign.toml").read_text())
    with pytest.raises(InputError, match="start another one"):
        prepare(tmp_path)


def test_runs_are_scored_again_after_the_truth_changed_and_not_before(
    folder: CampaignFolder,
) -> None:
    track = Track.objects.get()
    phase, first = track.phases.get(), track.editions.get()
    run = Run.objects.create(
        phase=phase, name="r", sha256="0" * 64, size=1, file_name="r.csv", key="k",
        began=timezone.now(), state=Run.State.ACCEPTED,
    )  # fmt: skip
    job = Job.objects.create(run=run, edition=first, state=Job.State.DONE)
    assert rescore(folder.path).tracks == [("photos", 1, False, 0)]
    assert rescore(folder.path, all=True).tracks == [("photos", 1, False, 1)]
    job.refresh_from_db()
    assert job.state == Job.State.QUEUED
    truth = folder.collection("photos") / "truth.csv"
    truth.write_text(TRUTH.replace("i0,1", "i0,0", 1))
    try:
        changed = rescore(folder.path, reason="i0 shows no sky")
    finally:
        truth.write_text(TRUTH)
    assert changed.tracks == [("photos", 2, True, 1)]
    assert track.editions.get(number=2).reason == "i0 shows no sky"
    with pytest.raises(InputError, match="there is no track 'videos'"):
        rescore(folder.path, track="videos")


def test_a_collection_that_is_gone_is_told(folder: CampaignFolder) -> None:
    collection = folder.collection("photos")
    aside = collection.rename(collection.with_name("aside"))
    try:
        with pytest.raises(FileError, match="collection"):
            rescore(folder.path)
    finally:
        aside.rename(collection)
        synchronise(folder)


def test_what_has_expired_is_deleted(ida: User, folder: CampaignFolder) -> None:
    old, new = make_link(LoginLink, user=ida), make_link(Invitation)
    LoginLink.objects.update(expires=timezone.now() - timedelta(days=31))
    folder.logs.mkdir(exist_ok=True)
    clean_up(settings.FOLDER)
    assert (LoginLink.objects.count(), Invitation.objects.count()) == (0, 1)
    assert old != new
