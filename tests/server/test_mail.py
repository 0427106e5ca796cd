"""Forgotten passwords: a link by mail where the campaign has a mail server, else the organisers."""

from __future__ import annotations

import re
import socketserver
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings
from django.test import Client, override_settings

from cranfield.server.campaigns.editions import synchronise
from cranfield.server.configuration import Mail
from cranfield.server.people import passwords
from cranfield.server.people.models import LoginLink, User


class Postbox(socketserver.ThreadingTCPServer):
    """As much of a mail server as a client needs."""

    allow_reuse_address = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Conversation)
        self.letters: list[str] = []


class Conversation(socketserver.StreamRequestHandler):
    server: Postbox

    def handle(self) -> None:
        self._say("220 localhost")
        while line := self.rfile.readline().decode().strip():
            if line.upper() == "DATA":
                self._say("354 go on")
                lines = iter(lambda: self.rfile.readline().decode(), ".\r\n")
                self.server.letters.append("".join(lines))
            self._say("250 fine" if line.upper() != "QUIT" else "221 bye")

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


@pytest.fixture
def postbox(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Postbox]:
    """A mail server, and a campaign that sends by it."""
    synchronise(settings.FOLDER)
    with Postbox() as postbox:
        threading.Thread(target=postbox.serve_forever, daemon=True).start()
        port = int(postbox.server_address[1])
        mail = Mail(host="127.0.0.1", port=port, sender="campaign@example.org", tls=False)
        monkeypatch.setattr(settings, "CAMPAIGN", replace(settings.CAMPAIGN, mail=mail))
        with override_settings(
            EMAIL_BACKEND="django.core.mail.backends.smtp.EmailBackend",
            EMAIL_HOST=mail.host,
            EMAIL_PORT=mail.port,
            EMAIL_USE_TLS=False,
            DEFAULT_FROM_EMAIL=mail.sender,
        ):
            yield postbox
        postbox.shutdown()


def _ask(email: str) -> Any:
    answer = Client().post("/login/forgotten/", {"email": email})
    passwords._POST.submit(lambda: None).result(30)  # what was submitted before is done
    return answer


def test_a_link_is_mailed_by_which_a_new_password_is_chosen(postbox: Postbox) -> None:
    User.objects.create_user("ida@example.org", "old pass word 1", name="Ida")
    _ask("IDA@example.org")
    (letter,) = postbox.letters
    assert "From: campaign@example.org" in letter
    assert "To: ida@example.org" in letter
    match = re.search(r"http://testserver(/welcome/\S+/)", letter.replace("=\r\n", ""))
    assert match is not None
    words = {"password": "new pass word 1", "again": "new pass word 1"}
    assert Client().post(match[1], words).status_code == 302
    assert Client().post(match[1], words).status_code == 404
    login = {"username": "ida@example.org", "password": "new pass word 1"}
    assert Client().post("/login/", login).status_code == 302


def test_nobody_learns_who_has_an_account(postbox: Postbox) -> None:
    User.objects.create_user("ida@example.org", "old pass word 1", name="Ida")
    User.objects.create_user("gone@example.org", "old pass word 1", name="Gone", is_active=False)
    pages = [_ask(f"{name}@example.org").content for name in ("ida", "nobody", "gone")]
    plain = {re.sub(rb'value="[^"]+"', b"", page) for page in pages}
    assert len(plain) == 1
    assert len(postbox.letters) == 1


def test_a_mail_server_that_does_not_answer_harms_no_page(postbox: Postbox) -> None:
    User.objects.create_user("ida@example.org", "old pass word 1", name="Ida")
    with override_settings(EMAIL_PORT=1):
        assert _ask("ida@example.org").status_code == 200
    assert not postbox.letters


def test_without_mail_the_page_sends_people_to_the_organisers(db: None) -> None:
    answer = Client().post("/login/forgotten/", {"email": "ida@example.org"})
    assert "Ask the organisers" in answer.content.decode()
    assert not LoginLink.objects.exists()
