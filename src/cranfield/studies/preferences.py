"""Preferences: which of several runs people or judging models prefer, from comparisons of two.

Davidson 1970 extends Bradley & Terry 1952 by ties, Davidson & Beaver 1977 by the order of
presentation. With strengths θ, the advantage δ of the left and the readiness η to call a tie:

    left wins : right wins : tie  =  e^(θₗ + δ) : e^θᵣ : e^(η + (θₗ + θᵣ)/2)

Strengths add up to 0; a difference of θ is the logarithm of the odds that one run wins. Without
ties and position this is the model of Bradley and Terry. The likelihood is concave, so that
Newton's steps lead to its maximum. Judgements of one item are not independent, so errors are those
of the sandwich with items as clusters (Liang & Zeger 1986), K/(K − 1) for K items and Student's t.

A run that always wins, or runs that nobody compared, have no finite strengths. Then the penalty
λ/2 · Σ θ² (a normal prior) is taken off the likelihood, which a remark and the signature say.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np

from cranfield._version import __version__
from cranfield.caching import cached_property
from cranfield.core.axes import is_missing
from cranfield.core.chart import Axis, Chart
from cranfield.core.matrices import Floats, Ints
from cranfield.core.options import Option
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.engine.score_table import RowError, table_columns
from cranfield.errors import InputError, first_ten, several
from cranfield.statistics.significance import holm, wilson

_TIES = ("tie", "draw")
_LEFT, _RIGHT, _TIE = range(3)
_REQUIRED = ("item", "left", "right", "winner")
PENALTY = 0.1
"""What is taken where no finite strengths exist: a prior with a standard deviation of 3 or so."""
_FAR = 12.0
"""Strengths beyond this grow without end: odds of more than 100,000 to 1."""
_STEPS, _CLOSE = 200, 1e-10


@dataclass(frozen=True, eq=False)
class Judgements:
    """Comparisons of two runs, in an order that does not depend on that of the rows."""

    runs: tuple[str, ...]
    left: Ints
    right: Ints
    outcome: Ints
    """0 the left one, 1 the right one, 2 a tie."""
    items: tuple[str, ...]
    item: Ints
    judges: tuple[str, ...]
    """Empty if nobody is named."""
    judge: Ints

    @classmethod
    def of(cls, data: Any) -> Judgements:
        """From a frame, a mapping of columns, or rows with item, left, right, winner[, judge]."""
        if isinstance(data, cls):
            return data
        try:
            return cls.of_columns(table_columns(data))
        except RowError as error:
            raise InputError(f"row {error.row + 1}: {error.what}", mend=error.mend) from None

    @classmethod
    def of_columns(cls, columns: Mapping[str, Sequence[Any]]) -> Judgements:
        """From columns; raises `RowError` about a row."""
        table = {name.strip().casefold(): values for name, values in columns.items()}
        lacking = [name for name in _REQUIRED if name not in table]
        if lacking:
            raise InputError(
                f"there is no column {' and no column '.join(lacking)}; the columns are "
                f"{first_ten(columns) or 'none'}",
                mend="call them item, left, right, winner and, if there are several, judge",
            )
        names = [name for name in (*_REQUIRED, "judge") if name in table]
        texts = [
            [_text(value, name, row) for row, value in enumerate(table[name])] for name in names
        ]
        listed = sorted(
            (_outcome(row, *values[:4]), *values)
            for row, values in enumerate(zip(*texts, strict=True))
        )
        if not listed:
            raise InputError("there are no comparisons; write a row for each")
        outcome, item, left, right, _, *judge = map(list, zip(*listed, strict=True))
        runs = tuple(sorted({*left, *right}))
        numbers = {run: number for number, run in enumerate(runs)}
        items, item_of = np.unique(item, return_inverse=True)
        judges, judge_of = np.unique(judge[0] if judge else [], return_inverse=True)
        return cls(
            runs,
            np.array([numbers[run] for run in left]),
            np.array([numbers[run] for run in right]),
            np.array(outcome),
            tuple(map(str, items)),
            item_of.ravel(),
            tuple(map(str, judges)),
            judge_of.ravel(),
        )

    def __len__(self) -> int:
        return len(self.outcome)

    @property
    def digest(self) -> str:
        rows = [self.runs, self.items, self.judges]
        content = hashlib.sha256(repr(rows).encode())
        for numbers in (self.left, self.right, self.outcome, self.item, self.judge):
            content.update(np.ascontiguousarray(numbers, dtype=np.int64).data)
        return content.hexdigest()[:8]

    def counts(self) -> Ints:
        """(3, runs, runs): comparisons that the first run won, lost and tied, either side."""
        counts = np.zeros((3, len(self.runs), len(self.runs)), dtype=np.int64)
        np.add.at(counts, (self.outcome, self.left, self.right), 1)
        return np.array([
            counts[_LEFT] + counts[_RIGHT].T,
            counts[_RIGHT] + counts[_LEFT].T,
            counts[_TIE] + counts[_TIE].T,
        ])  # fmt: skip


def _text(value: Any, name: str, row: int) -> str:
    text = "" if is_missing(value) else str(value).strip()
    if not text:
        raise RowError(row, f"there is no {name}", mend="fill it in, or leave the row out")
    return text


def _outcome(row: int, _: str, left: str, right: str, winner: str) -> int:
    if left == right:
        raise RowError(row, f"{left!r} is compared with itself", mend="compare two runs")
    sides = {left: _LEFT, right: _RIGHT}
    outcome = sides.get(winner, {"left": _LEFT, "right": _RIGHT}.get(winner.casefold()))
    if outcome is None and winner.casefold() in _TIES:
        outcome = _TIE
    if outcome is None:
        raise RowError(
            row,
            f"the winner {winner!r} was not compared",
            mend=f"write {left}, {right}, left, right or tie",
        )
    return outcome


# ── the model ─────────────────────────────────────────────────────────────────────────────────


class Fit(NamedTuple):
    """Parameters at the maximum, and their covariance with items as clusters."""

    strengths: Floats
    left: float
    """δ: the advantage of the left one; 0 if it was not asked for."""
    tie: float
    """η; −inf if there are no ties."""
    covariance: Floats
    """Of strengths and δ."""
    penalty: float
    finite: bool


def fit(judgements: Judgements, penalty: float, *, position: bool) -> Fit:
    """The most likely strengths, less the penalty."""
    runs, size = len(judgements.runs), len(judgements.runs) + 2
    design = _design(judgements)
    tied = bool((judgements.outcome == _TIE).any())
    free = np.array([True] * runs + [position, tied])
    alternatives = 3 if tied else 2
    design = design[:, :alternatives] * free
    rows = np.arange(len(judgements))
    punished = penalty * np.array([1.0] * runs + [float(position), 0.0])
    parameters = np.zeros(size)

    def look(at: Floats) -> tuple[float, Floats, Floats, Floats]:
        """Likelihood, its slope for each comparison, slope and curvature of the whole."""
        scale = design @ at
        scale -= scale.max(axis=1, keepdims=True)
        chance = np.exp(scale)
        chance /= chance.sum(axis=1, keepdims=True)
        mean = np.einsum("na,nap->np", chance, design)
        slopes = design[rows, judgements.outcome] - mean
        centred = design - mean[:, None, :]
        bend = np.einsum("na,nap,naq->pq", chance, centred, centred) + np.diag(punished)
        level = float(np.log(chance[rows, judgements.outcome]).sum() - punished @ at**2 / 2.0)
        return level, slopes, slopes.sum(axis=0) - punished * at, bend

    level, slopes, slope, bend = look(parameters)
    for _ in range(_STEPS):
        step = np.linalg.pinv(bend, hermitian=True) @ slope
        while True:
            moved = look(parameters + step)
            if moved[0] >= level - 1e-12 or np.abs(step).max() < _CLOSE:
                break
            step = step / 2.0
        parameters = parameters + step
        level, slopes, slope, bend = moved
        if np.abs(step).max() < _CLOSE or np.abs(parameters).max() > 2.0 * _FAR:
            break
    clusters = len(judgements.items)
    sums = np.zeros((clusters, size))
    np.add.at(sums, judgements.item, slopes)
    inverse = np.linalg.pinv(bend, hermitian=True)
    spread = inverse @ (sums.T @ sums) @ inverse * clusters / max(1, clusters - 1)
    strengths = parameters[:runs] - parameters[:runs].mean()
    return Fit(
        strengths,
        float(parameters[runs]),
        float(parameters[runs + 1]) if tied else -math.inf,
        spread[: runs + 1, : runs + 1],
        penalty,
        bool(np.abs(parameters).max() <= _FAR and _is_settled(bend, free)),
    )


def _is_settled(bend: Floats, free: Any) -> bool:
    """Whether data settle all parameters, but for a number added to all strengths."""
    kept = bend[np.ix_(free, free)]
    values = np.linalg.eigvalsh(kept)
    return bool(values[1] > 1e-7 * values[-1]) if len(values) > 1 else True


def _design(judgements: Judgements) -> Floats:
    """(n, 3, parameters): what the weight of each outcome is made of."""
    runs, rows = len(judgements.runs), np.arange(len(judgements))
    design = np.zeros((len(rows), 3, runs + 2))
    design[rows, _LEFT, judgements.left] = 1.0
    design[rows, _RIGHT, judgements.right] = 1.0
    design[rows, _TIE, judgements.left] = design[rows, _TIE, judgements.right] = 0.5
    design[:, _LEFT, runs] = 1.0
    design[:, _TIE, runs + 1] = 1.0
    return design


# ── the study ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, eq=False)
class Preferences(Analysis):
    """Strengths of runs, how sure they are, and whether the left side has an advantage."""

    title = "Preferences between runs"

    judgements: Judgements
    fit: Fit
    uncorrected: Fit
    """The same without the position."""
    level: float
    remarks: tuple[str, ...]

    @property
    def runs(self) -> tuple[str, ...]:
        """The strongest first; equals by name."""
        order = np.argsort(-np.round(self.fit.strengths, 12), kind="stable")
        return tuple(self.judgements.runs[index] for index in order.tolist())

    def strength(self, run: str) -> float:
        """θ of a run, corrected for its position."""
        if run not in self.judgements.runs:
            raise InputError(f"there is no run {run!r}; runs: {first_ten(self.judgements.runs)}")
        return float(self.fit.strengths[self.judgements.runs.index(run)])

    @cached_property
    def _reach(self) -> float:
        """Student's t for intervals."""
        from scipy.special import stdtrit

        degrees = max(1, len(self.judgements.items) - 1)
        return float(stdtrit(degrees, (1.0 + self.level) / 2.0))

    @property
    def left_chance(self) -> tuple[float, float, float]:
        """The chance that the left one wins between equals, if one wins; and its interval."""
        error = self._reach * math.sqrt(max(0.0, float(self.fit.covariance[-1, -1])))
        ends = (self.fit.left, self.fit.left - error, self.fit.left + error)
        chance, low, high = (0.5 * (1.0 + math.tanh(end / 2.0)) for end in ends)
        return chance, low, high

    def _rows(self) -> list[dict[str, Any]]:
        counts = self.judgements.counts().sum(axis=2)
        contrast = np.eye(len(self.judgements.runs)) - 1.0 / len(self.judgements.runs)
        spread = contrast @ self.fit.covariance[:-1, :-1] @ contrast
        rows = []
        for run in self.runs:
            index = self.judgements.runs.index(run)
            won, lost, tied = counts[:, index].tolist()
            reach = self._reach * math.sqrt(max(0.0, float(spread[index, index])))
            strength = float(self.fit.strengths[index])
            rows.append(
                {
                    "run": run,
                    "comparisons": won + lost + tied,
                    "won": won,
                    "tied": tied,
                    "lost": lost,
                    "win_rate": (won + tied / 2) / (won + lost + tied),
                    "strength": strength,
                    "low": strength - reach,
                    "high": strength + reach,
                    "uncorrected": float(self.uncorrected.strengths[index]),
                }
            )
        return rows

    @cached_property
    def pairs(self) -> list[dict[str, Any]]:
        """Every pair of runs, the stronger first: what was said of it, and whether it differs."""
        from scipy.special import stdtr

        won, lost, tied = self.judgements.counts()
        degrees, rows = max(1, len(self.judgements.items) - 1), []
        for index, a in enumerate(self.runs):
            for b in self.runs[index + 1 :]:
                i, j = self.judgements.runs.index(a), self.judgements.runs.index(b)
                spread = self.fit.covariance
                error = math.sqrt(max(0.0, float(spread[i, i] + spread[j, j] - 2 * spread[i, j])))
                apart = float(self.fit.strengths[i] - self.fit.strengths[j])
                count = int(won[i, j] + lost[i, j] + tied[i, j])
                p = 2.0 * float(stdtr(degrees, -apart / error)) if error > 0.0 else math.nan
                rows.append(
                    {
                        "a": a,
                        "b": b,
                        "comparisons": count,
                        "a_won": int(won[i, j]),
                        "tied": int(tied[i, j]),
                        "b_won": int(lost[i, j]),
                        "win_rate": (won[i, j] + tied[i, j] / 2) / count if count else math.nan,
                        "difference": apart,
                        "low": apart - self._reach * error,
                        "high": apart + self._reach * error,
                        "p": p,
                    }
                )
        adjusted = holm([row["p"] for row in rows]).tolist()
        return [row | {"adjusted": p} for row, p in zip(rows, adjusted, strict=True)]

    def _judges(self) -> list[dict[str, Any]]:
        """How each judge votes: ties, sides, and agreement with the strengths of all."""
        given, rows = self.judgements, []
        ahead = np.sign(self.fit.strengths[given.left] - self.fit.strengths[given.right])
        vote = np.array([1, -1, 0])[given.outcome]
        for number, judge in enumerate(given.judges):
            own = given.judge == number
            decided = own & (vote != 0)
            count, left = int(decided.sum()), int((vote[decided] > 0).sum())
            low, high = wilson(left, count, self.level)
            rows.append(
                {
                    "judge": judge,
                    "comparisons": int(own.sum()),
                    "tied": int(own.sum()) - count,
                    "left": left / count if count else math.nan,
                    "low": low,
                    "high": high,
                    "agreement": float((vote == ahead)[decided].mean()) if count else math.nan,
                }
            )
        return rows

    def _facts(self) -> dict[str, Any]:
        chance, low, high = self.left_chance
        return {
            "comparisons": len(self.judgements),
            "items": len(self.judgements.items),
            "runs": self._rows(),
            "pairs": self.pairs,
            "position": {"left": chance, "low": low, "high": high, "advantage": self.fit.left},
            "tie": math.exp(self.fit.tie),
            "judges": self._judges(),
            "penalty": self.fit.penalty,
            "level": self.level,
            "signature": self.signature,
        }

    def _tables(self) -> list[Table]:
        counts = tuple(Column(name, kind="count") for name in ("won", "tied", "lost"))
        runs = (
            Column("run", key=True),
            *counts,
            Column("win_rate", "win rate", kind="percent", digits=1),
            Column("strength", digits=3, interval=("low", "high"), better="higher"),
            Column("uncorrected", digits=3),
        )
        pairs = (
            Column("a", "A", key=True),
            Column("b", "B", key=True),
            Column("a_won", "A won", kind="count"),
            Column("tied", kind="count"),
            Column("b_won", "B won", kind="count"),
            Column("win_rate", "A's rate", kind="percent", digits=1),
            Column("difference", "A − B", digits=3, interval=("low", "high")),
            Column("adjusted", "p adjusted", digits=4, kind="p"),
        )
        judges = (
            Column("judge", key=True),
            Column("comparisons", kind="count"),
            Column("tied", kind="count"),
            Column("left", "for the left", kind="percent", digits=1, interval=("low", "high")),
            Column("agreement", "with the order of all", kind="percent", digits=1),
        )
        tables = [
            Table("runs", self._rows(), runs),
            Table("pairs", self.pairs, pairs, title="Pairs of runs"),
        ]
        if self.judgements.judges:
            tables.append(Table("judges", self._judges(), judges, title="Judges"))
        return tables

    def _charts(self) -> list[Chart]:
        rates = [
            {"run": row[here], "against": row[there], "win rate": rate}
            for row in self.pairs
            for here, there, rate in (
                ("a", "b", row["win_rate"]),
                ("b", "a", 1.0 - row["win_rate"]),
            )
            if not math.isnan(rate)
        ]
        return [
            Chart(
                kind="ranges",
                rows=self._rows(),
                x=Axis("strength", "strength (log odds)"),
                y=Axis("run", scale="names"),
                ends=("low", "high"),
                tick="uncorrected",
                tooltip=("run", "strength", "low", "high", "won", "tied", "lost"),
                title="Strengths of runs",
                subtitle=f"{100 * self.level:.4g} % intervals, items as clusters; ticks: not "
                "corrected for position",
            ),
            Chart(
                kind="heat",
                rows=rates,
                x=Axis("against", scale="names"),
                y=Axis("run", scale="names"),
                value="win rate",
                title="Win rates",
                subtitle="of the run in the row; a tie is half a win",
            ),
        ]

    def _remarks(self) -> list[str]:
        given, (chance, low, high) = self.judgements, self.left_chance
        model = "Davidson's model" if math.isfinite(self.fit.tie) else "Bradley–Terry model"
        remarks = [
            f"{model} of {several(len(given), 'comparison')} of {several(len(given.items), 'item')}"
            f"; {100 * self.level:.4g} % intervals with items as clusters; strengths are log odds "
            "and add up to 0",
        ]
        if self.fit.covariance[-1, -1] > 0.0 or self.fit.left:
            side = "" if low <= 0.5 <= high else ": position matters"
            remarks.append(
                f"between equals the left one wins {100 * chance:.1f} % of decided comparisons "
                f"[{100 * low:.1f}, {100 * high:.1f}]{side}; strengths are corrected for it"
            )
        return [*remarks, *self.remarks, "p adjusted: Holm, over all pairs"]

    def _signature(self) -> str:
        return self.signature

    @property
    def signature(self) -> str:
        """Every choice, the version, and a hash of the comparisons."""
        model = "davidson" if math.isfinite(self.fit.tie) else "bradley-terry"
        return (
            f"preferences(model={model},position={'left' if self._corrected else 'none'},"
            f"penalty={self.fit.penalty:g},level={self.level:g},clusters=items)"
            f"|comparisons={len(self.judgements)}|items={len(self.judgements.items)}"
            f"|cranfield={__version__}|judgements={self.judgements.digest}"
        )

    @property
    def _corrected(self) -> bool:
        return bool(self.fit.left != 0.0 or self.fit.covariance[-1, -1] > 0.0)


