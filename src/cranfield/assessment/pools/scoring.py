"""Scoring runs again and again with truths that differ in a few judgements.

Runs are brought into the order of the rankings once, so that nothing is aligned anew. Scores are
averages over the topics in which the whole truth has relevant documents; a topic that loses all of
them scores 0, as in trec_eval, so that all averages are over the same topics.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.assessment.pools.qrels import Qrels
from cranfield.assessment.pools.rankings import Rankings, mentioned, places
from cranfield.core.matrices import Cells, Floats
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.errors import InputError
from cranfield.measures import Measure, measure


class Scoring:
    """Runs, the judgements they are scored with, and a measure."""

    def __init__(self, truth: Truth, runs: Sequence[Run], spelling: str | Measure) -> None:
        self.measure = _by_topic(spelling)
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

    def with_qrels(self, qrels: Qrels, places: Sequence[int] | None = None) -> Floats:
        """The scores of all runs, or of some, with other judgements."""
        runs = self._runs if places is None else [self._runs[place] for place in places]
        result = evaluate(qrels.truth(), runs, self.measure)
        units = np.array([result.units(run.name, self.measure)[self.topics] for run in runs])
        means: Floats = np.nan_to_num(units).mean(axis=1)
        return means


def _by_topic(spelling: str | Measure) -> Measure:
    found = measure(spelling)
    if found.traits.direction != "concept":
        raise InputError(f"{found} is no average over topics; choose one, such as topic.AP")
    return found


def _moved(run: Run, rankings: Rankings) -> Run:
    """A run over the documents and topics of the rankings, with its own scores."""
    rows, columns, scores = mentioned(run)
    topic = places(run.concept_axis, rankings.topics)[columns]
    document = places(run.item_axis, rankings.documents)[rows]
    known = topic >= 0
    shape = (len(rankings.documents), len(rankings.topics))
    cells = Cells.of(shape, document[known], topic[known], scores[known])
    retrieved = Cells(shape, cells.codes, np.ones(len(cells.codes), dtype=np.bool_))
    return Run(
        cells,
        labels=retrieved,
        name=run.name,
        items=rankings.documents,
        concepts=rankings.topics,
    )
