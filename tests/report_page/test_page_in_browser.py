"""Report pages in a real browser: quiet, offline, readable, sortable, and deaf to hostile ids."""

from __future__ import annotations

from pathlib import Path

import pytest

import cranfield as cf
from browser import Browser
from cranfield.show.csv import csv_text
from cranfield.show.latex import tabular


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 768, 1440])
def test_a_page_is_quiet_offline_and_fits(
    browser: Browser, page: Path, width: int, scheme: str
) -> None:
    browser.open(page, width=width, scheme=scheme)
    assert browser.ask("document.documentElement.scrollWidth") <= width
    assert browser.complaints == []
    assert browser.requests == [page.as_uri()]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_from_what_is_behind_them(
    browser: Browser, page: Path, scheme: str
) -> None:
    browser.open(page, width=1440, scheme=scheme)
    paper = browser.ask("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(18, 22, 27)") == (scheme == "dark")
    assert browser.faint_words == []


def test_a_click_on_a_heading_sorts_and_another_turns_round(browser: Browser, page: Path) -> None:
    browser.open(page, width=1440)
    head = "document.querySelectorAll('#table-leaderboard thead th')[4]"
    rows = "[...document.querySelectorAll('#table-leaderboard tbody tr')]"
    column = f"{rows}.map(r => +r.cells[4].title)"
    browser.ask(f"{head}.querySelector('button').click()")
    assert browser.ask(f"{head}.getAttribute('aria-sort')") == "descending"
    falling = browser.ask(column)
    assert falling == sorted(falling, reverse=True)
    browser.ask(f"{head}.click()")  # anywhere in the cell
    assert browser.ask(column) == falling[::-1]


def test_all_rows_are_in_sight_and_what_lies_to_the_side_is_hinted_at(
    browser: Browser, page: Path
) -> None:
    browser.open(page, width=390)
    hidden = "[...document.querySelectorAll('.frame')].filter(f => f.scrollHeight > f.clientHeight)"
    assert browser.ask(f"{hidden}.length") == 0
    frame = "document.querySelector('#table-leaderboard .frame')"
    hint = "document.querySelector('#table-leaderboard .hint')"
    shaded = f"[...{frame}.parentNode.classList]"
    assert browser.ask(f"{hint}.textContent") == "more to the right →"
    assert browser.ask(shaded) == ["shade", "more-right"]
    browser.ask(f"{frame}.scrollLeft = 1e6; {frame}.dispatchEvent(new Event('scroll'))")
    assert browser.ask(shaded) == ["shade", "more-left"]
    browser.open(page, width=1920)
    assert browser.ask(hint) is None


def test_runs_can_be_found_in_all_tables_of_runs(browser: Browser, page: Path) -> None:
    browser.open(page, width=1440)
    box = "document.querySelector('.find')"
    rows = "[...document.querySelectorAll('#{} tbody tr')].filter(r => r.checkVisibility()).length"
    everyone = browser.ask(rows.format("table-leaderboard"))
    browser.ask(f"{box}.value = ' rAnDoM'; {box}.dispatchEvent(new Event('input'))")
    assert browser.ask(rows.format("table-leaderboard")) == 2
    assert browser.ask(rows.format("table-intervals-concept-AP")) == 2
    browser.ask(f"{box}.value = ''; {box}.dispatchEvent(new Event('input'))")
    assert browser.ask(rows.format("table-leaderboard")) == everyone


def test_images_of_a_folder_are_shown_and_nothing_else(
    browser: Browser, result: cf.Evaluation, tmp_path: Path
) -> None:
    photos = tmp_path / "my photos"
    photos.mkdir()
    for item in result.truth.items:
        (photos / f"{item}.svg").write_text(
            '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
        )
    path = tmp_path / "page.html"
    cf.Report(result, images=photos).write(path)
    browser.open(path, width=1440)
    browser.ask("document.querySelector('#items img').scrollIntoView()")
    loaded = "document.querySelector('#items img').decode().then(() => 'seen')"
    answer = browser.send("Runtime.evaluate", expression=loaded, awaitPromise=True)
    assert answer["result"]["value"] == "seen"
    assert browser.complaints == []
    assert all("/my%20photos/" in address for address in browser.requests[1:])


