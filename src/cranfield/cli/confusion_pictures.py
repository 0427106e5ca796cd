"""`cranfield confusion --picture`: systems drawn by their confusion matrices."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.forms import require_picture, spare
from cranfield.cli.options import picture_option

if TYPE_CHECKING:
    from cranfield.report.pictures import Spec
    from cranfield.tasks.classes import Confusion
    from cranfield.tasks.classes.monte_carlo import MonteCarlo
    from cranfield.tasks.classes.uncertainty import Method


class Drawing(StrEnum):
    """What is drawn."""

    coverage = "coverage"
    entropy = "entropy"
    classes = "classes"
    heat = "heat"


PictureFile = Annotated[Path | None, picture_option("all systems, as --draw says")]
DrawOption = Annotated[
    Drawing | None,
    typer.Option(
        "--draw",
        metavar="coverage|entropy|classes|heat",
        help="What --picture shows: the information coverage plot, with clouds where --interval or "
        "--folds is given; joint entropies; entropies by class; the matrices. Default: coverage.",
    ),
]


def require_drawable(
    picture: Path | None,
    drawing: Drawing | None,
    others: Iterable[Path | None],
    *,
    learning: bool,
) -> None:
    """Refuse what could not be drawn, or would be written over a file that is read or written."""
    if drawing is not None and picture is None:
        raise typer.BadParameter("--draw says what --picture shows; give --picture too")
    if learning and drawing not in (None, Drawing.coverage):
        raise typer.BadParameter("what --folds finds is drawn as coverage; leave --draw out")
    require_picture(picture)
    spare(others, picture, option="--picture")


def draw_systems(systems: list[Confusion], picture: Path, drawing: Drawing | None) -> None:
    """Draw confusion matrices."""
    from cranfield.report.confusion_pictures import heat_map
    from cranfield.report.coverage_plot import coverage_plot
    from cranfield.report.entropy_pictures import class_entropies_picture, entropy_diagram

    match drawing or Drawing.coverage:
        case Drawing.coverage:
            _write(coverage_plot(systems), picture)
        case Drawing.entropy:
            _write(entropy_diagram(systems), picture)
        case Drawing.classes:
            _write(class_entropies_picture(systems), picture)
        case Drawing.heat:
            _write(heat_map(systems), picture)


def draw_samples(
    systems: list[Confusion], picture: Path, *, method: Method, samples: int, seed: int
) -> None:
    """Draw the coverage of matrices that chance might have given instead."""
    from cranfield.report.coverage_plot import coverage_plot
    from cranfield.report.coverage_samples import sample_clouds

    clouds = sample_clouds(systems, method=method, samples=samples, seed=seed)
    _write(coverage_plot(systems, clouds=clouds), picture)


def draw_repeats(result: MonteCarlo, picture: Path) -> None:
    """Draw the clouds of estimators that were cross-validated again and again."""
    from cranfield.report.coverage_plot import coverage_plot

    _write(coverage_plot(clouds=result.clouds), picture)


def _write(spec: Spec, picture: Path) -> None:
    from cranfield.cli.screen import inform
    from cranfield.report.pictures import write_picture

    write_picture(spec, picture)
    inform(f"wrote {picture}")
