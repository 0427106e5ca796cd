"""Repairing label sets: the smallest change, or the most probable set, that breaks no rule."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np
import pytest
from drawn_ontologies import follows, ontologies, standing_for
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.core.progress import part_of
from cranfield.knowledge import Disjoint, Implication, Ontology, Required
from cranfield.knowledge.consistency import nearest

ONTOLOGY = Ontology(
    {
        "plants": (),
        "trees": ("plants",),
        "flowers": ("plants",),
        "persons": (),
        "one": ("persons",),
        "several": ("persons",),
        "nobody": ("persons",),
        "portrait": (),
    },
    ("plants", "trees", "flowers", "one", "several", "nobody", "portrait"),
    disjoint=(Disjoint(("one", "several", "nobody")),),
    implications=(Implication("portrait", ("one", "several")),),
    required=(Required(("persons",)),),
    name="photos",
)


def sets(*items: str) -> np.ndarray:
    return np.array([[name in item.split() for name in ONTOLOGY.concepts] for item in items])


def repaired(item: str, **options: object) -> str:
    found = ONTOLOGY.repair(sets(item), **options).labels[0]
    return " ".join(name for name, there in zip(ONTOLOGY.concepts, found, strict=True) if there)


# ── the smallest change ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("trees one", "plants trees one"),
        ("trees flowers", "plants trees flowers"),
        ("one nobody", "nobody"),
        ("one several nobody", "nobody"),
        ("portrait", ""),
        ("nobody portrait", "nobody"),
        ("one nobody portrait", "one portrait"),
        ("plants several", "plants several"),
    ],
)
def test_the_smallest_change_is_made_and_ties_follow_the_rule(before: str, after: str) -> None:
    assert repaired(before) == after


def test_required_groups_are_filled_only_on_request() -> None:
    assert repaired("trees") == "plants trees"
    assert repaired("plants", required=True) == "plants nobody"
    assert repaired("portrait", required=True) == "one portrait"


def label_sets(onto: Ontology) -> list[set[str]]:
    names = onto.concepts
    return [
        set(some)
        for some in chain.from_iterable(combinations(names, n) for n in range(len(names) + 1))
    ]


def needed(onto: Ontology) -> set[str]:
    """Concepts that something cannot do without."""
    above = onto.hierarchy().ancestors
    found = {one for other in onto.concepts for one in above[other] & set(onto.concepts)}
    for rule in onto.implications:
        asked = standing_for(onto, rule.concept)
        enough = set().union(*(standing_for(onto, need) for need in rule.needs))
        enough = {one for one in enough if not above[one] & enough}
        if len(enough) == 1 and asked - enough:
            found |= enough
    return found


def by_hand(onto: Ontology, before: set[str], *, required: bool) -> set[str] | None:
    """The nearest of all label sets, found by looking at each of them."""
    alone = needed(onto)

    def distance(after: set[str]) -> tuple[object, ...]:
        added, removed = after - before, before - after
        prefer = sum(1 if one in alone else 3 for one in added) + 2 * len(removed)
        return len(added | removed), prefer, [one not in after for one in sorted(onto.concepts)]

    able = [after for after in label_sets(onto) if follows(onto, after, required=required)]
    return min(able, key=distance, default=None)


def as_sets(onto: Ontology, labels: np.ndarray) -> list[set[str]]:
    return [{onto.concepts[j] for j in np.flatnonzero(row)} for row in labels]


def drawn_labels(onto: Ontology, seed: int, items: int = 12) -> np.ndarray:
    return np.random.default_rng(seed).random((items, len(onto.concepts))) < 0.5


@settings(max_examples=100)
@given(ontologies(), st.integers(0, 999), st.booleans(), st.booleans())
def test_the_smallest_change_is_the_one_found_by_looking_at_all_label_sets(
    onto: Ontology, seed: int, required: bool, entangled: bool
) -> None:
    labels = drawn_labels(onto, seed)
    with pytest.MonkeyPatch.context() as patch:
        if entangled:  # so that the other way is taken
            patch.setattr(nearest, "_MOST_STATES", 2)
            patch.setattr("cranfield.knowledge.consistency.branching._MOST_CUTS", 10**6)
        if by_hand(onto, set(), required=required) is None:
            with pytest.raises(cf.InputError, match="no label set can have"):
                onto.repair(labels, required=required)
            return
        found = onto.repair(labels, required=required)
    for before, after in zip(as_sets(onto, labels), as_sets(onto, found.labels), strict=True):
        assert after == by_hand(onto, before, required=required)


@given(ontologies(), st.integers(0, 999))
def test_the_order_of_columns_and_items_does_not_matter(onto: Ontology, seed: int) -> None:
    labels = drawn_labels(onto, seed)
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(len(labels)), rng.permutation(len(onto.concepts))
    turned = cf.Truth(
        labels[np.ix_(rows, columns)], concepts=[onto.concepts[column] for column in columns]
    )
    found = onto.repair(turned).labels.labels
    assert (found == onto.repair(labels).labels[np.ix_(rows, columns)]).all()


@given(ontologies(), st.integers(0, 999))
def test_over_some_of_the_concepts_nothing_that_can_be_checked_is_broken(
    onto: Ontology, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    some = rng.choice(onto.concepts, rng.integers(1, len(onto.concepts) + 1), replace=False)
    labels = rng.random((20, len(some))) < 0.5
    found = onto.repair(cf.Truth(labels, concepts=some)).labels
    assert onto.violations(found) == []
    assert onto.repair(found).changes == ()


# ── many concepts ─────────────────────────────────────────────────────────────────────────────


def test_of_a_large_disjoint_group_the_first_by_id_stays() -> None:
    names = [f"c{i:03}" for i in range(300)]
    onto = Ontology(dict.fromkeys(names, ()), disjoint=(Disjoint(tuple(names[::-1])),))
    labels = np.random.default_rng(0).random((50, 300)) < 0.3
    found = onto.repair(labels)
    assert (found.labels.sum(axis=1) == 1).all()
    assert (found.labels.argmax(axis=1) == labels.argmax(axis=1)).all()


def test_pairs_that_make_a_large_group_are_one() -> None:
    names = [f"c{i:03}" for i in range(70)]
    onto = Ontology(dict.fromkeys(names, ()), disjoint=tuple(map(Disjoint, combinations(names, 2))))
    assert onto.repair(np.ones((1, 70))).labels.sum() == 1


def test_a_long_line_of_parents_is_added_where_that_is_less_than_to_remove() -> None:
    names = [f"c{i:03}" for i in range(400)]
    onto = Ontology({name: (names[i - 1],) if i else () for i, name in enumerate(names)})
    labels = np.zeros((2, 400), dtype=np.bool_)
    labels[0, 150:] = True  # 150 parents are missing, 250 would have to go
    labels[1, 399] = True
    found = onto.repair(labels)
    assert found.labels.sum(axis=1).tolist() == [400, 0]


def test_both_ways_to_search_agree_on_ontologies_too_large_to_try_everything() -> None:
    rng = np.random.default_rng(5)
    for _ in range(10):
        names = [f"c{i:02}" for i in rng.permutation(40)]
        parents = {
            name: tuple({names[j] for j in rng.integers(0, i, 2)}) if i > 4 else ()
            for i, name in enumerate(names)
        }
        above = Ontology(parents).hierarchy().ancestors
        groups = [rng.choice(names, 3, replace=False).tolist() for _ in range(40)]
        apart = [g for g in groups if not any(one in above[two] for one in g for two in g)]
        onto = Ontology(
            parents,
            disjoint=tuple(Disjoint(tuple(group)) for group in apart[:6]),
            implications=tuple(Implication(g[0], tuple(g[1:])) for g in apart[6:9]),
        )
        labels = rng.random((15, 40)) < 0.3
        odds = rng.random((15, 40))
        one, other = onto.repair(labels), onto.repair(cf.Run(odds), odds)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(nearest, "_MOST_STATES", 40)
            assert (onto.repair(labels).labels == one.labels).all()
            again = onto.repair(cf.Run(odds), odds).labels
        assert (again.labels == other.labels.labels).all()


def test_a_large_hierarchy_in_which_all_have_several_parents_is_repaired() -> None:
    rng = np.random.default_rng(1)
    names = [f"c{i:03}" for i in range(300)]
    parents = {
        name: tuple({names[j] for j in rng.integers(0, i, 2)}) if i else ()
        for i, name in enumerate(names)
    }
    onto = Ontology(parents)
    ancestors = onto.hierarchy().ancestors
    above = np.array([[upper in ancestors[lower] for upper in names] for lower in names])
    leaves = rng.random((5, 300)) < 0.02
    closed = leaves | ((leaves.astype(np.int64) @ above) > 0)
    noisy = closed ^ (rng.random(closed.shape) < 0.01)
    found = onto.repair(noisy)
    assert onto.violations(found.labels) == []
    # Undoing the noise is one way to repair; the smallest change is no larger.
    assert (found.labels != noisy).sum() <= (closed != noisy).sum()


# ── the most probable label set ───────────────────────────────────────────────────────────────


def log_probability(p: np.ndarray, present: set[str], concepts: tuple[str, ...]) -> float:
    there = np.array([one in present for one in concepts])
    p = np.clip(p, 1e-12, 1 - 1e-12)
    return float(np.where(there, np.log(p), np.log1p(-p)).sum())


@settings(max_examples=60)
@given(ontologies(), st.integers(0, 999), st.booleans(), st.booleans())
def test_no_label_set_that_breaks_no_rule_is_more_probable(
    onto: Ontology, seed: int, required: bool, entangled: bool
) -> None:
    rng = np.random.default_rng(seed)
    shares = rng.random((8, len(onto.concepts)))
    shares[rng.random(shares.shape) < 0.2] = rng.choice([0.0, 0.5, 1.0])
    able = [one for one in label_sets(onto) if follows(onto, one, required=required)]
    if not able:
        return
    run = cf.Run(shares, concepts=onto.concepts)
    with pytest.MonkeyPatch.context() as patch:
        if entangled:
            patch.setattr(nearest, "_MOST_STATES", 2)
            patch.setattr("cranfield.knowledge.consistency.branching._MOST_CUTS", 10**6)
        found = onto.repair(run, run, required=required).labels
    for row, after in zip(shares, as_sets(onto, found.labels), strict=True):
        assert after in able
        best = max(log_probability(row, one, onto.concepts) for one in able)
        assert log_probability(row, after, onto.concepts) == pytest.approx(best, abs=1e-9)


def test_confidences_decide_what_a_smaller_change_would_not() -> None:
    shares = [[0.1, 0.9, 0.8, 0.6, 0.7, 0.2, 0.1], [0.3, 0.55, 0.2, 0.6, 0.7, 0.2, 0.9]]
    run = cf.Run(shares, concepts=ONTOLOGY.concepts)
    found = ONTOLOGY.repair(run, run)
    assert as_sets(ONTOLOGY, found.labels.labels) == [
        {"plants", "trees", "flowers", "several"},
        {"portrait", "several"},
    ]
    assert found.by == "confidences"


def test_the_confidences_of_somebody_else_align_by_ids() -> None:
    truth = cf.Truth(sets("one several", "trees"), items="xy", concepts=ONTOLOGY.concepts)
    shares = np.full((2, 7), 0.2)
    shares[:, ONTOLOGY.concepts.index("several")] = 0.9
    run = cf.Run(shares[:, ::-1], items="yx", concepts=ONTOLOGY.concepts[::-1])
    assert as_sets(ONTOLOGY, ONTOLOGY.repair(truth, run).labels.labels) == [{"several"}, set()]
    with pytest.raises(cf.InputError, match="lacks 1 item of the truth: 'x'"):
        ONTOLOGY.repair(truth, cf.Run(shares[:1], items="y", concepts=ONTOLOGY.concepts))


def test_at_another_threshold_decisions_that_break_no_rule_stay() -> None:
    shares = [[0.4, 0.35, 0.1, 0.32, 0.31, 0.1, 0.1]]
    run = cf.Run(shares, concepts=ONTOLOGY.concepts, threshold=0.3)
    found = ONTOLOGY.repair(run, run).labels
    assert as_sets(ONTOLOGY, found.labels) == [{"plants", "trees", "one"}]


def test_decisions_that_no_broken_rule_reaches_stay_whatever_confidences_say() -> None:
    run = cf.Run(np.full((1, 7), 0.1), labels=sets("plants one several"))
    assert as_sets(ONTOLOGY, ONTOLOGY.repair(run, run).labels.labels) == [{"plants"}]


def test_scores_that_are_no_probabilities_are_refused() -> None:
    run = cf.Run(np.linspace(-1, 3, 7)[None], name="svm", threshold=0.0)
    with pytest.raises(cf.InputError, match=r"'svm' has scores from -1 to 3; .* calibrate them"):
        ONTOLOGY.repair(run, run)
    decided = cf.Run(labels=sets("one"), name="yes")
    with pytest.raises(cf.InputError, match="'yes' has decisions and no confidences"):
        ONTOLOGY.repair(decided, decided)


# ── what comes back ───────────────────────────────────────────────────────────────────────────


def test_changes_name_the_item_its_labels_and_the_rules_that_were_broken() -> None:
    found = ONTOLOGY.repair(
        cf.Truth(sets("trees one nobody", "one", "trees"), items="abc", concepts=ONTOLOGY.concepts)
    )
    assert list(map(str, found.changes)) == [
        "a: +plants −one (at most one of one, several and nobody; trees needs plants)",
        "c: +plants (trees needs plants)",
    ]
    assert [(str(rule), n) for rule, n in found.broken.items()] == [
        ("trees needs plants", 2),
        ("at most one of one, several and nobody", 1),
    ]
    assert (found.items, found.added, found.removed) == (3, 2, 1)
    assert "2 of 3 items changed: 2 labels added, 1 removed" in repr(found)
    assert found.to_dict()["changes"][1] == {
        "item": "c",
        "added": ["plants"],
        "removed": [],
        "broken": ["trees needs plants"],
    }


def test_a_matrix_comes_back_in_its_type() -> None:
    found = ONTOLOGY.repair(sets("trees").astype(np.int8)).labels
    assert found.dtype == np.int8
    assert found.tolist() == [[1, 1, 0, 0, 0, 0, 0]]


def test_a_truth_keeps_all_else_that_is_known() -> None:
    grades = sets("trees one nobody", "plants") * 3
    judged = np.ones_like(grades)
    judged[:, [0, 2]] = 0
    judged[1, 0] = 1
    pool = judged.copy()
    pool[0, 2] = 1
    strata = np.arange(14).reshape(2, 7)
    truth = cf.Truth(
        grades=grades, judged=judged, pool=pool, strata=strata, items="xy",
        concepts=ONTOLOGY.concepts, unjudged="exclude",
    )  # fmt: skip
    after = ONTOLOGY.repair(truth).labels
    assert after.items == truth.items
    assert after.unjudged == "exclude"
    assert (after.strata == strata).all()
    changed = truth.states != after.states
    assert np.argwhere(changed).tolist() == [[0, 0], [0, 3]]
    assert after.states[0].tolist() == [1, 1, -1, 0, 0, 1, 0]
    assert after.grades[0].tolist() == [1, 3, 0, 0, 0, 3, 0]
    assert ONTOLOGY.repair(after).labels is after


def test_a_run_keeps_its_scores_and_gets_decisions() -> None:
    scores = np.array([[0.1, 0.9, 0.2, 0.3, 0.2, 0.1, 0.1]], dtype=np.float32)
    run = cf.Run(
        scores, name="mine", items="x", concepts=ONTOLOGY.concepts, group="us", tags={"a": "b"}
    )
    after = ONTOLOGY.repair(run).labels
    assert (after.scores == scores).all()
    assert after.labels.tolist() == [[True, True, *[False] * 5]]
    assert (after.name, after.group, after.tags, after.items) == ("mine", "us", {"a": "b"}, ("x",))


def test_a_sparse_run_stays_sparse_and_what_is_added_to_it_ranks_last() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    scores = sparse.csr_matrix(([0.9, 0.6, 0.2, 0.7], ([0, 0, 0, 1], [1, 3, 4, 3])), shape=(2, 7))
    after = ONTOLOGY.repair(cf.Run(scores, concepts=ONTOLOGY.concepts)).labels
    assert after.sparse
    assert after.scores.dense()[0].tolist() == [0.2, 0.9, 0, 0.6, 0.2, 0, 0]
    assert as_sets(ONTOLOGY, after.labels.dense()) == [{"plants", "trees", "one"}, {"one"}]


def test_progress_reaches_the_number_of_items() -> None:
    told: list[float] = []
    ONTOLOGY.repair(np.ones((5000, 7)), progress=part_of(told.append))
    assert sum(told) == 5000
    assert len(told) > 1


# ── what cannot be ────────────────────────────────────────────────────────────────────────────


def test_a_concept_that_no_label_set_can_hold_is_removed() -> None:
    onto = Ontology(
        {"a": (), "b": (), "c": ("a", "b"), "d": ()},
        disjoint=(Disjoint(("a", "b")),),
        required=(Required(("c",)),),
        name="odd",
    )
    assert "c" in onto.contradictions
    assert onto.repair(np.ones((1, 4))).labels.tolist() == [[1, 0, 0, 1]]
    with pytest.raises(cf.InputError, match="odd: no label set can have at least one of c, since"):
        onto.repair(np.ones((1, 4)), required=True)


def test_required_groups_that_exclude_each_other_are_said() -> None:
    onto = Ontology(
        {"a": (), "b": ()},
        disjoint=(Disjoint(("a", "b")),),
        required=(Required(("a",)), Required(("b",))),
    )
    with pytest.raises(cf.InputError, match="no label set can have one label of each required"):
        onto.repair(np.zeros((1, 2)), required=True)


def test_concepts_of_others_are_refused() -> None:
    with pytest.raises(cf.InputError, match="photos does not know: 'cat'"):
        ONTOLOGY.repair(cf.Truth([[1]], concepts=["cat"]))