def test_another_measure_can_be_chosen(browser: Browser, page: Path) -> None:
    browser.open(page, width=1440)
    seen = "[...document.querySelectorAll('#concepts .panel')].map(p => p.checkVisibility())"
    assert browser.ask(seen) == [True, False]
    choose = "document.querySelector('#concepts select')"
    browser.ask(f"{choose}.selectedIndex = 1; {choose}.dispatchEvent(new Event('change'))")
    assert browser.ask(seen) == [False, True]


def test_light_and_dark_can_be_switched(browser: Browser, page: Path) -> None:
    browser.open(page, width=1440, scheme="light")
    browser.ask("localStorage.clear()")
    before = browser.ask("getComputedStyle(document.body).backgroundColor")
    browser.ask("document.querySelector('.theme').click()")
    assert browser.ask("getComputedStyle(document.body).backgroundColor") != before
    browser.ask("localStorage.clear()")


def test_tables_are_handed_out_as_they_are_written(
    browser: Browser, page: Path, report: cf.Report
) -> None:
    browser.open(page, width=1440)
    held = "document.querySelector('template[data-file=\"leaderboard.{}\"]').content.textContent"
    table = report.tables["leaderboard"]
    assert browser.ask(held.format("csv")) == csv_text(table)
    assert browser.ask(held.format("tex")) == tabular(table)
    browser.ask("URL.createObjectURL = (blob) => { window.handed = blob.size; return '#'; }")
    browser.ask("document.querySelector('button.file').click()")
    assert browser.ask("window.handed") == len(csv_text(table).encode())


def test_hostile_ids_stay_words(browser: Browser, hostile: cf.Report, tmp_path: Path) -> None:
    path = tmp_path / "hostile.html"
    hostile.write(path)
    browser.open(path, width=390)
    assert browser.ask("window.hacked") is None
    assert browser.ask("document.querySelectorAll('img').length") == 0
    assert browser.ask("document.title") == hostile.title
    assert browser.ask("document.documentElement.scrollWidth") <= 390
    assert browser.complaints == []
    assert browser.requests == [path.as_uri()]
    held = "document.querySelector('template[data-file=\"leaderboard.csv\"]').content.textContent"
    assert browser.ask(held) == csv_text(hostile.tables["leaderboard"])


def test_without_scripts_everything_is_shown(browser: Browser, page: Path) -> None:
    browser.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(page, width=1440)
        assert browser.ask(
            "[...document.querySelectorAll('.panel')].every(p => p.checkVisibility())"
        )
        assert browser.ask("document.querySelectorAll('thead button').length") == 0
        dead = "[...document.querySelectorAll('main button, select, .theme')]"
        assert not browser.ask(f"{dead}.some(one => one.checkVisibility())")
    finally:
        browser.send("Emulation.setScriptExecutionDisabled", value=False)


def test_every_graphic_and_table_has_a_name(browser: Browser, page: Path) -> None:
    browser.open(page, width=1440)
    whole = "[...document.querySelectorAll('svg:not(svg svg)')]"  # marks stand within one
    nameless = f"{whole}.filter(s => !s.ariaLabel && !s.ariaHidden)"
    assert browser.ask(f"{nameless}.length") == 0
    assert browser.ask("[...document.querySelectorAll('table')].every(t => t.caption)")
    assert browser.ask("document.querySelectorAll('main, nav, header').length") == 3
    focusable = "[...document.querySelectorAll('.frame')].every(f => f.tabIndex === 0)"
    assert browser.ask(focusable)
    ids = browser.ask("[...document.querySelectorAll('[id]')].map(one => one.id)")
    assert len(ids) == len(set(ids))
