"""`cranfield relatedness map`: free tags become concepts, and what that does to the scores."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import Result

import cranfield as cf
from cranfield.knowledge.relatedness.wordnet import is_there

Cranfield = Callable[..., Result]

TRUTH = "item,Dog,Sea_Side,Sky\na,1,0,0\nb,0,1,1\nc,1,1,0\n"
TAGS = """item,concept,value
a,puppy,.9
a,grass,.7
b,sea-side,.7
b,SKY,.9
c,hound,.6
c,wave,.8
c,dog,.2
"""
NEAR = """concept,puppy,wave,grass,dog,sea side,sky
puppy,1,0,.1,.8,0,0
wave,0,1,0,0,.6,.6
grass,.1,0,1,.3,.2,0
dog,.8,0,.3,1,0,0
sea side,0,.6,.2,0,1,.5
sky,0,.6,0,0,.5,1
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        "truth.csv": TRUTH,
        "truth.txt": "a 1 0 0\nb 0 1 1\nc 1 1 0\n",
        "tags.csv": TAGS,
        "tags.txt": "a .5 .6\nb .1 .2\nc .3 .4\n",
        "near.csv": NEAR,
        "words.csv": "concept,word\nDog,hound\n",
        "other.csv": "concept,word\nCat,kitten\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def mapped(cranfield: Cranfield, *words: object) -> dict[str, Any]:
    said = cranfield("relatedness", "map", "truth.csv", "tags.csv", *words, "--json")
    assert said.exit_code == 0, said.stderr
    found: dict[str, Any] = json.loads(said.stdout)
    return found


EVERYTHING = ("--synonyms", "words.csv", "--by", "map:near.csv>=0.5")


def test_each_step_maps_what_those_before_it_did_not(here: Path, cranfield: Cranfield) -> None:
    found = mapped(cranfield, *EVERYTHING)
    assert found["steps"] == {"exact": 3, "synonym": 1, "near": 2}
    assert found["outside"] == ["grass"]
    by_tag = {match["tag"]: match for match in found["matches"]}
    dog = {"concept": "Dog", "also": []}
    assert by_tag["hound"] == {"tag": "hound", "by": "synonym", "relatedness": 1, **dog}
    assert by_tag["puppy"] == {"tag": "puppy", "by": "near", "relatedness": 0.8, **dog}
    assert by_tag["wave"]["concept"] == "Sea_Side"
    assert by_tag["SKY"]["concept"] == "Sky"


def test_the_effect_on_the_scores_is_shown_step_by_step(here: Path, cranfield: Cranfield) -> None:
    found = mapped(cranfield, *EVERYTHING, "-m", "example.F")
    scores = {row["step"]: row["score"] for row in found["scores"]}
    assert scores == pytest.approx({"exact": 1 / 3, "synonym": 5 / 9, "near": 1.0})
    said = cranfield("relatedness", "map", "truth.csv", "tags.csv", *EVERYTHING).stdout
    rows = [line.split() for line in said.splitlines()]
    assert ["+", "near", "2", "1.0000", "1.0000"] in rows
    assert ["outside", "1"] in rows
    assert ["puppy", "Dog", "near", "0.8000"] in rows
    assert "outside the vocabulary: 'grass'" in said


def test_the_mapped_run_can_be_kept_and_scores_the_same(here: Path, cranfield: Cranfield) -> None:
    said = cranfield("relatedness", "map", "truth.csv", "tags.csv", *EVERYTHING, "-o", "run.csv")
    assert said.exit_code == 0, said.stderr
    assert "wrote run.csv" in said.stderr
    run = cf.read_run("run.csv")
    assert run.concepts == ("Dog", "Sea_Side", "Sky")
    truth = cf.read_truth("truth.csv")
    assert cf.evaluate(truth, run, "example.F")["run", "example.F"] == 1.0


def test_tags_outside_are_scored_by_their_relatedness(here: Path, cranfield: Cranfield) -> None:
    found = mapped(cranfield, *EVERYTHING, "--open", "map:near.csv")["open"]
    scores = {(row["outside"], row["measure"]): row["score"] for row in found["scores"]}
    assert found["source"] == "near"
    assert found["unknown"] == []
    assert scores["thrown away", "OS"] == scores["thrown away", "SRP"] == 1.0
    # Grass on the first photo is false, and related to its dog by 0.3.
    assert scores["kept", "OS"] == pytest.approx(((1 - 0.7 / 2) + 1 + 1) / 3)
    assert scores["kept", "SRP"] == 1.0
    said = cranfield(
        *("relatedness", "map", "truth.csv", "tags.csv", *EVERYTHING, "--open", "map:near.csv")
    ).stdout
    assert ["kept", "0.8833", "1.0000"] in [line.split() for line in said.splitlines()]
    assert "by near, not normalised; costs = 1 − relatedness" in said