def preferences(
    judgements: Any,
    *,
    position: Annotated[Literal["left", "none"], Option()] = "left",
    penalty: Annotated[float | None, Option(minimum=0.0, default="0; 0.1 where it must")] = None,
    confidence: Annotated[float, Option(metavar="SHARE")] = 0.95,
) -> Preferences:
    """Estimate how strong runs are from comparisons of two, with ties, and correct for position.

    judgements  item, left, right, winner (a name, left, right or tie) and perhaps judge
    position    left: let the left side have an advantage, and correct strengths for it.
    penalty     λ of λ/2 · Σ θ², taken off the likelihood.
    confidence  Level of the intervals.
    """
    if not 0.0 < confidence < 1.0:
        raise InputError(
            f"{confidence:g} is no level", mend="give a share such as 0.95", parameter="confidence"
        )
    if penalty is not None and not (penalty >= 0.0 and math.isfinite(penalty)):
        raise InputError(f"{penalty:g}; give a number from 0 up", parameter="penalty")
    table = Judgements.of(judgements)
    if len(table.items) < 2:
        raise InputError("all comparisons are of one item; intervals need at least two")
    remarks = []
    chosen = position == "left"
    if chosen and not _tells_sides(table):
        chosen = False
        remarks.append(
            "no correction for position: no pair of runs tells sides from runs; show pairs both "
            "ways round"
        )
    best = _fitted(table, penalty, chosen, remarks.append)
    plain = fit(table, best.penalty, position=False) if chosen else best
    return Preferences(table, best, plain, confidence, tuple(remarks))


