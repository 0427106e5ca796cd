"""Images of items: where they are, as addresses that a page may show.

A folder is linked from where the page stands, so that both can move together; a template such as
https://photos.org/{item}.jpg leads elsewhere. The policy of a page lets it load from there and
nowhere else, so that an id cannot lead it astray.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import quote, urlsplit

from cranfield.errors import FileError, InputError

_ENDINGS = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif", ".svg")
_ITEM = "{item}"


@dataclass(frozen=True)
class Images:
    """A folder with an image for each item, or a template of addresses."""

    source: str

    def __post_init__(self) -> None:
        if not self._is_template:
            if not os.path.isdir(self.source):
                raise FileError(
                    self.source,
                    f"is neither a folder of images nor an address with {_ITEM}, such as "
                    f"https://photos.org/{_ITEM}.jpg",
                )
        elif self.source.count(_ITEM) == 0 or _ITEM in urlsplit(self.source).netloc:
            raise InputError(
                f"{self.source}: write {_ITEM} where the id of an item belongs, behind the host",
                parameter="images",
            )

    @property
    def _is_template(self) -> bool:
        return self.source.lower().startswith(("http://", "https://"))

    @property
    def allowed(self) -> str:
        """What a policy has to allow: the folder of a page, or what stands before {item}."""
        if not self._is_template:
            return "'self' file:"
        before = self.source.partition(_ITEM)[0]
        return quote(before[: before.rindex("/") + 1], safe=":/%")

    def address(self, item: str, page: Path) -> str:
        """Of the image of an item, from a page; "" where there is none."""
        if self._is_template:
            return self.source.replace(_ITEM, quote(item, safe=""))
        name = self._files.get(item)
        if name is None:
            return ""
        beside = os.path.relpath(os.path.join(self.source, name), page.parent)
        return quote(beside.replace(os.sep, "/"))

    @cached_property
    def _files(self) -> dict[str, str]:
        """Names of images by their own name, with and without the extension."""
        names = sorted(n for n in os.listdir(self.source) if n.lower().endswith(_ENDINGS))
        return {Path(name).stem: name for name in names} | {name: name for name in names}
