"""Bounds and estimates for incomplete truths: the function that the command `bounds` calls."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

from cranfield.collections.collection import Collection
from cranfield.commands.evaluate import Measures, knowledge_over, report_doubts
from cranfield.commands.score_inputs import require_share
from cranfield.core.options import Option
from cranfield.core.progress import Notify, unheard
from cranfield.core.run import Run
from cranfield.errors import MOST_DRAWS, InputError, several
from cranfield.statistics.incomplete import Bounds, Estimates

INCOMPLETE_MEASURES = ("example.P", "example.R", "example.F", "example.hamming", "micro.F")
"""What has both bounds and estimates."""


def bounds(
    truth: Collection,
    runs: list[Run],
    measures: Measures = None,
    *,
    estimate: Annotated[bool, Option()] = False,
    close: Annotated[bool, Option(excludes=("estimate",))] = False,
    outside: Annotated[Literal["unknown", "negative"], Option(excludes=("estimate",))] = "unknown",
    exact: Annotated[int, Option(minimum=0, maximum=16, excludes=("estimate",))] = 6,
    confidence: Annotated[float, Option(metavar="SHARE", needs="estimate")] = 0.95,
    draws: Annotated[int, Option(minimum=20, maximum=MOST_DRAWS, needs="estimate")] = 200,
    seed: Annotated[int, Option(minimum=0, needs="estimate")] = 0,
    notify: Notify = unheard,
    **options: Any,
) -> Bounds | Estimates:
    """Bound scores for truths with unjudged cells, or estimate them.

    Bounds are the lowest and highest scores that any judgement of the unjudged cells could lead
    to. Estimates take the judged cells for a random sample.

    measures    Measure; may be repeated; default: example.P, example.R, example.F,
                example.hamming, micro.F.
    estimate    Estimate the scores if all cells were judged.
    close       First resolve cells that the ontology implies.
    outside     What cells outside the pool are taken for.
    exact       Unjudged cells of an item up to which all judgements are tried, for measures that
                have no simpler exact bounds.
    confidence  Level of the intervals of estimates.
    draws       Truths drawn for measures by item.
    seed        Seed of draws.
    """
    from cranfield.measures import measure
    from cranfield.statistics import incomplete

    require_share(confidence)
    report_doubts(runs, map(measure, measures or INCOMPLETE_MEASURES), notify)
    requested = measures or INCOMPLETE_MEASURES
    level = options.pop("level", None)
    if level is not None:
        truth = replace(truth, truth=truth.truth.at_level(level))
    if estimate:
        return incomplete.estimate(
            truth, runs, requested, level=confidence, draws=draws, seed=seed, **options
        )
    if close:
        truth = _closed(truth, options["ontology"], notify)
    return incomplete.bounds(truth, runs, requested, outside=outside, exact=exact, **options)


def _closed(truth: Collection, ontology: Any, notify: Notify) -> Collection:
    """A truth whose unjudged cells are resolved where the ontology implies them."""
    ontology = knowledge_over(truth, {"ontology": ontology}).ontology
    if ontology is None:
        raise InputError(
            "it needs an ontology", mend="give {ontology=pto2009}, for example", parameter="close"
        )
    closure = ontology.close(truth.truth)
    cells = several(sum(closure.total), "unjudged cell")
    notify(f"{ontology.name} resolved {cells}; {closure.unjudged} are left")
    if closure.contradictions:
        count = several(len(closure.contradictions), "contradiction")
        notify(f"{count} left as they were; `cranfield ontology close` lists them")
    return replace(truth, truth=closure.truth)
