"""What stands above what, how deep, and how far apart."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield as cf
from cranfield.knowledge import Hierarchy

TREE = Hierarchy({"animal": (), "dog": ("animal",), "cat": ("animal",), "puppy": ("dog",)})
FOREST = Hierarchy({"sky": (), "clouds": ("sky",), "water": (), "sea": ("water",)})
DIAMOND = Hierarchy({"a": (), "b": (), "c": ("a",), "d": ("a", "b", "c")})


def test_the_one_node_above_all_is_the_root_and_has_depth_zero() -> None:
    assert TREE.root == "animal"
    assert TREE.depths == {"animal": 0, "dog": 1, "cat": 1, "puppy": 2}
    assert TREE.tops == ("dog", "cat")


def test_several_nodes_without_parents_have_an_implied_root_above_them() -> None:
    assert FOREST.root is None
    assert FOREST.depths == {"sky": 1, "clouds": 2, "water": 1, "sea": 2}
    assert FOREST.tops == ("sky", "water")


def test_a_single_node_stands_below_an_implied_root() -> None:
    alone = Hierarchy({"thing": ()})
    assert alone.root is None
    assert alone.height == 1


def test_in_a_graph_depth_is_the_shortest_way_and_ancestors_are_those_of_all_ways() -> None:
    assert DIAMOND.depths["d"] == 2
    assert DIAMOND.ancestors["d"] == {"a", "b", "c"}


def test_path_costs_are_those_of_the_cheapest_way_through_a_common_ancestor() -> None:
    links = DIAMOND.path_costs(("a", "b", "c", "d"), lambda depth: 1.0)
    np.testing.assert_array_equal(
        links,
        [[0, 2, 1, 1], [2, 0, 3, 1], [1, 3, 0, 1], [1, 1, 1, 0]],
    )


def test_path_costs_equal_shortest_paths_of_scipy_in_trees() -> None:
    # In a tree the only way between two nodes goes through their common ancestor.
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import dijkstra

    rng = np.random.default_rng(4)
    for size in (2, 5, 40):
        above = [int(rng.integers(0, max(1, node))) for node in range(size)]
        tree = Hierarchy({str(n): (str(above[n]),) if n else () for n in range(size)})
        costs = {n: float(0.5 ** tree.depths[str(n)]) for n in range(1, size)}
        ways = coo_array((list(costs.values()), (list(costs), above[1:])), shape=(size, size))
        found = tree.path_costs([str(n) for n in range(size)], lambda depth: 0.5**depth)
        np.testing.assert_allclose(found, dijkstra(ways, directed=False), rtol=1e-15)


def test_dropping_a_level_moves_up_what_stood_below_it() -> None:
    flat = TREE.without({"dog"})
    assert flat.parents == {"animal": (), "cat": ("animal",), "puppy": ("animal",)}
    assert FOREST.without({"sky", "water"}).depths == {"clouds": 1, "sea": 1}


@pytest.mark.parametrize(
    ("parents", "message"),
    [
        ({"a": ("b",), "b": ("c",), "c": ("a",)}, "circle: "),
        ({"a": ("a",)}, "circle: a below a"),
        ({"a": ("b",)}, "a below b"),
    ],
)
def test_cycles_and_unknown_parents_are_errors_that_name_the_link(
    parents: dict[str, tuple[str, ...]], message: str
) -> None:
    with pytest.raises(cf.InputError, match=message):
        Hierarchy(parents)