@pytest.mark.parametrize("measure", ["OS", "SRP", "OS(costs=near)"])
def test_measures_of_meaning_rest_on_the_source_that_opens(
    measure: str, here: Path, cranfield: Cranfield
) -> None:
    found = mapped(cranfield, *EVERYTHING, "--open", "map:near.csv", "-m", measure)
    steps = {row["step"]: row["score"] for row in found["scores"]}
    opened = {(row["outside"], row["measure"]): row["score"] for row in found["open"]["scores"]}
    assert steps["near"] == opened["thrown away", measure[:3].strip("(")] == 1.0
    assert steps["exact"] <= steps["synonym"] < 1.0


def test_what_is_known_can_be_given_as_to_evaluate(here: Path, cranfield: Cranfield) -> None:
    rows = "Dog,0,.25,.25\nSea_Side,.25,0,.25\nSky,.25,.25,0\n"
    (here / "costs.csv").write_text(f"concept,Dog,Sea_Side,Sky\n{rows}")
    (here / "rules.csv").write_text("child,parent\nDog,\nSky,\nSea_Side,Sky\n")
    (here / "sure.csv").write_text("concept,value\nDog,.5\nSky,1\nSea_Side,1\n")
    words = ("--synonyms", "words.csv", "--costs", "costs.csv", "--open", "map:near.csv")
    given = mapped(cranfield, "-m", "OS", *words)
    # Nothing for the first photo; the third has a dog, which is near its sea side by costs.csv.
    assert given["scores"][-1]["score"] == pytest.approx((0 + 1 + 1 - 0.25 / 2) / 3)
    ruled = mapped(cranfield, "-m", "OS", "--ontology", "rules.csv", "--agreement", "sure.csv")
    assert "ontology=rules" in ruled["scores"][0]["signature"]
    maps = ("--relatedness", "near=near.csv")
    said = cranfield("relatedness", "map", "truth.csv", "tags.csv", "-m", "SRP", *maps)
    assert said.exit_code == 1
    assert "near.csv" in said.stderr


def test_a_measure_that_lacks_costs_is_told_options_that_exist(
    here: Path, cranfield: Cranfield
) -> None:
    said = cranfield("relatedness", "map", "truth.csv", "tags.csv", "-m", "OS").stderr
    assert "OS needs costs; give --ontology or --costs" in " ".join(said.split())
    shown = cranfield("relatedness", "map", "--help").stdout
    assert "--ontology" in shown
    assert "--costs" in shown


def test_a_collection_brings_its_rules_and_its_agreement(here: Path, cranfield: Cranfield) -> None:
    (here / "c").mkdir()
    (here / "c" / "truth.csv").write_text(TRUTH)
    (here / "c" / "ontology.csv").write_text("child,parent\nDog,\nSky,\nSea_Side,Sky\n")
    (here / "c" / "agreement.csv").write_text("concept,value\nDog,.5\nSky,1\nSea_Side,1\n")
    words = ("relatedness", "map", "c", "tags.csv", *EVERYTHING, "--open", "map:near.csv", "--json")
    said = cranfield(*words, "-m", "OS")
    assert said.exit_code == 0, said.stderr
    found = json.loads(said.stdout)
    scores = {row["outside"]: row["score"] for row in found["open"]["scores"][::2]}
    # A sea side needs its sky, which the third photo lacks; grass for a dog costs half.
    first, third = 1 - 0.5 * 0.7 / 2, 1 - 1 / 2
    assert scores["kept"] == pytest.approx((first + 1 + third) / 3)
    assert scores["thrown away"] == pytest.approx((1 + 1 + third) / 3)
    assert "ontology=" in found["scores"][0]["signature"]


