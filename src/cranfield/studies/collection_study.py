"""Collection: what a collection asks of systems, and whether it can be relied upon.

By each measure, runs stand beside the units it scores, concepts or items: how reliable their scores
are together (Cronbach's α; runs take the test, units are its parts; Bodoff 2008), which units are
hard, who is best on each, and what a system would reach that is as good as the best on every one.
Groups are ranked by their best run. After Nowak 2011 §10.7 (Tables 10.3 to 10.10, Figure 10.3), of
which §11.3 asks whether confidences of different concepts can be compared at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from cranfield.caching import cached_property
from cranfield.collections.collection import Collection
from cranfield.collections.extra_items import covering
from cranfield.core.matrices import Floats, Ints
from cranfield.core.progress import part_of
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.engine.evaluation import Evaluation, mean
from cranfield.engine.standings import EQUAL, competition_ranks
from cranfield.errors import InputError, MeasureError
from cranfield.measures import Measure, measure
from cranfield.statistics.correlation import spearman
from cranfield.statistics.cronbach import Cronbach, cronbach, without_each
from cranfield.studies.collection_records import TABLES, records
from cranfield.studies.comparable_confidences import Comparability, comparability
from cranfield.studies.field import Progress, judging, require_systems, sign, systems_of
from cranfield.studies.records import Records, Row, defined


class Standing(NamedTuple):
    """The best of some runs by one measure."""

    run: str
    score: float
    place: int
    """Among all runs; 1 = best, equals have the same."""


@dataclass(frozen=True, eq=False)
class UnitScores:
    """All runs on single concepts or items, by one measure."""

    measure: Measure
    kind: Literal["concept", "item"]
    runs: tuple[str, ...]
    units: tuple[str, ...]
    """Those on which every run has a score."""
    positives: Ints
    """(units,): items of each concept, or labels of each item."""
    size: int
    """All items, or all concepts."""
    scores: Floats
    """(runs, units)."""
    totals: Floats
    """(runs,): over all units."""

    @cached_property
    def merits(self) -> Floats:
        """(runs, units): the higher, the better."""
        return np.asarray(self.scores * sign(self.measure))

    @cached_property
    def reliability(self) -> Cronbach | None:
        """α over runs as subjects and units as parts; None with fewer than two units."""
        return cronbach(self.scores.astype(np.float64)) if len(self.units) > 1 else None

    @cached_property
    def reliability_without(self) -> Floats:
        """(units,): α if a unit is left out."""
        if len(self.units) < 3:
            return np.full(len(self.units), np.nan)
        return without_each(self.scores)

    @property
    def best(self) -> Floats:
        """(units,): what the best run reaches."""
        return np.asarray(self.merits.max(axis=0) * sign(self.measure))

    @property
    def average(self) -> Floats:
        """(units,): mean over runs."""
        return np.asarray(self.scores.mean(axis=0))

    @property
    def median(self) -> Floats:
        return np.asarray(np.median(self.scores, axis=0))

    def winners(self, place: int) -> tuple[str, ...]:
        """The runs that are best on a unit."""
        column = self.merits[:, place]
        return tuple(
            run
            for run, merit in zip(self.runs, column.tolist(), strict=True)
            if merit >= column.max() - EQUAL
        )

    def standing(self, runs: Sequence[str]) -> Standing:
        """The best of some runs; of equals the first by name."""
        merits = self.totals * sign(self.measure)
        places = [self.runs.index(run) for run in runs]
        best = min(places, key=lambda place: (-merits[place], self.runs[place]))
        rank = int(competition_ranks(merits)[best])
        return Standing(self.runs[best], float(self.totals[best]), rank)

    @property
    def leader(self) -> Standing:
        """The best run of all."""
        return self.standing(self.runs)

    @property
    def envelope(self) -> float:
        """The score of somebody who picks the best run for each unit."""
        return mean(self.best, None, self.measure.traits.average)[0]

    @property
    def hardest(self) -> Ints:
        """Places of units, those first on which even the best run is bad, then by the average."""
        turned = sign(self.measure)
        names = np.array(self.units)
        return np.lexsort((names, self.average * turned, np.round(self.best * turned, 12)))

    @property
    def by_frequency(self) -> float:
        """Spearman's ρ of frequency and the best score: above 0, frequent units are easier."""
        if len(self.units) < 2:
            return np.nan
        return float(spearman(self.positives, self.best * sign(self.measure)))


