"""Tournament: all runs against each other, by one measure and one test."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from cranfield._version import __version__
from cranfield.caching import cached_property
from cranfield.core.reference_names import references_remark
from cranfield.engine.evaluation import Score, or_null
from cranfield.engine.standings import competition_ranks
from cranfield.errors import InputError, first_ten
from cranfield.measures import Measure
from cranfield.statistics.comparing.ranks import Friedman
from cranfield.statistics.comparing.units import Units
from cranfield.statistics.comparing.variance import Factor, Variance, variance_of

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True)
class Pair:
    """Two runs, and whether they differ."""

    a: str
    b: str
    difference: float
    """Score of A − score of B."""
    p: float
    adjusted: float
    """The p-value, corrected for all pairs."""
    effect: float
    """Cohen's d of paired units: the mean advantage of A by its standard deviation."""
    a_better: float
    """The share of units on which A is better; NaN where units have no scores of their own."""
    b_better: float
    ahead: str
    """The run that the test finds ahead, significantly or not; empty if neither is."""

    def differs(self, alpha: float = 0.05) -> bool:
        """Whether the runs differ significantly."""
        return self.adjusted < _level(alpha)

    def winner_at(self, alpha: float) -> str:
        """The run that is significantly ahead; empty if none is."""
        return self.ahead if self.differs(alpha) else ""

    @property
    def winner(self) -> str:
        """The run that is significantly ahead at α = 0.05; empty if none is."""
        return self.winner_at(0.05)

    @property
    def turned(self) -> Pair:
        """The same with A and B exchanged."""
        return replace(
            self,
            a=self.b,
            b=self.a,
            difference=-self.difference,
            effect=-self.effect,
            a_better=self.b_better,
            b_better=self.a_better,
        )

    def row(self, alpha: float = 0.05) -> dict[str, Any]:
        """A plain record; a number that is undefined is None."""
        names = ("difference", "p", "adjusted", "effect", "a_better", "b_better")
        numbers = {name: or_null(getattr(self, name)) for name in names}
        return {"a": self.a, "b": self.b, **numbers, "winner": self.winner_at(alpha)}


@dataclass(frozen=True)
class Choices:
    """What was asked for, as it stands in the signature."""

    test: str
    correction: str
    resample: str
    samples: int | None
    """Resamples that were taken; None for tests that need none."""
    seed: int | None
    smallest: float
    """No p-value can be smaller."""

    def __str__(self) -> str:
        told = {"test": self.test, "correction": self.correction, "resample": self.resample}
        if self.samples is not None:
            told |= {"samples": str(self.samples)}
        if self.seed is not None:
            told |= {"seed": str(self.seed)}
        return ",".join(f"{name}={value}" for name, value in told.items())


