"""Every page of a campaign in a real browser, as every role: accessible (WCAG A and AA), quiet,
within the window, and readable without scripts. The list of pages is the list of routes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from demo_site import PASSWORD, ROLES, furnish, wait_until_scored, write_demonstration
from django.urls import get_resolver, reverse
from live_campaign import LiveCampaign
from routes import all_routes

from accessibility import violations
from browser import Browser
from cranfield.server.results.analyses import OF_BOARDS

pytestmark = pytest.mark.slow
_OF_ANNOTATION = ("annotation-progress", "annotation-pause", "votes-file")
WINDOWS = [(1280, "light"), (1280, "dark"), (390, "dark"), (390, "light")]
_CONTENTS = """
(() => {
  const seen = (selector) => [...document.querySelectorAll(selector)].filter(
    (node) => node.checkVisibility());
  return {
    headings: seen("h1, h2, h3:not(.panel-name)").map((node) => node.textContent.trim()),
    rows: seen("tbody tr").length,
    links: seen("a[href]").map((node) => node.getAttribute("href")),
    fields: seen("input, select, textarea").map((node) => node.name).filter(Boolean),
    figures: seen("figure").length,
  };
})()
"""


class Site:
    """The demonstration, and the cookies of somebody in each role."""

    def __init__(self, campaign: LiveCampaign, ids: dict[str, Any]) -> None:
        self.campaign, self.ids = campaign, ids
        self.sessions: dict[str, list[dict[str, Any]]] = {"visitor": []}

    def log_in(self, browser: Browser, role: str) -> None:
        browser.cookies = self.sessions.get(role, [])
        if role in self.sessions:
            return
        browser.visit(f"{self.campaign.address}/login/")
        browser.type({"username": f"{role}@example.org", "password": PASSWORD})
        browser.press("Log in")
        assert f"{role.title()}\nLog out" in browser.text
        self.sessions[role] = browser.cookies

    def paths(self) -> list[str]:
        """Addresses of all routes of pages, some with several things to show."""
        return [
            reverse(name, kwargs=arguments)
            for name in all_routes()
            if not name.startswith("api:")
            for arguments in self._arguments(name)
        ]

    def _arguments(self, name: str) -> list[dict[str, Any]]:
        ids = self.ids
        tracks = [{"track": "photos"}, {"track": "last-year"}]
        runs = [{"id": number} for number in ids["runs"].values()]
        group = {"id": ids["group"]}
        boards = [
            tracks[0] | {"phase": "test", "edition": 1},
            tracks[1] | {"phase": "final", "edition": 1},
        ]
        reports = [boards[0] | runs[0], boards[1] | {"id": ids["runs"]["closed"]}]
        table = {"table": "runs", "form": "csv"}
        arguments = {
            "welcome": [{"secret": ids["welcome"]}],
            "invited": [{"secret": ids["invited"]}],
            **{key: [group] for key in ("group", "invite", "leave", "new-token")},
            "enter": [group | tracks[0]],
            "present-board-file": [tracks[0] | {"form": "csv"}],
            "board": boards,
            "board-file": [board | {"form": "csv"} for board in boards],
            "record": reports,
            "record-file": [boards[0] | runs[0] | {"form": "csv"}],
            "analysis": [board | {"kind": kind} for board in boards for kind in OF_BOARDS],
            "analysis-file": [boards[1] | table | {"kind": "concepts"}],
            "report": reports,
            "report-file": [reports[1] | table],
            "comparison": [reports[1] | {"other": ids["runs"]["other"]}],
            "comparison-file": [reports[1] | table | {"other": ids["runs"]["other"]}],
            "compare": [runs[0], {"id": ids["runs"]["closed"]}],
            "revoke-token": [{"id": ids["token"]}],
            "download": [tracks[0] | {"name": "test-items.txt"}],
            "run": runs,
            "retract": runs,
            "ruling": [runs[0] | {"ruling": "delete"}],
            "requeue": [{"id": ids["job"]}],
            "reset": [{"id": ids["person"]}],
            "roles": [{"id": ids["person"]}],
            "annotator": [{"id": ids["person"]}],
            "annotation-work": [tracks[0] | {"job": "labels"}],
            "sheet": [{"id": ids["sheet"]}],
            "exclude": [{"id": ids["sheet"]}],
            "item-image": [{"id": ids["task"]}],
            **{key: [{"id": ids["annotation"]}] for key in _OF_ANNOTATION},
        }
        if name in arguments:
            return arguments[name]
        _, parameters = get_resolver().reverse_dict.getlist(name)[0][0][0]
        return tracks if "track" in parameters else [{}]

    def pages(self, role: str) -> list[str]:
        """Addresses that answer with a page; forms, files and redirections do not."""
        cookies = {cookie["name"]: cookie["value"] for cookie in self.sessions[role]}
        header = "; ".join(f"{name}={value}" for name, value in cookies.items())
        pages = []
        for path in self.paths():
            status, kind, _ = self.get(path, header)
            assert status < 500, path
            if kind == "text/html" and status not in (302, 405):
                pages.append(self.campaign.address + path)
        return pages

    def get(self, path: str, cookies: str = "") -> tuple[int, str, bytes]:
        """Status, type and content of an answer."""
        connection = HTTPConnection("localhost", self.campaign.port, timeout=30)
        connection.request("GET", path, headers={"Cookie": cookies} if cookies else {})
        with closing(connection), connection.getresponse() as answer:
            return answer.status, answer.headers.get_content_type(), answer.read()

    def wait_for_analyses(self) -> None:
        """Until everything that visitors may see is computed."""
        ends = time.monotonic() + 300
        for path in self.paths():
            while b"data-waiting" in self.get(path)[2]:
                assert time.monotonic() < ends, f"never computed: {path}"
                time.sleep(0.5)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = write_demonstration(tmp_path_factory.mktemp("site") / "demo")
    campaign = LiveCampaign(folder)
    ids = campaign.run_job(furnish)
    with campaign:
        wait_until_scored(campaign)
        site = Site(campaign, ids)
        site.wait_for_analyses()
        yield site


@pytest.mark.parametrize("role", ROLES)
def test_every_page_is_accessible_quiet_and_within_the_window(
    browser: Browser, site: Site, role: str
) -> None:
    site.log_in(browser, role)
    problems: list[object] = []
    pages = site.pages(role)
    assert len(pages) > 8
    for page in pages:
        browser.visit(page)
        missing = "the server responded with a status of 40"
        problems += [(page, text) for text in browser.complaints if missing not in text]
        for width, scheme in WINDOWS:
            browser.resize(width=width, scheme=scheme)
            broken = violations(browser)
            if browser.ask("document.documentElement.scrollWidth") > width:
                broken.append("wider than the window")
            problems += [(page, width, scheme, rule) for rule in broken]
    assert problems == []


def test_every_chart_stands_with_a_table_of_its_numbers(browser: Browser, site: Site) -> None:
    site.log_in(browser, "visitor")
    charts = "[...document.querySelectorAll('figure.plot')]"
    bare = "f => !f.querySelector('table') && !f.closest('section')?.querySelector('table')"
    drawn = 0
    for page in site.pages("visitor"):
        browser.visit(page)
        drawn += browser.ask(f"{charts}.length")
        titles = f"{charts}.filter({bare}).map(f => f.querySelector('figcaption')?.innerText)"
        assert browser.ask(titles) == [], page
    assert drawn > 0


@pytest.mark.parametrize("role", ROLES)
def test_every_page_says_the_same_without_scripts(browser: Browser, site: Site, role: str) -> None:
    site.log_in(browser, role)
    for page in site.pages(role):
        browser.visit(page)
        scripted = browser.ask(_CONTENTS)
        browser.run_scripts(False)
        try:
            browser.visit(page)
            plain = browser.ask(_CONTENTS)
        finally:
            browser.run_scripts(True)
        assert len(plain["headings"]) >= 1
        for part, listed in scripted.items():
            if isinstance(listed, int):
                assert plain[part] >= listed, (page, part)
            else:
                assert set(plain[part]) >= set(listed), (page, part)


def test_the_checks_see_what_is_wrong(browser: Browser, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<html lang=en><title>x</title><img src=x.png><p style='color:#bbb'>faint")
    browser.open(page, width=390)
    rules = {rule.partition(":")[0] for rule in violations(browser)}
    assert rules == {"image-alt", "color-contrast"}


def test_the_board_sorts_and_finds_groups(browser: Browser, site: Site) -> None:
    site.log_in(browser, "visitor")
    browser.visit(f"{site.campaign.address}/tracks/photos/")
    rows = (
        "[...document.querySelectorAll('#table-board tbody tr')].filter(r => r.checkVisibility())"
    )
    everybody = browser.ask(f"{rows}.length")
    browser.ask(
        "(box => { box.value = 'birch'; box.dispatchEvent(new Event('input')) })"
        "(document.querySelector('.find'))"
    )
    assert 0 < browser.ask(f"{rows}.length") < everybody
    assert browser.ask(f"{rows}.every(r => r.textContent.includes('Birch'))")
    head = "[...document.querySelectorAll('#table-board thead th.number')].at(-1)"
    browser.ask(f"{head}.querySelector('button').click()")
    assert browser.ask(f"{head}.getAttribute('aria-sort')") == "descending"


def test_the_keyboard_reaches_the_content_first_and_shows_where_it_is(
    browser: Browser, site: Site
) -> None:
    site.log_in(browser, "visitor")
    browser.visit(f"{site.campaign.address}/tracks/photos/", width=390)
    tab = {"key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9}
    browser.send("Input.dispatchKeyEvent", type="keyDown", **tab)
    focused = "document.activeElement"
    assert browser.ask(f"{focused}.textContent") == "Skip to the content"
    assert browser.ask(f"{focused}.getBoundingClientRect().left") >= 0
    enter = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"}
    browser.send("Input.dispatchKeyEvent", type="keyDown", **enter)
    browser.wait_until("document.activeElement.id === 'content'")
    for _ in range(3):
        browser.send("Input.dispatchKeyEvent", type="keyDown", **tab)
        assert browser.ask(f"getComputedStyle({focused}).outlineStyle") == "solid"
