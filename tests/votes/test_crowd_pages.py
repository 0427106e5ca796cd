"""Pages of crowd jobs in a real browser: valid, handed in complete, and deaf to hostile names."""

from __future__ import annotations

import struct
import zlib
from html.parser import HTMLParser
from pathlib import Path

import pytest
from test_crowd_forms import HOSTILE

import cranfield as cf
from browser import Browser
from cranfield.assessment.jobs import Form, preview_page, template_page
from cranfield.assessment.jobs.template import coded

_VOID = {"meta", "input", "img"}
_SUBMIT = "document.querySelector('#hand-in').click()"
_FIELDS = "[...new FormData(document.forms[0])]"
_POSTED = """document.forms[0].addEventListener('submit', (event) => {
  window.posted = !event.defaultPrevented;
  event.preventDefault();
})"""
_CHOOSE = """document.querySelectorAll('fieldset.required').forEach((group) =>
  group.querySelectorAll('input')[1].click())"""


@pytest.fixture(scope="module")
def form() -> Form:
    return Form.of_ontology(cf.Ontology.load("pto2009")).worded(
        descriptions={"Seasons": "Which season is it?", "Macro": "Something small, shown large."}
    )


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A red image of 30 × 20 points."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", 30, 20, 8, 2, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\xff\0\0" * 30) * 20)
    path = tmp_path_factory.mktemp("images") / "red.png"
    parts = (chunk(b"IHDR", header), chunk(b"IDAT", rows), chunk(b"IEND", b""))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(parts))
    return path.as_uri()


def page(path: Path, form: Form, image: str, *, per_hit: int = 1) -> Path:
    """The template as Mechanical Turk fills it."""
    text = template_page(form, per_hit=per_hit)
    for number in ("", *map(str, range(1, per_hit + 1))):
        text = text.replace(f"${{image_url{number}}}", image).replace(f"${{item{number}}}", "a")
    path.write_text(text)
    return path


