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
from typing import Annotated, Any, Literal, NamedTuple, get_args

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.core.chart import Axis, Chart
from cranfield.core.matrices import Floats
from cranfield.core.options import Option
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis
from cranfield.core.run import Run
from cranfield.core.table import Column, Table
from cranfield.core.terms import CONCEPTS, Terms
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.engine.direct_calls import of_inputs
from cranfield.engine.evaluation import Evaluation
from cranfield.errors import MOST_DRAWS, InputError, require_draws, several
from cranfield.measures import Measure, measure
from cranfield.statistics.comparing import Pairs, resampled_p
from cranfield.statistics.comparing.swaps import Swaps, swaps
from cranfield.statistics.comparing.units import Resample, scores_of, settled, values_of
from cranfield.studies.field import DECISIONS, RANKINGS, Measures, Seed, sign, studied

SHARES = (1 / 16, 1 / 8, 1 / 4, 1 / 2)
"""Of units, in each of two parts."""

_POINTS = 200
"""Of the curve of p-values of a measure."""
_SHOWN = 3
"""The curve of p-values ends at so many times α."""

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
        errors = np.array([part.needed(self.alpha) * np.sqrt(part.size) for part in self.swaps])
        errors = errors[np.isfinite(errors)]
        return float(errors.mean() / np.sqrt(self.units)) if len(errors) else np.nan

    def row(self) -> dict[str, Any]:
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
            "trusted": self.trusted,
            "sensitivity": self.sensitivity,
            "trusted_on_all": self.trusted_on_all,
        }

    def to_dict(self) -> dict[str, Any]:
        """The record, with all p-values and swaps."""
        swaps = [
            {
                "size": part.size,
                "width": part.width,
                "comparisons": part.comparisons,
                "swapped": part.swapped,
                "ties": part.ties,
                "needed": part.needed(self.alpha),
                "sensitivity": part.sensitivity(self.alpha),
            }
            for part in self.swaps
        ]
        return self.row() | {"p": self.p, "adjusted": self.adjusted, "swaps": swaps}


class Choices(NamedTuple):
    """What was requested."""

    alpha: float
    test: Test
    samples: int
    shares: tuple[float, ...]
    draws: int
    resample: Resample | Literal["auto"]
    seed: int

    def require(self) -> None:
        """Refuse what cannot be done."""
        if not 0.0 < self.alpha < 1.0:
            raise InputError(
                f"{self.alpha:g} is no level of significance",
                mend="give {alpha} a number between 0 and 1, such as 0.05",
                parameter="alpha",
            )
        if self.test not in get_args(Test):
            raise InputError(f"test={self.test!r}; choose 'randomisation' or 'bootstrap'")
        require_draws("samples", self.samples, least=100)
        if not self.shares or any(not 0.0 < share <= 0.5 for share in self.shares):
            raise InputError(
                f"shares are {self.listed_shares or 'missing'}; give shares above 0 and up to 0.5, "
                "since two parts must have no unit in common"
            )
        require_draws("draws", self.draws)
        if self.resample not in ("auto", *get_args(Resample)):
            raise InputError(f"resample={self.resample!r}; choose 'auto', 'items' or 'concepts'")
        if self.seed < 0:
            raise InputError(f"seed={self.seed}; seeds start at 0")

    @property
    def listed_shares(self) -> str:
        return ", ".join(f"{share:g}" for share in self.shares)