def test_a_synonym_of_two_concepts_is_told(here: Path, cranfield: Cranfield) -> None:
    (here / "both.csv").write_text("concept,word\nSky,wave\nSea_Side,Wave\nDog,hound\n")
    words = ("--synonyms", "both.csv")
    wave = next(match for match in mapped(cranfield, *words)["matches"] if match["tag"] == "wave")
    assert (wave["concept"], wave["also"]) == ("Sea_Side", ["Sky"])
    said = cranfield("relatedness", "map", "truth.csv", "tags.csv", *words).stdout
    assert "'wave' went to 'Sea_Side', the first by id, but stands for 'Sky' too" in " ".join(
        said.split()
    )
    assert "'hound' went" not in said


@pytest.mark.parametrize(
    ("threshold", "remark"),
    [
        ("5", "near>=5 maps nothing: the nearest tag is related by 0.8"),
        ("-1", "near>=-1 maps everything: 3 tags, the farthest related by 0.3"),
        ("0.7", None),
    ],
)
def test_a_threshold_that_parts_nothing_is_remarked_on(
    threshold: str, remark: str | None, here: Path, cranfield: Cranfield
) -> None:
    by = ("--synonyms", "words.csv", "--by", f"map:near.csv>={threshold}")
    said = " ".join(cranfield("relatedness", "map", "truth.csv", "tags.csv", *by).stdout.split())
    assert remark in said if remark else "near>=" not in said


def test_a_source_that_knows_no_tag_is_remarked_on(here: Path, cranfield: Cranfield) -> None:
    (here / "far.csv").write_text("concept,moon,mars\nmoon,1,.5\nmars,.5,1\n")
    said = cranfield("relatedness", "map", "truth.csv", "tags.csv", "--by", "map:far.csv>=0.5")
    assert "far>=0.5 maps nothing: far knows no pair" in said.stdout


def test_one_source_is_asked_twice_under_two_names(here: Path, cranfield: Cranfield) -> None:
    found = mapped(cranfield, "--by", "map:near.csv>=0.7", "--by", "wide=map:near.csv>=0.2")
    assert found["steps"] == {"exact": 3, "near": 1, "wide": 2}


def test_tags_outside_are_quoted_as_they_may_hold_commas(here: Path, cranfield: Cranfield) -> None:
    (here / "comma.csv").write_text('item,concept,value\na,"ocean, blue",1\nb,sky,1\nc,dog,1\n')
    said = cranfield("relatedness", "map", "truth.csv", "comma.csv").stdout
    assert "outside the vocabulary: 'ocean, blue'\n" in said.replace(" \n", "\n")


def test_many_tags_are_named_up_to_a_number(here: Path, cranfield: Cranfield) -> None:
    rows = [f"a,tag{i:02},.5" for i in range(30)] + [f"b,dog{i:02},.5" for i in range(25)]
    (here / "many.csv").write_text("\n".join(["item,concept,value", *rows, "c,sky,1\n"]))
    names = "\n".join(f"Dog,dog{i:02}" for i in range(25))
    (here / "dogs.csv").write_text(f"concept,word\n{names}\n")
    said = cranfield("relatedness", "map", "truth.csv", "many.csv", "--synonyms", "dogs.csv")
    assert "'tag09' and 20 more" in " ".join(said.stdout.split())
    assert "tag10" not in said.stdout
    assert "and 5 more tags" in said.stdout


def test_a_run_may_leave_out_items_only_if_told_so(here: Path, cranfield: Cranfield) -> None:
    (here / "few.csv").write_text("item,concept,value\na,dog,1\nb,sky,1\n")
    said = cranfield("relatedness", "map", "truth.csv", "few.csv")
    assert said.exit_code == 1
    assert said.stderr.startswith("error: few.csv: run 'few' lacks 1 item")
    assert (
        cranfield("relatedness", "map", "truth.csv", "few.csv", "--missing", "absent").exit_code
        == 0
    )


def test_scores_beyond_one_need_a_threshold_for_sets(here: Path, cranfield: Cranfield) -> None:
    (here / "big.csv").write_text("item,concept,value\na,dog,9\nb,sky,2\nc,dog,3\n")
    said = cranfield("relatedness", "map", "truth.csv", "big.csv", "--open", "map:near.csv")
    assert said.exit_code == 0, said.stderr
    assert "without example.F: big.csv" in said.stderr
    assert "without OS: big.csv" in said.stderr
    cut = cranfield("relatedness", "map", "truth.csv", "big.csv", "--threshold", 3, "--json")
    assert {row["measure"] for row in json.loads(cut.stdout)["scores"]} == {
        "concept.AP",
        "example.F",
    }


