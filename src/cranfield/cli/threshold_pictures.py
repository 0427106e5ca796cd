"""`cranfield thresholds --picture`: what thresholds do to the decisions of a run."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.options import picture_option

if TYPE_CHECKING:
    from cranfield.collections.collection import Collection
    from cranfield.core.axes import Missing
    from cranfield.core.run import Run
    from cranfield.report.pictures import Spec
    from cranfield.statistics.thresholds import RocTable


class Drawing(StrEnum):
    """What is drawn."""

    sweep = "sweep"
    roc = "roc"
    pr = "pr"
    reliability = "reliability"


PictureFile = Annotated[
    Path | None,
    picture_option("the concept of --table, or all cells together, as --draw says"),
]
DrawOption = Annotated[
    Drawing | None,
    typer.Option(
        "--draw",
        metavar="sweep|roc|pr|reliability",
        help="What --picture shows: rates against the threshold; ROC or precision-recall curve, "
        "the best threshold marked; how often confidences come true. Default: sweep.",
    ),
]


def draw_thresholds(
    collection: Collection,
    run: Run,
    table: RocTable,
    by: str,
    picture: Path,
    drawing: Drawing | None,
    missing: Missing,
) -> None:
    """Draw one run by the table of a concept, or of all cells together."""
    from cranfield.cli.screen import inform
    from cranfield.measures.calibration import reliability
    from cranfield.report.pictures import write_picture
    from cranfield.report.reliability_pictures import reliability_picture
    from cranfield.report.threshold_pictures import sweep_picture

    spec: Spec
    match drawing or Drawing.sweep:
        case Drawing.sweep:
            spec = sweep_picture(table, by)
        case Drawing.reliability:
            bins = reliability(collection, run, table.concept, missing=missing)
            spec = reliability_picture({run.name: bins}, table.concept)
        case Drawing.roc:
            spec = _curve(collection, run, table, by, missing, roc=True)
        case Drawing.pr:
            spec = _curve(collection, run, table, by, missing, roc=False)
    write_picture(spec, picture)
    inform(f"wrote {picture}")


def _curve(
    collection: Collection, run: Run, table: RocTable, by: str, missing: Missing, *, roc: bool
) -> Spec:
    """The curve, with a mark where the best threshold is."""
    from cranfield.report.threshold_pictures import best_threshold
    from cranfield.show.vega import page_of
    from cranfield.tasks.retrieval.curve_points import Operating
    from cranfield.tasks.retrieval.curves import curves

    found = curves(
        collection,
        run,
        table.concept,
        average="pooled" if table.concept is None else "none",
        missing=missing,
        kind="roc" if roc else "pr",
    )
    best = table.best(by)
    mark, told = None, ""
    if best is not None:
        told = best_threshold(best, by)
        rates = (table.ppv, table.tpr, table.fpr)
        mark = Operating(*(float(rate[best.row]) for rate in rates))
    marked = replace(
        found, curves=tuple(replace(one, operating=mark) for one in found), marked=told
    )
    return page_of(marked.full_result.charts)