@dataclass(frozen=True, eq=False)
class Power(Analysis):
    """All measures over the same runs."""

    title = "Power of measures to separate runs"

    runs: tuple[str, ...]
    measures: tuple[MeasurePower, ...]
    choices: Choices
    warnings: tuple[str, ...] = ()
    """What readers should know about the runs."""
    terms: Terms = CONCEPTS

    def __getitem__(self, spelling: str | Measure) -> MeasurePower:
        requested = str(measure(spelling)).lower()
        for studied_measure in self.measures:
            if str(studied_measure.measure).lower() == requested:
                return studied_measure
        names = ", ".join(str(power.measure) for power in self.measures)
        raise InputError(f"{spelling} was not studied; there are {names}")

    @property
    def ordered(self) -> list[MeasurePower]:
        """Measures, those that separate most pairs first."""
        return sorted(self.measures, key=lambda power: -power.discriminative)

    def _facts(self) -> dict[str, Any]:
        """What was requested, and of each measure p-values and swaps too."""
        return {
            "runs": list(self.runs),
            **self.choices._asdict(),
            "measures": [power.to_dict() for power in self.ordered],
        }

    def _tables(self) -> list[Table]:
        rows = [power.row() for power in self.ordered]
        shown = [
            row
            | {
                "_units": self.terms.several(power.units, power.resample[:-1]),
                "_measure": f"{power.measure} {'↑' if sign(power.measure) > 0 else '↓'}",
            }
            for row, power in zip(rows, self.ordered, strict=True)
        ]
        same = len({row["_units"] for row in shown}) == 1
        columns = (
            Column("_measure", "measure", key=True),
            *([] if same else [Column("_units", "units", align="right")]),
            Column("told_apart", "separated", kind="percent", digits=1),
            Column("told_apart_together", "together", kind="percent", digits=1),
            Column("needed", digits=4),
            Column("trusted", digits=4),
            Column("sensitivity", kind="percent", digits=1),
            Column("trusted_on_all", "on all", digits=4),
        )
        return [
            Table("power", shown, columns, audience="people"),
            Table("measures", rows, audience="programs"),
        ]

    def _remarks(self) -> list[str]:
        chosen, runs = self.choices, len(self.runs)
        units = {self.terms.several(power.units, power.resample[:-1]) for power in self.ordered}
        return [
            *(f"measured on {size}" for size in units if len(units) == 1),
            f"separated: of {several(runs * (runs - 1) // 2, 'pair')} of {runs} runs, those that "
            f"differ significantly at α = {chosen.alpha:g} ({chosen.test} test); together: "
            "after correction for multiple comparisons (max-T)",
            "needed: a difference that is significant for every pair (JSON: also the median)",
            "trusted: a difference on half of the units whose sign another half "
            f"reverses in at most {100 * chosen.alpha:.4g} % of {several(chosen.draws, 'draw')}; "
            "sensitivity: share of comparisons with such a difference; on all: the same, "
            "extrapolated to all units",
        ]

    def _charts(self) -> list[Chart]:
        """Curves of p-values over pairs, and swap rates over differences."""
        alpha = self.choices.alpha
        return [
            Chart(
                kind="lines",
                rows=self._curves(),
                x=Axis("share", "pairs, the least different first", domain=(0, 1), percent=True),
                y=Axis("p", "p", domain=(0, _SHOWN * alpha)),
                series="measure",
                order=[str(power.measure) for power in self.ordered],
                stairs=True,
                rules=(alpha,),
                title="Pairs of runs by their p-value",
                subtitle="the further to the left a curve falls below the line, the more pairs a "
                "measure separates",
            ),
            Chart(
                kind="lines",
                rows=[row for power in self.ordered for row in _swap_rates(power)],
                x=Axis("difference", "difference"),
                y=Axis("rate", "swaps", domain=(0, 0.5), percent=True),
                series="units",
                panels="measure",
                free_x=True,
                rules=(alpha,),
                tooltip=("units", "difference", "rate", "comparisons"),
                title="How often another part of the collection says the opposite",
                subtitle="by the difference of two runs; lines: units of a part; dashed: "
                f"{100 * alpha:.4g} %",
            ),
        ]

    def _curves(self) -> list[dict[str, Any]]:
        rows = []
        for power in self.measures:
            ordered = np.sort(power.p)[::-1]
            indices = np.unique(np.linspace(0, len(ordered) - 1, _POINTS).astype(np.int64))
            rows += [
                {
                    "measure": str(power.measure),
                    "share": (index + 1) / len(ordered),
                    "p": float(ordered[index]),
                }
                for index in indices.tolist()
            ]
        return rows


@of_inputs
def power(
    truth: Truth | Collection,
    runs: Run | Iterable[Run],
    measures: Measures = None,
    *,
    alpha: Annotated[float, Option(metavar="SHARE")] = 0.05,
    test: Annotated[Test, Option()] = "randomisation",
    samples: Annotated[int, Option(minimum=100, maximum=MOST_DRAWS)] = 2_000,
    shares: Iterable[float] = SHARES,
    draws: Annotated[int, Option(minimum=1, maximum=MOST_DRAWS)] = 500,
    resample: Annotated[Literal["auto", "items", "concepts"], Option()] = "auto",
    seed: Seed = 0,
    progress: Progress = silent,
    **options: Any,
) -> Power:
    """Ask which measures separate runs, and which differences can be trusted.

    Discriminative power: the share of all pairs of runs that differ significantly. Swap rate: two
    parts of the collection are drawn again and again, and it is counted how often they disagree on
    which of two runs is better, by the size of the difference.

    alpha     Level of significance, and of swaps put up with.
    test      The test of two runs, on units, all pairs at once.
    samples   Of the test.
    shares    of units in each of two parts, up to 1/2
    draws     Of two parts of the collection.
    resample  What runs are compared on; auto: items, but concepts (topics) of TREC files, and where
              no item has a share in a score, as by concept.iAP.
    options   of `evaluate`: ontology=, costs=, relatedness=, agreement=, missing=, extra=, topics=
    """
    choices = Choices(alpha, test, samples, tuple(shares), draws, resample, seed)
    choices.require()
    usual = (*RANKINGS, *DECISIONS)
    _, systems, requested, warnings = studied(truth, runs, measures, usual=usual, **options)
    evaluation = evaluate(truth, systems, requested, progress=progress, **options)
    powers = []
    with progress("comparing", len(evaluation.measures)) as step:
        for scored in evaluation.measures:
            powers.append(_of_measure(evaluation, scored, choices))
            step(1)
    return Power(evaluation.runs, tuple(powers), choices, warnings, evaluation.terms)


def _of_measure(evaluation: Evaluation, measure: Measure, chosen: Choices) -> MeasurePower:
    scores = scores_of(evaluation, measure)
    units = values_of(scores, settled(scores[0], chosen.resample), by_unit=False)
    pairs = Pairs(units.values)
    sizes = sorted({int(share * pairs.units) for share in chosen.shares} - {0})
    if not sizes:
        raise InputError(
            f"{measure}: {pairs.units} {units.resample} are too few for parts of "
            f"{chosen.listed_shares} of them; give larger shares"
        )
    tested = resampled_p(pairs, chosen.test, chosen.samples, chosen.seed)
    reached = [score.value for score in scores]
    return MeasurePower(
        measure,
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


def _swap_rates(power: MeasurePower) -> list[dict[str, Any]]:
    return [
        {
            "measure": str(power.measure),
            "units": str(part.size),
            "difference": float(edge),
            "rate": min(0.5, float(rate)),
            "comparisons": int(count),
        }
        for part in power.swaps
        for edge, rate, count in zip(part.edges, part.rates, part.comparisons, strict=True)
        if count
    ]
