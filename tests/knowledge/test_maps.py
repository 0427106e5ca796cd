"""Maps of costs, relatedness and agreement: what they hold and refuse, and what holds of them."""

from __future__ import annotations

import json
from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import floyd_warshall

import cranfield as cf
from cranfield.core.axes import Axis
from cranfield.knowledge.maps import Normalisation

NAMES = ("cat", "dog", "cow")
COSTS = np.array([[0, 0.25, 0.75], [0.25, 0, 0.5], [0.75, 0.5, 0]])


# --- what a map is ---


def test_values_are_looked_up_by_concepts() -> None:
    assert cf.CostMap(COSTS, NAMES)["cat", "cow"] == 0.75
    assert cf.AgreementMap({"cat": 0.9, "dog": 0.8})["dog"] == 0.8
    for wrong in ("cat", ("cat", "bat"), ("cat", "dog", "cow")):
        with pytest.raises(cf.InputError, match="has no value for"):
            cf.CostMap(COSTS, NAMES)[wrong]  # type: ignore[index]


def test_frames_bring_their_ids_in_any_order() -> None:
    frame = pd.DataFrame(COSTS, index=NAMES, columns=NAMES)
    expected = cf.CostMap(COSTS, NAMES)
    assert cf.CostMap(frame).digest == expected.digest
    assert cf.CostMap(frame[["cow", "cat", "dog"]]).digest == expected.digest
    polars = pl.DataFrame({"concept": NAMES, **dict(zip(NAMES, COSTS, strict=True))})
    assert cf.CostMap(polars).digest == expected.digest
    with pytest.raises(cf.InputError, match="'bat', 'cow' stand on one side only"):
        cf.CostMap(frame.rename(columns={"cow": "bat"}))


def test_the_hash_depends_on_values_and_kind_but_not_on_order() -> None:
    one = cf.CostMap(COSTS, NAMES)
    turned = cf.CostMap(COSTS[::-1, ::-1], NAMES[::-1], name="other")
    assert one.digest == turned.digest
    assert one.digest != cf.RelatednessMap(COSTS, NAMES).digest
    assert one.digest != cf.CostMap(COSTS / 2, NAMES).digest
    assert one.digest != cf.CostMap(COSTS, ("cat", "dog", "bat")).digest
    assert cf.CostMap(-0.0 * COSTS, NAMES).digest == cf.CostMap(0 * COSTS, NAMES).digest


def test_values_cannot_change_under_their_hash() -> None:
    given = COSTS.copy()
    kept = cf.CostMap(given)
    given[0, 1] = 1.0
    assert kept.values[0, 1] == 0.25
    with pytest.raises(ValueError, match="read-only"):
        kept.values[0, 1] = 1.0


@pytest.mark.parametrize(
    ("kind", "values", "message"),
    [
        (cf.CostMap, COSTS[:2], "make it square"),
        (cf.CostMap, np.zeros((0, 0)), "make it square"),
        (cf.CostMap, [["a"]], "must hold numbers"),
        (cf.CostMap, COSTS - 1e-9, "every value must lie in [0, 1]"),
        (cf.RelatednessMap, [[1, np.nan], [0, 1]], "nan for 0 and 1; every value must be finite"),
        (cf.RelatednessMap, [[1, np.inf], [0, 1]], "inf for 0 and 1; every value must be finite"),
        (cf.AgreementMap, COSTS, "a list with one number for each concept"),
        (cf.AgreementMap, [], "a list with one number for each concept"),
        (cf.AgreementMap, {"cat": 1.5}, "1.5 for cat; every value must lie in [0, 1]"),
    ],
)
def test_what_is_no_map_is_refused(kind: type, values: object, message: str) -> None:
    with pytest.raises(cf.InputError) as refused:
        kind(values)
    assert message in str(refused.value)


def test_relatedness_is_not_taken_for_costs() -> None:
    with pytest.raises(cf.InputError, match=r"relatedness map given; make costs of it with .costs"):
        cf.evaluate(cf.Truth([[1]]), cf.Run(labels=[[1]]), "HS", costs=cf.RelatednessMap([[1.0]]))


# --- where it comes from ---


def test_provenance_is_read_as_it_is_stated() -> None:
    said = cf.knowledge.Provenance(
        "Flickr  tags,\n2011", "2011-03-01", {"photos": 18_000, "user names": 7}
    )
    assert said.stated() == {
        "source": "Flickr tags, 2011",
        "date": "2011-03-01",
        "counts": "photos=18000, user names=7",
    }
    assert cf.knowledge.Provenance.of(said.stated()) == said
    assert cf.knowledge.Provenance().stated() == {}


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"date": "1.3.2011"}, "'1.3.2011' is no day; write it as YYYY-MM-DD"),
        ({"date": "2011-02-30"}, "is no day"),
        ({"date": "20110301"}, "is no day"),
        ({"source": "a\0b"}, "cannot be printed"),
        ({"counts": {"items": -1}}, "give whole numbers"),
        ({"counts": {"items": 0.5}}, "give whole numbers"),
        ({"counts": {"a=b": 1}}, "names without commas"),
    ],
)
def test_provenance_that_no_line_can_hold_is_refused(said: dict, message: str) -> None:
    with pytest.raises(cf.InputError) as refused:
        cf.knowledge.Provenance(**said)
    assert message in str(refused.value)


