"""`cranfield evaluate` with ontology, costs, relatedness and agreement."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from typer.testing import Result

import cranfield as cf

Cranfield = Callable[..., Result]

TREE = "child,parent\nanimal,\ncat,animal\ndog,animal\nsky,\n"
DEAR = cf.CostMap([[0, 0.5, 1], [0.5, 0, 1], [1, 1, 0]], ["cat", "dog", "sky"])
CHEAP = cf.CostMap(DEAR.values / 4, DEAR.concepts)
AGREEMENT = cf.AgreementMap({"cat": 0.5, "dog": 1.0, "sky": 1.0, "cow": 0.25})


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A truth, a run, and files about concepts."""
    (tmp_path / "truth.csv").write_text("item,sky,cat,dog\na,1,1,0\nb,0,0,1\n")
    (tmp_path / "run.csv").write_text("item,sky,cat,dog\na,.9,.2,.8\nb,.1,.7,.3\n")
    (tmp_path / "tree.csv").write_text(TREE)
    cf.formats.write_map(DEAR, tmp_path / "dear.csv")
    cf.formats.write_map(CHEAP, tmp_path / "cheap.npz")
    cf.formats.write_map(AGREEMENT, tmp_path / "agreement.csv")
    related = cf.RelatednessMap(1 - DEAR.values, DEAR.concepts)
    cf.formats.write_map(related, tmp_path / "related.csv")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def scores(said: Result) -> dict[str, float]:
    assert said.exit_code == 0, said.stderr
    return {one["measure"]: one["score"] for one in json.loads(said.stdout)["scores"]}


def library(measures: list[str], **known: object) -> dict[str, float]:
    truth = cf.read_truth("truth.csv")
    found = cf.evaluate(truth, cf.read_run("run.csv", truth), measures, **known)  # type: ignore[arg-type]
    return {str(one.measure): one.value for one in found}


def flags(measures: list[str]) -> list[str]:
    return [word for one in measures for word in ("-m", one)]


def test_files_give_the_numbers_of_the_library(here: Path, cranfield: Cranfield) -> None:
    measures = ["OS", "OS-dear", "OS-cheap", "HS-DIMC", "SRP", "SRP-DDMC", "example.hF"]
    said = cranfield(
        *("evaluate", "truth.csv", "run.csv", *flags(measures), "--json"),
        *("--ontology", "tree.csv", "--agreement", "agreement.csv"),
        *("--costs", "dear=dear.csv", "--costs", "cheap=cheap.npz"),
        *("--relatedness", "related.csv"),
    )
    expected = library(
        measures,
        ontology=cf.Ontology.load("tree.csv"),
        costs={"dear": DEAR, "cheap": CHEAP},
        relatedness=1 - DEAR.over(cf.read_truth("truth.csv").concept_axis),
        agreement=AGREEMENT,
    )
    assert scores(said) == expected
    assert len(set(expected.values())) > 4


def test_a_map_without_a_name_is_the_default(here: Path, cranfield: Cranfield) -> None:
    words = ("evaluate", "truth.csv", "run.csv", "-m", "HS", "--json", "--ontology", "tree.csv")
    assert scores(cranfield(*words, "--costs", "cheap.npz")) == library(["HS"], costs=CHEAP)
    assert scores(cranfield(*words, "--costs", "c=cheap.npz")) != library(["HS"], costs=CHEAP)


def test_a_file_may_have_an_equals_sign_in_its_name(here: Path, cranfield: Cranfield) -> None:
    cf.formats.write_map(CHEAP, here / "a=b.csv")
    words = ("evaluate", "truth.csv", "run.csv", "-m", "HS", "--json")
    assert scores(cranfield(*words, "--costs", "a=b.csv")) == library(["HS"], costs=CHEAP)


def test_what_is_named_goes_before_what_the_folder_holds(here: Path, cranfield: Cranfield) -> None:
    folder = here / "all"
    (folder / "costs").mkdir(parents=True)
    for old, new in (("truth.csv",) * 2, ("agreement.csv",) * 2, ("dear.csv", "costs/FTS.csv")):
        (folder / new).write_bytes((here / old).read_bytes())
    words = ("evaluate", "all", "run.csv", "-m", "OS-FTS", "--json")
    assert scores(cranfield(*words)) == library(
        ["OS-FTS"], costs={"FTS": DEAR}, agreement=AGREEMENT
    )
    assert scores(cranfield(*words, "--costs", "FTS=cheap.npz")) == library(
        ["OS-FTS"], costs={"FTS": CHEAP}, agreement=AGREEMENT
    )
    cf.formats.write_map(cf.AgreementMap(np.ones(3), DEAR.concepts), here / "sure.csv")
    assert scores(cranfield(*words, "--agreement", "sure.csv")) == library(
        ["OS-FTS"], costs={"FTS": DEAR}
    )


