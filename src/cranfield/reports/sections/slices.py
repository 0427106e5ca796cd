"""Slices: where runs fail: scores of parts of the collection, with intervals and tests."""

from __future__ import annotations

from cranfield.measures import Measure
from cranfield.report.standings import written_p
from cranfield.reports.choice import choice
from cranfield.reports.findings import Findings
from cranfield.reports.graphics import Scale, interval
from cranfield.reports.naming import emphasised, named, slug, titled
from cranfield.reports.section import Section
from cranfield.reports.tables import Cell, Column, Row, Table, written
from cranfield.show.markup import NOTHING, Html, joined, paragraphs, shown
from cranfield.statistics.slices import Slices, SliceScore

_RUNS = 10
"""Runs that are shown, the best ones."""


def section(found: Findings) -> Section | None:
    if found.slices is None or not len(found.slices):
        return None
    sliced = found.slices
    runs = [run for run in found.standings.runs if run in sliced.runs][:_RUNS]
    tables = [(one, _table(found, sliced, one, runs)) for one in sliced.measures]
    remarks = list(sliced.result.remarks)
    if len(runs) < len(sliced.runs):
        remarks = [f"the best {len(runs)} of {len(sliced.runs)} runs are shown", *remarks]
    shown_one = choice("Measure", [(str(one), table.html) for one, table in tables])
    return Section(
        "slices",
        "Where do runs fail?",
        "Scores of parts of the collection, and how far each is from the score of all the rest.",
        joined([shown_one, paragraphs(remarks, class_="remark")]),
        tuple(table for _, table in tables),
        _finding(found, sliced, runs),
    )


def _table(found: Findings, sliced: Slices, one: Measure, runs: list[str]) -> Table:
    scores = [score for score in sliced if score.measure == one and score.run in runs]
    scores.sort(key=lambda score: runs.index(score.run))
    scale = Scale.over(end for score in scores for end in (score.score, score.low, score.high))
    columns = (
        Column("run", css="name"),
        Column("attribute"),
        Column("slice", css="name"),
        Column("items"),
        Column("concepts"),
        Column("interval", scale.axis, place="page", css="drawn"),
        Column("score"),
        Column("low", place="data"),
        Column("high", place="data"),
        Column("difference", "− rest"),
        Column("adjusted", "p adjusted"),
        Column("verdict", css="tight"),
    )
    rows = [_row(found, score, scale) for score in scores]
    caption = f"Slices by {titled(one)}"
    return Table(f"slices-{slug(one)}", caption, columns, rows, "charted")


def _row(found: Findings, score: SliceScore, scale: Scale) -> Row:
    differs = score.adjusted < found.alpha
    verdict = " ".join(filter(None, ("worst" if score.worst else "", "differs" if differs else "")))
    return [
        Cell(score.run, named(found, score.run)),
        score.attribute,
        score.slice,
        score.items,
        score.concepts,
        Cell(None, interval(scale, score.score, score.low, score.high)),
        score.score,
        score.low,
        score.high,
        score.difference,
        Cell(score.adjusted, shown(written_p(score.adjusted, digits=4))),
        Cell(verdict, css="is-worse" if score.worst and differs else ""),
    ]


def _finding(found: Findings, sliced: Slices, runs: list[str]) -> Html:
    """The worst slice of the best run that differs from the rest."""
    best = [one for one in sliced if (one.run, one.measure) == (runs[0], sliced.measures[0])]
    apart = [one for one in best if one.worst and one.adjusted < found.alpha]
    if not apart:
        return NOTHING
    one = max(apart, key=lambda score: abs(score.difference))
    return joined(
        [
            emphasised(one.run), " is worst where ", shown(one.attribute), " is ",
            emphasised(one.slice), f": {written(one.score, 3)} by {one.measure}, ",
            f"{written(abs(one.difference), 3)} from the rest.",
        ]
    )  # fmt: skip
