"""Coefficients of agreement against implementations that nobody here wrote."""

from __future__ import annotations

from itertools import combinations

import krippendorff
import numpy as np
import pytest
from nltk.metrics import masi_distance
from nltk.metrics.agreement import AnnotationTask
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa

import cranfield as cf
from cranfield.assessment.agreement import cell_counts, majorities, pair_agreement
from cranfield.assessment.agreement.coefficients import ALL, reading
from cranfield.assessment.votes import Question

SEEDS = range(12)


def random_votes(seed: int, *, gaps: bool, kind: str = "choice", answers: int = 4) -> cf.Votes:
    """One question, annotators who follow a common answer more often than not."""
    rng = np.random.default_rng(seed)
    items, annotators = rng.integers(5, 40), rng.integers(2, 7)
    common = rng.integers(answers, size=(items, 1))
    told = np.where(
        rng.random((items, annotators)) < 0.6,
        common,
        rng.integers(answers, size=(items, annotators)),
    )
    told[0, :] = np.arange(annotators) % answers  # no question without two different answers
    asked = rng.random(told.shape) < (0.7 if gaps else 2.0)
    item, annotator = np.nonzero(asked)
    question = (
        Question("q", "choice", tuple("abcdefgh"[:answers]))
        if kind == "choice"
        else Question.grades("q", range(answers))
    )
    return cf.Votes(
        item, annotator, np.zeros_like(item), told[asked],
        items=range(items), annotators=range(annotators), questions=[question],
    )  # fmt: skip


def table_of(votes: cf.Votes) -> np.ndarray:
    table = votes.ballots[0].table.astype(float)
    table[table < 0] = np.nan
    return table


@pytest.mark.parametrize("seed", SEEDS)
def test_fleiss_and_free_marginal_equal_statsmodels(seed: int) -> None:
    votes = random_votes(seed, gaps=False)
    counts = votes.ballots[0].counts
    assert votes.agreement("fleiss") == pytest.approx(fleiss_kappa(counts, "fleiss"), abs=1e-12)
    assert votes.agreement("free_marginal") == pytest.approx(
        fleiss_kappa(counts, "randolph"), abs=1e-12
    )


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("seed", SEEDS)
def test_alpha_equals_the_package_krippendorff_with_gaps(seed: int, level: str) -> None:
    votes = random_votes(seed, gaps=True, kind="grade")
    theirs = krippendorff.alpha(table_of(votes).T, level_of_measurement=level)
    assert votes.agreement(f"krippendorff_{level}") == pytest.approx(theirs, abs=1e-12)


def test_alpha_takes_grades_as_ordered_unless_told() -> None:
    votes = random_votes(3, gaps=True, kind="grade")
    assert votes.agreement("krippendorff") == votes.agreement("krippendorff_ordinal")
    assert votes.agreement("krippendorff") != votes.agreement("krippendorff_nominal")


