"""What thresholds do to ranks: a table, CSV and a picture (Nowak 2011, Figure 9.1)."""

from __future__ import annotations

import numpy as np
from rich.console import Group

from cranfield.report.pictures import Spec, page
from cranfield.report.scales import HEAT, tooltip
from cranfield.report.study_tables import as_csv, number
from cranfield.report.tables import cut_name, plain_table, remark
from cranfield.studies.threshold_effect import STANDS, ThresholdEffect

_WIDTH, _ROW = 640, 16


def threshold_effect_table(found: ThresholdEffect) -> Group:
    """Each run as decided and with better thresholds, the best as decided on top."""
    table = plain_table()
    table.add_column("", justify="right", style="dim")
    table.add_column("run")
    for heading in ("as decided", "best cut", "loss", "at", "per concept", "loss", "places"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in found.rows():
        table.add_row(
            f"{row['place']:g}",
            cut_name(row["run"]),
            *(number(_nan(row[name])) for name in ("as_decided", "best", "loss")),
            f"{row['threshold']:.3g}" if row["threshold"] is not None else "–",
            *(number(_nan(row[name])) for name in ("best_per_concept", "loss_per_concept")),
            " → ".join(
                f"{row[name]:g}" for name in ("place", "place_best", "place_without_thresholds")
            ),
        )
    said = [
        f"scores by {found.measure}; places as decided, with the best cut, and by {found.ranking}, "
        "which needs none",
        f"τ as decided to best cut {number(found.tau(0, 1))}, to {found.ranking} "
        f"{number(found.tau(0, 3))} (D {found.shift:.3f}); best cut to {found.ranking} "
        f"{number(found.tau(1, 3))}",
        *found.notes,
    ]
    return Group(table, *map(remark, said))


def threshold_effect_csv(found: ThresholdEffect) -> str:
    """A line for each run."""
    return as_csv(found.rows())


def threshold_effect_picture(found: ThresholdEffect) -> Spec:
    """The place of each run as decided, with better thresholds, and without any."""
    stands = [*STANDS, f"by {found.ranking}"]
    shift = np.abs(found.places[0] - found.places[3])
    rows = [
        {
            "run": run,
            "stand": stand,
            "place": float(found.places[number, place]),
            "score": round(float((*found.scores, found.ranked)[number][place]), 5),
            "shift": float(shift[place]),
        }
        for place, run in enumerate(found.runs)
        for number, stand in enumerate(stands)
    ]
    return page(
        {
            "title": {
                "text": "How much of a rank is the threshold",
                "subtitle": f"places by {found.measure}; darker runs move further from as decided "
                f"to {found.ranking}",
            },
            "width": _WIDTH,
            "height": max(200, _ROW * len(found.runs)),
            "data": {"values": rows},
            "mark": {"type": "line", "point": {"filled": True, "size": 36}, "strokeWidth": 1.6},
            "encoding": {
                "x": {
                    "field": "stand",
                    "type": "ordinal",
                    "title": None,
                    "scale": {"domain": stands},
                    "axis": {"labelAngle": 0, "orient": "top"},
                },
                "y": {
                    "field": "place",
                    "type": "quantitative",
                    "title": "place",
                    "scale": {"reverse": True, "zero": False, "nice": False},
                    "axis": {"grid": False},
                },
                "detail": {"field": "run"},
                "color": {
                    "field": "shift",
                    "type": "quantitative",
                    "title": "places moved",
                    "scale": {"range": list(HEAT[1:])},
                },
                "tooltip": tooltip("run", "stand", "place", "score"),
            },
        }
    )


def _nan(value: float | None) -> float:
    return np.nan if value is None else value
