"""Questionnaires in a real browser: filled in, checked for gaps, and handed out as answers."""

from __future__ import annotations

import html.parser
import time
from pathlib import Path

import numpy as np
import pytest

from browser import Browser
from cranfield.assessment import surveys
from cranfield.assessment.surveys.pairings import MeasureSurvey, Pairing
from cranfield.assessment.surveys.questionnaire import measure_page, relatedness_page

HOSTILE = '</script><img src=x onerror="window.hacked=1">&amp;"${sky}'
WORDS = ("sky", "clouds", "river", "lake", HOSTILE)
FILL = """
(() => {
  for (const field of document.querySelectorAll("fieldset")) {
    const buttons = [...field.querySelectorAll("input[type=radio]")];
    buttons[SUM % buttons.length].click();
  }
  document.getElementById("who")?.setAttribute("value", "ann, of course");
  document.getElementById("comment").value = 'He said "well",\\nand left.';
})()
""".replace("SUM", "[...field.id].reduce((sum, one) => sum + one.charCodeAt(0), 0)")
SUBMIT = "document.querySelector('form').requestSubmit()"
TABLE = "document.querySelector('.done textarea').value"


@pytest.fixture(autouse=True)
def downloads(browser: Browser, tmp_path: Path) -> Path:
    """Where pages hand out files: never among those of whoever runs the tests."""
    folder = tmp_path / "downloads"
    browser.send("Page.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    return folder


def handed_out(folder: Path, name: str) -> Path:
    """The file that a page hands out, once it is there."""
    late = time.monotonic() + 10
    while not (folder / name).exists() and time.monotonic() < late:
        time.sleep(0.02)
    return folder / name


@pytest.fixture(scope="module")
def words() -> surveys.RelatednessSurvey:
    return surveys.RelatednessSurvey(surveys.choose_pairs(WORDS, controls=1))


@pytest.fixture(scope="module")
def words_page(words: surveys.RelatednessSurvey, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "words.html"
    path.write_text(relatedness_page(words, title=HOSTILE), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def sets() -> MeasureSurvey:
    pairings = tuple(
        Pairing(f"q{n}", f"photo{n}", "A", "B", ("Sky", HOSTILE), ("Lake", "Sky"), ("Sky", "Sea"))
        for n in range(1, 5)
    )
    scores = {"F": np.ones((4, 2)), "OS": np.array([[0.9, 0.7]] * 4)}
    return MeasureSurvey(pairings, "F", "OS", dict.fromkeys(scores, "higher"), scores, 0.0, {}, 4)


@pytest.fixture(scope="module")
def sets_page(sets: MeasureSurvey, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "sets.html"
    images = {
        "photo1": "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="
    }
    path.write_text(measure_page(sets, images=images, show_truth=True), encoding="utf-8")
    return path


def expected(ids: tuple[str, ...], answers: list[str]) -> dict[str, str]:
    return {one: answers[sum(map(ord, f"ask-{one}")) % len(answers)] for one in ids}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1000])
def test_a_questionnaire_is_quiet_offline_and_fits(
    browser: Browser, words_page: Path, sets_page: Path, width: int, scheme: str
) -> None:
    for page in (words_page, sets_page):
        browser.open(page, width=width, scheme=scheme)
        assert browser.ask("document.documentElement.scrollWidth") <= width
        assert browser.complaints == []
        browser.ask(SUBMIT)  # what is left open is marked
        assert browser.faint_words == []
        assert [one for one in browser.requests if not one.startswith("data:")] == [page.as_uri()]


def test_hostile_words_are_shown_and_never_run(
    browser: Browser, words_page: Path, sets_page: Path
) -> None:
    for page in (words_page, sets_page):
        browser.open(page, width=1000)
        assert browser.ask("window.hacked") is None
        assert HOSTILE in browser.ask("document.querySelector('main').textContent")
        assert "${" not in page.read_text(encoding="utf-8")


def test_answers_come_out_as_a_file_that_is_read_as_votes(
    browser: Browser, words: surveys.RelatednessSurvey, words_page: Path, downloads: Path
) -> None:
    browser.open(words_page, width=1000)
    browser.ask(FILL)
    browser.ask(SUBMIT)
    path = handed_out(downloads, "answers-ann-of-course.csv")
    assert path.read_text(encoding="utf-8") == browser.ask(TABLE)
    found = surveys.read_answers(path, asked=words.asked, question=surveys.RELATEDNESS)
    assert found.votes.annotators == ("ann, of course",)
    said = dict(zip(*found.votes.frame.select("item", "value").to_dict().values(), strict=True))
    assert said == expected(words.asked, list("01234"))
    assert found.comments == {"ann, of course": 'He said "well",\nand left.'}
    assert browser.complaints == []


def test_preferences_come_out_as_well(
    browser: Browser, sets: MeasureSurvey, sets_page: Path, tmp_path: Path
) -> None:
    browser.open(sets_page, width=1000)
    assert browser.ask("document.querySelectorAll('img').length") == 1
    assert browser.ask("document.querySelectorAll('.wrong').length") == 8
    browser.ask(FILL)
    browser.ask(SUBMIT)
    path = tmp_path / "answers.csv"
    path.write_text(browser.ask(TABLE), encoding="utf-8")
    found = surveys.read_answers(path, asked=sets.asked, question=surveys.PREFERENCE)
    said = dict(zip(*found.votes.frame.select("item", "value").to_dict().values(), strict=True))
    assert said == expected(sets.asked, ["left", "equal", "right"])


def test_nothing_is_handed_out_before_all_is_answered(browser: Browser, words_page: Path) -> None:
    browser.open(words_page, width=1000)
    message = "document.querySelector('.message').textContent"
    browser.ask(SUBMIT)
    assert browser.ask(message) == "Please say who you are."
    browser.ask(FILL)
    browser.ask("document.querySelectorAll('input[name=p03]').forEach(one => one.checked = false)")
    browser.ask(SUBMIT)
    assert browser.ask(message) == "Please answer all questions; 1 left."
    assert browser.ask("[...document.querySelectorAll('.open')].map(one => one.id)") == ["ask-p03"]
    browser.ask("document.querySelector('input[name=p03]').click()")
    assert browser.ask("document.querySelector('.count').textContent") == "11 of 11 answered"
    browser.ask(SUBMIT)
    assert browser.ask(f"{TABLE}.split('\\n').length") > 11


def test_everybody_sees_another_order(browser: Browser, words_page: Path) -> None:
    orders = set()
    for _ in range(3):
        browser.open(words_page, width=1000)
        orders.add(browser.ask("[...document.querySelectorAll('fieldset')].map(o => o.id).join()"))
    assert len(orders) > 1
    assert len({tuple(sorted(one.split(","))) for one in orders}) == 1


def test_at_mechanical_turk_answers_are_submitted_with_the_assignment(
    browser: Browser, words_page: Path
) -> None:
    query = "?assignmentId=a17&workerId=w1&turkSubmitTo=https%3A%2F%2Fworkersandbox.mturk.com"
    browser.open(words_page, width=1000, query=query)
    assert browser.ask("document.getElementById('who')") is None
    form = "document.querySelector('form')"
    assert browser.ask(f"{form}.action") == "https://workersandbox.mturk.com/mturk/externalSubmit"
    browser.ask(FILL)
    browser.ask(f"window.sent = []; {form}.addEventListener('submit', (event) => {{"
                f"if (!event.defaultPrevented) window.sent = [...new FormData({form})];"
                "event.preventDefault(); })")  # fmt: skip
    browser.ask(SUBMIT)
    sent = dict(browser.ask("window.sent"))
    assert sent["assignmentId"] == "a17"
    assert sent["comment"].startswith("He said")
    assert sorted(sent) == [
        *sorted([f"p{n:02}" for n in range(1, 12)] + ["assignmentId", "comment"])
    ]


def test_a_preview_at_mechanical_turk_submits_nothing(browser: Browser, words_page: Path) -> None:
    query = "?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE"
    browser.open(words_page, width=1000, query=query)
    browser.ask(FILL)
    browser.ask(SUBMIT)
    assert browser.ask("document.querySelector('.message').textContent") == (
        "Please accept the HIT first."
    )


def test_pages_are_well_formed(words_page: Path, sets_page: Path) -> None:
    class Balanced(html.parser.HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.open: list[str] = []

        def handle_starttag(self, tag: str, attrs: object) -> None:
            if tag != "meta":
                self.open.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert self.open.pop() == tag

    for page in (words_page, sets_page):
        parser = Balanced()
        parser.feed(page.read_text(encoding="utf-8"))
        parser.close()
        assert parser.open == []
