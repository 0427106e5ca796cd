"""Counting the pages of the web: a search engine is asked how many it finds.

Questions are asked one at a time, with a pause between, and again if the server is busy. Answers
are kept in a file, so that no question is asked twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cranfield._version import __version__
from cranfield.errors import CranfieldError
from cranfield.knowledge.provenance import Provenance
from cranfield.knowledge.relatedness.counts.answers import Answer, Answers
from cranfield.knowledge.relatedness.counts.counted import Counted
from cranfield.knowledge.relatedness.counts.endpoint import Endpoint

if TYPE_CHECKING:
    from urllib.error import HTTPError

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
        known = self._answers.get(self.endpoint.digest, query)
        if known is not None:
            return known
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
