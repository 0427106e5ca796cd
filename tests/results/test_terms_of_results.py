"""Whatever people read of a search speaks of topics and documents; programs read the same keys."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from cranfield.core.chart import Axis, Chart
from cranfield.core.table import Column, Table
from cranfield.core.terms import Terms
from cranfield.show.csv import csv_text
from cranfield.show.html import table_html
from cranfield.show.latex import latex_text, tabular
from cranfield.show.markdown import markdown_text, table_markdown
from cranfield.show.plots import plot
from cranfield.show.terminal import plain_text
from cranfield.show.vega import specification

SEARCH = Terms.of("topic,document")
TABLE = Table("units", [{"concept": "1", "items": 3}], [Column("concept"), Column("items")])


@pytest.fixture
def search() -> cf.Evaluation:
    rng = np.random.default_rng(7)
    truth = cf.Truth(rng.random((40, 6)) < 0.4, terms=SEARCH)
    runs = [cf.Run(rng.random((40, 6)), name=name) for name in "ab"]
    return cf.evaluate(truth, runs, ["concept.AP", "example.F"])


@pytest.mark.parametrize("render", [tabular, table_markdown, table_html])
def test_headings_of_tables_speak_of_topics(render: object) -> None:
    assert callable(render)
    shown = str(render(TABLE.in_terms(SEARCH)))
    assert "topic" in shown
    assert "documents" in shown
    assert "concept" not in shown.replace("concept.", "")


def test_fields_of_csv_stay() -> None:
    assert csv_text(TABLE.in_terms(SEARCH)) == csv_text(TABLE) == "concept,items\n1,3\n"


def test_marks_of_charts_speak_of_topics() -> None:
    rows = [{"concept": "1", "score": 0.5}]
    chart = Chart(kind="bars", rows=rows, x=Axis("score"), y=Axis("concept", scale="names"))
    spoken = chart.in_terms(SEARCH)
    assert "topic: 1" in plot(spoken)
    assert '"title": "topic"' in json.dumps(specification(spoken))
    assert "concept: 1" in plot(chart)


def test_scores_of_units_speak_of_topics_wherever_they_are_shown(search: cf.Evaluation) -> None:
    result = search.by_unit().result
    assert result.title == "Scores of single topics and documents"
    for text in (plain_text(result), latex_text(result), markdown_text(result)):
        assert "topic" in text
        assert "document" in text
    assert "topic" in result._repr_html_()
    assert list(search.by_unit().rows()[0]) == ["run", "measure", "unit", "score"]


def test_saved_results_keep_their_terms(search: cf.Evaluation, tmp_path: Path) -> None:
    search.save(tmp_path / "saved.json")
    assert cf.load(tmp_path / "saved.json").terms == SEARCH


def test_results_of_older_versions_speak_of_concepts(search: cf.Evaluation, tmp_path: Path) -> None:
    content = search.result.to_dict()
    del content["terms"]
    (tmp_path / "old.json").write_text(json.dumps(content))
    assert cf.load(tmp_path / "old.json").terms == Terms()


def test_analyses_of_a_search_say_what_they_draw_again(search: cf.Evaluation) -> None:
    assert "on other documents of this kind" in "".join(cf.intervals(search).result.remarks)
    compared = cf.compare(search, "example.F").result
    assert "test over 40 documents" in "".join(compared.remarks)
    assert "over 40 documents" in compared.tables[0].caption
    sliced = cf.slices(search, by="frequency").result
    assert "confidence intervals over documents" in "".join(sliced.remarks)
    assert "topic" in str(sliced.tables_for("people")[-1].rows[0]["_size"])
    plan = cf.plan(search, "example.F", run="a", margin=0.05).result
    assert plan.title == "Documents needed"
    assert "documents" in [c.heading for c in plan.tables_for("people")[0].columns]
    gate = cf.gate(search, "a", margin=0.05)
    assert "40 documents" in "".join(gate.result.remarks)
    assert "terms" not in gate.to_dict()["measures"][0]


def test_curves_of_a_search_are_means_over_topics(search: cf.Evaluation) -> None:
    curves = cf.curves(search.truth, [score.run for score in search][:1], average="recall")
    assert "means over 6 topics" in curves.result.remarks


def test_reports_and_descriptions_of_a_search_speak_of_topics(search: cf.Evaluation) -> None:
    page = cf.Report(search).html
    for words in ("Which topics are hard?", "Which documents are hard?", "hardest documents by"):
        assert words in page
    assert "40 documents and 6 topics" in page
    described = cf.describe(search.truth)
    assert "Topics" in [table.title for table in described.result.tables]
    assert "mean number of labels per document" in plain_text(described.result)
    assert described.full_result.charts[0].title == "How frequent the topics are"
    assert "by_concept" in described.to_dict()


def test_measures_of_a_search_average_over_topics_in_headings_alone() -> None:
    columns = (Column("run", key=True), Column("concept.AP", "AP", group="concept"))
    table = Table("scores", [{"run": "a", "concept.AP": 0.5}], columns)
    head = plain_text(cf.Result("scores", tables=(table.in_terms(SEARCH),)))
    assert "topic" in head
    assert "concept" not in head
    assert csv_text(table.in_terms(SEARCH)) == "run,concept.AP\na,0.5\n"
