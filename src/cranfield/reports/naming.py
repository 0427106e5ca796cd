"""How runs, measures and concepts are called on a page."""

from __future__ import annotations

from cranfield.measures import Measure
from cranfield.report.standings import ARROWS
from cranfield.reports.findings import Findings
from cranfield.show.markup import NOTHING, Html, element, joined

_LONGEST = 80
"""Characters of a name within a line."""
_KINDS = {"guess": "a run that knows nothing", "perfect": "a run that says what is true"}
_WAYS = {"higher": "higher is better", "lower": "lower is better"}


def heading(one: Measure) -> Html:
    """A measure above its column: direction, name, and which way is better."""
    prefix, dot, name = str(one).partition(".")
    if not dot:
        prefix, name = "", prefix
    way = _WAYS.get(one.traits.better)
    return joined(
        [
            element("small", prefix or "\u00a0"),
            element("b", name),
            element("abbr", ARROWS[one.traits.better], title=way) if way else NOTHING,
        ]
    )


def titled(one: Measure) -> str:
    """A measure in a line of text."""
    way = _WAYS.get(one.traits.better)
    return f"{one} ({way})" if way else str(one)


def named(found: Findings, run: str, letter: str = "") -> Html:
    """A run, with what it is if it is no system."""
    kind = found.kind(run)
    return joined(
        [
            element("span", letter, class_="letter") if letter else NOTHING,
            element("span", run, class_="id"),
            element("small", kind, class_="badge", title=_KINDS[kind]) if kind else NOTHING,
        ]
    )


def cut(name: str) -> str:
    """A name in a line of text, which must not fill the page."""
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def emphasised(name: str) -> Html:
    """A name in a finding; all of it is told to those who ask."""
    return element("b", cut(name), title=None if len(name) <= _LONGEST else name)


def slug(text: object) -> str:
    """A name that files and anchors may have."""
    kept = "".join(sign if sign.isalnum() and sign.isascii() else "-" for sign in str(text))
    return "-".join(filter(None, kept.split("-")))
