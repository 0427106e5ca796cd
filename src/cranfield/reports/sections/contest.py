"""Contest: the leader beside everyone else, with the test of each pair."""

from __future__ import annotations

from cranfield.report.standings import written_p
from cranfield.reports.findings import Findings
from cranfield.reports.naming import cut, named
from cranfield.reports.section import Section
from cranfield.reports.tables import Cell, Column, Row, Table
from cranfield.show.markup import joined, paragraphs, shown
from cranfield.statistics.comparing import Pair, Tournament

_STYLES = {"better": "is-better", "worse": "is-worse", "not told apart": "is-open"}


def section(found: Findings) -> Section | None:
    tournament = found.tournament
    if tournament is None:
        return None
    leader = next((run for run in found.systems if run in tournament.runs), tournament.runs[0])
    table = _table(found, tournament, leader)
    remarks = tournament.at(found.alpha).result.remarks
    return Section(
        "contest",
        "Which runs differ?",
        f"Everyone beside {cut(leader)} by {tournament.measure}. Differences are those to the "
        "leader, p-values before and after correction for all pairs; d is the mean difference by "
        "its standard deviation.",
        joined([table.html, paragraphs(remarks, class_="remark")]),
        (table,),
    )


def _table(found: Findings, tournament: Tournament, leader: str) -> Table:
    others = [run for run in tournament.runs if run != leader]
    rows: list[Row] = [_row(found, run, tournament[run, leader]) for run in others]
    columns = (
        Column("run", css="name"),
        Column("difference"),
        Column("p"),
        Column("adjusted"),
        Column("effect", "d", 2),
        Column("verdict"),
    )
    classes = [found.kind(run) for run in others]
    return Table("contest", f"Everyone beside {cut(leader)}", columns, rows, row_css=classes)


def _row(found: Findings, run: str, pair: Pair) -> Row:
    verdict = "not told apart"
    winner = pair.winner_at(found.alpha)
    if winner:
        verdict = "better" if winner == run else "worse"
    return [
        Cell(run, named(found, run)),
        pair.difference,
        *(Cell(p, shown(written_p(p, digits=4))) for p in (pair.p, pair.adjusted)),
        pair.effect,
        Cell(verdict, css=_STYLES[verdict]),
    ]
