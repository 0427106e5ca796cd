"""Thresholds of single runs: logits are cut at 0, probabilities at 0.5, each as its makers say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cranfield.core.run import Run
from cranfield.errors import InputError, first_ten

Cut = float | Mapping[str, float]
"""One number, or a number for each concept."""


@dataclass(frozen=True)
class RunThresholds:
    """Thresholds by the names of runs."""

    by_run: Mapping[str, Cut]
    others: Cut | None = None
    """The threshold of all other runs; None: as each run says itself."""

    def of(self, run: str) -> Cut | None:
        return self.by_run.get(run, self.others)

    def apply(self, run: Run) -> Run:
        """The run with the same confidences that decides by its threshold, if it has one here."""
        threshold = self.of(run.name)
        return run if threshold is None else run.decided_by(threshold)

    def require_runs(self, names: Iterable[str]) -> None:
        """Refuse thresholds of runs that are not there."""
        runs = list(names)
        unknown = [name for name in self.by_run if name not in runs]
        if unknown:
            raise InputError(
                f"there is a threshold of {first_ten(unknown)}, but no such run; "
                f"runs: {first_ten(runs)}"
            )
