"""Decisions of a gate: what is compared, and where the interval of a difference lies.

A record is the score of a run, its signature, and a number for each unit. It outlives the run:
stored beside a release, it is the baseline of the next one. Its signature says what it was made of,
and whatever differs there is a reason not to compare.

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
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.engine.evaluation import Score, or_null
from cranfield.errors import InputError, first_ten, several
from cranfield.statistics.comparing.units import Resample, unit_names, unit_values, units_of
from cranfield.statistics.intervals import units_for_difference
from cranfield.statistics.significance import holm

Outcome = Literal["pass", "fail", "undecided"]

_POWER = 0.8
_ALIKE = 1e-12
"""What is left of spreads by rounding."""


@dataclass(frozen=True)
class Decision:
    """What follows from the differences of units by one measure."""

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
    pairs = zip(gains, margins, strict=True)
    losses = [_Loss.of(values, margin, level) for values, margin in pairs]
    adjusted = holm([loss.p_fail for loss in losses])
    return [loss.decision(float(p), level) for loss, p in zip(losses, adjusted, strict=True)]


@dataclass(frozen=True)
class _Loss:
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
    def of(cls, values: Floats, margin: float, level: float) -> _Loss:
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


# ── records ───────────────────────────────────────────────────────────────────────────────────

_OWN = ("decisions",)
"""Conventions that are a run's own affair: how it came to its decisions."""
_SIGNATURE = re.compile(
    r"(?P<measure>[^(|]+)\((?P<conventions>.*)\)"
    r"\|(?P<about>.*cranfield=[^|]+\|truth=[0-9a-f]{8,}(\|.*)?)",
    re.DOTALL,
)
"""As scores sign; a hash of eight digits is a short one, and fewer tell nothing."""


@dataclass(frozen=True, eq=False)
class Record:
    """The score of a run by a measure, unit by unit."""

    run: str
    measure: str
    score: float
    signature: str
    resample: Resample
    values: Mapping[str, float]
    """By item, cluster or concept, those that count; their mean is the score."""

    def __post_init__(self) -> None:
        """Refuse a signature that says nothing, or speaks of another measure."""
        form = _SIGNATURE.fullmatch(self.signature)
        if form is None:
            raise InputError(
                f"the score of run {self.run!r} by {self.measure} has no signature that can be "
                f"read: {self.signature[:80]!r}; score the run again"
            )
        if form["measure"] != self.measure.partition("(")[0]:
            raise InputError(
                f"the score of run {self.run!r} is called {self.measure}, and its signature says "
                f"{form['measure']}; score the run again"
            )

    def row(self) -> dict[str, Any]:
        """A plain record, from which it can be made again."""
        return {
            "run": self.run,
            "measure": self.measure,
            "score": or_null(self.score),
            "signature": self.signature,
            "resample": self.resample,
            "values": dict(self.values),
        }


def record(score: Score, resample: Resample | Literal["auto"] = "auto") -> Record:
    """The record of a score, over items, clusters of them or concepts (topics)."""
    if not math.isfinite(score.value):
        raise InputError(
            f"run {score.run.name!r} has no score by {score.measure}; choose another measure"
        )
    chosen = units_of(score, resample)
    values = zip(unit_names(score, chosen), unit_values(score, chosen).tolist(), strict=True)
    return Record(
        run=score.run.name,
        measure=str(score.measure),
        score=score.value,
        signature=score.long_signature,
        resample=chosen,
        values={name: value for name, value in values if not math.isnan(value)},
    )


def require_comparable(new: Record, old: Record, where: str) -> None:
    """Refuse records that were not made of the same; says what differs.

    where  what the baseline is called
    """
    here, there = _choices(new.signature), _choices(old.signature)
    for name in dict.fromkeys((*here, *there)):
        if not _agree(name, here.get(name), there.get(name)):
            raise InputError(
                f"{where} does not compare with run {new.run!r} by {new.measure}: {name} is "
                f"{_shown(name, there.get(name))} there and {_shown(name, here.get(name))} here",
                mend=_MEND.get(name, "score both by the same conventions"),
                about=("baseline", old.run),
            )
    if new.resample != old.resample:
        raise InputError(
            f"{where} does not compare with run {new.run!r} by {new.measure}: it holds numbers of "
            f"{old.resample}, and here {new.resample} are compared",
            mend="give the run itself, or a baseline that cranfield gate --write-baseline wrote",
            about=("baseline", old.run),
        )
    odd = sorted(new.values.keys() ^ old.values.keys())
    if odd:
        raise InputError(
            f"{where} does not compare with run {new.run!r} by {new.measure}: only one of them has "
            f"a score of {several(len(odd), old.resample.removesuffix('s'))}: {first_ten(odd)}",
            mend="score both over the same",
            about=("baseline", old.run),
        )


_MEND = {
    "truth": "score the old run again on this truth",
    "cranfield": "score the old run again with this version",
    "measure": "score both by the same measure",
}


def _choices(signature: str) -> dict[str, str]:
    """What a signature says that must agree: measure, conventions, version and truth."""
    form = _SIGNATURE.fullmatch(signature)
    assert form is not None
    chosen = {"measure": form["measure"]}
    for part in form["conventions"].split(","):
        key, _, value = part.partition("=")
        if key not in _OWN:
            chosen[key] = value
    parts = dict(part.partition("=")[::2] for part in form["about"].split("|"))
    return chosen | {key: parts.get(key, "") for key in ("cranfield", "truth")}


def _agree(name: str, here: str | None, there: str | None) -> bool:
    if name == "truth" and here and there:  # a short hash is the beginning of the whole one
        size = min(len(here), len(there))
        return here[:size] == there[:size]
    return here == there


def _shown(name: str, value: str | None) -> str:
    if value is None:
        return "not stated"
    return value[:8] if name == "truth" else value
