"""Changes from one cycle to the next: what both have in common, what stands for each, the tests.

Both cycles are narrowed to their common concepts, and to their common items where they have any.
With common items, units are paired and the signs of differences are flipped at random; without, a
one-way analysis of variance takes the concepts of both for two groups (Nowak 2011 §10.8).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from cranfield.collections.collection import Collection, as_collection
from cranfield.collections.extra_items import covering
from cranfield.collections.readings import AnyRuns, AnyTruth, read_inputs
from cranfield.core.axes import Axis, Extra, Missing
from cranfield.core.matrices import Floats, Ints
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.engine.evaluation import Evaluation
from cranfield.errors import InputError, several
from cranfield.measures import Measure
from cranfield.statistics import holm
from cranfield.statistics.comparing import Pairs, one_way, resampled_p
from cranfield.statistics.comparing.units import Resample, settled, values_of
from cranfield.statistics.influence import NoItemValuesError, item_values
from cranfield.studies.altered_truths import Stage
from cranfield.studies.field import require_systems, sign, systems_of

Stand = Literal["best", "median", "mean", "best of each"]
"""What is compared: the best run, that in the middle (the better of two), the mean of all runs, or
the best run of each unit."""


@dataclass(frozen=True)
class Change:
    """One comparison of both cycles."""

    measure: Measure
    stand: Stand
    runs: tuple[str, str]
    """Of either cycle; empty where it is no single run."""
    scores: tuple[float, float]
    units: int
    resample: Resample
    paired: bool
    p: float
    unpaired_p: float
    """Of the one-way analysis of variance."""
    adjusted: float = np.nan
    """p, corrected by Holm for all comparisons."""

    @property
    def gain(self) -> float:
        """How much better the later cycle is; below 0: worse."""
        return (self.scores[1] - self.scores[0]) * sign(self.measure)

    def row(self) -> dict[str, Any]:
        """A plain record."""
        return {
            "measure": str(self.measure),
            "of": self.stand,
            "earlier": self.scores[0],
            "later": self.scores[1],
            "gain": self.gain,
            "p": self.p,
            "adjusted": self.adjusted,
            "unpaired_p": self.unpaired_p,
            "over": several(self.units, self.resample[:-1]),
            "runs": " → ".join(run for run in self.runs if run),
        }


@dataclass(frozen=True, eq=False)
class ConceptChanges:
    """What became of each concept, by one measure."""

    measure: Measure
    concepts: tuple[str, ...]
    best: Floats
    """(2, concepts): of any run, earlier and later."""
    mean: Floats
    """(2, concepts): of all runs."""
    p: Floats
    """(concepts,): of the two best runs of a concept, paired over items; NaN without such."""

    @property
    def gains(self) -> Floats:
        """(concepts,): how much better the best run is; below 0: worse."""
        return np.asarray((self.best[1] - self.best[0]) * sign(self.measure))

    @property
    def adjusted(self) -> Floats:
        """p, corrected by Holm for the number of concepts."""
        return holm(self.p)

    @property
    def gained(self) -> int:
        """How many concepts became easier."""
        return int(np.count_nonzero(self.gains > 1e-12))

    @property
    def lost(self) -> int:
        return int(np.count_nonzero(self.gains < -1e-12))

    def rows(self) -> list[dict[str, Any]]:
        """A record for each concept, those that gained most first."""
        adjusted = self.adjusted
        return [
            {
                "measure": str(self.measure),
                "concept": self.concepts[index],
                "earlier": float(self.best[0, index]),
                "later": float(self.best[1, index]),
                "gain": float(self.gains[index]),
                "p": self.p[index],
                "adjusted": adjusted[index],
                "earlier_mean": float(self.mean[0, index]),
                "later_mean": float(self.mean[1, index]),
            }
            for index in np.lexsort((np.array(self.concepts), -self.gains)).tolist()
        ]


# ── what two cycles have in common ───────────────────────────────────────────────────────────


@dataclass(frozen=True, eq=False)
class Cycle:
    """A campaign: what was asked, and what systems answered, in all forms that `evaluate` takes."""

    truth: AnyTruth
    runs: AnyRuns
    name: str = ""


def as_cycle(cycle: Cycle | Evaluation) -> Cycle:
    """A cycle of a truth and runs, whatever it was made of."""
    if isinstance(cycle, Evaluation):
        return Cycle(cycle.truth, list({score.run.name: score.run for score in cycle}.values()))
    return replace(cycle, **read_inputs(cycle.truth, cycle.runs)._asdict())


class Side(NamedTuple):
    """A cycle as it came."""

    name: str
    collection: Collection
    runs: list[Run]


class Common(NamedTuple):
    """Ids of both; no items where they are not compared on any."""

    items: tuple[str, ...]
    concepts: tuple[str, ...]


@dataclass(frozen=True)
class Remainder:
    """What is left of a cycle."""

    truth: Truth
    runs: list[Run]


def side_of(cycle: Cycle, default: str, extra: Extra = "error") -> Side:
    """A cycle with a name and without random runs."""
    name = cycle.name or default
    collection, runs = as_collection(cycle.truth), systems_of(cycle.runs)
    require_systems([run.name for run in runs], 1, of=name)
    return Side(name, collection, covering(collection, runs, extra))


def in_common(earlier: Truth, later: Truth) -> Common:
    """Ids that both truths have; sides without ids have nothing in common, and open truths do not
    list their items."""
    concepts = _shared(earlier.concept_axis, later.concept_axis)
    if not concepts:
        raise InputError(
            "the two cycles have no concept in common, so nothing can be compared",
            mend="check that both name their concepts ({concepts}), and alike",
        )
    listed = not (earlier.open or later.open)
    items = _shared(earlier.item_axis, later.item_axis) if listed else ()
    return Common(items if len(items) > 1 else (), concepts)


def in_both(truths: Sequence[Truth], common: Common) -> Common:
    """Without concepts that one truth assigns to no item: that cycle would have no score of them,
    and means over different concepts do not compare."""
    held = np.all([truth.totals(0, truth.unjudged).positives > 0 for truth in truths], axis=0)
    concepts = tuple(
        name for name, is_held in zip(common.concepts, held.tolist(), strict=True) if is_held
    )
    if not concepts:
        raise InputError("no common concept is assigned to items of both cycles")
    return common._replace(concepts=concepts)


def _shared(earlier: Axis, later: Axis) -> tuple[str, ...]:
    if earlier.ids is None or later.ids is None:
        return ()
    return tuple(sorted(set(earlier.ids) & set(later.ids)))


def narrowed(side: Side, common: Common, missing: Missing) -> Remainder:
    """What is left of a cycle."""
    truth = side.collection.truth
    columns = _positions(truth.concept_axis, common.concepts)
    narrow, rows = truth, None
    if common.items:
        rows = _positions(truth.item_axis, common.items)
        narrow = truth.part(rows)
    stage = Stage(narrow.of_concepts(columns), rows, columns)
    return Remainder(stage.truth, [stage.of(run, truth, missing) for run in side.runs])


def _positions(axis: Axis, names: tuple[str, ...]) -> Ints:
    return np.array([axis.positions[name] for name in names], dtype=np.int64)


def agreement_of(sides: Sequence[Side], common: Common) -> tuple[float, float]:
    """The share of common cells on which truths agree, and Cohen's κ."""
    if not common.items:
        return np.nan, np.nan
    earlier, later = (
        truth.labels[
            np.ix_(
                _positions(truth.item_axis, common.items),
                _positions(truth.concept_axis, common.concepts),
            )
        ]
        for truth in (side.collection.truth for side in sides)
    )
    agreed, density, rate = float(np.mean(earlier == later)), earlier.mean(), later.mean()
    chance = float(density * rate + (1 - density) * (1 - rate))
    return agreed, (agreed - chance) / (1 - chance) if chance < 1 else np.nan


