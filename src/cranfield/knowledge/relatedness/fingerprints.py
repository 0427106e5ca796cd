"""Fingerprints: short hashes of what numbers rest on, so that a map tells which input made it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

_SHOWN = 8
"""Digits, as maps and ontologies show of their hashes."""


class Fingerprint:
    """A hash of what is read, whatever the blocks in which it comes.

    columns  kinds of things that are read side by side, such as texts and the names of documents
    """

    def __init__(self, columns: int = 1) -> None:
        self._hashes = [hashlib.blake2b(digest_size=16) for _ in range(columns)]

    def add(self, *blocks: bytes) -> None:
        """One block for each column."""
        for known, block in zip(self._hashes, blocks, strict=True):
            known.update(block)

    def __str__(self) -> str:
        whole = b"".join(known.digest() for known in self._hashes)
        return hashlib.blake2b(whole, digest_size=16).hexdigest()[:_SHOWN]


def fingerprint(things: Iterable[object]) -> str:
    """Of a few things, whatever their order."""
    found = Fingerprint()
    found.add("\n".join(sorted(map(repr, things))).encode())
    return str(found)