# --- relatedness to costs ---

LESK = np.array([[900.0, 4, 1], [4, 700, 2], [1, 2, 800]])


def test_what_a_source_says_of_a_concept_and_itself_never_counts() -> None:
    found = cf.RelatednessMap(LESK, NAMES).normalised("max")
    assert found.values.tolist() == [[1, 1, 0.25], [1, 1, 0.5], [0.25, 0.5, 1]]


def test_minmax_spans_the_whole_interval_also_from_below_zero() -> None:
    found = cf.RelatednessMap([[9, -1, 3], [-1, 9, 1], [3, 1, 9]]).normalised("minmax")
    assert found.values.tolist() == [[1, 0, 1], [0, 1, 0.5], [1, 0.5, 1]]


def test_concepts_that_are_one_and_the_same_do_not_set_the_scale() -> None:
    values = [[9e9, 9e9, 1], [9e9, 9e9, 2], [1, 2, 9e9]]
    same = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]], dtype=bool)
    given = cf.RelatednessMap(values, NAMES, same=same)
    assert given.extent == (1, 2)
    assert given.normalised("max").values.tolist() == [[1, 1, 0.5], [1, 1, 1], [0.5, 1, 1]]
    assert given.costs("max").values.tolist() == [[0, 0, 0.5], [0, 0, 0], [0.5, 0, 0]]


def test_costs_are_one_minus_relatedness_and_nothing_on_the_diagonal() -> None:
    given = cf.RelatednessMap(
        LESK,
        NAMES,
        name="LESK",
        provenance=cf.knowledge.Provenance("WordNet", "2011-03-01", {"words": 3}),
    )
    costs = given.costs(normalise="max")
    assert costs.values.tolist() == [[0, 0, 0.75], [0, 0, 0.5], [0.75, 0.5, 0]]
    assert (costs.name, costs.concepts) == ("LESK", NAMES)
    assert costs.provenance == cf.knowledge.Provenance(
        "WordNet; normalised by max; 1 − relatedness",
        "2011-03-01",
        {"words": 3, "concepts": 3},
    )


def test_costs_of_a_map_that_says_nothing_name_it_and_its_hash() -> None:
    for name, called in (("LESK", "LESK"), ("", "relatedness map")):
        given = cf.RelatednessMap(LESK, NAMES, name=name)
        assert given.costs(normalise="max").provenance == cf.knowledge.Provenance(
            f"{called}:{given.digest[:8]}; normalised by max; 1 − relatedness",
            date.today().isoformat(),
            {"concepts": 3},
        )


def test_relatedness_outside_the_unit_interval_makes_no_costs_without_normalisation() -> None:
    with pytest.raises(cf.InputError, match=r"from 1 to 4 .*give normalise=\"max\""):
        cf.RelatednessMap(LESK).costs()
    with pytest.raises(cf.InputError, match=r"from -1 to 1 .*give normalise=\"minmax\""):
        cf.RelatednessMap([[0, -1], [1, 0]]).costs("max")


@pytest.mark.parametrize(("value", "how"), [(-2.0, "max"), (0.5, "mean")])
def test_normalisation_that_is_impossible_is_refused(value: float, how: str) -> None:
    with pytest.raises(cf.InputError, match="normalise="):
        cf.RelatednessMap(np.full((3, 3), value)).normalised(how)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "how", "related"),
    [
        (0.0, "max", 0.0),
        (3.0, "max", 1.0),
        (0.0, "minmax", 0.0),
        (0.4, "minmax", 0.4),
        (3.0, "minmax", 1.0),
        (-0.2, "minmax", 0.0),
    ],
)
def test_pairs_that_are_all_equal_are_as_related_as_the_unit_interval_allows(
    value: float, how: Normalisation, related: float
) -> None:
    given = cf.RelatednessMap([[9.0, value], [value, 9.0]])
    assert given.normalised(how).values.tolist() == [[1, related], [related, 1]]
    assert given.costs(how).values.tolist() == [[0, 1 - related], [1 - related, 0]]


@pytest.mark.parametrize("how", ["none", "max", "minmax"])
def test_a_single_concept_costs_nothing(how: str) -> None:
    assert cf.RelatednessMap([[7.0]]).costs(how).values.tolist() == [[0.0]]  # type: ignore[arg-type]


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=9, max_size=9),
    st.sampled_from(["none", "max", "minmax"]),
)
def test_any_relatedness_makes_costs_in_the_unit_interval_or_an_error(
    values: list[float], how: str
) -> None:
    try:
        costs = cf.RelatednessMap(np.reshape(values, (3, 3))).costs(how)  # type: ignore[arg-type]
    except cf.InputError:
        return
    assert ((costs.values >= 0) & (costs.values <= 1)).all()
    assert not costs.values.diagonal().any()