# ── tests ─────────────────────────────────────────────────────────────────────────────────────


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
                "which cannot be paired",
                mend="judge both by one truth: {judged_by=later}",
            )
        pair = Pairs(np.array([earlier, later]))
        return float(resampled_p(pair, "randomisation", self.samples, self.seed).p[0]), unpaired


def changes_by(
    measure: Measure,
    results: Sequence[Evaluation],
    resample: Resample | Literal["auto"],
    test: Test,
) -> Iterator[Change]:
    """All comparisons by one measure."""
    first = results[0].score(results[0].runs[0], measure)
    by_concept = measure.traits.direction == "concept"
    if resample == "auto" and not test.paired and by_concept:
        resample = "concepts"
    sides = [_standings(result, measure, settled(first, resample)) for result in results]
    if "best of each" not in sides[0] and by_concept and first.units > 1:
        for side, result in zip(sides, results, strict=True):
            side["best of each"] = _standings(result, measure, "concepts")["best of each"]
    for stand in sides[0]:
        earlier, later = (side[stand] for side in sides)
        p, unpaired = test.p(earlier.values, later.values, measure)
        yield Change(
            measure,
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
    result: Evaluation, measure: Measure, resample: Resample | Literal["auto"]
) -> dict[Stand, _Standing]:
    scores = [result.score(run, measure) for run in result.runs]
    units = values_of(scores, resample, by_unit=False)
    totals, turn = np.array([score.value for score in scores]), sign(measure)
    order = sorted(
        range(len(scores)), key=lambda index: (-turn * totals[index], result.runs[index])
    )

    def of_run(index: int) -> _Standing:
        return _Standing(
            result.runs[index], float(totals[index]), units.values[index], units.resample
        )

    mean = units.values.mean(axis=0)
    standings: dict[Stand, _Standing] = {
        "best": of_run(order[0]),
        "median": of_run(order[(len(order) - 1) // 2]),
        "mean": _Standing("", float(totals.mean()), mean, units.resample),
    }
    if units.scored:
        best = units.values.max(axis=0)
        standings["best of each"] = _Standing("", float(turn * best.mean()), best, units.resample)
    return standings


def concepts_by(
    measure: Measure,
    results: Sequence[Evaluation],
    sides: Sequence[Remainder],
    options: dict[str, Any],
    test: Test,
) -> ConceptChanges:
    """What became of each concept."""
    tables = [np.array([result.units(run, measure) for run in result.runs]) for result in results]
    defined = np.flatnonzero(np.isfinite(np.vstack(tables)).all(axis=0))
    turn = sign(measure)
    best = [(turn * table).argmax(axis=0) for table in tables]
    p = np.full(len(defined), np.nan)
    if test.paired and not sides[0].truth.open:
        for index, concept in enumerate(defined.tolist()):
            values = [
                _item_values(side, side.runs[int(runs[concept])], concept, measure, options)
                for side, runs in zip(sides, best, strict=True)
            ]
            if values[0] is None or values[1] is None:
                break
            p[index] = test.p(values[0], values[1], measure)[0]
    return ConceptChanges(
        measure,
        tuple(sides[1].truth.concepts[concept] for concept in defined.tolist()),
        np.array([turn * (turn * table).max(axis=0)[defined] for table in tables]),
        np.array([table.mean(axis=0)[defined] for table in tables]),
        p,
    )


def _item_values(
    side: Remainder, run: Run, concept: int, measure: Measure, options: dict[str, Any]
) -> Floats | None:
    """What each item says of a run by one concept alone; None where no item has a share."""
    stage = Stage(side.truth.of_concepts([concept]), None, np.array([concept]))
    narrow = stage.of(run, side.truth, options["missing"])
    (score,) = evaluate(stage.truth, [narrow], [measure], **options)
    try:
        return item_values(score, widened=True)
    except NoItemValuesError:
        return None
