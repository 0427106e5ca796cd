"""Collection folders: a truth and what lies beside it, read and checked together."""

from __future__ import annotations

from pathlib import Path

import pytest

import cranfield as cf
from cranfield.formats import check_knowledge


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "photos"
    (path / "runs").mkdir(parents=True)
    (path / "truth.txt").write_text("a 1 0\nb 0 1\nc 1 1\n")
    (path / "concepts.txt").write_text("cat\ndog\n")
    (path / "splits.csv").write_text("item,split\na,train\nb,test\nc,train\n")
    (path / "runs" / "good.csv").write_text("item,cat,dog\na,.9,.1\nb,.2,.8\nc,.6,.5\n")
    return path


def test_a_folder_is_read_with_all_that_lies_beside_its_truth(folder: Path) -> None:
    collection = cf.read_collection(folder)
    assert collection.name == "photos"
    assert collection.concepts == ("cat", "dog")
    assert collection.splits == {"a": "train", "b": "test", "c": "train"}
    assert [path.name for path in collection.runs] == ["good.csv"]


def test_a_run_without_names_is_not_read_in_another_order_than_its_folder_says(
    folder: Path, tmp_path: Path
) -> None:
    run = folder / "runs" / "plain.txt"
    run.write_text("a .9 .1\nb .2 .8\nc .6 .5\n")
    (tmp_path / "merged.csv").write_text("item,dog,cat\na,0,1\nb,1,0\nc,1,1\n")
    other_order = cf.read_truth(tmp_path / "merged.csv")
    with pytest.raises(cf.FileError, match=r"another order \(.*concepts\.txt\); give concepts="):
        cf.read_run(run, other_order)
    same_order = cf.read_truth(tmp_path / "merged.csv", concepts=("cat", "dog"))
    read = cf.read_run(run, same_order)
    assert read.concepts == ("cat", "dog")
    assert cf.evaluate(same_order, [read], "concept.AP")["plain", "concept.AP"] == 1.0


def test_a_part_holds_the_items_of_its_split(folder: Path) -> None:
    part = cf.read_collection(folder).select(split="train")
    assert part.items == ("a", "c")
    assert part.truth.labels.tolist() == [[True, False], [True, True]]
    assert part.name == "photos/train"


def test_a_part_that_is_not_there_is_an_error_that_names_the_others(folder: Path) -> None:
    with pytest.raises(cf.InputError, match="'test', 'train'"):
        cf.read_collection(folder).select(split="dev")


def test_splits_must_fit_the_truth(folder: Path) -> None:
    (folder / "splits.csv").write_text("item,split\na,train\nstranger,test\n")
    with pytest.raises(cf.FileError, match=r"splits\.csv:3: item 'stranger'"):
        cf.read_collection(folder)


def test_a_single_file_is_a_collection_too(folder: Path) -> None:
    collection = cf.read_collection(folder / "truth.txt")
    assert collection.name == "truth"
    assert collection.runs == ()


def test_two_truths_are_one_too_many(folder: Path) -> None:
    (folder / "truth.csv").write_text("item,cat\na,1\n")
    with pytest.raises(cf.FileError, match="2 truths"):
        cf.read_collection(folder)


def test_the_truth_and_runs_of_a_folder_may_be_folders(tmp_path: Path) -> None:
    truth = cf.Truth([[1, 0], [0, 1]], items=["a", "b"], concepts=["cat", "dog"])
    run = cf.Run([[0.9, 0.1], [0.2, 0.8]], items=["a", "b"], concepts=["cat", "dog"])
    (tmp_path / "runs").mkdir()
    cf.write_truth(truth, tmp_path / "truth.voc", "voc")
    cf.write_run(run, tmp_path / "runs" / "mine", "voc")
    (tmp_path / "runs" / "notes").mkdir()
    collection = cf.read_collection(tmp_path)
    assert collection.truth.digest == truth.digest
    assert [path.name for path in collection.runs] == ["mine"]
    assert cf.read_run(collection.runs[0], collection).scores.tolist() == run.scores.tolist()


# --- what is known about concepts ---

TREE = "child,parent\nanimal,\ncat,animal\ndog,animal\ncow,animal\n"
SQUARE = "concept,dog,cat,cow\ndog,0,.25,1\ncat,.25,0,1\ncow,1,1,0\n"


@pytest.fixture
def knowing(folder: Path) -> Path:
    for name in ("costs", "relatedness"):
        (folder / name).mkdir()
    (folder / "ontology.csv").write_text(TREE)
    (folder / "ontology.svg").write_text("a picture of it")
    (folder / "agreement.csv").write_text("# counts: items=99\nconcept,value\ndog,.5\ncat,.75\n")
    (folder / "costs" / "FTS.csv").write_text(SQUARE)
    (folder / "costs" / ".hidden").write_text("no map")
    cf.formats.write_map(
        cf.formats.read_costs(folder / "costs" / "FTS.csv"), folder / "costs" / "old.npz.gz"
    )
    (folder / "relatedness" / "WUP.tsv").write_text(SQUARE.replace(",", "\t"))
    return folder


