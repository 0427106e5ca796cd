"""The organiser's link: opened by a previewer it does nothing, it expires, it works once."""

from __future__ import annotations

from datetime import timedelta

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from cranfield.server.folder import CampaignFolder
from cranfield.server.people.links import first_organiser_link, make_link
from cranfield.server.people.models import LoginLink, User

_SENT = {
    "name": "Olga",
    "email": "olga@example.org",
    "password": "correct horse",
    "again": "correct horse",
}


def test_a_previewer_neither_uses_the_link_up_nor_is_logged_in(folder: CampaignFolder) -> None:
    address = reverse("welcome", args=[make_link(LoginLink)])
    previewer = Client()
    for method in (previewer.get, previewer.head):
        assert method(address).status_code == 200
        assert "sessionid" not in previewer.cookies
    assert Client().post(address, _SENT).status_code == 302
    assert Client().get(address).status_code == 404
    assert Client().post(address, _SENT | {"email": "eve@example.org"}).status_code == 404
    assert User.objects.count() == 1


def test_a_link_expires(folder: CampaignFolder) -> None:
    address = reverse("welcome", args=[make_link(LoginLink)])
    LoginLink.objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert Client().get(address).status_code == 404
    assert Client().post(address, _SENT).status_code == 404
    assert not User.objects.exists()


def test_a_new_link_ends_the_old_and_there_is_none_once_there_is_an_organiser(
    folder: CampaignFolder,
) -> None:
    old, new = first_organiser_link("http://testserver"), first_organiser_link("http://testserver/")
    assert old is not None
    assert new is not None
    assert Client().get(old).status_code == 404
    assert Client().post(new, _SENT).status_code == 302
    assert first_organiser_link("http://testserver") is None
