"""`--threshold NUMBER|FILE`: one threshold for everything, or a file of those of concepts."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer

Cut = float | dict[str, float] | None
"""As `cf.Run(threshold=…)` takes it."""


def _number_or_file(given: str | None) -> str | None:
    if given is None:
        return None
    number = _number(given)
    if number is None and not Path(given).is_file():
        raise typer.BadParameter(
            f"{given!r} is neither a number nor a file; give a number, or CSV with the header "
            "concept,threshold"
        )
    if number is not None and not math.isfinite(number):
        raise typer.BadParameter(f"{given} is not finite; give a finite number")
    return given


NumberOrFile = Annotated[
    str | None,
    typer.Option(
        "--threshold",
        metavar="NUMBER|FILE",
        callback=_number_or_file,
        help="Decisions are confidences at or above this, or above what a CSV file "
        "(concept,threshold) says of each concept; default 0.5 within \\[0, 1].",
    ),
]


def file_in(given: str | None) -> Path | None:
    """The file, if it is one."""
    return None if given is None or _number(given) is not None else Path(given)


def cut_of(given: str | None) -> Cut:
    """The threshold, or those of concepts by their ids."""
    path = file_in(given)
    if path is None:
        return None if given is None else float(given)
    from cranfield.formats.thresholds import read_thresholds

    found = read_thresholds(path)
    return dict(zip(found.concepts, found.values.tolist(), strict=True))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
