"""Campaign: a field of systems such as a benchmark receives, from good to hopeless.

A few groups of different skill send several runs each. Runs differ in tuning, in how well their
confidences are calibrated and in how they decide; some send decisions only. Names are invented.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.core.run import Run
from cranfield.knowledge import Ontology
from cranfield.studies.draws import stream
from cranfield.studies.reference_runs import RANDOM_PERCENTAGES as RANDOM_PERCENTAGES
from cranfield.studies.simulation import (
    Design,
    Modality,
    System,
    World,
    random_run,
    simulate_run,
)
from cranfield.studies.vocabulary import PHOTO_ONTOLOGY, photo_concepts

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
    owners = sorted(place % len(groups) for place in range(count))
    repairing = stream(seed, "repairs").permutation(count) < round(_REPAIRING * count)
    systems = []
    for place, owner in enumerate(owners):
        systems.append(
            System(
                name=f"{groups[owner]}_{place - owners.index(owner) + 1}",
                group=groups[owner],
                quality=max(0.1, float(drawn[owner] + 0.15 * random.standard_normal())),
                spread=0.35,
                temperature=float(random.choice(_TEMPERATURES)),
                bias=float(random.choice(_BIASES)),
                threshold=_THRESHOLDS[random.integers(len(_THRESHOLDS))],
                answers="decisions" if random.random() < _DECISIONS_ONLY else "confidences",
                kinship=0.5,
                repairs=bool(repairing[place]),
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
    for place in range(count):
        again, tree = divmod(place, len(TREES))
        names.append(TREES[tree] + (str(again + 1) if again else ""))
    return names
