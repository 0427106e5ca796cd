"""Operation: logs without secrets, limits with clear answers, metrics for those who may read them,
settings that pass Django's own check."""

from __future__ import annotations

import io
import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from child_environment import environment
from django.conf import settings
from django.test import Client, override_settings
from django.urls import reverse
from photo_campaign import CAMPAIGN, write_campaign

from cranfield.errors import FileError
from cranfield.server.configuration import Limits, read_campaign
from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs.sandbox import run_apart
from cranfield.server.operation import limits, logs, middleware
from cranfield.server.operation.limits import RateLimit
from cranfield.server.people.links import make_link
from cranfield.server.people.models import LoginLink, User


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    """What the server logs, as a file with addresses would hold it."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs.JsonLines(addresses=True))
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield stream
    root.removeHandler(handler)
    root.setLevel(level)


def _lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


# ── logs ──────────────────────────────────────────────────────────────────────────────────────


def test_a_request_is_a_line_of_json_with_the_number_that_its_sender_gets(
    folder: CampaignFolder, logged: io.StringIO
) -> None:
    answer = Client().get("/tracks/photos/?view=best&token=secret", REMOTE_ADDR="192.0.2.7")
    (line,) = [line for line in _lines(logged) if line["message"] == "request"]
    assert line["request"] == answer["X-Request-ID"]
    assert (line["method"], line["path"], line["status"]) == ("GET", "/tracks/photos/", 200)
    assert line["address"] == "192.0.2.7"
    assert "secret" not in logged.getvalue()


@pytest.mark.parametrize("secret", ["good", "no such link"])
def test_links_that_let_somebody_in_are_in_no_log(
    folder: CampaignFolder, logged: io.StringIO, secret: str
) -> None:
    link = make_link(LoginLink) if secret == "good" else "x" * 43
    Client().get(reverse("welcome", args=[link]))
    assert link not in logged.getvalue()
    assert [line["path"] for line in _lines(logged) if line["message"] == "request"] == [
        "/welcome/…/"
    ]


def test_tokens_and_passwords_in_messages_are_struck_out(logged: io.StringIO) -> None:
    log = logging.getLogger("cranfield.test")
    try:
        raise OSError("postgresql://cranfield:hunter2@db/x refused; Authorization: Bearer abc.def")
    except OSError:
        log.exception("http://localhost/invited/qwertz/ failed")
    text = logged.getvalue()
    assert not [secret for secret in ("hunter2", "abc.def", "qwertz") if secret in text]
    assert "postgresql://cranfield:…@db" in text


def test_addresses_go_to_files_alone(logged: io.StringIO) -> None:
    record = logging.LogRecord("x", logging.INFO, "", 1, "request", None, None)
    record.fields = {"address": "192.0.2.7", "status": 200}
    assert "192.0.2.7" in logs.JsonLines(addresses=True).format(record)
    assert "192.0.2.7" not in logs.JsonLines(addresses=False).format(record)


def test_logs_of_days_long_past_are_deleted(tmp_path: Path) -> None:
    now = datetime(2026, 5, 31, tzinfo=UTC)
    for days in (1, 14, 16):
        path = tmp_path / f"server.jsonl.{days}"
        path.write_text("192.0.2.7")
        past = (now - timedelta(days=days)).timestamp()
        os.utime(path, (past, past))
    logs.delete_old_logs(tmp_path, 14, now)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["server.jsonl.1", "server.jsonl.14"]


# ── limits ────────────────────────────────────────────────────────────────────────────────────


def test_a_limit_counts_within_its_time_and_for_each_key() -> None:
    now = 0.0
    limit = RateLimit(2, 60, clock=lambda: now)
    assert [limit.wait("a"), limit.wait("a"), limit.wait("a")] == [0, 0, 60]
    assert limit.wait("b") == 0
    now = 59.0
    assert limit.wait("a") == 1
    now = 60.0
    assert limit.wait("a") == 0


def test_a_limit_remembers_a_bounded_number_of_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_MOST_KEYS", 3)
    limit = RateLimit(1, 60, clock=lambda: 0.0)
    for key in "abcd":
        limit.wait(key)
    assert len(limit._seen) == 3
    assert limit.wait("d") == 60


@pytest.mark.parametrize(
    ("name", "method", "kind"),
    [
        ("register", "post", "registrations_per_hour"),
        ("login", "post", "logins_per_minute"),
        ("api:campaign", "get", "api_per_minute"),
    ],
)
def test_who_asks_too_often_is_told_when_to_come_back(
    folder: CampaignFolder, monkeypatch: pytest.MonkeyPatch, name: str, method: str, kind: str
) -> None:
    campaign = settings.CAMPAIGN
    monkeypatch.setattr(settings, "CAMPAIGN", _with_limits(campaign, **{kind: 2}))
    client = Client()
    answers = [getattr(client, method)(reverse(name)) for _ in range(3)]
    assert [answer.status_code == 429 for answer in answers] == [False, False, True]
    assert 0 < int(answers[2]["Retry-After"]) <= 3600
    assert "try again in" in answers[2].content.decode()
    if name.startswith("api:"):
        assert "try again in" in answers[2].json()["message"]
    assert getattr(client, method)(reverse(name), REMOTE_ADDR="192.0.2.9").status_code != 429


def test_uploads_are_limited_by_person_before_their_body_is_read(
    folder: CampaignFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "CAMPAIGN", _with_limits(settings.CAMPAIGN, uploads_per_hour=1))
    client = Client()
    path = "/api/tracks/photos/runs?name=x&file_name=x.csv"
    options: dict[str, Any] = {"content_type": "text/csv", "HTTP_AUTHORIZATION": "Bearer one"}
    asked = client.get(path, HTTP_AUTHORIZATION="Bearer one", **{middleware.UPLOAD: None})
    assert asked.status_code == 401
    codes = [client.post(path, b"x", **options).status_code for _ in range(2)]
    assert codes == [401, 429]
    question = client.get(path, HTTP_AUTHORIZATION="Bearer one", **{"cranfield.asking": True})
    assert question.status_code == 429


def test_ten_wrong_passwords_lock_an_account_for_a_while(folder: CampaignFolder) -> None:
    User.objects.create_user("ida@example.org", "pass word 123", name="Ida")
    client = Client()
    wrong = {"username": "ida@example.org", "password": "wrong"}
    codes = [client.post(reverse("login"), wrong).status_code for _ in range(10)]
    assert codes == [200] * 9 + [429]
    right = client.post(reverse("login"), wrong | {"password": "pass word 123"})
    assert right.status_code == 429
    assert "15 minutes" in right.content.decode()


def _with_limits(campaign: Any, **changes: int) -> Any:
    from dataclasses import replace

    return replace(campaign, limits=replace(campaign.limits, **changes))


# ── metrics, headers, hosts ───────────────────────────────────────────────────────────────────


def test_metrics_are_read_with_a_token_and_count_requests(folder: CampaignFolder) -> None:
    client = Client()
    client.get("/")
    with override_settings(METRICS_TOKEN="a metrics token"):
        assert client.get("/metrics/", HTTP_AUTHORIZATION="Bearer wrong").status_code == 403
        answer = client.get("/metrics/", HTTP_AUTHORIZATION="Bearer a metrics token")
    text = answer.content.decode()
    assert answer.status_code == 200
    assert 'cranfield_requests_total{method="GET",route="home",status="200"}' in text
    assert 'cranfield_jobs{state="queued"} 0\n' in text
    assert "cranfield_oldest_job_seconds 0\n" in text
    for line in text.splitlines():
        assert line.startswith("#") or float(line.rpartition(" ")[2]) >= 0


def test_without_a_token_in_the_environment_an_empty_one_opens_nothing(
    folder: CampaignFolder,
) -> None:
    assert Client().get("/metrics/", HTTP_AUTHORIZATION="Bearer ").status_code == 403


def test_pages_carry_the_headers_that_protect_them(folder: CampaignFolder) -> None:
    headers = Client().get("/").headers
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "camera=()" in headers["Permissions-Policy"]


def test_pages_of_somebody_who_is_logged_in_are_stored_nowhere(folder: CampaignFolder) -> None:
    client = Client()
    user = User.objects.create_user("ida@example.org", "pass word 123", name="Ida")
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    assert client.get("/account/")["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "192.0.2.1"])
def test_a_foreign_host_is_refused_on_loopback(folder: CampaignFolder, host: str) -> None:
    assert Client().get("/", HTTP_HOST=host).status_code == 400
    assert Client().get("/", HTTP_HOST="localhost:8000").status_code == 200


def test_the_address_of_the_campaign_is_among_its_hosts(tmp_path: Path) -> None:
    text = f'address = "https://photos.example.org"\n{CAMPAIGN}'
    campaign = read_campaign(write_campaign(tmp_path, text))
    assert campaign.names == ["photos.example.org"]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('address = "photos.example.org"', "address: 'photos.example.org'; write https://"),
        ("log_days = 0", "log_days: 0; give a number"),
        ("scoring = { seconds = 0 }", "scoring.seconds: 0; give a number above 0"),
    ],
)
def test_settings_of_operation_are_checked(tmp_path: Path, line: str, complaint: str) -> None:
    with pytest.raises(FileError, match=complaint):
        read_campaign(write_campaign(tmp_path, f"{line}\n{CAMPAIGN}"))


def test_limits_below_one_are_refused() -> None:
    assert list(Limits(api_per_minute=0).check()) == ["api_per_minute: 0; give a number from 1 up"]


def test_behind_a_proxy_the_settings_pass_the_check_of_django(tmp_path: Path) -> None:
    CampaignFolder(write_campaign(tmp_path / "campaign")).make()
    variables = {
        "CRANFIELD_CAMPAIGN": str(tmp_path / "campaign"),
        "CRANFIELD_BEHIND_PROXY": "1",
        "DJANGO_SETTINGS_MODULE": "cranfield.server.settings",
    }
    line = [sys.executable, "-m", "django", "check", "--deploy", "--fail-level", "WARNING"]
    ended = subprocess.run(
        line, env=os.environ | variables, capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 0, ended.stderr
    assert "no issues" in ended.stdout


# ── children and plug-ins ─────────────────────────────────────────────────────────────────────


_SECRETS = {
    "CRANFIELD_DATABASE": "postgresql://x:hunter2@y/z",
    "CRANFIELD_SMTP_PASSWORD": "hunter2",
    "PGPASSWORD": "hunter2",
    "SOME_TOKEN": "hunter2",
}
_SCRIPT = """
import json, sys
sys.path.insert(0, sys.argv[1])
from child_environment import environment
from cranfield.server.jobs.sandbox import run_apart
import os
seen = run_apart(environment, {})
print(json.dumps([seen, dict(os.environ)]))
"""


def test_children_know_nothing_of_the_environments_secrets() -> None:
    line = [sys.executable, "-c", _SCRIPT, str(Path(__file__).parent)]
    answer = subprocess.run(
        line, env=os.environ | _SECRETS, capture_output=True, text=True, timeout=60, check=True
    )
    seen, own = json.loads(answer.stdout.splitlines()[-1])
    assert not _SECRETS.keys() & seen.keys()
    assert "hunter2" not in str(seen)
    assert _SECRETS.items() <= own.items()
    assert run_apart(environment, {})["PATH"] == os.environ["PATH"]


@pytest.mark.parametrize("spelling", ["evil.py:loss", "evil:loss", "./evil.py"])
def test_a_plug_in_named_in_a_foreign_campaign_runs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spelling: str
) -> None:
    (tmp_path / "evil.py").write_text("open('ran', 'w')\n\ndef loss(*arrays):\n    return 0.0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    text = CAMPAIGN.replace('"example.F"', f'"{spelling}"')
    with pytest.raises(FileError, match="measures"):
        read_campaign(write_campaign(tmp_path / "campaign", text))
    assert not (tmp_path / "ran").exists()
