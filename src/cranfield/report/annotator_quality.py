"""What is to be thought of annotators, on a terminal, as JSON and CSV."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cranfield.assessment.quality import Quality
from cranfield.errors import first_ten, several
from cranfield.report.standings import UNDEFINED
from cranfield.report.study_tables import as_csv, number
from cranfield.report.tables import cut_name, plain_table, remark

_SHOWN = 20
"""Annotators that a table lists."""


def quality_tables(found: Quality) -> Group:
    """Annotators, the lowest scores first, what rules reject, and batches where there are some."""
    parts: list[RenderableType] = [_annotators(found)]
    hidden = len(found.votes.annotators) - _SHOWN
    if hidden > 0:
        parts.append(remark(f"… and {several(hidden, 'more annotator')}: see --csv"))
    parts.append(_rules(found))
    if len(found.votes.batches) > 1:
        parts.append(_batches(found))
    return Group(*parts, *map(remark, _remarks(found)))


def _annotators(found: Quality) -> Table:
    table = plain_table()
    table.add_column("annotator")
    rows = list(found.frame.head(_SHOWN).iter_rows(named=True))
    timed = any(row["median_seconds"] is not None for row in rows)
    ordered = any(row["slope"] is not None for row in rows)
    headings = ["sheets", "rejected", "votes", "agreement", "score"]
    headings += (["median s", "sheets/h"] if timed else []) + (["drift"] if ordered else [])
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    drifting = {found.votes.annotators[place] for place in found.drift.drifting()}
    for row in rows:
        cells = [str(row[name]) for name in ("sheets", "rejected", "votes")]
        cells += [_number(row[name], 3) for name in ("agreement", "score")]
        if timed:
            cells += [_number(row[name], 0) for name in ("median_seconds", "sheets_per_hour")]
        if ordered:
            cells.append(_drift(row) + ("*" if row["annotator"] in drifting else " "))
        table.add_row(cut_name(row["annotator"]), *cells)
    return table


def _drift(row: dict[str, Any]) -> str:
    """Agreement in the first and the second half of the work."""
    if row["first_half"] is None or row["second_half"] is None:
        return UNDEFINED
    return f"{number(row['first_half'], 2)} → {number(row['second_half'], 2)}"


def _number(value: float | None, digits: int) -> str:
    return UNDEFINED if value is None else number(value, digits)


def _rules(found: Quality) -> RenderableType:
    table = plain_table()
    table.add_column("rule")
    for heading in ("sheets", "annotators"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("such as")
    who = found.votes.sheets.annotator
    for rule, rejected in found.rejected.items():
        example = next(iter(rejected.values()), "")
        annotators = len({int(who[sheet]) for sheet in rejected})
        table.add_row(rule, str(len(rejected)), str(annotators), cut_name(example))
    return Group(Text("\n  Rejected", style="bold"), table)


def _batches(found: Quality) -> RenderableType:
    table = plain_table()
    table.add_column("batch")
    headings = ("annotators", "sheets", "rejected", "share", "mean s", "of rejected")
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for row in found.by_batch.iter_rows(named=True):
        counts = [str(row[name]) for name in ("annotators", "sheets", "rejected")]
        share = UNDEFINED if row["share"] is None else f"{row['share']:.2%}"
        times = [_number(row[name], 1) for name in ("mean_seconds", "mean_seconds_rejected")]
        table.add_row(cut_name(row["batch"]), *counts, share, *times)
    return Group(Text("\n  Batches", style="bold"), table)


def _remarks(found: Quality) -> Iterator[str]:
    yield from found.remarks
    sheets, refused = len(found.votes.sheets), int(found.refused.sum())
    items = int((found.by_item["rejected"] > 0).sum())
    share = f" ({refused / sheets:.2%})" if sheets else ""
    about = f", about {several(items, 'item')}" if refused else ""
    yield f"{refused} of {several(sheets, 'sheet')} rejected{share}{about}"
    yield (
        "agreement: the share of votes that say what the others say; score: 0 where answers do not "
        "depend on the item, 1 where they always follow the others (Raykar & Yu 2012)"
    )
    drifting = [found.votes.annotators[place] for place in found.drift.drifting().tolist()]
    if drifting:
        yield f"* agreement changes with time (p < .05, Holm): {first_ten(drifting)}"
    if found.repeated:
        twice = sum(one.items for one in found.repeated)
        votes = sum(one.votes for one in found.repeated)
        same = sum(one.same for one in found.repeated)
        yield (
            f"{several(len(found.repeated), 'annotator')} saw {several(twice, 'item')} in several "
            f"batches, and answered the same in {same / votes:.1%} of {several(votes, 'vote')}"
        )
    for two in found.twins[:5]:
        yield (
            f"{two.one!r} and {two.other!r} depart from the majority together in {two.shared} of "
            f"{several(two.departures, 'vote')}: are they one?"
        )
    if len(found.twins) > 5:
        yield f"… and {several(len(found.twins) - 5, 'more such pair')}: see --json"


def quality_content(found: Quality) -> dict[str, Any]:
    """The same for other programs, with every annotator and every rejected sheet."""
    return {
        "remarks": list(found.remarks),
        "sheets": len(found.votes.sheets),
        "rejected": int(found.refused.sum()),
        "rules": {rule: len(rejected) for rule, rejected in found.rejected.items()},
        "annotators": found.frame.to_dicts(),
        "batches": found.by_batch.to_dicts(),
        "items": [row for row in found.by_item.iter_rows(named=True) if row["rejected"]],
        "rejections": found.rejections.to_dicts(),
        "drifting": [found.votes.annotators[place] for place in found.drift.drifting().tolist()],
        "repeated": [asdict(one) for one in found.repeated],
        "twins": [asdict(two) for two in found.twins],
    }


def quality_csv(found: Quality) -> str:
    """A line for each annotator."""
    return as_csv(found.frame.iter_rows(named=True))
