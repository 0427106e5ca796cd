"""Somebody who wants the hidden labels and has what every group has: the API, and five runs.

Scores that are sums over cells, such as `log_loss`, tell most: all confidences are 0.5 but for a
few target cells, whose confidences make each positive label cost another amount, half of the one
before. The score is then a binary number whose digits are labels, as far as it is shown.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from django.test import Client

from cranfield.server.jobs.worker import Worker

MEASURE = "micro.log_loss"
Cell = tuple[str, str]
_LARGEST = 30.0
"""By which a label can change the loss; confidences are clipped beyond."""


@dataclass
class Attacker:
    """Knows the names of items and concepts, and how frequent concepts are in the training data."""

    token: str
    items: list[str]
    concepts: list[str]
    frequency: dict[str, float]
    resolution: float
    """How finely the score can be read."""
    runs: int = 5
    learned: dict[Cell, int] = field(default_factory=dict)

    @property
    def cells(self) -> list[Cell]:
        return [(item, concept) for item in self.items for concept in self.concepts]

    def attack(self, rng: np.random.Generator) -> None:
        """Use all runs: the first to learn what it costs if all confidences are 0.5."""
        base = self._score({})
        weights = self._weights()
        drawn = rng.permutation(len(self.cells))[: len(weights) * (self.runs - 1)]
        for targets in np.array_split(drawn, self.runs - 1):
            chosen = [self.cells[index] for index in targets]
            self._learn(dict(zip(chosen, weights, strict=False)), base)

    def guess(self, cell: Cell) -> int:
        """What was learned; else what is more frequent."""
        return self.learned.get(cell, self.guess_by_frequency(cell))

    def guess_by_frequency(self, cell: Cell) -> int:
        return int(self.frequency[cell[1]] > 0.5)

    def _weights(self) -> list[float]:
        count = int(math.log2(_LARGEST / self.resolution))
        return [_LARGEST / 2**index for index in range(count)]

    def _learn(self, weights: dict[Cell, float], base: float) -> None:
        """Read the labels off a score."""
        if_negative = sum(math.log1p(math.exp(-w)) - math.log(2) for w in weights.values())
        rest = self._score(weights) - base - if_negative
        for cell, weight in weights.items():
            self.learned[cell] = int(rest > weight - self.resolution / 2)
            rest -= weight * self.learned[cell]

    def _score(self, weights: dict[Cell, float]) -> float:
        """Submit a run, and read its score from the API."""
        lines = [",".join(["item", *self.concepts])]
        for item in self.items:
            row = (1 / (1 + math.exp(weights.get((item, c), 0.0))) for c in self.concepts)
            lines.append(",".join([item, *map(repr, row)]))
        client: Any = Client(headers={"authorization": f"Bearer {self.token}"})
        sent = client.post(
            "/api/tracks/photos/runs?name=probe&file_name=run.csv",
            "\n".join(lines) + "\n",
            content_type="text/csv",
        )
        assert sent.status_code == 201, sent.content
        while Worker().work_once():
            pass
        shown = client.get(f"/api/runs/{sent.json()['id']}").json()
        assert shown["state"] == "accepted", shown
        return float(shown["scores"][MEASURE])
