"""Surveys about measures: which label sets are shown, and which measures prefer what people do."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

import cranfield as cf
from cranfield.assessment import surveys
from cranfield.errors import InputError, MeasureError
from cranfield.statistics.significance import even_chance, wilson

CONCEPTS = tuple("abcdefgh")


def world(runs: int = 2, items: int = 800, seed: int = 0) -> tuple[cf.Truth, list[cf.Run]]:
    random = np.random.default_rng(seed)
    labels = random.random((items, len(CONCEPTS))) < 0.35
    names = [f"photo{number:03}" for number in range(items)]
    truth = cf.Truth(labels, items=names, concepts=CONCEPTS)
    said = [
        cf.Run(
            np.where(labels, 0.6, 0.3) + random.normal(0, 0.25, labels.shape),
            name=f"system{number}",
            items=names,
            concepts=CONCEPTS,
            threshold=0.5,
        )
        for number in range(runs)
    ]
    return truth, said


@pytest.fixture(scope="module")
def survey() -> surveys.MeasureSurvey:
    return surveys.measure_survey(
        *world(), "example.F", "example.AP", further=["example.hamming"], count=30
    )


def voted(
    survey: surveys.MeasureSurvey, counts: np.ndarray, asked: tuple[str, ...] | None = None
) -> surveys.Answers:
    """So many votes for left, right and neither of each pairing; who votes for what is mixed."""
    random = np.random.default_rng(1)
    rows = []
    for name, votes in zip(asked or survey.asked, counts, strict=True):
        cast = np.repeat(["left", "right", "equal"], votes)
        people = random.permutation(max(int(sum(one)) for one in counts))[: len(cast)]
        rows += [
            (name, f"w{who}", "preference", one) for who, one in zip(people, cast, strict=True)
        ]
    votes = cf.Votes.from_columns(*zip(*rows, strict=True), kinds={"preference": "choice"})
    return surveys.arranged(votes, asked=survey.asked, question=surveys.PREFERENCE)


# ── what is shown ─────────────────────────────────────────────────────────────────────────────


def test_the_first_measure_ties_what_the_second_tells_apart(survey: surveys.MeasureSurvey) -> None:
    truth, runs = world()
    found = cf.evaluate(truth, runs, ["example.F", "example.AP"])
    assert len(survey.pairings) == 30
    for place, pair in enumerate(survey.pairings):
        row = truth.items.index(pair.item)
        for one in ("example.F", "example.AP"):
            scores = [found.units(name, one)[row] for name in (pair.left, pair.right)]
            assert survey.scores[one][place].tolist() == scores
        assert survey.differences("example.F")[place] == 0
        assert survey.differences("example.AP")[place] != 0


def test_label_sets_are_those_of_the_runs_and_never_the_same(survey: surveys.MeasureSurvey) -> None:
    truth, runs = world()
    assigned = {run.name: np.asarray(run.assigned) for run in runs}
    for pair in survey.pairings:
        row = truth.items.index(pair.item)
        for name, labels in ((pair.left, pair.left_labels), (pair.right, pair.right_labels)):
            assert list(labels) == [CONCEPTS[c] for c in np.flatnonzero(assigned[name][row])]
        assert pair.left_labels != pair.right_labels
        assert list(pair.true) == [CONCEPTS[c] for c in np.flatnonzero(truth.labels[row])]


def test_the_first_labels_are_as_many_as_are_true() -> None:
    truth, runs = world()
    found = surveys.measure_survey(truth, runs, "example.RP", "example.AP", labels="first")
    by_name = {run.name: run for run in runs}
    for pair in found.pairings:
        row = truth.items.index(pair.item)
        order = np.argsort(-np.asarray(by_name[pair.left].scores)[row])
        assert set(pair.left_labels) == {CONCEPTS[c] for c in order[: len(pair.true)]}


def test_largest_differences_come_first_and_neither_run_is_the_better_one(
    survey: surveys.MeasureSurvey,
) -> None:
    truth, runs = world()
    found = cf.evaluate(truth, runs, ["example.F", "example.AP"])
    f, ap = (
        found.units("system0", one) - found.units("system1", one)
        for one in ("example.F", "example.AP")
    )
    differ = (np.asarray(runs[0].assigned) != np.asarray(runs[1].assigned)).any(axis=1)
    possible = (np.abs(f) <= 1e-9) & differ
    asked = {pair.item for pair in survey.pairings}
    for side in (ap > 1e-9, ap < -1e-9):
        best = sorted(np.abs(ap[possible & side]), reverse=True)[:15]
        mine = [abs(ap[row]) for row in np.flatnonzero(side) if truth.items[row] in asked]
        assert sorted(mine, reverse=True) == pytest.approx(best)


def test_what_the_measure_prefers_stands_on_either_side_equally_often(
    survey: surveys.MeasureSurvey,
) -> None:
    gaps = survey.differences("example.AP")
    preferred = [
        (pair.left, "left") if gap > 0 else (pair.right, "right")
        for pair, gap in zip(survey.pairings, gaps, strict=True)
    ]
    for run in ("system0", "system1"):
        sides = Counter(side for name, side in preferred if name == run)
        assert abs(sides["left"] - sides["right"]) <= 1


def test_of_many_runs_all_pairs_take_turns_and_no_item_is_asked_twice() -> None:
    truth, runs = world(runs=4)
    found = surveys.measure_survey(truth, runs, "example.F", "example.AP", count=24)
    asked = Counter(frozenset((pair.left, pair.right)) for pair in found.pairings)
    assert set(asked.values()) == {4}
    assert len({pair.item for pair in found.pairings}) == 24


def test_a_survey_depends_on_the_seed_and_not_on_the_order_of_anything() -> None:
    truth, runs = world(runs=3)
    turn = np.random.default_rng(4).permutation(truth.shape[0])
    turned = cf.Truth(
        truth.labels[turn][:, ::-1],
        items=[truth.items[row] for row in turn],
        concepts=CONCEPTS[::-1],
    )
    measures = ("example.F", "example.AP")
    one = surveys.measure_survey(truth, runs, *measures, count=15, seed=2)
    other = surveys.measure_survey(turned, runs[::-1], *measures, count=15, seed=2)

    def seen(found: surveys.MeasureSurvey) -> list[tuple[str, ...]]:
        return [(pair.id, pair.item, pair.left, pair.right) for pair in found.pairings]

    assert seen(one) == seen(other)
    third = surveys.measure_survey(truth, runs, *measures, count=15, seed=3)
    assert seen(one) != seen(third)


def test_measures_that_cannot_be_asked_about_are_refused() -> None:
    truth, runs = world()
    with pytest.raises(MeasureError, match="no scores of single items"):
        surveys.measure_survey(truth, runs, "concept.AP", "example.AP")
    with pytest.raises(MeasureError, match="name two measures"):
        surveys.measure_survey(truth, runs, "example.F", "example.F")
    with pytest.raises(InputError, match="1 run;"):
        surveys.measure_survey(truth, runs[:1], "example.F", "example.AP")
    with pytest.raises(InputError, match=r"there is no item of which example\.F ties"):
        surveys.measure_survey(truth, [runs[0], cf.Run(
            runs[0].scores, name="twin", items=truth.items, concepts=CONCEPTS, threshold=0.5
        )], "example.F", "example.AP")  # fmt: skip


# ── what people prefer ────────────────────────────────────────────────────────────────────────


def test_people_who_prefer_by_the_second_measure_are_reported_to_agree_with_it(
    survey: surveys.MeasureSurvey,
) -> None:
    random = np.random.default_rng(0)
    gaps = survey.differences("example.AP")
    rows = []
    for name, gap in zip(survey.asked, gaps, strict=True):
        for who in range(15):
            with_measure = "left" if gap > 0 else "right"
            against = "right" if gap > 0 else "left"
            said = random.choice([with_measure, against, "equal"], p=[0.75, 0.15, 0.1])
            rows.append((name, f"w{who}", "preference", said))
    votes = cf.Votes.from_columns(*zip(*rows, strict=True), kinds={"preference": "choice"})
    answers = surveys.arranged(votes, asked=survey.asked, question=surveys.PREFERENCE)
    found = surveys.preferences(survey, answers)
    by_name = {one.measure: one for one in found.by_measure()}
    assert by_name["example.AP"].share > 0.9
    assert by_name["example.AP"].concordance_interval.low > 0.5
    assert by_name["example.AP"].p_value < 1e-4
    assert by_name["example.F"].share == 0
    assert by_name["example.F"].concordance == 0
    assert by_name["example.F"].of_votes == 0.5
    closer = {(one.one, one.other): one for one in found.comparisons()}
    assert closer["example.F", "example.AP"].only_one == 0
    assert closer["example.F", "example.AP"].p_value < 1e-3


def test_counts_by_a_literal_loop(survey: surveys.MeasureSurvey) -> None:
    random = np.random.default_rng(7)
    counts = random.multinomial(9, [0.4, 0.35, 0.25], size=len(survey.pairings))
    found = surveys.preferences(survey, voted(survey, counts))
    assert found.counts.tolist() == counts.tolist()
    preferred = []
    for left, right, equal in counts.tolist():
        if left == right or equal > max(left, right):
            preferred.append(0)
        else:
            preferred.append(1 if left > right else -1)
    assert found.preferred.tolist() == preferred
    assert found.undecided == preferred.count(0) > 0
    for one in found.by_measure():
        agreeing = opposite = tied = 0
        won = either = 0.0
        gaps = survey.differences(one.measure).tolist()
        for gap, said, (left, right, _) in zip(gaps, preferred, counts.tolist(), strict=True):
            either += left + right
            won += (left + right) / 2 if gap == 0 else left if gap > 0 else right
            if said == 0:
                continue
            if gap == 0:
                tied += 1
            elif (gap > 0) == (said > 0):
                agreeing += 1
            else:
                opposite += 1
        assert (one.agreeing, one.opposite, one.tied) == (agreeing, opposite, tied)
        assert one.share == pytest.approx(agreeing / one.decided)
        assert one.concordance == pytest.approx((agreeing - opposite) / one.decided)
        assert one.of_votes == pytest.approx(won / either)
        assert one.share_interval == pytest.approx(
            proportion_confint(agreeing, one.decided, method="wilson")
        )
        total = agreeing + opposite
        p = stats.binomtest(agreeing, total).pvalue if total else 1.0
        assert one.p_value == pytest.approx(p)
        assert one.concordance_interval.low <= one.concordance <= one.concordance_interval.high


def test_measures_are_compared_by_mcnemars_test(survey: surveys.MeasureSurvey) -> None:
    counts = np.random.default_rng(3).multinomial(9, [0.4, 0.4, 0.2], size=len(survey.pairings))
    found = surveys.preferences(survey, voted(survey, counts))
    decided = found.preferred != 0
    agrees = {
        one: np.sign(survey.differences(one))[decided] == found.preferred[decided]
        for one in survey.measures
    }
    p_values = []
    for one in found.comparisons():
        a, b = agrees[one.one], agrees[one.other]
        table = [[sum(a & b), sum(a & ~b)], [sum(~a & b), sum(~a & ~b)]]
        assert (one.only_one, one.only_other) == (table[0][1], table[1][0])
        p_values.append(mcnemar(table, exact=True).pvalue)
    corrected = multipletests(p_values, method="holm")[1]
    assert [one.p_value for one in found.comparisons()] == pytest.approx(corrected.tolist())


def test_people_agree_with_each_other_by_fleiss(survey: surveys.MeasureSurvey) -> None:
    counts = np.random.default_rng(3).multinomial(9, [0.5, 0.3, 0.2], size=len(survey.pairings))
    answers = voted(survey, counts)
    table = answers.votes.ballot("preference").table
    expected = fleiss_kappa(aggregate_raters(table)[0])
    assert surveys.preferences(survey, answers).agreement() == pytest.approx(expected)


def test_a_habit_of_choosing_the_left_is_told(survey: surveys.MeasureSurvey) -> None:
    counts = np.tile([7, 2, 1], (len(survey.pairings), 1))
    found = surveys.preferences(survey, voted(survey, counts))
    left, either, p = found.on_the_left
    assert (left, either) == (7 * 30, 9 * 30)
    assert p == pytest.approx(stats.binomtest(left, either).pvalue)
    # Sides were dealt out evenly, so that such a habit is no merit of any measure.
    split = next(one for one in found.by_measure() if one.measure == "example.AP")
    assert split.agreeing == split.opposite == 15


def test_table_9_5_of_nowak_2011() -> None:
    scores = [
        (0.694, 0.638), (0.922, 0.893), (0.803, 0.843), (0.807, 0.775), (0.911, 0.877),
        (0.713, 0.753), (0.797, 0.810), (0.657, 0.690), (0.708, 0.752), (0.758, 0.730),
    ]  # fmt: skip
    votes = np.array([
        (16, 2, 2), (12, 6, 2), (8, 9, 3), (17, 3, 0), (14, 4, 2),
        (3, 12, 5), (7, 11, 2), (7, 10, 3), (7, 12, 1), (0, 5, 4),
    ])  # fmt: skip
    pairings = tuple(
        surveys.Pairing(f"q{n:02}", f"image {n}", "System 1", "System 2", ("a",), ("b",), ("a",))
        for n in range(1, 11)
    )
    survey = surveys.MeasureSurvey(
        pairings,
        "example.RP",
        "SRP",
        {"example.RP": "higher", "SRP": "higher"},
        {"example.RP": np.ones((10, 2)), "SRP": np.array(scores)},
        1e-9,
        {},
        10,
    )
    found = surveys.preferences(survey, voted(survey, votes))
    srp = found.by_measure()[1]
    assert srp.share == 0.9  # "This winner is in 90% in line with the SR-Precision score."
    assert (srp.agreeing, srp.opposite, found.undecided) == (9, 1, 0)
    assert found.counts[9].sum() == 9
    assert srp.p_value == pytest.approx(22 / 1024)


def test_a_measure_by_which_less_is_better_is_turned_round(survey: surveys.MeasureSurvey) -> None:
    scores = survey.scores["example.hamming"]
    assert survey.better["example.hamming"] == "lower"
    gaps = survey.differences("example.hamming")
    assert np.sign(gaps).tolist() == np.sign(np.round(scores[:, 1] - scores[:, 0], 9)).tolist()


def test_items_without_a_score_are_left_out_and_counted(survey: surveys.MeasureSurvey) -> None:
    scores = survey.scores["example.AP"].copy()
    scores[:4] = np.nan
    partly = replace(survey, scores={**survey.scores, "example.AP": scores})
    counts = np.tile([5, 1, 0], (30, 1))
    ap = surveys.preferences(partly, voted(survey, counts)).by_measure()[1]
    assert (ap.undefined, ap.decided) == (4, 26)


def test_items_nobody_answered_are_neither_decided_nor_undecided(
    survey: surveys.MeasureSurvey,
) -> None:
    counts = np.tile([5, 1, 0], (10, 1))
    found = surveys.preferences(survey, voted(survey, counts, survey.asked[:10]))
    assert found.undecided == 0
    assert found.answered.sum() == 10
    assert {one.decided for one in found.by_measure()} == {10}


# ── further measures, files ───────────────────────────────────────────────────────────────────


def test_further_measures_are_reported_on_the_same_answers(survey: surveys.MeasureSurvey) -> None:
    truth, runs = world()
    more = surveys.with_measures(survey, truth, runs, ["example.Acc"])
    assert more.measures == (*survey.measures, "example.Acc")
    whole = surveys.measure_survey(
        truth, runs, "example.F", "example.AP", further=["example.Acc"], count=30
    )
    assert more.scores["example.Acc"].tolist() == whole.scores["example.Acc"].tolist()


def test_other_runs_than_those_of_the_survey_are_refused(survey: surveys.MeasureSurvey) -> None:
    truth, runs = world()
    other_truth, others = world(seed=1)
    with pytest.raises(InputError, match="run 'system1' is missing"):
        surveys.with_measures(survey, truth, runs[:1], ["example.Acc"])
    with pytest.raises(InputError, match="run 'system0' is not the one"):
        surveys.with_measures(survey, truth, others, ["example.Acc"])
    with pytest.raises(InputError, match="the truth is not the one"):
        surveys.with_measures(survey, other_truth, runs, ["example.Acc"])


def test_measure_survey_on_disk_is_the_same_survey(
    survey: surveys.MeasureSurvey, tmp_path: Path
) -> None:
    surveys.write_survey(
        survey, tmp_path / "s", page=surveys.measure_page(survey), sheet=b"nothing\n"
    )
    back = surveys.read_measure_survey(tmp_path / "s")
    assert back.pairings == survey.pairings
    assert {one: back.differences(one).tolist() for one in back.measures} == {
        one: survey.differences(one).tolist() for one in survey.measures
    }


def test_people_see_neither_runs_nor_scores_nor_items(survey: surveys.MeasureSurvey) -> None:
    page = surveys.measure_page(survey)
    sheet = surveys.measure_sheet(survey).decode()
    for secret in ("system0", "system1", "example.", "photo0", "0.5"):
        assert secret not in sheet
        assert secret not in page.partition('id="survey">')[2].partition("</script>")[0]


def test_a_sheet_tells_what_is_to_be_compared(survey: surveys.MeasureSurvey) -> None:
    names = {"a": "Autumn, of course"}
    images = {survey.pairings[0].item: "https://example.org/1.jpg"}
    sheet = surveys.measure_sheet(survey, images=images, names=names, show_truth=True).decode()
    assert sheet.startswith("item,annotator,address,right labels,left,right,answer\n")
    assert "https://example.org/1.jpg" in sheet
    assert '"Autumn, of course' in sheet


# ── proportions ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("count", "total"), [(0, 5), (3, 5), (5, 5), (40, 100), (0, 0)])
def test_wilsons_interval_is_that_of_statsmodels(count: int, total: int) -> None:
    if not total:
        assert np.isnan(wilson(count, total)).all()
    else:
        expected = proportion_confint(count, total, alpha=0.1, method="wilson")
        assert wilson(count, total, 0.9) == pytest.approx(expected, abs=1e-12)


def test_an_even_chance_is_tested_exactly() -> None:
    for ahead in range(8):
        for behind in range(8):
            expected = stats.binomtest(ahead, ahead + behind).pvalue if ahead + behind else 1.0
            assert float(even_chance(ahead, behind)) == pytest.approx(expected)
