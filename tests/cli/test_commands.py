"""`check`, `measures`, `simulate` and `demo`."""

from __future__ import annotations

import csv
import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from typer.testing import Result

import cranfield as cf
from cranfield import formats
from cranfield.commands.demo import NEXT
from cranfield.commands.inputs import FORMATS
from cranfield.measures import Definition
from cranfield.measures.listing import _option_rows, example

Cranfield = Callable[..., Result]

# --- check ---


def test_a_good_file_is_fine(folder: Path, cranfield: Cranfield) -> None:
    for words in (
        (folder / "truth.txt",),
        (folder / "runs" / "Alder_1.txt", "--against", folder / "truth.txt"),
        (folder / "runs" / "Alder_1.txt", "--against", folder),
    ):
        said = cranfield("check", *words)
        assert said.exit_code == 0, said.stderr
        assert said.stdout.strip().startswith("fine")
        assert "120 items" in said.stdout
        assert "53 concepts" in said.stdout


def test_every_error_is_listed_with_its_line(tmp_path: Path, cranfield: Cranfield) -> None:
    path = tmp_path / "run.csv"
    path.write_text("item,cat,dog\na,1,x\nb,.5\nc,.2,.1\nc,.2,nan\n")
    said = cranfield("check", path)
    assert said.exit_code == 1
    for line in (2, 3, 5):
        assert f"{path}:{line}: " in said.stderr
    assert "errors" in said.stderr


def test_twenty_errors_are_shown_and_all_counted(tmp_path: Path, cranfield: Cranfield) -> None:
    path = tmp_path / "run.csv"
    path.write_text("item,cat\n" + "".join(f"i{n},x\n" for n in range(57)))
    said = cranfield("check", path)
    assert said.exit_code == 1
    assert said.stderr.count(f"{path}:") == 20
    assert "57 errors" in said.stderr


