"""Saved results: the function that the command `show` calls."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from cranfield.core.combination import combined
from cranfield.core.options import Argument, Option
from cranfield.core.result import Result, load


def show(
    paths: Annotated[list[Path], Argument(metavar="FILE")],
    *,
    title: Annotated[str | None, Option()] = None,
) -> Result:
    """Show results that were saved with `--save FILE` or `result.save(FILE)`, in any form.

    Several become one report: a section for each, and where they are of the same analysis (versions
    of a system, yesterday and today), one leaderboard and what changed from one to the next. Every
    version reads the files of older ones.

    paths  Saved results, the oldest first.
    title  Of the page; default: that of the result.
    """
    results = [load(path) for path in paths]
    if len(results) == 1:
        return replace(results[0], title=title) if title else results[0]
    stems = [path.stem for path in paths]
    labels = stems if len(set(stems)) == len(stems) else [str(path) for path in paths]
    return combined(dict(zip(labels, results, strict=True)), title or "")
