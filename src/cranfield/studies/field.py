"""Field: all runs of a study by all its measures: systems, runs that know nothing, the perfect one.

Scores become merits, of which the higher is always the better: a measure by which less is better is
turned round. Runs that carry the name of a reference run (Random50, AllOnes, perfect) are taken for
it, so that those which `cranfield simulate` writes are not drawn again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.collections.extra_items import left_out_remarks
from cranfield.core.matrices import Floats
from cranfield.core.options import Option
from cranfield.core.options import Seed as Seed
from cranfield.core.progress import part_of, silent
from cranfield.core.reference_names import ALL_ONES, PERFECT, is_blind, is_system
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.engine.evaluation import Evaluation
from cranfield.engine.local import as_runs
from cranfield.errors import InputError, MeasureError, several
from cranfield.knowledge import Knowledge
from cranfield.knowledge.maps import ConceptMap
from cranfield.measures import Measure, measure
from cranfield.studies.records import defined
from cranfield.studies.reference_runs import (
    RANDOM_PERCENTAGES,
    all_ones,
    perfect_run,
    random_run,
)

Progress = Callable[[], None]

KINDS = ("system", "random", "perfect")
"""What runs of a study are."""
CONCORDANT, DISCORDANT = "≈", "≠"
"""Rankings that a test cannot tell apart, or can; a star is for significance alone."""
RANKINGS = (
    *("concept.AP", "concept.AUC", "concept.EER", "concept.iAP", "concept.RP"),
    *("example.AP", "example.RP", "example.nDCG"),
    *("example.one_error", "example.coverage", "example.ranking_loss"),
)
DECISIONS = (
    *("concept.F", "example.P", "example.R", "example.F", "example.Acc", "example.hamming"),
)


def _measures(default: str) -> Option:
    return Option(name="measure", short="-m", metavar="NAME", suggest="measures", default=default)


Measures = Annotated[
    Iterable[str | Measure] | None,
    _measures(f"{len(RANKINGS)} of rankings, {len(DECISIONS)} of decisions, OS, SRP …"),
]
DecisionMeasures = Annotated[
    Iterable[str | Measure] | None, _measures(", ".join((*DECISIONS, "HS and OS")))
]


@dataclass(frozen=True, eq=False)
class Field:
    """Scored runs, sorted by what they are."""

    evaluation: Evaluation
    systems: tuple[str, ...]
    blind: tuple[str, ...] = ()
    """Runs that know nothing."""
    perfect: str | None = None

    @property
    def measures(self) -> tuple[Measure, ...]:
        return self.evaluation.measures

    @property
    def runs(self) -> tuple[str, ...]:
        return (*self.systems, *self.blind, *((self.perfect,) if self.perfect else ()))

    def kind(self, run: str) -> str:
        """system, random or perfect."""
        return "perfect" if run == self.perfect else "random" if run in self.blind else "system"

    def scores(self, runs: Sequence[str]) -> Floats:
        """(measures, runs) as they are."""
        values = [[self.evaluation[run, one] for run in runs] for one in self.measures]
        return np.array(values, dtype=np.float64).reshape(len(self.measures), len(runs))

    def merits(self, runs: Sequence[str]) -> Floats:
        """(measures, runs): the higher, the better."""
        signs = np.array([[sign(one)] for one in self.measures])
        return np.asarray(self.scores(runs) * signs)

    @property
    def remarks(self) -> list[str]:
        """What readers should know about the runs."""
        runs = {score.run.name: score.run for score in self.evaluation}
        return remarks_on(list(runs.values()), self.measures)

    def to_dict(self) -> dict[str, Any]:
        """Which runs are what, and the scores of all of them."""
        return {
            "systems": list(self.systems),
            "random": list(self.blind),
            "scores": {
                run: {str(one): defined(self.evaluation[run, one]) for one in self.measures}
                for run in self.runs
            },
        }


def scored_field(
    truth: Truth | Collection,
    runs: Run | Iterable[Run],
    measures: Iterable[str | Measure],
    *,
    percentages: Sequence[int] = RANDOM_PERCENTAGES,
    seed: int = 0,
    progress: Progress | None = None,
    **options: Any,
) -> Field:
    """Score systems and reference runs.

    percentages  of the random runs; with any of them also AllOnes
    options      of `evaluate`: ontology=, costs=, relatedness=, agreement=, missing=, extra=
    """
    plain = truth.truth if isinstance(truth, Collection) else truth
    given = as_runs(runs)
    names = {run.name for run in given}
    wanted = judging(measures)
    drawn = [] if plain.open else _references(plain, percentages, seed, names)
    evaluation = evaluate(
        truth,
        [*given, *drawn],
        wanted,
        progress=silent if progress is None else part_of(lambda _: progress()),
        **options,
    )
    everyone = [run.name for run in (*given, *drawn)]
    blind = tuple(name for name in everyone if is_blind(name))
    return Field(
        evaluation,
        tuple(filter(is_system, everyone)),
        blind,
        PERFECT if PERFECT in everyone else None,
    )


def systems_of(runs: Run | Iterable[Run]) -> list[Run]:
    """Runs that are neither random ones nor the perfect one."""
    return [run for run in as_runs(runs) if is_system(run.name)]


def count_of_runs(runs: Iterable[Run], percentages: Sequence[int]) -> int:
    """How many runs a field will have."""
    names = {run.name for run in runs}
    drawn = {*(f"Random{percent}" for percent in percentages), PERFECT}
    return len(names | drawn | ({ALL_ONES} if len(percentages) else set()))


def judging(measures: Iterable[str | Measure]) -> list[Measure]:
    """Measures by which one run can be better than another."""
    wanted = [measure(one) for one in measures]
    for one in wanted:
        if one.traits.better == "neither":
            raise MeasureError(f"by {one} no run is better than another; leave it out")
    if not wanted:
        raise InputError("there are no measures to study; name some, such as concept.AP")
    return wanted


def about_concepts(truth: Truth | Collection, **options: Any) -> Knowledge:
    """What is known about concepts: options of `evaluate`, over what a collection holds."""
    names = ("ontology", "costs", "relatedness", "agreement")
    knowledge = Knowledge.given(**{name: options.get(name) for name in names})
    return knowledge.over(truth.knowledge) if isinstance(truth, Collection) else knowledge


def usual_measures(
    names: Sequence[str],
    runs: Sequence[Run],
    knowledge: Knowledge,
    requested: Iterable[str | Measure] | None,
) -> list[Measure]:
    """The measures of a study: those that were requested, else these and those of meaning that can
    be had; without decisions of every run, only those of rankings."""
    if requested is not None:
        return judging(requested)
    usual = list(names)
    if knowledge.ontology:
        usual += ["HS", "OS"]
    if "example.RP" in names and knowledge.relatedness:
        usual.append("SRP")
    measures = judging(usual)
    if all(run.decides for run in runs):
        return measures
    return [one for one in measures if one.traits.prediction != "decisions"]


def remarks_on(runs: Sequence[Run], measures: Iterable[Measure]) -> list[str]:
    """What readers should know about runs: items left out, thresholds that decide nothing."""
    remarks = left_out_remarks(runs)
    if any(measure.traits.prediction == "decisions" for measure in measures):
        remarks += [
            f"run {run.name!r}: {run.one_sided}; give it another threshold"
            for run in runs
            if run.decides and run.one_sided is not None
        ]
    return remarks


def sign(one: Measure) -> float:
    """What turns scores into merits."""
    return -1.0 if one.traits.better == "lower" else 1.0


def known_for(truth: Truth, known: Knowledge) -> dict[str, Any]:
    """Knowledge as `evaluate` takes it; maps without ids get those of the truth, which concepts
    may leave."""

    def named(given: ConceptMap) -> ConceptMap:
        if given.axis.ids is not None or given.axis.size != truth.shape[1]:
            return given
        return type(given)(
            given.values, truth.concepts, name=given.name, provenance=given.provenance
        )

    about: dict[str, Any] = {"ontology": known.ontology}
    about["costs"] = known.costs and {name: named(one) for name, one in known.costs.items()}
    about["relatedness"] = known.relatedness and {
        name: named(one) for name, one in known.relatedness.items()
    }
    about["agreement"] = known.agreement and named(known.agreement)
    return about


def require_systems(systems: Sequence[str], least: int, of: str = "") -> None:
    """Refuse a study of too few runs; `of` says whose they are, if that is to be said."""
    if len(systems) < least:
        count = len(systems)
        whose = f"{of}: " if of else ""
        raise InputError(
            f"{whose}there {'is' if count == 1 else 'are'} {several(count, 'run')} of systems, and "
            f"this study needs at least {least}; random runs and the perfect one do not count"
        )


def require_guesses(field: Field) -> None:
    """Refuse a study that rests on random runs where there are none."""
    if not field.blind or field.perfect is None:
        raise InputError(
            "there are no random runs to hold systems against: an open truth, such as that of TREC "
            "files, does not list all of its items, and percentages= must name at least one"
        )


def _references(truth: Truth, percentages: Sequence[int], seed: int, names: set[str]) -> list[Run]:
    drawn = [
        random_run(truth, percent, seed=seed)
        for percent in percentages
        if f"Random{percent}" not in names
    ]
    if len(percentages) and ALL_ONES not in names:
        drawn.append(all_ones(truth))
    return drawn if PERFECT in names else [*drawn, perfect_run(truth)]
