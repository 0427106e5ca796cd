"""Records: what a gate compares. The score of a run, its signature, and a number for each unit.

A record outlives the run: stored beside a release, it is the baseline of the next one. Its
signature says what it was made of, and whatever differs there is a reason not to compare.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from cranfield.engine.evaluation import Score, or_null
from cranfield.errors import InputError, first_ten, several
from cranfield.statistics.comparing.units import Resample, unit_values, units_of

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
    """What one measure says of one run, unit by unit."""

    run: str
    measure: str
    score: float
    signature: str
    resample: Resample
    values: Mapping[str, float]
    """By item or concept, those that count; their mean is the score."""

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
    """The record of a score, over items or concepts (topics)."""
    if not math.isfinite(score.value):
        raise InputError(
            f"run {score.run.name!r} has no score by {score.measure}; choose another measure"
        )
    chosen = units_of(score, resample)
    names = score.truth.concepts if chosen == "concepts" else score.truth.items
    values = zip(names, unit_values(score, chosen).tolist(), strict=True)
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
                f"{_told(name, there.get(name))} there and {_told(name, here.get(name))} here; "
                f"{_MEND.get(name, 'score both by the same conventions')}"
            )
    if new.resample != old.resample:
        raise InputError(
            f"{where} does not compare with run {new.run!r} by {new.measure}: it holds numbers of "
            f"{old.resample}, and here {new.resample} are compared; give the run itself, or a "
            "baseline that cranfield gate --save wrote"
        )
    odd = sorted(new.values.keys() ^ old.values.keys())
    if odd:
        raise InputError(
            f"{where} does not compare with run {new.run!r} by {new.measure}: only one of them has "
            f"a score of {several(len(odd), old.resample.removesuffix('s'))}: {first_ten(odd)}; "
            "score both over the same"
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


def _agree(name: str, one: str | None, other: str | None) -> bool:
    if name == "truth" and one and other:  # a short hash is the beginning of the whole one
        size = min(len(one), len(other))
        return one[:size] == other[:size]
    return one == other


def _told(name: str, value: str | None) -> str:
    if value is None:
        return "not said"
    return value[:8] if name == "truth" else value
