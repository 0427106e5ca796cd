"""Printable: text of others made harmless to terminals, TeX and pages.

Ids come from files of other people. A control character can recolour or clear a terminal, an escape
sequence can retitle it, an override of the writing direction shows a name as another one. What is
shown to people has them written out as Python does, such as \\x1b; JSON and CSV keep ids exactly,
unless they go to a terminal.
"""

from __future__ import annotations

import re

_HARMFUL = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters but tab and line feed
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"  # directions and line ends of Unicode
    "\ud800-\udfff\ufffe\uffff"  # no characters, which neither UTF-8 nor XML can hold
)
_IN_TEXT = re.compile(f"[{_HARMFUL}]")
_IN_NAME = re.compile(f"[{_HARMFUL}\t\n]")


def printable(text: str) -> str:
    """Text of several lines with everything harmful written out."""
    return _IN_TEXT.sub(_written_out, text)


def printable_name(name: str) -> str:
    """The same for what must stay on its line: tabs and line ends are written out too."""
    return _IN_NAME.sub(_written_out, name)


def _written_out(character: re.Match[str]) -> str:
    return character[0].encode("unicode_escape").decode("ascii")
