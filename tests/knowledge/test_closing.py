"""Closing truths: what judgements imply, and where they contradict each other."""

from __future__ import annotations

import numpy as np
import pytest
from drawn_ontologies import ontologies, standing_for
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.core.progress import part_of
from cranfield.knowledge import Disjoint, Implication, Ontology, Required

ONTOLOGY = Ontology(
    {
        "plants": (),
        "trees": ("plants",),
        "oaks": ("trees",),
        "persons": (),
        "one": ("persons",),
        "several": ("persons",),
        "crowd": ("several",),
        "portrait": (),
    },
    ("plants", "trees", "oaks", "one", "several", "crowd", "portrait"),
    disjoint=(Disjoint(("one", "several")),),
    implications=(Implication("portrait", ("persons",)),),
    required=(Required(("persons", "plants")),),
    name="photos",
)
STATES = {"+": 1, "-": 0, "?": -1, "o": -2}


def truth(*rows: str) -> cf.Truth:
    """+ positive, - negative, ? unjudged, o outside the pool; one letter for each concept."""
    states = np.array([[STATES[letter] for letter in row] for row in rows])
    return cf.Truth(states == 1, judged=states >= 0, pool=states >= -1, concepts=ONTOLOGY.concepts)


def letters(found: cf.Truth) -> list[str]:
    return ["".join({v: k for k, v in STATES.items()}[state] for state in row)
            for row in found.states.tolist()]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("??+????", "+++????"),  # all above
        ("-??????", "---????"),  # all below
        ("?????+?", "???-++?"),  # the rest of the group
        ("???+???", "???+--?"),  # and what stands below it
        ("???---?", "???----"),  # nothing is left that a portrait needs
        ("???-?-+", "???-+-+"),  # one is left
        ("o?+o???", "+++o???"),  # what was not pooled as well
        ("???????", "???????"),
    ],
)
def test_what_follows_is_resolved(before: str, after: str) -> None:
    found = ONTOLOGY.close(truth(before))
    assert letters(found.truth) == [after]
    assert found.contradictions == ()


def test_required_groups_speak_only_on_request() -> None:
    before = truth("?--???+", "---??--", "?--?---")
    assert letters(ONTOLOGY.close(before).truth)[1:] == ["---??--", "?--?---"]
    found = ONTOLOGY.close(truth("---?---"), required=True)
    assert letters(found.truth) == ["---+---"]
    assert found.resolved["required"] == (1, 0)


def test_cells_are_counted_by_the_kind_of_rule_that_resolved_them() -> None:
    found = ONTOLOGY.close(truth("??+????", "-????+?", "???-?-+"))
    assert found.resolved == {
        "hierarchy": (2 + 1, 2),
        "disjoint": (0, 1),
        "implication": (1, 0),
        "required": (0, 0),
    }
    assert found.total == (4, 3)
    assert found.unjudged == 21 - 6 - 7
    assert (found.total, found.contradictions) == ((4, 3), ())


# ── contradictions ────────────────────────────────────────────────────────────────────────────


def test_a_contradiction_says_why_and_nothing_is_concluded_from_it() -> None:
    found = ONTOLOGY.close(truth("-?+????", "?+?+?+?"))
    assert letters(found.truth) == ["-?+????", "++?+?+?"]
    assert [(one.item, one.concept, one.judged) for one in found.contradictions] == [
        ("0", "plants", False),
        ("0", "trees", None),
        ("0", "oaks", True),
        ("1", "one", True),
        ("1", "several", None),
        ("1", "crowd", True),
    ]
    assert str(found.contradictions[1]) == (
        "0, trees: positive, since oaks is positive; oaks needs trees; "
        "but negative, since plants is negative; trees needs plants"
    )
    assert str(found.contradictions[0]) == (
        "0, plants: judged negative, but oaks is positive; oaks needs trees; trees needs plants"
    )
    assert str(found.contradictions[3]) == (
        "1, one: judged positive, but crowd is positive; at most one of one and several"
    )
    assert found.to_dict()["contradictions"][0] == {
        "item": "0",
        "concept": "plants",
        "judged": False,
        "positive": ["oaks is positive", "oaks needs trees", "trees needs plants"],
        "negative": ["plants is negative"],
    }