@dataclass(frozen=True)
class Group:
    """Who made some of the runs, and how well the best of them do."""

    name: str
    runs: tuple[str, ...]
    bests: tuple[Standing, ...]
    """By each measure."""


@dataclass(frozen=True, eq=False)
class CollectionStudy(Records):
    """What runs tell of the collection that they were scored on."""

    truth: Truth
    runs: tuple[str, ...]
    measures: tuple[UnitScores, ...]
    group_of: dict[str, str]
    """Who made each run: its group, or its own name."""
    comparability: Comparability | None

    def __getitem__(self, spelling: str | Measure) -> UnitScores:
        wanted = str(measure(spelling).on(self.truth)).lower()
        for one in self.measures:
            if str(one.measure).lower() == wanted:
                return one
        names = ", ".join(str(one.measure) for one in self.measures)
        raise InputError(f"{spelling} was not studied; there are {names}")

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The group of the best run first, by the first measure."""
        members: dict[str, list[str]] = {}
        for run in self.runs:
            members.setdefault(self.group_of[run], []).append(run)
        found = [
            Group(name, tuple(runs), tuple(one.standing(runs) for one in self.measures))
            for name, runs in members.items()
        ]
        return tuple(sorted(found, key=lambda group: (group.bests[0].place, group.name)))

    def rows(self, table: str = "measures") -> list[Row]:
        """The records of a table: measures, groups, concepts, items, confidences or places."""
        return records(self, table)

    def to_dict(self) -> dict[str, Any]:
        """All tables, and what confidences lose."""
        compared = self.comparability
        content: dict[str, Any] = {"runs": list(self.runs), "group_of": self.group_of}
        content |= {name: list(rows_of(self)) for name, rows_of in TABLES.items()}
        if compared is not None:
            content["comparability"] = {
                str(one): {"mean_loss": float(losses.mean()), "tau": defined(tau)}
                for one, losses, tau in zip(
                    compared.measures, compared.losses, compared.taus.tolist(), strict=True
                )
            }
        return content | {"notes": [] if compared is None else list(compared.notes)}


def collection_study(
    truth: Truth | Collection,
    runs: Run | Iterable[Run],
    measures: Iterable[str | Measure] = ("concept.AP", "concept.AUC", "example.AP"),
    *,
    compare_confidences: bool = True,
    seed: int = 0,
    progress: Progress | None = None,
    **options: Any,
) -> CollectionStudy:
    """Reliability, difficulty, and the best of every concept, item and group.

    measures             by concept or by item; the first ranks groups
    compare_confidences  whether confidences of different concepts are made comparable too
    seed                 of the halves of items that this needs
    progress             called after each run is scored, and after its confidences are compared
    options              of `evaluate`: ontology=, costs=, relatedness=, agreement=, missing=,
                         extra=
    """
    wanted = judging(measures)
    listed = covering(truth, systems_of(runs), options.pop("extra", "error"))
    require_systems([run.name for run in listed], 2)
    for one in wanted:
        if one.traits.direction not in ("concept", "example"):
            raise MeasureError(
                f"{one} has no scores of single concepts or items; choose measures concept.… or "
                "example.…"
            )
    step: Progress = progress or (lambda: None)
    result = evaluate(truth, listed, wanted, progress=part_of(lambda _: step()), **options)
    plain = truth.truth if isinstance(truth, Collection) else truth
    compared = None
    if compare_confidences:
        missing = options.get("missing", "error")
        compared = comparability(plain, listed, missing=missing, seed=seed, progress=step)
    return CollectionStudy(
        plain,
        result.runs,
        tuple(_unit_scores(result, one) for one in result.measures),
        {run.name: run.group or run.name for run in listed},
        compared,
    )


def _unit_scores(result: Evaluation, one: Measure) -> UnitScores:
    direction = one.traits.direction
    axis, truth = (0 if direction == "concept" else 1), result.truth
    scores = np.array([result.units(run, one) for run in result.runs])
    known = np.isfinite(scores).all(axis=0)
    if not known.any():
        raise InputError(f"{one}: no unit has a score of every run; leave the measure out")
    names = truth.concepts if direction == "concept" else truth.items
    return UnitScores(
        one,
        "concept" if direction == "concept" else "item",
        result.runs,
        tuple(name for name, is_known in zip(names, known.tolist(), strict=True) if is_known),
        truth.totals(axis, truth.unjudged).positives[known],
        truth.shape[axis],
        scores[:, known],
        np.array([result[run, one] for run in result.runs]),
    )
