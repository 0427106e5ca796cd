"""hP, hR and hF against HiClass, where it is installed: trees, several paths for each item."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield as cf
from cranfield.knowledge import Ontology
from problems import EXACT

metrics = pytest.importorskip("hiclass.metrics")

LEVELS = 3
PARENTS = {"1": (), "2": ()} | {
    f"{above}.{n}": (above,) for above in ("1", "2", "1.1", "1.2", "2.1", "2.2") for n in (1, 2)
}
LEAVES = [node for node in PARENTS if node.count(".") == LEVELS - 1]


def line(leaf: str) -> list[str]:
    """HiClass wants labels level by level."""
    steps = leaf.split(".")
    return [".".join(steps[: level + 1]) for level in range(LEVELS)]


def as_paths(sets: list[list[str]]) -> np.ndarray:
    """(items, paths, levels), each item filled up by repeating its first path."""
    return np.array([[line(leaf) for leaf in (labels * 3)[:3]] for labels in sets])


@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("seed", range(5))
def test_hierarchical_precision_recall_and_f_of_hiclass(seed: int, average: str) -> None:
    rng = np.random.default_rng(seed)
    true, said = (
        [list(rng.choice(LEAVES, rng.choice([1, 3]), replace=False)) for _ in range(30)]
        for _ in range(2)
    )
    wanted = {
        name: getattr(metrics, function)(as_paths(true), as_paths(said), average=average)
        for name, function in (("hP", "precision"), ("hR", "recall"), ("hF", "f1"))
    }
    concepts = list(PARENTS)
    found = {
        name: cf.score(
            [[concept in labels for concept in concepts] for labels in true],
            np.array([[concept in labels for concept in concepts] for labels in said]),
            f"example.{name}(average={'micro' if average == 'micro' else 'example'})",
            ontology=Ontology(PARENTS),
        )
        for name in wanted
    }
    assert found == pytest.approx(wanted, abs=EXACT)
