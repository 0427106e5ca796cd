"""Timing two ways of doing one thing."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


def best_of(times: int, work: Callable[[], Any]) -> float:
    """Seconds of the fastest of several calls."""
    return min(seconds(work) for _ in range(times))


def seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    kept = work()  # giving its memory back is no part of it
    took = time.perf_counter() - start
    del kept
    return took


def by_turns(
    rounds: int, theirs: Callable[[], Any], ours: Callable[[], Any]
) -> tuple[float, float]:
    """Seconds of the fastest call of each; they take turns, so that a busy machine slows both."""
    took = [(seconds(theirs), min(seconds(ours), seconds(ours))) for _ in range(rounds)]
    return min(one for one, _ in took), min(other for _, other in took)


@dataclass(frozen=True)
class Ratio:
    """How much less of something we need than a peer."""

    what: str
    peer: str
    theirs: float
    ours: float
    target: float | None = None
    unit: str = "s"

    def cells(self) -> tuple[str, ...]:
        return (
            self.what,
            self.peer,
            self._shown(self.theirs),
            self._shown(self.ours),
            f"{self.theirs / self.ours:.3g}×",
            "" if self.target is None else f"≥ {self.target:g}×",
        )

    def _shown(self, amount: float) -> str:
        if self.unit == "s" and amount < 1:
            return f"{amount * 1000:.3g} ms"
        return f"{amount:.4g} {self.unit}"
