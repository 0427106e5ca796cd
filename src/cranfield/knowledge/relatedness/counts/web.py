"""Counting the pages of the web: a search engine is asked how many it finds.

Questions are asked one at a time, with a pause between, and again if the server is busy. Answers
are kept in a file, so that no question is asked twice.

Answers of a search engine, kept in a file: the day, the number, whom it was asked, and what.

One line for each, parted by tabs, so that people can read it and mend it. An answer is written as
soon as it is there; whatever was cut while it was written is asked again.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote_plus, urlsplit

import numpy as np

from cranfield._version import __version__
from cranfield.caching import cached_property
from cranfield.errors import CranfieldError, FileError, InputError
from cranfield.knowledge.provenance import Provenance
from cranfield.knowledge.relatedness.counts.counted import Counted

if TYPE_CHECKING:
    from urllib.error import HTTPError


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
        content = repr((self.url, self.number)).encode()
        return hashlib.blake2b(content, digest_size=8).hexdigest()

    def query(self, *words: str) -> str:
        """What to ask for pages with one word or with two."""
        terms = [self.single.replace("{}", " ".join(word.split())) for word in words]
        if len(terms) == 1:
            return terms[0]
        first, between, last = self.both.split("{}")
        return f"{first}{terms[0]}{between}{terms[1]}{last}"

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


_LONGEST = 18
"""Digits of an answer; more of them are something else."""


class Answer(NamedTuple):
    number: int
    day: str
    """When it was given, as YYYY-MM-DD."""


class Answers:
    """What was answered, by who was asked and what.

    path  the file that keeps them, which need not be there yet; none: they are forgotten
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known: dict[tuple[str, str], Answer] = {}
        self._whole: int | None = None
        """Where the last answer of the file begins, if it was cut while it was written."""
        if path is not None:
            self._read(path)

    def get(self, engine: str, query: str) -> Answer | None:
        return self._known.get((engine, query))

    def keep(self, engine: str, query: str, number: int) -> Answer:
        answer = self._known[engine, query] = Answer(number, date.today().isoformat())
        if self._path is not None:
            try:
                with self._path.open("a", encoding="utf-8", newline="\n") as file:
                    if self._whole is not None:
                        file.truncate(self._whole)
                        self._whole = None
                    file.write(f"{answer.day}\t{number}\t{engine}\t{query}\n")
            except OSError as error:
                raise FileError(
                    self._path, f"answers cannot be kept here ({error.strerror}); name another file"
                ) from None
        return answer

    def _read(self, path: Path) -> None:
        """Take the answers of a file; a last one that was cut goes when the next is written."""
        try:
            data = path.read_bytes() if path.exists() else b""
        except OSError as error:
            raise FileError(path, f"cannot be read ({error.strerror}); name another file") from None
        *lines, rest = data.split(b"\n")
        for number, line in enumerate(lines, 1):
            try:
                day, count, asked, query = line.decode().split("\t")
                self._known[asked, query] = Answer(
                    _count(count), date.fromisoformat(day).isoformat()
                )
            except ValueError:
                raise _foreign(path, number) from None
        if rest and not lines:
            raise _foreign(path, 1)
        if rest:
            self._whole = len(data) - len(rest)


def _foreign(path: Path, line: int) -> FileError:
    return FileError(
        path,
        "this is no answer that was kept (day, number, whom, what, parted by tabs); "
        "remove the line, or name another file",
        line=line,
    )


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= _LONGEST):
        raise ValueError
    return int(text)


_LARGEST_ANSWER = 8 << 20
_LONGEST_WAIT = 300.0
"""Seconds; a server that wants more is not waited for."""
_BUSY = {408, 425, 429, 500, 502, 503, 504}


class WebError(CranfieldError):
    """A server that does not answer, or not with a number."""


class WebCounts:
    """Counts of pages, as a search engine estimates them.

    cache    file that keeps answers; none: they are forgotten
    retries  how often to ask again when the server is busy or cannot be reached: after 1, 2, 4 …
             seconds, or when it says
    timeout  seconds to wait for an answer
    sleep    how to wait
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        cache: str | Path | None = None,
        retries: int = 4,
        timeout: float = 30.0,
        name: str | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.endpoint = endpoint
        self.name = name or endpoint.server
        self._cache = None if cache is None else Path(cache)
        self._answers = Answers(self._cache)
        self._retries = retries
        self._timeout = timeout
        self._sleep = sleep
        self._earliest = 0.0

    def count(self, words: Sequence[str]) -> Counted:
        """n · (n + 1) / 2 questions, less those about words on no page, and those asked before."""
        alone = [self._answer(word) for word in words]
        together = np.diag([float(answer.number) for answer in alone])
        days = [answer.day for answer in alone]
        for i, one in enumerate(words):
            for j, other in enumerate(words[:i]):
                if alone[i].number and alone[j].number:
                    answer = self._answer(*sorted((one, other)))
                    together[i, j] = together[j, i] = answer.number
                    days.append(answer.day)
        provenance = Provenance(
            f"pages that {self.name} finds",
            min(days, default=""),
            {"pages": self.endpoint.total, "answers": len(days)},
        )
        return Counted(
            tuple(words), self.endpoint.total, together.diagonal().copy(), together, provenance
        )

    def _answer(self, *words: str) -> Answer:
        query = self.endpoint.query(*words)
        answer = self._answers.get(self.endpoint.digest, query)
        if answer is not None:
            return answer
        body = self._asked(query)
        number = self.endpoint.read(body)
        if number is None:
            start = body[:80].decode("utf-8", errors="replace")
            raise WebError(
                f"{self.name}, {query}: there is no number at {self.endpoint.number!r} in the "
                f"answer, which begins {start!r}; mend number="
            )
        return self._answers.keep(self.endpoint.digest, query, number)

    def _asked(self, query: str) -> bytes:
        """What the server answers; asked again while that may help."""
        from http.client import HTTPException
        from urllib.error import HTTPError, URLError

        for attempt in range(self._retries + 1):
            self._sleep(max(0.0, self._earliest - time.monotonic()))
            self._earliest = time.monotonic() + self.endpoint.pause
            try:
                return self._fetched(query)
            except HTTPError as error:
                why, wait = f"{error.code} {error.reason}", _wait(error, attempt)
                if error.code not in _BUSY or wait > _LONGEST_WAIT:
                    break
            except (URLError, HTTPException, OSError) as error:
                why, wait = str(getattr(error, "reason", error)), 2.0**attempt
            if attempt < self._retries:
                self._sleep(wait)
        kept = "answers so far are kept" if self._cache else "keep answers with cache=FILE"
        raise WebError(f"{self.name}, {query}: no answer ({why}); {kept}, and try again later")

    def _fetched(self, query: str) -> bytes:
        from urllib.request import Request, urlopen  # slow to import, and rarely needed

        headers = {"User-Agent": f"cranfield/{__version__}", **self.endpoint.headers}
        request = Request(self.endpoint.address(query), headers=headers)
        with urlopen(request, timeout=self._timeout) as response:
            body: bytes = response.read(_LARGEST_ANSWER)
            return body


def _wait(error: HTTPError, attempt: int) -> float:
    """Seconds until the server wants to be asked again."""
    said = error.headers.get("Retry-After", "")
    return float(said) if said.isdecimal() else 2.0**attempt
