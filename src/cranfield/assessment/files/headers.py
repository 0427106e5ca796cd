"""What people call the columns of a table of votes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_WORDS = {
    "item": "item task image img photo picture document doc object unit example instance sample "
    "file url hit",
    "annotator": "annotator worker rater coder judge assessor user labeler labeller performer "
    "contributor participant reviewer crowdworker turker",
    "concept": "concept category class tag question attribute dimension property",
    "value": "value vote answer response judgement judgment rating grade score annotation choice",
    "batch": "batch round job",
    "seconds": "seconds duration worktime worktimeinseconds leadtime worktimeseconds",
    "submitted": "submitted submittime submittedat timestamp createdat completedat date",
    "comment": "comment feedback remark",
    "assignment": "assignment annotationid",
}
_MEANT = {word: role for role, words in _WORDS.items() for word in words.split()}
_LABEL = "label"
"""A concept, or what was answered: what stands beside it tells."""


@dataclass(frozen=True)
class Columns:
    """Which column is what, by its place."""

    places: dict[str, int]
    group: str | None
    """In a file of single choices: what the choice is called."""
    ignored: tuple[str, ...]


def columns_of(header: Sequence[str]) -> Columns | None:
    """What the columns of a table are; None where they are no votes."""
    found: dict[str, int] = {}
    others: list[int] = []
    for place, name in enumerate(header):
        role = role_of(name)
        if role is None or role in found:
            others.append(place)
        else:
            found[role] = place
    if not {"item", "annotator"} <= found.keys():
        return None
    labels = [place for place in others if _plain(header[place]) == _LABEL]
    if labels and ("concept" in found) != ("value" in found):
        found["value" if "concept" in found else "concept"] = labels[0]
    group = None
    if not {"concept", "value"} <= found.keys():
        chosen = _choice(found, labels, [place for place in others if header[place].strip()])
        if chosen is None:
            return None
        found = {role: place for role, place in found.items() if role not in ("concept", "value")}
        found["value"] = chosen
        group = header[chosen].strip() or _LABEL
    ignored = [header[place] for place in range(len(header)) if place not in found.values()]
    return Columns(found, group, tuple(name for name in ignored if name.strip()))


def _choice(found: dict[str, int], labels: list[int], others: list[int]) -> int | None:
    """The column of a single choice: a label, a word for an answer, or the only one left.

    Where a concept stands beside another column, either may be what was answered.
    """
    if labels:
        return labels[0]
    if "value" in found:
        return found["value"]
    if "concept" in found:
        return None if others else found["concept"]
    return others[0] if len(others) == 1 else None


def twice(header: Sequence[str]) -> str | None:
    """The first name that two columns have; None where there is none."""
    names = [name.strip() for name in header]
    return next((name for name in names if name and names.count(name) > 1), None)


def is_label_studio(header: Sequence[str]) -> bool:
    """Whether this is a table as Label Studio exports it, which holds JSON in its fields."""
    return {"annotation_id", "lead_time", "created_at"} <= set(header)


def role_of(name: str) -> str | None:
    """What a column of this name holds, as far as the name tells."""
    word = _plain(name)
    for short in (word, word.removesuffix("id"), word.removesuffix("name"), word.removesuffix("s")):
        if short in _MEANT:
            return _MEANT[short]
    return None


def _plain(name: str) -> str:
    """A word without case, blanks and signs."""
    return re.sub(r"[\W_]+", "", name.casefold())
