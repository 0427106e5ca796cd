"""Scores on the page: the leaderboard, how sure it is, and which runs differ."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from cranfield.core.table import Column, Graphic, Table
from cranfield.engine.standings import runs_table, score_column
from cranfield.measures import Measure
from cranfield.reports.findings import DIGITS, Findings, titled, written
from cranfield.show.document import Section, cut, emphasised
from cranfield.show.markup import NOTHING, Html, joined, slug
from cranfield.statistics.comparing import Pair, Tournaments
from cranfield.statistics.comparing.tournament import letter

# ── leaderboard ───────────────────────────────────────────────────────────────────────────────


def leaderboard(findings: Findings) -> Section:
    """Every run by every measure, with intervals and the runs that each one beats."""
    return Section(
        "leaderboard",
        "Leaderboard",
        _lead(findings),
        {"": [_scores(findings)]},
        finding=_leader(findings),
    )


def _lead(findings: Findings) -> str:
    lead = f"Runs by {findings.standings.measures[0]}, best first; the best of each column is bold."
    if findings.intervals and len(findings.intervals):
        first = findings.intervals.results[0]
        over = first.resampled(findings.truth.terms)
        lead += f" Beside each score stands its {first.level:.0%} interval over {over}."
    if findings.tournaments:
        measures = findings.tournaments.measures
        many = f", corrected for {len(measures)} measures" if len(measures) > 1 else ""
        by = f" by {measures[0]}" if len(measures) == 1 else ""
        lead += (
            f" Letters above a score{by} name the runs that it beats significantly "
            f"(α = {findings.alpha:g}{many}); each run has its letter before its name."
        )
    if findings.standings.references:
        lead += " Below the rule, without rank: runs that know nothing, or that say what is true."
    return lead


def _leader(findings: Findings) -> Html:
    best = findings.systems[0]
    if findings.leading is None or math.isnan(findings.result[best, findings.leading]):
        return NOTHING
    value, ends = findings.result[best, findings.leading], ""
    interval = findings.interval(best, findings.leading)
    if interval:
        ends = f" [{written(interval.low)}, {written(interval.high)}]"
    tied = [
        run
        for run in findings.systems
        if run != best and findings.standings.place(run) == findings.standings.place(best)
    ]
    if tied:
        runs = joined([emphasised(best), *map(emphasised, tied)], between=", ")
        return joined([runs, f" share the lead by {findings.leading}: {written(value)}{ends}."])
    sentence = joined([emphasised(best), f" leads by {findings.leading}: {written(value)}{ends}"])
    return joined([sentence, _beaten(findings, best), "."])


def _beaten(findings: Findings, best: str) -> str:
    """What the test says of the best system beside the others."""
    if findings.tournament is None or best not in findings.tournament.runs:
        return ""
    others = [run for run in findings.systems if run != best and run in findings.tournament.runs]
    beaten = set(findings.tournament.beaten(findings.alpha)[best])
    alike = [run for run in others if run not in beaten]
    if not others:
        return ""
    if not alike:
        number = f"all {len(others)} other systems" if len(others) > 1 else "the other system"
        return f"; it beats {number} significantly"
    more = f" and {len(alike) - 3} more" if len(alike) > 3 else ""
    return f"; no significant difference from {', '.join(map(cut, alike[:3]))}{more}"


def _scores(findings: Findings) -> Table:
    measures = findings.standings.measures
    compared = None if findings.tournaments is None else findings.tournaments.at(findings.alpha)
    columns = [
        Column("place", "#", key=True, align="right"),
        *([Column("_letter", " ", key=True, audience="screens")] if compared else []),
        Column("run", key=True),
        *(
            replace(
                score_column(measure, DIGITS),
                interval=(f"{measure} low", f"{measure} high"),
                mark=f"_{measure} beats",
            )
            for measure in measures
        ),
    ]
    letters = {run: letter(index) for index, run in enumerate(compared.runs if compared else ())}
    rows: list[dict[str, Any]] = []
    for run in findings.standings.runs:
        row: dict[str, Any] = {"place": findings.standings.place(run), "run": run}
        row |= {"_letter": letters.get(run, "")}
        for measure in measures:
            row |= _score(findings, compared, run, measure)
        rows.append(row)
    references = findings.standings.references
    title = "Scores of all runs"
    return runs_table(
        "leaderboard", rows, columns, references=references, audience="all", title=title
    )


def _score(
    findings: Findings, compared: Tournaments | None, run: str, measure: Measure
) -> dict[str, Any]:
    interval = findings.interval(run, measure)
    beats = ""
    if compared is not None and measure in compared.measures and run in compared.runs:
        beats = compared.letters_of_beaten(run, measure)
    return {
        str(measure): findings.standings.value(run, measure),
        f"{measure} low": math.nan if interval is None else interval.low,
        f"{measure} high": math.nan if interval is None else interval.high,
        f"_{measure} beats": beats,
    }


# ── certainty ─────────────────────────────────────────────────────────────────────────────────


def certainty(findings: Findings) -> Section | None:
    """The interval of every score, drawn, one measure at a time."""
    if findings.intervals is None or not len(findings.intervals):
        return None
    return Section(
        "certainty",
        "How sure are the scores?",
        "A dot is a score, a line its confidence interval: scores to expect on other samples of "
        "this kind.",
        {str(measure): [_intervals(findings, measure)] for measure in findings.standings.measures},
        findings.intervals.result.remarks,
    )


def _intervals(findings: Findings, measure: Measure) -> Table:
    runs = findings.standings.order(measure)
    lanes = _lanes(findings, measure, runs)
    rows = []
    for index, run in enumerate(runs):
        interval = findings.interval(run, measure)
        bars = [
            [lane, index == stretch.start, index == stretch[-1]]
            for lane, stretches in enumerate(lanes)
            for stretch in stretches
            if index in stretch
        ]
        rows.append(
            {
                "run": run,
                "_lanes": bars,
                "score": findings.standings.value(run, measure),
                "low": math.nan if interval is None else interval.low,
                "high": math.nan if interval is None else interval.high,
                "_emphasis": "faint" if findings.kind(run) else "",
            }
        )
    title = titled(measure)
    if lanes:
        title += "; bars join neighbours without a significant difference"
    joins = Column("_lanes", " ", graphic=Graphic("lanes", ("_lanes",)), audience="screens")
    columns = (
        Column("run", key=True),
        *([joins] if lanes else []),
        Column("score", digits=DIGITS, graphic=Graphic("interval", ("low", "high"))),
        Column("low", digits=DIGITS),
        Column("high", digits=DIGITS),
    )
    return Table(f"intervals-{slug(measure)}", rows, columns, title=title, emphasis="_emphasis")


def _lanes(findings: Findings, measure: Measure, runs: tuple[str, ...]) -> list[list[range]]:
    """Stretches of rows whose runs do not differ, side by side where they overlap."""
    if findings.tournament is None or findings.tournament.measure != measure:
        return []
    ranks = {run: index for index, run in enumerate(runs)}
    lanes: list[list[range]] = []
    for group in findings.tournament.groups(findings.alpha):
        if len(group) < 2:
            continue
        stretch = range(ranks[group[0]], ranks[group[-1]] + 1)
        free = next((lane for lane in lanes if lane[-1].stop <= stretch.start), None)
        if free is None:
            lanes.append([stretch])
        else:
            free.append(stretch)
    return lanes


# ── contest ───────────────────────────────────────────────────────────────────────────────────


def contest(findings: Findings) -> Section | None:
    """The leader beside all other runs, with the test of each pair."""
    tournament = findings.tournament
    if tournament is None:
        return None
    leader = next((run for run in findings.systems if run in tournament.runs), tournament.runs[0])
    others = [run for run in tournament.runs if run != leader]
    columns = (
        Column("run", key=True),
        Column("difference", digits=DIGITS),
        Column("p", digits=DIGITS, kind="p"),
        Column("adjusted", "p adjusted", digits=DIGITS, kind="p"),
        Column("effect", "d", digits=2),
        Column("verdict"),
    )
    rows = [_pair(findings, run, tournament[run, leader]) for run in others]
    title = f"All runs compared with {cut(leader)}"
    return Section(
        "contest",
        "Which runs differ?",
        f"All runs compared with the leader, {cut(leader)} ({tournament.measure}): differences, "
        "p-values before and after correction for all pairs, and d, the mean difference by its "
        "standard deviation.",
        {"": [Table("contest", rows, columns, title=title, emphasis="_emphasis")]},
        tournament.at(findings.alpha).result.remarks,
    )


def _pair(findings: Findings, run: str, pair: Pair) -> dict[str, Any]:
    winner = pair.winner_at(findings.alpha)
    verdict = "no significant difference"
    if winner:
        verdict = "better" if winner == run else "worse"
    return {
        "run": run,
        "difference": pair.difference,
        "p": pair.p,
        "adjusted": pair.adjusted,
        "effect": pair.effect,
        "verdict": verdict,
        "_emphasis": "faint" if findings.kind(run) else "",
    }
