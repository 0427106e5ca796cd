"""Quality of annotators against loops written out, SciPy, and crews whose care is known."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

import cranfield as cf
from cranfield.assessment.quality.annotators import right_answers, squared_distance
from cranfield.assessment.votes import Question, Sheets
from cranfield.errors import InputError
from cranfield.studies.annotators import Crew, simulated_votes


def photo_votes(*crews: Crew, items: int = 60, seed: int = 0) -> cf.Votes:
    """What crews say of photos with eight rare concepts and two choices."""
    random = np.random.default_rng(seed)
    labels = np.zeros((items, 14), dtype=bool)
    labels[:, :8] = random.random((items, 8)) < 0.15
    for first in (8, 11):
        labels[np.arange(items), first + random.integers(3, size=items)] = True
    names = [f"c{number}" for number in range(14)]
    truth = cf.Truth(labels, items=[f"i{n}" for n in range(items)], concepts=names)
    groups = {"Season": names[8:11], "Place": names[11:]}
    return simulated_votes(truth, crews, groups=groups, seed=seed)


def random_votes(seed: int, *, kind: str = "choice", answers: int = 3) -> cf.Votes:
    """Any votes, some people asked again in a second batch."""
    random = np.random.default_rng(seed)
    batch, item, annotator = np.nonzero(random.random((2, 25, 6)) < [[[0.7]], [[0.3]]])
    names = [str(one) for one in range(answers)]
    question = Question("q", kind, ("no", "yes") if kind == "yes_no" else tuple(names))  # type: ignore[arg-type]
    return cf.Votes(
        item,
        annotator,
        np.zeros(len(item), dtype=int),
        random.integers(question.size, size=len(item)),
        items=[f"i{n}" for n in range(25)],
        annotators=list("abcdef"),
        questions=[question],
        batch=batch,
        batches=["first", "second"],
    )


def with_sheets(votes: cf.Votes, **known: Any) -> cf.Votes:
    """The same votes, with more known of each sheet."""
    sheets = votes.sheets
    return cf.Votes(
        votes.item,
        votes.annotator,
        votes.question,
        votes.answer,
        items=votes.items,
        annotators=votes.annotators,
        questions=votes.questions,
        batch=votes.batch,
        batches=votes.batches,
        sheets=Sheets.of(sheets.item, sheets.annotator, sheets.batch, **known),
    )


# ── what votes are held against ───────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", ["choice", "grade", "yes_no"])
@pytest.mark.parametrize("seed", range(4))
def test_a_vote_is_held_against_the_others_alone(
    kind: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cranfield.assessment.quality.annotators._CELLS", 20)
    votes = random_votes(seed, kind=kind)
    right, _ = right_answers(votes)
    for place in range(len(votes)):
        others = sorted(
            votes.answer[other]
            for other in range(len(votes))
            if votes.item[other] == votes.item[place]
            and votes.annotator[other] != votes.annotator[place]
        )
        if kind == "choice":
            counts = sorted(((others.count(one), one) for one in set(others)), reverse=True)
            even = len(counts) > 1 and counts[0][0] == counts[1][0]
            expected = counts[0][1] if counts and not even else -1
        else:
            low, high = (
                (others[(len(others) - 1) // 2], others[len(others) // 2]) if others else (-1, -1)
            )
            expected = low if low == high else -1
        assert right[place] == expected


def test_the_model_of_dawid_and_skene_can_be_asked_instead() -> None:
    votes = random_votes(1)
    decided = votes.consensus("dawid_skene").fits[0].answer
    right, remarks = right_answers(votes, "dawid_skene")
    assert remarks == ()
    seen = [len(set(votes.annotator[votes.item == item])) for item in range(len(votes.items))]
    several = np.array(seen)[votes.item] > 1
    assert (right[several] == decided[votes.item[several]]).all()
    assert (right[~several] == -1).all()
    with pytest.raises(InputError, match="others, dawid_skene"):
        votes.quality(reference="mace")


def test_quality_says_when_the_model_it_rests_on_did_not_converge(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    votes = random_votes(1)
    hasty = votes.consensus("dawid_skene", iterations=1)
    monkeypatch.setattr(type(votes), "consensus", lambda self, method: hasty)
    (remark,) = votes.quality(reference="dawid_skene").remarks
    assert "dawid_skene did not converge within 1 iteration" in remark


# ── spammers ──────────────────────────────────────────────────────────────────────────────────


def test_of_yes_and_no_the_distance_is_sensitivity_plus_specificity_less_one() -> None:
    counts = np.array([[[8_000_000, 2_000_000], [1_000_000, 9_000_000]]])
    square, weight = squared_distance(counts)
    assert np.sqrt(square[0]) == pytest.approx(0.8 + 0.9 - 1.0, abs=1e-6)
    assert weight[0] == pytest.approx(1e7)


def test_the_distance_is_that_of_all_pairs_of_rows_without_what_chance_adds() -> None:
    counts = np.random.default_rng(0).integers(1, 9, size=(5, 4, 4))
    square, _ = squared_distance(counts)
    for matrix, found in zip(counts, square, strict=True):
        sizes = matrix.sum(axis=1)
        rows = matrix / sizes[:, None]
        apart = sum(((rows[a] - rows[b]) ** 2).sum() for a, b in combinations(range(4), 2))
        chance = sum(
            (rows[c] * (1 - rows[c])).sum() / (sizes[c] - 1)
            for pair in combinations(range(4), 2)
            for c in pair
        )
        assert found == pytest.approx((apart - chance) / 12)


def test_chance_adds_nothing_on_average() -> None:
    random = np.random.default_rng(1)
    counts = np.stack([random.multinomial(n, [0.2, 0.5, 0.3], size=20_000) for n in (3, 6, 9)], 1)
    assert squared_distance(counts)[0].mean() == pytest.approx(0.0, abs=0.005)


def test_careless_workers_rank_lowest() -> None:
    votes = photo_votes(Crew("good", 6), Crew("bad", 3, careless=0.95))
    for reference in ("others", "dawid_skene"):
        found = votes.quality(reference=reference)
        assert set(found.frame["annotator"][:3]) == {"bad1", "bad2", "bad3"}
        bad = np.array([name.startswith("bad") for name in votes.annotators])
        assert found.scores[bad].max() < 0.35 < 0.7 < found.scores[~bad].min()
        assert found.agreement[bad].max() < found.agreement[~bad].min()


def test_who_always_says_the_opposite_is_no_spammer() -> None:
    random = np.random.default_rng(2)
    array = np.repeat((random.random((40, 1, 1)) < 0.5).astype(float), 4, axis=1)
    array[:, 3] = 1 - array[:, 3]
    found = cf.Votes.from_array(array).quality()
    assert found.scores.tolist() == [1, 1, 1, 1]
    assert found.agreement.tolist() == [1, 1, 1, 0]


def test_without_others_nothing_is_known() -> None:
    found = cf.Votes.from_choices(["a", "b"], ["ann", "bob"], ["x", "y"]).quality()
    row = found.frame.row(0, named=True)
    assert [row[name] for name in ("agreement", "score", "median_seconds", "slope")] == [None] * 4


def test_without_votes_nobody_is_judged() -> None:
    with pytest.raises(InputError, match="there are no votes"):
        cf.Votes([], [], [], [], items=["a"], annotators=["b"], questions=[Question("q")]).quality()


# ── work and drift ────────────────────────────────────────────────────────────────────────────


def test_work_counts_sheets_votes_and_times() -> None:
    votes = photo_votes(Crew("ann", 3, per_item=2))
    seconds, who = votes.sheets.seconds, votes.sheets.annotator
    for row in votes.quality().frame.iter_rows(named=True):
        mine = seconds[who == votes.annotators.index(row["annotator"])]
        assert row["sheets"] == len(mine)
        assert row["votes"] == 10 * len(mine)
        assert row["median_seconds"] == np.median(mine)
        assert row["hours"] == pytest.approx(mine.sum() / 3600)
        assert row["sheets_per_hour"] == pytest.approx(3600 * len(mine) / mine.sum())


def test_drift_is_the_regression_that_scipy_finds() -> None:
    stats = pytest.importorskip("scipy.stats")
    votes = photo_votes(Crew("ann", 3), Crew("bob", 4, per_item=2, careless=0.3))
    found = votes.quality()
    sheets = votes.sheets
    for who in range(len(votes.annotators)):
        mine = np.flatnonzero(sheets.annotator == who)
        mine = mine[np.argsort(sheets.submitted[mine])]
        agreed = []
        for sheet in mine:
            held = (votes.sheet == sheet) & (found.right >= 0)
            agreed.append((votes.answer[held] == found.right[held]).mean())
        line = stats.linregress(np.arange(len(mine)), agreed)
        assert found.drift.slope[who] == pytest.approx(line.slope)
        assert found.drift.p[who] == pytest.approx(line.pvalue)
        half = len(mine) // 2
        assert found.drift.first[who] == pytest.approx(np.mean(agreed[:half]))
        assert found.drift.second[who] == pytest.approx(np.mean(agreed[-half:]))


def test_who_tires_is_seen_to_drift() -> None:
    random = np.random.default_rng(3)
    array = np.repeat((random.random((80, 1, 5)) < 0.5).astype(float), 4, axis=1)
    tired = random.random((80, 5)) < (np.arange(80) > 40)[:, None] * 0.5
    array[:, 0][tired] = 1 - array[:, 0][tired]
    votes = cf.Votes.from_array(array)
    times = np.datetime64("2010-01-04T09:00:00", "s") + 60 * votes.sheets.item
    found = with_sheets(votes, submitted=times).quality()
    assert found.drift.drifting().tolist() == [0]
    assert found.drift.slope[0] < 0
    assert found.drift.second[0] < found.drift.first[0]


def test_without_times_there_is_no_drift_and_equal_times_share_a_place() -> None:
    votes = photo_votes(Crew("ann", 3), items=6)
    sheets = votes.sheets
    assert np.isnan(with_sheets(votes, seconds=sheets.seconds).quality().drift.slope).all()
    noon = np.full(len(sheets), np.datetime64("2010-01-04T12:00:00", "s"))
    assert np.isnan(with_sheets(votes, submitted=noon).quality().drift.slope).all()


# ── duplicates ────────────────────────────────────────────────────────────────────────────────


def test_items_seen_twice_are_told_with_how_often_the_answer_stayed() -> None:
    votes = random_votes(5)
    found = {one.annotator: one for one in votes.quality().repeated}
    rows = {(r[0], r[1], r[4]): r[3] for r in votes.frame.rows()}
    for name in votes.annotators:
        both = [i for i in votes.items if {(i, name, "first"), (i, name, "second")} <= set(rows)]
        same = sum(rows[i, name, "first"] == rows[i, name, "second"] for i in both)
        if both:
            assert (found[name].items, found[name].same) == (len(both), same)
        else:
            assert name not in found


def test_a_copied_hand_is_found_and_honest_people_are_none() -> None:
    votes = photo_votes(Crew("ann", 6, slips=0.05))
    assert votes.quality().twins == ()
    rows = votes.frame.rows()
    copy = [
        (item, "shadow", question, value) for item, who, question, value in rows if who == "ann3"
    ]
    doubled = cf.Votes.from_columns(*zip(*rows, *copy, strict=True))
    (pair,) = doubled.quality().twins
    assert {pair.one, pair.other} == {"ann3", "shadow"}
    assert pair.shared == pair.departures >= 10


# ── rules of rejection ────────────────────────────────────────────────────────────────────────


def test_the_batches_of_nowak_2011_are_rejected_as_printed() -> None:
    """99 images, five and four sheets each; 58 and 36 leave a radio group open (§6.2.2)."""
    random = np.random.default_rng(0)
    rows = []
    for batch, (per_item, lacking) in enumerate(((5, 58), (4, 36))):
        sheets = [(item, batch * 50 + n) for item in range(99) for n in range(per_item)]
        short = set(random.choice(len(sheets), size=lacking, replace=False).tolist())
        for number, (item, who) in enumerate(sheets):
            asked = (0, 1, 2) if number not in short else (0, 2)
            rows += [(item, who, question, batch) for question in asked]
    item, who, question, batch = np.array(rows).T
    questions = [Question("Sky"), *(Question.choice(name, "ab") for name in ("Place", "Time"))]
    votes = cf.Votes(
        item, who, question, np.zeros(len(rows), dtype=int), items=range(99), annotators=range(60),
        questions=questions, batch=batch, batches=["first", "second"],
    )  # fmt: skip
    found = votes.quality()
    batches = found.by_batch
    assert batches["sheets"].to_list() == [495, 396]
    assert batches["rejected"].to_list() == [58, 36]
    assert [f"{share:.2%}" for share in batches["share"]] == ["11.72%", "9.09%"]
    assert int(found.refused.sum()) == 94
    assert set(found.reasons.values()) == {"left open: Place"}
    assert found.by_item["rejected"].sum() == 94
    assert len(found.accepted.sheets) == 891 - 94
    assert len(found.accepted.ballot("Time")) == 797
    assert votes.quality(require=()).reasons == {}
    assert len(votes.quality(require=["Sky", "Place"]).reasons) == 94
    with pytest.raises(InputError, match="no question 'Weather'"):
        votes.quality(require=["Weather"])


def test_what_a_batch_does_not_ask_is_not_required() -> None:
    votes = cf.Votes(
        [0, 1, 0], [0, 0, 0], [0, 0, 1], [0, 1, 0], items="xy", annotators=["ann"],
        questions=[Question.choice("A", "ab"), Question.choice("B", "ab")],
        batch=[0, 0, 1], batches=["1", "2"],
    )  # fmt: skip
    assert votes.quality().rejected["unanswered"] == {}


def test_the_identical_pair_must_get_a_four() -> None:
    """Nowak 2011 §8.5: who does not give night–night a 4 is rejected, with all other answers."""
    grades = {"ann": (4, 1, 2), "bob": (2, 2, 2), "eve": (4, 0, 3)}
    pairs = ("night-night", "sea-night", "city-river")
    rows = [
        (pair, who, grade)
        for who, given in grades.items()
        for pair, grade in zip(pairs, given, strict=True)
    ]
    item, who, grade = zip(*rows, strict=True)
    as_items = cf.Votes.from_columns(item, who, ["relatedness"] * 9, grade)
    as_questions = cf.Votes.from_columns(["survey"] * 9, who, item, grade)
    for votes, sheets in ((as_items, 3), (as_questions, 1)):
        found = votes.quality(controls={"night-night": 4})
        assert set(found.rejections["annotator"]) == {"bob"}
        assert len(found.reasons) == sheets
        assert set(found.reasons.values()) == {"night-night must be answered by 4"}
        assert found.accepted.frame.filter(annotator="bob").is_empty()
    assert list(as_questions.quality(same=3).rejections["rule"]) == ["straight line"]
    with pytest.raises(InputError, match="no question and no item"):
        as_items.quality(controls={"day-day": 4})
    with pytest.raises(InputError, match="nobody could answer '7'"):
        as_items.quality(controls={"night-night": 7})


def test_impossible_times_are_told_with_their_limit() -> None:
    votes = photo_votes(Crew("ann", 2), items=5)
    seconds = np.array([10.0, 100, 100, 100, 9000, 100, 40, np.nan, 100, 100])
    timed = with_sheets(votes, seconds=seconds)
    assert timed.quality(fastest=20).reasons == {0: "done in 10 seconds, less than 20"}
    assert set(timed.quality(fastest_share=0.5, slowest=3600).reasons) == {0, 4, 6}
    with pytest.raises(InputError, match="no sheet tells how long"):
        with_sheets(votes).quality(fastest=3)
    with pytest.raises(InputError, match="fastest=-1"):
        timed.quality(fastest=-1)


def test_always_the_same_answers_are_a_straight_line_unless_nothing_ever_changes() -> None:
    random = np.random.default_rng(4)
    array = np.repeat((random.random((12, 1, 3)) < 0.5).astype(float), 4, axis=1)
    array[:, 2] = (1, 0, 1)
    votes = cf.Votes.from_array(array, annotators=["ann", "bob", "eve", "joe"])
    found = votes.quality(same=12)
    assert set(found.rejections["annotator"]) == {"eve"}
    assert (
        found.reasons[int(np.flatnonzero(found.refused)[0])] == "the same answers on all 12 sheets"
    )
    assert votes.quality(same=13).reasons == {}
    still = cf.Votes.from_array(np.zeros((12, 4, 3)))
    assert still.quality(same=5).reasons == {}
    with pytest.raises(InputError, match="same=1"):
        votes.quality(same=1)


@pytest.mark.parametrize("form", ["truth", "votes"])
def test_gold_rejects_who_contradicts_it_too_often(form: str) -> None:
    right = {"a": ("x", 1, 2), "b": ("y", 0, 3), "c": ("x", 1, 0)}
    said = {"ann": {}, "bob": {"a": ("y", 0, 2), "b": ("x", 0, 3)}, "eve": {"c": ("y", 0, 3)}}
    rows = [
        (item, who, question, value)
        for who, changed in said.items()
        for item in right
        for question, value in zip("CYG", changed.get(item, right[item]), strict=True)
    ]
    votes = cf.Votes.from_columns(*zip(*rows, strict=True), kinds={"Y": "yes_no", "G": "grade"})
    gold: cf.Truth | cf.Votes
    if form == "truth":
        gold = cf.Truth(
            grades=[[1, 0, 1, 2], [0, 1, 0, 3]], items="ab", concepts=["x", "y", "Y", "G"]
        )
    else:
        known = [(item, "gold", question, value) for item, _, question, value in rows[:6]]
        gold = cf.Votes.from_columns(*zip(*known, strict=True), kinds={"Y": "yes_no", "G": "grade"})
    found = votes.quality(gold=gold)
    assert set(found.rejections["annotator"]) == {"bob"}
    assert len(found.reasons) == 3
    assert set(found.reasons.values()) == {"3 of 6 known answers wrong"}
    assert votes.quality(gold=gold, limit=0.5).reasons == {}
    by_sheet = votes.quality(gold=gold, limit=0.5, each="sheet")
    assert by_sheet.rejections["item"].to_list() == ["a"]
    with pytest.raises(InputError, match="answers nothing that was voted on"):
        votes.quality(gold=cf.Truth([[1]], items=["z"], concepts=["Y"]))


def test_who_disagrees_with_everybody_is_rejected_wholly() -> None:
    votes = photo_votes(Crew("good", 6), Crew("bad", 2, careless=0.95))
    for options in ({"least_score": 0.4}, {"least_agreement": 0.85}):
        found = votes.quality(require=(), **options)
        assert set(found.rejections["annotator"]) == {"bad1", "bad2"}
        assert int(found.refused.sum()) == 120
        assert set(found.accepted.frame["annotator"]) == {f"good{n}" for n in range(1, 7)}
    few = cf.Votes.from_array([[[1.0], [1.0], [0.0]]])
    assert few.quality(least_agreement=1.0).reasons == {}


def test_accepted_votes_make_a_better_truth() -> None:
    votes = photo_votes(Crew("good", 2, slips=0.1), Crew("bad", 5, careless=0.9), seed=3)
    experts = photo_votes(Crew("wise", 9), seed=3).merge()
    kept = votes.quality(least_score=0.4).accepted
    right = [(part.merge().labels == experts.labels).mean() for part in (votes, kept)]
    assert right[0] < right[1]


def test_the_order_of_votes_changes_nothing() -> None:
    votes = photo_votes(Crew("ann", 4, careless=0.3), items=20)
    rows = votes.frame.rows()
    order = np.random.default_rng(0).permutation(len(rows))
    frames = [
        cf.Votes.from_columns(*zip(*(rows[place] for place in places), strict=True))
        .quality(least_agreement=0.8)
        .frame.sort("annotator")
        for places in (range(len(rows)), order)
    ]
    assert frames[0].equals(frames[1])


def test_a_choice_that_most_sheets_leave_open_is_optional_unless_required() -> None:
    votes = cf.Votes.from_columns(
        item=["a", "a", "b", "b", "b"],
        annotator=["ann", "bob", "ann", "bob", "bob"],
        concept=["Season"] * 4 + ["Mood"],
        value=["Summer", "Summer", "Winter", "Winter", "calm"],
    )
    assert votes.quality().rejected["unanswered"] == {}
    assert len(votes.quality(require=["Mood"]).rejected["unanswered"]) == 3
