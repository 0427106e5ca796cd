"""Tournament: all runs against each other, by one measure and one test."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from cranfield._version import __version__
from cranfield.caching import cached_property
from cranfield.core.chart import Drawing
from cranfield.core.reference_names import references_remark
from cranfield.core.result import Analysis
from cranfield.core.table import Better, Column, Table
from cranfield.core.terms import Terms
from cranfield.engine.evaluation import Score, or_null
from cranfield.engine.standings import competition_ranks, runs_table
from cranfield.errors import InputError, first_ten, several
from cranfield.measures import Measure
from cranfield.statistics.comparing.units import Units
from cranfield.statistics.comparing.variance import (
    Factor,
    Variance,
    critical_difference,
    variance_of,
)

CORRECTIONS = {"max_t": "step-down max-T", "nemenyi": "Nemenyi", "holm": "Holm", "none": "nothing"}
_DIGITS = 4
_FEW_PAIRS = 15
"""Up to so many pairs are shown one by one."""


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
        return self.adjusted < require_alpha(alpha)

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
    """How runs were compared, as it stands in the signature."""

    test: str
    correction: str
    resample: str
    samples: int | None
    """Resamples that were taken; None for tests that need none."""
    seed: int | None
    smallest: float
    """No p-value can be smaller."""
    measures: int = 1
    """Measures whose comparisons were corrected together."""
    families: int = 1
    """Families of comparisons that were corrected apart; Bonferroni's factor joins them."""

    def __str__(self) -> str:
        names = ("test", "correction", "resample", "samples", "seed")
        values = {name: getattr(self, name) for name in names}
        values |= {name: n for name in ("measures", "families") if (n := getattr(self, name)) > 1}
        return ",".join(f"{name}={value}" for name, value in values.items() if value is not None)

    @property
    def test_name(self) -> str:
        """As papers write it: Nemenyi test"""
        proper = self.test in ("wilcoxon", "nemenyi")
        return f"{self.test.capitalize() if proper else self.test} test"

    def corrected_for(self, pairs: int) -> str:
        """by step-down max-T for 28 pairs × 3 measures"""
        text = f"corrected by {CORRECTIONS[self.correction]} for {several(pairs, 'pair')}"
        if self.measures > 1:
            text += f" × {several(self.measures, 'measure')}"
        if self.families > 1:
            text += f", times {self.families} (Bonferroni) since units differ"
        return text


