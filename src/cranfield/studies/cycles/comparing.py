"""`cf.compare_cycles`: narrow, judge, score and compare two cycles."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Literal, get_args

from cranfield.engine import evaluate
from cranfield.errors import InputError, require_draws
from cranfield.knowledge import Knowledge
from cranfield.measures import Measure
from cranfield.statistics import holm
from cranfield.statistics.comparing.units import Resample
from cranfield.studies.cycles.common import (
    Cycle,
    agreement_of,
    in_both,
    in_common,
    narrowed,
    side_of,
)
from cranfield.studies.cycles.found import Change, ConceptChanges, CycleComparison, Judge
from cranfield.studies.cycles.standings import Test, changes_by, concepts_by
from cranfield.studies.field import Progress, judging, known_for


def compare_cycles(
    earlier: Cycle,
    later: Cycle,
    measures: Iterable[str | Measure] = ("concept.AP", "concept.AUC", "example.AP"),
    *,
    judged_by: Judge = "later",
    resample: Resample | Literal["auto"] = "auto",
    samples: int = 10_000,
    seed: int = 0,
    progress: Progress | None = None,
    **options: Any,
) -> CycleComparison:
    """What improved between two cycles on their common items and concepts, and is it significant?

    judged_by  whose truth scores common items: "later" or "earlier" that of one cycle for both, or
               "own"; without common items always "own"
    resample   "items" or "concepts" to compare on; "auto": common items; without such, concepts of
               measures that score concepts
    samples    of the randomisation test
    progress   called after each measure
    options    of `evaluate`: ontology=, costs=, relatedness=, agreement=, missing=, extra=; what
               the later collection knows of concepts holds for both
    """
    _require(judged_by, resample, samples, seed)
    wanted, missing = judging(measures), options.pop("missing", "error")
    extra = options.pop("extra", "error")
    sides = tuple(side_of(one, place, extra) for place, one in enumerate((earlier, later)))
    common = in_common(*(side.collection.truth for side in sides))
    known = Knowledge.given(**options).over(sides[1].collection.knowledge)
    about = known_for(sides[1].collection.truth, known) | {"missing": missing}
    kept = [narrowed(side, common, missing) for side in sides]
    judge: Judge = judged_by if common.items else "own"
    if judge == "own":
        common = in_both([one.truth for one in kept], common)
        kept = [narrowed(side, common, missing) for side in sides]
    else:
        kept = [replace(one, truth=kept[judge == "later"].truth) for one in kept]
    results = [evaluate(one.truth, one.runs, wanted, **about) for one in kept]
    # Judgements of an open truth are common, or not, as a whole.
    paired = bool(common.items) or (
        kept[0].truth.open and kept[0].truth.digest == kept[1].truth.digest
    )
    test = Test(paired, samples, seed)
    changes: list[Change] = []
    by_concept: list[ConceptChanges] = []
    for one in results[0].measures:
        changes += changes_by(one, results, resample, test)
        if one.traits.direction == "concept":
            by_concept.append(concepts_by(one, results, kept, about, test))
        if progress is not None:
            progress()
    adjusted = holm([one.p for one in changes]).tolist()
    return CycleComparison(
        (sides[0].name, sides[1].name),
        (results[0].runs, results[1].runs),
        len(common.items),
        common.concepts,
        judge,
        *agreement_of(sides, common),
        tuple(replace(one, adjusted=p) for one, p in zip(changes, adjusted, strict=True)),
        tuple(by_concept),
    )


def _require(judged_by: str, resample: str, samples: int, seed: int) -> None:
    if judged_by not in get_args(Judge):
        raise InputError(f"judged_by={judged_by!r}; choose 'later', 'earlier' or 'own'")
    if resample not in ("auto", *get_args(Resample)):
        raise InputError(f"resample={resample!r}; choose 'auto', 'items' or 'concepts'")
    require_draws("samples", samples, least=100)
    if seed < 0:
        raise InputError(f"seed={seed}; seeds start at 0")
