"""Scores of single concepts and items by all runs, and what confidences of different concepts
lose: the numbers of `collection_study`.

Comparable confidences: does 0.7 for one concept mean what 0.7 means for another?

Measures by item, and those that pool all cells, rank the concepts of an item by their confidences
and take for granted that these can be compared across concepts (Nowak 2011 §11.3). Here the
confidences of each concept are made comparable: they become the log-odds that a label with such a
confidence is true. The order of items within a concept stays (among those that share a fit), and
what measures by item gain is what was lost because confidences were not comparable. Confidences
that are probabilities already gain nothing, and lose a little, since the fit rests on few items.

Log-odds are linear in normal scores (the quantiles of the normal distribution at the ranks within
the concept), fitted by logistic regression with the targets of Platt 1999. Each half of the items
gets what was fitted on the other half. Only ranks enter, so any scale of confidences will do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.aligned import Aligned
from cranfield.core.axes import Missing
from cranfield.core.digests import canonical_order
from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.core.progress import Progress, silent
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.engine.evaluation import Evaluation, mean
from cranfield.engine.standings import EQUAL, competition_ranks
from cranfield.errors import InputError, first_ten, several
from cranfield.measures import Measure, measure
from cranfield.statistics.correlation import spearman
from cranfield.statistics.cronbach import Cronbach, cronbach, without_each
from cranfield.statistics.rank_correlation import tau
from cranfield.studies.field import sign
from cranfield.studies.reference_runs import stream

ASSUMING = ("example.AP", "micro.AP")
"""Measures that compare confidences of different concepts."""
_STEPS = 25
"""Of Newton's method, which needs about ten."""
_BINS, _FARTHEST = 128, 5.0
"""Normal scores are counted in bins up to here; a fit over them differs in the third digit."""
_LOOKED_AT = 1000
"""Items on which the places of concepts are looked at."""


class Standing(NamedTuple):
    """The best of some runs by one measure."""

    run: str
    score: float
    place: int
    """Among all runs; 1 = best, equals have the same."""


@dataclass(frozen=True, eq=False)
class UnitScores:
    """All runs on single concepts or items, by one measure."""

    measure: Measure
    kind: Literal["concept", "item"]
    runs: tuple[str, ...]
    units: tuple[str, ...]
    """Those on which every run has a score."""
    positives: Ints
    """(units,): items of each concept, or labels of each item."""
    size: int
    """All items, or all concepts."""
    scores: Floats
    """(runs, units)."""
    totals: Floats
    """(runs,): over all units."""

    @cached_property
    def merits(self) -> Floats:
        """(runs, units): the higher, the better."""
        return np.asarray(self.scores * sign(self.measure))

    @cached_property
    def reliability(self) -> Cronbach | None:
        """α over runs as subjects and units as parts; None with fewer than two units."""
        return cronbach(self.scores.astype(np.float64)) if len(self.units) > 1 else None

    @cached_property
    def reliability_without(self) -> Floats:
        """(units,): α if a unit is left out."""
        if len(self.units) < 3:
            return np.full(len(self.units), np.nan)
        return without_each(self.scores)

    @property
    def best(self) -> Floats:
        """(units,): what the best run reaches."""
        return np.asarray(self.merits.max(axis=0) * sign(self.measure))

    @property
    def average(self) -> Floats:
        """(units,): mean over runs."""
        return np.asarray(self.scores.mean(axis=0))

    @property
    def median(self) -> Floats:
        return np.asarray(np.median(self.scores, axis=0))

    def winners(self, unit: int) -> tuple[str, ...]:
        """The runs that are best on a unit."""
        column = self.merits[:, unit]
        return tuple(
            run
            for run, merit in zip(self.runs, column.tolist(), strict=True)
            if merit >= column.max() - EQUAL
        )

    def standing(self, runs: Sequence[str]) -> Standing:
        """The best of some runs; of equals the first by name."""
        merits = self.totals * sign(self.measure)
        indices = [self.runs.index(run) for run in runs]
        best = min(indices, key=lambda index: (-merits[index], self.runs[index]))
        rank = int(competition_ranks(merits)[best])
        return Standing(self.runs[best], float(self.totals[best]), rank)

    @property
    def leader(self) -> Standing:
        """The best run of all."""
        return self.standing(self.runs)

    @property
    def envelope(self) -> float:
        """The score of somebody who picks the best run for each unit."""
        return mean(self.best, None, self.measure.traits.average)[0]

    @property
    def hardest(self) -> Ints:
        """Places of units, those first on which even the best run is bad, then by the average."""
        turned = sign(self.measure)
        names = np.array(self.units)
        return np.lexsort((names, self.average * turned, np.round(self.best * turned, 12)))

    @property
    def by_frequency(self) -> float:
        """Spearman's ρ of frequency and the best score: above 0, frequent units are easier."""
        if len(self.units) < 2:
            return np.nan
        return float(spearman(self.positives, self.best * sign(self.measure)))


