"""From nothing to public results, as the tutorial tells it: an organiser starts a campaign, a group
registers, submits in the browser and from a terminal, and everybody reads the final board."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from datetime import date, timedelta
from pathlib import Path

import pytest
from live_campaign import LiveCampaign
from photo_campaign import TRUTH

from browser import Browser

pytestmark = pytest.mark.slow
PASSWORD = "correct horse battery"


def _cranfield(*arguments: object, token: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cranfield", *map(str, arguments)],
        env=os.environ | {"CRANFIELD_TOKEN": token},
        capture_output=True,
        text=True,
        timeout=120,
    )


def _campaign(folder: Path) -> LiveCampaign:
    """A campaign from a template and a truth, with something to download."""
    truth = folder / "truth.csv"
    truth.write_text(TRUTH)
    made = _cranfield("campaign", "init", folder / "photos", "--collection", truth)
    assert made.returncode == 0, made.stderr
    (folder / "photos/tracks/photos/downloads/items.txt").write_text("i1\n")
    return LiveCampaign(folder / "photos")


def _organiser_link(campaign: LiveCampaign) -> str:
    """What the server prints when it begins, soon after its address."""
    ends = time.monotonic() + 30
    while (link := re.search(r"http://\S+/welcome/\S+/", campaign.log.read_text())) is None:
        assert time.monotonic() < ends
        time.sleep(0.05)
    return link[0]


def _become_organiser(browser: Browser, campaign: LiveCampaign) -> None:
    link = _organiser_link(campaign)
    for _ in range(2):  # opening a link uses nothing up
        browser.visit(link)
        assert "Become the organiser" in browser.text
    browser.type({"name": "Olga", "email": "olga@example.org", "password": PASSWORD})
    browser.type({"again": "another password"})
    browser.press("Go on")
    assert "The passwords differ." in browser.text
    browser.type({"password": PASSWORD, "again": PASSWORD})
    browser.press("Go on")
    assert "Your campaign, step by step" in browser.text
    browser.press("Organise")
    assert "olga@example.org" in browser.text
    browser.press("Log out")
    browser.visit(link)
    assert "There is no such page" in browser.text


def _enter(browser: Browser, campaign: LiveCampaign) -> None:
    """Somebody registers, creates a group and enters the track, led by the pages."""
    browser.visit(campaign.address)
    browser.press("Register")
    browser.type({"name": "Ida", "email": "ida@example.org"})
    browser.type({"password": PASSWORD, "again": PASSWORD})
    browser.ask("document.querySelector('[name=agree]').click()")
    browser.press("Register")
    browser.press("Create a group")
    browser.type({"name": "Ash", "affiliation": "University of Oslo", "country": "Norway"})
    browser.press("Create the group")
    browser.press("Enter this track\n: Photo annotation")
    assert "Submit a run" in browser.text


def _submit(browser: Browser, run: Path, name: str) -> None:
    browser.ask("location.assign('/tracks/photos/submit/')")
    browser.wait_until("document.querySelector('[type=file]') !== null")
    browser.choose_file("[type=file]", run)
    browser.type({"name": name})
    browser.press("Submit the run")
    browser.wait_until(
        "location.pathname.startsWith('/runs/') && !document.querySelector('[data-waiting]')"
    )


def test_the_journey_of_an_organiser_and_a_group(browser: Browser, tmp_path: Path) -> None:
    browser.cookies = []
    campaign = _campaign(tmp_path)
    perfect, wrong = tmp_path / "perfect.csv", tmp_path / "wrong.csv"
    perfect.write_text(TRUTH)
    wrong.write_text(TRUTH.replace("i3,", "i3,x", 1))
    with campaign:
        _become_organiser(browser, campaign)
        _enter(browser, campaign)

        _submit(browser, wrong, "first try")
        assert "refused" in browser.text
        assert browser.ask("document.querySelector('#table-errors tbody td, th').innerText")
        assert browser.ask("document.querySelector('#table-errors tbody tr').innerText")[0] == "5"

        _submit(browser, perfect, "perfect")
        assert "accepted" in browser.text, browser.text
        scores = browser.ask("document.querySelector('#table-scores').innerText")
        assert "1.0000" in scores
        assert browser.complaints == []

        browser.press("Ash")
        browser.press("Make a token")
        browser.type({"name": "laptop"})
        browser.press("Make the token")
        token = browser.ask("document.querySelector('.message code').innerText")
        sent = _cranfield(
            "submit", perfect, "--to", campaign.address, "--name", "from a terminal",
            "--modality", "T", "--json", token=token,
        )  # fmt: skip
        assert sent.returncode == 0, sent.stderr
        run = json.loads(sent.stdout)
        assert (run["state"], run["scores"]["concept.AP"]) == ("accepted", 1.0)
        browser.press("Log out")
        browser.visit(f"{campaign.address}/tracks/photos/")
        board = browser.ask("document.querySelector('#table-board').innerText")
        assert "perfect" in board
        assert "from a terminal" in board
        assert campaign.stop() == 0

    described = tmp_path / "photos/campaign.toml"
    today = date.today()
    text = described.read_text()
    text = re.sub(r"opens = \S+", f"opens = {today - timedelta(days=9)}", text)
    described.write_text(re.sub(r"closes = \S+", f"closes = {today - timedelta(days=3)}", text))
    with campaign:
        browser.visit(f"{campaign.address}/tracks/photos/")
        assert "closed" in browser.text
        assert "preliminary" not in browser.text
        board = browser.ask("document.querySelector('#table-board').innerText")
        assert "Ash" in board


def test_secrets_of_links_stand_in_no_log_and_in_no_file(browser: Browser, tmp_path: Path) -> None:
    campaign = _campaign(tmp_path)
    with campaign:
        link = _organiser_link(campaign)
        browser.visit(link)
        browser.visit(f"{link}nothing")
        assert campaign.stop() == 0
    secret = link.rstrip("/").rpartition("/")[2].encode()
    assert campaign.log.read_bytes().count(secret) == 1  # where it was printed for the organiser
    files = [path for path in campaign.folder.rglob("*") if path.is_file()]
    assert [path for path in files if secret in path.read_bytes()] == []
