"""Slices as tables and exports: worst slices marked, and those that differ from the rest."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

from cranfield.errors import several
from cranfield.measures import Measure
from cranfield.report.exports import latex, latex_number, tabular
from cranfield.report.standings import ARROWS, written, written_p
from cranfield.report.study_tables import as_csv
from cranfield.report.tables import cut_name, plain_table, remark
from cranfield.statistics.slices import Slices, SliceScore

_DIGITS = 4
_ALPHA = 0.05
_WORST, _APART = "▾", "*"


def slice_tables(found: Slices) -> Group:
    """For each run and measure its slices, and below them what was done."""
    parts = [
        part
        for run in found.runs
        for measure in found.measures
        for part in (
            Text(f"\n  {run} · {measure} {ARROWS[measure.traits.better]}", style="bold"),
            _table([one for one in found if (one.run, one.measure) == (run, measure)]),
        )
    ]
    return Group(*parts, *map(remark, slice_remarks(found)))


def _table(scores: Sequence[SliceScore]) -> Table:
    table = plain_table()
    table.add_column("attribute")
    table.add_column("slice")
    for heading in ("items", "concepts", "positives", "score", "low", "high", "− rest", "adjusted"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    before = ""
    for place, one in enumerate(scores):
        last = place + 1 == len(scores) or scores[place + 1].attribute != one.attribute
        numbers = (one.score, one.low, one.high, one.difference)
        table.add_row(
            cut_name(one.attribute if one.attribute != before else ""),
            cut_name(one.slice),
            *(f"{count:,}" for count in (one.items, one.concepts, one.positives)),
            *(written(number, digits=_DIGITS) for number in numbers),
            written_p(one.adjusted, digits=_DIGITS),
            _marks(one),
            style="bold" if one.worst and _differs(one) else "",
            end_section=last,
        )
        before = one.attribute
    return table


def _marks(one: SliceScore) -> str:
    return (_WORST if one.worst else " ") + (_APART if _differs(one) else "")


def _differs(one: SliceScore) -> bool:
    return one.adjusted < _ALPHA


def slice_remarks(found: Slices) -> list[str]:
    """What was done, and what scores had to say, once."""
    chosen, kinds = found.choices, {one.kind for one in found}
    ways = {
        "items": "slices of items against random sets of as many items",
        "concepts": "slices of concepts against the rest on redrawn items",
    }
    how = "; ".join(ways[kind] for kind in ("items", "concepts") if kind in kinds)
    said = [
        f"{chosen.level:.4g} intervals over items; {_WORST} worst of its attribute; "
        f"{_APART} differs from the rest (adjusted p < {_ALPHA:g})",
        f"{how}; {chosen.samples} draws, seed {chosen.seed}; adjusted by max-T for "
        f"{several(len(found) // max(1, len(found.runs)), 'score')} of each run",
    ]
    if any(one.measure.name == "concept.AP" for one in found):
        said.append(
            "AP grows with the share of positives; concept.AP_at_prevalence compares slices alike"
        )
    notes: dict[str, tuple[str, list[SliceScore]]] = {}
    for one in found:
        for note in one.notes:
            # What differs in its numbers only is said once.
            words = re.sub(r"\d+ (concept|item|draw)s?", r"N \1s", note)
            notes.setdefault(words, (note, []))[1].append(one)
    return said + [f"{note} ({_where(scores)})" for note, scores in notes.values()]


def _where(scores: Sequence[SliceScore]) -> str:
    places = list(dict.fromkeys(f"{one.attribute} {one.slice}" for one in scores))
    shown = ", ".join(places[:3])
    return shown if len(places) <= 3 else f"{shown} and {len(places) - 3} more"


def _latex(found: Slices) -> str:
    """A booktabs table for each run and measure; the worst slice of an attribute is bold."""

    def row(one: SliceScore) -> list[str]:
        score = latex_number(one.score)
        score = rf"\textbf{{{score}}}" if one.worst else score
        apart = r"\textsuperscript{*}" if _differs(one) else ""
        return [
            latex(f"{one.attribute}: {one.slice}"),
            str(one.items if one.kind == "items" else one.concepts),
            f"{score} {{[{latex_number(one.low)}, {latex_number(one.high)}]}}",
            f"{latex_number(one.difference)}{apart}",
        ]

    def table(run: str, measure: Measure) -> str:
        own = [one for one in found if (one.run, one.measure) == (run, measure)]
        header = [latex(f"{run}: {measure}"), "size", "score", r"$-$ rest"]
        return tabular(header, [row(one) for one in own], remarks=tuple(slice_remarks(found)))

    return "\n".join(table(run, measure) for run in found.runs for measure in found.measures)


EXPORTS = {
    "json": lambda found: found.to_json(indent=2) + "\n",
    "csv": lambda found: as_csv(found.rows()),
    "latex": _latex,
}
"""For other programs, by form."""