def test_a_complete_truth_has_nothing_to_resolve_but_may_contradict_itself() -> None:
    found = ONTOLOGY.close(truth("-+-----"))
    assert found.total == (0, 0)
    assert found.unjudged == 0
    assert [one.concept for one in found.contradictions] == ["plants", "trees"]


def test_what_needs_something_that_cannot_be_contradicts_itself() -> None:
    onto = Ontology(
        {"a": (), "b": (), "empty": ()}, ("a", "b"), implications=(Implication("a", ("empty",)),)
    )
    found = onto.close(cf.Truth([[1, 0]], judged=[[1, 0]]))
    assert [str(one) for one in found.contradictions] == [
        "0, a: judged positive, but a is positive; a needs empty"
    ]


# ── by hand, with sets ────────────────────────────────────────────────────────────────────────

Fact = tuple[str, bool]


def right_above(onto: Ontology, node: str) -> set[str]:
    found = set()
    for up in onto.parents[node]:
        found |= {up} if up in onto.concepts else right_above(onto, up)
    return found


def right_below(onto: Ontology, node: str) -> set[str]:
    found = set()
    for down in onto.hierarchy().children[node]:
        found |= {down} if down in onto.concepts else right_below(onto, down)
    return found


def implied(onto: Ontology, facts: set[Fact], required: bool) -> set[Fact]:
    """What one step of reasoning adds."""
    found: set[Fact] = set()
    above = onto.hierarchy().ancestors
    for one in onto.concepts:
        for up in right_above(onto, one):
            found |= {(up, True)} if (one, True) in facts else set()
            found |= {(one, False)} if (up, False) in facts else set()
    for rule in onto.disjoint:
        below = {
            member: {one for one in onto.concepts if member == one or member in above[one]}
            for member in rule.members
        }
        for member, some in below.items():
            if any((one, True) in facts for one in some):
                for other in below.keys() - {member}:
                    found |= {(one, False) for one in below[other]}
    needs = [
        (head, set().union(*(standing_for(onto, need) for need in rule.needs)))
        for rule in onto.implications
        for head in ({rule.concept} & set(onto.concepts) or right_below(onto, rule.concept))
    ]
    for head, enough in needs:
        if head in enough:
            continue
        left = {one for one in enough if (one, False) not in facts}
        if not left and (enough or (head, True) in facts):
            found.add((head, False))
        if (head, True) in facts:
            found |= {(one, True) for one in enough if left <= {one}}
    for group in onto.required if required else ():
        enough = set().union(*(standing_for(onto, member) for member in group.members))
        left = {one for one in enough if (one, False) not in facts}
        found |= {(one, True) for one in enough if left <= {one}}
    return found


def closed(onto: Ontology, facts: set[Fact], barred: set[str], required: bool) -> set[Fact]:
    facts = {fact for fact in facts if fact[0] not in barred}
    while True:
        more = {one for one in implied(onto, facts, required) if one[0] not in barred}
        if more <= facts:
            return facts
        facts = facts | more


def by_hand(onto: Ontology, judged: set[Fact], required: bool) -> tuple[set[Fact], set[str]]:
    """Judgements and what follows from them, and the concepts about which they are at odds."""
    everything = closed(onto, judged, set(), required)
    both = {one for one, _ in everything if {(one, True), (one, False)} <= everything}
    return judged | closed(onto, judged, both, required), both


def drawn_truth(onto: Ontology, seed: int, items: int = 12) -> cf.Truth:
    rng = np.random.default_rng(seed)
    judged = rng.random((items, len(onto.concepts))) < 0.4
    labels = judged & (rng.random(judged.shape) < 0.4)
    return cf.Truth(labels, judged=judged, concepts=onto.concepts)


def facts_of(found: cf.Truth, row: int) -> set[Fact]:
    states = zip(found.concepts, found.states[row].tolist(), strict=True)
    return {(name, state == 1) for name, state in states if state >= 0}


