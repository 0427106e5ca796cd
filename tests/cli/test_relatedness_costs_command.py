"""`cranfield relatedness costs`: what a source says of concepts, shown, checked, kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from typer.testing import Result

import cranfield as cf
from cranfield.knowledge.relatedness.wordnet import is_there

Cranfield = Callable[..., Result]

CAPTIONS = (
    "a cat and a dog\na cat on the sea\nthe sea and the sky\na dog\nsky above the sea\nrain\n"
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        "captions.txt": CAPTIONS,
        "concepts.txt": "cat\ndog\nsea\nunicorn\n",
        "words.csv": "concept,word\nunicorn,rain\nunicorn,sky\n",
        "truth.csv": "item,cat,dog,sea\na,1,1,0\nb,1,0,1\nc,0,0,1\nd,0,0,0\n",
        "truth.txt": "a 1 0\nb 0 1\n",
        "tree.csv": "child,parent\nanimal,\ncat,animal\ndog,animal\nsea,\n",
        "vectors.txt": "cat 1 0\ndog 1 1\nsea -1 0\n",
        "map.csv": "concept,cat,dog,sea\ncat,99,4,1\ndog,4,99,2\nsea,1,2,99\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def costs(cranfield: Cranfield, *words: object) -> dict[str, object]:
    said = cranfield("relatedness", "costs", *words, "--json")
    assert said.exit_code == 0, said.stderr
    found: dict[str, object] = json.loads(said.stdout)
    return found


# --- which concepts ---


@pytest.mark.parametrize(
    ("given", "concepts"),
    [
        ("concepts.txt", ["cat", "dog", "sea", "unicorn"]),
        ("truth.csv", ["cat", "dog", "sea"]),
        ("tree.csv", ["animal", "cat", "dog", "sea"]),
        ("map.csv", ["cat", "dog", "sea"]),
    ],
)
def test_concepts_come_from_lists_truths_and_ontologies(
    given: str, concepts: list[str], here: Path, cranfield: Cranfield
) -> None:
    assert costs(cranfield, "corpus:captions.txt", given)["concepts"] == concepts


def test_concepts_of_a_shipped_ontology_and_of_a_folder(
    folder: Path, here: Path, cranfield: Cranfield
) -> None:
    by_name = costs(cranfield, "ontology:pto2009", "pto2009")
    by_folder = costs(cranfield, "ontology:pto2009", folder)
    assert by_name["concepts"] == list(cf.Ontology.load("pto2009").concepts)
    assert by_name["hash"] == by_folder["hash"]
    np.testing.assert_allclose(by_name["values"], cf.Ontology.load("pto2009").costs(), atol=1e-15)


def test_codes_are_looked_up_by_what_they_stand_for(here: Path, cranfield: Cranfield) -> None:
    (here / "labels.csv").write_text(
        "ImageID,Source,LabelName,Confidence\na,verification,/m/1,1\na,verification,/m/2,1\n"
    )
    (here / "class-descriptions.csv").write_text("/m/1,Cat\n/m/2,Dog\n/m/3,Sea\n")
    found = costs(cranfield, "corpus:captions.txt", "labels.csv")
    assert found["concepts"] == ["/m/1", "/m/2"]
    assert found["coverage"] == {"concepts": 2, "unknown": [], "unknown_pairs": 0}


# --- what is said ---


def test_a_map_is_named_with_its_file_and_its_hash(here: Path, cranfield: Cranfield) -> None:
    (here / "plain.csv").write_text("concept,cat,dog,sea\ncat,1,.5,0\ndog,.5,1,0\nsea,0,0,1\n")
    given = cf.formats.read_relatedness(here / "plain.csv")
    (here / "two.txt").write_text("cat\ndog\n")
    found = costs(cranfield, "map:plain.csv", "two.txt")
    assert found["source"] == f"plain.csv:{given.digest[:8]}; 1 − relatedness"
    assert found["date"] == date.today().isoformat()


def test_what_is_not_known_is_told_and_costs_all(here: Path, cranfield: Cranfield) -> None:
    said = cranfield("relatedness", "costs", "corpus:captions.txt", "concepts.txt")
    assert said.exit_code == 0
    assert "captions: 3 of 4 concepts known, not 'unicorn'" in said.stdout
    assert "what is not known counts as unrelated" in said.stdout
    rows = [line.split() for line in said.stdout.splitlines()]
    assert ["4", "unicorn", "1.0000", "1.0000", "1.0000", "0.0000"] in rows


def test_words_say_by_what_to_look_concepts_up(here: Path, cranfield: Cranfield) -> None:
    found = costs(cranfield, "corpus:captions.txt", "concepts.txt", "--words", "words.csv")
    assert found["coverage"] == {"concepts": 4, "unknown": [], "unknown_pairs": 0}
    assert "words of words.csv; 1 − relatedness" in str(found["source"])
    (here / "words.csv").write_text("concept,word\nunicorn,rain\nhorse,pony\n")
    said = cranfield(
        *("relatedness", "costs", "corpus:captions.txt", "concepts.txt", "--words", "words.csv")
    )
    assert said.exit_code == 1
    assert "words.csv: there are words for 1 concept that are not requested: 'horse'" in said.stderr


@pytest.mark.parametrize(
    ("source", "options", "normalised", "cost"),
    [
        ("truth:truth.csv", (), "none", 1 - np.exp(-1.0)),
        ("map:map.csv", (), "max", 0.0),
        ("map:map.csv", ("--normalise", "minmax"), "minmax", 0.0),
        ("vectors:vectors.txt", (), "minmax", 0.0),
    ],
)
def test_relatedness_is_normalised_as_its_source_needs_and_that_is_said(
    source: str,
    options: tuple[str, ...],
    normalised: str,
    cost: float,
    here: Path,
    cranfield: Cranfield,
) -> None:
    found = costs(cranfield, source, "truth.csv", *options)
    assert found["normalised"] == normalised
    assert found["values"][0][1] == pytest.approx(cost)  # type: ignore[index]
    said = cranfield("relatedness", "costs", source, "truth.csv", *options).stdout
    assert ("not normalised" if normalised == "none" else f"normalised by {normalised}") in said
    assert "relatedness of two concepts from " in said


def test_checks_are_told_when_asked_for(here: Path, cranfield: Cranfield) -> None:
    words = ("relatedness", "costs", "ontology:tree.csv", "tree.csv")
    assert "metric" not in cranfield(*words).stdout
    assert "metric: yes" in cranfield(*words, "--check").stdout
    assert json.loads(cranfield(*words, "--check", "--json").stdout)["checks"]["metric"]


def test_of_many_concepts_the_closest_and_farthest_pairs_are_shown(cranfield: Cranfield) -> None:
    words = ("relatedness", "costs", "ontology:pto2009", "pto2009", "--relatedness")
    rows = [line.split() for line in cranfield(*words).stdout.splitlines()]
    assert ["closest", "pairs", "relatedness"] in rows
    assert ["Plants", "and", "Flowers", "0.9286"] in rows
    assert ["Flowers", "and", "Single_Person", "0.0000"] in rows


# --- what is kept ---


def test_a_snapshot_says_where_it_comes_from_and_scores_os(
    here: Path, cranfield: Cranfield
) -> None:
    words = ("relatedness", "costs", "corpus:captions.txt", "truth.csv", "-o", "costs/FTS.csv")
    said = cranfield(*words)
    assert said.exit_code == 0, said.stderr
    assert "wrote costs/FTS.csv" in said.stderr
    assert "3 of 3 concepts known" in said.stdout
    read = cf.formats.read_costs(here / "costs" / "FTS.csv")
    assert read.provenance.source.endswith("exp(−2 · NWD); 1 − relatedness")
    assert read.provenance.date == date.today().isoformat()
    assert read.provenance.counts["documents"] == 6
    assert read.provenance.counts["unknown concepts"] == 0
    (here / "run.csv").write_text("item,cat,dog,sea\na,1,0,0\nb,1,0,1\nc,0,1,0\nd,0,0,0\n")
    scored = cranfield(
        *("evaluate", "truth.csv", "run.csv", "-m", "OS-FTS", "--json"),
        *("--costs", "FTS=costs/FTS.csv"),
    )
    assert json.loads(scored.stdout)["scores"][0]["score"] == pytest.approx(
        float(cf.score(cf.read_truth("truth.csv").labels, [[True, False, False],
              [True, False, True], [False, True, False], [False, False, False]], "HS",
              costs=read.values))
    )  # fmt: skip


def test_relatedness_itself_is_ready_for_srp(here: Path, cranfield: Cranfield) -> None:
    words = ("relatedness", "costs", "map:map.csv", "truth.csv", "--relatedness")
    assert cranfield(*words, "-o", "related.csv").exit_code == 0
    read = cf.formats.read_relatedness(here / "related.csv")
    assert read.values.tolist() == [[1, 1, 0.25], [1, 1, 0.5], [0.25, 0.5, 1]]
    assert "1 −" not in read.provenance.source
    (here / "run.csv").write_text("item,cat,dog,sea\na,.9,.2,.3\nb,.1,.2,.3\nc,.4,.1,0\nd,0,0,0\n")
    scored = cranfield(
        "evaluate", "truth.csv", "run.csv", "-m", "SRP", "--relatedness", "related.csv", "--json"
    )
    assert scored.exit_code == 0, scored.stderr


def test_a_folder_gets_its_costs_and_gets_them_anew(
    folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    (tmp_path / "c").mkdir()
    for name in ("truth.txt", "concepts.txt"):
        (tmp_path / "c" / name).write_bytes((folder / name).read_bytes())
    words = ("relatedness", "costs", "ontology:pto2009", tmp_path / "c")
    for _ in range(2):
        said = cranfield(*words, "-o", tmp_path / "c" / "costs" / "PTO.csv")
        assert said.exit_code == 0, said.stderr
    assert "PTO" in (cf.read_collection(tmp_path / "c").knowledge.costs or {})


def test_costs_over_wordnet_say_which_measure_made_them(here: Path, cranfield: Cranfield) -> None:
    if not is_there():
        pytest.skip("WordNet 3.0 could not be had")
    found = costs(cranfield, "RES", "concepts.txt")
    assert found["normalised"] == "max"
    assert str(found["source"]).startswith("RES of WordNet 3.0; normalised by max")
    assert found["date"] == date.today().isoformat()


# --- what is refused ---


@pytest.mark.parametrize(
    "words",
    [
        "corpus:captions.txt",
        "PATHS concepts.txt",
        "corpus concepts.txt",
        "corpus:captions.txt,colour=red concepts.txt",
        "corpus:captions.txt concepts.txt --normalise mean",
        "corpus:captions.txt concepts.txt -o costs.json",
        "corpus:captions.txt concepts.txt --relatedness --check",
        "corpus:captions.txt concepts.txt -o concepts.txt",
        "map:map.csv truth.csv -o map.csv",
        "corpus:captions.txt truth.csv -o truth.csv",
        "corpus:captions.txt concepts.txt --words words.csv -o words.csv",
    ],
)
def test_wrong_usage_exits_with_2(words: str, here: Path, cranfield: Cranfield) -> None:
    before = {path: path.read_bytes() for path in here.iterdir()}
    said = cranfield("relatedness", "costs", *words.split())
    assert (said.exit_code, said.stdout) == (2, "")
    assert said.stderr.strip()
    assert {path: path.read_bytes() for path in here.iterdir()} == before


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("corpus:none.txt concepts.txt", "none.txt: there is no such file"),
        ("corpus:captions.txt none.txt", "none.txt: there is no such file"),
        ("corpus:captions.txt truth.txt", "truth.txt: does not name its concepts"),
        ("corpus:captions.txt concepts.txt --words none.csv", "none.csv: there is no such file"),
        (
            "truth:truth.txt concepts.txt",
            "truth knows none of the concepts: 'cat', 'dog', 'sea', 'unicorn'; say by which words",
        ),
        ("map:map.csv truth.csv --normalise none", "costs need [0, 1]; give --normalise max"),
    ],
)
def test_bad_input_exits_with_1_and_says_what_to_do(
    words: str, complaint: str, here: Path, cranfield: Cranfield
) -> None:
    said = cranfield("relatedness", "costs", *words.split())
    assert (said.exit_code, said.stdout) == (1, "")
    assert said.stderr.startswith("error: ")
    assert complaint in said.stderr


# --- pairs that are one and the same ---


@pytest.mark.skipif(not is_there(), reason="WordNet is not installed")
@pytest.mark.parametrize("source", ["JCN", "LESK", "RES"])
def test_concepts_that_share_a_synset_cost_nothing_and_do_not_set_the_scale(
    cranfield: Cranfield, here: Path, source: str
) -> None:
    (here / "c.txt").write_text("car\nautomobile\ndog\ncat\nlake\nsea\n")
    (here / "without.txt").write_text("car\ndog\ncat\nlake\nsea\n")
    values = np.array(costs(cranfield, source, "c.txt")["values"])
    without = np.array(costs(cranfield, source, "without.txt")["values"])
    assert values[0, 1] == 0
    kept = [0, 2, 3, 4, 5]
    assert values[np.ix_(kept, kept)] == pytest.approx(without)
    said = cranfield("relatedness", "costs", source, "c.txt").stdout
    assert "1 pair one and the same to it, and out of the scale: 'car and automobile'" in said


@pytest.mark.skipif(not is_there(), reason="WordNet is not installed")
def test_two_concepts_that_have_nothing_in_common_cost_one(
    cranfield: Cranfield, here: Path
) -> None:
    (here / "c.txt").write_text("theorem\nwife\n")
    assert costs(cranfield, "HSO", "c.txt")["values"] == [[0, 1], [1, 0]]


def test_a_pair_that_dwarfs_all_others_is_remarked(cranfield: Cranfield, here: Path) -> None:
    (here / "map.csv").write_text("concept,cat,dog,sea\ncat,9,900,1\ndog,900,9,2\nsea,1,2,9\n")
    said = cranfield("relatedness", "costs", "map:map.csv", "map.csv").stdout
    assert "cat and dog are 450 times as related as any other two" in said


def test_synonyms_that_serve_no_concept_are_remarked(cranfield: Cranfield, here: Path) -> None:
    (here / "sy.csv").write_text("concept,word\nCat,kitten\ndgo,puppy\n")
    said = cranfield("relatedness", "costs", "corpus:captions.txt,synonyms=sy.csv", "truth.csv")
    assert "synonyms of 1 word that nothing is looked up by: 'dgo'" in said.stdout
