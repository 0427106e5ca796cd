"""What stands for a cycle by one measure, and the tests of two of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.core.run import Run
from cranfield.engine import evaluate
from cranfield.engine.evaluation import Evaluation
from cranfield.errors import InputError
from cranfield.measures import Measure
from cranfield.statistics.comparing import Pairs, one_way, resampled_p
from cranfield.statistics.comparing.units import Resample, settled, values_of
from cranfield.statistics.influence import NoItemValuesError, item_values
from cranfield.studies.altered_truths import Stage
from cranfield.studies.cycles.common import Kept
from cranfield.studies.cycles.found import Change, ConceptChanges, Stand
from cranfield.studies.field import sign


class _Standing(NamedTuple):
    """What one cycle enters into a comparison."""

    run: str
    score: float
    values: Floats
    """(units,): the higher the better."""
    resample: Resample


class Test(NamedTuple):
    """How two cycles are compared."""

    paired: bool
    samples: int
    seed: int

    def p(self, earlier: Floats, later: Floats, what: object) -> tuple[float, float]:
        """p of the test, and of the one-way analysis of variance."""
        unpaired = one_way([earlier, later]).p
        if not self.paired:
            return unpaired, unpaired
        if earlier.shape != later.shape:
            raise InputError(
                f"{what}: by their own truths, the two cycles have scores of different units, "
                "which cannot be paired; judge both by one truth (judged_by='later')"
            )
        pair = Pairs(np.array([earlier, later]))
        return float(resampled_p(pair, "randomisation", self.samples, self.seed).p[0]), unpaired


def changes_by(
    one: Measure,
    results: Sequence[Evaluation],
    resample: Resample | Literal["auto"],
    test: Test,
) -> Iterator[Change]:
    """All comparisons by one measure."""
    first = results[0].score(results[0].runs[0], one)
    if resample == "auto" and not test.paired and one.traits.direction == "concept":
        resample = "concepts"
    sides = [_standings(result, one, settled(first, resample)) for result in results]
    if "best of each" not in sides[0] and one.traits.direction == "concept" and first.units > 1:
        for side, result in zip(sides, results, strict=True):
            side["best of each"] = _standings(result, one, "concepts")["best of each"]
    for stand in sides[0]:
        earlier, later = (side[stand] for side in sides)
        p, unpaired = test.p(earlier.values, later.values, one)
        yield Change(
            one,
            stand,
            (earlier.run, later.run),
            (earlier.score, later.score),
            len(later.values),
            later.resample,
            test.paired,
            p,
            unpaired,
        )


def _standings(
    result: Evaluation, one: Measure, resample: Resample | Literal["auto"]
) -> dict[Stand, _Standing]:
    scores = [result.score(run, one) for run in result.runs]
    units = values_of(scores, resample, by_unit=False)
    totals, turned = np.array([score.value for score in scores]), sign(one)
    order = sorted(
        range(len(scores)), key=lambda place: (-turned * totals[place], result.runs[place])
    )

    def of_run(place: int) -> _Standing:
        return _Standing(
            result.runs[place], float(totals[place]), units.values[place], units.resample
        )

    mean = units.values.mean(axis=0)
    found: dict[Stand, _Standing] = {
        "best": of_run(order[0]),
        "median": of_run(order[(len(order) - 1) // 2]),
        "mean": _Standing("", float(totals.mean()), mean, units.resample),
    }
    if units.scored:
        best = units.values.max(axis=0)
        found["best of each"] = _Standing("", float(turned * best.mean()), best, units.resample)
    return found


def concepts_by(
    one: Measure,
    results: Sequence[Evaluation],
    kept: Sequence[Kept],
    about: dict[str, Any],
    test: Test,
) -> ConceptChanges:
    """What became of each concept."""
    tables = [np.array([result.units(run, one) for run in result.runs]) for result in results]
    known = np.flatnonzero(np.isfinite(np.vstack(tables)).all(axis=0))
    turned = sign(one)
    best = [(turned * table).argmax(axis=0) for table in tables]
    p = np.full(len(known), np.nan)
    if test.paired and not kept[0].truth.open:
        for place, concept in enumerate(known.tolist()):
            values = [
                _item_values(side, side.runs[int(runs[concept])], concept, one, about)
                for side, runs in zip(kept, best, strict=True)
            ]
            if values[0] is None or values[1] is None:
                break
            p[place] = test.p(values[0], values[1], one)[0]
    return ConceptChanges(
        one,
        tuple(kept[1].truth.concepts[concept] for concept in known.tolist()),
        np.array([turned * (turned * table).max(axis=0)[known] for table in tables]),
        np.array([table.mean(axis=0)[known] for table in tables]),
        p,
    )


def _item_values(
    side: Kept, run: Run, concept: int, one: Measure, about: dict[str, Any]
) -> Floats | None:
    """What each item says of a run by one concept alone; None where no item has a share."""
    stage = Stage(side.truth.of_concepts([concept]), None, np.array([concept]))
    narrow = stage.of(run, side.truth, about["missing"])
    (score,) = evaluate(stage.truth, [narrow], [one], **about)
    try:
        return item_values(score, widened=True)
    except NoItemValuesError:
        return None
