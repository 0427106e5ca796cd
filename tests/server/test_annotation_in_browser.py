"""Annotating in a real browser with the keyboard alone: twenty items, all groups of an ontology."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from live_campaign import LiveCampaign
from photo_campaign import CAMPAIGN
from PIL import Image

from browser import Browser
from cranfield.assessment.jobs import Form
from cranfield.knowledge import Ontology

pytestmark = pytest.mark.slow
PASSWORD = "correct horse battery"
ITEMS = 20
ONTOLOGY = "pto2009"
"""Of 53 concepts."""


def write_campaign(folder: Path) -> Path:
    """Photos of noise, and labels that nobody looks at."""
    ontology = Ontology.load(ONTOLOGY)
    collection = folder / "tracks/photos/collection"
    collection.mkdir(parents=True)
    ontology.write(collection / "ontology.ttl")
    rows = [",".join(["item", *ontology.concepts])]
    rows += [",".join([f"p{n}", *("0" for _ in ontology.concepts)]) for n in range(ITEMS)]
    (collection / "truth.csv").write_text("\n".join(rows) + "\n")
    text = CAMPAIGN.replace('["concept.AP", "example.F"]', '["example.F"]')
    (folder / "campaign.toml").write_text(text)
    images = folder / "tracks/photos/images"
    images.mkdir()
    rng = np.random.default_rng(0)
    for n in range(ITEMS):
        noise = rng.integers(0, 255, (300, 400, 3), dtype=np.uint8)
        Image.fromarray(noise).save(images / f"p{n}.jpg")
    return folder


def make_people() -> None:
    """An annotator, where the folder is served."""
    from django.conf import settings

    from cranfield.server.people.models import User
    from cranfield.server.serve import start_up

    start_up(settings.FOLDER)
    User.objects.create_user("ada@example.org", PASSWORD, name="Ada", is_annotator=True)


def votes() -> list[dict[str, Any]]:
    """What was answered, as the database has it."""
    from cranfield.server.annotation.models import Sheet

    return list(Sheet.objects.order_by("id").values("task__item", "state", "answers", "seconds"))


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[LiveCampaign]:
    served = LiveCampaign(write_campaign(tmp_path / "photos"))
    served.run_job(make_people)
    with served:
        yield served


def press(browser: Browser, key: str) -> None:
    """Press a key on the page, wherever its focus is."""
    text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
    for kind in ("keyDown", "keyUp"):
        options = {"text": text} if text and kind == "keyDown" else {}
        code = {"Enter": 13, "ArrowLeft": 37}.get(key, 0)
        browser.send(
            "Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, **options
        )


def test_the_keyboard_alone_annotates_twenty_items(
    browser: Browser, campaign: LiveCampaign
) -> None:
    form = Form.of_ontology(Ontology.load(ONTOLOGY))
    choices = {block.name: block.concepts for block in form.blocks if block.ask == "one"}
    browser.cookies = []
    browser.visit(f"{campaign.address}/login/")
    browser.type({"username": "ada@example.org", "password": PASSWORD})
    browser.press("Log in")
    browser.visit(f"{campaign.address}/annotate/photos/labels/")
    keys = browser.ask(
        "Object.fromEntries([...document.querySelectorAll('input[data-keys]')]"
        ".map(i => [i.value, i.dataset.keys]))"
    )
    assert set(keys) == set(form.concepts)
    assert len(set(keys.values())) == len(keys)
    rng = np.random.default_rng(1)
    expected: dict[str, dict[str, str]] = {}
    waits, item = [], ""
    for _ in range(ITEMS):
        item = browser.ask("document.querySelector('figcaption').textContent")
        browser.wait_until("document.querySelector('figure img').naturalWidth > 0")
        expected[item] = {name: str(rng.choice(some)) for name, some in choices.items()}
        for concept in expected[item].values():
            for key in keys[concept]:
                press(browser, key)
        chosen = browser.ask(
            "[...document.querySelectorAll('input[type=radio]:checked')].map(i => i.value)"
        )
        assert set(chosen) == set(expected[item].values())
        began = time.perf_counter()
        browser.events.clear()
        press(browser, "Enter")
        browser._wait_for("Page.loadEventFired")
        waits.append(time.perf_counter() - began)
    assert "nothing left" in browser.text
    assert browser.complaints == []
    answered = campaign.run_job(votes)
    assert {row["task__item"] for row in answered} == expected.keys()
    for row in answered:
        assert row["state"] == "answered"
        given = {name: row["answers"][name] for name in choices}
        assert given == expected[row["task__item"]]
    seconds = [row["seconds"] for row in answered]
    print(f"{np.median(seconds):.2f} s an item; next page {1000 * np.median(waits):.0f} ms after")


def test_undo_and_the_item_before(browser: Browser, campaign: LiveCampaign) -> None:
    browser.cookies = []
    browser.visit(f"{campaign.address}/login/")
    browser.type({"username": "ada@example.org", "password": PASSWORD})
    browser.press("Log in")
    browser.visit(f"{campaign.address}/annotate/photos/labels/")
    first = browser.ask("document.querySelector('figcaption').textContent")
    box = "document.querySelector('input[type=checkbox][data-keys]')"
    for key in browser.ask(f"{box}.dataset.keys"):
        press(browser, key)
    assert browser.ask(f"{box}.checked")
    press(browser, "-")
    assert not browser.ask(f"{box}.checked")
    for name in browser.ask("[...document.querySelectorAll('[name=not_sure]')].map(i => i.value)"):
        browser.ask(f"document.querySelector('[name=not_sure][value=\"{name}\"]').click()")
    browser.events.clear()
    press(browser, "Enter")
    browser._wait_for("Page.loadEventFired")
    assert browser.ask("document.querySelector('figcaption').textContent") != first
    browser.ask("document.activeElement.blur()")
    browser.events.clear()
    press(browser, "ArrowLeft")
    browser._wait_for("Page.loadEventFired")
    assert browser.ask("document.querySelector('figcaption').textContent") == first
