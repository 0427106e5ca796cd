"""Markup: text that is HTML already, and everything else made so.

Ids come from files of other people, so nothing reaches a page unescaped: only `Html` is taken as it
is, and only this room makes it. There are no style attributes and no handlers in attributes, since
report pages forbid themselves both.
"""

from __future__ import annotations

import html
from collections.abc import Iterable

from cranfield.core.printable import printable


class Html(str):
    """Text that may stand in a page as it is."""

    __slots__ = ()


NOTHING = Html("")


def shown(content: object) -> Html:
    """Anything as it may stand in a page, in text and in attributes."""
    return content if isinstance(content, Html) else Html(html.escape(printable(str(content))))


def element(tag: str, *content: object, **attributes: object) -> Html:
    """A tag around some content. `class_` is class, data_x is data-x; None and False leave an
    attribute out, True writes its name alone."""
    return Html(f"<{tag}{_written(attributes)}>{''.join(map(shown, content))}</{tag}>")


def joined(parts: Iterable[object], between: str = "") -> Html:
    """One after the other."""
    return Html(between.join(map(shown, parts)))


def paragraphs(texts: Iterable[object], **attributes: object) -> Html:
    """Each text in a paragraph of its own."""
    return joined(element("p", text, **attributes) for text in texts)


def slug(text: object) -> str:
    """A name that files and anchors may have."""
    letters = "".join(sign if sign.isalnum() and sign.isascii() else "-" for sign in str(text))
    return "-".join(filter(None, letters.split("-")))


def _written(attributes: dict[str, object]) -> str:
    return "".join(
        f" {_name(name)}" if value is True else f' {_name(name)}="{shown(value)}"'
        for name, value in attributes.items()
        if value is not None and value is not False
    )


def _name(name: str) -> str:
    return name if name == "viewBox" else name.rstrip("_").replace("_", "-")
