"""`cranfield query`: what is asked, what is answered, what is written, what is refused."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

import cranfield as cf
from cranfield.tasks.retrieval import concept_pairs, random_conjunctions

Cranfield = Callable[..., Result]


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """Four items, three concepts; one cell is unjudged."""
    (tmp_path / "truth.csv").write_text("item,Sea,Sky,big dog\na,1,1,0\nb,1,1,1\nc,1,1,\nd,0,1,0\n")
    (tmp_path / "run.csv").write_text(
        "item,Sea,Sky,big dog\na,.9,.8,.1\nb,.8,.9,.7\nc,.7,.6,.2\nd,.6,.9,.0\n"
    )
    return tmp_path


def on(folder: Path) -> tuple[object, ...]:
    return ("--truth", folder / "truth.csv", "--run", folder / "run.csv")


def content(said: Result) -> dict[str, Any]:
    assert said.exit_code == 0, said.output
    found: dict[str, list[dict[str, object]]] = json.loads(said.stdout)
    return found


def test_the_help_shows_how_to_ask(cranfield: Cranfield) -> None:
    said = cranfield("query", "--help")
    assert 'cranfield query "sea AND sky AND NOT person"' in said.stdout


# --- what is asked ---


def test_the_numbers_are_those_of_the_library(folder: Path, cranfield: Cranfield) -> None:
    text = "outdoor AND sky AND NOT small_group"
    collection = cf.read_collection(folder)
    runs = [cf.read_run(path, collection) for path in collection.runs]
    for combine in ("min", "product", "boolean"):
        said = cranfield(
            "query", text, "-t", folder, "--combine", combine, "-m", "concept.AP", "--json"
        )
        answers = [cf.search(run, text, combine=combine) for run in runs]
        wanted = cf.evaluate(cf.search(collection, text), answers, "concept.AP")
        scores = {one["run"]: one["score"] for one in content(said)["scores"]}
        assert scores == {run.name: wanted[run.name, "concept.AP"] for run in runs}


def test_without_a_truth_the_demo_is_searched(cranfield: Cranfield) -> None:
    said = cranfield("query", "sea AND sky AND no_persons")
    assert said.exit_code == 0
    assert "Sea AND Sky AND No_Persons" in said.stdout
    assert "made-up photo campaign" in said.stderr


def test_unjudged_stays_unjudged(tiny: Path, cranfield: Cranfield) -> None:
    said = cranfield("query", "sea AND NOT 'big dog'", "NOT sea", *on(tiny), "--json")
    facts = [(one["relevant"], one["unjudged"]) for one in content(said)["queries"]]
    assert facts == [(1, 1), (1, 0)]


def test_queries_come_from_files_pairs_and_chance_all_at_once(
    folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    (tmp_path / "topics.csv").write_text("id,query,title\nq2,sky AND outdoor,Under the sky\n")
    said = cranfield(
        *("query", "sky", "-t", folder, "--topics", tmp_path / "topics.csv", "--pairs", 40),
        *("--random", 3, "--size", 2, "--negated", 1, "--seed", 5, "--json"),
    )
    asked = content(said)["queries"]
    truth = cf.read_collection(folder).truth
    wanted = ["Sky AND Outdoor", "Sky", *map(str, concept_pairs(truth, at_least=40))]
    wanted += map(str, random_conjunctions(truth, 3, size=2, negated=1, seed=5))
    assert [one["query"] for one in asked] == wanted
    names = [one["id"] for one in asked]
    assert names[:3] == ["q2", "q1", "q3"]
    assert len(set(names)) == len(names)
    assert asked[0]["title"] == "Under the sky"


# --- what is answered ---


def test_each_query_has_its_own_score(tiny: Path, cranfield: Cranfield) -> None:
    words = ("query", "sea AND sky", "sky", *on(tiny), "-m", "concept.P@1", "--per-unit")
    (score,) = content(cranfield(*words, "--json"))["scores"]
    assert score["by_unit"] == {"q1": 1.0, "q2": 1.0}
    assert "q1  Sea AND Sky" in cranfield(*words).stdout
    rows = list(csv.DictReader(io.StringIO(cranfield(*words, "--csv").stdout)))
    assert [row["unit"] for row in rows] == ["q1", "q2"]


def test_first_hits_are_marked_right_wrong_or_unjudged(tiny: Path, cranfield: Cranfield) -> None:
    words = ("query", "sea AND NOT 'big dog'", *on(tiny), "--show", 3)
    hits = content(cranfield(*words, "--json"))["hits"][0]["hits"]
    assert hits == [
        {"item": "a", "rank": 1, "score": 0.9, "judgement": "positive"},
        {"item": "c", "rank": 2, "score": 0.7, "judgement": "unjudged"},
        {"item": "d", "rank": 3, "score": 0.6, "judgement": "negative"},
    ]
    said = cranfield(*words).stdout
    assert "✓ right" in said
    assert "✗ wrong" in said
    assert "? unjudged" in said


def test_a_boolean_search_shows_what_it_decided_for(tiny: Path, cranfield: Cranfield) -> None:
    words = ("query", "sea AND 'big dog'", *on(tiny), "--combine", "boolean", "--show", 3)
    (found,) = content(cranfield(*words, "--json"))["hits"]
    assert found["hits"] == [{"item": "b", "rank": 1, "score": None, "judgement": "positive"}]
    none = cranfield("query", "sea AND NOT sea", *on(tiny), "--combine", "boolean", "--show", 3)
    assert "nothing was found" in none.stdout


def test_searches_are_compared_with_measures_of_annotations(
    folder: Path, cranfield: Cranfield
) -> None:
    words = (
        *("query", "--pairs", 20, "-t", folder, "-m", "concept.AP", "--ontology", "pto2009"),
        *("--compare", "example.F(beta=2), OS(alpha=0.5,violators=drop),example.AP"),
    )
    answer = content(cranfield(*words, "--json"))
    found = answer["agreement"]
    runs = {str(score["run"]) for score in answer["scores"]}
    assert set(answer["left_out"]) == {run for run in runs if run.startswith("Random")} != set()
    assert {one["runs"] for one in found} == {len(runs) - len(answer["left_out"])}
    named = {"example.F(beta=2)", "OS(alpha=0.5,violators=drop)", "example.AP"}
    assert {one["annotation"] for one in found} == named
    assert all(-1 <= float(str(one["tau"])) <= 1 for one in found)
    said = cranfield(*words).stdout
    assert "opposite pairs" in said
    assert "neither tested nor ranked as systems" in " ".join(said.split())


def test_the_table_can_be_written_to_a_file(tiny: Path, cranfield: Cranfield) -> None:
    said = cranfield("query", "sea", *on(tiny), "-o", tiny / "table.txt")
    assert said.exit_code == 0
    assert "relevant" in (tiny / "table.txt").read_text()


def test_csv_holds_the_scores_whatever_else_is_shown(tiny: Path, cranfield: Cranfield) -> None:
    words = ("query", "sea", *on(tiny), "-m", "concept.AP", "--csv")
    assert cranfield(*words, "--show", 2).stdout == cranfield(*words).stdout


def test_many_queries_are_counted_and_not_all_listed(folder: Path, cranfield: Cranfield) -> None:
    said = cranfield("query", "--pairs", 20, "-t", folder, "-m", "concept.AP")
    count = len(concept_pairs(cf.read_collection(folder).truth, at_least=20))
    assert f"… and {count - 20} more" in said.stdout


def test_square_brackets_are_shown_as_they_stand(tiny: Path, cranfield: Cranfield) -> None:
    for name in ("truth.csv", "run.csv"):
        text = (tiny / name).read_text()
        (tiny / name).write_text(text.replace("Sea", "[red]Sea[/red]"))
    said = cranfield("query", "[red]sea[/red] AND sky", *on(tiny), "--show", 1, "--per-unit")
    assert said.stdout.count("[red]Sea[/red] AND Sky") >= 3
    refused = cranfield("query", "[/red] AND")
    assert refused.exit_code == 2
    assert "query [/red] AND>>>" in refused.stderr


# --- what is written ---


@pytest.mark.parametrize("form", ["trec", "npz", "long"])
def test_searches_are_written_as_a_collection_that_scores_the_same(
    folder: Path, tmp_path: Path, cranfield: Cranfield, form: str
) -> None:
    words = ("query", "sky", "outdoor AND NOT day", "-t", folder, "-m", "concept.AP", "--json")
    said = cranfield(*words, "--write", tmp_path / "out", "--to", form)
    again = cranfield("evaluate", tmp_path / "out", "-m", "concept.AP", "--json")
    scores = [{one["run"]: one["score"] for one in content(x)["scores"]} for x in (said, again)]
    assert scores[0] == pytest.approx(scores[1], abs=1e-12)
    assert [one.id for one in cf.formats.read_queries(tmp_path / "out" / "queries.csv")] == [
        "q1",
        "q2",
    ]


def test_boolean_searches_are_written_as_what_they_found(
    folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    words = ("query", "sky", "outdoor AND NOT day", "-t", folder, "--combine", "boolean")
    measures = ("-m", "concept.P", "-m", "concept.R", "--json")
    said = cranfield(*words, *measures, "--write", tmp_path / "out", "--to", "trec")
    again = cranfield("evaluate", tmp_path / "out", *measures)
    one, other = (
        {(each["run"], each["measure"]): each["score"] for each in content(answer)["scores"]}
        for answer in (said, again)
    )
    assert len(other) > len(one) / 2
    assert {key: one[key] for key in other} == pytest.approx(other, abs=1e-12)
    for run, _ in one.keys() - other.keys():
        assert one[run, "concept.R"] == 0
        assert f"run {run} finds nothing and is not written" in said.stderr


# --- what is refused ---


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "nothing to search for"),
        (("sea AND",), "a concept is missing after AND"),
        (("sea", "--run", "x.csv"), "without a truth, no run can be scored"),
        (("--random", "3", "--size", "1", "--negated", "2"), "cannot be negated"),
        (("sea", "--combine", "mean"), "mean"),
        (("sea", "-m", "concept.nothing"), "concept.nothing"),
        (("sea", "--to", "word"), "'word' is no format"),
    ],
)
def test_wrong_usage_ends_with_2(
    words: tuple[str, ...], message: str, cranfield: Cranfield
) -> None:
    said = cranfield("query", *words)
    assert said.exit_code == 2
    assert message in said.stderr


def test_a_file_in_the_place_of_a_query_is_explained(tiny: Path, cranfield: Cranfield) -> None:
    said = cranfield("query", tiny / "truth.csv", "sea")
    assert said.exit_code == 2
    assert "is a file; name the truth with --truth" in " ".join(said.stderr.split())


def test_an_unknown_concept_ends_with_1_and_near_names(tiny: Path, cranfield: Cranfield) -> None:
    said = cranfield("query", "sea AND skye", *on(tiny))
    assert said.exit_code == 1
    assert "query sea AND >>>skye<<<, character 9: there is no concept 'skye'" in said.stderr
    assert "did you mean 'Sky'?" in said.stderr


def test_an_unknown_concept_of_a_file_has_its_line(tiny: Path, cranfield: Cranfield) -> None:
    (tiny / "topics.txt").write_text("1: sea\n2: skye\n")
    said = cranfield("query", "--topics", tiny / "topics.txt", *on(tiny))
    assert said.exit_code == 1
    assert "topics.txt:2: query >>>skye<<<" in said.stderr


def test_a_run_that_lacks_a_concept_is_named_with_its_file(
    tiny: Path, cranfield: Cranfield
) -> None:
    (tiny / "run.csv").write_text("item,Sea\na,.9\nb,.8\nc,.7\nd,.6\n")
    said = cranfield("query", "sea AND NOT sky", *on(tiny))
    assert said.exit_code == 1
    assert "run.csv: run 'run': query Sea AND NOT >>>Sky<<<" in said.stderr
    assert "--missing absent" in said.stderr
    assert cranfield("query", "sea AND NOT sky", *on(tiny), "--missing", "absent").exit_code == 0


def test_scores_outside_0_and_1_are_refused_with_the_way_out(
    tiny: Path, cranfield: Cranfield
) -> None:
    (tiny / "run.csv").write_text("item,Sea,Sky,big dog\na,9,8,1\nb,8,9,7\nc,7,6,2\nd,6,9,0\n")
    said = cranfield("query", "sea AND NOT sky", *on(tiny))
    assert said.exit_code == 1
    assert "run.csv: run 'run' has scores from 0 to 9, outside [0, 1]" in said.stderr
    assert "--combine boolean" in said.stderr
    assert "combine=" not in said.stderr
    plain = cranfield("query", "sea AND sky", *on(tiny))
    assert plain.exit_code == 0
    assert "without concept.F" in plain.stderr
    cut = ("--combine", "boolean", "--threshold", "5")
    assert cranfield("query", "sea AND NOT sky", *on(tiny), *cut).exit_code == 0


def test_nothing_is_written_over(tiny: Path, cranfield: Cranfield) -> None:
    said = cranfield("query", "sea", *on(tiny), "--write", tiny)
    assert said.exit_code == 1
    assert "is there already" in said.stderr
    said = cranfield("query", "sea", *on(tiny), "-o", tiny / "run.csv")
    assert said.exit_code == 2


def test_pairs_that_nothing_has_are_an_error(tiny: Path, cranfield: Cranfield) -> None:
    said = cranfield("query", "--pairs", 9, *on(tiny))
    assert said.exit_code == 1
    assert "no two concepts stand together in 9 items" in said.stderr


def test_not_answers_alike_whatever_file_a_sparse_run_comes_in(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    (tmp_path / "truth.csv").write_text("item,sky\na,1\nb,0\nc,0\nd,1\n")
    (tmp_path / "s.run").write_text("sky Q0 a 1 0.9 s\nsky Q0 d 2 0.8 s\n")
    (tmp_path / "s.csv").write_text("item,sky\na,.9\nb,\nc,\nd,.8\n")
    for name in ("s.run", "s.csv"):
        said = cranfield(
            *("query", "NOT sky", "-t", tmp_path / "truth.csv", "-r", tmp_path / name),
            *("--missing", "absent", "-m", "concept.AP", "--json"),
        )
        assert content(said)["scores"][0]["score"] == 1.0


def test_what_is_written_scores_as_it_did(
    folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    measures = ("-m", "concept.AP", "-m", "concept.F", "--json")
    words = ("query", "sky", "outdoor AND NOT day", "-t", folder, *measures)
    said = cranfield(*words, "--write", tmp_path / "out")
    again = cranfield("evaluate", tmp_path / "out", *measures)
    one, other = (
        {(each["run"], each["measure"]): each["score"] for each in content(answer)["scores"]}
        for answer in (said, again)
    )
    assert one == pytest.approx(other, abs=1e-12)


def test_a_folder_that_cannot_be_written_wholly_is_not_written(
    tiny: Path, cranfield: Cranfield
) -> None:
    before = sorted(tiny.iterdir())
    said = cranfield("query", "NOT 'big dog'", *on(tiny), "--write", tiny / "out", "--to", "text")
    assert said.exit_code == 1
    assert sorted(tiny.iterdir()) == before
    assert str(tiny / "out" / "truth.txt") in said.stderr.replace("\n", "")
    assert "--lossy" not in said.stderr
