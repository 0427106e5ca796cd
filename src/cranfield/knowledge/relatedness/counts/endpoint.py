"""A search engine: where to ask it how many pages it finds, and how to read its answer."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote_plus, urlsplit

from cranfield.caching import cached_property
from cranfield.errors import InputError

_QUERY = "{query}"
_THOUSANDS = re.compile(r"(?<=\d)[,.'’\s](?=\d{3}(?!\d))")
"""What parts thousands in a number that was written for people."""
_TOO_MANY = 10**18
"""Pages; such a number is something else, like an id."""


@dataclass(frozen=True)
class Endpoint:
    """Where to ask, and how to read the answer.

    url      with {query} where the query goes: https://example.org/search?q={query}
    number   where the number stands: a path through JSON, such as queries.total or items.0.count;
             or a pattern with one group, such as About ([0-9,]+) results
    total    how many pages there are: N
    single   how to ask for a word; in quotes by default, so that several words stand side by side
    both     how to ask for two words, each written as `single` says
    pause    seconds that the server wants between two questions
    headers  that the server wants, such as a key
    """

    url: str
    number: str
    total: int
    single: str = '"{}"'
    both: str = "{} {}"
    pause: float = 1.0
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        address = urlsplit(self.url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise InputError(f"url {self.url!r}; begin it with http:// or https:// and a server")
        if _QUERY not in self.url:
            raise InputError(f"url {self.url!r}; write {_QUERY} where the query goes")
        if self.total < 1:
            raise InputError(f"total={self.total}; give the number of all pages")
        if not 0 <= self.pause < float("inf"):
            raise InputError(f"pause={self.pause}; give seconds, 0 or more")
        if self.single.count("{}") != 1 or self.both.count("{}") != 2:
            raise InputError("single needs one {} for the word, both needs two")
        if self._pattern is not None and self._pattern.groups != 1:
            raise InputError(
                f"number {self.number!r} has {self._pattern.groups} groups; put ( ) around the "
                "digits only"
            )

    @property
    def server(self) -> str:
        return str(urlsplit(self.url).hostname)

    @property
    def digest(self) -> str:
        """Hash of whatever an answer depends on beside the query; keys cannot be read from it."""
        said = repr((self.url, self.number)).encode()
        return hashlib.blake2b(said, digest_size=8).hexdigest()

    def query(self, *words: str) -> str:
        """What to ask for pages with one word or with two."""
        asked = [self.single.replace("{}", " ".join(word.split())) for word in words]
        if len(asked) == 1:
            return asked[0]
        first, between, last = self.both.split("{}")
        return f"{first}{asked[0]}{between}{asked[1]}{last}"

    def address(self, query: str) -> str:
        return self.url.replace(_QUERY, quote_plus(query))

    def read(self, answer: bytes) -> int | None:
        """The number in an answer; None if it is not there."""
        text = answer.decode("utf-8", errors="replace")
        if self._pattern is None:
            return _whole(_at(text, self.number.split(".")))
        found = self._pattern.search(text)
        return None if found is None else _whole(found[1])

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        if "(" not in self.number:
            return None
        try:
            return re.compile(self.number)
        except re.error as error:
            raise InputError(f"number {self.number!r} is no pattern: {error}") from None


def _at(text: str, path: list[str]) -> Any:
    """What stands at a path through JSON; None if there is nothing."""
    try:
        value = json.loads(text)
        for step in path:
            value = value[int(step)] if isinstance(value, list) else value[step]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return value


def _whole(value: Any) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value if 0 <= value < _TOO_MANY else None
    if not isinstance(value, str):
        return None
    digits = _THOUSANDS.sub("", value.strip())
    return (
        int(digits)
        if digits.isascii() and digits.isdecimal() and len(digits) < len(str(_TOO_MANY))
        else None
    )
