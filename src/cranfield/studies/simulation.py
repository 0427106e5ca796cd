"""Simulation: a seeded truth, and runs of systems whose quality is known by construction.

Truth. Every free concept and every exclusive group of an item has a latent normal value, made of
a few common factors and its own noise (a Gaussian copula). A concept holds where its value
exceeds the quantile of its frequency; a group's value picks its one member. Frequencies are
therefore exact in expectation, whatever the dependence. Given an ontology, what holds obeys its
rules, at frequencies that a pilot sample keeps (`vocabulary`).

Systems. A system sees evidence x ~ N(d′, 1) where a concept holds and N(0, 1) where it does not,
so its AUC is Φ(d′/√2). The exact posterior of the concept given x has the logit
logit(frequency) + d′x − d′²/2; a calibrated system reports it, others distort it. Decisions are
confidences cut at a threshold; a system that repairs them takes the most probable label sets that
obey the ontology, its thresholds being even odds.

Each truth, system and random run draws from a stream of its own, named after it: adding a system
changes no other. Rows are drawn in chunks, so memory stays close to the size of the result.

Campaign. A field of systems such as a benchmark receives, from good to hopeless: a few groups of
different skill send several runs each. Runs differ in tuning, in how well their confidences are
calibrated and in how they decide; some send decisions only. Names are invented.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cranfield.core.matrices import Bools, Floats
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import InputError
from cranfield.knowledge import Ontology
from cranfield.knowledge.label_table import logit
from cranfield.knowledge.repair import nearest_labels
from cranfield.knowledge.rules import Constraints
from cranfield.studies import reference_runs
from cranfield.studies.reference_runs import RANDOM_PERCENTAGES, chunks, scattered, stream
from cranfield.studies.vocabulary import (
    PHOTO_ONTOLOGY,
    Float32,
    Labelling,
    Vocabulary,
    photo_concepts,
)

Modality = Literal["V", "T", "M"]
"""What a system looks at: the picture, the text around it, or both (ImageCLEF's letters)."""

_PILOT_CELLS, _PILOT_ITEMS = 1 << 22, 1 << 12
"""Size of the sample that tells how frequencies fare under rules, and its least number of items."""


@dataclass(frozen=True)
class Design:
    """A collection to be drawn."""

    vocabulary: Vocabulary
    items: int
    dependence: float = 0.4
    """Share of each latent value's variance that the common factors explain, in [0, 1)."""
    factors: int = 4
    unjudged: float = 0.0
    """Share of cells that nobody judged."""
    seed: int = 0
    ontology: Ontology | None = None
    """Rules that what holds obeys; None = concepts hold whatever other concepts do."""

    def __post_init__(self) -> None:
        if self.items < 1 or self.factors < 1 or self.seed < 0:
            raise InputError(
                f"items={self.items}, factors={self.factors}, seed={self.seed}: there must be at "
                "least one item and one factor, and seeds start at 0"
            )
        _require_share("dependence", self.dependence)
        _require_share("unjudged", self.unjudged)

    @property
    def shape(self) -> tuple[int, int]:
        return self.items, len(self.vocabulary)

    @property
    def constraints(self) -> Constraints | None:
        """The rules, by column of the labels."""
        if self.ontology is None:
            return None
        return self.ontology.constraints(self.vocabulary.names)

    def stream(self, *name: str) -> np.random.Generator:
        return stream(self.seed, *name)


@dataclass(frozen=True)
class System:
    """How one system answers."""

    name: str
    quality: float = 1.0
    """d′: distance between the evidence of positives and of negatives; 0 = chance."""
    spread: float = 0.0
    """Standard deviation of d′ over concepts; half its variance is their difficulty to everyone."""
    temperature: float = 1.0
    """Divides the logit of the posterior: above 1 timid, below 1 overconfident."""
    bias: float = 0.0
    """Added to the logit: above 0 the system believes everything a bit too often."""
    threshold: float | tuple[float, ...] | Literal["frequency"] | None = None
    """Where decisions are cut: one number, one for each concept, or so that each concept is
    assigned as often as it holds; None = the run has confidences only."""
    answers: Literal["confidences", "decisions"] = "confidences"
    """decisions = the run has nothing else; cut at 0.5 unless a threshold is given."""
    group: str | None = None
    kinship: float = 0.0
    """Share of the noise that the runs of one group have in common."""
    repairs: bool = False
    """Whether its decisions are made to obey the ontology of the design, if that has one."""
    modality: Modality | None = None

    def __post_init__(self) -> None:
        if self.quality < 0 or self.spread < 0 or self.temperature <= 0:
            raise InputError(
                f"system {self.name!r}: quality and spread must not be negative, and temperature "
                "must be above 0"
            )
        _require_share("kinship", self.kinship)


@dataclass(frozen=True)
class World:
    """A drawn collection: what holds, and the part of it that judges saw."""

    design: Design
    labels: Bools
    """What holds, also where nobody judged."""
    truth: Truth

    @property
    def items(self) -> tuple[str, ...]:
        return self.truth.items

    @property
    def concepts(self) -> tuple[str, ...]:
        return self.design.vocabulary.names


def simulate_world(design: Design) -> World:
    """Draw what holds and what is judged."""
    labels = _draw_labels(design)
    judged = None
    if design.unjudged > 0:
        judged = ~scattered(design.stream("unjudged"), design.shape, design.unjudged)
    digits = len(str(design.items))
    truth = Truth(
        labels if judged is None else labels & judged,
        judged=judged,
        items=[f"item{number:0{digits}}" for number in range(1, design.items + 1)],
        concepts=design.vocabulary.names,
        copy=None,
    )
    return World(design, labels, truth)


def simulate_run(world: World, system: System) -> Run:
    """What a system says of a world."""
    scores = _draw_confidences(world, system)
    rules = world.design.constraints if system.repairs else None
    cut: Any = system.threshold
    if cut is None and (system.answers == "decisions" or rules is not None):
        cut = 0.5
    labels = None
    if cut is not None:
        cut = _cut(scores, cut, world)
        labels = scores >= cut
    if rules is not None and labels is not None:
        labels = nearest_labels(rules, labels, logit(scores) - logit(cut))
    return Run(
        None if system.answers == "decisions" else scores,
        labels=labels,
        name=system.name,
        group=system.group,
        tags=None if system.modality is None else {"modality": system.modality},
        items=world.items,
        concepts=world.concepts,
        copy=None,
    )


def random_run(world: World, percent: int) -> Run:
    """A run that knows nothing of a world."""
    return reference_runs.random_run(world.truth, percent, seed=world.design.seed)


def _draw_labels(design: Design) -> Bools:
    random = design.stream("truth")
    loadings = _loadings(random, design)
    labelling = _labelling(design, loadings)
    labels = np.empty(design.shape, dtype=np.bool_)
    for rows in chunks(design.shape):
        labels[rows] = labelling(_latent_values(random, rows.stop - rows.start, design, loadings))
    return labels


def _labelling(design: Design, loadings: Float32) -> Labelling:
    if design.constraints is None:
        return Labelling(design.vocabulary)
    sample = max(_PILOT_ITEMS, _PILOT_CELLS // len(design.vocabulary))
    pilot = _latent_values(design.stream("pilot"), sample, design, loadings)
    return Labelling(design.vocabulary, design.constraints, pilot)


def _latent_values(
    random: np.random.Generator, items: int, design: Design, loadings: Float32
) -> Float32:
    """Values of all free concepts, then of all groups: common factors and noise of their own."""
    values = random.standard_normal((items, loadings.shape[1]), dtype=np.float32)
    values *= np.float32(np.sqrt(1 - design.dependence))
    values += random.standard_normal((items, design.factors), dtype=np.float32) @ loadings
    return values


def _loadings(random: np.random.Generator, design: Design) -> Float32:
    """Weights of the common factors in each latent value: random directions of equal length."""
    values = len(design.vocabulary.free) + len(design.vocabulary.members())
    directions = random.standard_normal((design.factors, values))
    directions /= np.linalg.norm(directions, axis=0)
    return np.asarray(directions * np.sqrt(design.dependence), dtype=np.float32)


def _draw_confidences(world: World, system: System) -> Float32:
    design = world.design
    random = design.stream("system", system.name)
    kin = design.stream("group", system.group or system.name)
    distance = _distances(design, system, random)
    prior = np.asarray(design.vocabulary.frequencies)
    start = (np.log(prior / (1 - prior)) - distance**2 / 2).astype(np.float32)
    steep = distance.astype(np.float32)
    scores = np.empty(design.shape, dtype=np.float32)
    for rows in chunks(design.shape):
        logit = scores[rows]
        random.standard_normal(dtype=np.float32, out=logit)
        if system.kinship:
            logit *= np.float32(np.sqrt(1 - system.kinship))
            shared = kin.standard_normal(logit.shape, dtype=np.float32)
            logit += np.float32(np.sqrt(system.kinship)) * shared
        logit += steep * world.labels[rows]
        logit *= steep
        logit += start
        logit /= np.float32(system.temperature)
        logit += np.float32(system.bias)
        _squash(logit)
    return scores


def _distances(design: Design, system: System, random: np.random.Generator) -> NDArray[np.float64]:
    """d′ of a system by concept: never below 0."""
    concepts = len(design.vocabulary)
    shared = design.stream("difficulty").standard_normal(concepts)
    deviation = (shared + random.standard_normal(concepts)) / np.sqrt(2)
    return np.asarray(np.maximum(system.quality + system.spread * deviation, 0))


def _squash(logit: Float32) -> None:
    """The logistic function, in place; exp never overflows since large logits are all 1."""
    np.clip(logit, -80, 80, out=logit)
    np.negative(logit, out=logit)
    np.exp(logit, out=logit)
    logit += 1
    np.reciprocal(logit, out=logit)


def _cut(scores: Float32, threshold: Any, world: World) -> Any:
    if threshold != "frequency":
        return np.asarray(threshold, dtype=np.float32)
    items = len(scores)
    cuts = []
    for column, frequency in zip(scores.T, world.design.vocabulary.frequencies, strict=True):
        assigned = min(max(round(frequency * items), 1), items)
        cuts.append(np.partition(column, items - assigned)[items - assigned])
    return np.array(cuts, dtype=np.float32)


def _require_share(name: str, share: float) -> None:
    if not 0 <= share < 1:
        raise InputError(f"{name}={share:g}; give a share from 0 to below 1")


# ── campaigns ────────────────────────────────────────────────────────────────────────────────────


# fmt: off
TREES = (
    "Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo", "Hazel", "Ironwood", "Juniper",
    "Katsura", "Larch", "Maple", "Nutmeg", "Oak", "Pine", "Quince", "Rowan", "Spruce", "Teak",
)
# fmt: on
"""Names of groups."""

_RUNS_PER_GROUP = 2.5
_SKILLS = (0.1, 1.2)
"""d′ of the weakest and the best group. On photos, the mean of 11-point AP is then about .31 and
that of concept-based F about .20, as at ImageCLEF 2009."""
_TEMPERATURES = (0.6, 1.0, 1.0, 2.0)
_BIASES = (-3.0, -1.0, 0.0, 0.0, 1.0)
_DECISIONS_ONLY = 0.15
_REPAIRING = 0.5
"""Share of runs whose decisions obey the ontology, as several did in 2009."""
_MODALITIES: tuple[tuple[float, Modality], ...] = ((0.2, "T"), (0.7, "V"), (1.0, "M"))
"""Up to which share of runs, from the weakest: the best look at pictures and texts."""
_THRESHOLDS: tuple[float | Literal["frequency"] | None, ...] = (None, None, 0.3, "frequency")


@dataclass(frozen=True)
class Campaign:
    """A collection to be drawn, and everyone who takes part."""

    design: Design
    systems: tuple[System, ...]
    random: tuple[int, ...] = RANDOM_PERCENTAGES
    """Percentages of the random runs."""

    def __len__(self) -> int:
        return len(self.systems) + len(self.random)

    def runs(self, world: World) -> Iterator[Run]:
        """Every run, drawn when its turn comes."""
        for system in self.systems:
            yield simulate_run(world, system)
        for percent in self.random:
            yield random_run(world, percent)


def draw_systems(
    count: int, *, seed: int, skills: tuple[float, float] = _SKILLS
) -> tuple[System, ...]:
    """Systems of groups that send two or three runs each, from little skill to much."""
    random = stream(seed, "systems")
    groups = _group_names(max(1, round(count / _RUNS_PER_GROUP)))
    drawn = _spread(random, skills, len(groups))
    owners = sorted(index % len(groups) for index in range(count))
    repairing = stream(seed, "repairs").permutation(count) < round(_REPAIRING * count)
    systems = []
    for index, owner in enumerate(owners):
        systems.append(
            System(
                name=f"{groups[owner]}_{index - owners.index(owner) + 1}",
                group=groups[owner],
                quality=max(0.1, float(drawn[owner] + 0.15 * random.standard_normal())),
                spread=0.35,
                temperature=float(random.choice(_TEMPERATURES)),
                bias=float(random.choice(_BIASES)),
                threshold=_THRESHOLDS[random.integers(len(_THRESHOLDS))],
                answers="decisions" if random.random() < _DECISIONS_ONLY else "confidences",
                kinship=0.5,
                repairs=bool(repairing[index]),
            )
        )
    return tuple(
        replace(system, modality=modality)
        for system, modality in zip(systems, _modalities(systems, seed), strict=True)
    )


def photo_campaign(*, items: int = 3000, seed: int = 2009) -> Campaign:
    """53 photo concepts, which obey their ontology, 25 runs of 10 groups, Random0 and Random10 …
    Random90."""
    return Campaign(
        design=Design(
            photo_concepts(), items=items, seed=seed, ontology=Ontology.load(PHOTO_ONTOLOGY)
        ),
        systems=draw_systems(25, seed=seed),
    )


def _spread(random: np.random.Generator, ends: tuple[float, float], count: int) -> Floats:
    """Numbers over the whole range, one in each of its equal parts: few groups are no less varied
    than many."""
    low, high = ends
    return low + (high - low) * (random.permutation(count) + random.random(count)) / count


def _modalities(systems: list[System], seed: int) -> list[Modality]:
    """Noisy ranks by quality, cut into shares: what a run looks at goes with how good it is."""
    noise = stream(seed, "modalities").standard_normal(len(systems))
    order = np.argsort([system.quality for system in systems] + 0.3 * noise)
    ranks = (np.argsort(order) + 1) / max(len(systems), 1)
    return [next(name for share, name in _MODALITIES if rank <= share) for rank in ranks]


def _group_names(count: int) -> list[str]:
    names = []
    for index in range(count):
        again, tree = divmod(index, len(TREES))
        names.append(TREES[tree] + (str(again + 1) if again else ""))
    return names
