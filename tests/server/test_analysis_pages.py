"""Pages of analyses: for whom and when, with the library's numbers, and as files."""

from __future__ import annotations

import csv
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from contests import Contest, work
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from photo_campaign import noisy

import cranfield as cf
from cranfield.core.result import Result
from cranfield.server.campaigns.models import Phase
from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs.analyst import Analyst
from cranfield.server.jobs.models import Job
from cranfield.server.jobs.worker import Worker
from cranfield.server.people.models import User
from cranfield.server.results.analyses import OF_BOARDS, loaded
from cranfield.server.results.analysis_pages import _stored_sections
from cranfield.server.results.progress import Progress
from cranfield.server.submissions.models import Run

PAST = datetime(2021, 1, 1, tzinfo=UTC)
FORMS = ("csv", "json", "tex", "md", "bib")


@pytest.fixture
def contest(folder: CampaignFolder) -> Contest:
    for remembered in (loaded, _stored_sections, cache):
        getattr(remembered, "cache_clear", getattr(remembered, "clear", None))()
    return Contest(folder)


def close(contest: Contest) -> None:
    Phase.objects.filter(id=contest.phase.id).update(closes=PAST)


def addresses(contest: Contest) -> dict[str, str]:
    """The page of each kind."""
    board = ["photos", "test", 1]
    ann, bob = contest.runs["ann"].id, contest.runs["bob"].id
    return {kind: reverse("analysis", args=[*board, kind]) for kind in OF_BOARDS} | {
        "report": reverse("report", args=[*board, ann]),
        "comparison": reverse("comparison", args=[*board, ann, bob]),
    }


def client_of(contest: Contest, role: str) -> Client:
    client = Client()
    if role == "organiser":
        user = User.objects.create_user("o@example.org", name="o", is_organiser=True)
        client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    elif role == "member":
        user = contest.groups[0].user
        client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return client


@pytest.mark.parametrize("role", ["visitor", "member", "organiser"])
def test_every_kind_waits_for_the_end_of_the_phase_but_for_organisers(
    contest: Contest, role: str
) -> None:
    client = client_of(contest, role)
    hidden = 200 if role == "organiser" else 403
    for kind, address in addresses(contest).items():
        expected = 200 if kind == "progress" else hidden
        assert client.get(address).status_code == expected, kind
        file = client.get(f"{address}analysis.json").status_code
        assert file == (200 if kind == "progress" else 404 if hidden == 200 else 403), kind
    if role != "organiser":
        assert not Job.objects.filter(analysis__isnull=False).exists()
        page = client.get(reverse("run", args=[contest.runs["ann"].id])).content.decode()
        assert "data-waiting" not in page
        assert 'name="with"' not in page
        board = client.get(reverse("api:board", args=["photos"])).content.decode()
        assert "low" not in board
    close(contest)
    for kind, address in addresses(contest).items():
        assert client.get(address).status_code == 200, kind


def test_pages_show_what_is_stored_with_its_files(contest: Contest) -> None:
    close(contest)
    client, pages = Client(), addresses(contest)
    for kind, address in pages.items():
        text = client.get(address).content.decode()
        assert ("being computed" in text) == (kind != "progress"), kind
    work(Analyst(contest.folder))
    for kind, address in pages.items():
        page = client.get(address)
        text = page.content.decode()
        assert "being computed" not in text
        assert " style=" not in text
        assert "<style" not in text
        if kind == "truths":
            assert "one truth only" in text
            continue
        assert "<table" in text
        if page.context["sections"] and "<figure" in text:
            assert "<table" in text  # no chart without its table
        for form in FORMS:
            answer = client.get(f"{address}analysis.{form}")
            assert answer.status_code == 200, (kind, form)
        for _, links in page.context["tables"]:
            for link in links:
                assert client.get(link.address).status_code == 200, link.address
        Result.from_dict(json.loads(client.get(f"{address}analysis.json").content))
        assert client.get(f"{address}nothing.csv").status_code == 404
    assert client.get(pages["concepts"].replace("concepts", "nonsense")).status_code == 404


def test_the_board_shows_letters_and_intervals_once_they_are_computed(contest: Contest) -> None:
    close(contest)
    client, address = Client(), reverse("track", args=["photos"])
    assert "Intervals and significance are being computed" in client.get(address).content.decode()
    work(Analyst(contest.folder))
    text = client.get(address).content.decode()
    assert "being computed" not in text
    interval = cf.intervals(contest.evaluation("ann"))["ann: run", "concept.AP"]
    assert f"[{interval.low:.4f}, {interval.high:.4f}]" in text
    rows = client.get(reverse("api:board", args=["photos"])).json()["runs"]
    first = next(row for row in rows if row["group"] == "ann")
    assert first["concept.AP low"] == interval.low
    compared = cf.compare(contest.evaluation("ann", "bob", "cat"), ["concept.AP", "example.F"])
    assert first["concept.AP beats"] == compared.letters_of_beaten("ann: run", "concept.AP")


