"""Merging of votes against crowd-kit, likelihoods written out, and the real data sets."""

from __future__ import annotations

import csv
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from cranfield.assessment.merging import METHODS

CROWD = Path(__file__).parents[3] / "shared" / "data" / "crowd"


def crowd(seed: int, *, items: int = 60, annotators: int = 8, answers: int = 3) -> cf.Votes:
    """Workers of different skill, some of them careless, each on most of the items."""
    rng = np.random.default_rng(seed)
    right = rng.integers(answers, size=items)
    skill = rng.uniform(0.35, 0.95, size=annotators)
    knows = rng.random((items, annotators)) < skill
    said = np.where(knows, right[:, None], rng.integers(answers, size=knows.shape))
    item, annotator = np.nonzero(rng.random(said.shape) < 0.7)
    return cf.Votes.from_choices(item, annotator, said[item, annotator])


def answers_of(votes: cf.Votes, method: str, **options: object) -> dict[str, str]:
    fit = votes.consensus(method, **options).fits[0]
    names = votes.questions[0].answers
    return {item: names[place] for item, place in zip(votes.items, fit.answer, strict=True)}


def frame_of(votes: cf.Votes):  # type: ignore[no-untyped-def]
    pandas = pytest.importorskip("pandas")
    frame = votes.frame
    return pandas.DataFrame(
        {"task": frame["item"], "worker": frame["annotator"], "label": frame["value"]}
    )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("iterations", [1, 2, 12])
@pytest.mark.parametrize("name", ["DawidSkene", "OneCoinDawidSkene"])
def test_beliefs_equal_crowd_kits_after_every_iteration(name: str, iterations: int) -> None:
    aggregation = pytest.importorskip("crowdkit.aggregation")
    votes = crowd(iterations)
    theirs = getattr(aggregation, name)(n_iter=iterations, tol=-np.inf)
    expected = theirs.fit_predict_proba(frame_of(votes))
    expected = expected.loc[list(votes.items), list(votes.questions[0].answers)].to_numpy()
    method = {"DawidSkene": "dawid_skene", "OneCoinDawidSkene": "one_coin"}[name]
    fit = votes.consensus(method, smoothing=0.0, tolerance=0.0, iterations=iterations).fits[0]
    assert fit.belief == pytest.approx(expected, abs=1e-8)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("method", ["mace", "glad"])
def test_answers_are_mostly_crowd_kits(method: str) -> None:
    aggregation = pytest.importorskip("crowdkit.aggregation")
    votes = crowd(3, items=40)
    theirs = {
        "mace": lambda: aggregation.MACE(n_restarts=1, n_iter=20),
        "glad": lambda: aggregation.GLAD(n_iter=8),
    }[method]()
    expected = theirs.fit_predict(frame_of(votes))
    mine = answers_of(votes, method)
    assert sum(mine[item] == expected[item] for item in mine) >= 37


def likelihood_of_three(votes: cf.Votes, belief: np.ndarray) -> float:
    """What Dawid and Skene maximise, written out: priors and confusions from beliefs."""
    table = votes.ballots[0].table
    answers, annotators = belief.shape[1], table.shape[1]
    priors = belief.mean(axis=0)
    taken = np.zeros((annotators, answers, answers))
    for (i, a), j in product(zip(*np.nonzero(table >= 0), strict=True), range(answers)):
        taken[a, j, table[i, a]] += belief[i, j]
    taken /= taken.sum(axis=2, keepdims=True)
    total = 0.0
    for i in range(len(table)):
        terms = priors.copy()
        for a in range(annotators):
            if table[i, a] >= 0:
                terms *= taken[a, :, table[i, a]]
        total += np.log(terms.sum())
    return total


