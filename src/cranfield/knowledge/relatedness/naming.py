"""Finding things by their names, where these are written differently."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from cranfield.knowledge.relatedness.spelling import phrase


class Names:
    """Places of names; a name that nobody has is found in any case, with blanks for underscores."""

    def __init__(self, names: Iterable[str]) -> None:
        self._exact: dict[Hashable, list[int]] = {}
        self._alike: dict[Hashable, list[int]] = {}
        for place, name in enumerate(names):
            self._exact.setdefault(name, []).append(place)
            self._alike.setdefault(phrase(name), []).append(place)

    def place(self, word: str) -> int | None:
        """The place of the name that a word stands for; None if there is none, or several."""
        found = self._exact.get(word) or self._alike.get(phrase(word) or None, [])
        return found[0] if len(found) == 1 else None
