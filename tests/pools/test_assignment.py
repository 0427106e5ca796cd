"""Documents are dealt out evenly and blind, and what people say is kept."""

from __future__ import annotations

from collections import Counter

import pytest
from drawn_runs import World

import cranfield as cf
from cranfield.assessment.pools import Judgement, Pair, Sheet, assign, merge, progress_of

WORLD = World(documents=400, topics=12)
POOL = cf.pool(WORLD.runs, depth=10)
PEOPLE = ["anna", "ben", "carla", "dora"]


def loads(sheets: tuple[Sheet, ...]) -> dict[str, int]:
    """How many documents each of the people has to judge."""
    found = Counter(sheet.assessor for sheet in sheets for _ in sheet.documents)
    return {person: found[person] for person in PEOPLE}


def asked(sheets: tuple[Sheet, ...]) -> dict[Pair, set[str]]:
    found: dict[Pair, set[str]] = {}
    for sheet in sheets:
        for document in sheet.documents:
            found.setdefault(Pair(sheet.topic, document), set()).add(sheet.assessor)
    return found


@pytest.mark.parametrize("overlap", [1, 2, 4])
@pytest.mark.parametrize("by", ["topic", "document"])
def test_every_document_is_judged_by_as_many_people_as_wished(overlap: int, by: str) -> None:
    found = asked(assign(POOL, PEOPLE, overlap=overlap, by=by))
    assert found.keys() == set(POOL.pairs)
    assert {len(whom) for whom in found.values()} == {overlap}


def test_documents_are_dealt_out_to_the_last_one_evenly() -> None:
    shares = loads(assign(POOL, PEOPLE, overlap=3, by="document"))
    assert max(shares.values()) - min(shares.values()) <= 1


def test_topics_stay_together_and_loads_differ_by_no_more_than_one_topic() -> None:
    sheets = assign(POOL, PEOPLE, by="topic")
    assert len(sheets) == len(POOL.topics)
    largest = max(len(documents) for documents in POOL.to_judge.values())
    shares = loads(sheets)
    assert max(shares.values()) - min(shares.values()) <= largest


def test_only_documents_that_were_drawn_are_handed_out() -> None:
    pool = cf.pool(WORLD.runs, strata={3: 1, 20: 0.2})
    drawn = {pair for pair, one in zip(pool.pairs, pool.drawn, strict=True) if one}
    assert asked(assign(pool, PEOPLE)).keys() == drawn
    assert len(drawn) < len(pool)


def test_sheets_depend_neither_on_the_order_of_runs_nor_of_people() -> None:
    back = cf.pool(WORLD.runs[::-1], depth=10)
    assert assign(POOL, PEOPLE, overlap=2) == assign(back, PEOPLE[::-1], overlap=2)


def test_the_order_of_a_sheet_tells_nothing_about_ranks() -> None:
    """Were documents in the order of the pool or of ranks, ranks would grow down the sheet."""
    rank = {(topic, document): place for topic, document, place, *_ in POOL.records()}
    sheets = assign(POOL, PEOPLE, seed=3)
    for sheet in sheets:
        assert list(sheet.documents) != sorted(sheet.documents)
    slopes = []
    for sheet in sheets:
        ranks = [rank[sheet.topic, document] for document in sheet.documents]
        half = len(ranks) // 2
        slopes.append(sum(ranks[:half]) / half - sum(ranks[half:]) / (len(ranks) - half))
    assert abs(sum(slopes) / len(slopes)) < 1


def test_another_seed_shows_another_order_and_each_person_has_an_own_one() -> None:
    one, two = (assign(POOL, PEOPLE, overlap=2, seed=seed) for seed in (0, 1))
    by_topic: dict[str, set[tuple[str, ...]]] = {}
    for sheet in (*one, *two):
        by_topic.setdefault(sheet.topic, set()).add(sheet.documents)
    assert all(len(orders) == 4 for orders in by_topic.values())


def test_what_is_new_goes_to_those_who_have_the_topic() -> None:
    first = assign(cf.pool(WORLD.runs, depth=5), PEOPLE)
    more = assign(POOL, PEOPLE, before=asked(first))
    owners = {sheet.topic: sheet.assessor for sheet in first}
    assert all(owners[sheet.topic] == sheet.assessor for sheet in more)
    assert asked(first).keys() | asked(more).keys() == set(POOL.pairs)
    assert not asked(first).keys() & asked(more).keys()
    assert assign(POOL, PEOPLE, before=asked(first) | asked(more)) == ()