def test_simulated_photos_are_scored_by_their_ontology(folder: Path, cranfield: Cranfield) -> None:
    said = cranfield("evaluate", folder, "-m", "OS", "--ontology", "pto2009", "--json")
    assert all(0 < one < 1 for one in scores(said).values())


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("-m OS", "error: OS needs costs; give --ontology or --costs"),
        ("-m SRP", "error: SRP needs relatedness; give --relatedness"),
        ("-m example.hF", "needs a hierarchy; give --ontology, for example pto2009"),
        ("-m OS-FTS --costs dear=dear.csv", "there are 'dear'; give --costs of that name"),
        (
            "-m OS --costs a=dear.csv --costs b=cheap.npz",
            "error: there are several costs for OS; say which: OS(costs=a), or another of 'a', 'b'",
        ),
        ("-m OS --ontology none.owl", "error: none.owl: there is no such file"),
        ("-m OS --ontology none", "error: no ontology is called 'none'; shipped are pto2009"),
        ("-m OS --ontology pto2009", "error: 3 concepts that pto2009 does not know: 'sky', 'cat'"),
        ("-m OS --ontology few.csv", "error: few.csv: 2 concepts that few does not know: 'sky'"),
        ("-m HS --costs none.csv", "error: none.csv: there is no such file"),
        (
            "-m HS --costs small.csv",
            "error: small.csv: the cost map lacks 2 concepts: 'sky', 'dog'",
        ),
        ("-m HS --costs x=small.csv", "error: small.csv: cost map 'x' lacks 2 concepts: 'sky', 'd"),
        (
            "-m HS --costs related.csv",
            "error: related.csv:1: cost map needed, relatedness map foun",
        ),
        (
            "-m HS --costs agreement.csv",
            "error: agreement.csv:1: cost map needed, agreement map fo",
        ),
        ("-m HS --costs tree.csv", "error: tree.csv:2: concept 'animal' and 'parent': no value"),
        ("-m HS --agreement dear.csv", "error: dear.csv:1: agreement map needed, cost map found"),
        (
            "-m SRP --relatedness big.csv",
            "error: big.csv: the relatedness map goes from 1 to 7, and",
        ),
        (
            "-m SRP --relatedness W=big.csv",
            "error: big.csv: relatedness map 'W' goes from 1 to 7, ",
        ),
    ],
)
def test_what_is_wrong_names_the_file_and_the_flag(
    words: str, complaint: str, here: Path, cranfield: Cranfield
) -> None:
    (here / "few.csv").write_text("child,parent\ncat,\n")
    (here / "small.csv").write_text("concept,cat\ncat,0\n")
    (here / "big.csv").write_text("concept,sky,cat,dog\nsky,7,7,7\ncat,7,7,7\ndog,7,7,7\n")
    said = cranfield("evaluate", "truth.csv", "run.csv", *words.split(), "--json")
    assert said.exit_code == 1
    assert said.stdout == ""
    assert complaint in said.stderr
    assert said.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        "--costs =dear.csv",
        "--costs dear=",
        "--costs a(b)=dear.csv",
        "--costs a=dear.csv --costs a=cheap.npz",
        "--relatedness related.csv --relatedness dear.csv",
        "--costs dear.csv -o dear.csv --csv",
        "--ontology tree.csv -o tree.csv",
        "--agreement agreement.csv -o agreement.csv",
    ],
)
def test_wrong_usage_of_names_exits_with_2(words: str, here: Path, cranfield: Cranfield) -> None:
    before = {path: path.read_bytes() for path in here.iterdir()}
    said = cranfield("evaluate", "truth.csv", "run.csv", "-m", "HS", *words.split())
    assert (said.exit_code, said.stdout) == (2, "")
    assert {path: path.read_bytes() for path in here.iterdir()} == before


def test_a_map_of_the_folder_that_does_not_do_is_named_too(
    here: Path, cranfield: Cranfield
) -> None:
    folder = here / "all"
    (folder / "relatedness").mkdir(parents=True)
    (folder / "truth.csv").write_bytes((here / "truth.csv").read_bytes())
    (folder / "relatedness" / "W.csv").write_text(
        "concept,sky,cat,dog\nsky,7,7,7\ncat,7,7,7\ndog,7,7,7\n"
    )
    said = cranfield("evaluate", "all", "run.csv", "-m", "SRP")
    assert said.exit_code == 1
    assert f"error: {Path('all', 'relatedness', 'W.csv')}: relatedness map 'W' goes" in said.stderr
