"""Campaign: a field of systems such as a benchmark receives, from good to hopeless.

A few groups of different skill send several runs each. Runs differ in tuning, in how well their
confidences are calibrated and in how they decide; some send decisions only. Names are invented.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from cranfield.run import Run
from cranfield.studies.draws import stream
from cranfield.studies.reference_runs import RANDOM_PERCENTAGES as RANDOM_PERCENTAGES
from cranfield.studies.simulation import Design, System, World, random_run, simulate_run
from cranfield.studies.vocabulary import photo_concepts

# fmt: off
TREES = (
    "Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo", "Hazel", "Ironwood", "Juniper",
    "Katsura", "Larch", "Maple", "Nutmeg", "Oak", "Pine", "Quince", "Rowan", "Spruce", "Teak",
)
# fmt: on
"""Names of groups."""

_RUNS_PER_GROUP = 2.5
_SKILLS = (0.3, 2.0)
_TEMPERATURES = (0.6, 1.0, 1.0, 2.0)
_BIASES = (-3.0, -1.0, 0.0, 0.0, 1.0)
_DECISIONS_ONLY = 0.15
_THRESHOLDS: tuple[float | Literal["frequency"] | None, ...] = (None, None, 0.3, "frequency")


@dataclass(frozen=True)
class Campaign:
    """A collection to be drawn, and everyone who takes part."""

    design: Design
    systems: tuple[System, ...]
    random: tuple[int, ...] = RANDOM_PERCENTAGES

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
    drawn = random.uniform(*skills, size=len(groups))
    owners = sorted(place % len(groups) for place in range(count))
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
            )
        )
    return tuple(systems)


def photo_campaign(*, items: int = 3000, seed: int = 2009) -> Campaign:
    """53 photo concepts, 25 runs of 10 groups, Random0 and Random10 … Random90."""
    return Campaign(
        design=Design(photo_concepts(), items=items, seed=seed),
        systems=draw_systems(25, seed=seed),
    )


def _group_names(count: int) -> list[str]:
    names = []
    for place in range(count):
        again, tree = divmod(place, len(TREES))
        names.append(TREES[tree] + (str(again + 1) if again else ""))
    return names
