"""Leave one group out, missed documents and unjudged ones, against independent recomputation."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import pytrec_eval
from drawn_runs import World, lists_of, ordered

import cranfield as cf
from cranfield.assessment.pools.missed import Discovery

DEPTH = 10
Pairs = set[tuple[str, str]]


def pooled_by(world: World, groups: set[str], depth: int = DEPTH) -> Pairs:
    return {
        (topic, document)
        for run in world.runs
        if run.group in groups
        for topic, documents in ordered(run).items()
        for document in documents[:depth]
    }


def trec_eval_means(world: World, judged: Pairs, measure: str, name: str) -> dict[str, float]:
    """Means over the topics of the world by trec_eval; a topic without judgements scores 0."""
    qrels: dict[str, dict[str, int]] = {}
    for topic, document in judged:
        qrels.setdefault(topic, {})[document] = world.grade(topic, document)
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {measure})
    found = {}
    for run in world.runs:
        by_topic = evaluator.evaluate(lists_of(run))
        values = [by_topic.get(topic, {}).get(name, 0.0) for topic in world.topics]
        found[run.name] = float(np.mean(values))
    return found


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("topic.AP(ties=trec)", ("map", "map")), ("topic.P@10(ties=trec)", ("P.10", "P_10"))],
)
def test_leaving_a_group_out_is_scoring_without_its_own_documents(
    seed: int, ours: str, theirs: tuple[str, str]
) -> None:
    world = World(seed)
    truth = world.judged(cf.pool(world.runs, depth=DEPTH))
    groups = {run.group for run in world.runs if run.group}
    everything = pooled_by(world, groups)
    before = trec_eval_means(world, everything, *theirs)
    result = cf.assessment.leave_one_out(truth, world.runs, ours, depth=DEPTH)
    assert {one.group for one in result.groups} == groups
    for one in result.groups:
        left = pooled_by(world, groups - {one.group})
        own = everything - left
        after = trec_eval_means(world, left, *theirs)
        assert one.unique == len(own)
        assert one.unique_relevant == sum(world.grade(*pair) for pair in own)
        for run in one.runs:
            assert run.score == pytest.approx(before[run.run], abs=1e-9)
            assert run.without == pytest.approx(after[run.run], abs=1e-9)
            assert run.rank == 1 + sum(v > before[run.run] + 1e-12 for v in before.values())
            assert run.rank_without == 1 + sum(v > after[run.run] + 1e-12 for v in after.values())
        names = list(before)
        signs = [
            np.sign(before[a] - before[b]) * np.sign(after[a] - after[b])
            for place, a in enumerate(names)
            for b in names[place + 1 :]
        ]
        assert one.tau == pytest.approx(np.sum(signs) / np.sum(np.abs(signs)))


def test_a_group_whose_documents_others_pooled_too_loses_nothing() -> None:
    world = World(1, runs=4)
    twin = world.runs[3]
    copy = cf.Run(
        twin.scores, name="copy", items=twin.items, concepts=twin.concepts, group="others"
    )
    runs = [*world.runs, copy]
    truth = world.judged(cf.pool(runs, depth=DEPTH))
    result = cf.assessment.leave_one_out(truth, runs, depth=DEPTH)
    (alone,) = (one for one in result.groups if one.group == "others")
    assert (alone.unique, alone.tau) == (0, 1.0)
    assert alone.runs[0].change == 0.0


def test_a_topic_that_loses_all_relevant_documents_scores_nothing_and_is_counted() -> None:
    runs = [
        cf.Run([[2.0], [1.0]], items=["a", "b"], concepts=["t"], name="one"),
        cf.Run([[2.0], [1.0]], items=["c", "d"], concepts=["t"], name="two"),
    ]
    truth = cf.pool(runs, depth=2).truth(
        {("t", "a"): 1, ("t", "b"): 0, ("t", "c"): 0, ("t", "d"): 0}
    )
    one, two = cf.assessment.leave_one_out(truth, runs).groups
    assert (one.topics_lost, two.topics_lost) == (1, 0)
    assert (one.runs[0].score, one.runs[0].without) == (1.0, 0.0)


def test_depths_may_differ_by_topic() -> None:
    world = World(2)
    truth = world.judged(cf.pool(world.runs, depth=DEPTH))
    depths = dict.fromkeys(world.topics, DEPTH)
    flat = cf.assessment.leave_one_out(truth, world.runs, depth=DEPTH)
    assert cf.assessment.leave_one_out(truth, world.runs, depth=depths) == flat
    with pytest.raises(cf.InputError, match="1 topic without a depth: 't0'"):
        cf.assessment.leave_one_out(truth, world.runs, depth=dict.fromkeys(world.topics[1:], 5))


def test_the_order_of_runs_changes_nothing() -> None:
    world = World(2)
    truth = world.judged(cf.pool(world.runs, depth=DEPTH))
    back = world.runs[::-1]
    assert cf.assessment.leave_one_out(truth, back, depth=5) == cf.assessment.leave_one_out(
        truth, world.runs, depth=5
    )
    here, there = (
        cf.assessment.unjudged_uncertainty(truth, runs, "topic.P@20") for runs in (world.runs, back)
    )
    assert here.pairs == there.pairs


# ── missed ────────────────────────────────────────────────────────────────────────────────────


def test_the_curve_of_discovery_is_recovered_where_it_holds() -> None:
    counts = np.round(400 * np.arange(1, 51, dtype=float) ** -0.7 - 1).astype(int)
    ranks = np.repeat(np.arange(1, 51), counts)
    found = Discovery.of(ranks, 50)
    assert found.new.tolist() == counts.tolist()
    assert found.slope == pytest.approx(-0.7, abs=0.02)
    assert found.level == pytest.approx(400, rel=0.05)
    wanted = sum(400 * depth**-0.7 - 1 for depth in range(51, 101))
    assert found.expected(51, 100) == pytest.approx(wanted, rel=0.05)


def test_the_curve_is_a_line_through_logarithms_of_depth_and_of_numbers_plus_one() -> None:
    counts = np.array([5, 0, 3, 1, 1, 0, 2, 0])
    found = Discovery.of(np.repeat(np.arange(1, 9), counts), 8)
    slope, level = np.polyfit(np.log(np.arange(1, 9)), np.log(counts + 1), 1)
    assert found.slope == pytest.approx(slope)
    assert found.level == pytest.approx(np.exp(level))


def test_new_relevant_documents_are_those_that_a_depth_is_first_to_bring() -> None:
    world = World(5)
    truth = world.judged(cf.pool(world.runs, depth=DEPTH))
    missed = cf.assessment.missed_relevant(truth, world.runs)
    groups = {run.group for run in world.runs if run.group}
    sizes = [
        sum(world.grade(*pair) for pair in pooled_by(world, groups, depth))
        for depth in range(DEPTH + 1)
    ]
    assert missed.depth == DEPTH
    assert missed.discovery.new.tolist() == np.diff(sizes).tolist()
    assert missed.found == sizes[-1]
    assert missed.deeper_share == pytest.approx(missed.deeper / (missed.deeper + missed.found))


def test_capture_and_recapture_follows_chao() -> None:
    world = World(6)
    truth = world.judged(cf.pool(world.runs, depth=DEPTH))
    missed = cf.assessment.missed_relevant(truth, world.runs)
    groups = sorted({run.group for run in world.runs if run.group})
    for topic, unseen in zip(missed.topics, missed.unseen, strict=True):
        finders = [
            sum(pair in pooled_by(world, {group}) for group in groups)
            for pair in pooled_by(world, set(groups))
            if pair[0] == topic and world.grade(*pair)
        ]
        once, twice = finders.count(1), finders.count(2)
        wanted = (len(groups) - 1) / len(groups) * once * (once - 1) / (2 * (twice + 1))
        assert unseen == pytest.approx(wanted)


def test_deeper_pools_are_said_to_miss_less() -> None:
    world = World(7, documents=1000, topics=20, length=200)
    shares = [
        cf.assessment.missed_relevant(
            world.judged(cf.pool(world.runs, depth=d)), world.runs
        ).deeper_share
        for d in (10, 50, 150)
    ]
    assert shares[0] > shares[1] > shares[2]


def test_deeper_pools_bring_no_more_relevant_documents_than_documents() -> None:
    world = World(8, density=0.9, length=30)
    truth = world.judged(cf.pool(world.runs, depth=3))
    whole = cf.pool(world.runs, depth=30)
    missed = cf.assessment.missed_relevant(truth, world.runs)
    assert missed.deeper <= len(whole) - len(cf.pool(world.runs, depth=3))
    assert missed.deeper < missed.discovery.expected(4, 30)


def test_estimates_need_a_pool_that_was_judged() -> None:
    world = World(0)
    truth = world.judged(cf.pool(world.runs[0], depth=DEPTH))
    with pytest.raises(cf.InputError, match="unjudged documents among their first two"):
        cf.assessment.missed_relevant(truth, world.runs)
    assert cf.assessment.missed_relevant(truth, world.runs, depth=DEPTH).depth == DEPTH
    with pytest.raises(cf.InputError, match="to=5 lies above depth=10"):
        cf.assessment.missed_relevant(truth, world.runs, depth=10, to=5)


# ── unjudged ──────────────────────────────────────────────────────────────────────────────────


def small_world() -> tuple[list[cf.Run], cf.Truth]:
    """Two runs of four documents each; of all those only b is judged."""
    one = cf.Run(
        np.array([[4.0], [3.0], [2.0], [1.0]]), items=list("abcd"), concepts=["t"], name="one"
    )
    two = cf.Run(
        np.array([[4.0], [3.0], [2.0], [1.0]]), items=list("cxya"), concepts=["t"], name="two"
    )
    return [one, two], cf.Truth(
        [[1], [0]], items=["b", "z"], concepts=["t"], open=True, judged=[[1], [1]]
    )


@pytest.mark.parametrize(
    "measure", ["topic.P@3(ties=trec)", "topic.RBP(p=0.6,ties=trec)", "topic.P@2(ties=trec)"]
)
def test_the_range_of_a_difference_is_that_over_all_ways_to_judge(measure: str) -> None:
    runs, truth = small_world()
    unjudged = ["a", "c", "d", "x", "y"]
    differences = []
    for grades in product([0, 1], repeat=len(unjudged)):
        items = ["b", "z", *unjudged]
        labels = np.array([[1], [0], *([grade] for grade in grades)])
        full = cf.Truth(labels, items=items, concepts=["t"], open=True)
        scores = cf.evaluate(full, runs, measure)
        differences.append(scores["one", measure] - scores["two", measure])
    (pair,) = cf.assessment.unjudged_uncertainty(truth, runs, measure).pairs
    low, high = min(differences), max(differences)
    if pair.better == "two":
        low, high = -high, -low
    assert (pair.least, pair.most) == pytest.approx((low, high))
    assert pair.can_flip == (low < -1e-12)


def test_a_run_scores_between_none_and_all_of_its_unjudged_documents() -> None:
    runs, truth = small_world()
    found = {
        one.run: one for one in cf.assessment.unjudged_uncertainty(truth, runs, "topic.P@3").runs
    }
    assert (found["one"].score, found["one"].all_relevant) == pytest.approx((1 / 3, 1.0))
    assert (found["two"].score, found["two"].all_relevant) == pytest.approx((0.0, 1.0))


def test_shares_of_unjudged_documents_are_counted_at_every_cut() -> None:
    world = World(3)
    truth = world.judged(cf.pool(world.runs[:2], depth=7))
    judged = pooled_by(World(3, runs=2), {"group0"}, 7)
    result = cf.assessment.unjudged_uncertainty(truth, world.runs, cuts=(5, 20, 500))
    assert result.cuts == (5, 20)
    for run in world.runs:
        (ours,) = (one for one in result.runs if one.run == run.name)
        for cut, share in zip(result.cuts, ours.unjudged, strict=True):
            wanted = [
                np.mean([(topic, document) not in judged for document in documents[:cut]])
                for topic, documents in ordered(run).items()
            ]
            assert share == pytest.approx(np.mean(wanted))


def test_nothing_is_open_where_everything_is_judged() -> None:
    world = World(4, runs=3)
    truth = world.judged(cf.pool(world.runs, depth=60))
    result = cf.assessment.unjudged_uncertainty(truth, world.runs, "topic.AP")
    assert not result.flips
    for pair in result.pairs:
        assert pair.least == pair.most == pair.difference


def test_topics_that_nobody_judged_are_left_out() -> None:
    world = World(4)
    pool = cf.pool(world.runs, depth=5)
    grades = {pair: world.grade(*pair) for pair in pool.pairs if pair.topic != "t1"}
    scores = cf.assessment.leave_one_out(
        pool.truth(grades), world.runs, "topic.P@5(ties=trec)", depth=5
    )
    for group in scores.groups:
        for run in group.runs:
            (own,) = (one for one in world.runs if one.name == run.run)
            wanted = [
                np.mean([world.grade(topic, document) for document in documents[:5]])
                for topic, documents in ordered(own).items()
                if topic != "t1"
            ]
            assert run.score == pytest.approx(np.mean(wanted))


@pytest.mark.parametrize(
    ("measure", "message"),
    [("example.F", "is no average over topics"), ("micro.AP", "is no average over topics")],
)
def test_only_averages_over_topics_can_be_asked_for(measure: str, message: str) -> None:
    runs, truth = small_world()
    with pytest.raises(cf.InputError, match=message):
        cf.assessment.leave_one_out(truth, runs, measure)


def test_a_single_group_or_a_truth_without_relevant_documents_is_refused() -> None:
    runs, truth = small_world()
    with pytest.raises(cf.InputError, match="all runs belong to one group"):
        cf.assessment.leave_one_out(truth, runs[0])
    nothing = cf.Truth([[0]], items=["a"], concepts=["t"], open=True)
    with pytest.raises(cf.InputError, match="no relevant documents"):
        cf.assessment.unjudged_uncertainty(nothing, runs)


def test_runs_are_left_out_as_deep_as_everything_is_judged_unless_told() -> None:
    world = World(1)
    truth = world.judged(cf.pool(world.runs, depth=DEPTH))
    told = cf.assessment.leave_one_out(truth, world.runs, "topic.AP", depth=DEPTH)
    assert cf.assessment.leave_one_out(truth, world.runs, "topic.AP") == told
    assert sum(one.unique_relevant for one in told.groups) > 0


def test_runs_that_were_not_pooled_need_a_depth_to_be_left_out() -> None:
    world = World(1)
    truth = world.judged(cf.pool(world.runs, depth=1))
    with pytest.raises(cf.InputError, match="were not pooled wholly; give depth="):
        cf.assessment.leave_one_out(truth, world.runs)
