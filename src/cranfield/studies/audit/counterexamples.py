"""Counterexamples: a few scored pairs of a truth and a prediction that break a requirement."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.studies.audit.kinds import Stack

_NOTHING = "∅"


@dataclass(frozen=True, eq=False)
class Pair:
    """A truth, what was said of it, and the score."""

    truth: Stack
    said: Stack
    score: float
    items: tuple[str, ...]
    concepts: tuple[str, ...]

    def __str__(self) -> str:
        return f"truth {self._set(self.truth)}, said {self._set(self.said)}: {number(self.score)}"

    def _set(self, matrix: Stack) -> str:
        """Labels of each item, or numbers of each concept; items are told apart by bars."""
        return " | ".join(_row(row, self.concepts) for row in matrix)

    def to_dict(self) -> dict[str, Any]:
        return {
            "truth": self.truth.astype(float).tolist(),
            "said": self.said.astype(float).tolist(),
            "score": self.score if math.isfinite(self.score) else None,
            "items": list(self.items),
            "concepts": list(self.concepts),
        }


@dataclass(frozen=True)
class Counterexample:
    """Pairs whose scores break a requirement, and how."""

    why: str
    pairs: tuple[Pair, ...] = ()
    """None where whole runs were compared."""

    def __str__(self) -> str:
        return ": ".join(filter(None, (self.why, "; ".join(map(str, self.pairs)))))

    def to_dict(self) -> dict[str, Any]:
        return {"why": self.why, "pairs": [pair.to_dict() for pair in self.pairs]}


def number(score: float) -> str:
    """A score as short as it can be told from others."""
    return "undefined" if math.isnan(score) else f"{score:.4g}"


def _row(row: Stack, concepts: tuple[str, ...]) -> str:
    if row.dtype == np.bool_:
        names = [name for name, holds in zip(concepts, row.tolist(), strict=True) if holds]
        return "{" + ", ".join(names) + "}" if names else _NOTHING
    pairs = zip(concepts, row.tolist(), strict=True)
    return "(" + ", ".join(f"{name} {value:g}" for name, value in pairs) + ")"
