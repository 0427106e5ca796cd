"""Notes: remarks on scores, of which those that differ in their counts alone are made once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from cranfield.core.terms import CONCEPTS, Terms

_Subject = TypeVar("_Subject")


def gathered(
    notes: Iterable[tuple[str, _Subject]], terms: Terms = CONCEPTS
) -> list[tuple[str, list[_Subject]]]:
    """Each note with all that it is about: in 1 list, in 4 lists → in 1 to 4 lists.

    terms  what notes call concepts and items
    """
    plurals = {terms.concept: terms.concepts, terms.item: terms.items}
    plurals |= {"draw": "draws", "list": "lists"}
    plurals |= {plural: plural for plural in plurals.values()}
    words = "|".join(map(re.escape, sorted(plurals, key=len, reverse=True)))
    count = re.compile(rf"(\d+) ({words})\b")
    alike: dict[str, list[tuple[str, _Subject]]] = {}
    for note, subject in notes:
        alike.setdefault(count.sub(lambda m: plurals[m[2]], note), []).append((note, subject))
    return [
        (_ranging([note for note, _ in group], count, plurals), [subject for _, subject in group])
        for group in alike.values()
    ]


def _ranging(notes: Sequence[str], count: re.Pattern[str], plurals: Mapping[str, str]) -> str:
    """Notes alike but for their counts, as one."""
    counts = zip(*([int(n[1]) for n in count.finditer(note)] for note in notes), strict=True)
    ranges = iter([(min(numbers), max(numbers)) for numbers in counts])

    def written(match: re.Match[str]) -> str:
        least, most = next(ranges)
        return match[0] if least == most else f"{least} to {most} {plurals[match[2]]}"

    return count.sub(written, notes[0])
