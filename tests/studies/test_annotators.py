"""Simulated annotators, and what the choice of annotators does to rankings."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import kendalltau

import cranfield as cf
from cranfield.assessment.agreement import majorities
from cranfield.assessment.votes import groups_of
from cranfield.studies.annotator_effect import annotator_effect
from cranfield.studies.annotators import Crew, simulated_votes
from cranfield.studies.simulation import photo_campaign, simulate_world

ONTOLOGY = cf.Ontology.load("pto2009")
GROUPS = groups_of(ONTOLOGY)


@pytest.fixture(scope="module")
def chapter6():  # type: ignore[no-untyped-def]
    """99 images, 53 concepts, 11 experts, nine workers an image, 12 % of their sheets careless."""
    campaign = photo_campaign(items=99)
    world = simulate_world(campaign.design)
    crews = [Crew("expert", 11), Crew("worker", 60, per_item=9, slips=0.05, careless=0.12)]
    votes = simulated_votes(world.truth, crews, groups=GROUPS)
    runs = [run for run in campaign.runs(world) if not run.name.startswith("Random")]
    return votes, runs, {crew.name: crew.members for crew in crews}


def test_majority_lifts_the_crowds_kappa_with_the_experts_above_its_own(chapter6) -> None:  # type: ignore[no-untyped-def]
    votes, _, crews = chapter6
    between = majorities(votes, crews)
    for coefficient in ("free_marginal", "fleiss", "krippendorff"):
        experts, crowd = (
            votes.only(annotators=crews[name]).agreement(coefficient) for name in crews
        )
        assert crowd < experts
        assert crowd < between.agreement(coefficient)


def test_rankings_by_crowd_and_experts_stay_alike(chapter6) -> None:  # type: ignore[no-untyped-def]
    votes, runs, crews = chapter6
    found = annotator_effect(
        votes, runs, ["OS", "concept.EER", "concept.AUC"],
        groups=crews, sizes=[1, 5], draws=2, ontology=ONTOLOGY,
    )  # fmt: skip
    experts, crowd = map(found.truths.index, crews)
    assert (found.tau[:, experts, crowd] > 0.8).all()
    assert len(found.truths) == 11 + 2 + 1
    assert len(found.left_out) == 60
    assert (found.by_size[:, 0].mean(axis=1) < found.by_size[:, 1].mean(axis=1)).all()
    assert found.mean_tau().min() > 0.8


def test_every_truth_ranks_as_evaluate_does(chapter6) -> None:  # type: ignore[no-untyped-def]
    votes, runs, _ = chapter6
    some = votes.only(annotators=[f"expert{n:02}" for n in range(1, 5)])
    found = annotator_effect(some, runs[:9], ["concept.EER", "example.F"], sizes=[], draws=1)
    scores = []
    for name in (*some.annotators, None):
        own = some if name is None else some.only(annotators=[name])
        result = cf.evaluate(own.merge("majority"), runs[:9], ["concept.EER", "example.F"])
        scores.append([[result[run.name, m] for run in runs[:9]] for m in result.measures])
    for one, other in combinations(range(5), 2):
        for measure in range(2):
            expected = kendalltau(scores[one][measure], scores[other][measure]).statistic
            assert found.tau[measure, one, other] == pytest.approx(expected)
    assert found.ranks[0, -1].argmin() == np.argmin(scores[-1][0])
    assert (found.moves[:, -1] == 0).all()


def test_an_annotator_of_some_items_is_scored_on_those() -> None:
    rng = np.random.default_rng(0)
    truth = rng.random((12, 4)) < 0.5
    votes = np.repeat(truth[:, None].astype(float), 3, axis=1)
    votes[8:, 2] = np.nan
    said = [rng.random((12, 4)) + quality * truth for quality in range(3)]
    runs = [cf.Run(scores, name=f"r{quality}") for quality, scores in enumerate(said)]
    found = annotator_effect(cf.Votes.from_array(votes), runs, ["example.AP"], sizes=[2], draws=1)
    expected = [cf.score(truth[:8], scores[:8], "example.AP") for scores in said]
    assert found.merits[0, 2] == pytest.approx(expected)
    with pytest.raises(cf.InputError, match="no item has votes of more than 3"):
        annotator_effect(cf.Votes.from_array(votes), runs, ["example.AP"], sizes=[4])


def test_adding_people_changes_nobody() -> None:
    truth = simulate_world(photo_campaign(items=20).design).truth
    few = simulated_votes(truth, [Crew("a", 2)], groups=GROUPS)
    many = simulated_votes(truth, [Crew("a", 2), Crew("b", 3, careless=1.0)], groups=GROUPS)
    assert few.frame.equals(many.only(annotators=few.annotators).frame)
    seconds = {c: many.sheets.seconds[[many.annotators[a][0] == c for a in many.sheets.annotator]]
               for c in "ab"}  # fmt: skip
    assert np.median(seconds["b"]) < 0.6 * np.median(seconds["a"])


def test_people_who_never_err_say_the_truth() -> None:
    truth = simulate_world(photo_campaign(items=20).design).truth
    votes = simulated_votes(truth, [Crew("a", 1, slips=0.0, unclear=0.0)], groups=GROUPS)
    merged = votes.merge()
    order = [merged.concepts.index(concept) for concept in truth.concepts]
    assert (merged.labels[:, order] == truth.labels).all()


def test_impossible_crews_are_refused() -> None:
    with pytest.raises(cf.InputError, match="per_item=3; give a number from 1 to 2"):
        Crew("a", 2, per_item=3)
    with pytest.raises(cf.InputError, match=r"careless=1\.5"):
        Crew("a", 2, careless=1.5)


def test_annotators_are_drawn_alike_whatever_the_order_of_a_file() -> None:
    rng = np.random.default_rng(2)
    names = {"items": [f"i{n}" for n in range(30)], "concepts": ["Sky"]}
    runs = [cf.Run(rng.random((30, 1)), name=f"r{n}", **names) for n in range(4)]
    rows = [(item, who, "Sky", str(rng.integers(2))) for item in names["items"] for who in "abcde"]
    mixed = [rows[place] for place in rng.permutation(len(rows))]
    one, other = (
        annotator_effect(
            cf.Votes.from_columns(*zip(*given, strict=True)), runs, ["concept.AUC"], draws=3
        )
        for given in (rows, mixed)
    )
    np.testing.assert_allclose(one.by_size, other.by_size)