class Tournament(Analysis):
    """All pairs of runs: tournament["A", "B"].adjusted."""

    title = "Which runs differ"

    def __init__(
        self,
        scores: Sequence[Score],
        pairs: Sequence[Pair],
        choices: Choices,
        units: Units,
        mean_ranks: Mapping[str, float] | None = None,
        references: Sequence[Score] = (),
        alpha: float = 0.05,
    ) -> None:
        self.measure: Measure = scores[0].measure
        self.choices = choices
        self.alpha = require_alpha(alpha)
        """The level of significance, where a method is called without another one."""
        self.units = units.values.shape[1]
        """Items or concepts that runs were compared on."""
        self._units = units
        self.mean_ranks = mean_ranks
        """The rank of each run on average over units, where the test is by ranks."""
        self._references = tuple(references)
        self._scores = {score.run.name: score for score in scores}
        self._by_name = {(pair.a, pair.b): pair for pair in pairs}
        self.pairs = tuple(self[names] for names in combinations(self.runs, 2))
        """Every pair once, the better run first."""

    @property
    def terms(self) -> Terms:
        return next(iter(self._scores.values())).truth.terms

    def at(self, alpha: float) -> Tournament:
        """The same at another level of significance."""
        return Tournament(
            list(self._scores.values()),
            list(self._by_name.values()),
            self.choices,
            self._units,
            self.mean_ranks,
            self._references,
            alpha,
        )

    @property
    def left_out(self) -> tuple[str, ...]:
        """Runs that are no systems, being random or perfect, and so were not tested."""
        return tuple(score.run.name for score in self._references)

    @cached_property
    def references(self) -> dict[str, float]:
        """The scores of these runs, best first; undefined ones last."""
        scores = {score.run.name: score.value for score in self._references}
        return dict(sorted(scores.items(), key=lambda entry: self._loss(entry[1])))

    def _loss(self, score: float) -> float:
        if math.isnan(score):
            return math.inf
        return -score if self.measure.traits.better == "higher" else score

    @cached_property
    def runs(self) -> tuple[str, ...]:
        """Best first: by mean rank where the test is by ranks, else by score."""
        ranks = self.mean_ranks or {}

        def order(run: str) -> tuple[float, float, str]:
            return ranks.get(run, 0.0), self._loss(self.score(run)), run

        return tuple(sorted(self._scores, key=order))

    @cached_property
    def places(self) -> dict[str, int]:
        """The rank of each run by its score, best first; equal scores share one."""
        ranks = competition_ranks([-self._loss(self.score(run)) for run in self.runs])
        return dict(zip(self.runs, ranks.astype(int).tolist(), strict=True))

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

    @cached_property
    def variance(self) -> Variance:
        """Whether runs differ at all: analyses of variance, and Friedman's test of ranks."""
        return variance_of(self._units)

    # ── decisions ─────────────────────────────────────────────────────────────────────────────

    def significant(self, alpha: float | None = None) -> tuple[Pair, ...]:
        """Pairs whose runs differ, by adjusted p-values."""
        level = self._level(alpha)
        return tuple(pair for pair in self.pairs if pair.differs(level))

    def beaten(self, alpha: float | None = None) -> dict[str, tuple[str, ...]]:
        """For each run those that it beats significantly, best first."""
        beaten: dict[str, list[str]] = {run: [] for run in self.runs}
        for pair in self.significant(alpha):
            if pair.ahead:
                beaten[pair.ahead].append(pair.b if pair.ahead == pair.a else pair.a)
        return {run: tuple(sorted(lost, key=self.runs.index)) for run, lost in beaten.items()}

    def groups(self, alpha: float | None = None) -> tuple[tuple[str, ...], ...]:
        """Neighbours, best first, no two of which differ; as long as can be, every run in one."""
        apart = {(pair.a, pair.b) for pair in self.significant(alpha)}
        groups: list[tuple[str, ...]] = []
        for start in range(len(self.runs)):
            end = start + 1
            while end < len(self.runs) and not any(
                (self.runs[index], self.runs[end]) in apart for index in range(start, end)
            ):
                end += 1
            if not groups or self.runs[end - 1] not in groups[-1]:
                groups.append(self.runs[start:end])
        return tuple(groups)

    def remarks(self, alpha: float | None = None) -> tuple[str, ...]:
        """What readers should know beside the numbers."""
        level = self._level(alpha)
        remarks = [references_remark(self.left_out)] if self.left_out else []
        return (*remarks, *self.unreachable(level))

    def unreachable(self, level: float) -> list[str]:
        """Says so where too few resamples were taken for any pair to be significant."""
        comparisons = len(self.pairs) * self.choices.measures
        if self.choices.correction != "holm" or self.choices.smallest * comparisons <= level:
            return []
        needed = math.ceil(comparisons / level)
        pairs = "pair" if self.choices.measures == 1 else "comparison"
        return [
            f"no {pairs} of {comparisons} can reach {level:g} by Holm, since no p-value is "
            f"below {self.choices.smallest:.2g}; take max_t, or at least {needed} samples"
        ]

    def letters_of_beaten(self, run: str) -> str:
        """The letters of runs that a run beats significantly: a,c–f."""
        return letters(map(self.runs.index, self.beaten()[run]))

    def _level(self, alpha: float | None) -> float:
        return self.alpha if alpha is None else require_alpha(alpha)

    # ── the result ────────────────────────────────────────────────────────────────────────────

    def _tables(self) -> list[Table]:
        pairs = [pair.row(self.alpha) for pair in self.pairs]
        shown = [
            row | {"_emphasis": "" if pair.differs(self.alpha) else "faint"}
            for row, pair in zip(pairs, self.pairs, strict=True)
        ]
        columns = [
            column
            for column in _PAIR_COLUMNS
            if column.field not in ("a_better", "b_better") or self._units_have_scores
        ]
        few = [Table("pairs", shown, columns, audience="screens", emphasis="_emphasis")]
        return [
            self._runs_table(),
            *(few if len(pairs) <= _FEW_PAIRS else ()),
            Table("pairs", pairs, audience="programs"),
        ]

    @property
    def _units_have_scores(self) -> bool:
        return any(not math.isnan(pair.a_better) for pair in self.pairs)

    def _runs_table(self) -> Table:
        ranks = self.mean_ranks or {}
        rows: list[dict[str, Any]] = [
            {
                "letter": letter(index),
                "run": run,
                "score": self.score(run),
                "mean_rank": ranks.get(run),
                "beats": self.letters_of_beaten(run) or None,
            }
            for index, run in enumerate(self.runs)
        ]
        rows += [
            {"letter": "", "run": run, "score": score, "mean_rank": None, "beats": ""}
            for run, score in self.references.items()
        ]
        better: Better = "lower" if self.measure.traits.better == "lower" else "higher"
        score = Column("score", str(self.measure), _DIGITS, better=better)
        columns = (
            Column("letter", " ", key=True),
            Column("run", key=True),
            replace(score, audience="screens"),
            replace(score, audience="papers", mark="beats"),
            *([Column("mean_rank", digits=2)] if ranks else ()),
            Column("beats", audience="screens", align="left"),
        )
        return runs_table(
            "runs", rows, columns, references=self.references, caption=self._caption()
        )

    def _caption(self) -> str:
        chosen = self.choices
        return (
            f"Scores of {several(len(self.runs), 'run')} by {self.measure} over {self.over}. "
            f"Superscripts name the runs that a run is significantly better than "
            f"({chosen.test_name}, p-values {chosen.corrected_for(len(self.pairs))}, "
            f"α = {self.alpha:g}); the best score is bold.{self.untested}"
        )

    @property
    def untested(self) -> str:
        """What a caption says of runs that are no systems."""
        return " Runs below the second rule are no systems and were not tested." * bool(
            self._references
        )

    @property
    def over(self) -> str:
        """300 items"""
        return self.terms.several(self.units, self.choices.resample.removesuffix("s"))

    def _remarks(self) -> list[str]:
        """What was done, and what it says of all runs together."""
        chosen = self.choices
        how = f"{chosen.test_name} over {self.over}"
        if chosen.samples is not None:
            how += f", {chosen.samples} resamples, seed {chosen.seed}"
        groups = [group for group in self.groups() if len(group) > 1]
        alike = "; ".join(letters(map(self.runs.index, group)) for group in groups)
        variance = self.variance
        return [
            f"{how}; p-values {chosen.corrected_for(len(self.pairs))}, α = {self.alpha:g}",
            f"no significant difference between neighbours: {alike}"
            if alike
            else "all neighbours differ",
            f"ANOVA over runs: one-way {_f_test(variance.one_way)}; two-way with "
            f"{self.terms.word(chosen.resample)} as blocks {_f_test(variance.runs)}",
            *self.remarks(),
        ]

    def _charts(self) -> list[Drawing]:
        from cranfield.statistics.comparing.diagram import difference_diagram

        coordinates = dict(self.mean_ranks or {run: self.score(run) for run in self.runs})
        # Another correction than Nemenyi's has no one difference that decides.
        length = (
            critical_difference(len(self.runs), self.units, self.alpha)
            if self.choices.correction == "nemenyi"
            else 0.0
        )
        drawing = difference_diagram(
            coordinates,
            self.groups(),
            {run: self.score(run) for run in self.runs},
            axis="mean rank" if self.mean_ranks else str(self.measure),
            falls=bool(self.mean_ranks) or self.measure.traits.better == "lower",
            length=length,
        )
        how = (
            f"{self.choices.test_name}, corrected by {CORRECTIONS[self.choices.correction]}, "
            f"α = {self.alpha:g}; bars join runs without a significant difference"
        )
        return [replace(drawing, title=f"Which runs differ by {self.measure}", subtitle=how)]

    def _signature(self) -> str:
        return self.signature

    @cached_property
    def signature(self) -> str:
        """Every choice, the version, and hashes of truth and runs."""
        first = next(iter(self._scores.values()))
        chosen = {n: v for n, v in first.conventions.items() if n != "decisions"}
        conventions = ",".join(f"{name}={value}" for name, value in chosen.items())
        name = str(self.measure).partition("(")[0]
        digests = sorted(score.run.digest for score in self._scores.values())
        runs = hashlib.blake2b(" ".join(digests).encode(), digest_size=4).hexdigest()
        return (
            f"{name}({conventions})|compare({self.choices})|units={self.units}"
            f"|cranfield={__version__}|truth={first.truth.digest[:8]}|runs={runs}"
        )

    def to_json(self, *, indent: int | None = None, alpha: float | None = None) -> str:
        """Runs best first with those they beat, groups, all pairs, variance and signature."""
        return (self if alpha is None else self.at(alpha)).result.to_json(indent=indent)

    def _facts(self) -> dict[str, Any]:
        beaten, ranks = self.beaten(), self.mean_ranks or {}
        return {
            "measure": str(self.measure),
            "test": self.choices.test,
            "correction": self.choices.correction,
            "resample": self.choices.resample,
            "samples": self.choices.samples,
            "seed": self.choices.seed,
            "alpha": self.alpha,
            "units": self.units,
            "runs": [
                {"run": run, "rank": rank, "score": self.score(run), "beats": beaten[run]}
                | ({"mean_rank": ranks[run]} if ranks else {})
                for run, rank in self.places.items()
            ],
            "groups": self.groups(),
            "pairs": [pair.row(self.alpha) for pair in self.pairs],
            "left_out": list(self.left_out),
            "references": [{"run": run, "score": n} for run, n in self.references.items()],
            "variance": {
                name: None if test is None else test._asdict()
                for name, test in self.variance._asdict().items()
            },
            "remarks": self.remarks(),
            "signature": self.signature,
        }