def test_the_likelihood_is_the_one_written_out_and_never_falls() -> None:
    votes = crowd(11)
    fit = votes.consensus("dawid_skene", smoothing=0.0, tolerance=1e-13, iterations=5000).fits[0]
    assert fit.likelihoods[-1] == pytest.approx(likelihood_of_three(votes, fit.belief), abs=1e-6)
    assert (np.diff(fit.likelihoods) > -1e-9).all()
    assert (np.diff(votes.consensus("one_coin", smoothing=0.0).fits[0].likelihoods) > -1e-9).all()


DATA = [
    ("bluebird", "majority", 0.759),
    ("rte", "majority", 0.919),
    ("dog", "majority", 0.818),
    ("bluebird", "dawid_skene", 0.898),
    ("rte", "dawid_skene", 0.928),
    ("dog", "dawid_skene", 0.843),
    ("bluebird", "mace", 0.861),
    ("rte", "mace", 0.926),
    ("dog", "mace", 0.830),
    ("rte", "glad", 0.925),
    ("dog", "glad", 0.831),
]
"""Majority and Dawid–Skene as published, GLAD and MACE as literal fits of their models have it."""


@pytest.mark.skipif(not CROWD.exists(), reason="the data sets are not here")
@pytest.mark.parametrize(("name", "method", "accuracy"), DATA)
def test_accuracy_on_real_crowds(name: str, method: str, accuracy: float) -> None:
    def rows(file: str) -> list[list[str]]:
        with (CROWD / name / file).open() as lines:
            return list(csv.reader(lines))[1:]

    gold = dict(rows("truth.csv"))
    found = answers_of(cf.Votes.from_choices(*zip(*rows("label.csv"), strict=True)), method)
    right = np.mean([found[item] == label for item, label in gold.items() if item in found])
    assert right == pytest.approx(accuracy, abs=0.00051)


@pytest.mark.parametrize("method", METHODS)
def test_the_order_of_votes_does_not_matter(method: str) -> None:
    votes = crowd(2, items=25)
    frame = votes.frame.sample(fraction=1.0, shuffle=True, seed=1)
    other = cf.Votes.from_choices(frame["item"], frame["annotator"], frame["value"])
    assert answers_of(votes, method) == answers_of(other, method)


@pytest.mark.parametrize("method", METHODS)
def test_what_everybody_says_is_the_truth(method: str) -> None:
    rng = np.random.default_rng(0)
    labels = rng.random((20, 3)) < 0.5
    votes = cf.Votes.from_array(np.repeat(labels[:, None], 5, axis=1))
    assert (votes.merge(method).labels == labels).all()
    consensus = votes.consensus(method)
    assert consensus.confidence.min() > 0.8
    assert consensus.reliability["reliability"].min() > 0.8


def test_an_even_split_is_a_no_and_of_a_choice_the_smallest_label() -> None:
    optional = cf.Votes.from_columns("aa", "xy", ["Sky"] * 2, [0, 1])
    assert not optional.merge("majority").labels.any()
    assert optional.consensus().ties == 1
    choice = cf.Votes.from_choices("aa", "xy", [10, 9])
    truth = choice.merge("majority")
    assert truth.concepts == ("9", "10")
    assert truth.labels.tolist() == [[True, False]]


def test_exactly_one_of_a_group_wins() -> None:
    votes = crowd(5)
    for method in METHODS:
        assert (votes.merge(method).labels.sum(axis=1) == 1).all()


def test_cells_that_nobody_voted_on_are_unjudged() -> None:
    votes = cf.Votes.from_array([[[1, np.nan]], [[0, 1]]], concepts=["P", "Q"])
    for method in METHODS:
        truth = votes.merge(method)
        assert truth.judged.tolist() == [[True, False], [True, True]]
        assert np.isnan(votes.consensus(method).belief).tolist() == [[False, True], [False, False]]


