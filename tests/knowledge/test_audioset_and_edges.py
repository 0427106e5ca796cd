"""AudioSet's list of classes, and edge lists whose root has no line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import cranfield as cf

CLASSES: list[dict[str, Any]] = [
    {"id": "/m/0dgw9r", "name": "Human sounds", "child_ids": ["/m/09l8g"],
     "restrictions": ["abstract"]},
    {"id": "/m/09l8g", "name": "Human voice", "child_ids": ["/m/09x0r", "/t/dd001"],
     "description": "Sounds of the voice.", "positive_examples": [], "restrictions": []},
    {"id": "/m/09x0r", "name": "Speech", "child_ids": ["/t/dd001"], "restrictions": []},
    {"id": "/t/dd001", "name": "Whispering", "child_ids": [], "restrictions": ["blacklist"]},
]  # fmt: skip


def write(folder: Path, content: object) -> Path:
    path = folder / "ontology.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_audioset_is_a_hierarchy_by_ids_with_names(tmp_path: Path) -> None:
    found = cf.Ontology.load(write(tmp_path, CLASSES))
    assert found.concepts == ("/m/09l8g", "/m/09x0r", "/t/dd001")
    assert found.parents["/t/dd001"] == ("/m/09l8g", "/m/09x0r")
    assert found.parents["/m/0dgw9r"] == ()
    assert found.labels["/m/09x0r"] == "Speech"


def test_it_can_be_written_and_comes_back_the_same(tmp_path: Path) -> None:
    found = cf.Ontology.load(write(tmp_path, CLASSES))
    found.write(tmp_path / "again.ttl")
    assert cf.Ontology.load(tmp_path / "again.ttl").digest == found.digest


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('[{"id": "a",\n"name" "b"}]', r"json:2: this is no JSON"),
        ([], "the list is empty"),
        ([3], "class 1 of the list is no object"),
        ([{"id": "a"}, {"name": "b"}], "class 2 of the list has no id"),
        ([{"id": "a"}, {"id": "a"}], "'a' stands there twice"),
        ([{"id": "a", "child_ids": "b"}, {"id": "b"}], "child_ids of 'a' is no list of texts"),
        ([{"id": "a", "child_ids": ["b"]}], "'a' lists 'b', which is no class here"),
        ([{"id": "a", "name": 3}], "the name of 'a' is no text"),
        ([{"id": "a", "child_ids": ["b"]}, {"id": "b", "child_ids": ["a"]}], "circle|itself|ring"),
    ],
)
def test_a_broken_list_of_classes_is_refused(tmp_path: Path, content: object, said: str) -> None:
    with pytest.raises(cf.FileError, match=said):
        cf.Ontology.load(write(tmp_path, content))


def edges(folder: Path, lines: str) -> cf.Ontology:
    path = folder / "edges.csv"
    path.write_text(f"child,parent\n{lines}")
    return cf.Ontology.load(path)


def test_the_root_needs_no_line(tmp_path: Path) -> None:
    found = edges(tmp_path, "cat,animal\ndog,animal\npuppy,dog\n")
    assert found.parents["animal"] == ()
    assert found.digest == edges(tmp_path, "animal,\ncat,animal\ndog,animal\npuppy,dog\n").digest


@pytest.mark.parametrize(
    ("lines", "line"),
    [("animal,\ncat,animal\ndog,anmial\n", 4), ("cat,animal\ndog,animal\nrose,plant\n", 2)],
)
def test_a_parent_that_is_no_root_needs_one(tmp_path: Path, lines: str, line: int) -> None:
    with pytest.raises(cf.FileError, match="which is not in the file") as refused:
        edges(tmp_path, lines)
    assert refused.value.line == line