class Strict(HTMLParser):
    """What is wrong with a page: tags that do not match, ids and attributes given twice."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.ids: list[str] = []
        self.refers: list[str] = []
        self.feed(page)
        self.close()
        self.wrong += [f"{tag} stays open" for tag in self.open]
        self.wrong += [f"id {one} twice" for one in set(self.ids) if self.ids.count(one) > 1]
        self.wrong += [f"nothing is called {one}" for one in self.refers if one not in self.ids]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        if len(set(names)) < len(names):
            self.wrong.append(f"{tag} has an attribute twice: {names}")
        said = dict(attrs)
        if "id" in said:
            self.ids.append(said["id"] or "")
        for name in ("for", "aria-describedby", "aria-labelledby"):
            self.refers += (said.get(name) or "").split()
        if tag == "img" and not said.get("alt"):
            self.wrong.append("an image without words")
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in _VOID or not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> closes nothing")


HOSTILE_FORM = Form.of_concepts(HOSTILE, {HOSTILE[0]: HOSTILE[:9]}).worded(
    title=HOSTILE[0], descriptions=dict.fromkeys(HOSTILE, HOSTILE[0]), instructions=HOSTILE
)


@pytest.mark.parametrize("per_hit", [1, 3])
def test_templates_are_well_formed(form: Form, per_hit: int) -> None:
    for one in (form, HOSTILE_FORM, Form.of_screening("Sky")):
        text = template_page(one, per_hit=per_hit)
        assert text.startswith("<!doctype html>\n<html lang=")
        assert Strict(text).wrong == []
        assert text.count("</script>") == text.count("</style>") == 1


@pytest.mark.parametrize("per_hit", [1, 2])
def test_a_browser_reads_a_template_as_it_was_written(
    browser: Browser, form: Form, image: str, tmp_path: Path, per_hit: int
) -> None:
    """Markup in a wrong place would be moved or dropped, and the tree be another."""
    path = page(tmp_path / "page.html", form, image, per_hit=per_hit)
    browser.open(path, width=1280)
    written = Strict(path.read_text())
    assert browser.ask("[...document.querySelectorAll('[id]')].map((one) => one.id)") == written.ids
    assert browser.ask("document.compatMode") == "CSS1Compat"
    assert browser.ask("document.querySelectorAll('form input').length") == 1 + per_hit * 53
    assert browser.ask("[...document.querySelectorAll('section > figure')].length") == per_hit * 5


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_a_page_fits_and_needs_nothing_but_the_image(
    browser: Browser, form: Form, image: str, tmp_path: Path, width: int, scheme: str
) -> None:
    path = page(tmp_path / "page.html", form, image)
    browser.open(path, width=width, scheme=scheme)
    assert browser.ask("document.documentElement.scrollWidth") <= width
    assert browser.complaints == []
    assert set(browser.requests) == {path.as_uri(), image}
    paper = browser.ask("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(18, 22, 27)") == (scheme == "dark")
    browser.ask(_SUBMIT)  # so that messages are there too
    assert browser.faint_words == []
    low = "[...document.querySelectorAll('.options label')].every((l) => l.offsetHeight >= 44)"
    assert browser.ask(low)


def test_the_image_is_in_sight_at_every_question(
    browser: Browser, form: Form, image: str, tmp_path: Path
) -> None:
    path = page(tmp_path / "page.html", form, image)
    for width in (390, 1280):
        browser.open(path, width=width, height=800)
        seen = """[...document.querySelectorAll('fieldset')].every((group) => {
          group.scrollIntoView();
          const image = group.closest('section').querySelector('img').getBoundingClientRect();
          const title = group.querySelector('legend').getBoundingClientRect();
          const clear = image.bottom <= title.top + 1 || image.right <= title.left;
          return clear && Math.min(image.bottom, 800) - Math.max(image.top, 0) > 100;
        })"""
        assert browser.ask(seen)


def test_an_open_question_is_told_and_nothing_is_handed_in(
    browser: Browser, form: Form, image: str, tmp_path: Path
) -> None:
    browser.open(page(tmp_path / "page.html", form, image), width=390)
    browser.ask(_POSTED)
    assert browser.ask("document.querySelector('#count').textContent") == "0 of 6 answered"
    browser.ask("document.querySelector('[value=Summer]').click()")
    browser.ask(_SUBMIT)
    assert browser.ask("window.posted") is False
    told = "[...document.querySelectorAll('.open')].map((one) => one.checkVisibility())"
    assert browser.ask(told) == [False, True, True, True, True, True]
    assert browser.ask("document.activeElement.value") == "Indoor"
    assert browser.ask("document.activeElement.closest('fieldset').ariaInvalid") == "true"
    assert (
        browser.ask("document.querySelector('#state').textContent") == "5 questions are still open."
    )
    browser.ask("document.querySelector('[value=Indoor]').click()")
    assert browser.ask(told) == [False, False, True, True, True, True]
    assert browser.ask("document.querySelector('#bar').value") == 2


def test_a_complete_page_is_handed_in_with_the_fields_that_readers_know(
    browser: Browser, form: Form, image: str, tmp_path: Path
) -> None:
    path = page(tmp_path / "page.html", form, image)
    browser.open(path, width=1280)
    browser.ask(_POSTED)
    browser.ask(_CHOOSE)
    browser.ask("document.querySelector('[name=Sky]').click()")
    browser.ask("document.querySelector('[name=comment]').value = 'nice'")
    browser.ask(_SUBMIT)
    assert browser.ask("window.posted") is True
    assert browser.ask(_FIELDS) == [
        ["assignmentId", ""], ["Seasons", "Summer"], ["Place", "Outdoor"], ["TimeOfDay", "Night"],
        ["Sky", "on"], ["Illumination", "Underexposed"], ["Blurring", "Out_of_focus"],
        ["Persons", "Small_Group"], ["comment", "nice"],
    ]  # fmt: skip
    assert browser.ask("document.forms[0].method") == "post"
    assert browser.ask("document.forms[0].action") == "https://www.mturk.com/mturk/externalSubmit"


def test_a_page_knows_whose_work_it_is_and_where_to_hand_it_in(
    browser: Browser, image: str, tmp_path: Path
) -> None:
    path = page(tmp_path / "page.html", Form.of_screening("Sky"), image)
    sandbox = "https%3A%2F%2Fworkersandbox.mturk.com"
    for query, action in (
        (f"?assignmentId=A1&turkSubmitTo={sandbox}", "https://workersandbox.mturk.com"),
        ("?assignmentId=A1&turkSubmitTo=https%3A%2F%2Fmturk.com.evil.org", "https://www.mturk.com"),
    ):
        browser.open(path, query=query, width=390)
        assert browser.ask("document.forms[0].action") == f"{action}/mturk/externalSubmit"
        assert browser.ask(_FIELDS)[0] == ["assignmentId", "A1"]
    browser.open(path, query="?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE", width=390)
    assert browser.ask("document.querySelector('#hand-in').disabled")
    assert "accept the HIT" in browser.ask("document.querySelector('#state').textContent")


def test_without_scripts_the_browser_itself_insists(
    browser: Browser, form: Form, image: str, tmp_path: Path
) -> None:
    path = page(tmp_path / "page.html", form, image)
    browser.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(path, width=390)
        assert not browser.ask("document.forms[0].noValidate")
        assert not browser.ask("document.forms[0].checkValidity()")
        browser.ask(_CHOOSE)
        assert browser.ask("document.forms[0].checkValidity()")
        assert not browser.ask("document.querySelector('#progress').checkVisibility()")
    finally:
        browser.send("Emulation.setScriptExecutionDisabled", value=False)


def test_several_items_have_fields_of_their_own(
    browser: Browser, image: str, tmp_path: Path
) -> None:
    path = page(tmp_path / "page.html", Form.of_screening("Sky"), image, per_hit=3)
    browser.open(path, width=390)
    browser.ask(_POSTED)
    browser.ask("document.querySelector('[value=no]').click()")
    browser.ask(_SUBMIT)
    assert browser.ask("window.posted") is False
    assert browser.ask("document.activeElement.name") == "2_Sky"
    browser.ask("document.querySelectorAll('[value=yes]').forEach((one) => one.click())")
    browser.ask(_SUBMIT)
    assert browser.ask("window.posted") is True
    assert browser.ask(_FIELDS)[1:4] == [["1_Sky", "yes"], ["2_Sky", "yes"], ["3_Sky", "yes"]]


def test_an_image_that_is_not_there_is_said(browser: Browser, image: str, tmp_path: Path) -> None:
    lost = (tmp_path / "lost.png").as_uri()
    told = "document.querySelector('figcaption').checkVisibility()"
    for address, wanted in ((lost, True), (image, False)):
        browser.open(page(tmp_path / "page.html", Form.of_screening("Sky"), address), width=390)
        assert browser.ask(told) is wanted


def test_hostile_names_stay_words(browser: Browser, image: str, tmp_path: Path) -> None:
    browser.open(page(tmp_path / "page.html", HOSTILE_FORM, image), width=390)
    assert browser.ask("window.hacked") is None
    assert browser.complaints == []
    assert browser.ask("document.documentElement.scrollWidth") <= 390
    assert browser.ask("document.title") == HOSTILE[0]
    assert browser.ask("document.querySelectorAll('script').length") == 1
    names = browser.ask("[...document.querySelectorAll('.options input')].map((one) => one.name)")
    assert names == [coded(HOSTILE[0])] * 9 + [coded(name) for name in HOSTILE[9:]]


def test_a_preview_shows_what_would_be_handed_in(
    browser: Browser, image: str, tmp_path: Path
) -> None:
    form = Form.of_concepts(["Sky", "Day", "Night"], {"Time": ["Day", "Night"]})
    path = tmp_path / "preview.html"
    path.write_text(preview_page(form, {"item": "a", "image_url": image}))
    browser.open(path, width=390)
    browser.ask(_CHOOSE)
    browser.ask("document.querySelector('[name=Sky]').click()")
    browser.ask(_SUBMIT)
    shown = browser.ask("document.querySelector('#handed').textContent")
    assert shown == "Time = Night\nSky = on\ncomment = "
    assert browser.ask("location.href") == path.as_uri()


def test_a_page_within_a_form_of_the_platform_is_checked_as_well(
    browser: Browser, image: str, tmp_path: Path
) -> None:
    path = page(tmp_path / "page.html", Form.of_screening("Sky"), image)
    text = path.read_text().replace("<body>", '<body><form id="theirs" action="https://x.org">')
    path.write_text(text)
    browser.open(path, width=390)
    assert browser.ask("document.forms.length") == 1
    browser.ask(_POSTED)
    browser.ask(_SUBMIT)
    assert browser.ask("window.posted") is False
    browser.ask(_CHOOSE)
    browser.ask(_SUBMIT)
    assert browser.ask("window.posted") is True
    assert browser.ask(_FIELDS)[:2] == [["assignmentId", ""], ["Sky", "no"]]
