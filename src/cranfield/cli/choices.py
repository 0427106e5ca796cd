"""Values that options take; any other is wrong usage, and said before a file is read."""

from __future__ import annotations

import math
from enum import StrEnum

import typer

FORMATS = (
    "text, csv, tsv, long, npz, npy, parquet, parquet-long, mulan, openimages, coco, voc or trec"
)
"""The formats in the words of `--help`, which must not wait for them to be loaded."""


class Kind(StrEnum):
    """What a file is meant to be."""

    truth = "truth"
    run = "run"


class Missing(StrEnum):
    """What a run's silence about an item or concept means."""

    error = "error"
    absent = "absent"


class Extra(StrEnum):
    """What becomes of a run's items that the truth does not have."""

    error = "error"
    drop = "drop"


def known_format(name: str | None) -> str | None:
    """One of the formats that files are read in."""
    from cranfield.formats import names

    if name is not None and name not in names():
        raise typer.BadParameter(f"{name!r} is no format; choose one of {', '.join(names())}")
    return name


def only_one(names: list[str] | None) -> list[str] | None:
    """For commands that say all about one thing; the last of several would count without a word."""
    if names is not None and len(names) > 1:
        raise typer.BadParameter(f"{' and '.join(names)}; give one, and run the command for each")
    return names


def finite(number: float | None) -> float | None:
    if number is not None and not math.isfinite(number):
        raise typer.BadParameter(f"{number} is not finite; give a finite number")
    return number


def positive(number: float | None) -> float | None:
    if number is not None and not (number > 0.0 and math.isfinite(number)):
        raise typer.BadParameter(f"{number:g} is not positive; give a number such as 0.01")
    return number


def probability(number: float | None) -> float | None:
    """Of intervals, of significance, of power: above 0 and below 1."""
    if number is not None and not 0.0 < number < 1.0:
        raise typer.BadParameter(f"{number:g} is not between 0 and 1; give a share such as 0.95")
    return number


def share(number: float) -> float:
    """From 0 to below 1."""
    if not 0 <= number < 1:
        raise typer.BadParameter(f"{number:g} is outside; give a number from 0 to below 1")
    return number
