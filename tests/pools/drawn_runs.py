"""Small retrieval worlds drawn by chance, for tests of pools."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import cranfield as cf
from cranfield.core.matrices import Cells

Lists = dict[str, list[str]]


class World:
    """Relevant documents, and runs that find them more or less well."""

    def __init__(
        self,
        seed: int = 0,
        *,
        documents: int = 300,
        topics: int = 5,
        runs: int = 6,
        length: int = 60,
        density: float = 0.06,
    ) -> None:
        rng = np.random.default_rng(seed)
        self.documents = [f"d{place}" for place in range(documents)]
        self.topics = [f"t{place}" for place in range(topics)]
        self.relevant: NDArray[np.bool_] = rng.random((documents, topics)) < density
        self.relevant[0] = True
        self.runs = [
            self._run(rng, f"run{place}", 0.6 * place, length, f"group{place // 2}")
            for place in range(runs)
        ]

    @property
    def truth(self) -> cf.Truth:
        return cf.Truth(self.relevant, items=self.documents, concepts=self.topics)

    def grade(self, topic: str, document: str) -> int:
        return int(self.relevant[int(document[1:]), int(topic[1:])])

    def judged(self, pool: cf.Pool) -> cf.Truth:
        """The truth of a pool that was judged wholly."""
        return pool.truth({pair: self.grade(*pair) for pair in pool.pairs})

    def _run(
        self, rng: np.random.Generator, name: str, skill: float, length: int, group: str
    ) -> cf.Run:
        shape = self.relevant.shape
        scores = np.round(self.relevant * skill + rng.normal(size=shape), 1)
        rows, columns = np.nonzero(np.argsort(np.argsort(-scores, axis=0), axis=0) < length)
        return cf.Run(
            Cells.of(shape, rows, columns, scores[rows, columns]),
            name=name,
            items=self.documents,
            concepts=self.topics,
            group=group,
        )


def lists_of(run: cf.Run) -> dict[str, dict[str, float]]:
    """What a run retrieved, as pytrec_eval takes it."""
    found: dict[str, dict[str, float]] = {}
    cells: Any = run.ranking
    for row, column, score in zip(cells.rows, cells.columns, cells.values, strict=True):
        found.setdefault(run.concepts[column], {})[run.items[row]] = float(score)
    return found


def ordered(run: cf.Run) -> Lists:
    """The documents of each topic in trec_eval's order."""
    return {
        topic: sorted(scores, key=lambda d: (np.float32(scores[d]), d), reverse=True)
        for topic, scores in lists_of(run).items()
    }


def write_world(world: World, folder: Path) -> None:
    """TREC files: runs/NAME.run, full.qrels, and groups.csv."""
    (folder / "runs").mkdir(parents=True)
    for run in world.runs:
        lines = [
            f"{topic} Q0 {document} {rank} {scores[document]} {run.name}\n"
            for topic, scores in lists_of(run).items()
            for rank, document in enumerate(ordered(run)[topic], start=1)
        ]
        (folder / "runs" / f"{run.name}.run").write_text("".join(lines))
    judged = [
        f"{topic} 0 {document} {world.grade(topic, document)}\n"
        for topic in world.topics
        for document in world.documents
    ]
    (folder / "full.qrels").write_text("".join(judged))
    groups = "".join(f"{run.name},{run.group}\n" for run in world.runs)
    (folder / "groups.csv").write_text("run,group\n" + groups)


def fill_in(pool: Path, judge: Callable[[str, str, str], object]) -> int:
    """Write a judgement of (assessor, topic, document) into every empty line of every sheet."""
    filled = 0
    for path in sorted(pool.glob("sheets/*/*.csv")):
        with path.open(newline="") as file:
            rows = list(csv.DictReader(file))
            columns = list(rows[0])
        for row in rows:
            if not row["judgement"]:
                row["judgement"] = str(judge(path.parent.name, row["topic"], row["document"]))
                filled += 1
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, columns)
            writer.writeheader()
            writer.writerows(rows)
    return filled
