"""Thresholds as people type them, NUMBER|FILE|RUN=NUMBER: of all runs, of concepts, of runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import FileError, InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.statistics.thresholds import RunThresholds

    Concepts = float | Mapping[str, float]
    Cut = Concepts | RunThresholds | None
    """As `cf.read_runs(threshold=…)` takes it."""


def require_thresholds(texts: list[str] | None) -> list[str] | None:
    """Refuse what is neither a number, nor a file, nor RUN=NUMBER, and any of them twice."""
    runs: list[str] = []
    for text in texts or ():
        if _is_file(text):
            continue
        run, number = _parted(text)
        if number is None:
            raise _refusal(
                f"{text!r} is neither a number nor a file; give a number, RUN=NUMBER, or CSV with "
                "the header concept,threshold or run,threshold"
            )
        if not math.isfinite(number):
            raise _refusal(f"{text} is not finite; give a finite number")
        if run in runs:
            whose = f"of run {run!r}" if run else "for all runs; give one of them"
            raise _refusal(f"there are two thresholds {whose}")
        runs.append(run)
    return texts


def _refusal(what: str) -> InputError:
    return InputError(what, parameter="threshold")


def files_in(given: Sequence[str] | None) -> tuple[Path, ...]:
    """The files among them."""
    return tuple(Path(text) for text in given or () if _is_file(text))


def cut_of(given: Sequence[str] | None) -> Cut:
    """The threshold of all runs, or those of single runs; what is typed overrides files."""
    from cranfield.formats.thresholds import read_thresholds
    from cranfield.statistics.thresholds import RunThresholds

    typed = dict(_parted(text) for text in given or () if not _is_file(text))
    others: Concepts | None = typed.pop("", None)
    by_run: dict[str, Concepts] = {}
    for path in files_in(given):
        found = read_thresholds(path)
        if isinstance(found, RunThresholds):
            by_run |= found.by_run
        elif others is not None:
            raise FileError(path, "is a second threshold for all runs; give one of them")
        else:
            others = found.by_concept
    by_run |= {run: number for run, number in typed.items() if number is not None}
    return RunThresholds(by_run, others) if by_run else others


def _is_file(text: str) -> bool:
    return _number(text) is None and Path(text).is_file()


def _parted(text: str) -> tuple[str, float | None]:
    """The run, "" for all of them, and its threshold; None where there is no number."""
    run, _, number = text.rpartition("=")
    return (run, _number(number)) if run else ("", _number(text))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
