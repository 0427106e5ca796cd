"""What people hand to an ontology: one name for several, wrong types, files without a name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cranfield as cf
from cranfield.knowledge import Disjoint, Implication, Ontology, Required

FLAT: dict[str, tuple[str, ...]] = {"day": (), "night": (), "portrait": ()}
SMALL = Ontology(FLAT)


def test_a_text_is_one_name_and_not_its_letters() -> None:
    assert Ontology({"cat": "animal", "animal": ()}).parents["cat"] == ("animal",)  # type: ignore[dict-item]
    assert Implication("cat", "animal").needs == ("animal",)  # type: ignore[arg-type]
    alone = Ontology({"cat": "animal", "animal": None}, concepts="cat")  # type: ignore[dict-item,arg-type]
    assert alone.concepts == ("cat",)
    assert alone.categories == ("animal",)
    assert SMALL.costs(concepts="day").tolist() == [[0.0]]
    few = Ontology({"Top": (), "cat": "Top"}, concepts="cat", dropped={"flat": "Top"})  # type: ignore[dict-item,arg-type]
    assert few.hierarchy("flat").parents == {"cat": ()}


def test_numbers_are_ids_in_rules_as_in_the_hierarchy() -> None:
    found = Ontology({1: (), 2: ()}, disjoint=(Disjoint((1, 2)),))  # type: ignore[dict-item,arg-type]
    assert len(found.violations(np.array([[1, 1]]))) == 1


@pytest.mark.parametrize(
    "given",
    [
        Disjoint(("day", "night")),
        [Disjoint(("day", "night"))],
        (("day", "night"),),
        [["day", "night"]],
    ],
)
def test_disjoint_groups_are_rules_or_tuples_of_ids(given: Any) -> None:
    assert Ontology(FLAT, disjoint=given).disjoint == (Disjoint(("day", "night")),)
    assert hash(Ontology(FLAT, disjoint=given).rules)


@pytest.mark.parametrize(
    "given",
    [
        Implication("portrait", ("day", "night")),
        {"portrait": ("day", "night")},
        [("portrait", ["day", "night"])],
    ],
)
def test_implications_are_rules_or_a_mapping(given: Any) -> None:
    expected = (Implication("portrait", ("day", "night")),)
    assert Ontology(FLAT, implications=given).implications == expected


def test_a_required_group_is_a_rule_or_a_tuple_of_ids() -> None:
    found = Ontology(FLAT, required=(("day", "night"),))  # type: ignore[arg-type]
    assert found.required == (Required(("day", "night")),)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: Disjoint("ab"), r"Disjoint\('ab'\) is no group; give a tuple of ids: \('ab', …\)"),
        (lambda: Required("x"), r"Required\('x'\) is no group; give a tuple of ids"),
        (lambda: Disjoint(5.5), "Disjoint: got float; give a tuple of ids"),
        (lambda: Implication("a", 0.5), "what a needs: got float; give a tuple of ids"),
        (lambda: Ontology(None), "parents: got NoneType; give a dict"),
        (lambda: Ontology(["a", "b"]), "parents: got list; give a dict"),
        (lambda: Ontology({"a": 0.5}), "what stands above a: got float; give a tuple of ids"),
        (lambda: Ontology({}), "there is no concept in it"),
        (lambda: Ontology(FLAT, dropped=None), "dropped: got NoneType; give a dict"),
        (lambda: Ontology(FLAT, labels=3), "labels: got int; give a dict"),
        (lambda: Ontology(FLAT, disjoint=None), "disjoint: got NoneType; give a tuple of rules"),
        (lambda: Ontology(FLAT, disjoint="day"), "disjoint: got str; give a tuple of rules"),
        (lambda: Ontology(FLAT, disjoint=("day", "night")), "disjoint: 'day' is no rule; write "),
        (lambda: Ontology(FLAT, disjoint=Required(("day",))), "disjoint: got Required; give a tup"),
        (
            lambda: Ontology(FLAT, disjoint=(Required(("day",)),)),
            r"disjoint: Required\(members=\('day',\)\) is no rule; write disjoint=",
        ),
        (
            lambda: Ontology(FLAT, implications=(("portrait",),)),
            r"implications: \('portrait',\) is no rule; write implications=",
        ),
        (
            lambda: SMALL.costs(concepts=["Nope"]),
            "concept that the hierarchy does not know: 'Nope'",
        ),
        (lambda: SMALL.costs(concepts="Sky"), "concept that the hierarchy does not know: 'Sky'"),
        (lambda: SMALL.cost_map(concepts=["day", "day"]), "1 duplicate concept id: 'day'"),
        (lambda: SMALL.constraints(["Nope"]), "concept that the hierarchy does not know: 'Nope'"),
        (lambda: Ontology.load(None), "ontology: got NoneType; give the path of a file"),
        (lambda: Ontology.load(""), "no ontology is called ''; shipped are pto2009"),
        (lambda: SMALL.write(None), "ontology: got NoneType; give the path of a file"),
        (
            lambda: SMALL.close(cf.Run([[0.1, 0.2, 0.3]])),
            "close needs a truth, and 'run' is a run, in which every cell is decided",
        ),
    ],
)
def test_what_cannot_be_meant_is_told_with_how_to_mend_it(wrong: Any, message: str) -> None:
    with pytest.raises(cf.InputError, match=message):
        wrong()


def test_a_name_may_be_a_number() -> None:
    assert Ontology(FLAT, name=5).name == "5"  # type: ignore[arg-type]
