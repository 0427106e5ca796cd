"""Two cycles side by side: tables, CSV, LaTeX and a picture (Nowak 2011 §10.8)."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from cranfield.errors import several
from cranfield.report.pictures import FAINT, Spec, page
from cranfield.report.records import records_latex, records_table
from cranfield.report.scales import SERIES, named_axis, tooltip
from cranfield.report.study_tables import as_csv
from cranfield.report.tables import remark
from cranfield.studies.cycles import ConceptChanges, CycleComparison
from cranfield.studies.records import Row

_WIDTH, _ROW = 560, 15
_ENDS = 4
"""Concepts that gained most, and lost most, on the screen."""
_STRANGE = 0.5
"""Truths that agree less, corrected for chance, are hardly of the same items."""


def cycle_tables(found: CycleComparison, alpha: float) -> RenderableType:
    """All comparisons, and for the first measure the concepts at both ends."""
    parts: list[RenderableType] = [
        records_table([_starred(row, alpha) for row in found.rows()]),
        *map(remark, _remarks(found, alpha)),
    ]
    if found.by_concept:
        one = found.by_concept[0]
        rows = one.rows()
        shown = rows if len(rows) <= 2 * _ENDS else [*rows[:_ENDS], *rows[-_ENDS:]]
        table = records_table(shown)
        table.title = Text(
            f"\nConcepts that gained and lost most by {one.measure}, {len(shown)} of {len(rows)}",
            style="bold",
        )
        table.title_justify = "left"
        parts += [table, *(remark(_counted(each)) for each in found.by_concept)]
    return Group(*parts)


def _starred(row: Row, alpha: float) -> Row:
    significant = row["adjusted"] is not None and row["adjusted"] < alpha
    return row | {"of": row["of"] + (" *" if significant else "")}


def _counted(one: ConceptChanges) -> str:
    same = len(one.concepts) - one.gained - one.lost
    return f"{one.measure}: {several(one.gained, 'concept')} gained, {one.lost} lost, {same} stayed"


def _remarks(found: CycleComparison, alpha: float) -> Iterator[str]:
    runs = " and ".join(
        f"{several(len(runs), 'run')} of {name}"
        for name, runs in zip(found.names, found.runs, strict=True)
    )
    concepts = several(len(found.concepts), "common concept")
    if found.items:
        yield (
            f"{runs} on {several(found.items, 'common item')} and {concepts}, judged by the "
            f"{found.judged_by} truth; both truths agree on {found.agreement:.1%} of their cells "
            f"(κ {found.kappa:.2f})"
        )
        if found.kappa < _STRANGE:
            yield "the two truths hardly agree: are items that have the same id the same items?"
    elif found.changes[0].paired:
        yield f"{runs} on {concepts}, by the same judgements"
    else:
        yield f"{runs} on {concepts}; no common items, so each is judged by its own truth"
    yield (
        f"* significant at {alpha:g}: adjusted by Holm for "
        f"{several(len(found.changes), 'comparison')}; p: "
        + (
            "paired randomisation test; "
            if found.changes[0].paired
            else "one-way analysis of variance; "
        )
        + "unpaired p: one-way analysis of variance"
    )
    yield "the best of many runs is better than that of few by chance alone; compare the median too"


def cycle_csv(found: CycleComparison, table: str) -> str:
    """A line for each comparison, or for each measure and concept."""
    return as_csv(found.rows(table))


def cycle_latex(found: CycleComparison, table: str) -> str:
    return records_latex(found.rows(table))


def cycle_picture(found: CycleComparison) -> Spec:
    """All comparisons, and the best of each concept, from the earlier cycle to the later."""
    cycles = f"from {found.names[0]} to {found.names[1]}"
    parts = []
    for name in dict.fromkeys(str(one.measure) for one in found.changes):
        rows = [
            row | {"name": row["of"], "verdict": _verdict(row["gain"])}
            for row in found.rows()
            if row["measure"] == name
        ]
        parts.append(_frame(rows, name, cycles))
    for one in found.by_concept:
        rows = [
            row | {"name": row["concept"], "verdict": _verdict(row["gain"])} for row in one.rows()
        ]
        parts.append(_frame(rows, f"The best of each concept by {one.measure}", _counted(one)))
    return page(*parts)


def _verdict(gain: float) -> str:
    return "better" if gain > 0 else "worse" if gain < 0 else "same"


def _frame(rows: list[Row], title: str, subtitle: str) -> Spec:
    """A line from earlier to later for each row, with a point at the later end."""
    drawn = [
        {name: value for name, value in row.items() if value is not None} | {"row": place}
        for place, row in enumerate(rows)
    ]
    y = named_axis("row", [row["name"] for row in rows], _ROW, grid=True)
    colour: Spec = {
        "field": "verdict",
        "type": "nominal",
        "title": None,
        "scale": {
            "domain": ["better", "worse", "same"],
            "range": [SERIES[0], SERIES[1], FAINT],
        },
        "legend": {"orient": "top"},
    }
    x: Spec = {"type": "quantitative", "title": "score", "scale": {"zero": False}}
    return {
        "title": {"text": title, "subtitle": subtitle},
        "width": _WIDTH,
        "height": {"step": _ROW},
        "data": {"values": drawn},
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.6},
                "encoding": {
                    "x": x | {"field": "earlier"},
                    "x2": {"field": "later"},
                    "y": y,
                    "color": colour,
                },
            },
            {
                "mark": {"type": "point", "filled": True, "size": 44},
                "encoding": {
                    "x": x | {"field": "later"},
                    "y": y,
                    "color": colour,
                    "tooltip": tooltip("name", "earlier", "later", "gain", "p", "adjusted"),
                },
            },
        ],
    }
