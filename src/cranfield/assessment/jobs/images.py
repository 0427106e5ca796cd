"""Images: the items of a job and where each can be seen, from a table item,image_url.

Mechanical Turk puts an address into the page as it stands, so one that could be taken for markup is
written in the way addresses have for that. A pattern makes addresses of ids where a table has none.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote, urlsplit

from cranfield.errors import FileError, InputError
from cranfield.formats.delimited import require_width, rows_of
from cranfield.formats.problems import shown
from cranfield.formats.source import opened

_ADDRESS, _ITEM = "image_url", "item"
_SAFE = "%/:=&?#@+,~!$()*[]"
"""What stays in an address; quotes, brackets of tags, braces and the end of &entities; do not."""


def read_images(path: str | Path, *, pattern: str | None = None) -> dict[str, str]:
    """The address of each item's image.

    pattern  such as https://example.org/photos/{item}.jpg, for a table of items alone
    """
    if pattern is not None and "{item}" not in pattern:
        raise InputError(
            f"the pattern {shown(pattern)} has no {{item}} in it; write it where ids go"
        )
    header = [_ITEM] if pattern is not None else [_ITEM, _ADDRESS]
    with opened(path) as source:
        rows = [row for block in rows_of(source) for row in block]
        require_width(source, rows, len(header), like=f"header {','.join(header)}")
    if [name.strip().casefold() for name in rows[0].fields] != header:
        raise FileError(
            path,
            f"the header is {shown(','.join(rows[0].fields))}; write {','.join(header)}"
            + ("" if pattern is not None else ", or give a pattern for addresses"),
            line=rows[0].line,
        )
    found: dict[str, str] = {}
    for line, fields in rows[1:]:
        item = fields[0].strip()
        if not item:
            raise FileError(path, "the item is missing; fill it in", line=line)
        if item in found:
            raise FileError(path, f"item {shown(item)} stands here twice; keep one", line=line)
        address = (
            fields[1].strip()
            if pattern is None
            else pattern.replace("{item}", quote(item, safe="/"))
        )
        try:
            found[item] = as_address(address)
        except InputError as error:
            raise FileError(path, f"item {shown(item)}: {error}", line=line) from None
    if not found:
        raise FileError(path, "there are no items; write a line for each")
    return found


def as_address(text: str) -> str:
    """An address that can stand in a page; what cannot lead to an image is refused."""
    try:
        parts = urlsplit(text)
        fine = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        fine = False
    if not fine:
        raise InputError(
            f"{shown(text)} is no address of an image; write one such as "
            "https://example.org/photo.jpg"
        )
    return quote(text, safe=_SAFE)
