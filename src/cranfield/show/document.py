"""The document: sections put together in one file that needs nothing else.

A section is a question, what was found, and the tables and charts that show it; a result is a
section, too. The page of one result, reports, and whatever serves pages are made of them.

Its policy lets nothing run or load but the one script and the one style sheet inside, each known by
its hash: no network, and no id of an item can become code.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from cranfield._version import __version__
from cranfield.core.chart import Picture
from cranfield.core.result import Result
from cranfield.core.table import Table
from cranfield.show.html import Pictures, no_pictures, picture_html, table_html
from cranfield.show.markup import NOTHING, Html, element, joined, paragraphs, shown
from cranfield.show.plots import style

_LONGEST = 80
"""Characters of a name within a line."""


@dataclass(frozen=True)
class Section:
    """What stands below one heading."""

    name: str
    """Its anchor."""
    title: str
    lead: str
    """What it shows and how to read it."""
    panels: Mapping[str, Sequence[Table | Picture]]
    """Tables and charts by measure, of which one is shown at a time; of a single panel all are."""
    remarks: Sequence[str] = ()
    finding: Html = NOTHING
    """The most important thing in a sentence, for the top of the page."""
    more: Html = NOTHING
    """What is no table."""
    folded: Sequence[Table] = ()
    """Tables to look something up in, which open when somebody wants them."""

    @property
    def tables(self) -> list[Table]:
        shown = (part for parts in self.panels.values() for part in parts)
        return [*(part for part in shown if isinstance(part, Table)), *self.folded]

    def body(self, pictures: Pictures = no_pictures) -> Html:
        def written(parts: Sequence[Table | Picture]) -> Html:
            tables = (part for part in parts if isinstance(part, Table))
            charts = joined(picture_html(part) for part in parts if not isinstance(part, Table))
            return joined(
                [
                    *(table_html(table, files=True, pictures=pictures) for table in tables),
                    element("div", charts, class_="figures") if charts else NOTHING,
                ]
            )

        panels = {name: written(tables) for name, tables in self.panels.items()}
        folded = (
            element("details", element("summary", table.title), written([table]))
            for table in self.folded
        )
        remarks = paragraphs(self.remarks, class_="remark")
        return joined([_choice(panels), remarks, self.more, *folded])


def section_of(result: Result, name: str = "result") -> Section:
    """What a result has to show, below its title."""
    tables = result.tables_for("people", "screens") if not result.text else []
    if name.startswith("part-"):  # tables of several results may have the same name
        tables = [replace(table, name=f"{name}-{table.name}") for table in tables]
    return Section(
        name,
        result.title or result.name,
        "",
        {"": [*tables, *result.charts]},
        result.notes,
        more=element("pre", result.text, tabindex=0) if result.text else NOTHING,
    )


def page(result: Result) -> str:
    """One result on a page; one that is put together has a section for each part."""
    if not result.parts:
        section = section_of(result)
        return document(section.title, {}, [section])
    own = replace(result, parts=(), charts=(), title="Overview")
    parts = [
        section_of(part, f"part-{number}") for number, part in enumerate(result.parts, start=1)
    ]
    overview = [section_of(own, "overview")] if own.tables or own.notes else []
    return document(result.title, {}, [*overview, *parts])


def _choice(panels: Mapping[str, Html]) -> Html:
    """Panels of which one is shown at a time; without a script all are."""
    if len(panels) < 2:
        return joined(panels.values())
    options = joined(element("option", name, value=index) for index, name in enumerate(panels))
    chooser = element("label", "Measure ", element("select", options), class_="chooser")
    shown = joined(
        element("div", element("h3", name, class_="panel-name"), body, class_="panel")
        for name, body in panels.items()
    )
    return element("div", chooser, shown, class_="choice")


def cut(name: str) -> str:
    """A name in a line of text, which must not fill the page."""
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def emphasised(name: str) -> Html:
    """A name in a finding; all of it is told to those who ask."""
    return element("b", cut(name), title=None if len(name) <= _LONGEST else name)


def document(
    title: str,
    facts: Mapping[str, str],
    sections: Sequence[Section],
    *,
    pictures: Pictures = no_pictures,
    images: str = "'none'",
) -> str:
    """The whole page.

    pictures  addresses of pictures of items
    images    where its policy lets these come from
    """
    parts = [_head(title, images), _body(title, facts, sections, pictures)]
    return "<!doctype html>\n" + element("html", *parts, lang="en") + "\n"


def _head(title: str, images: str) -> Html:
    style_sheet, script = _resource("page.css") + style(), _resource("page.js")
    policy = (
        f"default-src 'none'; style-src '{_hash(style_sheet)}'; script-src '{_hash(script)}'; "
        f"img-src {images}; base-uri 'none'; form-action 'none'"
    )
    return joined(
        [
            "\n",
            Html('<head>\n<meta charset="utf-8">\n'),
            Html('<meta name="viewport" content="width=device-width, initial-scale=1">\n'),
            Html(f'<meta http-equiv="Content-Security-Policy" content="{shown(policy)}">\n'),
            Html('<meta name="color-scheme" content="light dark">\n'),
            Html(f'<meta name="generator" content="cranfield {__version__}">\n'),
            element("title", title),
            # Neither may hold a closing tag, which the tests see to.
            Html(f"\n<style>{style_sheet}</style>\n<script>{script}</script>\n</head>\n"),
        ]
    )


def _body(
    title: str, facts: Mapping[str, str], sections: Sequence[Section], pictures: Pictures
) -> Html:
    return element(
        "body",
        element("a", "Skip to the tables", href=f"#{sections[0].name}", class_="skip"),
        _contents(title, sections),
        element(
            "main",
            _summary(title, facts, sections),
            *(_section(section, pictures, alone=len(sections) == 1) for section in sections),
            element("footer", f"Made by Cranfield {__version__}."),
        ),
        class_="cf" if len(sections) > 1 else "cf alone",
    )


def _contents(title: str, sections: Sequence[Section]) -> Html:
    links = joined(element("a", section.title, href=f"#{section.name}") for section in sections)
    contents = element("nav", links, aria_label="Sections") if len(sections) > 1 else NOTHING
    toggle = element(
        "button", element("span", "Light or dark", class_="unseen"), type="button",
        class_="theme", title="Light or dark",
    )  # fmt: skip
    words = "Find a run"
    box = Html(f'<input type="search" placeholder="{words}" aria-label="{words}" class="find">')
    named = any("run" in (c.field for c in t.columns if c.key) for s in sections for t in s.tables)
    brand = element("a", title, href="#top", class_="brand") if contents else NOTHING
    bar = element("div", brand, box if named else NOTHING, toggle, class_="bar")
    return element("header", bar, contents, class_="side")


def _summary(title: str, facts: Mapping[str, str], sections: Sequence[Section]) -> Html:
    numbers = joined(
        element("div", element("dt", name), element("dd", value)) for name, value in facts.items()
    )
    findings = [
        element("li", element("a", section.finding, href=f"#{section.name}"))
        for section in sections
        if section.finding
    ]
    listed = element("ul", *findings, class_="findings") if findings else NOTHING
    return element(
        "section", element("h1", title),
        element("dl", numbers, class_="facts") if facts else NOTHING, listed,
        id="top", class_="summary",
    )  # fmt: skip


def _section(section: Section, pictures: Pictures, *, alone: bool) -> Html:
    """The section of a page of its own needs no second heading."""
    return element(
        "section",
        element(
            "h2", section.title, id=f"{section.name}-title", class_="unseen" if alone else None
        ),
        element("p", section.lead, class_="lead") if section.lead else NOTHING,
        section.body(pictures),
        id=section.name,
        aria_labelledby=f"{section.name}-title",
    )


@cache
def _resource(name: str) -> str:
    return (files("cranfield.show") / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
