"""`cranfield votes survey`: from concepts and runs to questionnaires, and back from the answers."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from drawn_charts import charts
from typer.testing import Result

from cranfield.assessment import surveys

Cranfield = Callable[..., Result]


def write_answers(path: Path, question: str, rows: Iterable[tuple[str, str, object]]) -> Path:
    lines = [f"{item},{who},{question},{value}" for item, who, value in rows]
    path.write_text("\n".join(["item,annotator,concept,value", *lines]) + "\n")
    return path


# ── relatedness ───────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def words(tmp_path: Path, cranfield: Cranfield) -> Path:
    folder = tmp_path / "words"
    done = cranfield(
        "votes", "survey", "relatedness", "pto2009", "--count", 12, "--controls", 2, "-o", folder,
        "--title", "Say what you think",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "12 pairs, 2 of a word and itself" in done.stdout
    return folder


@pytest.fixture
def graded(words: Path, tmp_path: Path) -> Path:
    pairs = surveys.read_relatedness_survey(words).pairs
    rows = [
        (pair.id, who, 4 if pair.control and who != "eve" else (place + len(who)) % 4)
        for who in ("ann", "bobby", "carlos", "eve")
        for place, pair in enumerate(pairs)
    ]
    return write_answers(tmp_path / "answers.csv", "relatedness", rows)


def test_fewer_pairs_than_asked_for_are_told_of(tmp_path: Path, cranfield: Cranfield) -> None:
    words = tmp_path / "words.txt"
    words.write_text("sun\nmoon\nsea\n")
    options = ("votes", "survey", "relatedness", words, "-o")
    done = cranfield(*options, tmp_path / "asked", "--count", 100)
    assert done.exit_code == 0, done.output
    assert "there are no more pairs of 3 words: 100 were requested" in done.stderr
    assert "no more" not in cranfield(*options, tmp_path / "few", "--count", 3).stderr


def test_a_folder_holds_what_people_get_and_what_the_organiser_keeps(words: Path) -> None:
    assert sorted(path.name for path in words.iterdir()) == [
        "key.json", "questionnaire.html", "sheet.csv",
    ]  # fmt: skip
    assert "<h1>Say what you think</h1>" in (words / "questionnaire.html").read_text()
    with (words / "sheet.csv").open() as file:
        assert [row["answer"] for row in csv.DictReader(file)] == [""] * 14


def test_nothing_is_written_over(words: Path, cranfield: Cranfield) -> None:
    before = {path.name: path.read_bytes() for path in words.iterdir()}
    done = cranfield("votes", "survey", "relatedness", "pto2009", "-o", words)
    assert done.exit_code == 1
    assert "is there already and not empty" in done.stderr
    assert {path.name: path.read_bytes() for path in words.iterdir()} == before


def test_ratings_in_every_form(
    words: Path, graded: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    people, picture = tmp_path / "people.csv", tmp_path / "ratings.json"
    told = cranfield(
        "votes", "survey", "ratings", words, graded, "--json", "--judgements", people,
        "--picture", picture,
    )  # fmt: skip
    assert told.exit_code == 0, told.output
    content = json.loads(told.stdout)
    assert content["people"] == 3
    assert list(content["rejected"]) == ["eve"]
    assert len(content["pairs"]) == 14
    assert people.read_text().startswith("word,other,score\n")
    assert len(people.read_text().splitlines()) == 13
    assert charts(picture)[0]["data"]["values"]
    table = cranfield("votes", "survey", "ratings", words, graded)
    assert "left out: eve (p" in table.stdout
    lines = cranfield("votes", "survey", "ratings", words, graded, "--csv").stdout
    assert len(lines.splitlines()) == 15


def test_the_judgements_go_to_correlate(
    words: Path, graded: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    people = tmp_path / "people.csv"
    cranfield("votes", "survey", "ratings", words, graded, "--judgements", people)
    done = cranfield("relatedness", "correlate", people, "ontology:pto2009", "--json")
    assert done.exit_code == 0, done.output
    assert "12" in done.stdout


def test_pairs_are_drawn_by_a_map(tmp_path: Path, cranfield: Cranfield) -> None:
    costs, folder = tmp_path / "costs.csv", tmp_path / "survey"
    made = cranfield("ontology", "costs", "pto2009", "-o", costs)
    assert made.exit_code == 0, made.output
    done = cranfield(
        "votes", "survey", "relatedness", "pto2009", "--map", costs, "--count", 20, "-o", folder,
        "--json",
    )  # fmt: skip
    assert json.loads(done.stdout) == {"folder": str(folder), "pairs": 20, "controls": 1}
    pairs = surveys.read_relatedness_survey(folder).pairs
    assert len({pair.value for pair in pairs if not pair.control}) > 3


def test_an_answer_is_not_written_over(words: Path, graded: Path, cranfield: Cranfield) -> None:
    for option in ("--judgements", "-o"):
        done = cranfield("votes", "survey", "ratings", words, graded, option, graded)
        assert done.exit_code == 2
        assert "would be lost" in done.stderr


def test_keep_going_uses_what_is_sound(words: Path, graded: Path, cranfield: Cranfield) -> None:
    with graded.open("a") as file:
        file.write("p01,,relatedness,3\n")
    refused = cranfield("votes", "survey", "ratings", words, graded)
    assert refused.exit_code == 1
    assert "the annotator is missing" in refused.stderr
    done = cranfield("votes", "survey", "ratings", words, graded, "--keep-going")
    assert done.exit_code == 0
    assert "the annotator is missing" in done.stderr


# ── measures ──────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def sets(folder: Path, tmp_path: Path, cranfield: Cranfield) -> Path:
    path = tmp_path / "sets"
    done = cranfield(
        "votes", "survey", "measure", folder, "--tied", "example.RP", "--split", "example.AP",
        "--labels", "first", "--count", 8, "-o", path, "--show-truth",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "8 of " in done.stdout
    return path


def test_runs_that_know_nothing_are_not_asked_about(sets: Path) -> None:
    asked = surveys.read_measure_survey(sets)
    names = {name for pair in asked.pairings for name in (pair.left, pair.right)}
    assert not any(name.startswith("Random") for name in names)


@pytest.fixture
def preferred(sets: Path, tmp_path: Path) -> Path:
    """Everybody prefers by AP; Bob sees no difference."""
    survey = surveys.read_measure_survey(sets)
    gaps = survey.differences("example.AP")
    rows = [
        (pair.id, who, "equal" if who == "bob" else "left" if gap > 0 else "right")
        for who in ("ann", "bob", "carlos")
        for pair, gap in zip(survey.pairings, gaps, strict=True)
    ]
    return write_answers(tmp_path / "answers.csv", "preference", rows)


def test_people_who_prefer_by_a_measure_agree_with_it(
    sets: Path, preferred: Path, folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    picture = tmp_path / "people.json"
    done = cranfield(
        "votes", "survey", "preferences", sets, preferred, "--json", "--picture", picture,
        "--truth", folder, "-m", "example.Acc",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    by_name = {one["measure"]: one for one in told["measures"]}
    assert by_name["example.AP"]["share"] == 1.0
    assert by_name["example.RP"]["tied"] == by_name["example.AP"]["agreeing"] == told["items"]
    assert by_name["example.Acc"]["share_interval"][0] is not None
    assert told["undecided"] == 0
    assert len(charts(picture)) == 2


def test_preferences_as_table_and_csv(sets: Path, preferred: Path, cranfield: Cranfield) -> None:
    table = cranfield("votes", "survey", "preferences", sets, preferred)
    assert table.exit_code == 0, table.output
    assert "example.RP ties both sides, so it cannot agree" in table.stdout
    lines = cranfield("votes", "survey", "preferences", sets, preferred, "--csv").stdout
    rows = list(csv.DictReader(lines.splitlines()))
    assert {row["people"] for row in rows} <= {"left", "right"}
    assert all(
        (float(row["example.AP left − right"]) > 0) == (row["people"] == "left") for row in rows
    )


def test_further_measures_need_the_truth(sets: Path, preferred: Path, cranfield: Cranfield) -> None:
    done = cranfield("votes", "survey", "preferences", sets, preferred, "-m", "example.F")
    assert done.exit_code == 2
    assert "give both --measure and --truth" in done.stderr


def test_measures_of_concepts_cannot_be_asked_about(
    folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    done = cranfield(
        "votes", "survey", "measure", folder, "--tied", "concept.AP", "--split", "example.AP",
        "-o", tmp_path / "survey",
    )  # fmt: skip
    assert done.exit_code == 2
    assert "no scores of single items" in done.stderr
    assert not (tmp_path / "survey").exists()


def test_images_are_shown_and_must_be_there(
    folder: Path, sets: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    images = tmp_path / "images.csv"
    items = [pair.item for pair in surveys.read_measure_survey(sets).pairings]
    lines = [f"{item},https://example.org/{item}.jpg" for item in items]
    command = (
        "votes", "survey", "measure", folder, "--tied", "example.RP", "--split", "example.AP",
        "--labels", "first", "--count", 8, "--images", images,
    )  # fmt: skip
    images.write_text("\n".join(["item,image_url", *lines]) + "\n")
    done = cranfield(*command, "-o", tmp_path / "seen")
    assert done.exit_code == 0, done.output
    page = (tmp_path / "seen" / "questionnaire.html").read_text()
    assert page.count("https://example.org/") == len(items)
    images.write_text("\n".join(["item,image_url", *lines[1:]]) + "\n")
    lacking = cranfield(*command, "-o", tmp_path / "unseen")
    assert lacking.exit_code == 1
    assert f"there is no image of '{items[0]}'" in lacking.stderr


def test_another_survey_is_told_apart(words: Path, preferred: Path, cranfield: Cranfield) -> None:
    done = cranfield("votes", "survey", "preferences", words, preferred)
    assert done.exit_code == 1
    assert "this survey is about relatedness, not about measure" in done.stderr