def test_the_page_of_a_run_has_its_report_and_leads_to_comparisons(contest: Contest) -> None:
    close(contest)
    client = Client()
    address = reverse("run", args=[contest.runs["bob"].id])
    client.get(address)
    work(Analyst(contest.folder))
    text = client.get(address).content.decode()
    for title in ("What do the rankings look like?", "Which concepts are hard?"):
        assert title in text
    chosen = client.get(
        reverse("compare", args=[contest.runs["bob"].id]), {"with": contest.runs["ann"].id}
    )
    assert chosen.status_code == 302
    assert client.get(chosen["Location"]).status_code == 200


def test_a_table_as_a_file_has_the_numbers_of_the_library(contest: Contest) -> None:
    close(contest)
    client, address = Client(), addresses(contest)["concepts"]
    client.get(address)
    work(Analyst(contest.folder))
    values = contest.evaluation("ann").units("ann: run", "concept.AP").tolist()
    text = client.get(f"{address}concepts-concept-AP.csv").content.decode()
    rows = {row["concept"]: row for row in csv.DictReader(text.splitlines())}
    assert [float(rows[name]["ann: run"]) for name in ("Sky", "Sea", "Person")] == values
    answer = client.get(f"{address}concepts-concept-AP.json").json()
    assert {row["concept"]: row["ann: run"] for row in answer["rows"]} == dict(
        zip(("Sky", "Sea", "Person"), values, strict=True)
    )
    assert answer["truths"]["all"] == contest.edition.truths["all"]


def test_an_older_analysis_is_offered_with_its_date_meanwhile(contest: Contest) -> None:
    close(contest)
    client, address = Client(), addresses(contest)["concepts"]
    client.get(address)
    work(Analyst(contest.folder))
    Phase.objects.filter(id=contest.phase.id).update(closes=None)
    contest.groups[1].submit(noisy(9, 0.5))
    work(Worker(contest.folder))
    close(contest)
    text = client.get(address).content.decode()
    assert "being computed" in text
    assert "before the last changes" in text
    assert "<table" in text


def test_runs_of_other_phases_and_unseen_runs_are_not_compared(contest: Contest) -> None:
    close(contest)
    ann, bob = contest.runs["ann"], contest.runs["bob"]
    Run.objects.filter(id=bob.id).update(state=Run.State.RETRACTED)
    args: list[Any] = ["photos", "test", 1, ann.id]
    assert Client().get(reverse("comparison", args=[*args, bob.id])).status_code == 404
    assert Client().get(reverse("comparison", args=[*args, ann.id])).status_code == 404
    assert Client().get(reverse("comparison", args=[*args, 10**6])).status_code == 404


def test_hostile_names_are_text_on_every_page_and_formulas_in_no_file(contest: Contest) -> None:
    close(contest)
    name = "=HYPERLINK(1)<script>alert(1)</script>"
    Run.objects.filter(id=contest.runs["ann"].id).update(name=name)
    contest.groups[0].group.name = "=cmd|' /C calc'!A0"
    contest.groups[0].group.save()
    client, pages = Client(), addresses(contest)
    for address in pages.values():
        client.get(address)
    work(Analyst(contest.folder))
    for kind, address in pages.items():
        page = client.get(address)
        assert "<script>alert" not in page.content.decode()
        for _, links in page.context["tables"]:
            for row in csv.reader(client.get(links[0].address).content.decode().splitlines()):
                assert not any(cell.startswith("=") for cell in row), (kind, links[0].address)


def test_progress_lists_what_was_better_than_all_before(contest: Contest) -> None:
    for name, day in (("cat", 1), ("bob", 2), ("ann", 3), ("Random50", 4)):
        received = datetime(2026, 1, day, tzinfo=UTC)
        Run.objects.filter(id=contest.runs[name].id).update(received=received)
    contest.groups[2].submit(noisy(2, 1.0))
    work(Worker(contest.folder))
    Run.objects.order_by("-id").filter(group__name="cat").first()
    progress = Progress(contest.board)
    rows = progress.to_dict()["steps"]
    evaluation = contest.evaluation("cat", "bob", "ann")
    best = -1.0
    for row, name in zip(rows, ("cat", "bob", "ann"), strict=True):
        assert row["group"] == name
        assert row["concept.AP"] == evaluation[contest.label(name), "concept.AP"]
        best = max(best, row["concept.AP"])
        assert row["best of all"] == best
    (chart,) = progress.full_result.charts
    random = contest.evaluation("Random50")["Random50", "concept.AP"]
    assert chart.rules == [random]  # type: ignore[union-attr]


def test_progress_of_an_open_phase_is_rounded(contest: Contest) -> None:
    address = addresses(contest)["progress"]
    answer = Client().get(f"{address}progress.json").json()
    for row in answer["rows"]:
        assert row["concept.AP"] == round(row["concept.AP"], 4)
    assert "truths" not in answer
