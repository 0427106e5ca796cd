"""Notes: remarks on scores, of which those that differ in their counts alone are made once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

from cranfield.errors import several

_Subject = TypeVar("_Subject")
_COUNT = re.compile(r"(\d+) (concept|draw|item|list)s?\b")


def gathered(notes: Iterable[tuple[str, _Subject]]) -> list[tuple[str, list[_Subject]]]:
    """Each note with all that it is about: in 1 list, in 4 lists → in 1 to 4 lists."""
    alike: dict[str, list[tuple[str, _Subject]]] = {}
    for note, subject in notes:
        alike.setdefault(_COUNT.sub(r"\2", note), []).append((note, subject))
    return [
        (_ranging([note for note, _ in group]), [subject for _, subject in group])
        for group in alike.values()
    ]


def _ranging(notes: Sequence[str]) -> str:
    """Notes alike but for their counts, as one."""
    counts = zip(*([int(n[1]) for n in _COUNT.finditer(note)] for note in notes), strict=True)
    ranges = iter([(min(numbers), max(numbers)) for numbers in counts])

    def written(count: re.Match[str]) -> str:
        least, most = next(ranges)
        return count[0] if least == most else f"{least} to {several(most, count[2])}"

    return _COUNT.sub(written, notes[0])
