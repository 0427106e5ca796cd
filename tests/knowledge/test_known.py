"""Which knowledge a measure gets: names, defaults, alignment, and what signatures say of it."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield as cf
from cranfield.knowledge import AgreementMap, CostMap, Disjoint, Knowledge, Ontology

NAMES = ("a", "b", "c")
TRUTH = cf.Truth([[1, 0, 0], [0, 1, 1]], concepts=NAMES)
RUN = cf.Run(labels=[[0, 1, 0], [0, 1, 0]], concepts=NAMES)
COSTS = np.array([[0, 0.2, 0.6], [0.2, 0, 0.4], [0.6, 0.4, 0]])
CHEAP = COSTS / 2


def score(measure: str, **knowledge: object) -> float:
    return cf.evaluate(TRUTH, RUN, measure, **knowledge)["run", measure]  # type: ignore[arg-type]


def test_an_array_is_the_default_and_names_choose_among_several() -> None:
    assert score("HS", costs=COSTS) == pytest.approx((0.8 + 0.8) / 2)
    both = {"dear": COSTS, "cheap": CHEAP}
    assert score("HS-cheap", costs=both) == score("HS", costs=CHEAP)
    assert score("HS(costs=DEAR)", costs=both) == score("HS", costs=COSTS)
    with pytest.raises(
        cf.InputError, match=r"say which: HS\(costs=dear\), or another of 'dear', 'cheap'"
    ):
        score("HS", costs=both)
    with pytest.raises(cf.InputError, match="no costs are called 'free'; there are 'dear'"):
        score("OS-free", costs=both)


def test_a_name_with_blanks_is_found() -> None:
    both = {"my map": CHEAP, "dear": COSTS}
    assert score("HS(costs=my map)", costs=both) == score("HS", costs=CHEAP)
    assert score("HS-mymap", costs=both) == score("HS", costs=CHEAP)
    ranked = cf.Run([[0.1, 0.9, 0.2], [0.1, 0.8, 0.7]], concepts=NAMES)
    named = {"my map": 1 - COSTS, "none": np.eye(3)}
    (found,) = cf.evaluate(TRUTH, ranked, "SRP(relatedness=My Map)", relatedness=named)
    assert found.conventions["relatedness"].startswith("my map:")


def test_with_an_ontology_the_default_is_its_own_costs() -> None:
    onto = Ontology({"a": (), "b": ("a",), "c": ("a",)})
    assert score("HS", ontology=onto, costs={"FTS": COSTS}) == score("HS-DDMC", ontology=onto)
    assert score("HS", ontology=onto, costs=COSTS) == score("HS", costs=COSTS)


def test_a_map_that_was_given_goes_before_the_hierarchy() -> None:
    onto = Ontology({"a": (), "b": ("a",), "c": ("a",)})
    given = {"DDMC": COSTS}
    assert score("HS-DDMC", ontology=onto, costs=given) == score("HS", costs=COSTS)
    assert score("HS", ontology=onto, costs=given) == score("HS", costs=COSTS)


def test_relatedness_without_a_name_goes_before_those_of_a_collection() -> None:
    folder = cf.Collection(TRUTH, knowledge=Knowledge.given(relatedness={"FTS": np.eye(3)}))
    ranked = cf.Run([[0.1, 0.9, 0.2], [0.1, 0.8, 0.9]], concepts=NAMES)
    found = cf.evaluate(folder, ranked, ["SRP", "SRP-FTS"], relatedness=1 - COSTS)
    assert found["run", "SRP"] == pytest.approx((0.8 + 1.0) / 2)
    assert found["run", "SRP-FTS"] == 0.5


def test_maps_with_ids_align_by_them() -> None:
    turned = CostMap(COSTS[::-1, ::-1], NAMES[::-1])
    assert score("HS", costs=turned) == score("HS", costs=COSTS)
    more = CostMap(np.pad(COSTS, (1, 0), constant_values=1.0), ("z", *NAMES))
    assert score("HS", costs=more) == score("HS", costs=COSTS)
    with pytest.raises(
        cf.InputError, match="cost map lacks 1 concept: 'c'; give each a value there"
    ):
        score("HS", costs=CostMap(COSTS[:2, :2], NAMES[:2]))


def test_a_collection_brings_knowledge_and_explicit_arguments_override_it() -> None:
    known = Knowledge.given(costs={"FTS": COSTS}, agreement={"a": 0.5, "b": 1.0, "c": 1.0})
    folder = cf.Collection(TRUTH, knowledge=known)
    found = cf.evaluate(folder, RUN, ["OS-FTS", "HS-FTS"])
    assert found["run", "HS-FTS"] == score("HS", costs=COSTS)
    # The false b of the first item is matched with a, on which annotators agree by half.
    assert found.units("run", "OS-FTS")[0] == pytest.approx(1 - (0.2 * 0.5 + 0.2 * 0.5) / 2)
    plain = cf.evaluate(folder, RUN, "OS-FTS", agreement=[1.0, 1.0, 1.0])
    assert plain["run", "OS-FTS"] == found["run", "HS-FTS"]


def test_what_is_needed_and_not_given_is_said() -> None:
    for measure, message in (
        ("OS", "OS needs costs; give ontology= or costs="),
        ("HS-DDMC", "HS needs a hierarchy; give ontology="),
        ("SRP", "SRP needs relatedness; give relatedness="),
    ):
        with pytest.raises(cf.InputError, match=message):
            score(measure)


def test_only_maps_that_would_work_are_offered() -> None:
    onto = Ontology(dict.fromkeys(NAMES, ()))
    for given, there in (
        ({"costs": {"dear": COSTS}}, "there are 'dear'; give"),
        ({"costs": COSTS}, "there are none; give"),
        ({"ontology": onto}, "there are 'DDMC', 'DIMC'; give"),
        ({"ontology": onto, "costs": {"DDMC": COSTS}}, "there are 'DDMC', 'DIMC'; give"),
    ):
        with pytest.raises(cf.InputError, match=there):
            score("HS-FTS", **given)


def test_os_without_an_ontology_notes_that_no_rules_were_checked() -> None:
    (found,) = cf.evaluate(TRUTH, RUN, "OS", costs=COSTS)
    assert found.notes == ("no ontology: no rules",)
    assert found.conventions["ontology"] == "none"


@pytest.mark.parametrize("measure", ["HS", "OS", "example.path"])
def test_costs_that_are_odd_are_noted_with_the_score(measure: str) -> None:
    onto = Ontology(dict.fromkeys(NAMES, ()))
    skewed = COSTS.copy()
    skewed[0, 1] = 0.3
    for costs, notes in (
        (COSTS, ()),
        (skewed, ("costs FTS are not symmetric",)),
        (COSTS + np.diag([0, 0.1, 0]), ("costs FTS are not 0 on the diagonal",)),
    ):
        named = f"{measure}(costs=FTS)"
        (found,) = cf.evaluate(TRUTH, RUN, named, ontology=onto, costs={"FTS": costs})
        assert found.notes == notes
    if measure != "example.path":  # whose costs are those of the hierarchy unless named
        (found,) = cf.evaluate(TRUTH, RUN, measure, ontology=onto, costs=skewed)
        assert found.notes == ("costs are not symmetric",)


def test_signatures_name_the_knowledge_that_a_score_rests_on() -> None:
    onto = Ontology(dict.fromkeys(NAMES, ()), disjoint=(Disjoint(("b", "c")),), name="abc")
    (found,) = cf.evaluate(
        TRUTH, RUN, "OS-FTS", ontology=onto, costs={"FTS": COSTS}, agreement=[1.0, 1.0, 0.5]
    )
    said = found.conventions
    assert said["ontology"] == f"abc:{onto.digest[:8]}"
    assert said["costs"] == f"FTS:{CostMap(COSTS).digest[:8]}"
    assert said["agreement"] == AgreementMap([1.0, 1.0, 0.5]).digest[:8]
    (other,) = cf.evaluate(
        TRUTH, RUN, "OS-FTS(agreement=none)", ontology=onto, costs={"FTS": CHEAP}
    )
    assert other.conventions["agreement"] == "none"
    assert other.conventions["costs"] != said["costs"]


@pytest.mark.parametrize("measure", ["SRP", "concept.simP", "concept.simR", "concept.simF"])
def test_relatedness_of_a_hierarchy_names_the_ontology_and_its_tree(measure: str) -> None:
    trees = ({"a": (), "b": ("a",), "c": ("a",)}, {"a": (), "b": ("a",), "c": ("b",)})
    said = []
    for parents in trees:
        onto = Ontology(parents, name="abc")
        ranked = cf.Run([[0.1, 0.9, 0.2], [0.1, 0.8, 0.7]], concepts=NAMES)
        (found,) = cf.evaluate(TRUTH, ranked, f"{measure}(relatedness=DDMC)", ontology=onto)
        said.append(found.conventions["relatedness"])
        assert said[-1] == f"DDMC of abc:{onto.digest[:8]} tree flat"
    assert said[0] != said[1]


@pytest.mark.parametrize("costs", [COSTS * 2, COSTS - 0.1, np.full((3, 3), np.nan)])
def test_costs_outside_the_unit_interval_are_refused(costs: np.ndarray) -> None:
    with pytest.raises(cf.InputError, match=r"every value must lie in \[0, 1\]"):
        score("HS", costs=costs)


def test_knowledge_of_the_wrong_kind_is_refused() -> None:
    with pytest.raises(cf.InputError, match="ontology: got str; give cf"):
        score("OS", ontology="pto2009.owl")
    with pytest.raises(cf.InputError, match="make it square"):
        score("OS", costs=COSTS[:2])
    with pytest.raises(cf.InputError, match="cost map needed, agreement map given"):
        score("OS", costs=AgreementMap([1.0, 1.0, 1.0]))


def test_relatedness_must_be_brought_into_the_unit_interval() -> None:
    with pytest.raises(cf.InputError, match=r"goes from 0 to 7.*normalised\('minmax'\)"):
        score("SRP", relatedness={"JCN": [[0, 7, 0], [7, 0, 0], [0, 0, 0]]})


def test_the_diagonal_of_relatedness_counts_as_one() -> None:
    hit = cf.Run([[0.9, 0.1, 0.2], [0.1, 0.8, 0.9]], concepts=NAMES)
    found = cf.evaluate(TRUTH, hit, "SRP", relatedness=np.zeros((3, 3)))
    assert found["run", "SRP"] == 1.0


def test_hs_notes_an_agreement_map_that_it_does_not_use() -> None:
    agreement = [0.5, 0.5, 0.5]
    (ignored,) = cf.evaluate(TRUTH, RUN, "HS", costs=COSTS, agreement=agreement)
    assert ignored.notes == ("agreement map not used; HS(agreement=given) uses it",)
    (used,) = cf.evaluate(TRUTH, RUN, "HS(agreement=given)", costs=COSTS, agreement=agreement)
    assert used.notes == ()
    (without,) = cf.evaluate(TRUTH, RUN, "HS", costs=COSTS)
    assert without.notes == ()