def test_a_folder_brings_what_is_known_about_concepts(knowing: Path) -> None:
    known = cf.read_collection(knowing).knowledge
    assert known.ontology is not None
    assert set(known.ontology.parents) == {"animal", "cat", "dog", "cow"}
    assert known.agreement is not None
    assert known.agreement["cat"] == 0.75
    assert known.agreement.provenance.counts == {"items": 99}
    assert known.costs is not None
    assert list(known.costs) == ["FTS", "old"]
    assert {one.digest for one in known.costs.values()} == {known.costs["FTS"].digest}
    assert known.relatedness is not None
    assert known.relatedness["WUP"]["cat", "dog"] == 0.25


def test_measures_use_what_a_folder_knows(knowing: Path) -> None:
    collection = cf.read_collection(knowing)
    run = cf.read_run(collection.runs[0], collection)
    said = cf.Run(labels=[[0, 1], [0, 1], [1, 1]], items=["a", "b", "c"], concepts=["cat", "dog"])
    found = cf.evaluate(collection, said, ["OS-FTS", "HS-old"])
    assert found.units("run", "HS-old").tolist() == [0.75, 1.0, 1.0]
    # The false dog is matched with the cat, on which annotators agree by three quarters.
    assert found.units("run", "OS-FTS")[0] == pytest.approx(1 - (0.25 + 0.25) * 0.75 / 2)
    assert cf.evaluate(collection, run, "SRP")["good", "SRP"] == 1.0


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("costs/FTS.csv", "concept,cat\ncat,0\n", "FTS.csv: cost map 'FTS' lacks 1 concept: 'dog'"),
        ("costs/FTS.csv", SQUARE.replace("1", "2"), "FTS.csv:2: concept 'dog' and 'cow': 2; every"),
        ("relatedness/x.csv", "item\n", "x.csv:1: the header 'item' names no concepts"),
        ("agreement.csv", "concept,value\ndog,1\n", "agreement.csv: the agreement map lacks 1 co"),
        (
            "ontology.csv",
            TREE.replace("dog", "bat"),
            "ontology.csv: 1 concept that ontology does n",
        ),
        ("ontology.csv", "child,parent\na,b\nb,a\n", "ontology.csv"),
        (
            "ontology.ttl",
            "",
            "photos: this folder has 2 ontologies (ontology.csv, ontology.ttl); k",
        ),
        ("agreement.tsv", "", "photos: this folder has 2 agreement maps (agreement.csv, agreement"),
        ("costs/FTS.tsv", "", "costs: this folder has several maps called 'FTS'; keep one"),
    ],
)
def test_what_is_wrong_with_knowledge_names_the_file(
    name: str, text: str, message: str, knowing: Path
) -> None:
    (knowing / name).write_text(text)
    with pytest.raises(cf.FileError) as caught:
        cf.read_collection(knowing)
    assert message in str(caught.value)
    concepts = cf.Truth([[1, 0]], concepts=["cat", "dog"]).concept_axis
    found = [error for _, _, some in check_knowledge(knowing, concepts) for error in some]
    assert str(caught.value) in map(str, found)


def test_files_that_do_not_end_as_maps_are_left_alone(knowing: Path) -> None:
    before = cf.read_collection(knowing).knowledge
    for name in ("costs/README.md", "costs/FTS.svg", "relatedness/notes.txt", "agreement.md"):
        (knowing / name).write_text("no map")
    after = cf.read_collection(knowing).knowledge
    assert list(after.costs or ()) == list(before.costs or ())
    assert list(after.relatedness or ()) == list(before.relatedness or ())
    assert after.agreement is not None
    concepts = cf.Truth([[1, 0]], concepts=["cat", "dog"]).concept_axis
    assert not [error for _, _, some in check_knowledge(knowing, concepts) for error in some]


def test_a_map_may_know_more_concepts_than_the_truth(knowing: Path) -> None:
    costs = cf.read_collection(knowing).knowledge.costs
    assert costs is not None
    assert "cow" in costs["FTS"].concepts


def test_the_hierarchy_of_a_mulan_file_is_an_ontology_unless_the_folder_has_one(
    knowing: Path,
) -> None:
    (knowing / "truth.txt").unlink()
    (knowing / "truth.arff").write_text(
        "@relation r\n@attribute cat {0,1}\n@attribute dog {0,1}\n@data\n1,0\n0,1\n1,1\n"
    )
    (knowing / "truth.xml").write_text(
        "<labels><label name='cat'><label name='dog'/></label></labels>"
    )
    alone = cf.read_collection(knowing / "truth.arff").ontology
    assert alone is not None
    assert alone.parents == {"cat": (), "dog": ("cat",)}
    for name in ("splits.csv", "concepts.txt"):
        (knowing / name).unlink()
    beside = cf.read_collection(knowing).ontology
    assert beside is not None
    assert "animal" in beside.parents
