"""Pools hold what their methods promise."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from drawn_runs import World, ordered

import cranfield as cf

WORLD = World()


def found(world: World, pool: cf.Pool) -> int:
    return sum(world.grade(*pair) for pair in pool.pairs)


@pytest.mark.parametrize("depth", [1, 7, 60, 1000])
def test_a_pool_of_depth_k_is_the_union_of_the_first_k_documents(depth: int) -> None:
    wanted = {
        (topic, document)
        for run in WORLD.runs
        for topic, documents in ordered(run).items()
        for document in documents[:depth]
    }
    pool = cf.pool(WORLD.runs, depth=depth)
    assert set(pool.pairs) == wanted
    assert len(pool.pairs) == len(wanted)
    assert pool.drawn.all()


def test_ranks_of_a_pool_are_the_best_of_any_run() -> None:
    lists = [ordered(run) for run in WORLD.runs]
    for topic, document, rank, stratum, drawn in cf.pool(WORLD.runs, depth=20).records():
        places = [one[topic].index(document) + 1 for one in lists if document in one[topic]]
        assert (rank, stratum, drawn) == (min(places), 1, True)


@pytest.mark.parametrize("budget", [30, 100, 401])
def test_a_budget_buys_the_deepest_pool_it_can_pay(budget: int) -> None:
    pool = cf.pool(WORLD.runs, budget=budget)
    depth = max(pool.depths.values())
    assert set(pool.pairs) == set(cf.pool(WORLD.runs, depth=depth).pairs)
    assert len(pool) <= budget < len(cf.pool(WORLD.runs, depth=depth + 1))


def test_runs_may_mention_different_topics_and_documents() -> None:
    one = cf.Run([[0.9], [0.1]], items=["a", "b"], concepts=["t1"], name="one")
    other = cf.Run([[0.9, 0.3]], items=["c"], concepts=["t1", "t0"], name="other")
    pool = cf.pool([one, other], depth=1)
    assert pool.pairs == (("t0", "c"), ("t1", "a"), ("t1", "c"))


def test_a_run_of_decisions_brings_what_it_assigned() -> None:
    run = cf.Run(labels=[[1], [0], [1]], items=["a", "b", "c"], concepts=["t"])
    assert cf.pool(run, depth=3).to_judge == {"t": ("a", "c")}


def test_the_order_of_runs_rows_and_topics_changes_no_pool() -> None:
    rng = np.random.default_rng(3)
    shuffled = []
    for place in rng.permutation(len(WORLD.runs)):
        run = WORLD.runs[place]
        rows, columns = rng.permutation(run.shape[0]), rng.permutation(run.shape[1])
        stored = run.ranking.dense()
        there = np.zeros(run.shape, dtype=bool)
        there.ravel()[run.ranking.codes] = True
        r, c = np.nonzero(there[rows][:, columns])
        shuffled.append(
            cf.Run(
                type(run.ranking).of(run.shape, r, c, stored[rows][:, columns][r, c]),
                name=run.name,
                items=[run.items[i] for i in rows],
                concepts=[run.concepts[j] for j in columns],
            )
        )
    for options in (
        {"depth": 10},
        {"strata": {5: 1, 30: 0.3}},
        {"method": "mtf", "budget": 150, "judge": WORLD.truth},
        {"method": "yield", "budget": 200, "depth": 3, "judge": WORLD.truth},
    ):
        here, there = (cf.pool(runs, **options) for runs in (WORLD.runs, shuffled))
        assert list(here.records()) == list(there.records()), options


# ── stratified ────────────────────────────────────────────────────────────────────────────────


def test_strata_are_cut_by_the_best_rank_and_drawn_in_their_share() -> None:
    pool = cf.pool(WORLD.runs, strata={5: 1, 20: 0.5, 60: 0.1})
    for topic in WORLD.topics:
        rows = [record for record in pool.records() if record[0] == topic]
        for stratum, low, high, share in ((1, 0, 5, 1.0), (2, 5, 20, 0.5), (3, 20, 60, 0.1)):
            members = [row for row in rows if low < row[2] <= high]
            assert {row[3] for row in members} == {stratum}
            assert sum(row[4] for row in members) == int(np.ceil(share * len(members)))


def test_a_sample_depends_on_its_seed_and_on_nothing_else() -> None:
    first, again, other = (cf.pool(WORLD.runs, strata={60: 0.2}, seed=s) for s in (1, 1, 2))
    assert first.drawn.tolist() == again.drawn.tolist()
    assert first.drawn.tolist() != other.drawn.tolist()


def test_every_document_is_drawn_about_as_often_as_its_share_says() -> None:
    drawn = [cf.pool(WORLD.runs, strata={60: 0.25}, seed=seed).drawn for seed in range(200)]
    shares = np.mean(drawn, axis=0)
    assert abs(shares.mean() - 0.25) < 0.01
    assert shares.min() > 0.1
    assert shares.max() < 0.42


def test_a_stratified_pool_makes_a_truth_in_all_four_states() -> None:
    pool = cf.pool(WORLD.runs, strata="5:1,60:0.2")
    grades = {
        pair: WORLD.grade(*pair)
        for pair, drawn in zip(pool.pairs, pool.drawn, strict=True)
        if drawn
    }
    truth = pool.truth(grades)
    states = truth.states
    assert {int(one) for one in np.unique(states)} == {-2, -1, 0, 1}
    for (topic, document, _, stratum, drawn), pair in zip(pool.records(), pool.pairs, strict=True):
        cell = truth.items.index(document), truth.concepts.index(topic)
        assert states[cell] == (WORLD.grade(*pair) if drawn else cf.State.UNJUDGED)
        assert truth.strata.dense()[cell] == stratum


@pytest.mark.parametrize("name", ["infAP", "xinfAP"])
def test_estimates_from_a_sample_come_close_to_what_a_full_pool_says(name: str) -> None:
    world = World(4, documents=2000, topics=30, length=200, density=0.05)
    full = cf.evaluate(world.judged(cf.pool(world.runs, depth=200)), world.runs, "concept.AP")
    strata = {200: 0.3} if name == "infAP" else {20: 1, 200: 0.2}
    pool = cf.pool(world.runs, strata=strata, seed=1)
    grades = {
        pair: world.grade(*pair)
        for pair, drawn in zip(pool.pairs, pool.drawn, strict=True)
        if drawn
    }
    estimated = cf.evaluate(pool.truth(grades), world.runs, f"concept.{name}")
    for run in world.runs:
        wanted = full[run.name, "concept.AP"]
        assert estimated[run.name, f"concept.{name}"] == pytest.approx(wanted, abs=0.05)


# ── move to front ─────────────────────────────────────────────────────────────────────────────


def test_a_run_stays_at_the_front_as_long_as_it_is_right() -> None:
    right = cf.Run([[3.0], [2.0], [1.0]], items=["a", "b", "c"], concepts=["t"], name="right")
    wrong = cf.Run([[3.0], [2.0], [1.0]], items=["x", "y", "z"], concepts=["t"], name="wrong")
    asked: list[str] = []

    def judge(topic: str, document: str) -> int:
        asked.append(document)
        return int(document in "abc")

    for seed in range(10):
        asked.clear()
        cf.pool([right, wrong], method="mtf", budget=4, judge=judge, seed=seed)
        assert asked in (["a", "b", "c", "x"], ["x", "a", "b", "c"])


def moved_to_front(lists: list[list[str]], relevant: set[str], size: int) -> list[str]:
    """The rule in plain words, for one topic: lists in the order in which they begin."""
    queue = [(0, turn, list(documents)) for turn, documents in enumerate(lists)]
    turns, pooled = len(lists), []
    while queue and len(pooled) < size:
        front = min(queue, key=lambda run: run[:2])
        queue.remove(front)
        irrelevant, turn, documents = front
        documents = [document for document in documents if document not in pooled]
        if not documents:
            continue
        pooled.append(documents.pop(0))
        if pooled[-1] in relevant:
            queue.append((irrelevant, turn, documents))
        else:
            queue.append((irrelevant + 1, turns, documents))
            turns += 1
    return pooled


@pytest.mark.parametrize("size", [1, 20, 75, 10_000])
@pytest.mark.parametrize("seed", range(3))
def test_moving_to_front_follows_its_rule_for_one_of_the_orders_to_begin(
    seed: int, size: int
) -> None:
    world = World(seed, topics=1, runs=4, documents=120, length=40)
    relevant = {document for document in world.documents if world.grade("t0", document)}
    lists = [ordered(run)["t0"] for run in world.runs]
    pool = cf.pool(world.runs, method="mtf", budget=size, judge=world.grade, seed=seed)
    wanted = [
        set(moved_to_front([*order], relevant, size)) for order in permutations(lists, len(lists))
    ]
    assert set(pool.to_judge["t0"]) in wanted


def test_moving_to_front_finds_more_than_one_depth_for_all() -> None:
    world = World(2, documents=1000, topics=10, length=150)
    flat = cf.pool(world.runs, budget=600)
    front = cf.pool(world.runs, method="mtf", budget=len(flat), judge=world.truth)
    assert len(front) == len(flat)
    assert found(world, front) > 1.1 * found(world, flat)


def test_no_document_is_judged_twice() -> None:
    asked: list[tuple[str, str]] = []

    def judge(topic: str, document: str) -> int:
        asked.append((topic, document))
        return WORLD.grade(topic, document)

    pool = cf.pool(WORLD.runs, method="mtf", budget=200, judge=judge)
    assert len(asked) == len(set(asked)) == 200
    assert set(pool.pairs) == set(asked)


def test_moving_to_front_in_batches_of_one_is_the_same_as_at_once() -> None:
    whole = cf.pool(WORLD.runs, method="mtf", budget=60, judge=WORLD.grade, seed=5)
    grades: dict[tuple[str, str], int] = {}
    so_far = None
    while so_far is None or len(so_far) < 60:
        judge = None if so_far is None else so_far.truth(grades)
        so_far = cf.pool(
            WORLD.runs, method="mtf", budget=60, batch=1, judge=judge, so_far=so_far, seed=5
        )
        new = [pair for pair in so_far.pairs if pair not in grades]
        assert len(new) == 1
        grades[new[0]] = WORLD.grade(*new[0])
    assert set(so_far.pairs) == set(whole.pairs)


def test_going_on_keeps_what_was_pooled_and_waits_for_judgements() -> None:
    first = cf.pool(WORLD.runs, method="mtf", batch=20)
    assert len(first) == 20
    unjudged = cf.pool(WORLD.runs, method="mtf", batch=20, so_far=first)
    assert unjudged.pairs == first.pairs
    truth = WORLD.judged(first)
    second = cf.pool(WORLD.runs, method="mtf", batch=20, so_far=first, judge=truth)
    assert len(second) == 40
    assert set(second.pairs) > set(first.pairs)


# ── variable depth ────────────────────────────────────────────────────────────────────────────


def test_topics_with_more_relevant_documents_are_pooled_deeper() -> None:
    world = World(1, documents=2000, topics=2, length=300)
    world.relevant[:, 0] = False
    world.relevant[:3, 0] = True
    rng = np.random.default_rng(0)
    world.runs = [world._run(rng, f"r{i}", 1.5, 300, f"g{i}") for i in range(4)]
    pool = cf.pool(world.runs, method="yield", budget=600, depth=10, judge=world.truth)
    assert pool.depths["t1"] > 3 * pool.depths["t0"]
    assert len(pool) <= 600


def test_topics_wait_for_their_judgements() -> None:
    first = cf.pool(WORLD.runs, method="yield", depth=5, batch=150, budget=400)
    assert set(first.pairs) == set(cf.pool(WORLD.runs, depth=5).pairs)
    second = cf.pool(
        WORLD.runs,
        method="yield",
        depth=5,
        step=5,
        batch=80,
        budget=400,
        so_far=first,
        judge=WORLD.judged(first),
    )
    assert 0 < len(second) - len(first) <= 80
    deeper = {topic for topic, depth in second.depths.items() if depth > 5}
    assert deeper
    assert set(second.pairs) > set(first.pairs)


# ── bad input ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "give depth= or budget="),
        ({"depth": 3, "budget": 9}, "give depth= or budget="),
        ({"depth": 0}, "depth=0; give a whole number from 1 up"),
        ({"depth": 2.5}, "depth=2.5"),
        ({"budget": 3}, "does not pay for depth 1"),
        ({"method": "best"}, "choose 'depth', 'yield', 'mtf', 'stratified'"),
        ({"strata": {10: 1}, "depth": 3}, "a pool of the method stratified; leave depth= out"),
        ({"strata": "10"}, "such as 10:1,100:0.2"),
        ({"strata": {10: 0}}, "a share is above 0, up to 1"),
        ({"strata": {0: 1}}, "different depths from 1 up"),
        ({"strata": {1.5: 1}}, "cannot be read; give depths and shares"),
        ({"method": "yield", "budget": 200, "step": 0}, "step=0; give a whole number from 1 up"),
        ({"method": "yield", "budget": 200, "step": -1}, "step=-1; give a whole number from 1 up"),
        ({"strata": {}}, "different depths from 1 up"),
        ({"method": "mtf"}, "give budget= or batch="),
        ({"method": "mtf", "budget": 3, "judge": "me"}, "judge is a str"),
        ({"method": "mtf", "budget": 3, "judge": lambda t, d: "no"}, "the judge says 'no'"),
        ({"method": "mtf", "budget": 3, "judge": lambda t, d: 0.5}, "the judge says 0.5"),
        ({"method": "yield", "budget": 3, "depth": 9}, "more than the budget"),
    ],
)
def test_wishes_that_make_no_sense_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(cf.InputError, match=message):
        cf.pool(WORLD.runs, **options)


def test_a_pool_without_runs_or_with_other_runs_than_before_is_refused() -> None:
    with pytest.raises(cf.InputError, match="there are no runs"):
        cf.pool([], depth=3)
    with pytest.raises(cf.InputError, match="more than once"):
        cf.pool([WORLD.runs[0], WORLD.runs[0]], depth=3)
    before = cf.pool(WORLD.runs, depth=30)
    with pytest.raises(cf.InputError, match="these runs did not retrieve"):
        cf.pool(WORLD.runs[0], method="mtf", batch=3, so_far=before)


def test_judgements_of_documents_outside_the_pool_are_refused() -> None:
    pool = cf.pool(WORLD.runs, depth=1)
    with pytest.raises(cf.InputError, match="1 judgement of documents outside the pool: 't0 nope'"):
        pool.truth({("t0", "nope"): 1})


def test_the_frame_of_a_pool_lists_its_pairs() -> None:
    pool = cf.pool(WORLD.runs, strata={3: 1, 10: 0.5})
    assert pool.frame.columns == ["topic", "document", "rank", "stratum", "drawn"]
    assert pool.frame.rows() == list(pool.records())