@pytest.mark.parametrize(
    ("people", "overlap", "message"),
    [
        (["a", "a"], 1, "name each once"),
        (["a", " "], 1, "none with an empty name"),
        (["a", "b"], 3, "ask for one to 2"),
        (["a", "b"], 0, "ask for one to 2"),
        ([], 1, "name more assessors"),
    ],
)
def test_people_and_overlaps_that_make_no_sense_are_refused(
    people: list[str], overlap: int, message: str
) -> None:
    with pytest.raises(cf.InputError, match=message):
        assign(POOL, people, overlap=overlap)


# ── merging ───────────────────────────────────────────────────────────────────────────────────


def said(*grades: int) -> list[Judgement]:
    return [Judgement("t", "d", f"person{place}", grade) for place, grade in enumerate(grades)]


@pytest.mark.parametrize(
    ("grades", "majority", "largest", "mean"),
    [
        ((1,), 1, 1, 1),
        ((1, 0), 0, 1, 0),
        ((1, 1, 0), 1, 1, 1),
        ((2, 2, 0), 2, 2, 1),
        ((3, 1), 1, 3, 2),
        ((2, 1), 1, 2, 1),
        ((0, 0, 3), 0, 3, 1),
        ((2, 2, 1, 1, 0), 1, 2, 1),
        ((-1, 2), 2, 2, 2),
    ],
)
def test_rules_make_one_grade_of_several(
    grades: tuple[int, ...], majority: int, largest: int, mean: int
) -> None:
    for rule, wanted in (("majority", majority), ("max", largest), ("mean", mean)):
        assert merge(said(*grades), rule).grades == {("t", "d"): wanted}, rule


def test_the_mean_is_the_nearest_grade_of_two_the_lower() -> None:
    from fractions import Fraction
    from itertools import product
    from math import ceil

    for count in (2, 3, 4, 5):
        for grades in product(range(4), repeat=count):
            wanted = ceil(Fraction(sum(grades), count) - Fraction(1, 2))
            assert merge(said(*grades), "mean").grades[Pair("t", "d")] == wanted


def test_disagreements_and_even_splits_are_told() -> None:
    judgements = [
        Judgement("t", "a", "x", 1),
        Judgement("t", "a", "y", 0),
        Judgement("t", "b", "x", 1),
        Judgement("t", "b", "y", 1),
        Judgement("t", "c", "x", 0),
        Judgement("t", "c", "y", -1),
    ]
    merged = merge(judgements)
    assert merged.grades == {("t", "a"): 0, ("t", "b"): 1, ("t", "c"): 0}
    assert (merged.several, merged.even_splits) == (2, 1)
    (one,) = merged.disagreements
    assert one == ("t", "a", {"x": 1, "y": 0}, 0)
    assert merge(judgements, "max").even_splits == 0
    with pytest.raises(cf.InputError, match="choose 'majority', 'max', 'mean'"):
        merge(judgements, "min")


def test_merging_keeps_every_pair_of_the_pool() -> None:
    pool = cf.pool(WORLD.runs, depth=3)
    judged = [Judgement(*pair, "x", WORLD.grade(*pair)) for pair in pool.pairs[::2]]
    states = pool.truth(merge(judged).grades).states
    assert int((states >= cf.State.UNJUDGED).sum()) == len(pool)
    assert int((states == cf.State.UNJUDGED).sum()) == len(pool.pairs[1::2])


def test_progress_counts_by_topic_and_person() -> None:
    pool = cf.pool(WORLD.runs, depth=1)
    (first, second, third), rest = pool.pairs[:3], pool.pairs[3:]
    judgements = [
        Judgement(*first, "x", 1),
        Judgement(*first, "y", -1),
        Judgement(*second, "x", 0),
        Judgement(*third, "y", -1),
    ]
    found = progress_of(pool, judgements)
    assert found.by_assessor == {"x": (2, 2), "y": (0, 2)}
    assert found.documents == (2, len(pool))
    assert found.not_assigned == len(rest)
    assert found.judgements == (2, 4)
    assert set(found.by_topic) == set(WORLD.topics)
    assert sum(one.total for one in found.by_topic.values()) == 4
