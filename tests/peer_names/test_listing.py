"""Names explained, misspelt names answered by meaning, measures by their four dimensions."""

from __future__ import annotations

import pytest

import cranfield as cf
from cranfield.measures.listing import list_measures
from cranfield.show.terminal import plain_text


@pytest.mark.parametrize(
    ("name", "near", "never"),
    [
        ("macro.Fscore", "concept.F", "micro."),
        ("samples.recal", "example.R", "concept."),
        ("recal", "concept.R", "nothing"),
        ("exact_mach", "example.subset_accuracy", "nothing"),
        ("concept.AQ", "concept.AP", "micro."),
    ],
)
def test_misspelt_names_are_answered_by_meaning(name: str, near: str, never: str) -> None:
    with pytest.raises(cf.MeasureError) as error:
        cf.measure(name)
    suggested = str(error.value).partition("did you mean ")[2].partition("?")[0]
    assert near in suggested
    assert never not in suggested


def test_a_name_of_another_tool_is_explained_by_the_kind_of_data() -> None:
    explained = cf.measures(like="f1_macro")
    assert explained.tool == "scikit-learn"
    assert explained.meanings[0] == {
        "data": "several labels for each item",
        "measure": "concept.F(undefined=0)",
        "conventions": "a unit without a value scores 0",
    }
    assert "confusion.F(average=macro)" in str(explained)
    assert "write log_loss(reduce=mean)" in str(cf.measures(like="neg_log_loss"))
    with pytest.raises(cf.MeasureError, match="there is no measure 'zzzz'"):
        cf.measures(like="zzzz")


def test_names_of_measures_stay_whole_in_narrow_terminals() -> None:
    for name, meant in (
        ("RetrievalMAP(top_k=3)", "concept.AP@3(divisor=retrieved,undefined=0)"),
        ("f1_macro", "confusion.F(average=macro)"),
    ):
        assert meant in plain_text(cf.measures(like=name).result, width=80)


def test_measures_are_chosen_by_the_four_dimensions() -> None:
    chosen = list_measures(direction="example", prediction="decisions", score="semantic")
    names = {row["name"] for row in chosen.result.facts["measures"]}
    assert {"HS", "OS", "example.hF"} <= names
    assert "example.F" not in names
    with pytest.raises(cf.MeasureError, match="no measure has direction confusion and relevance"):
        list_measures(direction="confusion", relevance="graded")


def test_the_view_of_table_4_3_crosses_prediction_and_direction() -> None:
    table = list_measures(dimensions=True).result.table("dimensions")
    cells = {row["prediction"]: row for row in table.rows}
    assert "hamming" in cells["decisions"]["example"]
    assert "EER" in cells["confidences"]["concept"]
    assert "nDCGᵍ" in cells["confidences"]["example"]
    assert "OSˢ" in cells["decisions"]["example"]
