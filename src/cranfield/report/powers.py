"""What measures can tell of runs: a table, CSV, LaTeX and a picture."""

from __future__ import annotations

import numpy as np
from rich.console import Group

from cranfield.errors import several
from cranfield.report.exports import latex, latex_heading, tabular
from cranfield.report.pictures import FAINT, Spec, page
from cranfield.report.scales import coloured_series, dashed_series, tooltip
from cranfield.report.study_tables import as_csv, number
from cranfield.report.tables import cut_name, plain_table, remark
from cranfield.studies.power import MeasurePower, Power

_WIDTH, _HEIGHT = 640, 300
_SIDE, _COLUMNS = 200, 4
_POINTS = 200
"""Of the curve of p-values of a measure."""
_SHOWN = 3
"""The curve of p-values ends at so many times α."""
_HEADINGS = ("told apart", "together", "needed", "trusted", "sensitivity", "on all")


def power_table(found: Power) -> Group:
    """Measures, those that tell most pairs apart on top."""
    table = plain_table()
    table.add_column("measure")
    table.add_column("units", justify="right", no_wrap=True)
    for heading in _HEADINGS:
        table.add_column(heading, justify="right", no_wrap=True)
    for one in found.ordered:
        table.add_row(
            cut_name(str(one.measure)), several(one.units, one.resample[:-1]), *_cells(one)
        )
    return Group(table, *map(remark, _remarks(found)))


def _cells(one: MeasurePower) -> list[str]:
    return [
        f"{one.discriminative:.1%}",
        f"{one.discriminative_together:.1%}",
        number(float(one.needed.max()), 4),
        number(one.trusted, 4),
        f"{one.sensitivity:.1%}",
        number(one.trusted_on_all, 4),
    ]


def _remarks(found: Power) -> tuple[str, ...]:
    chosen, runs = found.choices, len(found.runs)
    return (
        f"told apart: of {several(runs * (runs - 1) // 2, 'pair')} of {runs} runs, those that "
        f"differ at α = {chosen.alpha:g} ({chosen.test} test); together: corrected for their "
        "number by max-T",
        "needed: a difference that suffices for every pair; the median over pairs is in the JSON",
        f"trusted: a difference on the largest part of the units that another part turns round in "
        f"no more than {chosen.alpha:.0%} of {several(chosen.draws, 'draw')}; sensitivity: the "
        "share of pairs that differ so much; on all: such a difference on all units, extrapolated",
    )


def power_csv(found: Power) -> str:
    """A line for each measure."""
    return as_csv(found.rows())


def power_latex(found: Power) -> str:
    """A booktabs table of measures."""
    rows = [
        [latex_heading(one.measure), str(one.units), *map(latex, _cells(one))]
        for one in found.ordered
    ]
    return tabular(["measure", "units", *_HEADINGS], rows, remarks=_remarks(found))


def power_picture(found: Power) -> Spec:
    """Curves of p-values over pairs, and swap rates over differences."""
    return page(_curves(found), _swap_frames(found))


def _curves(found: Power) -> Spec:
    names = [str(one.measure) for one in found.ordered]
    alpha, rows = found.choices.alpha, []
    for one in found.measures:
        ordered = np.sort(one.p)[::-1]
        places = np.unique(np.linspace(0, len(ordered) - 1, _POINTS).astype(np.int64))
        rows += [
            {
                "measure": str(one.measure),
                "share": round((place + 1) / len(ordered), 4),
                "p": float(ordered[place]),
            }
            for place in places.tolist()
        ]
    return {
        "title": {
            "text": "Pairs of runs by their p-value",
            "subtitle": "the further to the left a curve falls below the line, the more pairs a "
            "measure tells apart",
        },
        "width": _WIDTH,
        "height": _HEIGHT,
        "layer": [
            {
                "data": {"values": rows},
                "mark": {
                    "type": "line",
                    "interpolate": "step-after",
                    "strokeWidth": 1.6,
                    "clip": True,
                },
                "encoding": {
                    "x": {
                        "field": "share",
                        "type": "quantitative",
                        "title": "pairs, the least different first",
                        "scale": {"domain": [0, 1], "nice": False},
                        "axis": {"format": "%"},
                    },
                    "y": {
                        "field": "p",
                        "type": "quantitative",
                        "title": "p",
                        "scale": {"domain": [0, _SHOWN * alpha], "nice": False},
                    },
                    "color": coloured_series("measure", names),
                    "strokeDash": dashed_series("measure", names),
                    "tooltip": tooltip("measure", "share", "p"),
                },
            },
            _line(alpha),
        ],
    }


def _swap_frames(found: Power) -> Spec:
    alpha = found.choices.alpha
    return {
        "title": {
            "text": "How often another part of the collection says the opposite",
            "subtitle": f"by the difference of two runs; lines: units of a part; dashed: "
            f"{alpha:.0%}",
        },
        "concat": [_swap_frame(one) for one in found.ordered],
        "columns": _COLUMNS,
        "spacing": 28,
        "resolve": {"scale": {"color": "independent"}},
    }


def _swap_frame(one: MeasurePower) -> Spec:
    sizes = [str(part.size) for part in one.swaps]
    rows = [
        {
            "size": str(part.size),
            "difference": round(float(edge), 6),
            "rate": round(float(rate), 5),
            "comparisons": int(count),
        }
        for part in one.swaps
        for edge, rate, count in zip(part.edges, part.rates, part.comparisons, strict=True)
        if count
    ]
    return {
        "title": {"text": str(one.measure), "fontSize": 12, "offset": 4},
        "width": _SIDE,
        "height": _SIDE,
        "layer": [
            {
                "data": {"values": rows},
                "mark": {"type": "line", "point": {"filled": True, "size": 14}, "strokeWidth": 1.4},
                "encoding": {
                    "x": {"field": "difference", "type": "quantitative", "title": "difference"},
                    "y": {
                        "field": "rate",
                        "type": "quantitative",
                        "title": "swaps",
                        "scale": {"domain": [0, 0.5], "clamp": True},
                        "axis": {"format": "%", "tickCount": 5},
                    },
                    "color": coloured_series("size", sizes, columns=4),
                    "tooltip": tooltip("size", "difference", "rate", "comparisons"),
                },
            },
            _line(one.alpha),
        ],
    }


def _line(height: float) -> Spec:
    return {
        "data": {"values": [{"height": height}]},
        "mark": {"type": "rule", "strokeDash": [4, 3], "color": FAINT},
        "encoding": {"y": {"field": "height", "type": "quantitative"}},
    }
