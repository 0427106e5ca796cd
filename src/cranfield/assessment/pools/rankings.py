"""Rankings: the documents that runs retrieved for each topic, first to last.

Topics are concepts and documents are items; runs need not mention the same ones. Documents with one
score come by id, descending, as in trec_eval, so that a pool holds what is measured later. Of a run
that only decides, the documents it assigned count, and no others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from cranfield.caching import cached_property
from cranfield.collections.readings import as_runs
from cranfield.core.axes import Axis
from cranfield.core.matrices import Bools, Cells, Ints, total
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import InputError


class Retrieved(NamedTuple):
    """What one run retrieved: pairs of topic and document, by topic and rank."""

    codes: Ints
    """topic · documents + document."""
    ranks: Ints
    """From 1."""


@dataclass(frozen=True)
class Rankings:
    """Runs over the topics and documents that any of them mentions, both in the order of ids."""

    names: tuple[str, ...]
    groups: tuple[str, ...]
    """Who made each run; a run without a group is one of its own."""
    topics: tuple[str, ...]
    documents: tuple[str, ...]
    lists: tuple[Retrieved, ...]
    """In the order of the names of the runs."""

    @classmethod
    def of(
        cls,
        runs: Run | Iterable[Run],
        *,
        depth: int | None = None,
        truth: Truth | None = None,
    ) -> Rankings:
        """depth  leave out what stands below this rank
        truth  bring its documents in, and leave out topics in which it judges nothing
        """
        listed = sorted(as_runs(runs), key=lambda run: run.name)
        if not listed:
            raise InputError("there are no runs; give at least one")
        items = [run.item_axis for run in listed]
        if truth is None:
            from cranfield.formats.kinds.text import require_divided  # help must not wait for it

            for run in listed:
                require_divided(run)
            topics = _united(run.concept_axis for run in listed)
        else:
            topics = _judged_topics(truth)
            items.append(truth.item_axis)
        documents = _united(items)
        return cls(
            tuple(run.name for run in listed),
            tuple(run.name if run.group is None else run.group for run in listed),
            topics,
            documents,
            tuple(_ranked(run, topics, documents, depth) for run in listed),
        )

    @cached_property
    def firsts(self) -> Retrieved:
        """Every pair that some run retrieved, once, with the best rank that a run gave it."""
        codes = np.concatenate([run.codes for run in self.lists])
        ranks = np.concatenate([run.ranks for run in self.lists])
        order = np.lexsort((ranks, codes))
        codes, ranks = codes[order], ranks[order]
        first = np.r_[True, codes[1:] != codes[:-1]] if len(codes) else np.zeros(0, np.bool_)
        return Retrieved(codes[first], ranks[first])

    @property
    def deepest(self) -> int:
        """The length of the longest list."""
        return max((int(run.ranks.max()) for run in self.lists if len(run.ranks)), default=0)

    def by_topic(self, codes: Ints) -> Iterator[slice]:
        """Where the pairs of each topic stand among ascending codes."""
        edges = np.searchsorted(codes, np.arange(len(self.topics) + 1) * len(self.documents))
        return (slice(a, b) for a, b in pairwise(edges.tolist()))

    def topic_of(self, codes: Ints) -> Ints:
        return codes // max(1, len(self.documents))

    def document_of(self, codes: Ints) -> Ints:
        return codes % max(1, len(self.documents))


def positions(axis: Axis, names: Sequence[str]) -> Ints:
    """Where the ids of an axis stand among sorted names; -1 = not there."""
    index = {name: position for position, name in enumerate(names)}
    return np.array([index.get(name, -1) for name in axis.names], dtype=np.int64)


def _united(axes: Iterable[Axis]) -> tuple[str, ...]:
    # Runs of one collection often share the tuple of ids itself.
    return tuple(sorted(set().union(*{id(axis.names): axis.names for axis in axes}.values())))


def _judged_topics(truth: Truth) -> tuple[str, ...]:
    judged = np.ones(truth.shape[1]) if truth.judged is None else total(truth.judged, axis=0)
    return tuple(sorted(truth.concepts[column] for column in np.flatnonzero(judged)))


def _ranked(
    run: Run, topics: Sequence[str], documents: Sequence[str], depth: int | None
) -> Retrieved:
    rows, columns, scores = mentioned(run)
    topic = positions(run.concept_axis, topics)[columns]
    document = positions(run.item_axis, documents)[rows]
    ranked = topic >= 0
    topic, document, scores = topic[ranked], document[ranked], scores[ranked]
    with np.errstate(over="ignore"):  # scores beyond float32 tie, as in trec_eval
        order = np.lexsort((-document, -scores.astype(np.float32), topic))
    topic, document = topic[order], document[order]
    starts = np.searchsorted(topic, np.arange(len(topics)))
    ranks = np.arange(1, len(topic) + 1) - starts[topic]
    chosen: Bools | slice = slice(None) if depth is None else ranks <= depth
    return Retrieved((topic * len(documents) + document)[chosen], ranks[chosen])


def mentioned(run: Run) -> tuple[Ints, Ints, Any]:
    """Rows, columns and scores of the cells that a run retrieved."""
    matrix = run.ranking
    if isinstance(matrix, Cells):
        rows, columns, scores = matrix.rows, matrix.columns, matrix.values
    else:
        rows, columns = (side.ravel() for side in np.indices(matrix.shape))
        scores = matrix.ravel()
    if run.scores is not None:
        return rows, columns, scores
    assigned = scores > 0
    return rows[assigned], columns[assigned], scores[assigned]
