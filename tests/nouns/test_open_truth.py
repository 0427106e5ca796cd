"""Open truths: TREC-like collections that do not list all items."""

import numpy as np
import pytest
from scipy.sparse import coo_array

import cranfield as cf
from cranfield.core.matrices import Cells

DOCUMENTS = ["d1", "d2", "d3", "d4"]


@pytest.fixture
def truth() -> cf.Truth:
    """Topic a: d1 relevant, d2 not, d3 in the pool but unjudged; topic b: d4 relevant."""
    return cf.Truth(
        cells(4, {(0, 0): 1, (1, 0): 0, (2, 0): 0, (3, 1): 1}),
        judged=cells(4, {(0, 0): 1, (1, 0): 1, (3, 1): 1}),
        pool=cells(4, {(0, 0): 1, (1, 0): 1, (2, 0): 1, (3, 1): 1}),
        items=DOCUMENTS,
        concepts=["a", "b"],
        open=True,
    )


def cells(rows: int, values: dict[tuple[int, int], float], columns: int = 2) -> coo_array:
    places = np.array(list(values))
    return coo_array((list(values.values()), (places[:, 0], places[:, 1])), shape=(rows, columns))


def a_run(name: str, topics: list[str], found: dict[str, dict[str, float]]) -> cf.Run:
    documents = sorted({d for of_topic in found.values() for d in of_topic})
    values = {
        (documents.index(d), topics.index(t)): s
        for t, of_topic in found.items()
        for d, s in of_topic.items()
    }
    scores = cells(len(documents), values, len(topics))
    return cf.Run(scores, name=name, items=documents, concepts=topics)


def test_a_run_may_retrieve_documents_that_the_truth_does_not_list(truth: cf.Truth) -> None:
    run = a_run("r", ["a", "b"], {"a": {"d9": 3, "d1": 2}, "b": {"d4": 1}})
    assert cf.evaluate(truth, run, "concept.AP")["r", "concept.AP"] == (0.5 + 1) / 2


def test_a_topic_that_a_run_lacks_counts_as_nothing_retrieved(truth: cf.Truth) -> None:
    run = a_run("r", ["a"], {"a": {"d1": 2}})
    result = cf.evaluate(truth, run, "concept.AP")
    assert result.units("r", "concept.AP").tolist() == [1, 0]


def test_common_topics_are_those_of_truth_and_run(truth: cf.Truth) -> None:
    run = a_run("r", ["a", "z"], {"a": {"d1": 2}, "z": {"d1": 2}})
    result = cf.evaluate(truth, run, "concept.AP", topics="common")
    score = result.score("r", "concept.AP")
    assert (score.value, score.units, score.skipped) == (1, 1, 1)
    assert np.isnan(score.by_unit[1])
    assert "topics=common" in score.signature


def test_all_topics_include_those_without_judgements(truth: cf.Truth) -> None:
    run = a_run("r", ["a", "z"], {"a": {"d1": 2}, "z": {"d1": 2}})
    result = cf.evaluate(truth, run, "concept.AP(undefined=0)", topics="all")
    assert result.truth.concepts == ("a", "b", "z")
    assert result.units("r", "concept.AP(undefined=0)").tolist() == [1, 0, 0]


def test_items_of_a_run_do_not_change_the_scores_of_another(truth: cf.Truth) -> None:
    one = a_run("one", ["a", "b"], {"a": {"d1": 2}, "b": {"d4": 1}})
    two = a_run("two", ["a", "b"], {"a": {"d7": 2, "d8": 1}, "b": {"d9": 1}})
    measures = ["concept.AUC", "concept.AP", "example.F(undefined=skip)", "micro.F"]
    alone = cf.evaluate(truth, cf.Run(one.scores, name="one", items=one.items,
                        concepts=one.concepts, threshold=0.0), measures)  # fmt: skip
    one, two = (
        cf.Run(r.scores, name=r.name, items=r.items, concepts=r.concepts, threshold=0.0)
        for r in (one, two)
    )
    together = cf.evaluate(truth, [two, one], measures)
    for measure in measures:
        assert together["one", measure] == alone["one", measure]
        assert together.score("one", measure).signature == alone.score("one", measure).signature


def test_excluded_unjudged_documents_leave_the_list(truth: cf.Truth) -> None:
    run = a_run("r", ["a", "b"], {"a": {"d9": 4, "d3": 3, "d2": 2, "d1": 1}, "b": {"d4": 1}})
    units = cf.evaluate(truth, run, "concept.AP(unjudged=exclude)").units(
        "r", "concept.AP(unjudged=exclude)"
    )
    assert units.tolist() == [0.5, 1]


def test_stored_cells_are_the_judged_ones_by_default() -> None:
    truth = cf.Truth(cells(4, {(0, 0): 1, (1, 0): 0}), items=DOCUMENTS, concepts="ab", open=True)
    assert isinstance(truth.judged, Cells)
    assert truth.judged.codes.tolist() == [0, 2]
    assert truth.states.tolist() == [[1, -2], [0, -2], [-2, -2], [-2, -2]]


def test_joining_keeps_the_digest_and_what_was_said(truth: cf.Truth) -> None:
    wide = truth.joined(["d9"], ["z"])
    assert wide.shape == (5, 3)
    assert wide.digest == truth.digest
    assert wide.labels[:4, :2].tolist() == truth.labels.tolist()
    assert truth.shape == (4, 2)


def test_topics_are_for_open_truths_only() -> None:
    closed = cf.Truth([[1], [0]])
    with pytest.raises(cf.InputError, match="open truths"):
        cf.evaluate(closed, cf.Run([[1.0], [0.5]]), "concept.AP", topics="common")


def test_measures_of_negatives_say_among_how_many_items(truth: cf.Truth) -> None:
    run = a_run("r", ["a", "b"], {"a": {"d9": 3, "d1": 2}, "b": {"d4": 1}})
    auc, ap = cf.evaluate(truth, run, ["concept.AUC", "concept.AP"]).scores
    assert "among the 5 documents that truth or run list" in auc.notes
    assert not any("among" in note for note in ap.notes)
