"""Provenance: where a map comes from, in words that fit on a line each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from operator import index
from typing import Any

from cranfield.errors import InputError

_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_COUNT = re.compile(r"\d{1,18}", re.ASCII)


@dataclass(frozen=True)
class Provenance:
    """Where a map comes from. Its hash is the map's own: `CostMap.digest`."""

    source: str = ""
    date: str = ""
    """When it was computed, as YYYY-MM-DD."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """How much it rests on: items, annotators, words …"""

    def __post_init__(self) -> None:
        if not isinstance(self.counts, Mapping):
            raise InputError(
                f"counts of a provenance are of type {type(self.counts).__name__}; give a dict"
            )
        object.__setattr__(self, "source", _line("source", self.source))
        object.__setattr__(self, "date", _day(str(self.date)))
        object.__setattr__(self, "counts", dict(map(_count, self.counts.items())))

    @classmethod
    def of(cls, stated: Mapping[str, str]) -> Provenance:
        """Provenance from what `stated` says."""
        counts = {}
        for part in filter(None, map(str.strip, stated.get("counts", "").split(","))):
            name, _, number = part.rpartition("=")
            if not _COUNT.fullmatch(number.strip()):
                raise InputError(f"counts: {part!r}; write them as items=99, annotators=11")
            counts[name.strip()] = int(number)
        return cls(stated.get("source", ""), stated.get("date", ""), counts)

    def stated(self) -> dict[str, str]:
        """What is known, in words."""
        counts = ", ".join(f"{name}={number}" for name, number in self.counts.items())
        parts = {"source": self.source, "date": self.date, "counts": counts}
        return {name: words for name, words in parts.items() if words}

    def and_then(self, step: str) -> Provenance:
        """The same after a further step."""
        return replace(self, source=f"{self.source}; {step}" if self.source else step)

    def to_dict(self) -> dict[str, Any]:
        return {"source": self.source, "date": self.date, "counts": dict(self.counts)}


def _line(what: str, text: str) -> str:
    """Text with single blanks only."""
    words = " ".join(str(text).split())
    if not words.isprintable():
        raise InputError(f"{what} {words[:60]!r} holds characters that cannot be printed")
    return words


def _day(text: str) -> str:
    try:
        if text and not (_DAY.fullmatch(text) and date.fromisoformat(text)):
            raise ValueError
    except ValueError:
        raise InputError(f"date {text[:60]!r} is no day; write it as YYYY-MM-DD") from None
    return text


def _count(entry: tuple[str, Any]) -> tuple[str, int]:
    name = _line("counts", entry[0])
    try:
        number = index(entry[1])
    except TypeError:
        number = -1
    if number < 0 or not name or "," in name or "=" in name:
        raise InputError(f"counts: {name}={entry[1]!r}; give whole numbers by names without commas")
    return name, number
