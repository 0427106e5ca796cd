"""Fields: how questions, answers and items are called on the way to Mechanical Turk and back.

Plain names stay as they are, so that results can be read by eye. Everything else is written as %XX:
what HTML, CSV, spreadsheets, readers of results or Mechanical Turk itself would take for something
of their own (quotes, points, ${…}, a = in front, letters beyond ASCII, words such as "comment").
"""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from cranfield.assessment.files.headers import role_of
from cranfield.assessment.votes.columns import NOT_ASKED

COMMENT = "comment"
_RESERVED = (NOT_ASKED - {""}) | {"assignmentid", "taskanswers", "on", "off", "true", "false"}


def coded(name: str) -> str:
    """A name of a question or an answer, such that nothing takes it for something else."""
    return _unlike_words(quote(name, safe=" ").replace(".", "%2E"))


def coded_item(item: str) -> str:
    """The id of an item; names of files stay readable."""
    return _unlike_words(quote(item, safe=" /:"))


def decoded(text: str) -> str:
    """What was coded."""
    return unquote(text)


def field_of(name: str, place: int, places: int) -> str:
    """The field of a question about one of several items on a page; places count from 1."""
    return coded(name) if places == 1 else f"{place}_{coded(name)}"


def item_field(place: int, places: int) -> str:
    return "item" if places == 1 else f"item{place}"


def address_field(place: int, places: int) -> str:
    return "image_url" if places == 1 else f"image_url{place}"


def _unlike_words(text: str) -> str:
    """The first letter coded where the word means something, blanks where one might be lost."""
    text = re.sub(r"^ | $|(?<= ) ", "%20", text)
    if text.startswith("-") or text.casefold() in _RESERVED or role_of(text) == COMMENT:
        return f"%{ord(text[0]):02X}{text[1:]}"
    return text
