"""Counting the pages that link to pages: a page is a document, and a link to a page mentions it.

One pass over the links. What stays is 8 bytes for each link to a page that is asked for, the titles
of the pages that have such links, and, unless the number of pages is given, the titles of all.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple, Protocol

import numpy as np

from cranfield.core.matrices import Cells
from cranfield.core.pair_counts import pair_counts
from cranfield.errors import InputError
from cranfield.knowledge.provenance import Provenance
from cranfield.knowledge.relatedness.counts.counted import Counted
from cranfield.knowledge.relatedness.fingerprints import Fingerprint


class Links(NamedTuple):
    """Some links: the titles of the pages where they are, and of those where they lead."""

    sources: Sequence[bytes]
    targets: Sequence[bytes]


class LinkGraph(Protocol):
    """Links between pages, handed out some at a time, as often as asked."""

    @property
    def name(self) -> str: ...

    @property
    def origin(self) -> str:
        """Where they come from: a file, and what of it."""

    def links(self) -> Iterator[Links]: ...


class LinkCounts:
    """Counts of the pages that link to pages.

    A word is the title of a page, which begins with a capital letter or not; beside that, case
    matters. Redirects are not followed.

    pages  how many there are; default: all that link or are linked to
    """

    def __init__(self, graph: LinkGraph, *, pages: int | None = None) -> None:
        self._graph = graph
        self._pages = pages

    @property
    def name(self) -> str:
        return self._graph.name

    def count(self, words: Sequence[str]) -> Counted:
        places: dict[bytes, list[int]] = {}
        for place, word in enumerate(words):
            for title in _titles(word):
                places.setdefault(title, []).append(place)
        linking: dict[bytes, int] = {}
        pages: set[bytes] = set()
        codes, read = array("q"), Fingerprint(2)
        for links in self._graph.links():
            if self._pages is not None:
                pages.clear()  # these few at a time show whether the number can be right
            pages.update(links.sources, links.targets)
            self._require_room(len(pages))
            read.add(*(b"".join(title + b"\n" for title in end) for end in links))
            for source, target in zip(links.sources, links.targets, strict=True):
                if target in places:
                    row = linking.setdefault(source, len(linking))
                    codes.extend(row * len(words) + place for place in places[target])
        known = np.unique(np.frombuffer(codes, dtype=np.int64))
        matrix = Cells((len(linking), len(words)), known, np.ones(len(known), dtype=np.bool_))
        counts = pair_counts(matrix, np.arange(len(words))).astype(np.float64)
        total = len(pages) if self._pages is None else self._pages
        provenance = Provenance(
            f"pages of {self._graph.origin} that link to the words; links {read}",
            date.today().isoformat(),
            {"pages": total, "links": len(known)},
        )
        return Counted(tuple(words), total, counts.diagonal(), counts, provenance)

    def _require_room(self, pages: int) -> None:
        if self._pages is not None and pages > self._pages:
            raise InputError(
                f"{self.name} has links between {pages} pages or more, but pages={self._pages}; "
                "give the number of all pages"
            )


def _titles(word: str) -> set[bytes]:
    """How the title of a page may be written."""
    title = " ".join(word.replace("_", " ").split())
    return {form.encode(errors="replace") for form in (title, title[:1].upper() + title[1:])}
