"""Pages say how long a phase takes runs, when that is where it counts, and what to do next."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse

from cranfield.server.campaigns.models import Acceptance, Entry, Licence, Phase, Track
from cranfield.server.campaigns.moments import duration, local_time, phase_time
from cranfield.server.folder import CampaignFolder
from cranfield.server.people.models import Group, Membership, User
from cranfield.server.people.steps import steps_for

NOON = datetime(2026, 5, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("length", "words"),
    [
        (timedelta(days=12, hours=5), "12 days"),
        (timedelta(days=1, hours=5, minutes=59), "1 day 5 hours"),
        (timedelta(days=2), "2 days"),
        (timedelta(hours=1, minutes=1), "1 hour 1 minute"),
        (timedelta(minutes=5, seconds=59), "5 minutes"),
        (timedelta(seconds=3), "1 minute"),
    ],
)
def test_a_length_of_time_has_two_units_at_most(length: timedelta, words: str) -> None:
    assert duration(length) == words


def test_a_deadline_is_named_in_the_zone_of_its_phase() -> None:
    closes = datetime(2026, 6, 1, 12, tzinfo=UTC)
    assert local_time(closes, "AoE", end=True) == "end of 31 May 2026, anywhere on earth"
    assert local_time(closes, "Europe/Berlin", end=True) == "1 June 2026, 14:00 Europe/Berlin"
    opens = datetime(2026, 5, 1, 12, tzinfo=UTC)
    assert local_time(opens, "AoE", end=False) == "1 May 2026, 00:00 anywhere on earth"


@pytest.mark.parametrize(
    ("opens", "closes", "state", "words"),
    [
        (None, None, "open", "open without a deadline"),
        (NOON + timedelta(days=5), None, "coming", "opens in 5 days"),
        (None, NOON + timedelta(hours=2), "open", "closes in 2 hours"),
        (None, NOON, "closed", "closed 1 minute ago"),
    ],
)
def test_a_phase_says_whether_it_takes_runs(
    opens: datetime | None, closes: datetime | None, state: str, words: str
) -> None:
    time = phase_time(Phase(opens=opens, closes=closes, zone="UTC"), NOON)
    assert (time.state, time.words) == (state, words)


def _next(user: User | AnonymousUser) -> str:
    return next(step.text for step in steps_for(user) if not step.done)


def test_members_are_led_from_registration_to_a_score(folder: CampaignFolder) -> None:
    assert _next(AnonymousUser()) == "Register and agree to the licence"
    user = User.objects.create_user("ida@example.org", "pass word 123", name="Ida")
    assert _next(user) == "Register and agree to the licence"
    Acceptance.objects.create(user=user, licence=Licence.objects.get())
    assert _next(user) == "Create a group or join one"
    group = Group.objects.create(name="Ash")
    Membership.objects.create(user=user, group=group)
    assert _next(user) == "Enter a track and download its data"
    Entry.objects.create(group=group, track=Track.objects.get())
    assert _next(user) == "Submit a run and see its score"
    client = Client()
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    for name in ("home", "account"):
        page = client.get(reverse(name)).content.decode()
        assert f'href="{reverse("submit", args=["photos"])}">Submit a run</a>' in page


def test_organisers_are_led_from_the_folder_to_the_results(
    folder: CampaignFolder,
) -> None:
    user = User.objects.create_user("o@example.org", name="Olga", is_organiser=True)
    downloads = folder.downloads("photos")
    for path in downloads.iterdir() if downloads.is_dir() else ():
        path.unlink()
    assert "downloads" in _next(user)
    downloads.mkdir(exist_ok=True)
    (downloads / "items.txt").write_text("i1\n")
    assert "so that they register" in _next(user)
    Group.objects.create(name="Ash")
    assert _next(user).startswith("Groups submit: 0 runs so far")


def test_the_form_says_how_many_runs_are_left(folder: CampaignFolder) -> None:
    user = User.objects.create_user("ida@example.org", "pass word 123", name="Ida")
    Acceptance.objects.create(user=user, licence=Licence.objects.get())
    group, phase = Group.objects.create(name="Ash"), Phase.objects.get()
    Membership.objects.create(user=user, group=group)
    Entry.objects.create(group=group, track=phase.track)
    client = Client()
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    assert "Ash: 3 of 3 runs left" in client.get("/tracks/photos/submit/").content.decode()
    phase.closes = NOON
    phase.save()
    page = client.get("/tracks/photos/submit/").content.decode()
    assert "This phase takes no runs now" in page
    assert 'type="file"' not in page
