"""Pools on a terminal and as JSON: what is pooled, how far people got, where they disagree."""

from __future__ import annotations

from typing import Any

import numpy as np
from rich.console import Group
from rich.table import Table

from cranfield.assessment.pools import Merged, Pool, Progress
from cranfield.assessment.pools.judgements import Done
from cranfield.errors import several
from cranfield.report.tables import cut_name, plain_table, remark

_SHOWN = 20
"""Topics, and disagreements, that a table lists."""


def pool_table(pool: Pool) -> Group:
    """How many documents of each topic are pooled, how deep, and how many are to be judged."""
    table = plain_table()
    table.add_column("topic")
    for heading in ("pooled", "to judge", "depth"):
        table.add_column(heading, justify="right", no_wrap=True)
    rows = _rows(pool)
    for row in rows[:_SHOWN]:
        table.add_row(cut_name(row["topic"]), *(str(row[n]) for n in ("pooled", "drawn", "depth")))
    return Group(
        table,
        *_more(len(rows), "topic"),
        remark(f"{pool.method}: {len(pool)} pooled, {int(pool.drawn.sum())} to judge"),
    )


def pool_content(pool: Pool) -> dict[str, Any]:
    """The same for other programs."""
    return {
        "method": pool.method,
        "pooled": len(pool),
        "to_judge": int(pool.drawn.sum()),
        "topics": _rows(pool),
    }


def progress_tables(progress: Progress) -> Group:
    """Judgements that are there, of those asked for, by assessor and by topic."""
    done, total = progress.documents
    notes = [f"{done} of {several(total, 'document')} judged"]
    if progress.not_assigned:
        notes.append(f"{progress.not_assigned} not handed out yet")
    return Group(
        _done_table("assessor", progress.by_assessor),
        _done_table("topic", progress.by_topic),
        *_more(len(progress.by_topic), "topic"),
        remark("; ".join(notes)),
    )


def progress_content(progress: Progress) -> dict[str, Any]:
    """The same for other programs."""
    return {
        "documents": progress.documents._asdict(),
        "not_assigned": progress.not_assigned,
        "judgements": progress.judgements._asdict(),
        "assessors": {name: one._asdict() for name, one in progress.by_assessor.items()},
        "topics": {name: one._asdict() for name, one in progress.by_topic.items()},
    }


def merged_tables(pool: Pool, merged: Merged) -> Group:
    """How many documents were judged, and on which people disagree."""
    relevant = sum(grade >= 1 for grade in merged.grades.values())
    notes = [
        f"{len(merged.grades)} of {len(pool)} pooled documents judged, {relevant} of them "
        f"relevant; {len(pool) - len(merged.grades)} stay unjudged (−1)",
        f"{several(merged.several, 'document')} judged by more than one, "
        f"{len(merged.disagreements)} of them differently, {merged.even_splits} evenly split",
    ]
    table = plain_table()
    for heading in ("topic", "document", "judgements"):
        table.add_column(heading)
    table.add_column("merged", justify="right")
    for one in merged.disagreements[:_SHOWN]:
        said = ", ".join(f"{name} {grade}" for name, grade in one.grades.items())
        table.add_row(cut_name(one.topic), cut_name(one.document), cut_name(said), str(one.merged))
    return Group(
        *([table] if merged.disagreements else []),
        *_more(len(merged.disagreements), "disagreement"),
        *map(remark, notes),
    )


def merged_content(pool: Pool, merged: Merged) -> dict[str, Any]:
    """The same for other programs, with every disagreement."""
    return {
        "pooled": len(pool),
        "judged": len(merged.grades),
        "relevant": sum(grade >= 1 for grade in merged.grades.values()),
        "judged_by_several": merged.several,
        "even_splits": merged.even_splits,
        "disagreements": [one._asdict() for one in merged.disagreements],
    }


def _rows(pool: Pool) -> list[dict[str, Any]]:
    topic = pool.codes // max(1, len(pool.documents))
    pooled = np.bincount(topic, minlength=len(pool.topics)).tolist()
    drawn = np.bincount(topic[pool.drawn], minlength=len(pool.topics)).tolist()
    return [
        {"topic": name, "pooled": pooled[place], "drawn": drawn[place], "depth": depth}
        for place, (name, depth) in enumerate(pool.depths.items())
    ]


def _done_table(heading: str, rows: dict[str, Done]) -> Table:
    table = plain_table()
    table.add_column(heading)
    for name in ("done", "of", "%"):
        table.add_column(name, justify="right", no_wrap=True)
    for name, (done, total) in list(rows.items())[:_SHOWN]:
        share = f"{100 * done / total:.0f}" if total else "–"
        table.add_row(cut_name(name), str(done), str(total), share)
    return table


def _more(count: int, what: str) -> list[Any]:
    return [remark(f"and {several(count - _SHOWN, f'more {what}')}")] if count > _SHOWN else []
