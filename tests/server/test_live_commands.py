"""Commands about a campaign that is served for real."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener, urlopen

import pytest
from live_campaign import LiveCampaign
from photo_campaign import TRUTH, write_campaign
from postgres_cluster import cluster, programs
from test_backups import _contents

from cranfield.commands.demo import NEXT

pytestmark = pytest.mark.slow
RUN = TRUTH.replace("1", "0.9", 1)


def _cranfield(*words: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "cranfield", *map(str, words)]
    environment = os.environ | variables
    return subprocess.run(line, capture_output=True, text=True, timeout=300, env=environment)


@contextmanager
def _serving(folder: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server with its first line: where it is."""
    line = [sys.executable, "-m", "cranfield", "serve", str(folder), "--port", "0", *options]
    with subprocess.Popen(line, stdout=-1, stderr=-1, text=True) as process:
        try:
            assert process.stderr is not None
            yield process, process.stderr.readline()
        finally:
            process.kill()


def _status(address: str) -> int:
    try:
        with urlopen(address, timeout=30) as answer:
            return int(answer.status)
    except HTTPError as error:
        return error.code


def test_the_campaign_that_the_demo_proposes_is_opened_and_ends_by_sigterm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    init, serve = (shlex.split(command)[1:] for _, command in NEXT[-2:])
    assert _cranfield(*init).returncode == 0
    with _serving(Path(serve[1])) as (process, line):
        address = re.search(r"http://localhost:\d+/", line)[0]  # type: ignore[index]
        with urlopen(f"{address}tracks/photos/", timeout=30) as answer:
            page = answer.read().decode()
        assert "Alder" in page
        process.send_signal(signal.SIGTERM)
        printed, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert re.search(r"requests +1\b", printed)


def test_the_organisers_link_is_used_by_sending_the_form_once_and_is_in_no_log(
    tmp_path: Path,
) -> None:
    folder = write_campaign(tmp_path / "campaign")
    with _serving(folder) as (process, _):
        assert process.stderr is not None
        link = re.search(r"http://\S+", process.stderr.readline())[0]  # type: ignore[index]
        assert [_status(link), _status(link)] == [200, 200]
        browser = build_opener(HTTPCookieProcessor())
        form = browser.open(link, timeout=30).read().decode()
        token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', form)[1]  # type: ignore[index]
        words = {"password": "pass word 123", "again": "pass word 123", "name": "Ida"}
        content = words | {"email": "ida@example.org", "csrfmiddlewaretoken": token}
        assert browser.open(link, urlencode(content).encode(), timeout=30).status == 200
        assert _status(link) == 404
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    secret = link.split("/")[-2]
    logged = (folder / "var" / "logs" / "server.jsonl").read_text()
    assert "/welcome/…/" in logged
    assert secret not in logged
    listed = json.loads(_cranfield("campaign", "user", "list", folder, "--json").stdout)
    assert [(row["email"], row["role"]) for row in listed["people"]] == [
        ("ida@example.org", "organiser")
    ]


def test_submit_shows_scores_or_what_is_wrong_and_exits_accordingly(tmp_path: Path) -> None:
    folder = write_campaign(tmp_path / "campaign")
    (tmp_path / "run.csv").write_text(RUN)
    (tmp_path / "broken.csv").write_text(RUN.replace("i3,", "i3,x", 1))
    campaign = LiveCampaign(folder)
    (token,) = campaign.fill(1)
    with campaign:
        words = ("--to", campaign.address, "--modality", "V", "--json")
        answers = [
            _cranfield("submit", tmp_path / name, *words, CRANFIELD_TOKEN=token)
            for name in ("run.csv", "run.csv", "broken.csv")
        ]
        nobody = _cranfield("submit", tmp_path / "run.csv", *words, CRANFIELD_TOKEN="")
    first, again, broken = (json.loads(answer.stdout) for answer in answers)
    assert [answer.returncode for answer in answers] == [0, 0, 1]
    assert first["state"] == "accepted"
    assert first["scores"].keys() == {"concept.AP", "example.F"}
    assert again["id"] == first["id"]
    assert broken["errors"][0]["line"] == 5
    assert nobody.returncode == 1
    assert "CRANFIELD_TOKEN" in nobody.stderr


def test_a_backup_of_a_server_that_takes_runs_holds_the_file_of_every_run(tmp_path: Path) -> None:
    campaign = LiveCampaign(write_campaign(tmp_path / "campaign"))
    tokens = campaign.fill(8)
    archives = [tmp_path / f"{number}.tar.gz" for number in range(2)]
    with campaign:
        with ThreadPoolExecutor(2) as pool:
            sent = [
                pool.submit(campaign.submit, token, f"{RUN}\n{number}".encode(), f"r{number}.csv")
                for token in tokens
                for number in range(3)
            ]
            for archive in archives:
                answer = _cranfield("campaign", "backup", campaign.folder, archive)
                assert answer.returncode == 0, answer.stderr
        ids = {run.result()["id"] for run in sent}
    assert len(ids) == len(sent)
    for archive in archives:
        contents = _contents(archive)
        columns, *rows = map(json.loads, contents["database/run.jsonl"].splitlines())
        for row in rows:
            sha256 = row[columns.index("sha256")]
            assert f"campaign/var/runs/{sha256[:2]}/{sha256}" in contents
        jobs = contents["database/job.jsonl"].splitlines()
        assert len(jobs) - 1 >= len(rows)


