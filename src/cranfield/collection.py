"""Collection: a truth with its name and the runs that lie beside it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cranfield.truth import Truth


@dataclass(frozen=True)
class Collection:
    """What systems are measured on."""

    truth: Truth
    name: str = "collection"
    runs: tuple[Path, ...] = ()
    """Files of runs found in the collection's folder."""

    @property
    def items(self) -> tuple[str, ...]:
        return self.truth.items

    @property
    def concepts(self) -> tuple[str, ...]:
        return self.truth.concepts
