"""axe-core on the page that a browser shows: WCAG, levels A and AA."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from browser import Browser

TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")


@cache
def _axe() -> str:
    return (files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8")


def violations(browser: Browser) -> list[str]:
    """Which rules the page breaks, and where."""
    if not browser.ask("Boolean(window.axe)"):
        browser.ask(f"{_axe()}; null")
    options = json.dumps(
        {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
    )
    report = browser.ask(
        f"axe.run(document, {options}).then(r => r.violations.map("
        "v => v.id + ': ' + v.nodes.map(n => n.html).slice(0, 3).join(' | ')))"
    )
    return list(report)
