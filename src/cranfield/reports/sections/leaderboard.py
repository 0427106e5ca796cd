"""Leaderboard: every run by every measure, with intervals and the runs that each one beats."""

from __future__ import annotations

import math

from cranfield.measures import Measure
from cranfield.report.exports import latex_number
from cranfield.reports.findings import Findings
from cranfield.reports.naming import cut, emphasised, heading, named
from cranfield.reports.section import Section
from cranfield.reports.tables import Cell, Column, Row, Table, written
from cranfield.show.markup import NOTHING, Html, element, joined
from cranfield.statistics.comparing import Tournament
from cranfield.statistics.comparing.tournament import letter


def section(found: Findings) -> Section:
    table = _scores(found)
    return Section(
        "leaderboard", "Leaderboard", _lead(found), table.html, (table,), _finding(found)
    )


def _lead(found: Findings) -> str:
    said = f"Runs by {found.standings.measures[0]}, best first; the best of each column is bold."
    if found.intervals and len(found.intervals):
        first = found.intervals.results[0]
        over = "items and concepts" if first.resample == "both" else first.resample
        said += f" Below each score stands its {first.level:.0%} interval over {over}."
    if found.tournament:
        said += (
            f" Letters above a score by {found.tournament.measure} name the runs that it beats "
            f"significantly (α = {found.alpha:g}); each run has its letter before its name."
        )
    return said


def _finding(found: Findings) -> Html:
    best = found.systems[0]
    if found.leading is None or math.isnan(found.result[best, found.leading]):
        return NOTHING
    value, one = found.result[best, found.leading], found.interval(best, found.leading)
    ends = f" [{written(one.low, 3)}, {written(one.high, 3)}]" if one else ""
    tied = [
        run
        for run in found.systems
        if run != best and found.standings.place(run) == found.standings.place(best)
    ]
    if tied:
        runs = joined([emphasised(best), *map(emphasised, tied)], between=", ")
        return joined([runs, f" share the lead by {found.leading}: {written(value, 3)}{ends}."])
    said = joined([emphasised(best), f" leads by {found.leading}: {written(value, 3)}{ends}"])
    return joined([said, _beaten(found, best), "."])


def _beaten(found: Findings, best: str) -> str:
    """What the test says of the best system beside the others."""
    if found.tournament is None or best not in found.tournament.runs:
        return ""
    others = [run for run in found.systems if run != best and run in found.tournament.runs]
    beaten = set(found.tournament.beaten(found.alpha)[best])
    alike = [run for run in others if run not in beaten]
    if not others:
        return ""
    if not alike:
        return f"; it beats all {len(others)} other systems significantly"
    more = f" and {len(alike) - 3} more" if len(alike) > 3 else ""
    return f"; no significant difference from {', '.join(map(cut, alike[:3]))}{more}"


def _scores(found: Findings) -> Table:
    measures = found.standings.measures
    columns = [Column("place", "#", css="dim"), Column("run", css="name")]
    for one in measures:
        tested = found.tournament is not None and one == found.tournament.measure
        columns += [
            Column(str(one), heading(one), css="score tested" if tested else "score"),
            Column(f"{one} low", place="data"),
            Column(f"{one} high", place="data"),
        ]
    compared = None if found.tournament is None else found.tournament.at(found.alpha)
    runs = () if found.tournament is None else found.tournament.runs
    letters = {run: letter(place) for place, run in enumerate(runs)}
    rows: list[Row] = []
    for run in found.standings.runs:
        place = found.standings.place(run)
        cells = [cell for one in measures for cell in _score(found, compared, run, one)]
        rows.append([place, Cell(run, named(found, run, letters.get(run, ""))), *cells])
    return Table(
        "leaderboard",
        "Scores of all runs",
        columns,
        rows,
        "leaderboard",
        row_css=[found.kind(run) for run in found.standings.runs],
    )


def _score(
    found: Findings, compared: Tournament | None, run: str, one: Measure
) -> tuple[Cell, float | None, float | None]:
    value, sure = found.standings.value(run, one), found.interval(run, one)
    best, beats = found.standings.is_best(run, one), ""
    if compared is not None and one == compared.measure:
        beats = compared.letters_of_beaten(run) if run in compared.runs else ""
    low, high = (None, None) if sure is None else (sure.low, sure.high)
    page = joined(
        [
            element("b" if best else "span", written(value)),
            element("sup", beats) if beats else NOTHING,
            NOTHING
            if sure is None
            else element("small", f"{written(low, 3)}–{written(high, 3)}", class_="ends"),
        ]
    )
    text = rf"\textbf{{{latex_number(value)}}}" if best else latex_number(value)
    above = beats.replace("–", "--")
    text += rf"\textsuperscript{{{above}}}" if beats else ""
    return Cell(value, page, text, "best" if best else ""), low, high