@settings(max_examples=100)
@given(ontologies(), st.integers(0, 999), st.booleans())
def test_closing_agrees_with_reasoning_by_sets(onto: Ontology, seed: int, required: bool) -> None:
    before = drawn_truth(onto, seed)
    found = onto.close(before, required=required)
    for row, item in enumerate(before.items):
        facts, both = by_hand(onto, facts_of(before, row), required)
        assert facts_of(found.truth, row) == facts
        assert {one.concept for one in found.contradictions if one.item == item} == both
    # Each of them can be explained, both ways.
    assert all(one.positive and one.negative for one in found.contradictions)


@given(ontologies(), st.integers(0, 999))
def test_closing_twice_resolves_nothing_more_and_no_judgement_changes(
    onto: Ontology, seed: int
) -> None:
    before = drawn_truth(onto, seed)
    once = onto.close(before)
    again = onto.close(once.truth)
    assert again.total == (0, 0)
    assert again.truth is once.truth
    at_odds = [(one.item, one.concept) for one in once.contradictions]
    assert [(one.item, one.concept) for one in again.contradictions] == at_odds
    known = before.states >= 0
    assert (once.truth.states[known] == before.states[known]).all()
    resolved = np.count_nonzero(once.truth.states[~known] >= 0)
    assert resolved == sum(once.total)


@given(ontologies(), st.integers(0, 999))
def test_the_order_of_columns_and_items_does_not_matter(onto: Ontology, seed: int) -> None:
    before = drawn_truth(onto, seed)
    rng = np.random.default_rng(seed)
    order = np.ix_(rng.permutation(before.shape[0]), rng.permutation(before.shape[1]))
    turned = cf.Truth(
        before.labels[order],
        judged=before.states[order] >= 0,
        items=[before.items[i] for i in order[0].ravel()],
        concepts=[before.concepts[j] for j in order[1].ravel()],
    )
    found, other = onto.close(turned), onto.close(before)
    assert (found.truth.states == other.truth.states[order]).all()
    assert found.resolved == other.resolved
    assert sorted(map(str, found.contradictions)) == sorted(map(str, other.contradictions))


# ── forms ─────────────────────────────────────────────────────────────────────────────────────


@given(ontologies(), st.integers(0, 999))
def test_sparse_truths_stay_sparse_and_say_the_same(onto: Ontology, seed: int) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    before = drawn_truth(onto, seed)
    thin = cf.Truth(
        sparse.csr_matrix(before.labels),
        judged=sparse.csr_matrix(before.states >= 0),
        concepts=onto.concepts,
        unjudged="exclude",
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cranfield.knowledge.closing._CELLS", 16)
        found = onto.close(thin)
    assert found.truth.unjudged == "exclude"
    assert not isinstance(found.truth.matrix, np.ndarray)
    expected = onto.close(before)
    assert (found.truth.states == expected.truth.states).all()
    assert found.resolved == expected.resolved
    assert [(o.item, o.concept) for o in found.contradictions] == [
        (o.item, o.concept) for o in expected.contradictions
    ]
    assert list(map(str, found.contradictions)) == list(map(str, expected.contradictions))


def test_grades_strata_and_the_pool_are_kept() -> None:
    grades = np.array([[0, 0, 3, 0, 0, 0, 0]])
    before = cf.Truth(
        grades=grades,
        judged=grades > 0,
        pool=np.array([[0, 1, 1, 0, 1, 1, 1]]),
        strata=np.arange(7)[None],
        items=["x"],
        concepts=ONTOLOGY.concepts,
    )
    found = ONTOLOGY.close(before).truth
    assert found.grades.tolist() == [[1, 1, 3, 0, 0, 0, 0]]
    assert found.states.tolist() == [[1, 1, 1, -2, -1, -1, -1]]
    assert (found.strata == before.strata).all()
    assert found.items == ("x",)


def test_missing_cells_of_a_frame_are_unjudged() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"item": ["x"], "trees": [1], "plants": [None], "oaks": [None]})
    assert ONTOLOGY.close(frame).truth.states.tolist() == [[1, 1, -1]]


def test_progress_reaches_the_number_of_items() -> None:
    told: list[float] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cranfield.knowledge.closing._CELLS", 7)
        ONTOLOGY.close(truth(*["?" * 7] * 5), progress=part_of(told.append))
    assert told == [1] * 5