@pytest.mark.parametrize("seed", SEEDS)
def test_cohen_is_the_mean_over_pairs_of_scikit_learns(seed: int) -> None:
    votes = random_votes(seed, gaps=True)
    table = votes.ballots[0].table
    kappas = []
    for one, other in combinations(table.T, 2):
        both = (one >= 0) & (other >= 0)
        if both.any() and len({*one[both], *other[both]}) > 1:
            kappas.append(cohen_kappa_score(one[both], other[both]))
    assert votes.agreement("cohen") == pytest.approx(np.mean(kappas), abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_gwet_and_percent_follow_their_definitions_with_gaps(seed: int) -> None:
    votes = random_votes(seed, gaps=True)
    rows = [[int(a) for a in row if a >= 0] for row in votes.ballots[0].table]
    pairs = [np.mean([a == b for a, b in combinations(row, 2)]) for row in rows if len(row) > 1]
    observed = np.mean(pairs)
    shares = np.array([np.bincount(row, minlength=4) / len(row) for row in rows if row]).mean(0)
    chance = (shares * (1 - shares)).sum() / 3
    assert votes.agreement("percent") == pytest.approx(observed, abs=1e-12)
    assert votes.agreement("gwet") == pytest.approx((observed - chance) / (1 - chance), abs=1e-12)


# Rows are items, columns annotators, a point is a gap; the values are those of irrCAC 0.4.4.
WITH_GAPS = ("aab.", "bb.b", "abcc", "..cc", "aaaa", "c.cb", "ddd.", "a..b", "dd.d", "bbab",
             "cccc", "a...", ".d.d")  # fmt: skip
BY_IRRCAC = {
    "percent": 0.694444444444,
    "gwet": 0.592860271572,
    "free_marginal": 0.592592592593,
    "krippendorff": 0.6015625,
    "fleiss": 0.591962905719,  # without the item of one vote, which irrCAC lets count: .591787
}


@pytest.mark.parametrize("coefficient", BY_IRRCAC)
def test_coefficients_with_gaps_are_those_of_irrcac(coefficient: str) -> None:
    cells = [(i, a, said) for i, row in enumerate(WITH_GAPS) for a, said in enumerate(row)]
    votes = cf.Votes.from_choices(*zip(*(cell for cell in cells if cell[2] != "."), strict=True))
    assert votes.agreement(coefficient) == pytest.approx(BY_IRRCAC[coefficient], abs=1e-11)


def random_sets(seed: int) -> cf.Votes:
    rng = np.random.default_rng(seed)
    common = rng.random((15, 1, 5)) < 0.4
    flipped = rng.random((15, 4, 5)) < 0.2
    array = (common ^ flipped).astype(float)
    array[rng.random((15, 4)) < 0.2] = np.nan
    return cf.Votes.from_array(array)


@pytest.mark.parametrize("distance", ["jaccard", "masi"])
@pytest.mark.parametrize("seed", SEEDS)
def test_alpha_of_sets_equals_nltk(seed: int, distance: str) -> None:
    votes = random_sets(seed)
    sets: dict[tuple[str, str], set[str]] = {}
    for item, annotator, concept, value in votes.frame.rows():
        sets.setdefault((annotator, item), set()).update({concept} if value == "yes" else ())
    often = [item for item in votes.items if sum(i == item for _, i in sets) > 1]
    data = [(a, i, frozenset(s)) for (a, i), s in sets.items() if i in often]

    def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
        return 1 - len(one & other) / len(one | other) if one | other else 0.0

    def masi(one: frozenset[str], other: frozenset[str]) -> float:
        if one == other:
            return 0.0
        inside = one <= other or other <= one
        likeness = 2 / 3 if inside else 1 / 3 if one & other else 0.0
        return 1 - (1 - jaccard(one, other)) * likeness

    if all(one | other for (_, _, one), (_, _, other) in combinations(data, 2)):
        a, b = data[0][2], data[1][2]
        assert masi(a, b) == pytest.approx(masi_distance(a, b), abs=0.01)  # they round thirds
    task = AnnotationTask(data, distance=jaccard if distance == "jaccard" else masi)
    assert votes.agreement(f"krippendorff_{distance}") == pytest.approx(task.alpha(), abs=1e-9)


def test_sets_need_everybody_to_be_asked_the_same() -> None:
    votes = cf.Votes.from_array([[[1, 0], [1, np.nan]]])
    with pytest.raises(cf.InputError, match="not everybody was asked the same"):
        votes.agreement("krippendorff_masi")


def test_overall_is_the_mean_over_questions_and_undefined_ones_are_named() -> None:
    array = np.zeros((6, 3, 3))
    array[:3, :, 0] = 1
    array[0, 0, 1] = 1
    votes = cf.Votes.from_array(array, concepts=["P", "Q", "R"])
    found = votes.agreement("fleiss")
    assert found.by_question["P"] == 1.0
    assert found.undefined == ("R",)
    assert found == pytest.approx((1.0 + found.by_question["Q"]) / 2)
    assert found.frame["fleiss"].to_list()[2] is None


def test_items_with_one_vote_are_dropped_and_counted() -> None:
    votes = cf.Votes.from_choices("aabbc", "xyxyx", "PPPQQ")
    alone = cf.Votes.from_choices("aabb", "xyxy", "PPPQ")
    assert votes.agreement("fleiss") == alone.agreement("fleiss")
    assert votes.agreement("fleiss").dropped == {"label": 1}


def test_intervals_hold_the_value_and_depend_on_nothing_but_seed_and_votes() -> None:
    votes = random_votes(1, gaps=True)
    for name in ("fleiss", "gwet", "krippendorff", "cohen"):
        found = votes.agreement(name)
        low, high = found.interval(samples=300)
        assert low < found < high
        assert found.interval(samples=300) == (low, high) != found.interval(samples=300, seed=1)
    frame = votes.frame.reverse()
    again = cf.Votes.from_choices(frame["item"], frame["annotator"], frame["value"])
    mine, theirs = votes.agreement("gwet"), again.agreement("gwet")
    assert mine == pytest.approx(theirs)
    assert mine.interval(samples=200) == pytest.approx(theirs.interval(samples=200))


def test_the_interval_of_sets_is_that_of_drawn_items() -> None:
    low, high = random_sets(2).agreement("krippendorff_jaccard").interval(samples=200)
    assert low < random_sets(2).agreement("krippendorff_jaccard") < high


def test_readings_are_those_of_landis_and_koch() -> None:
    values = [-0.1, 0.0, 0.2, 0.3, 0.6, 0.61, 0.81, np.nan]
    assert [reading(value) for value in values] == [
        "poor", "slight", "slight", "fair", "moderate", "substantial", "almost perfect",
        "undefined",
    ]  # fmt: skip


def test_pairs_agree_on_as_many_cells_as_one_counts() -> None:
    rng = np.random.default_rng(5)
    array = (rng.random((7, 4, 6)) < 0.4).astype(float)
    array[rng.random(array.shape) < 0.2] = np.nan
    found = pair_agreement(cf.Votes.from_array(array))
    for one, other in combinations(range(4), 2):
        both = ~np.isnan(array[:, one]) & ~np.isnan(array[:, other])
        same = (array[:, one] == array[:, other])[both].mean()
        assert found.pairs[one, other] == pytest.approx(same)
    yes, asked = (array == 1).sum(axis=1), (~np.isnan(array)).sum(axis=1)
    merged = 2 * yes > asked
    for one in range(4):
        there = ~np.isnan(array[:, one])
        assert found.merged[one] == pytest.approx((array[:, one] == merged)[there].mean())


def test_two_choices_differ_in_two_cells_of_their_group() -> None:
    votes = cf.Votes.from_choices("aabb", "xyxy", "PQRR")
    assert pair_agreement(votes).pairs[0, 1] == pytest.approx(4 / 6)


def test_the_agreement_map_counts_who_is_with_the_majority() -> None:
    array = np.zeros((2, 11, 3))
    array[0, :2, 0] = 1  # nine of eleven did not choose it: 82 % (Nowak 2011 §6.4.1)
    array[1, :, 1] = 1
    votes = cf.Votes.from_array(array, concepts=["P", "Q", "R"])
    assert votes.agreement_map().values.tolist() == pytest.approx([(9 / 11 + 1) / 2, 1, 1])
    selected = votes.agreement_map("selected")
    assert selected.values.tolist() == pytest.approx([9 / 11, 1, 1])
    assert selected.provenance.counts["concepts nobody chose"] == 1
    counts = cell_counts(votes)
    assert counts.by_item("selected").tolist() == pytest.approx([9 / 11, 1])
    assert (pair_agreement(votes).by_item == counts.accuracy_by_item()).all()
    assert counts.accuracy_by_item()[0] == pytest.approx((2 + (2 * 1 + 9 * 8) / 110) / 3)


def test_an_agreement_map_serves_the_ontology_score() -> None:
    ontology = cf.Ontology.load("pto2009")
    rng = np.random.default_rng(0)
    truth = rng.random((9, 53)) < 0.2
    votes = cf.Votes.from_array((truth[:, None] ^ (rng.random((9, 5, 53)) < 0.1)).astype(float),
                                concepts=ontology.concepts)  # fmt: skip
    run = cf.Run(labels=rng.random((9, 53)) < 0.2, concepts=ontology.concepts)
    plain, weighted = (
        cf.evaluate(cf.Truth(truth, concepts=ontology.concepts), [run], ["OS"], ontology=ontology,
                    agreement=agreement)[run.name, "OS"]
        for agreement in (None, votes.agreement_map())
    )  # fmt: skip
    assert plain < weighted


def test_groups_vote_by_their_majorities() -> None:
    votes = cf.Votes.from_choices("aaaaabb", "vwxyzxy", "PPQQQQP")
    merged = majorities(votes, {"experts": ["v", "w", "x"], "crowd": ["y", "z"]})
    assert merged.frame.select("item", "annotator", "value").rows() == [
        ("a", "experts", "P"), ("a", "crowd", "Q"), ("b", "experts", "Q"), ("b", "crowd", "P"),
    ]  # fmt: skip
    with pytest.raises(cf.InputError, match="nobody voted with: 'q'"):
        majorities(votes, {"experts": ["q"]})


def test_an_unknown_coefficient_is_refused() -> None:
    with pytest.raises(cf.InputError, match="choose one of percent, fleiss"):
        random_votes(0, gaps=False).agreement("cronbach")


def repeating(seed: int) -> tuple[cf.Votes, cf.Votes]:
    """Votes of which some are cast again in a second batch, and the last votes alone."""
    rng = np.random.default_rng(seed)
    shape = (20, 4, 2)
    first, second = rng.integers(2, size=(2, *shape))
    again = rng.random(shape) < 0.5
    last = cf.Votes.from_array(np.where(again, second, first))
    whole = cf.Votes.from_array(first)
    item, annotator, question = np.nonzero(again)
    both = cf.Votes(
        np.concatenate([whole.item, item]),
        np.concatenate([whole.annotator, annotator]),
        np.concatenate([whole.question, question]),
        np.concatenate([whole.answer, second[again]]),
        items=whole.items,
        annotators=whole.annotators,
        questions=whole.questions,
        batch=np.concatenate([np.zeros(len(whole), dtype=int), np.ones(again.sum(), dtype=int)]),
        batches=("first", "second"),
    )
    return both, last


@pytest.mark.parametrize("coefficient", ALL)
def test_who_votes_again_counts_once_with_the_last_batch(coefficient: str) -> None:
    both, last = repeating(0)
    found = both.agreement(coefficient)
    assert found == pytest.approx(last.agreement(coefficient), abs=1e-12)
    assert found.repeated == len(both) - len(last) > 0
    assert last.agreement(coefficient).repeated == 0
    assert found.interval(samples=20) == last.agreement(coefficient).interval(samples=20)


def test_maps_pairs_and_majorities_count_everybody_once() -> None:
    both, last = repeating(1)
    np.testing.assert_array_equal(pair_agreement(both).pairs, pair_agreement(last).pairs)
    np.testing.assert_array_equal(pair_agreement(both).merged, pair_agreement(last).merged)
    np.testing.assert_array_equal(both.agreement_map().values, last.agreement_map().values)
    groups = {"some": both.annotators[:3]}
    assert majorities(both, groups).answer.tolist() == majorities(last, groups).answer.tolist()


def test_nobody_agrees_with_themselves() -> None:
    once = cf.Votes.from_columns(["p", "q"], ["ann"] * 2, ["Sky"] * 2, [1, 0])
    twice = cf.Votes(
        [0, 0, 1, 1], [0] * 4, [0] * 4, [1, 1, 0, 0], items="pq", annotators=["ann"],
        questions=once.questions, batch=[0, 1, 0, 1], batches="12",
    )  # fmt: skip
    assert np.isnan(twice.agreement("fleiss"))
    assert np.isnan(twice.agreement("percent"))
    assert np.isnan(twice.agreement("krippendorff_jaccard"))


def several_questions(seed: int, *, gaps: bool) -> tuple[cf.Votes, np.ndarray]:
    """A group of three concepts and two optional ones; (annotators, items, 5) cells, NaN = none."""
    rng = np.random.default_rng(seed)
    annotators, items = 4, 9
    asked = rng.random((annotators, items, 3)) < (0.8 if gaps else 2.0)
    answers = np.stack([rng.integers(size, size=(annotators, items)) for size in (3, 2, 2)], axis=2)
    answers[:, :3, 1:] = 0  # items on which nobody selects an optional concept
    annotator, item, question = np.nonzero(asked)
    votes = cf.Votes(
        item, annotator, question, answers[asked],
        items=range(items), annotators=range(annotators),
        questions=[Question("group", "choice", ("a", "b", "c")), Question("x"), Question("y")],
    )  # fmt: skip
    cells = np.full((annotators, items, 5), np.nan)
    for place in range(3):
        cells[:, :, place] = np.where(asked[:, :, 0], answers[:, :, 0] == place, np.nan)
    for place in (1, 2):
        cells[:, :, place + 2] = np.where(asked[:, :, place], answers[:, :, place], np.nan)
    return votes, cells


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_accuracy_ex_is_the_literal_count_of_pairs_in_both_readings(seed: int, gaps: bool) -> None:
    votes, cells = several_questions(seed, gaps=gaps)
    expected: dict[str, list[float]] = {"all": [], "selected": []}
    for item in range(cells.shape[1]):
        for paradigm, values in expected.items():
            alike = total = 0
            for concept in range(5):
                column = cells[:, item, concept]
                if paradigm == "selected" and not (column == 1).any():
                    continue
                for one, other in combinations(column[~np.isnan(column)], 2):
                    alike += one == other
                    total += 1
            values.append(alike / total if total else np.nan)
    found = pair_agreement(votes)
    np.testing.assert_allclose(found.by_item, expected["all"])
    np.testing.assert_allclose(found.by_item_selected, expected["selected"])
    means = cell_counts(votes).means()
    assert means.accuracy_ex["selected"] == pytest.approx(np.nanmean(expected["selected"]))


def test_accuracy_ex_of_all_cells_is_the_mean_over_pairs_if_everybody_judged_all() -> None:
    votes, _ = several_questions(7, gaps=False)
    found = pair_agreement(votes)
    assert found.mean_by_item == pytest.approx(found.mean)
    assert found.mean_by_item_selected < found.mean_by_item


@pytest.mark.parametrize("coefficient", ["fleiss", "free_marginal"])
def test_groups_and_optional_concepts_are_averaged_apart(coefficient: str) -> None:
    votes, _ = several_questions(3, gaps=False)
    method = {"fleiss": "fleiss", "free_marginal": "randolph"}[coefficient]
    group, *optional = (fleiss_kappa(ballot.counts, method) for ballot in votes.ballots)
    found = votes.agreement(coefficient)
    assert found.exclusive == pytest.approx(group)
    assert found.optional == pytest.approx(np.mean(optional))
    assert found == pytest.approx((group + sum(optional)) / 3)