class Tournament:
    """All pairs of runs: tournament["A", "B"].adjusted."""

    def __init__(
        self,
        scores: Sequence[Score],
        pairs: Sequence[Pair],
        choices: Choices,
        units: Units,
        mean_ranks: Mapping[str, float] | None = None,
        left_out: Sequence[str] = (),
    ) -> None:
        self.measure: Measure = scores[0].measure
        self.choices = choices
        self.units = units.values.shape[1]
        """Items or concepts that runs were compared on."""
        self._units = units
        self.mean_ranks = mean_ranks
        """The place of each run on average over units, where the test is by ranks."""
        self.left_out = tuple(left_out)
        """Runs that are no systems, being random or perfect, and so were not tested."""
        self._scores = {score.run.name: score for score in scores}
        self._by_name = {(pair.a, pair.b): pair for pair in pairs}
        self.pairs = tuple(self[names] for names in combinations(self.runs, 2))
        """Every pair once, the better run first."""

    @cached_property
    def runs(self) -> tuple[str, ...]:
        """Best first: by mean rank where the test is by ranks, else by score."""
        sign = -1.0 if self.measure.traits.better == "higher" else 1.0
        ranks = self.mean_ranks or {}
        return tuple(
            sorted(self._scores, key=lambda run: (ranks.get(run, 0.0), sign * self.score(run), run))
        )

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each run by its score, best first; equal scores share one."""
        sign = 1.0 if self.measure.traits.better == "higher" else -1.0
        found = competition_ranks([sign * self.score(run) for run in self.runs])
        return dict(zip(self.runs, found.astype(int).tolist(), strict=True))

    def score(self, run: str) -> float:
        if run not in self._scores:
            raise InputError(f"there is no run {run!r}; runs: {first_ten(self._scores)}")
        return self._scores[run].value

    def __getitem__(self, names: tuple[str, str]) -> Pair:
        if names in self._by_name:
            return self._by_name[names]
        if isinstance(names, tuple) and names[::-1] in self._by_name:
            return self._by_name[names[::-1]].turned
        raise InputError(
            f"there is no pair {names!r}; look pairs up by two of the runs {first_ten(self.runs)}"
        )

    def __repr__(self) -> str:
        return f"Tournament({len(self.runs)} runs, {self.measure}, {self.choices})"

    @cached_property
    def variance(self) -> Variance:
        """Whether runs differ at all: analyses of variance, and Friedman's test of ranks."""
        return variance_of(self._units)

    # ── decisions ─────────────────────────────────────────────────────────────────────────────

    def significant(self, alpha: float = 0.05) -> tuple[Pair, ...]:
        """Pairs whose runs differ, by adjusted p-values."""
        return tuple(pair for pair in self.pairs if pair.differs(alpha))

    def beaten(self, alpha: float = 0.05) -> dict[str, tuple[str, ...]]:
        """For each run those that it beats significantly, best first."""
        found: dict[str, list[str]] = {run: [] for run in self.runs}
        for pair in self.significant(alpha):
            if pair.ahead:
                found[pair.ahead].append(pair.b if pair.ahead == pair.a else pair.a)
        return {run: tuple(sorted(lost, key=self.runs.index)) for run, lost in found.items()}

    def groups(self, alpha: float = 0.05) -> tuple[tuple[str, ...], ...]:
        """Neighbours, best first, no two of which differ; as long as can be, every run in one."""
        apart = {(pair.a, pair.b) for pair in self.significant(alpha)}
        found: list[tuple[str, ...]] = []
        for start in range(len(self.runs)):
            end = start + 1
            while end < len(self.runs) and not any(
                (self.runs[place], self.runs[end]) in apart for place in range(start, end)
            ):
                end += 1
            if not found or self.runs[end - 1] not in found[-1]:
                found.append(self.runs[start:end])
        return tuple(found)

    def remarks(self, alpha: float = 0.05) -> tuple[str, ...]:
        """What readers should know."""
        told = [references_remark(self.left_out)] if self.left_out else []
        if self.choices.correction == "holm" and self.choices.smallest * len(self.pairs) > alpha:
            needed = math.ceil(len(self.pairs) / alpha)
            told.append(
                f"no pair of {len(self.pairs)} can reach {alpha:g} by Holm, since no p-value is "
                f"below {self.choices.smallest:.2g}; take max_t, or samples={needed} and more"
            )
        return tuple(told)

    # ── for other programs ────────────────────────────────────────────────────────────────────

    @cached_property
    def signature(self) -> str:
        """Every choice, the version, and hashes of truth and runs."""
        first = next(iter(self._scores.values()))
        chosen = {n: v for n, v in first.conventions.items() if n != "decisions"}
        told = ",".join(f"{name}={value}" for name, value in chosen.items())
        name = str(self.measure).partition("(")[0]
        digests = sorted(score.run.digest for score in self._scores.values())
        runs = hashlib.blake2b(" ".join(digests).encode(), digest_size=4).hexdigest()
        return (
            f"{name}({told})|compare({self.choices})|units={self.units}|cranfield={__version__}"
            f"|truth={first.truth.digest[:8]}|runs={runs}"
        )

    @cached_property
    def frame(self) -> polars.DataFrame:
        """Polars: a, b, difference, p, adjusted, effect, a_better, b_better, winner."""
        import polars

        return polars.DataFrame([pair.row() for pair in self.pairs], infer_schema_length=None)

    def to_json(self, *, indent: int | None = None, alpha: float = 0.05) -> str:
        """Runs best first with those they beat, groups, all pairs, variance and signature."""
        beaten = self.beaten(alpha)
        ranks = self.mean_ranks or {}
        told = {
            "measure": str(self.measure),
            "test": self.choices.test,
            "correction": self.choices.correction,
            "resample": self.choices.resample,
            "samples": self.choices.samples,
            "seed": self.choices.seed,
            "alpha": alpha,
            "units": self.units,
            "runs": [
                {"run": run, "rank": place, "score": self.score(run), "beats": beaten[run]}
                | ({"mean_rank": ranks[run]} if ranks else {})
                for run, place in self.places.items()
            ],
            "groups": self.groups(alpha),
            "pairs": [pair.row(alpha) for pair in self.pairs],
            "left_out": list(self.left_out),
            "variance": {
                name: None if test is None else _test_row(test)
                for name, test in self.variance._asdict().items()
            },
            "remarks": self.remarks(alpha),
            "signature": self.signature,
        }
        return json.dumps(told, indent=indent, ensure_ascii=False)


def _test_row(test: Factor | Friedman) -> dict[str, Any]:
    return {
        name: or_null(value) if isinstance(value, float) else value
        for name, value in test._asdict().items()
    }


def _level(alpha: float) -> float:
    if not 0.0 < alpha < 1.0:
        raise InputError(f"alpha={alpha:g}; give a number between 0 and 1, such as 0.05")
    return alpha