def test_weights_decide_where_they_are_given() -> None:
    votes = cf.Votes.from_columns("aaa", "xyz", ["Sky"] * 3, [1, 0, 0])
    weights = {"x": 3, "y": 1, "z": 1}
    assert votes.merge("weighted_majority", weights=weights).labels.all()
    assert not votes.merge("weighted_majority").labels.any()
    with pytest.raises(cf.InputError, match="no weight is given for annotators 'z'"):
        votes.merge("weighted_majority", weights={"x": 1, "y": 1})
    with pytest.raises(cf.InputError, match="finite and not negative"):
        votes.merge("weighted_majority", weights={"x": -1, "y": 1, "z": 1})
    with pytest.raises(cf.InputError, match="takes no weights"):
        votes.merge("majority", weights=weights)


def test_grades_merge_to_the_median_voters_grade() -> None:
    votes = cf.Votes.from_columns("aaaaabb", "vwxyzvw", ["how far"] * 7, [0, 0, 1, 2, 3, 1, 2])
    assert votes.merge().grades.ravel().tolist() == [1, 1]
    assert votes.consensus().ties == 1


def test_shares_make_a_graded_truth() -> None:
    votes = cf.Votes.from_array(np.array([1, 1, 0, 0, 1, 0, 0, 0]).reshape(2, 4, 1))
    consensus = votes.consensus()
    assert consensus.shares.ravel().tolist() == [0.5, 0.25]
    assert consensus.graded.grades.ravel().tolist() == [5, 2]


def test_careless_annotators_are_found_unreliable() -> None:
    rng = np.random.default_rng(4)
    right = rng.integers(3, size=200)
    guesses = rng.integers(3, size=(200, 7))
    knows = rng.random((200, 7)) < [0.85] * 6 + [0.0]
    said = np.where(knows, right[:, None], guesses)
    item, annotator = np.indices(said.shape)
    votes = cf.Votes.from_choices(item.ravel(), annotator.ravel(), said.ravel())
    for method in ("one_coin", "dawid_skene", "mace", "glad"):
        frame = votes.consensus(method).reliability
        assert frame.sort("reliability")["annotator"][0] == "6"
        assert frame["reliability"].sort()[0] < 0.5 < frame["reliability"].sort()[1]


def test_unknown_methods_and_impossible_options_are_refused() -> None:
    votes = crowd(0)
    with pytest.raises(cf.InputError, match="choose one of majority, weighted_majority"):
        votes.merge("median")
    with pytest.raises(cf.InputError, match="smoothing=-1"):
        votes.merge("dawid_skene", smoothing=-1)
    with pytest.raises(cf.InputError, match="restarts=0"):
        votes.merge("mace", restarts=0)


@pytest.mark.parametrize("method", ["weighted_majority", "one_coin", "dawid_skene", "mace", "glad"])
def test_who_is_mentioned_first_changes_nothing(method: str) -> None:
    rng = np.random.default_rng(5)
    rows = [
        (f"i{item}", f"a{annotator}", f"L{rng.integers(3)}")
        for item in range(15)
        for annotator in range(5)
        if rng.random() < 0.8
    ]
    mixed = [rows[place] for place in rng.permutation(len(rows))]
    one, other = (
        cf.Votes.from_choices(*zip(*given, strict=True)).consensus(method)
        for given in (rows, mixed)
    )
    assert one.votes.items != other.votes.items
    places = [one.votes.items.index(item) for item in other.votes.items]
    np.testing.assert_array_equal(one.belief[places], other.belief)
    assert one.reliability.sort("annotator").equals(other.reliability.sort("annotator"))


@pytest.mark.parametrize("annotators", [2, 3, 5, 7, 9, 11, 20, 99])
def test_grades_from_six_on_are_exactly_more_than_half(annotators: int) -> None:
    names = [f"n{number}" for number in range(annotators)]
    rows = [
        (item, name, "Dog", int(number < item))
        for item in range(annotators + 1)
        for number, name in enumerate(names)
    ]
    truth = cf.Votes.from_columns(*zip(*rows, strict=True)).consensus().graded
    yes = np.array([int(item) for item in truth.items])
    assert truth.level == 6
    assert np.array_equal(truth.labels[:, 0], 2 * yes > annotators)
    assert np.all(np.diff(np.asarray(truth.grades)[np.argsort(yes), 0]) >= 0)
