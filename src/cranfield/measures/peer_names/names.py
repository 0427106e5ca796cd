"""A name that another tool gives to a measure, and how it is written.

A name stands for our measure with the options that give the other tool's number. Which that is may
depend on the data, as it does in those tools: `accuracy_score` compares label sets where items have
several labels, and classes where they have one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Kind = Literal["labels", "concept", "classes", "searches", "numbers"]
KINDS: dict[Kind, str] = {
    "labels": "several labels for each item",
    "concept": "one concept that is there or not",
    "classes": "one class for each item",
    "searches": "TREC files",
    "numbers": "numbers to be hit",
}
"""What a truth may hold; without a truth, the first that a name has a meaning for."""

_FIELDS = {"k": r"\d+"}
_NUMBER = r"\d*\.?\d+"
_IGNORED = ("num_labels", "num_classes")
"""Options of other tools that the data answer here."""


@dataclass(frozen=True)
class PeerName:
    """A name of another tool, or all names of one form, such as P_{k}."""

    tool: str
    spelled: str
    """The name and its other spellings, between bars; {k} is a whole number, other fields any."""
    labels: str | None = None
    """The measure where items have several labels; its fields are filled from the name."""
    concept: str | None = None
    classes: str | None = None
    searches: str | None = None
    numbers: str | None = None
    advice: str = ""
    """What to write where it has no meaning here."""
    differs: str = ""
    """When the number is not that of the other tool, and why."""

    @property
    def name(self) -> str:
        return self.names[0]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.spelled.split("|"))

    @property
    def readings(self) -> dict[Kind, str]:
        """The measure by the kind of data."""
        by_kind = {kind: getattr(self, kind) for kind in KINDS}
        return {kind: text for kind, text in by_kind.items() if text is not None}

    @cached_property
    def keys(self) -> frozenset[str]:
        """The names without fields, as `key` writes them."""
        return frozenset(key(name) for name in self.names if "{" not in name)

    @cached_property
    def forms(self) -> tuple[re.Pattern[str], ...]:
        """Patterns of the names with fields."""
        return tuple(_pattern(key(name)) for name in self.names if "{" in name)

    def fields(self, spelling: str) -> dict[str, str] | None:
        """What the fields are in a spelling, as `key` writes it; None if it is another name."""
        if spelling in self.keys:
            return {}
        matches = (form.fullmatch(spelling) for form in self.forms)
        return next((match.groupdict() for match in matches if match is not None), None)


def key(spelling: str) -> str:
    """What all spellings of a name have in common: no spaces, quotes or capitals, a cutoff before
    the options, and those sorted."""
    text = re.sub(r"[\s'\"]", "", spelling).lower()
    shape = re.fullmatch(r"([^()]*)\(([^()]*)\)(@[^()]*)?", text)
    if shape is None:
        return text
    name, options, cutoff = shape.groups(default="")
    listed = sorted(part for part in options.split(",") if part.split("=")[0] not in _IGNORED)
    inside = ",".join(filter(None, listed))
    return name + cutoff + (f"({inside})" if inside else "")


def same(reading: str, *kinds: Kind) -> dict[str, str]:
    """The same measure for several kinds of data."""
    return dict.fromkeys(kinds, reading)


def _pattern(spelling: str) -> re.Pattern[str]:
    literals, fields = re.split(r"\{\w+\}", spelling), re.findall(r"\{(\w+)\}", spelling)
    groups = (f"(?P<{field}>{_FIELDS.get(field, _NUMBER)})" for field in fields)
    parts = zip(map(re.escape, literals), [*groups, ""], strict=True)
    return re.compile("".join(literal + group for literal, group in parts))
