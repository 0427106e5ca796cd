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
