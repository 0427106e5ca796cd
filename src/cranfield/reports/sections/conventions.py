"""Conventions: what every number rests on: choices, notes of skipped units, signatures."""

from __future__ import annotations

from cranfield import kernels
from cranfield.measures import Measure
from cranfield.reports.findings import Findings
from cranfield.reports.section import Section
from cranfield.reports.tables import Cell, Column, Row, Table
from cranfield.show.markup import NOTHING, Html, element, joined, shown

_OWN = ("decisions",)
"""Conventions of runs, not of measures."""


def section(found: Findings) -> Section:
    choices, signatures = _choices(found), _signatures(found)
    notes = (*found.standings.remarks, *found.notes)
    listed = element("ul", *(element("li", note) for note in notes)) if notes else NOTHING
    return Section(
        "conventions",
        "What do the numbers rest on?",
        "Every choice that a score depends on. A signature pins all of them, with the version and "
        "the hashes of truth and run: two scores compare if their signatures do.",
        joined(
            [
                choices.html,
                element("h3", "Notes") if notes else NOTHING,
                listed,
                element(
                    "details",
                    element("summary", f"Signatures of all {len(found.result)} scores"),
                    signatures.html,
                ),
            ]
        ),
        (choices, signatures),
    )


def _choices(found: Findings) -> Table:
    rows: list[Row] = []
    for one in found.standings.measures:
        score = found.result.score(found.standings.runs[0], one)
        chosen = {k: v for k, v in score.conventions.items() if k not in _OWN}
        told = ", ".join(f"{name} = {value}" for name, value in chosen.items())
        skipped = max(found.result.score(run, one).skipped for run in found.result.runs)
        units = score.units + score.skipped
        rows.append(
            [
                str(one),
                _formula(one),
                one.traits.better,
                _range(one.traits.range),
                units,
                skipped,
                Cell(told, _wrapped(told)),
                one.traits.source,
            ]
        )
    columns = (
        Column("measure", css="name"),
        Column("formula", "what it is", css="labels"),
        Column("better"),
        Column("range", css="tight"),
        Column("units"),
        Column("skipped"),
        Column("conventions", css="labels"),
        Column("source", css="labels"),
    )
    return Table("conventions", "Measures and conventions", columns, rows)


def _formula(one: Measure) -> Cell:
    """The first line of what a measure says of itself; names of options are code."""
    told = one.definition.formula.partition("\n")[0].split("`")
    parts = (element("code", text) if place % 2 else shown(text) for place, text in enumerate(told))
    return Cell("".join(told), joined(parts))


def _range(ends: tuple[float, float]) -> str:
    low, high = (f"{end:g}".replace("inf", "∞").replace("-", "−") for end in ends)
    return f"{low} … {high}"


def _wrapped(text: str) -> Html:
    """Long words may be broken after signs."""
    return Html(shown(text).replace(":", ":<wbr>"))


def _signatures(found: Findings) -> Table:
    runs = [
        found.result.score(run, found.standings.measures[0]).run for run in found.standings.runs
    ]

    def hashed(places: range) -> None:
        for place in places:
            _ = runs[place].digest

    kernels.share(len(runs), 1, hashed)  # signatures need them all, and hashing waits for nobody
    rows: list[Row] = [
        [run, str(one), found.result.score(run, one).signature]
        for run in found.standings.runs
        for one in found.standings.measures
    ]
    if found.tournament is not None:
        rows.insert(0, ["all", str(found.tournament.measure), found.tournament.signature])
    columns = (Column("run", css="name"), Column("measure"), Column("signature", css="code"))
    return Table("signatures", "Signatures", columns, rows)
