"""People read what their data call concepts and items; keys and signatures stay canonical."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield as cf
from cranfield.core.terms import Terms

SCORES = np.array([[0.9, 0.2, 0.1], [0.2, 0.6, 0.1], [0.3, 0.2, 0.9]])
CLASSES = np.eye(3, dtype=int)
LABELS = np.array([[1, 1, 0], [0, 1, 0], [0, 0, 0]])


def test_searches_speak_of_topics_and_documents(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("1 0 d1 1\n1 0 d2 0\n2 0 d3 0\n")
    (tmp_path / "run.txt").write_text("1 Q0 d1 1 2.0 a\n2 Q0 d3 1 1.0 a\n")
    truth = cf.read_truth(tmp_path / "qrels.txt")
    run = cf.read_run(tmp_path / "run.txt", truth)
    result = cf.evaluate(truth, run, "concept.AP")
    table = result.by_unit().result.tables_for("people")[0]
    assert table.columns[0].heading == "topic"
    assert "skipped as undefined: 1 of 2 topics by concept.AP" in result.result.remarks


@pytest.mark.parametrize(
    ("labels", "terms"),
    [
        (LABELS, Terms()),
        (CLASSES, Terms("class", "classes")),
        (CLASSES[:, :1], Terms()),
        (np.zeros((0, 3)), Terms()),
    ],
)
def test_truths_in_which_each_item_has_one_label_speak_of_classes(
    labels: Any, terms: Terms
) -> None:
    assert cf.Truth(labels).terms == terms


def test_tables_and_remarks_speak_the_language_of_the_data() -> None:
    result = cf.evaluate(cf.Truth(CLASSES), cf.Run(SCORES, name="a"), ["concept.F", "example.F"])
    headings = [t.columns[0].heading for t in result.by_unit().result.tables_for("people")]
    assert headings == ["class", "item"]
    assert list(result.by_unit().rows()[0]) == ["run", "measure", "unit", "score"]


def test_skipped_classes_are_called_classes() -> None:
    labels = np.array([[1, 0, 0], [0, 1, 0], [0, 1, 0]])
    result = cf.evaluate(cf.Truth(labels), cf.Run(SCORES, name="a"), "concept.AP")
    assert "skipped as undefined: 1 of 3 classes by concept.AP" in result.result.remarks


def test_signatures_and_keys_stay_canonical() -> None:
    result = cf.evaluate(cf.Truth(CLASSES), cf.Run(SCORES, name="a"), "concept.AP")
    row = result.records()[0]
    assert row["measure"] == "concept.AP"
    assert row["signature"].startswith("concept.AP(")
    assert cf.Truth(CLASSES).digest == cf.Truth(CLASSES.astype(bool)).digest


def test_terms_can_be_written_with_their_plurals() -> None:
    assert Terms.of("topic,document") == Terms("topic", "topics", "document", "documents")
    assert Terms.of("class, category") == Terms("class", "classes", "category", "categories")
    assert Terms.of("person/people,photo") == Terms("person", "people", "photo", "photos")
    assert Terms.of("key, research paper").items == "research papers"


@pytest.mark.parametrize("words", ["topic", "topic,", "a,b,c", "", "topic,7", "a/b c/d", 3])
def test_terms_that_name_no_two_words_are_refused(words: Any) -> None:
    with pytest.raises(cf.InputError):
        cf.Truth(LABELS, terms=words)


def test_truths_keep_their_terms_in_every_part() -> None:
    terms = Terms("person", "people", "photo", "photos")
    truth = cf.Truth(grades=LABELS * 2, terms="person/people,photo")
    parts = [truth, truth.part([0, 1]), truth.of_concepts([0]), truth.at_level(2)]
    parts += [truth.select(items=[0]), cf.Truth(LABELS).in_terms(terms)]
    assert all(part.terms == terms for part in parts)
    assert cf.Truth(CLASSES).of_concepts([0]).terms == cf.Truth(CLASSES).terms


def test_terms_do_not_change_what_a_truth_says() -> None:
    assert cf.Truth(LABELS).digest == cf.Truth(LABELS, terms="topic,document").digest


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    (tmp_path / "truth.csv").write_text("item,Sky,Sea\na,1,1\nb,0,1\n")
    (tmp_path / "terms.txt").write_text("\nmotif,photo\n")
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "one.csv").write_text("item,Sky,Sea\na,0.9,0.1\nb,0.2,0.8\n")
    return tmp_path


def test_collections_say_what_their_concepts_are_called(photos: Path) -> None:
    assert cf.read_collection(photos).truth.terms == Terms.of("motif,photo")
    assert cf.read_collection(photos, terms="a,b").truth.terms == Terms.of("a,b")
    assert cf.read_collection(photos).select(items=["b"]).truth.terms.item == "photo"


@pytest.mark.parametrize(
    ("content", "where"), [("motif\n", "terms.txt:1"), ("\na;b\n", "terms.txt:2"), ("", "terms.t")]
)
def test_odd_terms_of_a_collection_are_refused(photos: Path, content: str, where: str) -> None:
    (photos / "terms.txt").write_text(content)
    with pytest.raises(cf.FileError, match=where):
        cf.read_collection(photos)
