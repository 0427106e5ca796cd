"""The document: sections put together in one file that needs nothing else.

Its policy lets nothing run or load but the one script and the one style sheet inside, each known by
its hash: no network, and no id of an item can become code.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from cranfield._version import __version__
from cranfield.reports.section import Section
from cranfield.show.markup import NOTHING, Html, element, joined


def document(title: str, facts: Mapping[str, str], sections: Sequence[Section]) -> str:
    """The whole page."""
    parts = [_head(title), _body(title, facts, sections)]
    return "<!doctype html>\n" + element("html", *parts, lang="en") + "\n"


def _head(title: str) -> Html:
    style, script = _resource("page.css"), _resource("page.js")
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return joined(
        [
            "\n",
            Html('<head>\n<meta charset="utf-8">\n'),
            Html('<meta name="viewport" content="width=device-width, initial-scale=1">\n'),
            Html(f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'),
            Html('<meta name="color-scheme" content="light dark">\n'),
            Html(f'<meta name="generator" content="cranfield {__version__}">\n'),
            element("title", title),
            # Neither may hold a closing tag, which the tests see to.
            Html(f"\n<style>{style}</style>\n<script>{script}</script>\n</head>\n"),
        ]
    )


def _body(title: str, facts: Mapping[str, str], sections: Sequence[Section]) -> Html:
    return element(
        "body",
        element("a", "Skip to the leaderboard", href="#leaderboard", class_="skip"),
        _contents(title, sections),
        element(
            "main",
            _summary(title, facts, sections),
            *(_section(one) for one in sections),
            element("footer", f"Made by Cranfield {__version__}."),
        ),
    )


def _contents(title: str, sections: Sequence[Section]) -> Html:
    links = joined(element("a", one.title, href=f"#{one.name}") for one in sections)
    toggle = element(
        "button", element("span", "Light or dark", class_="unseen"), type="button",
        class_="theme", title="Light or dark",
    )  # fmt: skip
    bar = element("div", element("a", title, href="#top", class_="brand"), toggle, class_="bar")
    return element("header", bar, element("nav", links, aria_label="Sections"), class_="side")


def _summary(title: str, facts: Mapping[str, str], sections: Sequence[Section]) -> Html:
    numbers = joined(
        element("div", element("dt", name), element("dd", value)) for name, value in facts.items()
    )
    findings = [
        element("li", element("a", one.finding, href=f"#{one.name}"))
        for one in sections
        if one.finding
    ]
    listed = element("ul", *findings, class_="findings") if findings else NOTHING
    return element(
        "section", element("h1", title), element("dl", numbers, class_="facts"), listed,
        id="top", class_="summary",
    )  # fmt: skip


def _section(one: Section) -> Html:
    return element(
        "section",
        element("h2", one.title, id=f"{one.name}-title"),
        element("p", one.lead, class_="lead"),
        one.body,
        id=one.name,
        aria_labelledby=f"{one.name}-title",
    )


@cache
def _resource(name: str) -> str:
    return (files("cranfield.reports") / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
