"""Takes the pictures of the handbook, docs/handbook/pictures/*.png, from the demonstration.

python docs/screenshots.py     needs Chromium and what the tests need
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "handbook" / "pictures"
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "server")]

SHOTS = [
    ("home", "visitor", "/", 1280, 620, "light"),
    ("organise", "organiser", "/organise/", 1280, 860, "light"),
    ("board", "visitor", "/tracks/photos/", 1280, 960, "light"),
    ("board-phone", "visitor", "/tracks/photos/", 390, 844, "dark"),
    ("submit", "member", "/tracks/photos/submit/", 390, 844, "light"),
    ("refused", "member", "/runs/{refused}/", 1280, 620, "light"),
    ("run", "member", "/runs/{accepted}/", 1280, 720, "dark"),
    ("results", "visitor", "/tracks/last-year/", 1280, 960, "light"),
    ("results-phone", "visitor", "/runs/{closed}/", 390, 844, "light"),
]
"""Name, role, address, width and height of the window, colour scheme."""
COLOURS = 224


def main() -> None:
    from demo_site import PASSWORD, furnish, wait_until_scored, write_demonstration
    from live_campaign import LiveCampaign

    from browser import Browser

    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        campaign = LiveCampaign(write_demonstration(Path(folder) / "demo"))
        ids = campaign.run_job(furnish)
        with campaign, Browser(Path(folder) / "profile") as browser:
            wait_until_scored(campaign)
            for name, role, path, width, height, scheme in SHOTS:
                browser.cookies = []
                if role != "visitor":
                    browser.visit(f"{campaign.address}/login/")
                    browser.type({"username": f"{role}@example.org", "password": PASSWORD})
                    browser.press("Log in")
                address = campaign.address + path.format(**ids["runs"])
                browser.visit(address, width=width, height=height, scheme=scheme)
                browser.wait_until("!document.querySelector('[data-waiting]')")
                while "being computed" in browser.text:
                    browser.visit(address, width=width, height=height, scheme=scheme)
                    time.sleep(1)
                browser.picture(PICTURES / f"{name}.png")
    for picture in PICTURES.glob("*.png"):
        Image.open(picture).convert("RGB").quantize(COLOURS).save(picture, optimize=True)


if __name__ == "__main__":
    main()
