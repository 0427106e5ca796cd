"""Thresholds: one number for each concept, by which a run decides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from cranfield.core.axes import Axis
from cranfield.core.matrices import Floats
from cranfield.core.run import Run
from cranfield.errors import InputError, first_ten, several

if TYPE_CHECKING:
    import polars

Per = Literal["concept", "run"]


@dataclass(frozen=True, eq=False)
class Thresholds:
    """Thresholds by concept, and how they were chosen.

    A label is assigned where a score reaches its concept's threshold.
    """

    axis: Axis
    """The concepts."""
    values: Floats
    """(C,): the threshold of each concept."""
    per: Per = "concept"
    """Whether each concept has its own, or one serves the whole run."""
    by: str | None = None
    """The criterion; None where thresholds were given, not tuned."""
    reached: Floats | None = None
    """(C,): what the criterion says of each concept on the run that was tuned; NaN = undefined."""
    score: float = np.nan
    """What it says of the whole run: the mean over concepts, or the value of the one threshold."""
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, values: Mapping[str, float]) -> Thresholds:
        """Thresholds by the ids of concepts."""
        given = np.array(list(values.values()), dtype=np.float64)
        if not np.isfinite(given).all():
            worst = [name for name, value in values.items() if not np.isfinite(value)]
            raise InputError(f"thresholds must be finite numbers; mend {first_ten(worst)}")
        return cls(Axis("concept", len(values), list(values)), given)

    @property
    def concepts(self) -> tuple[str, ...]:
        return self.axis.names

    @property
    def by_concept(self) -> dict[str, float]:
        return dict(zip(self.concepts, self.values.tolist(), strict=True))

    def __getitem__(self, concept: str) -> float:
        place = self.axis.positions.get(str(concept))
        if place is None:
            raise InputError(
                f"there is no threshold of {concept!r}; there are some of "
                f"{first_ten(self.concepts)}"
            )
        return float(self.values[place])

    def apply(self, run: Run) -> Run:
        """A run with the same confidences that decides by these thresholds.

        Concepts align by their ids, by position where one side has none. Decisions that the run
        brings give way.
        """
        return run.decided_by(self._for(run))

    def _for(self, run: Run) -> Any:
        if self.per == "run":
            return float(self.values[0]) if len(self.values) else 0.5
        if run.concept_axis.aligns_by_position(self.axis, f"run {run.name!r}", "the thresholds"):
            return self.values
        return self.by_concept

    def rows(self) -> Iterator[dict[str, Any]]:
        """One plain record for each concept; what is undefined is None."""
        reached = np.full(len(self.values), np.nan) if self.reached is None else self.reached
        for name, value, score in zip(
            self.concepts, self.values.tolist(), reached.tolist(), strict=True
        ):
            known = None if score != score else score
            yield {"concept": name, "threshold": value, "score": known}

    @property
    def frame(self) -> polars.DataFrame:
        """Polars: concept, threshold, score."""
        import polars

        kinds = {"concept": polars.String, "threshold": polars.Float64, "score": polars.Float64}
        return polars.DataFrame(list(self.rows()), schema=kinds)

    def __repr__(self) -> str:
        how = "" if self.by is None else f", by {self.by}"
        if self.per == "run" and len(self.values):
            return f"Thresholds({self.values[0]:g} for {several(len(self.values), 'concept')}{how})"
        return f"Thresholds({several(len(self.values), 'concept')}{how})"
