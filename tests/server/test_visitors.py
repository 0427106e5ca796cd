"""Visitors share pages for a second; nobody else ever sees one that was made for another."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from photo_campaign import TRUTH
from submitters import Submitter

from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs.worker import Worker
from cranfield.server.people.models import Group, Membership, User


@pytest.fixture
def cached(settings: Any, folder: CampaignFolder) -> None:
    settings.VISITORS_CACHE_SECONDS = 60.0


def test_a_page_is_made_once_for_all_visitors(
    cached: None, django_assert_max_num_queries: Any
) -> None:
    path = reverse("track", args=["photos"])
    client = Client()
    first = client.get(path)
    with django_assert_max_num_queries(0):
        second, third = client.get(path), client.get(path)
    assert first.content == second.content == third.content
    assert second.headers["Content-Security-Policy"] == first.headers["Content-Security-Policy"]
    assert second.headers["X-Request-ID"] != third.headers["X-Request-ID"]
    assert client.get(path + "?view=best").content != first.content


def test_pages_for_members_are_neither_kept_nor_answered_from_what_is(cached: None) -> None:
    user = User.objects.create_user("ida@example.org", "pass word 123", name="Ida Only")
    Membership.objects.create(user=user, group=Group.objects.create(name="Idas"))
    path = reverse("home")
    client = Client()
    before = client.get(path).content
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    assert "Ida" in client.get(path).content.decode()
    client.logout()
    assert client.get(path).content == before
    headers = {"authorization": "Bearer wrong"}
    board = "/api/tracks/photos/board"
    assert [client.get(board).status_code for _ in range(2)] == [200, 200]
    assert client.get(board, headers=headers).status_code == 401


def test_forms_are_made_anew(cached: None) -> None:
    """They hold a secret against forgery, which goes with a cookie."""
    client, pages = Client(), []
    for _ in range(2):
        pages.append(client.get(reverse("login")))
        assert "csrftoken" in client.cookies
        client.cookies.clear()
    assert pages[0].content != pages[1].content


def test_what_is_not_there_may_come(cached: None, folder: CampaignFolder) -> None:
    client, path = Client(), reverse("run", args=[1])
    assert client.get(path).status_code == 404
    ida = Submitter(folder, "ida")
    run = ida.submit(TRUTH)
    assert Worker().work_once()
    assert client.get(reverse("run", args=[run.id])).status_code == 200
