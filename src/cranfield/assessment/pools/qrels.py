"""Qrels: what is known about pairs of topic and document, in the order of some rankings.

A table of judgements that can lose some and gain others, which turns into a truth for measuring;
and runs that are scored again and again with such tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cranfield.assessment.pools.rankings import Rankings, mentioned, positions
from cranfield.core.matrices import Bools, Cells, Floats, Ints, as_cells, at
from cranfield.core.run import Run
from cranfield.core.truth import State, Truth
from cranfield.errors import InputError

if TYPE_CHECKING:
    from cranfield.measures import Measure


@dataclass(frozen=True)
class Qrels:
    """The pairs of a pool."""

    topics: tuple[str, ...]
    documents: tuple[str, ...]
    codes: Ints
    """topic · documents + document, ascending."""
    grades: Ints
    """`State.UNJUDGED` where nobody judged."""
    strata: Ints | None = None
    level: int = 1
    """The lowest grade that is relevant."""

    @classmethod
    def of(cls, truth: Truth, topics: Sequence[str], documents: Sequence[str]) -> Qrels:
        """What a truth says about pairs of sorted ids."""
        pooled = _pooled(truth)
        topic = positions(truth.concept_axis, topics)[pooled % truth.shape[1]]
        document = positions(truth.item_axis, documents)[pooled // truth.shape[1]]
        ranked = (topic >= 0) & (document >= 0)
        pooled = pooled[ranked]
        codes = topic[ranked] * len(documents) + document[ranked]
        order = np.argsort(codes)
        pooled = pooled[order]
        grades = at(truth.matrix if truth.grades is None else truth.grades, pooled)
        grades = grades.astype(np.int64)
        if truth.judged is not None:
            grades[~at(truth.judged, pooled).astype(np.bool_)] = State.UNJUDGED
        strata = None if truth.strata is None else at(truth.strata, pooled)
        return cls(tuple(topics), tuple(documents), codes[order], grades, strata, truth.level)

    @property
    def relevant(self) -> Ints:
        """The pairs that were judged relevant."""
        return self.codes[self.grades >= self.level]

    def at(self, codes: Ints) -> Ints:
        """Grades of pairs; `State.UNJUDGED` or `State.OUTSIDE` where there are none."""
        if not len(self.codes):
            return np.full(len(codes), State.OUTSIDE, dtype=np.int64)
        index = np.minimum(np.searchsorted(self.codes, codes), len(self.codes) - 1)
        return np.where(self.codes[index] == codes, self.grades[index], State.OUTSIDE)

    def without(self, codes: Ints) -> Qrels:
        """The same as if these pairs had never been pooled."""
        return self._part(~np.isin(self.codes, codes))

    def with_relevant(self, codes: Ints) -> Qrels:
        """The same as if these pairs had been judged relevant."""
        rest = self.without(codes)
        joined = np.concatenate([rest.codes, codes])
        order = np.argsort(joined)
        grades = np.concatenate([rest.grades, np.full(len(codes), self.level)])
        return replace(self, codes=joined[order], grades=grades[order], strata=None)

    def truth(self) -> Truth:
        """An open truth: documents that were not pooled exist."""
        shape = (len(self.documents), len(self.topics))
        document, topic = self.codes % shape[0], self.codes // shape[0]
        judged = self.grades >= 0

        def cells(values: Ints | Bools) -> Cells:
            return Cells.of(shape, document, topic, values)

        return Truth(
            grades=cells(np.where(judged, self.grades, 0)),
            judged=cells(judged),
            pool=cells(np.ones(len(self.codes), dtype=np.bool_)),
            strata=None if self.strata is None else cells(self.strata),
            items=self.documents,
            concepts=self.topics,
            open=True,
            level=self.level,
        )

    def _part(self, keep: Bools) -> Qrels:
        return replace(
            self,
            codes=self.codes[keep],
            grades=self.grades[keep],
            strata=None if self.strata is None else self.strata[keep],
        )


def _pooled(truth: Truth) -> Ints:
    """The cells of the pool; all of them, where a truth leaves none outside."""
    if truth.pool is None:
        return np.arange(truth.shape[0] * truth.shape[1])
    cells = as_cells(truth.pool)
    return cells.codes[cells.values.astype(np.bool_)]


class NotPooledError(InputError):
    """Judgements that do not tell how deep the runs were pooled."""


def judged_depth(rankings: Rankings, qrels: Qrels) -> int:
    """Down to which rank everything that the runs retrieved was judged, in all topics."""
    firsts = rankings.firsts
    unjudged = firsts.ranks[qrels.at(firsts.codes) < 0]
    if not len(unjudged):
        return rankings.deepest
    depth = int(unjudged.min()) - 1
    if depth < 2:
        raise NotPooledError(
            "the runs have unjudged documents among their first two, so they were not pooled "
            "wholly",
            mend="give {depth} to estimate nevertheless",
        )
    return depth


# ── scoring ───────────────────────────────────────────────────────────────────────────────────


class Scoring:
    """Runs, the judgements they are scored with, and a measure.

    Runs are brought into the order of the rankings once, so that nothing is aligned anew. Scores
    are averages over the topics in which the whole truth has relevant documents; a topic that loses
    all of them scores 0, as in trec_eval, so that all averages are over the same topics.
    """

    def __init__(self, truth: Truth, runs: Sequence[Run], spelling: str | Measure) -> None:
        self.measure = _by_topic(spelling)
        if truth.subtopics is not None and self.measure.traits.subtopics:
            raise InputError(
                f"{self.measure} counts subtopics, and nobody knows those of unjudged documents; "
                "choose another measure, such as topic.nDCG@10"
            )
        self.rankings = Rankings.of(runs, truth=truth)
        self.qrels = Qrels.of(truth, self.rankings.topics, self.rankings.documents)
        if not len(self.qrels.relevant):
            raise InputError("the truth has no relevant documents; there is nothing to score")
        listed = {run.name: run for run in runs}
        self._runs = [_moved(listed[name], self.rankings) for name in self.rankings.names]
        counts = np.bincount(
            self.rankings.topic_of(self.qrels.relevant), minlength=len(self.rankings.topics)
        )
        self.topics = counts > 0
        """Those that have relevant documents."""
        self.scores = self.with_qrels(self.qrels)

    def with_qrels(self, qrels: Qrels, indices: Sequence[int] | None = None) -> Floats:
        """The scores of all runs, or of some, with other judgements."""
        from cranfield.engine import evaluate

        runs = self._runs if indices is None else [self._runs[index] for index in indices]
        result = evaluate(qrels.truth(), runs, self.measure)
        units = np.array([result.units(run.name, self.measure)[self.topics] for run in runs])
        means: Floats = np.nan_to_num(units).mean(axis=1)
        return means


def _by_topic(spelling: str | Measure) -> Measure:
    from cranfield.measures import measure

    chosen = measure(spelling)
    if chosen.traits.direction != "concept":
        raise InputError(f"{chosen} is no average over topics; choose one, such as topic.AP")
    return chosen


def _moved(run: Run, rankings: Rankings) -> Run:
    """A run over the documents and topics of the rankings, with its own scores."""
    rows, columns, scores = mentioned(run)
    topic = positions(run.concept_axis, rankings.topics)[columns]
    document = positions(run.item_axis, rankings.documents)[rows]
    judged = topic >= 0
    shape = (len(rankings.documents), len(rankings.topics))
    cells = Cells.of(shape, document[judged], topic[judged], scores[judged])
    retrieved = Cells(shape, cells.codes, np.ones(len(cells.codes), dtype=np.bool_))
    return Run(
        cells,
        labels=retrieved,
        name=run.name,
        items=rankings.documents,
        concepts=rankings.topics,
    )
