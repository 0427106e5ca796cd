"""How far rankings survive an altered truth: tables, CSV and a picture."""

from __future__ import annotations

from typing import Any

import numpy as np
from rich.console import Group
from rich.table import Table
from rich.text import Text

from cranfield.errors import several
from cranfield.report.pictures import Spec, page
from cranfield.report.scales import coloured_series, dashed_series, tooltip
from cranfield.report.study_tables import CONCORDANT, as_csv, number
from cranfield.report.tables import cut_name, plain_table, remark
from cranfield.studies.stability import REFERENCES, Stability

_WHAT = {
    "flip": "labels flipped",
    "items": "items left out",
    "concepts": "concepts left out",
    "annotators": "annotators left out",
}
_WIDTH, _HEIGHT = 420, 320


def stability_tables(found: Stability) -> Group:
    """τ to the original ranking and to that of the stage before, means over repeats."""
    counts = ", ".join(
        f"{_percent(level)} {count}"
        for level, count in zip(found.levels, found.counts, strict=True)
    )
    said = [
        f"{_WHAT[found.change]}: {counts}; {several(len(found.runs), 'run')}, mean over "
        f"{several(found.repeats, 'repeat')}",
        f"{CONCORDANT} concordant by Kolmogorov and Smirnov in every repeat: D, the largest shift "
        f"of a rank, is at most {found.critical:.3f}",
    ]
    tables = (_table(found, reference) for reference in REFERENCES)
    return Group(*tables, *map(remark, said))


def _table(found: Stability, reference: str) -> Table:
    taus, shifts = found.compared(reference)
    table = plain_table()
    table.title = Text(f"τ to {reference}", style="bold")
    table.title_justify = "left"
    table.add_column("measure")
    for level in found.levels:
        table.add_column(_percent(level), justify="right", no_wrap=True)
    for place, one in enumerate(found.measures):
        cells = [
            number(taus[:, level, place].mean())
            + (CONCORDANT if (shifts[:, level, place] <= found.critical).all() else " ")
            for level in range(len(found.levels))
        ]
        table.add_row(cut_name(str(one)), *cells)
    return table


def stability_csv(found: Stability) -> str:
    """A line for each measure, level and reference."""
    return as_csv(found.rows())


def stability_picture(found: Stability) -> Spec:
    """τ over levels, a line for each measure, with the range over repeats."""
    rows = [row for row in found.rows() if row["tau"] is not None]
    frames = [
        _frame([row for row in rows if row["to"] == reference], found, reference)
        for reference in REFERENCES
    ]
    return page({"hconcat": frames, "spacing": 48})


def _frame(rows: list[dict[str, Any]], found: Stability, reference: str) -> Spec:
    names = [str(one) for one in found.measures]
    x: Spec = {
        "field": "level",
        "type": "quantitative",
        "title": _WHAT[found.change],
        "scale": {"type": "sqrt", "nice": False, "domain": [0, max(found.levels) * 1.04]},
        "axis": {"values": list(found.levels), "format": "~%", "labelFlush": False},
    }
    y: Spec = {
        "field": "tau",
        "type": "quantitative",
        "title": "τ",
        "scale": {"zero": False},
    }
    colour = coloured_series("measure", names, symbolOpacity=1)
    told = tooltip("measure", "level", "count", ("tau", "τ"), "lowest", "highest")
    return {
        "title": {
            "text": f"Compared to the {reference} ranking",
            "subtitle": f"mean and range over {several(found.repeats, 'repeat')}",
        },
        "width": _WIDTH,
        "height": _HEIGHT,
        "data": {"values": rows},
        "layer": [
            {
                "mark": {"type": "rule", "opacity": 0.35},
                "encoding": {
                    "x": x,
                    "y": y | {"field": "lowest"},
                    "y2": {"field": "highest"},
                    "color": colour,
                },
            },
            {
                "mark": {"type": "line", "point": {"filled": True, "size": 40}},
                "encoding": {
                    "x": x,
                    "y": y,
                    "color": colour,
                    "strokeDash": dashed_series("measure", names),
                    "tooltip": told,
                },
            },
        ],
    }


def _percent(level: float) -> str:
    return f"{np.round(100 * level, 4):g} %"
