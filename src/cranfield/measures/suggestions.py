"""Suggestions for names that are none: by the words of names and of what other tools call them,
within the direction that a prefix says."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from functools import lru_cache

from cranfield.measures.definition import Definition
from cranfield.measures.peer_names import PEER_NAMES

_EVERYWHERE = ("score", "average", "averaged", "based", "mean", "undefined")
_ALIKE = 0.75
"""How alike two words are that mean the same, misspelt."""


def nearest(name: str, definitions: Iterable[Definition], most: int = 4) -> list[str]:
    """Names of the measures whose words are nearest to those of a name, the nearest first."""
    requested = _words(name)
    ranked = []
    for definition in definitions:
        words = _vocabulary(definition)
        alike = [
            max((_likeness(word, other) for other in words), default=0.0) for word in requested
        ]
        score = sum(value for value in alike if value >= _ALIKE) / max(len(requested), 1)
        score = max(score, _whole("".join(requested), definition))
        if score > 0.4:
            ranked.append((-score, definition.name))
    return [name for _, name in sorted(ranked, key=lambda entry: entry[0])[:most]]


def _whole(joined: str, definition: Definition) -> float:
    """How alike names are that are written in one word."""
    names = {"".join(_words(name)) for name in _names(definition)}
    likeness = max(_likeness(joined, name) for name in names)
    return likeness if likeness >= 0.85 else 0.0


def _vocabulary(definition: Definition) -> set[str]:
    return {word for name in _names(definition) for word in _words(name)}


@lru_cache(maxsize=1024)
def _names(definition: Definition) -> list[str]:
    names = [definition.name.partition(".")[2] or definition.name]
    names += [alias.partition(".")[2] or alias for alias in definition.aliases]
    for row in PEER_NAMES:
        readings = {re.split(r"[@(]", reading)[0] for reading in row.readings.values()}
        if definition.name.removesuffix("@k") in readings:
            names += row.names
    return names


def _words(name: str) -> list[str]:
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", re.sub(r"\{.*?\}|@k", " ", name))
    words = (word.lower() for word in re.findall(r"[^\W_]+", apart) if not word.isdigit())
    return [word for word in words if word not in _EVERYWHERE]


def _likeness(word: str, other: str) -> float:
    return difflib.SequenceMatcher(None, word, other).ratio()
