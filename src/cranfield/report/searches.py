"""Searches on the screen: queries and what there is to find, first hits, rankings compared."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cranfield.core.reference_names import references_remark
from cranfield.core.truth import State, Truth
from cranfield.engine.standings import competition_ranks
from cranfield.report.standings import UNDEFINED
from cranfield.report.tables import cut_name, plain_table, remark
from cranfield.studies.searching import RankAgreement, SearchStudy
from cranfield.tasks.retrieval.hits import Hit
from cranfield.tasks.retrieval.queries import NamedQuery

_LISTED = 20
"""Queries that are listed before the others are only counted."""
_MARKS = {
    State.POSITIVE: Text("✓ right", style="green"),
    State.NEGATIVE: Text("✗ wrong", style="red"),
    State.UNJUDGED: Text("? unjudged", style="dim"),
    State.OUTSIDE: Text("? outside the pool", style="dim"),
}


def query_table(queries: Sequence[NamedQuery], truth: Truth) -> RenderableType:
    """What is asked, and how many items answer it."""
    facts = query_content(queries, truth)
    unknown = any(one["unjudged"] for one in facts)
    titled = any(one.title for one in queries)
    table = plain_table()
    headings = ["query", "", *["title"] * titled, "relevant", *["unjudged"] * unknown]
    for heading in headings:
        is_number = heading in ("relevant", "unjudged")
        table.add_column(heading, justify="right" if is_number else "left")
    for one in facts[:_LISTED]:
        words = [cut_name(one["id"]), Text(one["query"]), *[Text(one["title"])] * titled]
        numbers = [str(one["relevant"]), *[str(one["unjudged"])] * unknown]
        table.add_row(*words, *numbers)
    said = f"{truth.shape[0]} items"
    if len(queries) > _LISTED:
        mean = sum(one["relevant"] for one in facts) / len(queries)
        more = len(queries) - _LISTED
        said = f"… and {more} more; of {said}, {mean:.1f} answer a query on average"
    return Group(table, remark(said))


def query_content(queries: Sequence[NamedQuery], truth: Truth) -> list[dict[str, Any]]:
    """The same for JSON."""
    relevant = truth.totals(0, "negative").positives.tolist()
    known = truth.totals(0, "exclude")
    judged = (known.positives + known.negatives).tolist()
    return [
        {
            "id": one.id,
            "query": str(one.query),
            "title": one.title,
            "relevant": right,
            "unjudged": truth.shape[0] - sure,
        }
        for one, right, sure in zip(queries, relevant, judged, strict=True)
    ]


def hit_table(query: NamedQuery, run: str, hits: Iterable[Hit]) -> RenderableType:
    """The first items that a run finds for a query."""
    head = Text(f"\n  {query.id}  {query.title or query.query}  by {run}", style="bold")
    table = plain_table()
    for heading in ("", "item", "score", ""):
        table.add_column(heading, justify="right" if heading in ("", "score") else "left")
    table.columns[-1].justify = "left"
    listed = list(hits)
    for place, hit in zip(_places(listed), listed, strict=True):
        score = UNDEFINED if hit.score is None else f"{hit.score:.4f}"
        table.add_row(str(place), cut_name(hit.item), score, _MARKS[hit.state])
    return Group(head, table if table.row_count else remark("nothing was found"))


def hit_content(query: NamedQuery, run: str, hits: Iterable[Hit]) -> dict[str, Any]:
    """The same for JSON."""
    listed = list(hits)
    found = [
        {
            "item": hit.item,
            "rank": place,
            "score": hit.score,
            "judgement": hit.state.name.lower(),
        }
        for place, hit in zip(_places(listed), listed, strict=True)
    ]
    return {"query": query.id, "run": run, "hits": found}


def _places(hits: Sequence[Hit]) -> list[int]:
    """The place of each hit; equal scores share one, and so do decisions, which have no score."""
    scores = [0.0 if hit.score is None else hit.score for hit in hits]
    return [int(place) for place in competition_ranks(scores).tolist()]


def agreement_table(study: SearchStudy) -> RenderableType:
    """How far measures of annotations rank runs as searches do."""
    table: Table = plain_table()
    for heading in ("searches by", "annotations by", "τ", "τ_b", "opposite pairs", "runs"):
        is_name = heading.endswith("by")
        table.add_column(heading, justify="left" if is_name else "right", no_wrap=True)
    for one in study.agreements:
        table.add_row(
            str(one.search),
            str(one.annotation),
            _number(one.tau),
            _number(one.tau_b),
            f"{one.opposite} of {one.runs * (one.runs - 1) // 2}",
            str(one.runs),
        )
    count = study.searches.truth.shape[1]
    over = "over 1 query" if count == 1 else f"over {count} queries"
    rule = "τ = (P − Q)/(P + Q), of P pairs of runs in the same order and Q in opposite ones"
    left_out = [remark(references_remark(study.left_out))] if study.left_out else []
    return Group(table, remark(f"{over}; {rule}"), *left_out)


def agreement_content(study: SearchStudy) -> list[dict[str, Any]]:
    """The same for JSON; null where undefined."""
    return [_content(one) for one in study.agreements]


def _content(one: RankAgreement) -> dict[str, Any]:
    return {
        "search": str(one.search),
        "annotation": str(one.annotation),
        "tau": None if math.isnan(one.tau) else one.tau,
        "tau_b": None if math.isnan(one.tau_b) else one.tau_b,
        "opposite": one.opposite,
        "runs": one.runs,
    }


def _number(value: float) -> str:
    return UNDEFINED if math.isnan(value) else f"{value:.3f}"
