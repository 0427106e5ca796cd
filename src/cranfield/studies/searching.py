"""Do measures of annotation say how well annotators serve a search?

Runs are ranked by how well queries over their concepts find what they should, and by measures of
the annotations themselves. Where both rankings agree, the measure tells what people who search will
see (the user model of Nowak 2011 §7.2.1); where they do not, it tells something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from cranfield.caching import cached_property
from cranfield.collections.collection import Collection
from cranfield.collections.extra_items import covering
from cranfield.core.axes import Extra, Missing
from cranfield.core.chart import Picture
from cranfield.core.matrices import Floats
from cranfield.core.reference_names import is_system, references_remark
from cranfield.core.result import Analysis
from cranfield.core.run import Run
from cranfield.core.table import Column, Table
from cranfield.core.terms import Terms
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.engine.evaluation import Evaluation
from cranfield.engine.standings import competition_ranks
from cranfield.errors import InputError
from cranfield.measures import Measure
from cranfield.statistics import tau, tau_b
from cranfield.tasks.retrieval.queries import NamedQuery
from cranfield.tasks.retrieval.searching import Combine, Hit, first_hits, items_to_find, search

_SEARCHED_BY = ("concept.AP",)
_LISTED = 20
"""Queries that are listed before the others are only counted."""
_MARKS = {
    "positive": "✓ right",
    "negative": "✗ wrong",
    "unjudged": "? unjudged",
    "outside": "? outside the pool",
}
ANNOTATED_BY = ("example.F", "example.AP", "concept.AP", "concept.AUC")


class RankAgreement(NamedTuple):
    """How far a measure of searches and one of annotations put runs in the same order."""

    search: Measure
    annotation: Measure
    tau: float
    """Pairs in the same order less those in opposite ones, by both together."""
    tau_b: float
    opposite: int
    """Pairs of runs that the two put in opposite orders."""
    runs: int
    """Those that both measures score."""


@dataclass(frozen=True, eq=False, repr=False)
class SearchStudy(Analysis):
    """Runs scored by the queries that they serve and, if asked for, by their annotations."""

    title = "Searches"

    searches: Evaluation
    annotations: Evaluation | None = None
    queries: tuple[NamedQuery, ...] = ()
    """What was searched for."""
    hits: tuple[QueryHits, ...] = ()
    """The first hits of the best run, query by query."""
    per_unit: bool = False
    """Whether the scores of every single query are shown."""
    warnings: tuple[str, ...] = ()

    @property
    def terms(self) -> Terms:
        return self.searches.terms

    @property
    def left_out(self) -> tuple[str, ...]:
        """Runs that are no systems, being random or perfect, and so are not ranked."""
        return tuple(run for run in self.searches.runs if not is_system(run))

    @cached_property
    def agreements(self) -> tuple[RankAgreement, ...]:
        """For each measure of searches those of annotations, the one that agrees best first."""
        if self.annotations is None:
            return ()
        by_measure = [
            [self._agreement(search, annotation) for annotation in self.annotations.measures]
            for search in self.searches.measures
        ]
        return tuple(
            pair
            for pairs in by_measure
            for pair in sorted(pairs, key=lambda pair: -_defined(pair.tau))
        )

    def _agreement(self, search: Measure, annotation: Measure) -> RankAgreement:
        assert self.annotations is not None
        x, y = _merits(self.searches, search), _merits(self.annotations, annotation)
        both = ~np.isnan(x) & ~np.isnan(y)
        x, y = x[both], y[both]
        opposite = np.subtract.outer(x, x) * np.subtract.outer(y, y) < 0
        return RankAgreement(
            search,
            annotation,
            float(tau(x, y)),
            float(tau_b(x, y)),
            int(np.count_nonzero(opposite)) // 2,
            len(x),
        )

    @cached_property
    def _scores(self) -> Analysis:
        names = {query.id: query.title or str(query.query) for query in self.queries}
        return self.searches.by_unit(names) if self.per_unit else self.searches

    def _facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = {"queries": self._query_rows()} if self.queries else {}
        facts |= self._scores._facts()
        if self.annotations is not None:
            facts["agreement"] = [
                pair._asdict() | {"search": str(pair.search), "annotation": str(pair.annotation)}
                for pair in self.agreements
            ]
            facts["left_out"] = list(self.left_out)
        if self.hits:
            facts["hits"] = [hits.record() for hits in self.hits]
        return facts

    def _tables(self) -> list[Table]:
        queries = [self._query_table()] if self.queries else []
        agreement = [] if self.annotations is None else [self._agreement_table()]
        hits = [part.table() for part in self.hits]
        return [*queries, *self._scores._tables(), *agreement, *hits]

    def _charts(self) -> Sequence[Picture]:
        return self._scores._charts()

    def _remarks(self) -> list[str]:
        return list(self._scores._remarks())

    def _query_rows(self) -> list[dict[str, Any]]:
        """What is asked, and how many items answer it."""
        truth = self.searches.truth
        relevant = truth.totals(0, "negative").positives.tolist()
        judged = truth.totals(0, "exclude")
        counts = (judged.positives + judged.negatives).tolist()
        return [
            {
                "id": query.id,
                "query": str(query.query),
                "title": query.title,
                "relevant": right,
                "unjudged": truth.shape[0] - count,
            }
            for query, right, count in zip(self.queries, relevant, counts, strict=True)
        ]

    def _query_table(self) -> Table:
        rows = self._query_rows()
        columns = [Column("id", "query", key=True), Column("query", " ", align="left")]
        columns += [Column("title", align="left")] * any(row["title"] for row in rows)
        columns += [Column("relevant")]
        columns += [Column("unjudged")] * any(row["unjudged"] for row in rows)
        remark = self.terms.several(self.searches.truth.shape[0], "item")
        if len(rows) > _LISTED:
            mean = sum(row["relevant"] for row in rows) / len(rows)
            more = len(rows) - _LISTED
            remark = f"… and {more} more; of {remark}, {mean:.1f} answer a query on average"
        return Table("queries", rows[:_LISTED], columns, remarks=[remark], audience="people")

    def _agreement_table(self) -> Table:
        """How far measures of annotations rank runs as searches do."""
        rows = [
            pair._asdict()
            | {"search": str(pair.search), "annotation": str(pair.annotation)}
            | {"opposite": f"{pair.opposite} of {pair.runs * (pair.runs - 1) // 2}"}
            for pair in self.agreements
        ]
        columns = (
            Column("search", "searches by", key=True),
            Column("annotation", "annotations by", key=True),
            Column("tau", "τ"),
            Column("tau_b", "τ_b"),
            Column("opposite", "opposite pairs", align="right"),
            Column("runs"),
        )
        count = self.searches.truth.shape[1]
        over = "over 1 query" if count == 1 else f"over {count} queries"
        rule = "τ = (P − Q)/(P + Q), of P pairs of runs in the same order and Q in opposite ones"
        remarks = [f"{over}; {rule}"]
        if self.left_out:
            remarks.append(references_remark(self.left_out))
        return Table("agreement", rows, columns, remarks=remarks, audience="people")


class QueryHits(NamedTuple):
    """The first items that a run finds for a query."""

    query: NamedQuery
    run: str
    hits: tuple[Hit, ...]

    def _rows(self) -> list[dict[str, Any]]:
        """Equal scores share a rank, and so do decisions, which have no score."""
        scores = [0.0 if hit.score is None else hit.score for hit in self.hits]
        ranks = competition_ranks(scores).tolist()
        return [
            {"item": hit.item, "rank": int(rank), "score": hit.score}
            | {"judgement": hit.state.name.lower()}
            for rank, hit in zip(ranks, self.hits, strict=True)
        ]

    def record(self) -> dict[str, Any]:
        return {"query": self.query.id, "run": self.run, "hits": self._rows()}

    def table(self) -> Table:
        rows = [row | {"judgement": _MARKS[row["judgement"]]} for row in self._rows()]
        columns = (
            Column("rank", " ", key=True, align="right"),
            Column("item", key=True),
            Column("score", digits=4),
            Column("judgement", " ", align="left"),
        )
        title = f"{self.query.id}  {self.query.title or self.query.query}  by {self.run}"
        return Table(
            f"hits of {self.query.id}",
            rows,
            columns,
            title=title,
            remarks=() if rows else ["nothing was found"],
            audience="people",
        )


def first_hits_of_best(
    searches: Evaluation, runs: Iterable[Run], queries: Iterable[NamedQuery], count: int
) -> tuple[QueryHits, ...]:
    """The first hits of the run that is best by the first measure, for each query."""
    if not count:
        return ()
    best = searches.standings.runs[0]
    run = next(run for run in runs if run.name == best)
    return tuple(
        QueryHits(query, best, tuple(first_hits(searches.truth, run, query.id, count)))
        for query in queries
    )


def study_searches(
    truth: Truth | Collection,
    runs: Iterable[Run],
    queries: Any,
    *,
    searched_by: Any = _SEARCHED_BY,
    annotated_by: Any = ANNOTATED_BY,
    combine: Combine = "min",
    missing: Missing = "error",
    extra: Extra = "error",
    **known: Any,
) -> SearchStudy:
    """Score runs by many searches and by their annotations, and compare the two rankings.

    queries       as for `cf.search`
    searched_by   measures of the searches
    annotated_by  measures of the annotations
    known         what is known about concepts, as for `cf.evaluate`
    """
    listed = covering(truth, list(runs), extra)
    plain = truth.truth if isinstance(truth, Collection) else truth
    items = items_to_find(plain, missing)
    answers = [
        search(run, queries, combine=combine, missing=missing, items=items) for run in listed
    ]
    return SearchStudy(
        evaluate(search(truth, queries), answers, searched_by, missing=missing),
        evaluate(truth, listed, annotated_by, missing=missing, **known),
    )


def _merits(evaluation: Evaluation, measure: Measure) -> Floats:
    """The scores of all systems, higher = better."""
    if measure.traits.better == "neither":
        raise InputError(f"{measure} is a property of the truth and ranks no runs; leave it out")
    sign = 1.0 if measure.traits.better == "higher" else -1.0
    return np.array([sign * evaluation[run, measure] for run in filter(is_system, evaluation.runs)])


def _defined(value: float) -> float:
    return -2.0 if np.isnan(value) else value
