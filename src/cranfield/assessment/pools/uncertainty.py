"""Uncertainty: what unjudged documents leave open in a comparison of runs.

Of each run: the share of unjudged documents among its first ones, and its score if none of its
unjudged documents were relevant, and if all were. Of each pair: the difference of their scores in
the best case of either. In the best case of a run, an unjudged document is relevant if that run has
it above the other one. For measures that add up what ranks are worth, such as P@k and RBP, these
cases are the extremes (of tied scores, with ties=trec); for those that know the number of relevant
documents, such as AP, they are cases, and no bounds. Source: Baillie, Azzopardi & Ruthven 2008.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from cranfield.assessment.pools.rankings import Rankings, Retrieved
from cranfield.assessment.pools.scoring import Scoring
from cranfield.core.matrices import Floats, Ints
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.engine.local import as_runs
from cranfield.measures import Measure

CUTS = (5, 10, 20, 50, 100, 1000)
"""Depths at which shares of unjudged documents are told."""
_SETTLED = 1e-12
"""Differences below it are rounding."""


@dataclass(frozen=True)
class UncertainRun:
    """A run and its unjudged documents."""

    run: str
    unjudged: Floats
    """Share of unjudged documents at each cut, a mean over topics."""
    score: float
    """If none of them is relevant."""
    all_relevant: float
    """If all of them are."""


@dataclass(frozen=True)
class UncertainPair:
    """Two runs, the better one first, and how far their difference may move."""

    better: str
    worse: str
    difference: float
    """Of their scores, if no unjudged document is relevant."""
    most: float
    """In the best case of the better run."""
    least: float
    """In the best case of the other."""

    @property
    def can_flip(self) -> bool:
        return self.least < -_SETTLED


@dataclass(frozen=True)
class Uncertainty:
    """What unjudged documents leave open."""

    measure: Measure
    cuts: tuple[int, ...]
    runs: tuple[UncertainRun, ...]
    """The best first."""
    pairs: tuple[UncertainPair, ...]

    @property
    def flips(self) -> tuple[UncertainPair, ...]:
        """Pairs whose order is not settled."""
        return tuple(pair for pair in self.pairs if pair.can_flip)


def unjudged_uncertainty(
    truth: Truth,
    runs: Run | Iterable[Run],
    measure: str | Measure = "concept.P@10",
    *,
    cuts: Sequence[int] = CUTS,
    progress: Callable[[], None] = lambda: None,
) -> Uncertainty:
    """How far unjudged documents may change the scores and the order of runs.

    cuts      depths at which to tell the share of unjudged documents, as deep as lists go
    progress  called for each pair of runs that is done
    """
    scoring = Scoring(truth, as_runs(runs), measure)
    rankings = scoring.rankings
    unjudged = [
        Retrieved(*(side[scoring.qrels.at(one.codes) < 0] for side in one))
        for one in rankings.lists
    ]
    kept = tuple(cut for cut in cuts if cut <= rankings.deepest) or (rankings.deepest,)
    order = np.argsort(-scoring.scores, kind="stable").tolist()
    return Uncertainty(
        scoring.measure,
        kept,
        tuple(_uncertain_run(scoring, place, unjudged[place], kept) for place in order),
        tuple(
            _uncertain_pair(scoring, one, other, unjudged, progress)
            for one, other in combinations(order, 2)
        ),
    )


def _uncertain_run(
    scoring: Scoring, place: int, unjudged: Retrieved, cuts: Sequence[int]
) -> UncertainRun:
    score = float(scoring.scores[place])
    best = score
    hopeful = _in_topics(scoring, unjudged.codes)
    if len(hopeful):
        best = float(scoring.with_qrels(scoring.qrels.with_relevant(hopeful), [place])[0])
    name = scoring.rankings.names[place]
    shares = _shares(scoring.rankings, scoring.rankings.lists[place], unjudged, cuts)
    return UncertainRun(name, shares, score, best)


def _uncertain_pair(
    scoring: Scoring,
    one: int,
    other: int,
    unjudged: Sequence[Retrieved],
    progress: Callable[[], None],
) -> UncertainPair:
    difference = float(scoring.scores[one] - scoring.scores[other])
    found = [difference]
    for front, behind in ((one, other), (other, one)):
        ahead = _in_topics(scoring, _ahead(unjudged[front], unjudged[behind]))
        scores = scoring.scores[[one, other]]
        if len(ahead):
            scores = scoring.with_qrels(scoring.qrels.with_relevant(ahead), [one, other])
        found.append(float(scores[0] - scores[1]))
    progress()
    names = scoring.rankings.names
    return UncertainPair(names[one], names[other], difference, max(found), min(found))


def _ahead(front: Retrieved, behind: Retrieved) -> Ints:
    """The pairs that one run has above another."""
    order = np.argsort(behind.codes)
    codes, ranks = behind.codes[order], behind.ranks[order]
    if not len(codes):
        return np.sort(front.codes)
    place = np.minimum(np.searchsorted(codes, front.codes), len(codes) - 1)
    theirs = np.where(codes[place] == front.codes, ranks[place], np.iinfo(np.int64).max)
    return np.sort(front.codes[front.ranks < theirs])


def _in_topics(scoring: Scoring, codes: Ints) -> Ints:
    """The pairs of topics that are scored."""
    return codes[scoring.topics[scoring.rankings.topic_of(codes)]]


def _shares(
    rankings: Rankings, retrieved: Retrieved, unjudged: Retrieved, cuts: Sequence[int]
) -> Floats:
    """Over topics for which the run retrieved anything, of what it has down to each cut."""
    found = []
    for cut in cuts:
        there, open_ = (
            np.bincount(
                rankings.topic_of(one.codes[one.ranks <= cut]), minlength=len(rankings.topics)
            )
            for one in (retrieved, unjudged)
        )
        found.append(float(np.mean(open_[there > 0] / there[there > 0])) if there.any() else 0.0)
    return np.array(found)
