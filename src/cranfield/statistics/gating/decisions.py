"""Pass, fail or undecided: where the interval of a difference lies beside the margin.

With gain = new − old, turned so that more is better, n units and t of Student's distribution:

    pass       gain − t·s/√n > −margin     the new one is not worse by more than the margin
    fail       gain + t·s/√n < −margin     it is
    undecided  otherwise; says how many units would decide it four times in five, if the
               difference is as large as it seems (Julious 2004; see `intervals.planning`)

Where all units say the same there is no spread: the run fails if it loses more than the margin.

Several measures must all pass, and then each may be tested at the full level (Berger 1982: if any
of them is worse, the chance that even that one passes is small). One that fails is enough to fail,
so p-values of failing are corrected for their number (Holm).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.statistics.correction import holm
from cranfield.statistics.intervals import units_for_difference

Outcome = Literal["pass", "fail", "undecided"]

_POWER = 0.8
_ALIKE = 1e-12
"""What is left of spreads by rounding."""


@dataclass(frozen=True)
class Decision:
    """What the differences of units say of one measure."""

    outcome: Outcome
    gain: float
    """Mean difference; above 0 the new run is better."""
    low: float
    high: float
    p_pass: float
    """Of being worse by the margin or more."""
    p_fail: float
    """Of not being worse by the margin; adjusted for all measures."""
    units: int
    more: int | None
    """Units still lacking; None where decided, or if no number is enough."""


def decide(gains: Sequence[Floats], margins: Sequence[float], level: float) -> list[Decision]:
    """A decision for each measure, from the gains of its units."""
    seen = [_Seen.of(values, margin, level) for values, margin in zip(gains, margins, strict=True)]
    adjusted = holm([one.p_fail for one in seen])
    return [one.decision(float(p_fail), level) for one, p_fail in zip(seen, adjusted, strict=True)]


@dataclass(frozen=True)
class _Seen:
    """The gain of a measure and how sure it is."""

    margin: float
    units: int
    gain: float
    spread: float
    reach: float
    """Half the interval."""
    p_pass: float
    p_fail: float

    @classmethod
    def of(cls, values: Floats, margin: float, level: float) -> _Seen:
        from scipy.special import stdtr, stdtrit

        units, gain = len(values), float(values.mean())
        spread = float(values.std(ddof=1))
        if spread <= _ALIKE * max(1.0, abs(gain)):  # all units say the same
            # A run that equals its baseline loses nothing, and no margin may fail it.
            worse = float(gain < -margin - _ALIKE * max(1.0, abs(gain)))
            return cls(margin, units, gain, 0.0, 0.0, worse, 1.0 - worse)
        error = spread / math.sqrt(units)
        distance = (gain + margin) / error
        reach = float(stdtrit(units - 1, (1.0 + level) / 2.0)) * error
        sides = (float(stdtr(units - 1, sign * distance)) for sign in (-1.0, 1.0))
        return cls(margin, units, gain, spread, reach, *sides)

    def decision(self, p_fail: float, level: float) -> Decision:
        alpha = (1.0 - level) / 2.0
        outcome: Outcome = "undecided"
        if self.p_pass < alpha:
            outcome = "pass"
        elif p_fail < alpha:
            outcome = "fail"
        return Decision(
            outcome=outcome,
            gain=self.gain,
            low=self.gain - self.reach,
            high=self.gain + self.reach,
            p_pass=self.p_pass,
            p_fail=p_fail,
            units=self.units,
            more=self._more(level) if outcome == "undecided" else None,
        )

    def _more(self, level: float) -> int | None:
        distance = abs(self.gain + self.margin)
        needed = units_for_difference(distance, self.spread, level, _POWER)
        if needed is None:
            return None
        return max(1, needed - self.units)


def paired(new: dict[str, float], old: dict[str, float], *, higher: bool) -> Floats:
    """Gains of units, in the order of their ids."""
    names = sorted(new)
    gains = np.array([new[name] for name in names]) - np.array([old[name] for name in names])
    return np.asarray(gains if higher else -gains)
