"""The API asks for the same permissions as the pages, and the client speaks to it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from submitters import GOOD, Submitter
from test_pages import World

from cranfield.server.campaigns.models import Acceptance, Edition, Licence
from cranfield.server.configuration import RunField
from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs.worker import Worker
from cranfield.server.people.links import hashed
from cranfield.server.people.models import Membership, Token, User
from cranfield.server.submissions.models import Run

FIELDS = (
    RunField("automatic", "Automatic or manual", "choice", ("automatic", "manual"), required=True),
    RunField("external-data", "External data"),
    RunField("open", "Open source", "flag"),
    RunField("paper", "Paper", "url"),
)


@pytest.fixture
def world(folder: CampaignFolder) -> World:
    return World(folder)


def _client(user: User, membership: Membership | None, **members: Any) -> Client:
    secret = f"key of {user.name}"
    Token.objects.update_or_create(
        sha256=hashed(secret),
        defaults={"user": user, "membership": membership, "name": "t", **members},
    )
    return Client(headers={"authorization": f"Bearer {secret}"})


def _member(world: World, role: str = "member") -> Client:
    user = world.users[role]
    return _client(user, Membership.objects.get(user=user))


def _organiser(world: World) -> Client:
    return _client(world.users["organiser"], None)


def _submit(client: Client, text: str = GOOD, **said: Any) -> Any:
    query = {"name": "run", "file_name": "run.csv", "modality": "V"} | said
    query["fields"] = json.dumps(query.get("fields", {}))
    key = query.pop("key", None)
    headers = {"Idempotency-Key": key} if key else {}
    return client.post(
        "/api/tracks/photos/runs", text, content_type="text/csv", query_params=query,
        headers=headers,
    )  # fmt: skip


def _work() -> None:
    while Worker().work_once():
        pass


def test_ids_of_others_are_not_there(world: World) -> None:
    stranger = _member(world, "stranger")
    run = world.run.id
    assert stranger.get(f"/api/runs/{run}").status_code == 404
    assert stranger.post(f"/api/runs/{run}/retract").status_code == 404
    assert world.run.name not in stranger.get("/api/tracks/photos/runs").content.decode()
    assert _member(world).get(f"/api/runs/{run}").status_code == 200


def test_old_tokens_open_nothing(world: World) -> None:
    user = world.users["member"]
    address = "/api/tracks/photos/runs"
    past = datetime(2020, 1, 1, tzinfo=UTC)
    assert _client(user, world.membership, expires=past).get(address).status_code == 401
    client = _client(user, world.membership, expires=None)
    assert client.get(address).status_code == 200
    User.objects.filter(id=user.id).update(is_active=False)
    assert client.get(address).status_code == 401
    User.objects.filter(id=user.id).update(is_active=True)
    Token.objects.all().delete()
    assert client.get(address).status_code == 401


def test_organisers_submit_baselines_out_of_competition_and_beyond_quotas(world: World) -> None:
    client = _organiser(world)
    for number in range(4):
        sent = _submit(client, key=f"k{number}")
        assert sent.status_code == 201
        assert (sent.json()["group"], sent.json()["slot"]) == (None, None)
    assert _submit(client, key="k0").json()["id"] == Run.objects.filter(group=None)[0].id
    _work()
    rows = Client().get("/api/tracks/photos/board").json()["runs"]
    assert [(row["group"], row["rank"]) for row in rows] == [("baseline", None)] * 4


def test_a_token_of_no_group_of_somebody_who_is_no_organiser_submits_nothing(world: World) -> None:
    client = _client(world.users["stranger"], None)
    assert _submit(client).status_code == 403


def test_organisers_alone_correct_and_rule(world: World) -> None:
    wrong = {"item": "i0", "concept": "Sky", "value": 0, "reason": "a wall"}
    corrections, rulings = "/api/tracks/photos/corrections", f"/api/runs/{world.run.id}/rulings"
    ruling = {"ruling": "disqualify", "reason": "copied"}
    Run.objects.filter(id=world.run.id).update(state=Run.State.ACCEPTED)
    truth = world.folder.collection("photos") / "truth.csv"
    before = truth.read_text()
    try:
        for client in (_member(world), _member(world, "stranger")):
            for address, body in ((corrections, wrong), (rulings, ruling)):
                answer = client.post(address, body, content_type="application/json")
                assert answer.status_code == 403
        assert Edition.objects.count() == 1
        client = _organiser(world)
        made = client.post(corrections, wrong, content_type="application/json")
        assert (made.status_code, made.json()) == (201, {"edition": 2, "old": 1, "new": 0})
        again = client.post(corrections, wrong, content_type="application/json")
        assert (again.status_code, "already" in again.json()["message"]) == (409, True)
    finally:
        truth.write_text(before)
    done = client.post(rulings, ruling, content_type="application/json")
    assert done.json() == {"id": world.run.id, "state": "disqualified", "reason": "copied"}
    log = Client().get("/api/tracks/photos/changes").json()["editions"]
    assert [(row["edition"], row["item"], row["hidden"]) for row in log] == [
        (2, None, True),
        (1, None, False),
    ]
    own = client.get("/api/tracks/photos/changes").json()["editions"]
    assert (own[0]["item"], own[0]["old"], own[0]["new"]) == ("i0", 1, 0)


def test_downloads_wait_for_the_licence_in_force(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = "/api/tracks/photos/downloads"
    client = _member(world)
    assert Client().get(address).status_code == 403
    assert {"name": "items.txt", "size": 3} in client.get(address).json()
    assert client.get(f"{address}/items.txt").status_code == 200
    new = replace(settings.CAMPAIGN.licence, version="2", text="Other terms.")
    monkeypatch.setattr(settings, "CAMPAIGN", replace(settings.CAMPAIGN, licence=new))
    licence = Licence.objects.create(version="2", text="Other terms.")
    page = world.client("member")
    for ask in (client.get, page.get):
        assert ask(f"{address}/items.txt").status_code == 403
    assert page.get("/tracks/photos/downloads/items.txt").status_code == 403
    assert _submit(client).status_code == 403
    Acceptance.objects.create(user=world.users["member"], licence=licence)
    assert page.get("/tracks/photos/downloads/items.txt").status_code == 200


def test_downloads_are_what_lies_there_and_not_what_links_lead_to(world: World) -> None:
    link = world.folder.downloads("photos") / "truth.csv"
    link.symlink_to(world.folder.collection("photos") / "truth.csv")
    try:
        for client in (_member(world), _organiser(world)):
            names = [file["name"] for file in client.get("/api/tracks/photos/downloads").json()]
            assert "truth.csv" not in names
            answer = client.get("/api/tracks/photos/downloads/truth.csv")
            assert answer.status_code == 404
    finally:
        link.unlink()


@pytest.fixture
def with_fields(monkeypatch: pytest.MonkeyPatch, world: World) -> World:
    track = replace(settings.CAMPAIGN.tracks[0], fields=FIELDS)
    campaign = replace(settings.CAMPAIGN, tracks=(track,))
    monkeypatch.setattr(settings, "CAMPAIGN", campaign)
    monkeypatch.setitem(settings.FOLDER.__dict__, "campaign", campaign)
    return world


def test_fields_of_a_run_are_asked_for_checked_and_shown(with_fields: World) -> None:
    client = _member(with_fields)
    asked = client.get("/api/campaign").json()["tracks"][0]["fields"]
    assert [field["name"] for field in asked] == [field.name for field in FIELDS]
    said = {"automatic": "manual", "external-data": "ImageNet", "open": True,
            "paper": "https://example.org/p.pdf"}  # fmt: skip
    sent = _submit(client, fields=said)
    assert sent.status_code == 201
    assert sent.json()["fields"] == said
    page = with_fields.client("member").get(f"/runs/{sent.json()['id']}/").content.decode()
    for text in ("External data", "ImageNet", "https://example.org/p.pdf"):
        assert text in page


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "Automatic or manual: this field is required"),
        ({"automatic": "both"}, "choose one of automatic, manual"),
        ({"automatic": "manual", "colour": "red"}, "no field 'colour'"),
        ({"automatic": "manual", "open": "yes"}, "say true or false"),
        ({"automatic": "manual", "paper": "javascript:alert(1)"}, "give an address such as"),
        ({"automatic": "manual", "external-data": {"a": 1}}, "write a text"),
        ({"automatic": "manual", "external-data": "x" * 1001}, "write at most 1000"),
        ({"automatic": "manual", "external-data": "a\0b"}, "NUL"),
    ],
)
def test_fields_that_will_not_do_are_told(
    with_fields: World, fields: dict[str, Any], message: str
) -> None:
    answer = _submit(_member(with_fields), fields=fields)
    assert answer.status_code == 409
    assert message in answer.json()["message"]


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"name": "=HYPERLINK(1)"}, "a letter or digit first"),
        ({"name": "a\nb"}, "signs that can be seen"),
        ({"name": "x" * 101}, "at most 100"),
        ({"modality": "Z"}, "choose a modality"),
        ({"key": "k" * 65}, "idempotency key"),
    ],
)
def test_names_modalities_and_keys_that_will_not_do_are_told(
    world: World, said: dict[str, Any], message: str
) -> None:
    answer = _submit(_member(world), **said)
    assert answer.status_code == 409
    assert message in answer.json()["message"]


def test_a_group_enters_each_track_on_its_own(other_campaign: Any) -> None:
    from photo_campaign import CAMPAIGN

    from cranfield.server.campaigns.models import Phase
    from cranfield.server.submissions.acceptance import RefusedError

    second = CAMPAIGN[CAMPAIGN.index("[[tracks]]") :].replace('"photos"', '"videos"')
    campaign = other_campaign(CAMPAIGN + second)
    photos, videos = (Phase.objects.get(track__name=name) for name in ("photos", "videos"))
    ida = Submitter(campaign, "ida", photos)
    for _ in range(3):
        ida.submit(GOOD)
    ida.phase = videos
    with pytest.raises(RefusedError, match="does not take part"):
        ida.submit(GOOD)
    from cranfield.server.campaigns.models import Entry

    Entry.objects.create(group=ida.group, track=videos.track)
    assert [ida.submit(GOOD).slot for _ in range(3)] == [1, 2, 3]
    for name in ("photos", "videos"):
        assert Client().get(f"/tracks/{name}/").status_code == 200


def test_the_path_of_a_download_stays_in_its_folder(world: World, tmp_path: Path) -> None:
    for name in ("..", "../collection/truth.csv", "%2e%2e/collection/truth.csv"):
        answer = _organiser(world).get(f"/api/tracks/photos/downloads/{name}")
        assert answer.status_code == 404, name
