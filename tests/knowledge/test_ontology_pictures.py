"""Outlines of ontologies, where their nodes go, and what pictures of them show."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fragment import FRAGMENT

from cranfield.core.sketch import name_width
from cranfield.knowledge import Disjoint, Implication, Ontology, Required
from cranfield.knowledge.ontology_drawing import FONT, Layout, columns_for, ontology_drawing
from cranfield.knowledge.ontology_summary import summarise
from cranfield.knowledge.outline import Group, Outline
from cranfield.show.document import page
from cranfield.show.vega import write_charts


def grown(nodes: int, seed: int = 0, *, parents: int = 1) -> Ontology:
    """A random tree, or a directed graph of nodes with several parents."""
    rng = np.random.default_rng(seed)
    found: dict[str, tuple[str, ...]] = {"n0": ()}
    for n in range(1, nodes):
        above = rng.choice(n, size=min(n, int(rng.integers(1, parents + 1))), replace=False)
        found[f"n{n}"] = tuple(f"n{one}" for one in above)
    return Ontology(found)


def drawn(onto: Ontology) -> Mapping[str, Any]:
    return ontology_drawing(Outline.of(onto)).spec


def layers(spec: Mapping[str, Any], mark: str) -> list[list[dict[str, Any]]]:
    return [layer["data"]["values"] for layer in spec["layer"] if layer["mark"]["type"] == mark]


# ── outlines ──────────────────────────────────────────────────────────────────────────────────


def test_every_link_of_a_hierarchy_is_one_row() -> None:
    onto = grown(60, seed=1, parents=3)
    outline = Outline.of(onto)
    links = {(row.node, outline.rows[row.above].node) for row in outline.rows if row.above >= 0}
    assert links == {(node, one) for node, up in onto.parents.items() for one in up}
    assert len(outline.rows) == len(links) + 1


def test_what_is_folded_is_counted_once_for_each_node() -> None:
    onto = grown(80, seed=2)
    whole = Outline.of(onto)
    for depth in range(1, whole.deepest):
        part = Outline.of(onto, depth=depth)
        assert part.deepest == depth
        assert part.hidden == sum(row.folded for row in part.rows)
    assert whole.hidden == 0


def test_columns_hold_all_lowest_nodes_in_their_order() -> None:
    outline = Outline.of(grown(300, seed=3))
    columns = outline.in_columns(4)
    names = [[one.rows[place].node for place in one.lowest] for one in (outline, columns)]
    assert names[0] == names[1]
    roots = [place for place, row in enumerate(columns.rows) if row.above < 0]
    assert len(roots) == 4
    sizes = np.diff([np.searchsorted(columns.lowest, root) for root in roots])
    assert max(sizes) < 1.6 * len(outline.lowest) / 4
    first = columns.rows[: roots[1]]
    assert not any(row.continued for row in first)
    assert all(columns.rows[root].continued for root in roots[1:])


def test_groups_that_are_disjoint_and_required_are_one() -> None:
    onto = Ontology(
        {"a": (), "b": (), "c": (), "d": ()},
        disjoint=(Disjoint(("a", "b")), Disjoint(("c", "d"))),
        required=(Required(("b", "a")), Required(("a", "c"))),
    )
    assert Outline.of(onto).groups == (
        Group(("a", "b"), "exactly one"),
        Group(("c", "d"), "at most one"),
        Group(("a", "c"), "at least one"),
    )


def test_what_holds_for_all_children_is_told_of_the_parent() -> None:
    outline = Outline.of(FRAGMENT)
    assert outline.bounds == {"Persons": ["at most one"]}
    assert outline.scattered == ()
    assert Outline.of(Ontology.load("pto2009")).scattered == (
        Group(("Day", "Night", "No_Visual_Time"), "exactly one"),
    )


# ── layout ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("nodes", [1, 2, 40, 700])
def test_no_two_names_overlap(nodes: int) -> None:
    outline = Outline.of(grown(nodes, seed=4, parents=2))
    titles = [row.node for row in outline.rows]
    outline = outline.in_columns(columns_for(outline, titles))
    titles = [row.node for row in outline.rows]
    layout = Layout(outline, titles, lanes=2)
    boxes = [
        (x, x + 7 + name_width(title, FONT), y - 5, y + 5)
        for (x, y), title in zip(layout.points, titles, strict=True)
    ]
    order = sorted(boxes, key=lambda box: box[2])
    for place, one in enumerate(order):
        for other in order[place + 1 :]:
            if other[2] >= one[3]:
                break
            assert other[0] >= one[1] or one[0] >= other[1]
    assert all(0 <= x <= layout.width and 0 <= y <= layout.height for x, y in layout.points)


def test_a_node_stands_in_the_middle_of_its_children() -> None:
    outline = Outline.of(grown(50, seed=5))
    layout = Layout(outline, [row.node for row in outline.rows], lanes=0)
    for place, below in enumerate(outline.children):
        if below:
            ys = [layout.points[child][1] for child in below]
            assert layout.points[place][1] == pytest.approx((ys[0] + ys[-1]) / 2)


def test_large_trees_are_cut_into_columns_and_small_ones_are_not() -> None:
    for nodes, many in ((60, False), (900, True)):
        outline = Outline.of(grown(nodes, seed=6))
        columns = columns_for(outline, [row.node for row in outline.rows])
        assert (columns > 1) is many


# ── pictures ──────────────────────────────────────────────────────────────────────────────────


def test_every_node_is_drawn_in_the_colour_of_its_kind() -> None:
    spec = drawn(FRAGMENT)
    (names,) = layers(spec, "text")
    kinds = {record["id"]: record["kind"] for record in names if record["id"]}
    assert kinds == {
        node: "concept" if node in FRAGMENT.concepts else "category" for node in FRAGMENT.parents
    }


def test_rules_are_drawn() -> None:
    spec = drawn(FRAGMENT)
    _, brackets, curves = layers(spec, "line")
    assert {record["says"] for record in brackets} == {
        "at most one of single, small_group and big_group"
    }
    assert {record["says"] for record in curves} == {"portrait needs Persons"}


def test_members_below_different_nodes_are_joined_by_a_curve() -> None:
    onto = Ontology({"a": (), "b": (), "x": ("a",), "y": ("b",)}, disjoint=(Disjoint(("x", "y")),))
    _, brackets, curves = layers(drawn(onto), "line")
    assert brackets == []
    assert {record["rule"] for record in curves} == {"at most one"}


def test_the_title_tells_what_is_folded() -> None:
    drawing = ontology_drawing(Outline.of(FRAGMENT, depth=2))
    assert drawing.subtitle.endswith("9 nodes folded")


@pytest.mark.parametrize(
    "onto",
    [
        Ontology({"a": ()}),
        Ontology({"</script>": (), "b": ("</script>",)}),
        Ontology(
            dict.fromkeys("abcde", ()),
            disjoint=tuple(map(Disjoint, combinations("abcd", 2))),
            implications=(Implication("e", ("a", "b")),),
        ),
        grown(700, seed=7, parents=2),
    ],
    ids=["one", "tricky", "pairs", "large"],
)
def test_any_ontology_can_be_drawn(onto: Ontology, tmp_path: Path) -> None:
    summary = summarise(onto).full_result
    for extension in (".svg", ".json"):
        write_charts(summary.charts, tmp_path / f"o{extension}")
    assert "</html>" in page(summary)
