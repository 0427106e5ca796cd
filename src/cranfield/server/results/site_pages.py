"""Pages of a static site: a page of the server, whose links lead to files beside it.

Forms go, and links to what only a server can do; whatever is left must be public. A page that links
to anything else is a fault, which nobody publishes.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from html import escape, unescape
from html.parser import HTMLParser
from pathlib import PurePosixPath
from urllib.parse import parse_qsl, quote, urlsplit

from django.urls import Resolver404, resolve

from cranfield.errors import CranfieldError

PUBLIC = frozenset(
    {
        "home", "track", "changes", "run", "board", "board-file", "record", "record-file",
        "analysis", "analysis-file", "report", "report-file",
    }
)  # fmt: skip
"""Routes whose pages and files are published, where a visitor may read them."""
INTERACTIVE = frozenset(
    {
        "login", "register", "submit", "account", "download", "openapi", "present-board-file",
        "comparison", "comparison-file", "compare", "password-reset",
    }
)  # fmt: skip
"""Routes that need a server, or somebody who is logged in: links to them are left out."""
STATIC = "/static/"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'"
)
_ADDRESSES = {"a": "href", "link": "href", "script": "src", "img": "src"}
_VOID = frozenset({"br", "hr", "img", "input", "link", "meta", "wbr"})
_SAFE = re.compile(r"[A-Za-z0-9-]+")


class UnpublishableError(CranfieldError):
    """Something that must not be on a site for everybody."""


def file_of(address: str) -> PurePosixPath:
    """The file that an address of the server becomes; parameters are part of its name."""
    parts = urlsplit(address)
    path = parts.path.lstrip("/")
    path = f"{path}index.html" if not path or path.endswith("/") else path
    suffix = "".join(f"--{_part(name)}-{_part(value)}" for name, value in parse_qsl(parts.query))
    file = PurePosixPath(path)
    return file.with_name(f"{file.stem}{suffix}{file.suffix}")


def _part(text: str) -> str:
    """Text that file names may hold; what is lost by that is made up for by a hash."""
    if _SAFE.fullmatch(text):
        return text
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    return f"{'-'.join(_SAFE.findall(text))}-{digest}".lstrip("-")


def route_of(address: str) -> str:
    """The name of the route of an address."""
    path = urlsplit(address).path
    if path.startswith(STATIC):
        return "static"
    try:
        return resolve(path).view_name
    except Resolver404:
        raise UnpublishableError(f"{address}: there is no such page") from None


class SitePage(HTMLParser):
    """A page on its way to a file; `links` are the addresses that it leads to."""

    def __init__(self, address: str) -> None:
        super().__init__(convert_charrefs=False)
        self.address, self.links = address, set[str]()
        self._written: list[str] = []
        self._dropped: list[str] = []
        """Open tags of an element that is left out, from itself to where the parser is."""

    def rewritten(self, text: str) -> str:
        self.feed(text)
        self.close()
        if self._dropped:
            raise UnpublishableError(f"{self.address}: <{self._dropped[0]}> is never closed")
        return "".join(self._written)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._dropped:
            if tag not in _VOID:
                self._dropped.append(tag)
            return
        attributes = dict(attrs)
        if tag == "form" or (tag == "a" and not self._leads_on(attributes.get("href"))):
            self._dropped = [tag]
            return
        if tag == "meta" and attributes.get("http-equiv") == "refresh":
            return
        if tag == "body":
            attributes["class"] = f"{attributes.get('class') or ''} published".strip()
        name = _ADDRESSES.get(tag, "")
        if attributes.get(name):
            attributes[name] = self._relative(tag, unescape(attributes[name] or ""))
        self._write(_tag(tag, attributes))
        if tag == "meta" and "charset" in attributes:
            policy = {"http-equiv": "Content-Security-Policy", "content": POLICY}
            self._write(f"\n{_tag('meta', policy)}")

    def handle_endtag(self, tag: str) -> None:
        if not self._dropped:
            self._write(f"</{tag}>")
        elif tag in self._dropped:  # what was left open within it is closed, too
            while self._dropped.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        self._write(data)

    def handle_entityref(self, name: str) -> None:
        self._write(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._write(f"&#{name};")

    def handle_decl(self, decl: str) -> None:
        self._write(f"<!{decl}>")

    def _write(self, text: str) -> None:
        if not self._dropped:
            self._written.append(text)

    def _leads_on(self, address: str | None) -> bool:
        """Whether a link of a page stays; one that nobody may publish is an error."""
        target = self._inside(address or "")
        if target is None:
            return True
        route = route_of(target)
        if route in INTERACTIVE:
            return False
        if route not in PUBLIC:
            raise UnpublishableError(f"{self.address} links to {target}, which is not public")
        return True

    def _inside(self, address: str) -> str | None:
        """The address on the server; None for other servers and for places on the same page."""
        parts = urlsplit(address)
        if parts.scheme or parts.netloc or address.startswith("#") or not address:
            return None
        path = parts.path or urlsplit(self.address).path
        if not path.startswith("/"):
            raise UnpublishableError(f"{self.address}: the link {address} begins with no /")
        return f"{path}?{parts.query}" if parts.query else path

    def _relative(self, tag: str, address: str) -> str:
        target = self._inside(address)
        if target is None:
            if tag != "a" and not address.startswith(("#", "data:")):
                raise UnpublishableError(f"{self.address} loads {address} from elsewhere")
            return address
        self.links.add(target)
        here = file_of(self.address).parent
        relative = os.path.relpath(file_of(target), here)
        fragment = urlsplit(address).fragment
        return quote(relative) + (f"#{fragment}" if fragment else "")


def _tag(tag: str, attributes: Mapping[str, str | None]) -> str:
    written = "".join(
        f" {name}" if value is None else f' {name}="{escape(value)}"'
        for name, value in attributes.items()
    )
    return f"<{tag}{written}>"