@dataclass(frozen=True)
class Group:
    """Who made some of the runs, and how well the best of them do."""

    name: str
    runs: tuple[str, ...]
    bests: tuple[Standing, ...]
    """By each measure."""


def unit_scores(evaluation: Evaluation, scored: Measure) -> UnitScores:
    by_concept = scored.traits.direction == "concept"
    axis, truth = (0 if by_concept else 1), evaluation.truth
    scores = np.array([evaluation.units(run, scored) for run in evaluation.runs])
    defined = np.isfinite(scores).all(axis=0)
    if not defined.any():
        raise InputError(f"{scored}: no unit has a score of every run; leave the measure out")
    names = truth.concepts if by_concept else truth.items
    return UnitScores(
        scored,
        "concept" if by_concept else "item",
        evaluation.runs,
        tuple(names[unit] for unit in np.flatnonzero(defined).tolist()),
        truth.totals(axis, truth.unjudged).positives[defined],
        truth.shape[axis],
        scores[:, defined],
        np.array([evaluation[run, scored] for run in evaluation.runs]),
    )


# ── comparable confidences ───────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, eq=False)
class Comparability:
    """Runs with their confidences as they are, and made comparable."""

    runs: tuple[str, ...]
    measures: tuple[Measure, ...]
    as_given: Floats
    """(measures, runs)."""
    comparable: Floats
    """(measures, runs)."""
    concepts: tuple[str, ...]
    places: Floats
    """(runs, concepts): by how many places among all concepts of an item each stands too high, on
    average; below 0: too low."""
    notes: tuple[str, ...] = ()

    @property
    def losses(self) -> Floats:
        """(measures, runs): what confidences that cannot be compared cost."""
        return np.asarray(self.comparable - self.as_given)

    @cached_property
    def taus(self) -> Floats:
        """(measures,): between the rankings of runs as given and made comparable; NaN for one."""
        if len(self.runs) < 2:
            return np.full(len(self.measures), np.nan)
        return tau(self.as_given, self.comparable)

    @property
    def too_high(self) -> Floats:
        """(concepts,): places too high, mean over runs."""
        return np.asarray(self.places.mean(axis=0))


def comparability(
    truth: Truth,
    runs: Sequence[Run],
    *,
    missing: Missing = "error",
    seed: int = 0,
    progress: Progress = silent,
) -> Comparability | None:
    """None where no run has confidences for all cells, or the truth does not list its items."""
    ranking = [run for run in runs if run.scores is not None and not run.sparse]
    if truth.open or not ranking or not truth.has_labels or min(truth.shape) < 2:
        return None
    measures = [measure(name).on(truth) for name in ASSUMING]
    halves = _halves(truth, seed)
    scores, places, names = [], [], []
    with progress("comparing confidences", len(ranking)) as step:
        for run in ranking:
            confidences, mentioned = Aligned(truth, run, "negative", missing).values(
                slice(0, truth.shape[0])
            )
            if mentioned is None or mentioned.all():
                mended = _log_odds(confidences, truth, halves)
                made = Run(mended, name=run.name, items=truth.items, concepts=truth.concepts)
                results = (evaluate(truth, r, measures, missing=missing) for r in (run, made))
                scores.append([[score.value for score in result] for result in results])
                places.append(_places(mended, truth) - _places(confidences, truth))
                names.append(run.name)
            step(1)
    if not names:
        return None
    as_given, comparable = np.array(scores).transpose(1, 2, 0)
    return Comparability(
        tuple(names),
        tuple(measures),
        as_given,
        comparable,
        truth.concepts,
        np.array(places),
        _notes([run.name for run in runs if run.name not in names]),
    )


