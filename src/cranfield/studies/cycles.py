"""Cycles: did systems improve from one campaign to the next (Nowak 2011 §10.8)?

Both cycles are narrowed to their common concepts, and to their common items where they have any
(concepts that one of two truths assigns to nothing are left out).
Then the best run, the one in the middle, the mean of all, and the best run of each concept or item
are compared. With common items, units are paired: whatever is hard is hard for both cycles, and the
signs of differences are flipped at random. Without, concepts have other items in each cycle, and a
one-way analysis of variance takes them for two groups, as Nowak 2011 does. p-values are corrected
by Holm for the number of comparisons.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from cranfield.axes import Axis, Missing
from cranfield.collection import Collection, as_collection
from cranfield.engine import evaluate
from cranfield.errors import InputError, require_draws
from cranfield.evaluation import Evaluation
from cranfield.knowledge import Knowledge
from cranfield.matrices import Floats, Ints
from cranfield.measures import Measure
from cranfield.run import Run
from cranfield.statistics import holm
from cranfield.statistics.comparing import Pairs, one_way, resampled_p
from cranfield.statistics.comparing.units import Resample, settled, values_of
from cranfield.statistics.influence import NoItemValuesError, item_values
from cranfield.studies.altered_truths import Stage
from cranfield.studies.field import (
    Progress,
    judging,
    known_for,
    require_systems,
    sign,
    systems_of,
)
from cranfield.truth import Truth

Judge = Literal["later", "earlier", "own"]
Stand = Literal["best", "median", "mean", "best of each"]


@dataclass(frozen=True, eq=False)
class Cycle:
    """A campaign: what was asked, and what systems answered."""

    truth: Truth | Collection
    runs: Iterable[Run]
    name: str = ""


@dataclass(frozen=True)
class Change:
    """One comparison of both cycles."""

    measure: Measure
    stand: Stand
    """What is compared: the best run, that in the middle (the better of two), the mean of all
    runs, or the best run of each unit."""
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


@dataclass(frozen=True, eq=False)
class CycleComparison:
    """Two cycles side by side."""

    names: tuple[str, str]
    runs: tuple[tuple[str, ...], tuple[str, ...]]
    items: int
    """Common items; 0 where they are not compared on any."""
    concepts: tuple[str, ...]
    judged_by: Judge
    agreement: float
    """The share of common cells that both truths label alike; NaN without common items."""
    kappa: float
    """The same, corrected for chance: near 0, common ids are not common items."""
    changes: tuple[Change, ...]
    by_concept: tuple[ConceptChanges, ...]
    """By each measure that scores concepts."""

    def change(self, measure: str, stand: Stand = "best") -> Change:
        """One comparison."""
        for one in self.changes:
            if str(one.measure).lower() == measure.lower() and one.stand == stand:
                return one
        told = ", ".join(dict.fromkeys(str(one.measure) for one in self.changes))
        raise InputError(f"there is no {stand!r} by {measure}; measures: {told}")


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
    options    of `evaluate`: ontology=, costs=, relatedness=, agreement=, missing=; what the later
               collection knows of concepts holds for both
    """
    _require(judged_by, resample, samples, seed)
    wanted, missing = judging(measures), options.pop("missing", "error")
    sides = tuple(_side(one, place) for place, one in enumerate((earlier, later)))
    common = _common(*(side.collection.truth for side in sides))
    known = Knowledge.given(**options).over(sides[1].collection.knowledge)
    about = known_for(sides[1].collection.truth, known) | {"missing": missing}
    kept = [_narrowed(side, common, missing) for side in sides]
    judge: Judge = judged_by if common.items else "own"
    if judge == "own":
        common = _in_both([one.truth for one in kept], common)
        kept = [_narrowed(side, common, missing) for side in sides]
    else:
        kept = [replace(one, truth=kept[judge == "later"].truth) for one in kept]
    results = [evaluate(one.truth, one.runs, wanted, **about) for one in kept]
    # Judgements of an open truth are common, or not, as a whole.
    paired = bool(common.items) or (
        kept[0].truth.open and kept[0].truth.digest == kept[1].truth.digest
    )
    test = _Test(paired, samples, seed)
    changes: list[Change] = []
    by_concept: list[ConceptChanges] = []
    for one in results[0].measures:
        changes += _changes(one, results, resample, test)
        if one.traits.direction == "concept":
            by_concept.append(_by_concept(one, results, kept, about, test))
        if progress is not None:
            progress()
    adjusted = holm([one.p for one in changes]).tolist()
    return CycleComparison(
        (sides[0].name, sides[1].name),
        (results[0].runs, results[1].runs),
        len(common.items),
        common.concepts,
        judge,
        *_agreement(sides, common),
        tuple(replace(one, adjusted=p) for one, p in zip(changes, adjusted, strict=True)),
        tuple(by_concept),
    )


