"""What guessing and mere numbers of labels are worth: tables, CSV and pictures."""

from __future__ import annotations

import numpy as np
from rich.console import Group
from rich.text import Text

from cranfield.errors import several
from cranfield.report.measure_correlation_pictures import KINDS, run_marks, run_records
from cranfield.report.pictures import Spec, page
from cranfield.report.scales import named_axis, share_axis, tooltip
from cranfield.report.study_tables import as_csv, number
from cranfield.report.tables import cut_name, plain_table, remark
from cranfield.studies.label_density import LabelDensity
from cranfield.studies.random_guessing import RandomGuessing

_WIDTH, _ROW = 640, 26
_SIDE, _COLUMNS = 200, 4


def guessing_table(found: RandomGuessing) -> Group:
    """What the best run that knows nothing reaches by each measure."""
    table = plain_table()
    table.add_column("measure")
    for heading in ("best guess", "its score", "systems", "beaten", "separation", ""):
        table.add_column(heading, justify="left" if heading == "best guess" else "right")
    runs = len(found.field.systems)
    for one in found.measures:
        table.add_row(
            cut_name(str(one.measure)),
            one.best,
            number(one.best_score),
            number(one.average),
            f"{one.beaten} of {runs}",
            number(one.separation),
            Text("gamed", style="bold red") if one.gamed else "",
        )
    said = (
        "systems: their mean score; gamed: the best run that knows nothing is at least as good",
        "separation: how probably a system scores better than a run that knows nothing; 0.5 = no "
        "difference",
    )
    return Group(table, *map(remark, said))


def guessing_csv(found: RandomGuessing) -> str:
    """A line for each measure."""
    return as_csv(found.rows())


def guessing_picture(found: RandomGuessing) -> Spec:
    """All runs by all measures, each from its worst run to the perfect one."""
    field = found.field
    names = [str(one.measure) for one in found.measures]
    rows = []
    for place, one in enumerate(found.measures):
        merits = field.merits(field.runs)[field.measures.index(one.measure)]
        finite = merits[np.isfinite(merits)].tolist()
        low, high = min(finite, default=0.0), max(finite, default=0.0)
        rows += [
            {
                "row": place,
                "measure": names[place],
                "run": run,
                "kind": field.kind(run),
                "score": round(field.evaluation[run, one.measure], 5),
                "height": round((merit - low) / ((high - low) or 1.0), 5),
            }
            for run, merit in zip(field.runs, merits.tolist(), strict=True)
            if np.isfinite(merit)
        ]
    return page(
        {
            "title": {
                "text": "Systems and runs that know nothing",
                "subtitle": f"{several(len(field.systems), 'system')}; each measure from its worst "
                "run to its best",
            },
            "width": _WIDTH,
            "height": {"step": _ROW},
            "data": {"values": rows},
            "mark": {"type": "point", "filled": True, "size": 42, "opacity": 0.75},
            "encoding": {
                "x": share_axis("height", "from the worst to the best", labels=False),
                "y": named_axis("row", names, _ROW, grid=True),
                **run_marks(),
                "tooltip": tooltip("run", "measure", "score"),
            },
        }
    )


def density_table(found: LabelDensity) -> Group:
    """How scores go with the share of labels that runs assign."""
    table = plain_table()
    table.add_column("measure")
    for heading in ("ρ of systems", "ρ of guesses", "sparsest", "densest", "best guess"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in found.by_measure():
        table.add_row(
            cut_name(row["measure"]),
            *(number(_nan(row[name])) for name in ("systems", "guesses", "sparsest", "densest")),
            f"{row['best_density']:.0%}",
        )
    said = (
        f"density of the truth: {found.truth:.3f}; ρ: Spearman's, of density and quality: above 0, "
        "more labels pay",
        "sparsest, densest: scores of runs that know nothing, at either end; best guess: the "
        "density of that which scores best",
    )
    return Group(table, *map(remark, said))


def density_csv(found: LabelDensity) -> str:
    """A line for each run: its kind, its density and its scores."""
    return as_csv(found.rows())


def density_picture(found: LabelDensity) -> Spec:
    """Score against density, a frame for each measure (Nowak 2011, Figure 7.6)."""
    records = [row | {"density": found.densities[row["run"]]} for row in run_records(found.field)]
    frames = [
        {
            "title": {"text": str(one), "fontSize": 12, "offset": 4},
            "width": _SIDE,
            "height": _SIDE,
            "mark": {"type": "point", "filled": True, "size": 34, "opacity": 0.8},
            "encoding": {
                "x": share_axis("density", "label density"),
                "y": {
                    "field": f"m{place}",
                    "type": "quantitative",
                    "title": None,
                    "scale": {"reverse": one.traits.better == "lower"},
                },
                **run_marks(KINDS),
                "tooltip": tooltip("run", "density", (f"m{place}", str(one))),
            },
        }
        for place, one in enumerate(found.measures)
    ]
    return page(
        {
            "title": {
                "text": "Score against label density",
                "subtitle": f"the truth assigns {found.truth:.1%} of all labels",
            },
            "data": {"values": records},
            "concat": frames,
            "columns": _COLUMNS,
            "spacing": 28,
        }
    )


def _nan(value: float | None) -> float:
    return np.nan if value is None else value
