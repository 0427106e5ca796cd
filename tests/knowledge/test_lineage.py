"""Label sets widened along a hierarchy, and how near concepts are in one."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield as cf
from cranfield.knowledge import Hierarchy, Ontology
from cranfield.knowledge.lineage import Lineage, balanced_distances

PARENTS = {
    "all": (),
    "animal": ("all",),
    "Kept": ("all",),
    "dog": ("animal", "Kept"),
    "cat": ("animal", "Kept"),
    "fox": ("animal",),
    "Small": ("dog",),
    "terrier": ("Small",),
}
COLUMNS = ("terrier", "dog", "animal", "cat", "fox", "all")
LINEAGE = Lineage(Hierarchy(PARENTS), COLUMNS)


def widened(way: str, *names: str) -> set[str]:
    marks = np.array([[name in names for name in COLUMNS]])
    return {COLUMNS[j] for j in np.flatnonzero(getattr(LINEAGE, way)(marks)[0])}


def test_ancestors_step_over_categories_and_end_below_the_root() -> None:
    assert widened("with_ancestors", "terrier") == {"terrier", "dog", "animal"}
    assert widened("with_ancestors", "all") == {"all"}
    assert widened("with_ancestors") == set()


def test_descendants_of_the_root_are_not_taken_for_its_sake() -> None:
    assert widened("with_descendants", "dog") == {"dog", "terrier"}
    assert widened("with_descendants", "animal") == {"animal", "dog", "terrier", "cat", "fox"}
    assert widened("with_descendants", "all") == {"all"}


def test_below_are_the_descendants_alone_and_those_of_the_root_too() -> None:
    assert widened("below", "dog") == {"terrier"}
    assert widened("below", "dog", "terrier") == {"terrier"}
    assert widened("below", "all") == set(COLUMNS) - {"all"}


def test_siblings_share_a_parent_that_is_not_the_root() -> None:
    assert widened("with_siblings", "fox") == {"fox", "dog", "cat"}
    assert widened("with_siblings", "terrier") == {"terrier"}
    assert widened("with_siblings", "animal") == {"animal"}


def test_depths_and_distances_count_categories() -> None:
    assert LINEAGE.depths.tolist() == [4, 2, 1, 2, 2, 0]
    assert LINEAGE.distances[0].tolist() == [0, 2, 3, 4, 4, 4]


def test_a_root_that_is_implied_counts_as_one_that_is_written_down() -> None:
    forest = {node: tuple(p for p in up if p != "all") for node, up in PARENTS.items()}
    del forest["all"]
    columns = COLUMNS[:-1]
    written, implied = (
        balanced_distances(Hierarchy(parents), columns) for parents in (PARENTS, forest)
    )
    assert np.array_equal(written, implied)


def test_balanced_distance_of_a_small_tree_by_hand() -> None:
    tree = {"root": (), "a": ("root",), "b": ("root",), "x": ("a",), "y": ("a",)}
    near = balanced_distances(Hierarchy(tree), ("x", "y", "a", "b", "root"))
    # Chains: root-a-x, root-a-y (2 links each) and root-b (1); mean branching 2, that of a is 2.
    common = 1 * 1 / 2
    assert near[0, 1] == pytest.approx(common / (common + 1 / 2 + 1 / 2))
    assert near[0, 2] == pytest.approx(common / (common + 1 / 2))
    assert near[0, 3] == near[0, 4] == 0
    assert near.diagonal().tolist() == [1] * 5


def test_a_ladder_of_diamonds_is_not_walked_way_by_way() -> None:
    parents: dict[str, tuple[str, ...]] = {"top": ()}
    rung = ("top",)
    for level in range(100):
        parents |= {f"left{level}": rung, f"right{level}": rung}
        rung = (f"left{level}", f"right{level}")
    onto = Ontology(parents | {"x": rung, "y": rung}, ("top", "x", "y"))
    truth, said = [[1, 1, 0]], np.array([[True, False, True]])
    assert cf.score(truth, said, "example.hloss", ontology=onto) == pytest.approx(2 / 3)
    assert cf.score(truth, said, "OS", ontology=onto) == pytest.approx(1)
    assert 0.9 < cf.score(truth, said, "concept.BDM", ontology=onto) < 1