def _tells_sides(table: Judgements) -> bool:
    """Whether an advantage of the left is anything else than strengths of runs."""
    shown = np.unique(np.stack([table.left, table.right], axis=1), axis=0)
    contrasts = np.zeros((len(shown), len(table.runs) + 1))
    rows = np.arange(len(shown))
    contrasts[rows, shown[:, 0]] += 1.0
    contrasts[rows, shown[:, 1]] -= 1.0
    without = np.linalg.matrix_rank(contrasts)
    contrasts[:, -1] = 1.0
    return bool(np.linalg.matrix_rank(contrasts) > without)


def _fitted(
    table: Judgements, penalty: float | None, position: bool, remark: Callable[[str], None]
) -> Fit:
    """Without a penalty if strengths are finite then."""
    best = fit(table, penalty or 0.0, position=position)
    if penalty is None and not best.finite:
        best = fit(table, PENALTY, position=position)
        remark(
            f"{_why(table)}, so that no finite strengths exist: penalty λ = {PENALTY:g} (a normal "
            "prior) was taken; intervals say less than they seem to"
        )
    return best


def _why(table: Judgements) -> str:
    """What keeps strengths from being finite."""
    won, lost, tied = table.counts()
    joined = (won + lost + tied) > 0
    reached = _reached(joined, 0)
    if not reached.all():
        apart = [table.runs[index] for index in np.flatnonzero(~reached).tolist()]
        return f"nobody compared {first_ten(apart)} with the others, directly or through a third"
    beats = (won + tied) > 0
    for index, run in enumerate(table.runs):
        if not beats[:, index].any():
            return f"{run!r} never loses"
        if not beats[index].any():
            return f"{run!r} never wins"
    return "some runs, or one side, never lose to the others"


def _reached(joined: Any, start: int) -> Any:
    reached = np.zeros(len(joined), dtype=np.bool_)
    reached[start] = True
    while True:
        more = reached | joined[reached].any(axis=0)
        if (more == reached).all():
            return reached
        reached = more