# ── what both have in common ──────────────────────────────────────────────────────────────────


class _Side(NamedTuple):
    name: str
    collection: Collection
    runs: list[Run]


class _Common(NamedTuple):
    items: tuple[str, ...]
    concepts: tuple[str, ...]


@dataclass(frozen=True)
class _Kept:
    """What is left of a cycle."""

    truth: Truth
    runs: list[Run]


def _side(cycle: Cycle, place: int) -> _Side:
    name = cycle.name or ("earlier", "later")[place]
    runs = systems_of(cycle.runs)
    require_systems([run.name for run in runs], 1, of=name)
    return _Side(name, as_collection(cycle.truth), runs)


def _common(one: Truth, other: Truth) -> _Common:
    """Ids that both truths have; sides without ids have nothing in common, and open truths do not
    list their items."""
    concepts = _shared(one.concept_axis, other.concept_axis)
    if not concepts:
        raise InputError(
            "the two cycles have no concept in common, so nothing can be compared; check that "
            "both name their concepts (concepts=), and alike"
        )
    items = () if one.open or other.open else _shared(one.item_axis, other.item_axis)
    return _Common(items if len(items) > 1 else (), concepts)


def _in_both(truths: Sequence[Truth], common: _Common) -> _Common:
    """Without concepts that one truth assigns to no item: that cycle would have no score of them,
    and means over different concepts do not compare."""
    held = np.all([truth.totals(0, truth.unjudged).positives > 0 for truth in truths], axis=0)
    concepts = tuple(
        name for name, is_held in zip(common.concepts, held.tolist(), strict=True) if is_held
    )
    if not concepts:
        raise InputError("no common concept is assigned to items of both cycles")
    return common._replace(concepts=concepts)


def _shared(one: Axis, other: Axis) -> tuple[str, ...]:
    if one.ids is None or other.ids is None:
        return ()
    return tuple(sorted(set(one.ids) & set(other.ids)))


def _narrowed(side: _Side, common: _Common, missing: Missing) -> _Kept:
    truth = side.collection.truth
    columns = _places(truth.concept_axis, common.concepts)
    narrow, rows = truth, None
    if common.items:
        rows = _places(truth.item_axis, common.items)
        narrow = truth.part(rows)
    stage = Stage(narrow.of_concepts(columns), rows, columns)
    return _Kept(stage.truth, [stage.of(run, truth, missing) for run in side.runs])


def _places(axis: Axis, names: tuple[str, ...]) -> Ints:
    return np.array([axis.positions[name] for name in names], dtype=np.int64)


def _agreement(sides: Sequence[_Side], common: _Common) -> tuple[float, float]:
    """The share of common cells on which truths agree, and Cohen's κ."""
    if not common.items:
        return np.nan, np.nan
    one, other = (
        truth.labels[
            np.ix_(
                _places(truth.item_axis, common.items), _places(truth.concept_axis, common.concepts)
            )
        ]
        for truth in (side.collection.truth for side in sides)
    )
    agreed, density, rate = float(np.mean(one == other)), one.mean(), other.mean()
    chance = float(density * rate + (1 - density) * (1 - rate))
    return agreed, (agreed - chance) / (1 - chance) if chance < 1 else np.nan


# ── comparisons ───────────────────────────────────────────────────────────────────────────────


class _Standing(NamedTuple):
    """What one cycle enters into a comparison."""

    run: str
    score: float
    values: Floats
    """(units,): the higher the better."""
    resample: Resample


class _Test(NamedTuple):
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


def _changes(
    one: Measure,
    results: Sequence[Evaluation],
    resample: Resample | Literal["auto"],
    test: _Test,
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


def _by_concept(
    one: Measure,
    results: Sequence[Evaluation],
    kept: Sequence[_Kept],
    about: dict[str, Any],
    test: _Test,
) -> ConceptChanges:
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
    side: _Kept, run: Run, concept: int, one: Measure, about: dict[str, Any]
) -> Floats | None:
    """What each item says of a run by one concept alone; None where no item has a share."""
    stage = Stage(side.truth.of_concepts([concept]), None, np.array([concept]))
    narrow = stage.of(run, side.truth, about["missing"])
    (score,) = evaluate(stage.truth, [narrow], [one], **about)
    try:
        return item_values(score, widened=True)
    except NoItemValuesError:
        return None


def _require(judged_by: str, resample: str, samples: int, seed: int) -> None:
    if judged_by not in get_args(Judge):
        raise InputError(f"judged_by={judged_by!r}; choose 'later', 'earlier' or 'own'")
    if resample not in ("auto", *get_args(Resample)):
        raise InputError(f"resample={resample!r}; choose 'auto', 'items' or 'concepts'")
    require_draws("samples", samples, least=100)
    if seed < 0:
        raise InputError(f"seed={seed}; seeds start at 0")
