"""Sensitivity: what runs that know nothing can score, and what density does (Nowak 2011 §7.5).

A simulated collection of 53 photo concepts, of which an item has 17 % on average. Blind runs know
nothing of it: Random0 is uniform confidences, cut at 0.5; Random10 to Random90 assign that share of
all labels at random, AllOnes all and AllZeros none. Beside them stands a system of average
quality: its evidence tells positives from negatives with an AUC of .76, and it cuts at 0.5.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

import numpy as np

from cranfield.core.matrices import Bools, Floats, dense
from cranfield.core.run import Run
from cranfield.knowledge import Ontology
from cranfield.studies.audit.kinds import Counterexample, number
from cranfield.studies.audit.requirements import Bar, Group, without_order
from cranfield.studies.audit.subjects import Subject
from cranfield.studies.reference_runs import RANDOM_PERCENTAGES
from cranfield.studies.simulation import (
    Design,
    System,
    random_run,
    simulate_run,
    simulate_world,
)
from cranfield.studies.vocabulary import PHOTO_ONTOLOGY, photo_concepts

_ITEMS = 300
_AVERAGE = System("average", quality=1.0, spread=0.35)
_CLEARLY = 0.1
"""How much of the way from the best blind run to the perfect one an average system should go."""
_ALIKE = 0.1
"""Scores are alike that differ by less than this share of their distance from the perfect one."""
_DENSITIES = (0.05, 0.1, 0.2, 0.4)
_CUT = 1.0
"""Half of the positives are above it and 16 % of the negatives: were both rates of error equal,
accuracy would not show that it depends on density."""

Scores = Mapping[str, float]


class Outcome(NamedTuple):
    """What an experiment found."""

    counterexample: Counterexample | None
    scores: Scores


@dataclass(frozen=True)
class Experiment:
    """A requirement that is tried on a simulated collection."""

    name: str
    says: str
    source: str
    run: Callable[[Subject, int], Outcome]
    bar: Bar
    group: Group = "sensitivity"


class _Photos(NamedTuple):
    labels: Bools
    runs: tuple[Run, ...]


@cache
def _photos(seed: int) -> _Photos:
    """The collection, an average system, and all blind runs."""
    design = Design(photo_concepts(), items=_ITEMS, seed=seed, ontology=_photo_ontology())
    world = simulate_world(design)
    blind = [random_run(world, percent) for percent in RANDOM_PERCENTAGES]
    for name, holds in (("AllOnes", True), ("AllZeros", False)):
        labels = np.full(world.labels.shape, holds)
        blind.append(Run(labels=labels, name=name, items=world.items, concepts=world.concepts))
    return _Photos(world.labels, (simulate_run(world, _AVERAGE), *blind))


@cache
def _photo_ontology() -> Ontology:
    return Ontology.load(PHOTO_ONTOLOGY)


def _blind_runs(subject: Subject, seed: int) -> Outcome:
    scores = _scored(subject, seed)
    merits = {name: subject.sign * score for name, score in scores.items()}
    average, perfect = merits.pop("average"), merits.pop("perfect")
    defined = {name: merit for name, merit in merits.items() if not np.isnan(merit)}
    best = max(defined, key=lambda name: defined[name])
    if average > defined[best] + _CLEARLY * (perfect - defined[best]):
        return Outcome(None, scores)
    why = (
        f"{best} knows nothing and scores {number(scores[best])}, a system of average quality "
        f"{number(scores['average'])}, the perfect one {number(scores['perfect'])}"
    )
    return Outcome(Counterexample(why), scores)


def _run_density(subject: Subject, seed: int) -> Outcome:
    scored = _scored(subject, seed)
    return _alike(
        {f"Random{percent}": scored[f"Random{percent}"] for percent in RANDOM_PERCENTAGES[1:]},
        scored["perfect"],
    )


def _truth_density(subject: Subject, seed: int) -> Outcome:
    subject = _among_photos(subject)
    concepts = photo_concepts().names
    items = tuple(str(number) for number in range(_ITEMS))
    scores = {}
    for density in _DENSITIES:
        random = np.random.default_rng([seed, *b"density"])
        labels = random.random((_ITEMS, len(concepts))) < density
        evidence = random.standard_normal(labels.shape) + labels
        predicted: Bools | Floats = evidence > _CUT
        if subject.kind.name != "decisions":
            predicted = 1 / (1 + np.exp(_CUT - evidence))
        perfect = subject.kind.perfect(labels)
        value, best = subject.scores(labels, np.array([predicted, perfect]), items, concepts)
        scores[f"{density:.0%}"] = float(value)
    return _alike(scores, float(best))


def _alike(scores: Scores, perfect: float) -> Outcome:
    """Whether scores differ little, measured by how far they are from perfect at most."""
    low, high = (choose(scores, key=lambda name: scores[name]) for choose in (min, max))
    width = max(abs(perfect - scores[low]), abs(perfect - scores[high]))
    if scores[high] - scores[low] <= _ALIKE * width:
        return Outcome(None, scores)
    why = f"{low} scores {number(scores[low])}, {high} {number(scores[high])}"
    return Outcome(Counterexample(why), scores)


def _scored(subject: Subject, seed: int) -> dict[str, float]:
    """The scores of all runs by name, and of a perfect one."""
    photos, subject = _photos(seed), _among_photos(subject)
    predicted = [_answers(run, subject) for run in photos.runs]
    predicted.append(subject.kind.perfect(photos.labels))
    first = photos.runs[0]
    scores = subject.scores(photos.labels, np.array(predicted), first.items, first.concepts)
    names = (*(run.name for run in photos.runs), "perfect")
    return dict(zip(names, scores.tolist(), strict=True))


def _answers(run: Run, subject: Subject) -> Bools | Floats:
    """What a run says, in the form that a subject looks at."""
    if subject.kind.name != "decisions":
        return np.asarray(dense(run.ranking), dtype=np.float64)
    if run.labels is not None:
        return dense(run.labels)
    return np.asarray(dense(run.ranking) >= 0.5)


def _among_photos(subject: Subject) -> Subject:
    """The subject with what is known about photos."""
    return subject if subject.ontology is None else replace(subject, ontology=_photo_ontology())


def _several_labels(subject: Subject) -> str | None:
    if subject.kind.name == "classes":
        return "each item has one class"
    if subject.kind.name == "numbers":
        return "it looks at numbers, not labels"
    return without_order(subject)


EXPERIMENTS = (
    Experiment(
        "blind runs",
        "A system of average quality scores clearly above every run that knows nothing.",
        "Nowak 2011 §7.5",
        _blind_runs,
        _several_labels,
    ),
    Experiment(
        "run density",
        "Random runs score alike, however many labels they assign.",
        "Nowak 2011 §7.5",
        _run_density,
        _several_labels,
    ),
    Experiment(
        "truth density",
        "A system with the same rates of error scores alike, however many labels items have.",
        "Nowak 2011 §7.5",
        _truth_density,
        _several_labels,
    ),
)
