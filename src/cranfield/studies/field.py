"""Field: all runs of a study by all its measures: systems, runs that know nothing, the perfect one.

Scores become merits, of which the higher is always the better: a measure by which less is better is
turned round. Runs that carry the name of a reference run (Random50, AllOnes, perfect) are taken for
it, so that those which `cranfield simulate` writes are not drawn again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.collections.extra_items import covering, left_out_remarks
from cranfield.collections.readings import as_runs
from cranfield.core.axes import Extra
from cranfield.core.matrices import Floats
from cranfield.core.options import Option
from cranfield.core.options import Seed as Seed
from cranfield.core.progress import Progress, silent
from cranfield.core.reference_names import (
    ALL_ONES,
    PERFECT,
    is_blind,
    is_system,
    references_remark,
)
from cranfield.core.run import Run
from cranfield.core.terms import CONCEPTS, Terms
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.engine.evaluation import Evaluation
from cranfield.errors import InputError, MeasureError, first_ten, several
from cranfield.knowledge import Knowledge
from cranfield.knowledge.maps import ConceptMap
from cranfield.measures import Measure, measure
from cranfield.measures.reported import measure_among, reported_measures
from cranfield.studies.reference_runs import (
    RANDOM_PERCENTAGES,
    all_ones,
    perfect_run,
    random_run,
)

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


def measures_option(default: str, what: str = "Measure") -> Option:
    """The option for measures of a study.

    default  in words, since it depends on what is known about concepts
    """
    return Option(
        name="measure",
        short="-m",
        metavar="NAME",
        suggest="measures",
        default=default,
        help=f"{what}; may be repeated",
    )


Spellings = Iterable[str | Measure] | None
"""Measures by name; None for the usual ones."""
Measures = Annotated[
    Spellings,
    measures_option(f"{len(RANKINGS)} of rankings, {len(DECISIONS)} of decisions, OS, SRP …"),
]
DecisionMeasures = Annotated[
    Spellings, measures_option(", ".join((*DECISIONS, "HS and OS")), "Measure of decisions")
]


@dataclass(frozen=True, eq=False)
class Field:
    """Scored runs, sorted by what they are."""

    evaluation: Evaluation
    systems: tuple[str, ...]
    blind: tuple[str, ...] = ()
    """Runs that know nothing."""
    perfect: str | None = None
    warnings: tuple[str, ...] = ()
    """What readers should know about the runs."""

    @property
    def measures(self) -> tuple[Measure, ...]:
        return self.evaluation.measures

    @property
    def terms(self) -> Terms:
        return self.evaluation.terms

    @property
    def runs(self) -> tuple[str, ...]:
        return (*self.systems, *self.blind, *((self.perfect,) if self.perfect else ()))

    def kind(self, run: str) -> str:
        """system, random or perfect."""
        return "perfect" if run == self.perfect else "random" if run in self.blind else "system"

    def scores(self, runs: Sequence[str]) -> Floats:
        """(measures, runs) as they are."""
        values = [[self.evaluation[run, measure] for run in runs] for measure in self.measures]
        return np.array(values, dtype=np.float64).reshape(len(self.measures), len(runs))

    def merits(self, runs: Sequence[str]) -> Floats:
        """(measures, runs): the higher, the better."""
        signs = np.array([[sign(measure)] for measure in self.measures])
        return np.asarray(self.scores(runs) * signs)

    def to_dict(self) -> dict[str, Any]:
        """Which runs are what, and the scores of all of them."""
        return {
            "systems": list(self.systems),
            "random": list(self.blind),
            "scores": {
                run: {str(measure): self.evaluation[run, measure] for measure in self.measures}
                for run in self.runs
            },
        }


def scored_field(
    truth: Truth | Collection,
    runs: Run | Iterable[Run],
    measures: Spellings,
    *,
    usual: Sequence[str] = (),
    percentages: Sequence[int] = RANDOM_PERCENTAGES,
    seed: int = 0,
    progress: Progress = silent,
    **options: Any,
) -> Field:
    """Score systems and reference runs.

    measures     those requested; None for the usual ones
    usual        as `usual_measures` takes them
    percentages  of the random runs; with any of them also AllOnes
    options      of `evaluate`: ontology=, costs=, relatedness=, agreement=, missing=, extra=
    """
    plain = truth.truth if isinstance(truth, Collection) else truth
    everything = as_runs(runs)
    names = {run.name for run in everything}
    chosen = usual_measures(usual, everything, about_concepts(truth, **options), measures)
    drawn = [] if plain.open else _references(plain, percentages, seed, names)
    evaluation = evaluate(truth, [*everything, *drawn], chosen, progress=progress, **options)
    scored = {score.run.name: score.run for score in evaluation}
    everyone = [run.name for run in (*everything, *drawn)]
    return Field(
        evaluation,
        tuple(filter(is_system, everyone)),
        tuple(filter(is_blind, everyone)),
        PERFECT if PERFECT in everyone else None,
        tuple(remarks_on(list(scored.values()), evaluation.measures, measures, terms=plain.terms)),
    )


class Studied(NamedTuple):
    """What a study of systems rests on."""

    truth: Truth
    runs: list[Run]
    """Those of systems, on the items of the truth."""
    measures: list[Measure]
    warnings: tuple[str, ...]
    """What readers should know about the runs."""


def studied(
    truth: Truth | Collection,
    runs: Run | Iterable[Run],
    measures: Spellings,
    *,
    usual: Sequence[str],
    least: int = 2,
    extra: Extra = "error",
    **options: Any,
) -> Studied:
    """Systems and measures of a study, without reference runs.

    measures  those requested; None for the usual ones
    usual     as `usual_measures` takes them
    least     how many systems it takes
    options   what is known about concepts, as `evaluate` takes it
    """
    everything = as_runs(runs)
    systems = covering(truth, systems_of(everything), extra)
    require_systems([run.name for run in systems], least)
    chosen = usual_measures(usual, systems, about_concepts(truth, **options), measures)
    plain = truth.truth if isinstance(truth, Collection) else truth
    doubts = remarks_on(systems, chosen, measures, terms=plain.terms)
    warnings = (*reference_remarks(everything), *doubts)
    return Studied(plain, systems, chosen, warnings)


def systems_of(runs: Run | Iterable[Run]) -> list[Run]:
    """Runs that are neither random ones nor the perfect one."""
    return [run for run in as_runs(runs) if is_system(run.name)]


def judging(spellings: Iterable[str | Measure]) -> list[Measure]:
    """Measures by which one run can be better than another."""
    measures = [measure(spelling) for spelling in spellings]
    for candidate in measures:
        if candidate.traits.better == "neither":
            raise MeasureError(f"by {candidate} no run is better than another; leave it out")
    if not measures:
        raise InputError("there are no measures to study; name some, such as concept.AP")
    return measures


def about_concepts(truth: Truth | Collection, **options: Any) -> Knowledge:
    """What is known about concepts: options of `evaluate`, over what a collection holds."""
    names = ("ontology", "costs", "relatedness", "agreement")
    knowledge = Knowledge.given(**{name: options.get(name) for name in names})
    return knowledge.over(truth.knowledge) if isinstance(truth, Collection) else knowledge


def usual_measures(
    names: Sequence[str],
    runs: Sequence[Run],
    knowledge: Knowledge,
    requested: Spellings,
) -> list[Measure]:
    """The measures of a study: those that were requested, else these and those of meaning that can
    be had; without decisions of every run, only those of rankings. Of scores from elsewhere: the
    measures that they have."""
    reported = reported_measures(list(runs))
    if reported:
        requested = reported if requested is None else requested
        return judging([measure_among(spelling, reported) for spelling in requested])
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
    return [candidate for candidate in measures if candidate.traits.prediction != "decisions"]


def remarks_on(
    runs: Sequence[Run],
    measures: Iterable[Measure],
    requested: Spellings = None,
    *,
    terms: Terms = CONCEPTS,
) -> list[str]:
    """What readers should know about runs: items left out, thresholds that decide nothing,
    measures of decisions that they lack."""
    remarks = left_out_remarks(runs, terms)
    undecided = [run.name for run in runs if run.concepts and not run.decides]
    if undecided and requested is None:
        remarks.append(
            f"measures of decisions are left out: {first_ten(undecided)} "
            f"{'has' if len(undecided) == 1 else 'have'} neither decisions nor a threshold, and "
            "confidences outside [0, 1]"
        )
    if any(candidate.traits.prediction == "decisions" for candidate in measures):
        remarks += [
            f"run {run.name!r}: {run.one_sided}; give it another threshold"
            for run in runs
            if run.decides and run.one_sided is not None
        ]
    return remarks


def reference_remarks(runs: Iterable[Run]) -> list[str]:
    """Which runs a study leaves out, since their names are those of reference runs."""
    names = [run.name for run in runs if not is_system(run.name)]
    return [references_remark(names)] if names else []


def sign(measure: Measure) -> float:
    """What turns scores into merits."""
    return -1.0 if measure.traits.better == "lower" else 1.0


def knowledge_options(truth: Truth, knowledge: Knowledge) -> dict[str, Any]:
    """Knowledge as `evaluate` takes it; maps without ids get those of the truth, which concepts
    may leave."""

    def named(values: ConceptMap) -> ConceptMap:
        if values.axis.ids is not None or values.axis.size != truth.shape[1]:
            return values
        return type(values)(
            values.values, truth.concepts, name=values.name, provenance=values.provenance
        )

    def all_named(maps: Any) -> Any:
        return maps and {name: named(values) for name, values in maps.items()}

    return {
        "ontology": knowledge.ontology,
        "costs": all_named(knowledge.costs),
        "relatedness": all_named(knowledge.relatedness),
        "agreement": knowledge.agreement and named(knowledge.agreement),
    }


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
            "there are no random runs to hold systems against",
            mend="take a truth that lists all of its items and concepts, unlike that of TREC files "
            "and of scores from elsewhere, and give {percentages} at least one percentage",
        )


def _references(truth: Truth, percentages: Sequence[int], seed: int, names: set[str]) -> list[Run]:
    if not truth.shape[1]:  # scores from elsewhere: there are no labels to guess
        return []
    drawn = [
        random_run(truth, percent, seed=seed)
        for percent in percentages
        if f"Random{percent}" not in names
    ]
    if len(percentages) and ALL_ONES not in names:
        drawn.append(all_ones(truth))
    return drawn if PERFECT in names else [*drawn, perfect_run(truth)]
