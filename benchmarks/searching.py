"""Searches: 1,000 topics of 1,000 documents each, scored, against pytrec_eval.

Runs are aligned: our run and truth share their documents, as theirs share dictionaries. Once all
topics retrieve the same 1,000 documents, as a re-ranker does, once each its own out of 200,000.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytrec_eval
from scipy.sparse import coo_array

import cranfield as cf
from benchmarks.timing import Ratio, best_of

TOPICS, DEPTH, JUDGED = 1000, 1000, 100

FEW = {
    "concept.AP": "map",
    "concept.RP": "Rprec",
    "concept.RR": "recip_rank",
    "concept.P@10": "P_10",
    "concept.nDCG": "ndcg",
}
CUTS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
MANY = [
    *FEW,
    *(f"concept.{name}@{k}" for name in ("P", "R", "nDCG") for k in CUTS),
    *(f"concept.success@{k}" for k in (1, 5, 10)),
    *("concept.iAP", "concept.GMAP", "concept.bpref", "concept.infAP"),
    *("concept.P", "concept.R", "concept.F"),
]
"""What pytrec_eval has under `supported_measures`, as far as we have it."""


@dataclass(frozen=True)
class Searches:
    """The same searches for both."""

    truth: cf.Truth
    run: cf.Run
    qrels: dict[str, dict[str, int]]
    results: dict[str, dict[str, float]]


def ratios() -> Iterator[Ratio]:
    for documents, graded in ((DEPTH, False), (200_000, False), (200_000, True)):
        searches = _searches(documents, graded=graded)
        what = f"{TOPICS:,} × {DEPTH:,}" + (f" of {documents:,}" if documents > DEPTH else "")
        what += ", grades" if graded else ""
        yield _against(searches, f"{what}: AP RP RR P@10 nDCG", list(FEW), set(FEW.values()), 90)
        every = set(pytrec_eval.supported_measures)
        yield _against(searches, f"{what}: all measures", MANY, every, 30)


def _against(
    searches: Searches, what: str, ours: list[str], theirs: set[str], target: float
) -> Ratio:
    judge = pytrec_eval.RelevanceEvaluator(searches.qrels, theirs)
    found = judge.evaluate(searches.results)
    result = cf.evaluate(searches.truth, searches.run, ours)
    for name, their in FEW.items():
        wanted = np.mean([found[topic][their] for topic in searches.truth.concepts])
        assert abs(result["run", name] - wanted) < 1e-9, name
    return Ratio(
        what,
        "pytrec_eval",
        best_of(3, lambda: judge.evaluate(searches.results)),
        best_of(9, lambda: cf.evaluate(searches.truth, searches.run, ours)),
        target,
    )


def _searches(documents: int, *, graded: bool) -> Searches:
    draw = np.random.default_rng(documents)
    rows = np.concatenate(
        [draw.choice(documents, DEPTH, replace=False) for _ in range(TOPICS)]
    ).reshape(TOPICS, DEPTH)
    ranks = np.broadcast_to(np.arange(1, DEPTH + 1), (TOPICS, DEPTH))
    scores = (draw.permuted(ranks, axis=1) / DEPTH).astype(np.float32)
    judged = rows[:, :JUDGED]
    grades = draw.integers(0, 3 if graded else 2, judged.shape)
    grades[:, 0] = 1
    ids = tuple(f"d{number:07d}" for number in range(documents))
    names = tuple(map(str, range(TOPICS)))
    topics = np.arange(TOPICS)[:, None]

    def matrix(values: Any, places: Any) -> coo_array:
        columns = np.broadcast_to(topics, places.shape).ravel()
        return coo_array((values.ravel(), (places.ravel(), columns)), shape=(documents, TOPICS))

    kind = "grades" if graded else "labels"
    truth = cf.Truth(**{kind: matrix(grades, judged)}, items=ids, concepts=names, open=True)
    cells = matrix(scores, rows)
    found = cells.toarray() if documents == DEPTH else cells
    run = cf.Run(found, labels=_retrieved(found), items=truth.items, concepts=truth.concepts)
    return Searches(truth, run, _told(ids, names, judged, grades), _told(ids, names, rows, scores))


def _retrieved(found: Any) -> Any:
    """Everything that was retrieved is in the result set."""
    if isinstance(found, np.ndarray):
        return np.ones(found.shape, dtype=np.bool_)
    return coo_array(
        (np.ones(len(found.data), dtype=np.bool_), (found.row, found.col)), found.shape
    )


def _told(ids: Any, names: Any, places: Any, values: Any) -> dict[str, dict[str, Any]]:
    return {
        name: dict(zip((ids[i] for i in own.tolist()), told.tolist(), strict=True))
        for name, own, told in zip(names, places, values, strict=True)
    }
