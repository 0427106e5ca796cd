"""The static site: what a visitor may read, as files whose links lead to files; nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from django.conf import settings
from django.core.cache import cache
from photo_campaign import TRUTH
from scored_runs import add_run, add_scores

from browser import CHROMIUM, Browser
from cranfield.errors import FileError
from cranfield.server.campaigns.models import Edition, Phase, Track
from cranfield.server.configuration import RunField
from cranfield.server.folder import CampaignFolder
from cranfield.server.people.links import hashed
from cranfield.server.people.models import Group, Membership, Token, User
from cranfield.server.results.site import LIST, publish
from cranfield.server.results.site_pages import PUBLIC, SitePage, UnpublishableError, file_of
from cranfield.server.submissions.models import Run

PRIVATE_WORDS = ("ida@example.org", "hidden run", "csrfmiddlewaretoken", "sessionid", "token-1")


@pytest.fixture
def campaign(folder: CampaignFolder, monkeypatch: pytest.MonkeyPatch) -> CampaignFolder:
    """A campaign with two editions, a second phase, people, and runs that nobody may see."""
    cache.clear()
    track = replace(
        settings.CAMPAIGN.tracks[0],
        fields=(RunField("paper", title="Paper"),),
        modalities={"V": "visual", "text & more": "textual"},
    )
    monkeypatch.setattr(settings, "CAMPAIGN", replace(settings.CAMPAIGN, tracks=(track,)))
    user = User.objects.create_user("ida@example.org", "pass word 123", name="Ida Ida")
    runs = [
        add_run("Ash", "a1", 0.7123456, fields={"paper": "doi"}),
        add_run("Ash", "a2", 0.5, modality="text & more"),
        add_run(None, "majority", 0.3),
        add_run("Birch", "<b>", 0.4, state=Run.State.DISQUALIFIED, reason="copied"),
        add_run("Birch", "hidden run", 0.6, state=Run.State.DELETED, reason="asked"),
        add_run("Birch", "hidden run", 0.6, state=Run.State.RETRACTED),
    ]
    membership = Membership.objects.create(user=user, group=Group.objects.get(name="Ash"))
    Token.objects.create(user=user, membership=membership, name="t", sha256=hashed("token-1"))
    first = Edition.objects.get()
    second = Edition.objects.create(
        track=Track.objects.get(), number=2, digest="2" * 64, measures=first.measures,
        rules=first.rules, truths=first.truths, reason="i3 shows no sky",
    )  # fmt: skip
    for run in runs[:2]:
        add_scores(run, second, 0.25)
    return folder


class Links(HTMLParser):
    def __init__(self, page: Path) -> None:
        super().__init__()
        self.page = page
        self.tags: set[str] = set()
        self.targets: list[str] = []
        self.feed(page.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.targets += [
            value for name, value in attrs if name in ("href", "src", "action") and value
        ]

    def files(self) -> Iterator[Path]:
        for target in self.targets:
            parts = urlsplit(target)
            assert not parts.scheme, target
            assert not parts.netloc, target
            assert not parts.query, target
            if parts.path:
                yield (self.page.parent / unquote(parts.path)).resolve()


def texts(site: Path) -> str:
    return "\n".join(path.read_text() for path in sorted(site.rglob("*")) if path.is_file())


@pytest.mark.slow
def test_all_links_lead_to_files_of_the_site_and_all_files_are_linked(
    campaign: CampaignFolder, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    track = Track.objects.get()
    Phase.objects.create(track=track, name="late", title="Late", order=1, opens=None, zone="UTC")
    counts = publish(campaign, site)
    pages = sorted(site.rglob("*.html"))
    assert counts["pages"] == len(pages)
    linked = {file for page in pages for file in Links(page).files()}
    present = {path.resolve() for path in site.rglob("*") if path.is_file()}
    assert linked - present == set()
    assert present - linked == {site.resolve() / LIST}
    for name in ("results/photos/test/1/index.html", "results/photos/test/2/board.bib"):
        assert (site / name).exists()
    assert [path for path in pages if "modality-text-more-" in path.name]
    for page in pages:
        assert not Links(page).tags & {"form", "iframe", "object"}
        assert "Log in" not in page.read_text()


def test_the_site_holds_nothing_that_is_hidden(campaign: CampaignFolder, tmp_path: Path) -> None:
    publish(campaign, tmp_path / "site")
    written = texts(tmp_path / "site")
    first = Edition.objects.get(number=1)
    hidden = [*PRIVATE_WORDS, campaign.secret, "0.71234", *first.truths.values()]
    hidden += TRUTH.splitlines()[1:]
    assert [word for word in hidden if word in written] == []
    assert not re.search(r"\bi(1\d|2\d|3\d)\b", written), "ids of items"
    assert "a1" in written


@pytest.mark.slow
def test_a_site_after_the_end_has_what_boards_show_then(
    campaign: CampaignFolder, tmp_path: Path
) -> None:
    publish(campaign, tmp_path / "site")
    Phase.objects.update(closes=datetime(2021, 1, 1, tzinfo=UTC))
    publish(campaign, tmp_path / "site")
    board = (tmp_path / "site/results/photos/test/1/board.csv").read_text()
    assert "0.7123456" in board
    assert (tmp_path / "site/results/photos/test/1/index--split-private.html").exists()
    assert [word for word in PRIVATE_WORDS if word in texts(tmp_path / "site")] == []


def test_a_board_that_is_not_public_is_not_on_the_site(
    campaign: CampaignFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "CAMPAIGN", replace(settings.CAMPAIGN, boards="groups"))
    publish(campaign, tmp_path / "site")
    assert "Ash" not in texts(tmp_path / "site")
    assert not (tmp_path / "site/results").exists()


@pytest.mark.slow
def test_citations_name_the_address_of_the_site(campaign: CampaignFolder, tmp_path: Path) -> None:
    publish(campaign, tmp_path / "site", "https://example.org/photos/")
    board = tmp_path / "site/results/photos/test/1"
    address = "https://example.org/photos/results/photos/test/1/"
    assert f"url = {{{address}}}" in (board / "board.bib").read_text()
    assert json.loads((board / "board.json").read_text())["address"] == address
    publish(campaign, tmp_path / "local")
    written = (tmp_path / "local/results/photos/test/1/board.bib").read_text()
    assert "url" not in written
    assert "localhost" not in texts(tmp_path / "local")


@pytest.mark.slow
def test_a_later_site_replaces_its_own_files_and_leaves_others(
    campaign: CampaignFolder, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    publish(campaign, site)
    (site / ".git" / "refs").mkdir(parents=True)
    (site / "CNAME").write_text("example.org")
    gone = site / f"runs/{Run.objects.get(name='a2').id}"
    assert gone.is_dir()
    Run.objects.filter(name="a2").update(state=Run.State.DELETED)
    cache.clear()
    publish(campaign, site)
    assert not gone.exists()
    assert (site / "CNAME").read_text() == "example.org"
    assert (site / ".git" / "refs").is_dir()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("x")
    with pytest.raises(FileError, match="no site"):
        publish(campaign, tmp_path / "mine")


def test_a_page_that_shows_a_file_of_the_truth_stops_everything(
    campaign: CampaignFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cranfield.server.results import permanent

    monkeypatch.setattr(permanent, "file_text", lambda *_: TRUTH)
    with pytest.raises(UnpublishableError, match="would hold what the campaign hides"):
        publish(campaign, tmp_path / "site")
    assert not (tmp_path / "site").exists()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("page", "complaint"),
    [
        ('<a href="/organise/">x</a>', "not public"),
        ('<a href="/groups/1/">x</a>', "not public"),
        ('<a href="/health/">x</a>', "not public"),
        ('<a href="/nowhere/">x</a>', "no such page"),
        ('<a href="board.csv">x</a>', "begins with no /"),
        ('<script src="https://cdn.example/x.js"></script>', "from elsewhere"),
        ('<img src="//evil.example/x.png">', "from elsewhere"),
        ("<form><p>", "never closed"),
    ],
)
def test_what_must_not_be_published_stops_everything(page: str, complaint: str) -> None:
    with pytest.raises(UnpublishableError, match=complaint):
        SitePage("/").rewritten(page)


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ('a <a href="/login/">Log <b>in</b></a> b', "a  b"),
        ('<form method="post"><a href="/x">y</a><input name="z"><br></form>!', "!"),
        ('<a href="/tracks/photos/?view=best#board">x</a>',
         '<a href="tracks/photos/index--view-best.html#board">x</a>'),
        ('<a href="https://doi.org/1">x</a>', '<a href="https://doi.org/1">x</a>'),
        ('<a href="#top">&lt;&#38;&gt;</a>', '<a href="#top">&lt;&#38;&gt;</a>'),
        ('<p title="&quot;&lt;">x</p>', '<p title="&quot;&lt;">x</p>'),
    ],
)  # fmt: skip
def test_pages_keep_what_works_without_a_server(page: str, expected: str) -> None:
    assert SitePage("/").rewritten(page) == expected


def test_addresses_with_other_parameters_are_other_files() -> None:
    queries = ("", "?a=b", "?a=b-c", "?a=b c", "?a=b/c", "?a=../c", "?a=", "?x=a%26b", "?a=é")
    files = {str(file_of(f"/tracks/photos/{query}")) for query in queries}
    assert len(files) == len(queries) - 1  # an empty parameter is none
    assert [name for name in files if ".." in name or not name.startswith("tracks/photos/")] == []


def test_only_routes_without_secrets_are_public() -> None:
    from test_pages import GET_ALLOWED, LOGIN

    asks = {LOGIN, 401, 405}
    private = {name for name, (visitor, *_) in GET_ALLOWED.items() if visitor in asks}
    assert PUBLIC & private == set()


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_a_browser_opens_the_site_from_files_without_a_complaint(
    campaign: CampaignFolder, tmp_path: Path
) -> None:
    Phase.objects.update(closes=datetime(2021, 1, 1, tzinfo=UTC))
    site = tmp_path / "site"
    publish(campaign, site)
    with Browser(tmp_path / "profile") as browser:
        for page in sorted(site.rglob("*.html")):
            browser.open(page, width=1200)
            assert browser.complaints == [], page
            assert [url for url in browser.requests if not url.startswith("file://")] == []
        browser.open(site / "results/photos/test/1/index.html", width=1200)
        assert browser.ask("getComputedStyle(document.body).display") == "flex"  # the style is read
        rows = "[...document.querySelectorAll('tbody tr')].filter(r => !r.hidden).length"
        before = browser.ask(rows)
        browser.ask(
            "(() => { const box = document.querySelector('.find'); box.value = 'a1';"
            " box.dispatchEvent(new Event('input')); })()"
        )
        assert (before, browser.ask(rows)) == (4, 1)