_PAIR_COLUMNS = (
    Column("a", "A", key=True),
    Column("b", "B", key=True),
    Column("difference", "A − B", _DIGITS),
    Column("p", digits=_DIGITS, kind="p"),
    Column("adjusted", digits=_DIGITS, kind="p"),
    Column("effect", "d", 2),
    Column("a_better", "A better", 2),
    Column("b_better", "B better", 2),
)


def letter(index: int) -> str:
    """a, b, … z, aa, ab, …"""
    return (letter(index // 26 - 1) if index >= 26 else "") + chr(ord("a") + index % 26)


def letters(indices: Iterable[int]) -> str:
    """Letters of indices in ascending order; three and more neighbours as a stretch: a,c–f."""
    stretches: list[list[int]] = []
    for index in indices:
        if stretches and stretches[-1][-1] == index - 1:
            stretches[-1].append(index)
        else:
            stretches.append([index])
    return ",".join(
        f"{letter(stretch[0])}–{letter(stretch[-1])}"
        if len(stretch) > 2
        else ",".join(map(letter, stretch))
        for stretch in stretches
    )


def _f_test(test: Factor) -> str:
    p = "< 0.0001" if test.p < 1e-4 else f"= {test.p:.4f}"
    return f"F({test.degrees[0]}, {test.degrees[1]}) = {test.F:.4g}, p {p}"


def require_alpha(alpha: float) -> float:
    """A level of significance between 0 and 1."""
    if not 0.0 < alpha < 1.0:
        raise InputError(
            f"{alpha:g} is not between 0 and 1",
            mend="give {alpha} a share such as 0.05",
            parameter="alpha",
        )
    return alpha
