"""Concepts and categories, rules, costs, and what the rules say about labels."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield as cf
from cranfield.knowledge import Disjoint, Implication, Ontology, Required

PARENTS = {
    "Persons": (),
    "one": ("Persons",),
    "many": ("Persons",),
    "crowd": ("many",),
    "Scene": (),
    "beach": ("Scene",),
    "portrait": ("Scene",),
}
CONCEPTS = ("one", "many", "crowd", "beach", "portrait")
ONTOLOGY = Ontology(
    PARENTS,
    CONCEPTS,
    disjoint=(Disjoint(("one", "many")),),
    implications=(Implication("portrait", ("Persons",)),),
    required=(Required(("one", "many")),),
    dropped={"flat": frozenset({"Scene"})},
    name="photos",
)


def sets(*items: str) -> np.ndarray:
    return np.array([[name in item.split() for name in CONCEPTS] for item in items])


def broken(*items: str) -> list[str]:
    return list(map(str, ONTOLOGY.violations(sets(*items))))


def test_nodes_that_cannot_be_assigned_are_categories() -> None:
    assert ONTOLOGY.categories == ("Persons", "Scene")
    assert Ontology(PARENTS).concepts == tuple(PARENTS)


def test_a_disjoint_group_is_broken_by_all_its_members_and_what_stands_below_them() -> None:
    assert broken("one many") == ["0: at most one of one and many (has one, many)"]
    assert "0: at most one of one and many (has one, crowd)" in broken("one crowd")


def test_a_concept_needs_the_one_above_it() -> None:
    assert broken("crowd") == ["0: crowd needs many (has crowd)"]
    assert broken("many crowd") == []


def test_a_category_that_is_needed_stands_for_any_concept_below_it() -> None:
    assert broken("portrait beach", "portrait one") == ["0: portrait needs Persons (has portrait)"]


def test_a_required_group_is_missing_but_breaks_nothing() -> None:
    assert broken("beach", "") == []
    assert [one.item for one in ONTOLOGY.missing(sets("beach", "one", ""))] == ["0", "2"]


def test_what_a_category_needs_is_needed_by_the_nearest_concepts_below_it() -> None:
    seasons = Ontology(
        {"Weather": (), "rain": ("Weather",), "storm": ("rain",), "outdoor": ()},
        ("rain", "storm", "outdoor"),
        implications=(Implication("Weather", ("outdoor",)),),
    )
    found = seasons.violations(np.array([[True, True, False]]))
    assert [str(one) for one in found] == ["0: rain needs outdoor (has rain)"]


def test_rules_that_unjudged_cells_could_satisfy_are_not_broken() -> None:
    labels = sets("portrait crowd")
    judged = labels | (np.array(CONCEPTS) != "many")
    assert broken("portrait crowd") == ["0: crowd needs many (has crowd)"]
    partial = cf.Truth(labels, concepts=CONCEPTS, judged=judged)
    assert (ONTOLOGY.violations(partial), ONTOLOGY.missing(partial)) == ([], [])
    assert len(ONTOLOGY.missing(labels)) == 1


def test_rules_that_absent_columns_could_satisfy_are_not_checked() -> None:
    truth = cf.Truth([[1, 0], [1, 1]], concepts=["crowd", "beach"])
    assert ONTOLOGY.violations(truth) == []
    portraits = cf.Truth([[1, 0]], concepts=["portrait", "one"])
    assert ONTOLOGY.violations(portraits) == []


def test_violations_of_a_run_are_those_of_its_decisions_whatever_the_order_of_columns() -> None:
    run = cf.Run([[0.9, 0.2, 0.7]], concepts=["many", "beach", "one"], items=["photo"])
    (found,) = ONTOLOGY.violations(run)
    assert (found.item, found.labels) == ("photo", ("many", "one"))


def test_costs_halve_with_each_level_and_are_one_between_the_deepest_of_two_branches() -> None:
    two = Ontology({"a": (), "b": (), "c": ("a",), "d": ("b",), "e": ("a",)})
    costs = {
        (one, other): value * 6
        for one, row in zip(two.concepts, two.costs(), strict=True)
        for other, value in zip(two.concepts, row, strict=True)
    }
    assert costs["c", "d"] == 6
    assert costs["c", "e"] == pytest.approx(2)
    assert costs["a", "b"] == pytest.approx(4)
    assert costs["a", "c"] == pytest.approx(1)
    assert costs["a", "a"] == 0


def test_equal_ways_have_exactly_equal_costs() -> None:
    deep = {str(n): (str(n - 1),) if n % 20 else () for n in range(40)}
    costs = Ontology(deep).costs()
    np.testing.assert_array_equal(costs[:20, :20], costs[20:, 20:])
    np.testing.assert_array_equal(costs, costs.T)
    assert costs.max() == 1.0


def test_costs_independent_of_depth_count_links() -> None:
    np.testing.assert_allclose(
        ONTOLOGY.costs("printed", "DIMC")[0] * 2 * 3, [0, 2, 3, 4, 4], rtol=1e-15
    )


def test_a_flatter_tree_leaves_levels_out() -> None:
    assert ONTOLOGY.hierarchy("flat").depths["beach"] == 1
    assert ONTOLOGY.hierarchy("printed").depths["beach"] == 2
    with pytest.raises(cf.InputError, match="choose flat"):
        ONTOLOGY.costs("oak")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"parents": {}}, "no concept"),
        ({"concepts": ("one", "two")}, "concept that the hierarchy does not know: 'two'"),
        ({"disjoint": (Disjoint(("one", "lots")),)}, "“at most one of one and lots”.*'lots'"),
        ({"disjoint": (Disjoint(("one", "one")),)}, "names a concept twice"),
        (
            {"disjoint": (Disjoint(("many", "crowd")),)},
            "“at most one of many and crowd” contradicts .* crowd stands below many",
        ),
        (
            {
                "disjoint": (Disjoint(("one", "beach")),),
                "implications": (Implication("one", ("beach",)),),
            },
            "“one needs beach” contradicts rule “at most one of one and beach”",
        ),
        ({"dropped": {"flat": frozenset({"one"})}}, "tree flat leaves out concepts: 'one'"),
    ],
)  # fmt: skip
def test_an_ontology_without_sense_is_refused_with_the_axiom(
    changes: dict[str, object], message: str
) -> None:
    with pytest.raises(cf.InputError, match=message):
        Ontology(**{"parents": PARENTS, "concepts": CONCEPTS, **changes})  # type: ignore[arg-type]


def test_a_concept_below_two_disjoint_ones_is_reported_and_refused_when_it_is_used() -> None:
    both = Ontology(
        {"plant": (), "animal": (), "coral": ("plant", "animal")},
        disjoint=(Disjoint(("plant", "animal")),),
    )
    assert list(both.contradictions) == ["coral"]
    truth = cf.Truth(np.eye(3), concepts=both.concepts)
    with pytest.raises(cf.InputError, match="coral stands below plant and animal, but at most"):
        cf.evaluate(truth, cf.Run(labels=np.eye(3), concepts=both.concepts), "OS", ontology=both)
    cf.evaluate(truth, cf.Run(labels=np.eye(3), concepts=both.concepts), "HS", ontology=both)


def test_the_digest_does_not_depend_on_the_order_of_statements() -> None:
    turned = Ontology(
        dict(reversed(PARENTS.items())),
        CONCEPTS[::-1],
        disjoint=(Disjoint(("many", "one")),),
        implications=ONTOLOGY.implications,
        required=(Required(("many", "one")),),
        dropped=ONTOLOGY.dropped,
    )
    assert turned.digest == ONTOLOGY.digest
    assert Ontology(PARENTS, CONCEPTS).digest != ONTOLOGY.digest


def test_concepts_that_the_ontology_does_not_know_are_an_error() -> None:
    with pytest.raises(cf.InputError, match="'Persons' only give order there"):
        ONTOLOGY.violations(cf.Truth([[1, 0]], concepts=["Persons", "beach"]))
    with pytest.raises(cf.InputError, match="3 columns without names"):
        ONTOLOGY.violations([[1, 0, 1]])
