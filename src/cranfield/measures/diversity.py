"""Measures of diversity: rankings that should cover the subtopics of a topic, and early.

Conventions
    A document is relevant to a subtopic if its grade for it reaches the truth's level. What it adds
    to a list is Σ (1 − α)^n over its subtopics, n = documents above it that are relevant to the
    same one. All subtopics of a topic count alike, as in ndeval: diversity qrels hold no
    probabilities of intents. Subtopics to which nothing is relevant do not count; topics without
    relevant documents are skipped (NIST's ndeval: 0, `undefined=0`). A truth without subtopics has
    one for each topic, and a note says so. Equal scores count by the mean over their orders, or by
    id (ties=trec).

Sources: Clarke et al. 2008, Chapelle et al. 2009; NIST's ndeval is the reference.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np

from cranfield import kernels
from cranfield.collections.comparison import Comparison
from cranfield.collections.ranked_lists import Ordered
from cranfield.core.matrices import Cells, Floats, Ints, as_cells
from cranfield.core.subtopics import listed
from cranfield.core.truth import Truth
from cranfield.measures.declare import measured, ratio
from cranfield.measures.definition import Cutoff, Options, Share

Weight = Callable[[Floats], Floats]
"""From ranks to what a gain counts there."""
Ties = Literal["expected", "trec"]
_WEIGHTS: dict[str, Weight] = {
    "DCG": lambda rank: 1.0 / np.log2(rank + 1.0),
    "ERR": lambda rank: 1.0 / rank,
}


def _notes(comparison: Comparison, options: Options) -> list[str]:
    without = comparison.truth.subtopics is None
    return ["no subtopics: each topic counts as one"] if without else []


@measured(
    "concept.alpha_nDCG@k",
    source="Clarke et al. 2008; ndeval",
    prediction="confidences",
    range=(0.0, np.inf),
    notes=_notes,
    subtopics=True,
)
def alpha_ndcg(
    comparison: Comparison,
    *,
    k: Cutoff,
    alpha: Share = 0.5,
    ideal: Literal["greedy", "independent"] = "greedy",
    ties: Ties = "expected",
) -> Floats:
    """α-nDCG = Σ gain / log2(rank + 1) over the first k documents, divided by the same of an ideal
    list; the gain of a document is Σ (1 − α)^n over its subtopics, n = documents above it with the
    same one. The ideal takes the judged document of the largest gain, the last by id among equals,
    again and again (greedy, as ndeval; a run may beat it), or each of its documents has all
    subtopics (independent: ndeval's alpha-DCG). All subtopics count alike."""
    gained = _gained(comparison, "DCG", k, alpha, ties)
    values = ratio(gained, _ideal(comparison.truth, "DCG", k, alpha, ideal))
    return np.where(np.isclose(values, 1.0, rtol=0.0, atol=1e-12), 1.0, values)


@measured(
    "concept.ERR_IA@k",
    source="Chapelle et al. 2009; ndeval",
    prediction="confidences",
    range=(0.0, np.inf),
    notes=_notes,
    subtopics=True,
)
def intent_aware_err(
    comparison: Comparison,
    *,
    k: Cutoff,
    alpha: Share = 0.5,
    ideal: Literal["independent", "greedy", "none"] = "independent",
    ties: Ties = "expected",
) -> Floats:
    """ERR-IA = 1/m Σ over the m subtopics, all equally likely, of the expected reciprocal rank,
    Σ α·(1 − α)^n / rank over the first k documents relevant to it, n = such documents above; α is
    the chance that one of them is enough (ideal=none). By default divided by that of a list whose
    documents all have all subtopics (independent, as ndeval's ERR-IA), or of the greedy ideal
    (ndeval's nERR-IA; a run may beat it)."""
    gained = _gained(comparison, "ERR", k, alpha, ties)
    if ideal == "none":
        return alpha * ratio(gained, _pairs(comparison.truth).subtopics)
    values = ratio(gained, _ideal(comparison.truth, "ERR", k, alpha, ideal))
    return np.where(np.isclose(values, 1.0, rtol=0.0, atol=1e-12), 1.0, values)


class _Pairs(NamedTuple):
    """Relevant cells with each of the subtopics that they are relevant to."""

    codes: Ints
    """Ascending."""
    names: Ints
    """The subtopic, as a place among its names."""
    first: Cells
    """By cell: where its pairs begin, counted from 1."""
    counts: Ints
    """By cell: how many there are."""
    subtopics: Ints
    """By topic: how many subtopics have something relevant."""


def _pairs(truth: Truth) -> _Pairs:
    return truth.once("subtopics of cells", lambda: _pairs_of(truth))


def _pairs_of(truth: Truth) -> _Pairs:
    if truth.subtopics is None:
        stored = as_cells(truth.matrix)
        codes = stored.codes[stored.values]
        names = np.zeros(len(codes), dtype=np.int64)
    else:
        cells = listed(truth.subtopics)
        relevant = cells.grades >= truth.level
        codes, names = cells.codes[relevant], cells.subtopics[relevant]
    here, first, counts = np.unique(codes, return_index=True, return_counts=True)
    topics = truth.shape[1]
    aspects = np.unique(names * max(topics, 1) + codes % max(topics, 1))
    subtopics = np.bincount(aspects % max(topics, 1), minlength=topics)
    return _Pairs(codes, names, Cells(truth.shape, here, first + 1), counts, subtopics)


# ── what a list gains ─────────────────────────────────────────────────────────────────────────


def _gained(comparison: Comparison, kind: str, k: int, alpha: float, ties: str) -> Floats:
    """Σ gain · weight over the first k documents, by topic; NaN where nothing is relevant."""
    pairs, weight = _pairs(comparison.truth), _WEIGHTS[kind]

    def look(block: Ordered) -> Floats:
        block = block.only(block.start < k)
        first = block.facts.read(pairs.first)[block.known] - 1
        counts = pairs.counts[np.searchsorted(pairs.first.values, first + 1)]
        cell = np.repeat(np.arange(len(first)), counts)
        step = np.arange(len(cell)) - np.repeat(np.cumsum(counts) - counts, counts)
        name = pairs.names[first[cell] + step]
        groups = _Groups.of(block.owner[cell], name, block.start[cell], block.end[cell])
        values = groups.gains(1.0 - alpha, k, weight)
        return kernels.group_sums(values, groups.owner, len(block))

    values = comparison.by_list("concept", ties, look, about="matrix")
    return np.where(pairs.subtopics > 0, values, np.nan)


class _Groups(NamedTuple):
    """The documents of one score that are relevant to one subtopic of a topic."""

    owner: Ints
    start: Ints
    end: Ints
    """Documents of the list above the score, and at or above it."""
    before: Ints
    """Documents above that are relevant to the same subtopic."""
    relevant: Ints

    @classmethod
    def of(cls, owner: Ints, name: Ints, start: Ints, end: Ints) -> _Groups:
        order = np.lexsort((start, name, owner))
        owner, name, start, end = (side[order] for side in (owner, name, start, end))
        new_list = np.append(True, (np.diff(owner) != 0) | (np.diff(name) != 0))[: len(owner)]
        opens = new_list | np.append(True, np.diff(start) != 0)[: len(owner)]
        at = np.flatnonzero(opens)
        begin = np.maximum.accumulate(np.where(new_list, np.arange(len(owner)), 0))[at]
        sizes = np.diff(np.append(at, len(owner)))
        return cls(owner[at], start[at], end[at], at - begin, sizes)

    def gains(self, stays: float, k: int, weight: Weight) -> Floats:
        """Σ stays^n · weight(rank) over the documents of each group among the first k."""
        values = np.power(stays, self.before) * weight((self.start + 1).astype(np.float64))
        for index in np.flatnonzero(self.end - self.start > 1).tolist():
            size = int(self.end[index] - self.start[index])
            shown = min(size, k - int(self.start[index]))
            chances = _expected_gains(size, int(self.relevant[index]), shown, stays)
            ranks = weight(int(self.start[index]) + np.arange(1.0, shown + 1.0, dtype=np.float64))
            values[index] = stays ** int(self.before[index]) * kernels.total(chances, ranks)
        return values


def _expected_gains(size: int, relevant: int, shown: int, stays: float) -> Floats:
    """What each of the first ranks of a group gains, on average over all orders of its documents:
    the chance that a relevant one stands there times stays^(relevant ones above in the group)."""
    gains = []
    for above in range(shown):
        all_ways = math.comb(size - 1, above)
        ways = (
            math.comb(relevant - 1, hits)
            * math.comb(size - relevant, above - hits)
            / all_ways
            * stays**hits
            for hits in range(min(relevant - 1, above) + 1)
        )
        gains.append(relevant / size * math.fsum(ways))
    return np.array(gains)


# ── the ideal list ────────────────────────────────────────────────────────────────────────────


def _ideal(truth: Truth, kind: str, k: int, alpha: float, ideal: str) -> Floats:
    """The same sum of an ideal list, by topic."""
    key = ("ideal by subtopics", kind, k, alpha, ideal)
    return truth.once(key, lambda: _ideal_of(truth, _WEIGHTS[kind], k, alpha, ideal))


def _ideal_of(truth: Truth, weight: Weight, k: int, alpha: float, ideal: str) -> Floats:
    pairs, stays = _pairs(truth), 1.0 - alpha
    if ideal == "independent":
        # Behind that, gains are too small for any number to hold.
        last = k if stays == 1.0 else math.ceil(800.0 / -math.log(max(stays, 1e-300)))
        steps = np.arange(float(min(k, last)))
        every = kernels.total(np.power(stays, steps), weight(steps + 1.0))
        return np.asarray(every * pairs.subtopics, dtype=np.float64)
    topics = truth.shape[1]
    order = np.argsort(pairs.codes % max(topics, 1), kind="stable")
    codes, names = pairs.codes[order], pairs.names[order]
    edges = np.searchsorted(codes % max(topics, 1), np.arange(topics + 1))
    out = np.zeros(topics)
    for topic in np.flatnonzero(np.diff(edges)).tolist():
        part = slice(edges[topic], edges[topic + 1])
        queues = _queues(truth, codes[part] // topics, names[part])
        gains = _greedy_gains(queues, k, stays)
        out[topic] = kernels.total(np.array(gains), weight(np.arange(1.0, len(gains) + 1.0)))
    return out


Aspects = tuple[int, ...]
"""The subtopics of a document."""


def _queues(truth: Truth, documents: Ints, names: Ints) -> dict[Aspects, list[bytes]]:
    """Documents by the subtopics that they have; the last by id is the last of its queue."""
    here, first = np.unique(documents, return_index=True)
    queues: dict[Aspects, list[bytes]] = {}
    for document, aspects in zip(here.tolist(), np.split(names, first[1:]), strict=True):
        # Without ids the subtopics decide among equals, so that the order of rows never shows.
        name = truth.items[document].encode() if truth.item_axis.ids is not None else b""
        queues.setdefault(tuple(aspects.tolist()), []).append(name)
    return {aspects: sorted(queue) for aspects, queue in queues.items()}


def _greedy_gains(queues: dict[Aspects, list[bytes]], k: int, stays: float) -> list[float]:
    """Gains of the list that takes the document of the largest gain at each rank."""
    worth = {name: 1.0 for aspects in queues for name in aspects}
    gains: list[float] = []
    while queues and len(gains) < k:
        gain, _, best = max(
            (math.fsum(worth[name] for name in aspects), queue[-1], aspects)
            for aspects, queue in queues.items()
        )
        gains.append(gain)
        queues[best].pop()
        if not queues[best]:
            del queues[best]
        worth |= {name: worth[name] * stays for name in best}
    return gains