# --- what holds of costs ---


def test_distances_pass_every_check() -> None:
    checks = cf.CostMap(COSTS, NAMES).checks
    assert (checks.symmetric, checks.zero_diagonal, checks.metric) == (True, True, True)
    assert str(checks) == (
        "3 concepts, costs from 0.25 to 0.75\nsymmetric: yes\nzero diagonal: yes\nmetric: yes"
    )
    assert checks.to_dict()["breaches"] == {}


def test_the_worst_pair_the_worst_concept_and_the_worst_detour_are_named() -> None:
    costs = COSTS.copy()
    costs[0, 1], costs[1, 1], costs[0, 2], costs[2, 0] = 0.375, 0.125, 1.0, 1.0
    checks = cf.CostMap(costs, NAMES).checks
    assert not checks.metric
    assert str(checks).splitlines()[1:] == [
        "symmetric: no: cat for dog costs 0.375, the other way round 0.25; so for 1 of 3 pairs",
        "zero diagonal: no: dog for itself costs 0.125; so for 1 of 3 concepts",
        "metric: no: cow for cat costs 1, by way of dog 0.75; so for 1 of 3 pairs",
    ]
    assert json.loads(json.dumps(checks.to_dict()))["breaches"] == {
        "asymmetry": {"concepts": ["cat", "dog"], "by": 0.125, "count": 1},
        "diagonal": {"concepts": ["dog"], "by": 0.125, "count": 1},
        "detour": {"concepts": ["cow", "dog", "cat"], "by": 0.25, "count": 1},
    }


def test_costs_that_break_symmetry_only_are_no_metric_either() -> None:
    costs = COSTS.copy()
    costs[0, 1] = 0.3
    checks = cf.CostMap(costs, NAMES).checks
    assert checks.detour is None
    assert str(checks).endswith("metric: no, see above")


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("seed", range(40))
def test_detours_are_those_that_shortest_paths_find(seed: int, symmetric: bool) -> None:
    random = np.random.default_rng(seed)
    size = int(random.integers(2, 40))
    costs = random.random((size, size)) ** random.choice([0.05, 0.2, 1.0, 4.0])
    costs = np.minimum(costs, costs.T) if symmetric else costs
    np.fill_diagonal(costs, 0.0)
    costs = np.maximum(costs, 1e-6 * (1 - np.eye(size)))  # SciPy takes 0 for no way at all
    shortest = floyd_warshall(costs)
    found = cf.CostMap(costs).checks.detour
    if found is None:
        assert np.allclose(shortest, costs)
        return
    one, by, other = map(int, found.concepts)
    gains = costs - np.min(costs[:, :, None] + costs[None, :, :], axis=1)
    assert found.by == pytest.approx(gains.max())
    assert found.by == pytest.approx(costs[one, other] - costs[one, by] - costs[by, other])
    assert found.count == np.count_nonzero(np.triu((gains > 1e-12) | (gains > 1e-12).T))


def test_distances_in_space_are_a_metric_for_many_concepts() -> None:
    points = np.random.default_rng(0).random((300, 3))
    far = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2)) / 2
    far = np.maximum(far, far.T)
    assert cf.CostMap(far).checks.metric
    far[17, 4] = far[4, 17] = 1.0
    broken = cf.CostMap(far).checks.detour
    assert broken is not None
    assert {broken.concepts[0], broken.concepts[2]} == {"4", "17"}


def test_order_of_concepts_changes_no_check() -> None:
    random = np.random.default_rng(5)
    costs = random.random((12, 12))
    costs = (costs + costs.T) / 2
    names = [f"c{i}" for i in range(12)]
    order = random.permutation(12)
    one = cf.CostMap(costs, names)
    other = cf.CostMap(
        one.over(Axis("concept", 12, np.array(names)[order])), np.array(names)[order]
    )
    mine, theirs = (checks.to_dict()["breaches"] for checks in (one.checks, other.checks))
    for breach in ("diagonal", "detour"):
        assert set(mine[breach]["concepts"]) == set(theirs[breach]["concepts"])
        assert mine[breach]["count"] == theirs[breach]["count"]


# --- costs of an ontology ---


def test_an_ontology_gives_its_costs_as_a_map_with_provenance() -> None:
    onto = cf.Ontology.load("pto2009")
    found = onto.cost_map("flattest", "DIMC")
    assert (found.values == onto.costs("flattest", "DIMC")).all()
    assert (found.concepts, found.name) == (onto.concepts, "DIMC")
    assert found.provenance.source == f"pto2009:{onto.digest[:8]}, DIMC, tree flattest"
    assert found.provenance.counts == {"concepts": 53, "levels": 3}


@pytest.mark.parametrize("name", ["pto2009", "pto2010", "pto2011"])
@pytest.mark.parametrize("tree", ["flat", "flattest", "printed"])
def test_costs_of_a_tree_are_a_metric(name: str, tree: str) -> None:
    onto = cf.Ontology.load(name)
    assert onto.cost_map(tree, "DDMC").checks.metric
    assert onto.cost_map(tree, "DIMC").checks.metric