def _halves(truth: Truth, seed: int) -> Bools:
    """(N,): which half an item belongs to, whatever the order of rows."""
    count = truth.shape[0]
    half = np.zeros(count, dtype=np.bool_)
    drawn = stream(seed, "halves").permutation(count)[: count // 2]
    half[canonical_order(truth.item_axis)[drawn]] = True
    return half


def _log_odds(confidences: Floats, truth: Truth, half: Bools) -> Floats:
    """(N, C): log-odds of each label, by what the other half of the items tells."""
    normal = _normal_scores(confidences)
    counted = np.clip(((normal / _FARTHEST + 1.0) / 2.0 * _BINS).astype(np.int64), 0, _BINS - 1)
    judged: Any = True if truth.judged is None else (truth.states >= 0)
    out = np.empty_like(normal)
    for part in (False, True):
        learn = half != part
        true = truth.labels[learn]
        cells = np.broadcast_to(judged, truth.shape)[learn]
        yes, no = (_histogram(counted[learn], side & cells) for side in (true, ~true))
        level, slope = _fitted(yes, no)
        out[half == part] = level + slope * normal[half == part]
    return out


def _normal_scores(confidences: Floats) -> Floats:
    """Of each column: quantiles at the ranks; equals share the mean of their ranks."""
    from scipy.special import ndtri
    from scipy.stats import rankdata

    return np.asarray(ndtri((rankdata(confidences, axis=0) - 0.5) / len(confidences)))


def _histogram(bins: Ints, cells: Bools) -> Floats:
    """(bins, C): how many of some cells of each column are in each bin."""
    columns = bins.shape[1]
    places = (bins * columns + np.arange(columns))[cells]
    return np.bincount(places, minlength=_BINS * columns).reshape(_BINS, columns).astype(np.float64)


def _fitted(yes: Floats, no: Floats) -> tuple[Floats, Floats]:
    """(C,), (C,): level and slope of the log-odds by logistic regression, all columns at once."""
    positives, negatives = yes.sum(axis=0), no.sum(axis=0)
    count = yes + no
    # Platt 1999: targets short of 0 and 1 keep slopes finite where both are apart.
    targets = yes * (positives + 1) / (positives + 2) + no / (negatives + 2)
    middle = (((np.arange(_BINS) + 0.5) / _BINS) * 2.0 - 1.0)[:, None] * _FARTHEST
    prior = np.log((positives + 1) / (negatives + 1))
    level, slope = prior.copy(), np.zeros(len(prior))
    for _ in range(_STEPS):
        share = 1.0 / (1.0 + np.exp(-(level + slope * middle)))
        left, heavy = targets - count * share, count * share * (1.0 - share)
        a, b, c = (np.sum(heavy * middle**power, axis=0) + 1e-9 for power in range(3))
        up, along = left.sum(axis=0), (left * middle).sum(axis=0)
        by = a * c - b * b + 1e-12
        level = level + np.clip((c * up - b * along) / by, -1.0, 1.0)
        slope = slope + np.clip((a * along - b * up) / by, -1.0, 1.0)
    falls = slope <= 0.0  # worse than chance: then nothing but the frequency is known
    return np.where(falls, prior, level), np.where(falls, 0.0, slope)


def _places(confidences: Floats, truth: Truth) -> Floats:
    """(C,): the mean place of each concept among all of an item; 1 = the highest confidence."""
    from scipy.stats import rankdata

    order = canonical_order(truth.item_axis)
    step = max(1, len(order) // _LOOKED_AT)
    return np.asarray(rankdata(-confidences[order[::step]], axis=1).mean(axis=0))


def _notes(left_out: list[str]) -> tuple[str, ...]:
    if not left_out:
        return ()
    return (
        f"{several(len(left_out), 'run')} without confidences for all cells left out: "
        f"{first_ten(left_out)}",
    )