def test_behind_a_proxy_pages_are_for_tls_alone_and_the_proxy_says_who_asks(
    tmp_path: Path,
) -> None:
    folder = write_campaign(tmp_path / "campaign")
    with _serving(folder, "--behind-proxy") as (process, line):
        port = int(re.search(r"localhost:(\d+)/", line)[1])  # type: ignore[index]
        plain = _ask(port, "/")
        assert (plain.status, plain.headers["Location"]) == (301, f"https://localhost:{port}/")
        assert _ask(port, "/health/").status == 200
        forwarded = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
        page = _ask(port, "/login/", **forwarded, **{"X-Request-ID": "abcdef0123456789"})
        assert page.status == 200
        assert "max-age=31536000" in page.headers["Strict-Transport-Security"]
        assert "; Secure" in page.headers["Set-Cookie"]
        assert page.headers["X-Request-ID"] == "abcdef0123456789"
        assert _ask(port, "/", **forwarded, Host="evil.example").status == 400
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    lines = (folder / "var" / "logs" / "server.jsonl").read_text().splitlines()
    (own,) = [line for line in map(json.loads, lines) if line.get("path") == "/login/"]
    assert (own["address"], own["request"]) == ("192.0.2.7", "abcdef0123456789")


def _ask(port: int, path: str, **headers: str) -> HTTPResponse:
    connection = HTTPConnection("localhost", port, timeout=30)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


_OLD_DATABASE = """
import sys
from pathlib import Path
from cranfield.server.serve import prepare
prepare(Path(sys.argv[1]))
from django.core.management import call_command
call_command("migrate", "contenttypes", verbosity=0)
"""


def test_a_database_that_holds_something_is_backed_up_before_it_is_migrated(
    tmp_path: Path,
) -> None:
    folder = write_campaign(tmp_path / "campaign")
    subprocess.run([sys.executable, "-c", _OLD_DATABASE, folder], check=True, timeout=60)
    refused = _cranfield("worker", folder)
    assert refused.returncode == 1
    assert "start `cranfield serve` once" in refused.stderr.replace("\n", " ")
    with _serving(folder) as (process, line):
        assert process.stderr is not None
        assert "Ctrl-C" in process.stderr.readline()
    (archive,) = (folder / "var" / "backups").iterdir()
    assert str(archive) in line
    assert "campaign/campaign.toml" in _contents(archive)
    with _serving(folder) as (process, line):
        assert "Ctrl-C" in line


@pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed")
def test_a_campaign_moves_to_postgresql_and_back_without_a_loss(tmp_path: Path) -> None:
    init = _cranfield("campaign", "init", tmp_path / "first", "--demo")
    assert init.returncode == 0, init.stderr
    archives = [tmp_path / f"{name}.tar.gz" for name in ("first", "second", "third")]
    with cluster() as address:
        moves = (
            ("backup", tmp_path / "first", archives[0]),
            ("restore", archives[0], tmp_path / "second", "--database", address),
            ("backup", tmp_path / "second", archives[1], "--database", address),
            ("restore", archives[1], tmp_path / "third"),
            ("backup", tmp_path / "third", archives[2]),
        )
        for move in moves:
            answer = _cranfield("campaign", *move)
            assert answer.returncode == 0, answer.stderr
        taken = _cranfield(
            "campaign", "restore", archives[0], tmp_path / "x", "--database", address
        )
        assert taken.returncode == 1
        assert "not empty" in taken.stderr
        assert not (tmp_path / "x").exists()
        # Numbers of new rows go on where those of the backup ended.
        reset = ("campaign", "user", "reset", tmp_path / "second", "alder@example.org")
        assert _cranfield(*reset, "--database", address).returncode == 0
    contents = _contents(archives[0])
    assert len(contents["database/score.jsonl"].splitlines()) > 50
    assert _contents(archives[1]) == contents
    assert _contents(archives[2]) == contents


@pytest.mark.parametrize("name", ["results", "results.zip", "results.tar.gz"])
def test_an_export_holds_runs_scores_and_boards_and_nobodys_address(
    exported: Path, name: str, tmp_path: Path
) -> None:
    answer = _cranfield("campaign", "export", exported, tmp_path / name, "--json")
    assert answer.returncode == 0, answer.stderr
    counts = json.loads(answer.stdout)
    folder = tmp_path / "results"
    if name != "results":
        shutil.unpack_archive(tmp_path / name, tmp_path)
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert not [path for path in files if b"@example.org" in path.read_bytes()]
    assert not [path for path in files if path.name in ("secret", "campaign.sqlite3")]
    track = folder / "tracks" / "photos"
    runs = list((track / "collection" / "runs").iterdir())
    assert len(runs) == counts["runs"] == 14
    again = _cranfield("evaluate", track / "collection", "-m", "concept.AP", "--json")
    scores = {row["run"]: row["score"] for row in json.loads(again.stdout)["scores"]}
    board = json.loads((track / "boards" / "edition-1" / "test-all.json").read_text())["runs"]
    for row in board:
        (own,) = (score for run, score in scores.items() if run.endswith(f"_{row['id']}"))
        assert own == pytest.approx(row["concept.AP"], abs=1e-12)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export") / "demo"
    assert _cranfield("campaign", "init", folder, "--demo").returncode == 0
    return folder
