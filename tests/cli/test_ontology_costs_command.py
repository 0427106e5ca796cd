"""`cranfield ontology costs`: of an ontology or of a relatedness map; shown, checked, kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from typer.testing import Result

import cranfield as cf

Cranfield = Callable[..., Result]

RELATED = "concept,cat,dog,sky\ncat,99,4,1\ndog,4,99,2\nsky,1,2,99\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tree.csv").write_text("child,parent\nanimal,\ncat,animal\ndog,animal\nsky,\n")
    (tmp_path / "related.csv").write_text(f"# source: by hand\n# date: 2011-03-01\n{RELATED}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- what is shown ---


def test_costs_of_few_concepts_stand_side_by_side(here: Path, cranfield: Cranfield) -> None:
    rows = [line.split() for line in cranfield("ontology", "costs", "tree.csv").stdout.splitlines()]
    assert ["2", "cat", "0.1667", "0.0000", "0.3333", "0.8333"] in rows
    assert ["4", "sky", "0.6667", "0.8333", "0.8333", "0.0000"] in rows


def test_of_many_concepts_the_cheapest_and_dearest_pairs_are_shown(cranfield: Cranfield) -> None:
    said = cranfield("ontology", "costs", "pto2009").stdout
    rows = [line.split() for line in said.splitlines()]
    assert ["Plants", "and", "Flowers", "0.0714"] in rows
    assert ["Flowers", "and", "Single_Person", "1.0000"] in rows
    assert "source: pto2009:" in said
    assert f"date: {date.today().isoformat()}" in said
    assert "counts: concepts=53, levels=3" in said
    assert f"hash: {cf.Ontology.load('pto2009').cost_map().digest}" in said


def test_pairs_of_asymmetric_costs_say_which_is_taken_for_which(
    here: Path, cranfield: Cranfield
) -> None:
    values = np.random.default_rng(0).random((14, 14))
    cf.formats.write_map(cf.RelatednessMap(values, [f"c{i}" for i in range(14)]), here / "r.csv")
    found = cf.formats.read_relatedness(here / "r.csv").costs()
    said = cranfield("ontology", "costs", "--from", "r.csv").stdout
    np.fill_diagonal(values, 0)
    one, other = np.unravel_index(values.argmax(), values.shape)
    assert ["c" + str(one), "for", "c" + str(other), f"{found.values[one, other]:.4f}"] in [
        line.split() for line in said.splitlines()
    ]


@pytest.mark.parametrize("kind", ["DDMC", "DIMC"])
@pytest.mark.parametrize("tree", ["flat", "flattest", "printed"])
def test_json_holds_the_costs_of_the_library(kind: str, tree: str, cranfield: Cranfield) -> None:
    words = ("ontology", "costs", "pto2009", "--kind", kind, "--tree", tree, "--json")
    said = json.loads(cranfield(*words).stdout)
    expected = cf.Ontology.load("pto2009").cost_map(tree, kind)  # type: ignore[arg-type]
    assert said == json.loads(json.dumps(expected.to_dict()))
    assert said["name"] == kind


def test_checks_are_told_when_asked_for(here: Path, cranfield: Cranfield) -> None:
    assert "metric" not in cranfield("ontology", "costs", "tree.csv").stdout
    said = cranfield("ontology", "costs", "tree.csv", "--check").stdout
    for line in ("4 concepts, costs from 0.1667 to 0.8333", "symmetric: yes", "metric: yes"):
        assert line in said
    (here / "odd.csv").write_text("concept,a,b,c\na,0,.9,.1\nb,.9,0,.8\nc,.1,.8,0\n")
    odd = cranfield("ontology", "costs", "--from", "odd.csv", "--check", "--json")
    checks = json.loads(odd.stdout)["checks"]
    assert checks["symmetric"]
    assert not checks["metric"]
    assert checks["breaches"]["detour"]["concepts"] == ["a", "b", "c"]


@pytest.mark.parametrize("name", ["costs.csv", "costs.npz"])
def test_a_file_that_holds_costs_is_checked_as_it_is(
    name: str, here: Path, cranfield: Cranfield
) -> None:
    given = cf.CostMap(
        [[0.1, 0.9], [0.4, 0]], ["a", "b"], provenance=cf.knowledge.Provenance("by hand")
    )
    cf.formats.write_map(given, here / name)
    said = json.loads(cranfield("ontology", "costs", "--from", name, "--check", "--json").stdout)
    assert (said["hash"], said["source"]) == (given.digest, "by hand")
    checks = said["checks"]
    assert not any(checks[name] for name in ("symmetric", "zero_diagonal", "metric"))
    assert (checks["lowest"], checks["highest"]) == (0.4, 0.9)
    refused = cranfield("ontology", "costs", "--from", name, "--normalise", "max")
    assert refused.exit_code == 2
    assert "holds costs" in refused.stderr


# --- what is kept ---


@pytest.mark.parametrize("name", ["costs.csv", "costs.tsv", "costs.npz", "costs.csv.gz"])
def test_a_snapshot_is_read_back_with_where_it_comes_from(
    name: str, here: Path, cranfield: Cranfield
) -> None:
    said = cranfield("ontology", "costs", "pto2010", "-o", name)
    assert said.exit_code == 0
    assert f"wrote {name}" in said.stderr
    read, expected = cf.formats.read_costs(here / name), cf.Ontology.load("pto2010").cost_map()
    assert read.digest == expected.digest
    assert read.provenance == expected.provenance


def test_relatedness_becomes_costs(here: Path, cranfield: Cranfield) -> None:
    words = ("ontology", "costs", "--from", "related.csv", "--normalise", "max")
    assert cranfield(*words, "-o", "costs.csv").exit_code == 0
    read = cf.formats.read_costs(here / "costs.csv")
    assert read.values.tolist() == [[0, 0, 0.75], [0, 0, 0.5], [0.75, 0.5, 0]]
    given = cf.formats.read_relatedness(here / "related.csv")
    assert read.provenance == cf.knowledge.Provenance(
        f"by hand; related.csv:{given.digest[:8]}; normalised by max; 1 − relatedness",
        "2011-03-01",
        {"concepts": 3},
    )


def test_a_file_that_says_nothing_of_itself_is_named_with_its_hash_and_the_day(
    here: Path, cranfield: Cranfield
) -> None:
    (here / "plain.csv").write_text("concept,cat,dog\ncat,1,.5\ndog,.5,1\n")
    assert cranfield("ontology", "costs", "--from", "plain.csv", "-o", "costs.csv").exit_code == 0
    given = cf.formats.read_relatedness(here / "plain.csv")
    assert cf.formats.read_costs(here / "costs.csv").provenance == cf.knowledge.Provenance(
        f"plain.csv:{given.digest[:8]}; 1 − relatedness",
        date.today().isoformat(),
        {"concepts": 2},
    )


def test_a_snapshot_in_a_folder_scores_like_the_ontology(
    folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    path = tmp_path / "DDMC.csv"
    assert cranfield("ontology", "costs", "pto2009", "-o", path).exit_code == 0
    words = ("evaluate", folder, "-m", "HS-DDMC", "--csv")
    by_file = cranfield(*words, "--costs", f"DDMC={path}")
    by_ontology = cranfield(*words, "--ontology", "pto2009")
    scores = [
        [line.split(",")[:3] for line in said.stdout.splitlines()]
        for said in (by_file, by_ontology)
    ]
    assert scores[0] == scores[1]
    assert len(scores[0]) > 5


# --- what is refused ---


@pytest.mark.parametrize(
    "words",
    [
        "",
        "pto2009 --from related.csv",
        "--from related.csv --kind DIMC",
        "--from related.csv --tree flat",
        "pto2009 --normalise max",
        "pto2009 --kind XXX",
        "pto2009 --tree tall",
        "--from related.csv --normalise mean",
        "pto2009 -o costs.json",
        "--from related.csv -o related.csv",
        "tree.csv -o tree.csv",
    ],
)
def test_wrong_usage_exits_with_2(words: str, here: Path, cranfield: Cranfield) -> None:
    before = {path: path.read_bytes() for path in here.iterdir()}
    said = cranfield("ontology", "costs", *words.split())
    assert (said.exit_code, said.stdout) == (2, "")
    assert said.stderr.strip()
    assert {path: path.read_bytes() for path in here.iterdir()} == before


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("none.owl", "none.owl: there is no such file"),
        ("pto2012", "no ontology is called 'pto2012'"),
        ("--from none.csv", "none.csv: there is no such file"),
        ("--from tree.csv", "tree.csv:2: concept 'animal' and 'parent': no value"),
        (
            "--from related.csv",
            "related.csv: relatedness map 'related' goes from 1 to 4 off the diagonal, and costs "
            "need [0, 1]; give --normalise max",
        ),
        ("--from minus.csv --normalise max", "goes from -1 to 1 off the diagonal, and costs need"),
        ("--from minus.csv --normalise max", "give --normalise minmax"),
    ],
)
def test_bad_input_exits_with_1_and_names_the_file(
    words: str, complaint: str, here: Path, cranfield: Cranfield
) -> None:
    (here / "minus.csv").write_text(RELATED.replace("4", "-2"))
    said = cranfield("ontology", "costs", *words.split())
    assert (said.exit_code, said.stdout) == (1, "")
    assert said.stderr.startswith("error: ")
    assert complaint in said.stderr
    assert said.stderr.count("\n") == 1