@pytest.mark.skipif(not is_there(), reason="WordNet 3.0 could not be had")
def test_wordnet_knows_that_a_puppy_is_a_dog(here: Path, cranfield: Cranfield) -> None:
    found = mapped(cranfield, "--by", "WUP>=0.9")
    assert {"tag": "puppy", "concept": "Dog", "by": "WUP"}.items() <= {
        match["tag"]: match for match in found["matches"]
    }["puppy"].items()


def test_codes_are_known_by_what_they_stand_for(here: Path, cranfield: Cranfield) -> None:
    (here / "labels.csv").write_text(
        "ImageID,Source,LabelName,Confidence\na,verification,/m/1,1\nb,verification,/m/2,1\n"
        "c,verification,/m/1,1\n"
    )
    (here / "class-descriptions.csv").write_text("/m/1,Dog\n/m/2,Sky\n")
    said = cranfield("relatedness", "map", "labels.csv", "tags.csv", "--json")
    assert said.exit_code == 0, said.stderr
    matches = {match["tag"]: match["concept"] for match in json.loads(said.stdout)["matches"]}
    assert matches == {"SKY": "/m/2", "dog": "/m/1"}


def test_scores_of_steps_are_those_of_the_library(here: Path, cranfield: Cranfield) -> None:
    found = mapped(cranfield, *EVERYTHING)
    truth = cf.read_truth("truth.csv")
    best = np.array([[0.9, np.nan, np.nan], [np.nan, 0.7, 0.9], [0.6, 0.8, np.nan]])
    expected = cf.evaluate(
        truth, cf.Run(np.nan_to_num(best), items=truth.items, concepts=truth.concepts), "concept.AP"
    )
    last = next(row for row in found["scores"][::-1] if row["measure"] == "concept.AP")
    assert last["score"] == expected["run", "concept.AP"]


# --- what is refused ---


@pytest.mark.parametrize(
    "words",
    [
        "truth.csv",
        "truth.csv tags.csv --by map:near.csv",
        "truth.csv tags.csv --by map:near.csv>=high",
        "truth.csv tags.csv --by map:near.csv>=nan",
        "truth.csv tags.csv --by >=0.5",
        "truth.csv tags.csv --by nothing>=0.5",
        "truth.csv tags.csv --open nothing",
        "truth.csv tags.csv -m nonsense",
        "truth.csv tags.csv -o run.xyz",
        "truth.csv tags.csv -o tags.csv",
        "truth.csv tags.csv -o truth.csv",
        "truth.csv tags.csv --by map:near.csv>=0.5 -o near.csv",
        "truth.csv tags.csv --synonyms words.csv -o words.csv",
        "truth.csv tags.csv --costs near.csv -o near.csv",
    ],
)
def test_wrong_usage_exits_with_2(words: str, here: Path, cranfield: Cranfield) -> None:
    before = {path: path.read_bytes() for path in here.iterdir()}
    said = cranfield("relatedness", "map", *words.split())
    assert (said.exit_code, said.stdout) == (2, "")
    assert said.stderr.strip()
    assert {path: path.read_bytes() for path in here.iterdir()} == before


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("none.csv tags.csv", "none.csv: there is no such file"),
        ("truth.csv none.csv", "none.csv: there is no such file"),
        ("truth.txt tags.csv", "truth.txt: does not name its concepts; name them with --concepts"),
        ("truth.csv tags.txt", "tags.txt: does not name its tags"),
        ("truth.csv tags.csv --synonyms other.csv", "other.csv: has synonyms of 1 concept that"),
        ("truth.csv tags.csv --by map:none.csv>=0.5", "none.csv: there is no such file"),
        (
            "truth.csv tags.csv --by map:near.csv>=0.5 --by map:near.csv>=0.2",
            "several steps are called near; give each source another name: --by NAME=near>=NUMBER",
        ),
        ("truth.csv tags.csv -m example.hF", "needs a hierarchy"),
    ],
)
def test_bad_input_exits_with_1(
    words: str, complaint: str, here: Path, cranfield: Cranfield
) -> None:
    said = cranfield("relatedness", "map", *words.split())
    assert (said.exit_code, said.stdout) == (1, "")
    assert complaint in said.stderr


def test_a_threshold_that_decides_everything_alike_is_said(
    here: Path, cranfield: Cranfield
) -> None:
    said = cranfield("relatedness", "map", "truth.csv", "tags.csv", "--threshold", 2)
    assert "the threshold 2 makes every decision of the run a no" in said.stdout
