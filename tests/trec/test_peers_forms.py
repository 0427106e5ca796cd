"""Judgements and rankings as ranx and ir_measures hold them are read as they are."""

from __future__ import annotations

from typing import Any

import pandas as pd
import polars as pl
import pytest

import cranfield as cf

QRELS = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 1}}
RUN = {"q1": {"a": 0.9, "c": 0.5, "d": 0.7}, "q2": {"b": 0.8, "a": 0.1}}
EXPECTED = cf.evaluate(QRELS, RUN, ["topic.AP", "topic.nDCG@10"])


def long(data: dict[str, dict[str, Any]], number: str) -> list[dict[str, Any]]:
    return [
        {"query_id": topic, "doc_id": document, number: value}
        for topic, documents in data.items()
        for document, value in documents.items()
    ]


def same(qrels: Any, run: Any) -> bool:
    result = cf.evaluate(qrels, run, ["topic.AP", "topic.nDCG@10"])
    return [score.value for score in result] == [score.value for score in EXPECTED]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_long_frames(frame: Any) -> None:
    qrels, run = frame(long(QRELS, "relevance")), frame(long(RUN, "score"))
    assert same(qrels, run)
    assert same(qrels, {"mine": run})
    assert cf.compare(qrels, {"a": run, "b": run}, "topic.AP").runs == ("a", "b")


def test_lists_of_ir_measures() -> None:
    ir_measures = pytest.importorskip("ir_measures")
    qrels = [ir_measures.Qrel(*row.values()) for row in long(QRELS, "relevance")]
    run = [ir_measures.ScoredDoc(*row.values()) for row in long(RUN, "score")]
    assert same(qrels, run)


def test_objects_of_ranx() -> None:
    ranx = pytest.importorskip("ranx")
    assert same(ranx.Qrels(QRELS), ranx.Run(RUN, name="mine"))
    assert same(ranx.Qrels(QRELS), {"mine": ranx.Run(RUN)})


def test_a_document_that_is_listed_twice_is_refused() -> None:
    twice = pd.DataFrame(long(QRELS, "relevance")[:1] * 2)
    with pytest.raises(cf.InputError, match="topic 'q1', document 'a' is listed twice"):
        cf.evaluate(twice, RUN, "topic.AP")
