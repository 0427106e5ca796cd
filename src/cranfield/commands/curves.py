"""Curves: the function that the command `curves` calls."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from cranfield.collections.collection import Collection
from cranfield.core.axes import Extra, Missing
from cranfield.core.options import Option
from cranfield.core.run import Run
from cranfield.errors import InputError
from cranfield.tasks.retrieval.curves import Average, Curves, Kind, Ties, curves


def follow_curves(
    truth: Collection,
    runs: list[Run],
    *,
    kind: Annotated[Kind, Option()] = "pr",
    concept: Annotated[list[str] | None, Option(metavar="CONCEPT")] = None,
    average: Annotated[
        Average | None, Option(default="none with --concept, else recall, and pooled for ROC")
    ] = None,
    at: Annotated[str | None, Option(metavar="NUMBER,…", default="5,10,15 …, or 0,0.1 … 1")] = None,
    ties: Annotated[Ties | None, Option(default="grouped, at ranks expected")] = None,
    interpolated: Annotated[bool, Option()] = False,
    topics: Annotated[
        Literal["judged", "common", "all"] | None, Option(default="judged", panel="Inputs")
    ] = None,
    missing: Missing = "error",
    extra: Extra = "error",
) -> Curves:
    """Follow precision and recall, or fallout and recall, down the rankings of runs.

    Where a run stands with its own decisions is marked in charts of single and pooled curves.

    kind      What charts show: precision against recall, or ROC curves.
    concept   The curve of a concept; may be repeated. Averages are over these concepts only.
    average   A curve for each concept, one of all cells, or the mean over concepts at ranks or at
              levels of recall.
    at        Ranks or levels of recall to average at.
    ties      How equal scores count.
    interpolated  Draw staircases of interpolated precision.
    topics    Of TREC files: topics of the judgements (one that a run lacks retrieved nothing;
              trec_eval -c), of both files, or of either.
    """
    if average is None:
        usual: Average = "pooled" if kind == "roc" else "recall"
        average = "none" if concept else usual
    return curves(
        truth,
        runs,
        concept,
        average=average,
        ties=ties,
        kind=kind,
        interpolated=interpolated,
        missing=missing,
        extra=extra,
        topics=topics,
        **_averaged_at(average, at),
    )


def _averaged_at(average: Average, at: str | None) -> dict[str, Any]:
    """The ranks or levels of recall to average at."""
    if at is None:
        return {}
    if average not in ("ranks", "recall"):
        raise InputError(
            "it is for means over concepts",
            mend="give {average=ranks} or {average=recall}, or leave it out",
            parameter="at",
        )
    number, low, high = (int, 1, 10**9) if average == "ranks" else (float, 0, 1)
    try:
        listed = [number(text) for text in at.split(",")]
    except ValueError:
        listed = []
    if not listed or not all(low <= value <= high for value in listed):
        what = "ranks from 1" if average == "ranks" else "levels of recall from 0 to 1"
        raise InputError(f"{at!r}; give {what}, with commas", parameter="at")
    return {"ranks" if average == "ranks" else "levels": listed}
