"""Uncertainty: what unjudged documents leave open in a comparison of runs.

Of each run: the share of unjudged documents among its first ones, and its score if none of its
unjudged documents were relevant, and if all were. Of each pair: the difference of their scores in
the best case of either. In the best case of a run, an unjudged document is relevant if that run has
it above the other one. For measures that add up what ranks are worth, such as P@k and RBP, these
cases are the extremes (of tied scores, with ties=trec); for those that know the number of relevant
documents, such as AP, they are cases, and no bounds. Source: Baillie, Azzopardi & Ruthven 2008.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from cranfield.assessment.pools.qrels import Scoring
from cranfield.assessment.pools.rankings import Rankings, Retrieved
from cranfield.collections.readings import as_runs
from cranfield.core.matrices import Floats, Ints
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis
from cranfield.core.run import Run
from cranfield.core.table import Column, Table
from cranfield.core.truth import Truth
from cranfield.errors import several
from cranfield.measures import Measure

CUTS = (5, 10, 20, 50, 100, 1000)
"""Depths at which shares of unjudged documents are reported."""
_SHOWN = 20
"""Runs that a table lists."""
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


@dataclass(frozen=True, eq=False, repr=False)
class Uncertainty(Analysis):
    """What unjudged documents leave open."""

    title = "What unjudged documents leave open"

    measure: Measure
    cuts: tuple[int, ...]
    runs: tuple[UncertainRun, ...]
    """The best first."""
    pairs: tuple[UncertainPair, ...]

    @property
    def flips(self) -> tuple[UncertainPair, ...]:
        """Pairs whose order is not settled."""
        return tuple(pair for pair in self.pairs if pair.can_flip)

    def _facts(self) -> dict[str, Any]:
        cuts = list(map(str, self.cuts))
        return {
            "measure": str(self.measure),
            "runs": [
                {
                    "run": run.run,
                    "score": run.score,
                    "all_relevant": run.all_relevant,
                    "unjudged": dict(zip(cuts, run.unjudged.tolist(), strict=True)),
                }
                for run in self.runs
            ],
            "pairs": [asdict(pair) | {"can_flip": pair.can_flip} for pair in self.pairs],
        }

    def _tables(self) -> list[Table]:
        fields = [f"unjudged@{cut}" for cut in self.cuts]
        rows = [
            {"run": run.run, "score": run.score, "all_relevant": run.all_relevant}
            | dict(zip(fields, run.unjudged.tolist(), strict=True))
            for run in self.runs
        ]
        columns = (
            Column("run", key=True),
            Column("score", str(self.measure), digits=4),
            Column("all_relevant", "if all relevant", digits=4),
            *(
                Column(field, f"@{cut}", kind="percent", digits=0, group="unjudged")
                for field, cut in zip(fields, self.cuts, strict=True)
            ),
        )
        shown = Table(
            "unjudged",
            rows[:_SHOWN],
            columns,
            title="Unjudged",
            remarks=self._notes(),
            audience="people",
        )
        return [shown, Table("unjudged_by_run", rows, audience="programs")]

    def _notes(self) -> list[str]:
        flips = sorted(self.flips, key=lambda pair: pair.difference)
        more = len(self.runs) - _SHOWN
        return [
            *([f"and {several(more, 'more run')}"] if more > 0 else []),
            f"{len(flips)} of {several(len(self.pairs), 'pair')} of runs could change places if "
            "unjudged documents were judged",
            *(
                f"{pair.better} before {pair.worse} by {pair.difference:.4f}, could be "
                f"{pair.least:+.4f} to {pair.most:+.4f}"
                for pair in flips[:5]
            ),
        ]


def unjudged_uncertainty(
    truth: Truth,
    runs: Run | Iterable[Run],
    measure: str | Measure = "concept.P@10",
    *,
    cuts: Sequence[int] = CUTS,
    progress: Progress = silent,
) -> Uncertainty:
    """How far unjudged documents may change the scores and the order of runs.

    cuts  depths at which to report the share of unjudged documents, as deep as lists go
    """
    scoring = Scoring(truth, as_runs(runs), measure)
    rankings = scoring.rankings
    unjudged = [
        Retrieved(*(side[scoring.qrels.at(run.codes) < 0] for side in run))
        for run in rankings.lists
    ]
    reached = tuple(cut for cut in cuts if cut <= rankings.deepest) or (rankings.deepest,)
    order = np.argsort(-scoring.scores, kind="stable").tolist()
    pairs = []
    with progress("comparing", len(order) * (len(order) - 1) // 2) as step:
        for better, worse in combinations(order, 2):
            pairs.append(_uncertain_pair(scoring, better, worse, unjudged))
            step(1)
    return Uncertainty(
        scoring.measure,
        reached,
        tuple(_uncertain_run(scoring, index, unjudged[index], reached) for index in order),
        tuple(pairs),
    )


def _uncertain_run(
    scoring: Scoring, index: int, unjudged: Retrieved, cuts: Sequence[int]
) -> UncertainRun:
    score = float(scoring.scores[index])
    best = score
    hopeful = _in_topics(scoring, unjudged.codes)
    if len(hopeful):
        best = float(scoring.with_qrels(scoring.qrels.with_relevant(hopeful), [index])[0])
    name = scoring.rankings.names[index]
    shares = _shares(scoring.rankings, scoring.rankings.lists[index], unjudged, cuts)
    return UncertainRun(name, shares, score, best)


def _uncertain_pair(
    scoring: Scoring, better: int, worse: int, unjudged: Sequence[Retrieved]
) -> UncertainPair:
    difference = float(scoring.scores[better] - scoring.scores[worse])
    cases = [difference]
    for front, behind in ((better, worse), (worse, better)):
        ahead = _in_topics(scoring, _ahead(unjudged[front], unjudged[behind]))
        scores = scoring.scores[[better, worse]]
        if len(ahead):
            scores = scoring.with_qrels(scoring.qrels.with_relevant(ahead), [better, worse])
        cases.append(float(scores[0] - scores[1]))
    names = scoring.rankings.names
    return UncertainPair(names[better], names[worse], difference, max(cases), min(cases))


def _ahead(front: Retrieved, behind: Retrieved) -> Ints:
    """The pairs that one run has above another."""
    order = np.argsort(behind.codes)
    codes, ranks = behind.codes[order], behind.ranks[order]
    if not len(codes):
        return np.sort(front.codes)
    index = np.minimum(np.searchsorted(codes, front.codes), len(codes) - 1)
    theirs = np.where(codes[index] == front.codes, ranks[index], np.iinfo(np.int64).max)
    return np.sort(front.codes[front.ranks < theirs])


def _in_topics(scoring: Scoring, codes: Ints) -> Ints:
    """The pairs of topics that are scored."""
    return codes[scoring.topics[scoring.rankings.topic_of(codes)]]


def _shares(
    rankings: Rankings, retrieved: Retrieved, unjudged: Retrieved, cuts: Sequence[int]
) -> Floats:
    """Over topics for which the run retrieved anything, of what it has down to each cut."""
    shares = []
    for cut in cuts:
        there, open_ = (
            np.bincount(
                rankings.topic_of(part.codes[part.ranks <= cut]), minlength=len(rankings.topics)
            )
            for part in (retrieved, unjudged)
        )
        shares.append(float(np.mean(open_[there > 0] / there[there > 0])) if there.any() else 0.0)
    return np.array(shares)