def test_a_run_is_checked_against_its_truth(
    folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    lines = (folder / "runs" / "Random0.txt").read_text().splitlines(keepends=True)
    path = tmp_path / "run.txt"
    path.write_text("".join([*lines[:5], "stranger " + lines[5].partition(" ")[2], *lines[6:]]))
    assert cranfield("check", path).exit_code == 0
    said = cranfield("check", path, "--against", folder)
    assert said.exit_code == 1
    assert "stranger" in said.stderr


BAD_TRUTH = "a 1 0.5\nb 0 3\n"


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def test_a_file_named_truth_is_checked_as_one(tmp_path: Path, cranfield: Cranfield) -> None:
    for name in ("truth.txt", "truth.dat"):
        said = cranfield("check", _write(tmp_path / name, BAD_TRUTH))
        assert said.exit_code == 1
        assert f"{tmp_path / name}:1: item 'a', value 2: 0.5; a truth" in said.stderr
    packed = tmp_path / "truth.txt.gz"
    packed.write_bytes(gzip.compress(BAD_TRUTH.encode()))
    assert cranfield("check", packed).exit_code == 1


def test_a_folder_is_checked_by_its_truth(tmp_path: Path, cranfield: Cranfield) -> None:
    _write(tmp_path / "made" / "truth.txt", BAD_TRUTH)
    _write(tmp_path / "made" / "concepts.txt", "cat\ndog\n")
    said = cranfield("check", tmp_path / "made")
    assert said.exit_code == 1
    assert "concept 'dog': 0.5" in said.stderr


def test_a_collection_is_checked_with_its_runs(
    folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    said = cranfield("check", folder)
    assert said.exit_code == 0
    assert said.stdout.count("fine as a run") == 8
    assert said.stdout.count("fine as a truth") == 1
    _write(tmp_path / "made" / "truth.csv", "item,cat\na,1\nb,0\n")
    (tmp_path / "made" / "runs").mkdir()
    _write(tmp_path / "made" / "runs" / "good.csv", "item,cat\na,.5\nb,.1\n")
    bad = _write(tmp_path / "made" / "runs" / "bad.csv", "item,cat\na,x\nb,.1\n")
    said = cranfield("check", tmp_path / "made")
    assert said.exit_code == 1
    assert f"{bad}:2: " in said.stderr
    assert "good.csv" in said.stdout


def test_a_folder_of_runs_is_checked_against_their_truth(
    folder: Path, cranfield: Cranfield
) -> None:
    said = cranfield("check", folder / "runs", "--against", folder)
    assert said.exit_code == 0
    assert said.stdout.count("fine as a run") == 8


def test_a_folder_without_a_truth_says_what_it_lacks(tmp_path: Path, cranfield: Cranfield) -> None:
    said = cranfield("check", tmp_path)
    assert said.exit_code == 1
    assert "this folder has no truth.*" in said.stderr


def test_help_names_every_format(cranfield: Cranfield) -> None:
    assert set(FORMATS.replace(" or ", ", ").split(", ")) == set(formats.names())


def test_the_kind_of_a_file_can_be_said(tmp_path: Path, cranfield: Cranfield) -> None:
    path = _write(tmp_path / "bt.txt", BAD_TRUTH)
    assert cranfield("check", path, "--as", "truth").exit_code == 1
    said = cranfield("check", path, "--as", "run")
    assert said.stdout.strip().startswith("fine as a run  ")
    named = _write(tmp_path / "truth.txt", BAD_TRUTH)
    assert cranfield("check", named, "--as", "run").exit_code == 0
    assert cranfield("check", named, "--as", "truth", "--against", named).exit_code == 2
    assert cranfield("check", named, "--as", "diary").exit_code == 2


def test_a_file_of_unknown_kind_is_judged_as_both(tmp_path: Path, cranfield: Cranfield) -> None:
    said = cranfield("check", _write(tmp_path / "bt.txt", BAD_TRUTH))
    assert said.exit_code == 0
    told = " ".join(said.stdout.split())
    assert told.startswith("fine as a run (as a truth: line 1, item 'a', value 2: 0.5; ")
    both = cranfield("check", _write(tmp_path / "both.txt", "a 1 0\n"))
    assert both.stdout.strip().startswith("fine as a run and as a truth  ")
    assert both.stdout.endswith(": 1 item, 2 concepts, format text\n")


def test_what_a_run_lacks_is_said_in_flags(
    folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    lines = (folder / "runs" / "Random0.txt").read_text().splitlines(keepends=True)
    said = cranfield("check", _write(tmp_path / "r.txt", "".join(lines[1:])), "--against", folder)
    assert said.exit_code == 1
    assert "lacks 1 item of the truth" in said.stderr
    assert "--missing absent" in said.stderr


# --- measures ---


def test_all_measures_are_listed(cranfield: Cranfield) -> None:
    said = cranfield("measures")
    assert said.exit_code == 0
    for definition in cf.measures():
        assert f"{definition.name} " in said.stdout


@pytest.mark.parametrize("definition", cf.measures(), ids=lambda one: one.name)
def test_every_measure_is_explained_with_an_example_that_parses(
    definition: Definition,
    cranfield: Cranfield,
) -> None:
    said = cranfield("measures", definition.name)
    assert said.exit_code == 0
    assert definition.traits.source.split()[0] in said.stdout
    assert example(definition) in said.stdout
    assert cf.measure(example(definition)).definition is definition
    for option in definition.options:
        assert (option if option != "k" else "@k") in said.stdout


def test_every_choice_of_an_option_has_a_meaning() -> None:
    for definition in cf.measures():
        for option in definition.options.values():
            rows = _option_rows(option)
            assert all(row["meaning"] for row in rows), (definition.name, option.name)
            if option.name != "k":
                assert sum("(default)" in row["value"] for row in rows) == 1


def test_a_measure_says_what_it_must_know(cranfield: Cranfield) -> None:
    said = cranfield("measures", "OS").stdout
    assert "ontology (--ontology), costs (--costs), agreement (--agreement)" in said
    assert "-m 'OS(tree=flattest)' --ontology pto2009" in said
    assert "--relatedness FTS=FTS.csv" in cranfield("measures", "SRP").stdout
    assert "knowledge" not in cranfield("measures", "example.F").stdout
    (record,) = json.loads(cranfield("measures", "HS", "--json").stdout)["measures"]
    assert record["knowledge"] == ["ontology", "costs", "agreement"]


def test_an_example_shows_a_choice_of_the_measure_itself() -> None:
    assert example(cf.measure("concept.iAP").definition) == "concept.iAP(rule=trec9)"


def test_a_bare_name_explains_it_under_every_prefix(cranfield: Cranfield) -> None:
    said = cranfield("measures", "AP", "--json")
    found = [one["name"] for one in json.loads(said.stdout)["measures"]]
    assert found == ["concept.AP", "micro.AP", "example.AP", "concept.AP@k", "example.AP@k"]


def test_measures_as_json_are_strict_json(cranfield: Cranfield) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    listed = json.loads(cranfield("measures", "--json").stdout, parse_constant=refuse)["measures"]
    assert [one["name"] for one in listed] == [one.name for one in cf.measures()]


def test_an_unknown_measure_is_wrong_usage_with_a_suggestion(cranfield: Cranfield) -> None:
    said = cranfield("measures", "concept.AUCC")
    assert said.exit_code == 2
    assert "concept.AUC" in said.stderr


# --- simulate ---


def test_the_same_seed_writes_the_same_bytes(tmp_path: Path, cranfield: Cranfield) -> None:
    for name in ("one", "two"):
        cranfield("simulate", tmp_path / name, "--items", 20, "--systems", 3, "--concepts", 7)
    files = sorted(path for path in (tmp_path / "one").rglob("*") if path.is_file())
    assert len(files) == 4 + 3 + 10
    for path in files:
        twin = tmp_path / "two" / path.relative_to(tmp_path / "one")
        assert path.read_bytes() == twin.read_bytes()


def test_photos_and_half_of_the_systems_obey_the_ontology_that_lies_beside_them(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    out = tmp_path / "made"
    assert cranfield("simulate", out, "--items", 150, "--systems", 6).exit_code == 0
    collection = cf.read_collection(out)
    rules = collection.ontology
    assert rules is not None
    assert rules.digest == cf.Ontology.load("pto2009").digest
    assert not rules.violations(collection.truth)
    systems = [path for path in collection.runs if not path.stem.startswith("Random")]
    lawful = [not rules.violations(cf.read_run(path, collection)) for path in systems]
    assert sum(lawful) == 3


def test_unlawful_photos_break_rules_and_have_no_ontology(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    out = tmp_path / "made"
    words = ("simulate", out, "--items", 150, "--systems", 1, "--random", "none")
    assert cranfield(*words).exit_code == 0
    assert cranfield(*words, "--unlawful", "--force").exit_code == 0
    collection = cf.read_collection(out)
    assert collection.ontology is None
    assert cf.Ontology.load("pto2009").violations(collection.truth)


def test_the_concepts_of_an_ontology_obey_it(tmp_path: Path, cranfield: Cranfield) -> None:
    tree = tmp_path / "tree.ttl"
    cf.Ontology({"animal": (), "dog": ("animal",), "cat": ("animal",)}).write(tree)
    for name in ("pto2011", tree):
        out = tmp_path / "made"
        made = cranfield("simulate", out, "--concepts", name, "--items", 200, "--systems", 2)
        assert made.exit_code == 0, made.output
        collection = cf.read_collection(out)
        assert collection.concepts == cf.Ontology.load(name).concepts
        assert not cf.Ontology.load(name).violations(collection.truth)
        shutil.rmtree(out)


def test_groups_and_modalities_of_runs_lie_beside_them(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    out = tmp_path / "made"
    assert cranfield("simulate", out, "--items", 60, "--systems", 5).exit_code == 0
    rows = list(csv.DictReader((out / "runs.csv").open()))
    assert {row["run"] for row in rows} == {path.stem for path in (out / "runs").iterdir()}
    assert {row["modality"] for row in rows if row["group"] != "Random"} == {"V", "T", "M"}
    words = ("study", "collection", out, "-m", "concept.AP", "--table", "groups", "--json")
    said = cranfield(*words, "--groups", out / "groups.csv")
    assert said.exit_code == 0, said.output
    assert {row["group"] for row in json.loads(said.stdout)["groups"]} == {"Alder", "Birch"}


def test_the_ontology_score_is_among_the_usual_measures_where_an_ontology_is(
    tmp_path: Path, folder: Path, cranfield: Cranfield
) -> None:
    out = tmp_path / "made"
    words = ("simulate", out, "--items", 60, "--systems", 2, "--random", "none")
    assert cranfield(*words).exit_code == 0
    for options, there in (((out,), True), ((folder,), False)):
        scores = json.loads(cranfield("evaluate", *options, "--json").stdout)["scores"]
        assert ("OS" in {score["measure"] for score in scores}) is there
    given = cranfield("evaluate", folder, "--ontology", "pto2009", "--json").stdout
    assert "OS" in {score["measure"] for score in json.loads(given)["scores"]}


@pytest.mark.parametrize("ending", ["txt", "csv", "tsv", "npz", "csv.gz"])
def test_every_format_is_written_and_scores_alike(
    tmp_path: Path, cranfield: Cranfield, ending: str
) -> None:
    out = tmp_path / "made"
    made = cranfield(
        "simulate", out, "--items", 40, "--systems", 3, "--random", "20", "--format", ending
    )
    assert made.exit_code == 0, made.stderr
    assert (out / f"truth.{ending}").exists()
    said = cranfield("evaluate", out, "-m", "concept.AUC", "-m", "example.F", "--json")
    assert said.exit_code == 0, said.stderr
    scores = {(s["run"], s["measure"]): s["score"] for s in json.loads(said.stdout)["scores"]}
    assert {run for run, _ in scores} == {"Alder_1", "Alder_2", "Alder_3", "Random20"}
    assert scores["Random20", "concept.AUC"] == pytest.approx(0.5, abs=0.1)


def test_options_shape_the_collection(tmp_path: Path, cranfield: Cranfield) -> None:
    out = tmp_path / "made"
    words = ("--items", 500, "--concepts", 12, "--cardinality", 4, "--unjudged", 0.25)
    made = cranfield("simulate", out, *words, "--systems", 0, "--random", "none")
    assert made.exit_code == 0, made.stderr
    truth = formats.read_truth(next(out.glob("truth.*")))
    assert truth.shape == (500, 12)
    assert (truth.states == cf.State.UNJUDGED).mean() == 0.25
    assert truth.labels.sum() / (truth.states != cf.State.UNJUDGED).sum() == pytest.approx(
        4 / 12, abs=0.03
    )
    assert formats.read_concepts(out / "concepts.txt") == truth.concepts


def test_concepts_may_come_from_a_file(tmp_path: Path, cranfield: Cranfield) -> None:
    (tmp_path / "words.csv").write_text(
        "concept,frequency,group\nIn,.4,Place\nOut,.6,Place\nCat,.1,\n"
    )
    out = tmp_path / "made"
    made = cranfield("simulate", out, "--concepts", tmp_path / "words.csv", "--items", 50)
    assert made.exit_code == 0, made.stderr
    truth = formats.read_collection(out).truth
    assert truth.concepts == ("In", "Out", "Cat")
    assert np.array_equal(truth.labels[:, 0], ~truth.labels[:, 1])


def test_a_folder_that_is_not_empty_is_kept_unless_forced(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    words = ("simulate", tmp_path, "--items", 10, "--systems", 1, "--random", "none")
    (tmp_path / "diary.txt").write_text("mine")
    refused = cranfield(*words)
    assert refused.exit_code == 1
    assert "--force" in refused.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["diary.txt"]
    assert cranfield(*words, "--force").exit_code == 0
    assert cranfield(*words, "--force", "--format", "csv").exit_code == 0
    assert (tmp_path / "diary.txt").read_text() == "mine"
    assert [path.name for path in tmp_path.glob("truth.*")] == ["truth.csv"]
    assert [path.name for path in (tmp_path / "runs").iterdir()] == ["Alder_1.csv"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--random", "ten"), 2),
        (("--random", "101"), 2),
        (("--items", "0"), 2),
        (("--items", "99999999999999999999"), 2),
        (("--format", "docx"), 2),
        (("--format", "npy"), 2),
        (("--format", "txt", "--unjudged", ".2"), 2),
        (("--format", "txt.gz", "--unjudged", ".2"), 2),
        (("--concepts", "nowhere.csv"), 1),
        (("--concepts", "0"), 2),
        (("--concepts", "-3"), 2),
        (("--concepts", "99999999999999999999"), 2),
        (("--cardinality", "99"), 2),
        (("--cardinality", "nan"), 2),
        (("--concepts", "5", "--cardinality", "100"), 2),
        (("--dependence", "1"), 2),
        (("--dependence", "nan"), 2),
        (("--unjudged", "1.5"), 2),
    ],
)
def test_impossible_simulations_are_refused(
    tmp_path: Path, cranfield: Cranfield, words: tuple[str, ...], code: int
) -> None:
    said = cranfield("simulate", tmp_path / "made", "--items", "5", *words)
    assert said.exit_code == code
    assert said.stderr.strip()
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("name", ["concepts.txt", "runs/nested", "truth.d"])
def test_a_folder_in_the_way_is_refused_before_anything_goes(
    tmp_path: Path, cranfield: Cranfield, name: str
) -> None:
    words = ("simulate", tmp_path, "--items", 10, "--systems", 1, "--random", "none")
    assert cranfield(*words).exit_code == 0
    before = (tmp_path / "truth.txt").read_bytes()
    if name == "concepts.txt":
        (tmp_path / name).unlink()
    (tmp_path / name).mkdir()
    said = cranfield(*words, "--force", "--seed", 1)
    assert said.exit_code == 1
    assert f"{tmp_path / name}: is a folder" in said.stderr
    assert (tmp_path / "truth.txt").read_bytes() == before


# --- demo ---


def test_the_demo_shows_a_campaign(cranfield: Cranfield) -> None:
    said = cranfield("demo")
    assert said.exit_code == 0
    for word in ("53 concepts", "25 runs by 10 groups", "Random0", "ranking_loss", "OS ↑"):
        assert word in said.stdout
    gamed = {line.split()[0] for line in said.stdout.splitlines() if line.strip().endswith("yes")}
    assert gamed == {"concept.F", "HS"}


def test_the_commands_that_the_demo_proposes_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = cranfield("demo").stdout
    for _, command in NEXT:
        assert command in shown
        words = [word.strip("'") for word in command.split()]
        if words[1] in ("campaign", "serve"):
            continue  # tests/server/test_live_commands.py opens that campaign
        small = ("--items", 60) if words[1] == "simulate" else ()
        said = cranfield(*words[1:], *small)
        assert said.exit_code == 0, (command, said.output)


def test_a_truth_that_can_be_no_run_is_fine_as_a_truth(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    truth = cf.Truth([[1, 0], [0, 1]], items=["1", "2"], concepts=["3", "4"])
    for name in ("labels.json", "labels.voc"):
        cf.write_truth(truth, tmp_path / name)
        said = cranfield("check", tmp_path / name)
        assert said.exit_code == 0
        assert said.stdout.strip().startswith("fine as a truth (as a run: ")


def test_a_collection_is_checked_to_its_end(tmp_path: Path, cranfield: Cranfield) -> None:
    made = tmp_path / "made"
    _write(made / "truth.txt", "a 1 0\nb 0 1\n")
    _write(made / "concepts.txt", "cat\ncat\n")
    _write(made / "splits.csv", "item,split\na,train\na,test\nq,test\n")
    (made / "runs").mkdir()
    _write(made / "runs" / "r.txt", "a .5 x\nb .1 .2\n")
    said = cranfield("check", made)
    assert said.exit_code == 1
    for place in ("concepts.txt:2: ", "splits.csv:3: ", "splits.csv:4: ", "r.txt:1: "):
        assert place in said.stderr


def test_what_a_collection_knows_about_concepts_is_checked_too(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    made = tmp_path / "made"
    _write(made / "truth.csv", "item,cat,dog\na,1,0\nb,0,1\n")
    _write(made / "ontology.csv", "child,parent\ncat,\ndog,\n")
    _write(made / "agreement.csv", "concept,value\ncat,1\ndog,.5\n")
    for name in ("costs", "relatedness"):
        (made / name).mkdir()
        _write(made / name / "x.csv", "concept,cat,dog\ncat,0,.5\ndog,.5,0\n")
    said = cranfield("check", made)
    assert said.exit_code == 0
    for what in ("an ontology", "agreement", "costs", "relatedness"):
        assert f"fine as {what} " in said.stdout
    _write(made / "ontology.csv", "child,parent\ncat,\n")
    _write(made / "costs" / "x.csv", "concept,cat,dog\ncat,0,2\ndog,.5,x\n")
    said = cranfield("check", made)
    assert said.exit_code == 1
    for place in ("ontology.csv: 1 concept", "x.csv:2: ", "x.csv:3: "):
        assert place in said.stderr
    assert "fine as agreement" in said.stdout


def test_a_run_may_leave_out_what_counts_as_absent(tmp_path: Path, cranfield: Cranfield) -> None:
    truth = _write(tmp_path / "truth.csv", "item,cat\na,1\nb,0\n")
    run = _write(tmp_path / "run.csv", "item,cat\na,.5\n")
    assert cranfield("check", run, "--against", truth).exit_code == 1
    assert cranfield("check", run, "--against", truth, "--missing", "absent").exit_code == 0


def test_ids_between_colons_are_no_pictures(tmp_path: Path, cranfield: Cranfield) -> None:
    broken = _write(tmp_path / "run.txt", "root:x:0 nan\n")
    assert "'root:x:0'" in cranfield("check", broken, "--as", "run").stderr
    truth = _write(tmp_path / "t.csv", "item,:smile:\na,1\nb,0\n")
    assert ":smile:" in cranfield("describe", truth).stdout
