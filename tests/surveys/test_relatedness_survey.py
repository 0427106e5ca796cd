"""Surveys of relatedness: which pairs are asked, who is believed, and what comes out."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import krippendorff
import numpy as np
import pytest
from scipy import stats

import cranfield as cf
from cranfield.assessment import surveys
from cranfield.errors import FileError, InputError
from cranfield.formats.two_columns import read_judgements
from cranfield.knowledge.relatedness import OntologyPaths
from cranfield.studies.judgements import Judgements, LookupWords, correlate

WORDS = ("sky", "clouds", "river", "lake", "night", "party", "food", "animals")


@pytest.fixture
def survey() -> surveys.RelatednessSurvey:
    return surveys.RelatednessSurvey(surveys.choose_pairs(WORDS, count=12, controls=2, seed=3))


def answered(
    survey: surveys.RelatednessSurvey,
    people: int = 9,
    careless: tuple[str, ...] = (),
    seed: int = 0,
) -> surveys.Answers:
    """Grades at random; controls get the highest grade of everybody who is careful."""
    random = np.random.default_rng(seed)
    rows = [
        (pair.id, f"w{who}", "relatedness", grade)
        for who in range(people)
        for pair in survey.pairs
        for grade in [
            4 if pair.control and f"w{who}" not in careless else int(random.integers(0, 4))
        ]
    ]
    votes = cf.Votes.from_columns(*zip(*rows, strict=True), kinds={"relatedness": "grade"})
    return surveys.arranged(votes, asked=survey.asked, question=surveys.RELATEDNESS)


# ── pairs ─────────────────────────────────────────────────────────────────────────────────────


def test_without_a_count_every_pair_is_asked_once() -> None:
    pairs = surveys.choose_pairs(WORDS, controls=0)
    asked = Counter(frozenset((pair.word, pair.other)) for pair in pairs)
    assert asked == Counter(map(frozenset, combinations(WORDS, 2)))


def test_controls_are_a_word_and_itself_and_stand_among_the_others() -> None:
    places = []
    for seed in range(30):
        pairs = surveys.choose_pairs(WORDS, count=10, controls=2, seed=seed)
        assert len(pairs) == 12
        places += [number for number, pair in enumerate(pairs) if pair.control]
        assert len({pair.word for pair in pairs if pair.control}) == 2
    assert len(set(places)) == 12


def test_pairs_depend_on_the_seed_and_not_on_the_order_of_concepts() -> None:
    one = surveys.choose_pairs(WORDS, count=10, seed=5)
    assert one == surveys.choose_pairs(WORDS[::-1], count=10, seed=5)
    assert one != surveys.choose_pairs(WORDS, count=10, seed=6)


@pytest.mark.parametrize("kind", [cf.RelatednessMap, cf.CostMap])
def test_a_map_is_asked_for_in_all_parts_of_its_range(kind: type) -> None:
    random = np.random.default_rng(0)
    values = random.random((40, 40)) ** 6  # nearly everything is unrelated
    values = (values + values.T) / 2
    np.fill_diagonal(values, 0.0)
    names = [f"c{number:02}" for number in range(40)]
    shuffled = random.permutation(40)
    known = kind(values[np.ix_(shuffled, shuffled)], [names[i] for i in shuffled])
    pairs = surveys.choose_pairs(names, count=50, map=known, controls=0)
    for pair in pairs:
        assert pair.value == values[names.index(pair.word), names.index(pair.other)]
    upper = values[np.triu_indices(40, 1)]
    edges = np.linspace(upper.min(), upper.max(), 6)
    there = np.histogram(upper, edges)[0]
    drawn = np.histogram([pair.value for pair in pairs], edges)[0]
    # Parts with fewer pairs than their turn give all they have; the others give equally many.
    full = drawn < there
    assert (drawn[~full] == there[~full]).all()
    assert np.ptp(drawn[full]) <= 1


def test_too_few_words_and_too_many_controls_are_refused() -> None:
    with pytest.raises(InputError, match="two concepts"):
        surveys.choose_pairs(["sky"])
    with pytest.raises(InputError, match="controls=9"):
        surveys.choose_pairs(WORDS, controls=9)


# ── what people say ───────────────────────────────────────────────────────────────────────────


def test_who_does_not_find_a_word_and_itself_the_same_is_left_out(
    survey: surveys.RelatednessSurvey,
) -> None:
    found = surveys.ratings(survey, answered(survey, careless=("w2", "w5")))
    assert sorted(found.rejected) == ["w2", "w5"]
    controls = [pair.id for pair in survey.pairs if pair.control]
    assert found.rejected["w2"] in [f"{name} must be answered by 4" for name in controls]
    assert found.votes.annotators == ("w0", "w1", "w3", "w4", "w6", "w7", "w8")


def test_who_did_not_answer_a_control_is_left_out_as_well(
    survey: surveys.RelatednessSurvey,
) -> None:
    answers = answered(survey)
    control = next(pair.id for pair in survey.pairs if pair.control)
    votes = answers.votes
    silent = (votes.item == votes.items.index(control)) & (votes.annotator == 3)
    found = surveys.ratings(survey, answers._replace(votes=votes.filter(~silent)))
    assert found.rejected == {"w3": f"{control} is not answered"}


def test_survey_in_which_nobody_is_careful_is_an_error(survey: surveys.RelatednessSurvey) -> None:
    everybody = tuple(f"w{who}" for who in range(9))
    with pytest.raises(InputError, match="nobody gave the grade 4"):
        surveys.ratings(survey, answered(survey, careless=everybody))


def test_means_and_intervals_are_those_of_scipy(survey: surveys.RelatednessSurvey) -> None:
    answers = answered(survey)
    found = surveys.ratings(survey, answers)
    table = answers.votes.ballot("relatedness").table.astype(float)
    for row, mean, ends in zip(table, found.means, found.intervals(0.9), strict=True):
        assert mean == pytest.approx(row.mean())
        error = stats.sem(row)
        expected = stats.t.interval(0.9, len(row) - 1, mean, error) if error else (mean, mean)
        assert ends == pytest.approx(np.clip(expected, 0, 4))


def test_agreement_is_krippendorffs_over_pairs_that_are_no_controls(
    survey: surveys.RelatednessSurvey,
) -> None:
    answers = answered(survey)
    found = surveys.ratings(survey, answers)
    asked = [place for place, pair in enumerate(survey.pairs) if not pair.control]
    table = answers.votes.ballot("relatedness").table[asked].T
    expected = krippendorff.alpha(table, level_of_measurement="ordinal", value_domain=range(5))
    assert found.agreement == pytest.approx(expected)


def test_pair_that_nobody_answered_has_no_mean(survey: surveys.RelatednessSurvey) -> None:
    answers = answered(survey)
    place = next(place for place, pair in enumerate(survey.pairs) if not pair.control)
    votes = answers.votes.filter(answers.votes.item != place)
    found = surveys.ratings(survey, answers._replace(votes=votes))
    assert np.isnan(found.means[place])
    assert np.isnan(found.intervals()[place]).all()
    assert len(found.judged) == 11


def test_the_result_is_what_sources_are_correlated_with(
    survey: surveys.RelatednessSurvey, tmp_path: Path
) -> None:
    found = surveys.ratings(survey, answered(survey))
    assert not any(pair.word == pair.other for pair in found.judged)
    path = tmp_path / "people.csv"
    found.write_judgements(path)
    assert read_judgements(path) == list(found.judged)

    assert Judgements.load(path).pairs == found.judged
    known = OntologyPaths(cf.Ontology.load("pto2009"))
    words = {"sky": ("Sky",), "clouds": ("Clouds",), "river": ("River",), "lake": ("Lake",)}
    (one,) = correlate(
        Judgements.load(path), [known], words={known.name: LookupWords(words, "here")}, resamples=10
    ).agreements
    assert one.covered >= 2


# ── files ─────────────────────────────────────────────────────────────────────────────────────


def test_survey_on_disk_is_the_same_survey(
    survey: surveys.RelatednessSurvey, tmp_path: Path
) -> None:
    folder = tmp_path / "survey"
    page, sheet = surveys.relatedness_page(survey), surveys.relatedness_sheet(survey)
    surveys.write_survey(survey, folder, page=page, sheet=sheet)
    assert surveys.read_relatedness_survey(folder) == survey
    with pytest.raises(FileError, match="is there already"):
        surveys.write_survey(survey, folder, page=page, sheet=sheet)
    with pytest.raises(FileError, match="about relatedness"):
        surveys.read_measure_survey(folder)


@pytest.mark.parametrize(
    "key", ["{", "[]", '{"survey": "relatedness", "pairs": [{}], "names": {}}']
)
def test_broken_key_is_an_error_that_names_the_file(key: str, tmp_path: Path) -> None:
    (tmp_path / "key.json").write_text(key)
    with pytest.raises(FileError, match=r"key\.json: this is not what a survey"):
        surveys.read_relatedness_survey(tmp_path)


def test_folder_without_a_survey_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"there is no key\.json"):
        surveys.read_relatedness_survey(tmp_path)


def test_sheets_filled_in_by_hand_files_of_pages_and_mturk_results_say_the_same(
    survey: surveys.RelatednessSurvey, tmp_path: Path
) -> None:
    grades = {pair.id: 4 if pair.control else 1 for pair in survey.pairs}
    header, *rows = surveys.relatedness_sheet(survey).decode().splitlines()
    assert header == "item,annotator,word,other,answer"
    filled = [row.replace(",,", ",ann,", 1) + str(grades[row.split(",")[0]]) for row in rows]
    (tmp_path / "sheet.csv").write_text("\n".join([header, *filled]) + "\n")
    lines = [f"{name},ann,relatedness,{grade}" for name, grade in grades.items()]
    (tmp_path / "page.csv").write_text("\n".join(["item,annotator,concept,value", *lines]) + "\n")
    answers = ",".join(f"Answer.{name}" for name in grades)
    (tmp_path / "mturk.csv").write_text(
        f"HITId,AssignmentId,WorkerId,AssignmentStatus,{answers},Answer.comment\n"
        f"h1,a1,ann,Submitted,{','.join(map(str, grades.values()))},fun\n"
    )
    found = {
        path.stem: surveys.read_answers(path, asked=survey.asked, question=surveys.RELATEDNESS)
        for path in tmp_path.glob("*.csv")
    }
    assert {one.votes.frame.write_csv() for one in found.values()} == {
        found["page"].votes.frame.write_csv()
    }
    assert found["page"].votes.questions == (surveys.RELATEDNESS,)
    assert found["mturk"].comments == {"ann": "fun"}


def test_answers_to_something_else_are_refused(
    survey: surveys.RelatednessSurvey, tmp_path: Path
) -> None:
    path = tmp_path / "answers.csv"
    path.write_text("item,annotator,concept,value\nphoto1,ann,relatedness,3\n")
    with pytest.raises(InputError, match="'photo1', which this survey does not ask"):
        surveys.read_answers(path, asked=survey.asked, question=surveys.RELATEDNESS)
    path.write_text(f"item,annotator,concept,value\n{survey.asked[0]},ann,relatedness,5\n")
    with pytest.raises(InputError, match="'5' is no answer here"):
        surveys.read_answers(path, asked=survey.asked, question=surveys.RELATEDNESS)
    path.write_text(f"item,annotator,concept,value\n{survey.asked[0]},ann,relatedness,much\n")
    with pytest.raises(InputError, match="asks for grades"):
        surveys.read_answers(path, asked=survey.asked, question=surveys.RELATEDNESS)
