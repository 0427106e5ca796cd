"""Power: which measures tell runs apart, and how far their differences can be trusted.

Two answers, for each measure by itself, so that measures can be compared. Discriminative power
(Sakai 2006): the share of all pairs of runs that differ significantly, and the difference that it
takes. Swap rate (Voorhees & Buckley 2002): how often two parts of the collection disagree on which
of two runs is better, by the difference on one of them; and the difference from which on they
disagree in no more than 5 % of cases.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.core.matrices import Floats
from cranfield.core.progress import part_of
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.engine.evaluation import Evaluation
from cranfield.errors import InputError, require_draws
from cranfield.measures import Measure, measure
from cranfield.statistics.comparing import Pairs, resampled_p
from cranfield.statistics.comparing.swaps import Swaps, swaps
from cranfield.statistics.comparing.units import Resample, scores_of, settled, values_of
from cranfield.studies.field import Progress, judging, require_systems, systems_of
from cranfield.studies.records import Records, Row, defined, listed

SHARES = (1 / 16, 1 / 8, 1 / 4, 1 / 2)
"""Of units, in each of two parts."""

Test = Literal["randomisation", "bootstrap"]


@dataclass(frozen=True, eq=False)
class MeasurePower:
    """What one measure can tell of all pairs of runs."""

    measure: Measure
    resample: Resample
    """What runs are compared on."""
    units: int
    """How many of them."""
    alpha: float
    spread: float
    """The best score and the worst are so far apart."""
    p: Floats
    """(pairs,)."""
    adjusted: Floats
    """(pairs,): by max-T for the number of pairs."""
    needed: Floats
    """(pairs,): the difference that would be significant, by the t distribution."""
    swaps: tuple[Swaps, ...]
    """Smallest parts first."""

    @property
    def discriminative(self) -> float:
        """The share of pairs that differ significantly, each looked at alone (Sakai 2006)."""
        return float(np.mean(self.p < self.alpha))

    @property
    def discriminative_together(self) -> float:
        """The same, corrected for the number of pairs."""
        return float(np.mean(self.adjusted < self.alpha))

    @property
    def trusted(self) -> float:
        """The difference on half of the units (the largest parts) that is swapped rarely enough."""
        return self.swaps[-1].needed(self.alpha)

    @property
    def sensitivity(self) -> float:
        """The share of comparisons on the largest parts with such a difference."""
        return self.swaps[-1].sensitivity(self.alpha)

    @property
    def trusted_on_all(self) -> float:
        """The same on all units, extrapolated: means of n units err by 1/√n."""
        found = np.array([one.needed(self.alpha) * np.sqrt(one.size) for one in self.swaps])
        known = found[np.isfinite(found)]
        return float(known.mean() / np.sqrt(self.units)) if len(known) else np.nan

    def row(self) -> Row:
        """A plain record."""
        return {
            "measure": str(self.measure),
            "resample": self.resample,
            "units": self.units,
            "told_apart": self.discriminative,
            "told_apart_together": self.discriminative_together,
            "needed": float(self.needed.max()),
            "needed_median": float(np.median(self.needed)),
            "spread_of_runs": self.spread,
            "trusted": defined(self.trusted),
            "sensitivity": self.sensitivity,
            "trusted_on_all": defined(self.trusted_on_all),
        }

    def to_dict(self) -> dict[str, Any]:
        """The record, with all p-values and swaps."""
        swaps = [
            {
                "size": part.size,
                "width": part.width,
                "comparisons": part.comparisons.tolist(),
                "swapped": part.swapped.tolist(),
                "ties": part.ties,
                "needed": defined(part.needed(self.alpha)),
                "sensitivity": part.sensitivity(self.alpha),
            }
            for part in self.swaps
        ]
        return self.row() | {
            "p": listed(self.p),
            "adjusted": listed(self.adjusted),
            "swaps": swaps,
        }


class Choices(NamedTuple):
    """What was asked for."""

    alpha: float
    test: Test
    samples: int
    shares: tuple[float, ...]
    draws: int
    resample: Resample | Literal["auto"]
    seed: int

    def require(self) -> None:
        """Refuse what cannot be done."""
        told = ", ".join(f"{share:g}" for share in self.shares) or "missing"
        if not 0.0 < self.alpha < 1.0:
            raise InputError(f"alpha={self.alpha:g}; give a number between 0 and 1, such as 0.05")
        if self.test not in get_args(Test):
            raise InputError(f"test={self.test!r}; choose 'randomisation' or 'bootstrap'")
        require_draws("samples", self.samples, least=100)
        if not self.shares or any(not 0.0 < share <= 0.5 for share in self.shares):
            raise InputError(
                f"shares are {told}; give shares above 0 and up to 0.5, since two parts must have "
                "no unit in common"
            )
        require_draws("draws", self.draws)
        if self.resample not in ("auto", *get_args(Resample)):
            raise InputError(f"resample={self.resample!r}; choose 'auto', 'items' or 'concepts'")
        if self.seed < 0:
            raise InputError(f"seed={self.seed}; seeds start at 0")


@dataclass(frozen=True, eq=False)
class Power(Records):
    """All measures over the same runs."""

    runs: tuple[str, ...]
    measures: tuple[MeasurePower, ...]
    choices: Choices

    def __getitem__(self, spelling: str | Measure) -> MeasurePower:
        wanted = str(measure(spelling)).lower()
        for one in self.measures:
            if str(one.measure).lower() == wanted:
                return one
        names = ", ".join(str(one.measure) for one in self.measures)
        raise InputError(f"{spelling} was not studied; there are {names}")

    @property
    def ordered(self) -> list[MeasurePower]:
        """Measures, those that tell most pairs apart first."""
        return sorted(self.measures, key=lambda one: -one.discriminative)

    def rows(self) -> list[Row]:
        """A record for each measure."""
        return [one.row() for one in self.ordered]

    def to_dict(self) -> dict[str, Any]:
        """What was asked for, and of each measure p-values and swaps too."""
        return {
            "runs": list(self.runs),
            **self.choices._asdict(),
            "measures": [one.to_dict() for one in self.ordered],
        }


def power(
    truth: Truth | Collection,
    runs: Run | Iterable[Run],
    measures: Iterable[str | Measure],
    *,
    alpha: float = 0.05,
    test: Test = "randomisation",
    samples: int = 2_000,
    shares: Iterable[float] = SHARES,
    draws: int = 500,
    resample: Resample | Literal["auto"] = "auto",
    seed: int = 0,
    progress: Progress | None = None,
    **options: Any,
) -> Power:
    """How many pairs of runs a measure tells apart, and which differences can be trusted.

    alpha     level of significance, and the share of swaps that is put up with
    test      "randomisation" or "bootstrap" of units, all pairs at once
    samples   of the test
    shares    of units in each of two parts, up to 1/2
    draws     of two parts
    resample  "items" or "concepts"; "auto": items, but concepts (topics) of open truths, and where
              no item has a share in a score, as by concept.iAP
    progress  called after each run is scored, and after each measure
    options   of `evaluate`: ontology=, costs=, relatedness=, agreement=, missing=, extra=,
              topics=
    """
    choices = Choices(alpha, test, samples, tuple(shares), draws, resample, seed)
    choices.require()
    listed, wanted = systems_of(runs), judging(measures)
    require_systems([run.name for run in listed], 2)
    step: Progress = progress or (lambda: None)
    result = evaluate(truth, listed, wanted, progress=part_of(lambda _: step()), **options)
    every = []
    for one in result.measures:
        every.append(_of_measure(result, one, choices))
        step()
    return Power(result.runs, tuple(every), choices)


def _of_measure(result: Evaluation, one: Measure, chosen: Choices) -> MeasurePower:
    scores = scores_of(result, one)
    units = values_of(scores, settled(scores[0], chosen.resample), by_unit=False)
    pairs = Pairs(units.values)
    sizes = sorted({int(share * pairs.units) for share in chosen.shares} - {0})
    if not sizes:
        told = ", ".join(f"{share:g}" for share in chosen.shares)
        raise InputError(
            f"{one}: {pairs.units} {units.resample} are too few for parts of {told} of them; give "
            "larger shares"
        )
    tested = resampled_p(pairs, chosen.test, chosen.samples, chosen.seed)
    reached = [score.value for score in scores]
    return MeasurePower(
        one,
        units.resample,
        pairs.units,
        chosen.alpha,
        max(reached) - min(reached),
        tested.p,
        tested.stepped,
        _needed(pairs, chosen.alpha),
        swaps(pairs, sizes, chosen.draws, chosen.seed),
    )


def _needed(pairs: Pairs, alpha: float) -> Floats:
    """The mean difference at which a paired t-test of the same spread reaches α."""
    from scipy.special import stdtrit

    degrees = pairs.units - 1
    error = np.sqrt(pairs.spreads / degrees / pairs.units)
    return np.asarray(stdtrit(degrees, 1.0 - alpha / 2.0) * error)
