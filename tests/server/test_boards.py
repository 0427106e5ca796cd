"""Boards: who is listed, in which order, with which rank; what is kept; addresses that stay."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from scored_runs import add_run, add_scores

from cranfield.server.campaigns.models import Edition, Entry, Phase, Track
from cranfield.server.configuration import RunField
from cranfield.server.folder import CampaignFolder
from cranfield.server.people.models import Group, Membership, User
from cranfield.server.submissions.models import Run

BOARD = "/results/photos/test/1/"
FORMS = ("csv", "json", "tex", "md", "bib")
Configure = Callable[..., None]


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    cache.clear()


@pytest.fixture
def configure(monkeypatch: pytest.MonkeyPatch) -> Configure:
    """Change what campaign.toml says of the track."""

    def change(**changes: Any) -> None:
        track = replace(settings.CAMPAIGN.tracks[0], **changes)
        monkeypatch.setattr(settings, "CAMPAIGN", replace(settings.CAMPAIGN, tracks=(track,)))

    return change


@pytest.fixture
def runs(folder: CampaignFolder) -> dict[str, Run]:
    listed = [
        add_run("Ash", "a1", 0.7123456),
        add_run("Ash", "a2", {"concept.AP": 0.5, "example.F": 0.9}, modality="T", primary=True),
        add_run("Birch", "b1", 0.71231),
        add_run("Birch", "b2", None),
        add_run("Cedar", "c1", 0.99, state=Run.State.DISQUALIFIED, reason="copied"),
        add_run("Cedar", "Random1", 0.2),
        add_run(None, "majority", 0.3, modality="T"),
    ]
    return {run.name: run for run in listed}


def close(when: datetime = datetime(2021, 1, 1, tzinfo=UTC)) -> None:
    Phase.objects.update(closes=when)


def rows(query: str = "", address: str = f"{BOARD}board.json") -> list[dict[str, Any]]:
    content: dict[str, Any] = Client().get(f"{address}{query}").json()
    return content["runs"]


def names(query: str = "") -> list[str]:
    return [row["run"] for row in rows(query)]


def test_ties_share_a_rank_and_what_does_not_compete_stands_apart(runs: dict[str, Run]) -> None:
    close()
    assert [(row["run"], row["rank"], row["status"]) for row in rows()] == [
        ("a1", 1, ""),
        ("b1", 2, ""),
        ("a2", 3, ""),
        ("b2", None, ""),
        ("c1", None, "disqualified"),
        ("majority", None, "reference"),
        ("Random1", None, "reference"),
    ]


def test_an_open_phase_ranks_by_the_digits_that_it_shows(runs: dict[str, Run]) -> None:
    assert [(row["run"], row["rank"]) for row in rows()[:3]] == [("a1", 1), ("b1", 1), ("a2", 3)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?view=best", ["a1", "b1", "c1", "majority", "Random1"]),
        ("?modality=T", ["a2", "c1", "majority", "Random1"]),
        ("?modality=nonsense", ["a1", "b1", "a2", "b2", "c1", "majority", "Random1"]),
        ("?find=BIRCH", ["b1", "b2"]),
        ("?find=a1", ["a1"]),
        ("?find=nobody", []),
        ("?sort=group", ["a1", "a2", "b1", "b2", "c1", "majority", "Random1"]),
        ("?sort=-run", ["b2", "b1", "a2", "a1", "c1", "Random1", "majority"]),
        ("?sort=example.F", ["a2", "a1", "b1", "b2", "c1", "majority", "Random1"]),
        ("?sort=-example.F", ["a1", "b1", "a2", "b2", "c1", "Random1", "majority"]),
        ("?sort=_address", ["a1", "b1", "a2", "b2", "c1", "majority", "Random1"]),
    ],
)
def test_boards_are_chosen_searched_and_sorted_without_a_script(
    runs: dict[str, Run], query: str, expected: list[str]
) -> None:
    assert names(query) == expected
    page = Client().get(f"{BOARD}{query}").content.decode()
    assert [name for name in expected if f'/runs/{runs[name].id}/"' not in page] == []
    assert page.count("<tr") == len(expected) + 1


def test_ranks_stay_those_of_the_whole_board_when_somebody_searches(runs: dict[str, Run]) -> None:
    close()
    assert rows("?find=birch")[0]["rank"] == 2


def test_best_of_each_group_ranks_groups(runs: dict[str, Run]) -> None:
    close()
    assert [row["rank"] for row in rows("?view=best")][:2] == [1, 2]


@pytest.mark.parametrize("number", ["9", "0", "²", "9" * 30, "x"])
def test_editions_that_are_not_there_are_no_fault_of_the_server(
    runs: dict[str, Run], number: str
) -> None:
    assert Client().get(f"/tracks/photos/?edition={number}").status_code in (200, 404)
    assert Client().get(f"/results/photos/test/{number}/").status_code == 404


def test_a_disqualified_run_is_shown_as_such_with_the_reason(runs: dict[str, Run]) -> None:
    page = Client().get(BOARD).content.decode()
    assert "disqualified: copied" in page
    close()
    assert '<td class="number best" title="0.99">' not in Client().get(BOARD).content.decode()


def test_private_parts_are_chosen_once_everything_may_be_seen(runs: dict[str, Run]) -> None:
    board = Client().get(f"{BOARD}board.json?split=private").json()
    assert board["split"] == "public"
    assert "private" not in Client().get(BOARD).content.decode()
    close()
    board = Client().get(f"{BOARD}board.json?split=private").json()
    assert board["split"] == "private"
    assert "private part" in Client().get(BOARD).content.decode()


def test_declared_fields_are_columns_when_they_are_asked_for(
    folder: CampaignFolder, configure: Configure
) -> None:
    configure(fields=(RunField("group", title="Models used"), RunField("auto", kind="flag")))
    add_run("Ash", "a1", 0.5, fields={"group": {"nested": 1}, "auto": True})
    assert "fields.auto" not in rows()[0]
    row = rows("?fields=1")[0]
    assert (row["group"], row["fields.group"], row["fields.auto"]) == ("Ash", "{'nested': 1}", True)
    page = Client().get(f"{BOARD}?fields=1").content.decode()
    assert "Models used" in page
    assert "nested" in page


def test_a_rendered_board_is_kept_until_its_track_changes(runs: dict[str, Run]) -> None:
    client = Client()
    first = client.get(BOARD).content
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert client.get(BOARD).content == first
    assert not [query for query in queries if "server_score" in query["sql"]]
    add_run("Dogwood", "d1", 0.1)
    assert client.get(BOARD).content == first
    Track.objects.update(revision=5)
    assert b"Dogwood" in client.get(BOARD).content


def test_what_is_kept_for_some_is_not_shown_to_others(
    runs: dict[str, Run], configure: Configure
) -> None:
    configure(shows="ranks")
    organiser = User.objects.create_user("o@example.org", name="o", is_organiser=True)
    member = User.objects.create_user("m@example.org", name="m")
    Membership.objects.create(user=member, group=Group.objects.get(name="Ash"))
    expected = {organiser: ["0.7123456", "0.71231"], member: ["0.7123"], None: []}
    for _ in range(2):
        for user, shown in expected.items():
            client = Client()
            if user is not None:
                client.force_login(user, "django.contrib.auth.backends.ModelBackend")
            text = client.get(f"{BOARD}board.csv").content.decode()
            scores = [cell for line in text.splitlines()[1:3] for cell in line.split(",")[8:9]]
            assert [score for score in scores if score] == shown, user


def test_the_end_of_a_phase_opens_what_was_kept_before(runs: dict[str, Run]) -> None:
    assert b"0.7123456" not in Client().get(BOARD).content
    close()
    assert b"0.7123456" in Client().get(BOARD).content


def test_members_see_how_many_runs_are_left_and_until_when(runs: dict[str, Run]) -> None:
    member = User.objects.create_user("m@example.org", name="m")
    group = Group.objects.get(name="Ash")
    Membership.objects.create(user=member, group=group)
    Entry.objects.create(group=group, track=Track.objects.get())
    Run.objects.filter(name="a1").update(slot=1)
    client = Client()
    client.force_login(member, "django.contrib.auth.backends.ModelBackend")
    page = client.get("/tracks/photos/").content.decode()
    assert "Ash: 2 of 3 runs left in test, which closes at 2091-01-01 12:00 UTC." in page
    assert "runs left" not in Client().get("/tracks/photos/").content.decode()


# ── editions and permanent addresses ──────────────────────────────────────────────────────────


@pytest.fixture
def second(runs: dict[str, Run]) -> Edition:
    """Another edition, under which everything but the baseline was scored again, by less."""
    first = Edition.objects.get()
    edition = Edition.objects.create(
        track=first.track, number=2, digest="2" * 64, measures=first.measures, rules=first.rules,
        truths={split: f"{index}" * 32 for index, split in enumerate(first.truths)},
        reason="i3 shows no sky",
    )  # fmt: skip
    for run in runs.values():
        if run.name != "majority":
            add_scores(run, edition, 0.25)
    return edition


def test_old_boards_stay_readable_and_say_that_there_is_a_newer_one(second: Edition) -> None:
    old = Client().get(BOARD).content.decode()
    new = Client().get("/results/photos/test/2/").content.decode()
    present = Client().get("/tracks/photos/").content.decode()
    assert "There is a newer edition, 2" in old
    assert "0.7123" in old
    assert "0.7123" not in new
    for page in (old, new, present):
        assert "i3 shows no sky" in page
        assert 'href="/results/photos/test/1/"' in page
        assert 'href="/results/photos/test/2/"' in page


def test_a_run_is_cited_with_what_its_scores_rest_on(second: Edition, runs: dict[str, Run]) -> None:
    run, first = runs["a1"], Edition.objects.get(number=1)
    address = f"{BOARD}{run.id}/"
    facts = Client().get(f"{address}record.json").json()
    assert facts["sha256"] == run.sha256
    assert facts["address"] == f"http://testserver{address}"
    assert "truths" not in facts
    assert [(row["score"], row["revision"], row["software"]) for row in facts["scores"]] == [
        (0.7123, first.measures[0][1], "cranfield 9.9"),
        (0.7123, first.measures[1][1], "cranfield 9.9"),
    ]
    text = json.dumps(facts) + Client().get(address).content.decode()
    assert not [digest for digest in first.truths.values() if digest[:8] in text]
    close()
    facts = Client().get(f"{address}record.json").json()
    assert facts["truths"] == first.truths
    assert {(row["split"], row["truth"]) for row in facts["scores"]} == set(first.truths.items())
    assert facts["scores"][0]["score"] == 0.7123456
    page = Client().get(address).content.decode()
    assert [part for part in (*first.truths.values(), run.sha256) if part not in page] == []


def test_links_show_later_no_less(second: Edition, runs: dict[str, Run]) -> None:
    addresses = [BOARD, f"{BOARD}{runs['a1'].id}/", f"{BOARD}board.json"]
    before = [Client().get(address) for address in addresses]
    assert [answer.status_code for answer in before] == [200, 200, 200]
    close()
    after = [Client().get(address).content for address in addresses]
    assert [b"a1" in content and b"0.7123" in content for content in after] == [True, True, True]


def test_a_run_that_was_taken_back_leaves_a_word_at_its_address(runs: dict[str, Run]) -> None:
    run = runs["a1"]
    address = f"{BOARD}{run.id}/"
    Run.objects.filter(id=run.id).update(state=Run.State.RETRACTED)
    assert Client().get(address).status_code == 404  # it had not been scored
    Run.objects.filter(id=run.id).update(slot=1)
    answer = Client().get(address)
    assert answer.status_code == 410
    assert b"retracted" in answer.content
    assert b"0.7123" not in answer.content
    assert b"Ash" not in answer.content


def test_records_of_other_phases_tracks_and_editions_are_not_there(runs: dict[str, Run]) -> None:
    run = runs["a1"].id
    for address in (f"/results/photos/other/1/{run}/", f"/results/photos/test/2/{run}/"):
        assert Client().get(address).status_code == 404


@pytest.mark.parametrize("boards", ["groups", "organisers"])
def test_boards_that_are_not_public_have_no_public_address(
    runs: dict[str, Run], monkeypatch: pytest.MonkeyPatch, boards: str
) -> None:
    monkeypatch.setattr(settings, "CAMPAIGN", replace(settings.CAMPAIGN, boards=boards))
    run = runs["a1"].id
    for form in FORMS:
        assert Client().get(f"{BOARD}board.{form}").status_code == 403
        assert Client().get(f"/tracks/photos/board.{form}").status_code == 403
        assert Client().get(f"{BOARD}{run}/record.{form}").status_code == 404
    assert Client().get(BOARD).status_code == 403
    assert Client().get(f"{BOARD}{run}/").status_code == 404


# ── rounding ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("digits", [2, 4])
def test_an_open_phase_shows_no_more_digits_in_any_form(
    runs: dict[str, Run], configure: Configure, digits: int
) -> None:
    configure(digits=digits)
    run = runs["a1"].id
    addresses = [
        "/tracks/photos/", BOARD, f"/runs/{run}/", f"{BOARD}{run}/",
        "/api/tracks/photos/board", f"/api/runs/{run}",
        *(f"{BOARD}board.{form}" for form in FORMS),
        *(f"/tracks/photos/board.{form}" for form in FORMS),
        *(f"{BOARD}{run}/record.{form}" for form in FORMS),
    ]  # fmt: skip
    shown, more = "0.7123456"[: digits + 2], "0.7123456"[: digits + 3]
    for address in addresses:
        text = Client().get(address).content.decode()
        assert (shown in text) != address.endswith(".bib"), address
        assert more not in text, address
