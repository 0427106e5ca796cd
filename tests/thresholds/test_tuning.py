"""Thresholds tuned on one run and applied to another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import cranfield as cf
from problems import Problem, problem, problems, scored, sparse


def every_threshold(case: Problem) -> list[float]:
    """All that decide differently, the highest first."""
    levels = np.unique(case.scores)[::-1].tolist()
    return [float(np.nextafter(levels[0], np.inf)), *levels]


def best_by_trying(case: Problem, name: str) -> tuple[float, float]:
    """The highest of the best thresholds for a whole run, and its score."""
    values = np.array(
        [scored(case.truth(), case.run(threshold=t), name).value for t in every_threshold(case)]
    )
    better = values if cf.measure(name).traits.higher_is_better else -values
    place = int(np.argmax(better >= np.nanmax(better) - 1e-9))
    return every_threshold(case)[place], float(values[place])


@pytest.mark.parametrize("by", ["F", "F(beta=0.5)", "accuracy", "youden", "cost(fn=3)", "MCC"])
def test_thresholds_of_concepts_are_each_the_best_of_its_own(by: str) -> None:
    case = problem(7, items=40, values=12)
    tuned = cf.tune(case.truth(), case.run(), by)
    for j, concept in enumerate(case.concepts):
        table = cf.statistics.roc_table(case.truth(), case.run(), concept).best(by)
        assert tuned.reached is not None
        if table is not None:
            assert (tuned[concept], tuned.reached[j]) == (table.threshold, table.value)
    name = f"concept.{by}"
    applied = scored(case.truth(), tuned.apply(case.run()), name)
    assert applied.value == pytest.approx(tuned.score)
    untuned = scored(case.truth(), case.run(), name).value
    gain = tuned.score - untuned
    assert gain >= 0 if cf.measure(name).traits.higher_is_better else gain <= 0


@pytest.mark.parametrize(
    "by",
    [
        *("micro.F", "concept.F", "example.F", "example.F(beta=2)", "example.Acc", "concept.MCC"),
        *("example.hamming", "example.P(undefined=skip)", "concept.P(undefined=0)", "concept.cost"),
        "micro.Acc",
    ],
)
@given(case=problems())
def test_one_threshold_for_a_run_is_exact_for_measures_of_counts(by: str, case: Problem) -> None:
    values = [scored(case.truth(), case.run(threshold=t), by).value for t in every_threshold(case)]
    if np.isnan(values).all():
        with pytest.raises(cf.InputError, match="undefined at every threshold"):
            cf.tune(case.truth(), case.run(), by, per="run")
        return
    threshold, value = best_by_trying(case, by)
    tuned = cf.tune(case.truth(), case.run(), by, per="run")
    assert tuned.score == pytest.approx(value)
    assert set(tuned.values.tolist()) == {threshold}
    assert tuned.notes == ()


def test_without_a_prefix_one_threshold_serves_all_cells_together() -> None:
    case = problem(3, items=50)
    pooled, named = (cf.tune(case.truth(), case.run(), by, per="run") for by in ("F", "micro.F"))
    assert pooled.values.tolist() == named.values.tolist()
    assert pooled.score == scored(case.truth(), pooled.apply(case.run()), "micro.F").value


def test_sparse_runs_and_unjudged_cells_are_tuned_as_they_are_scored() -> None:
    case = problem(5, items=60, values=9)
    stored = np.random.default_rng(0).random(case.shape) < 0.5
    judged = case.labels | (np.random.default_rng(1).random(case.shape) < 0.7)
    truth = case.truth(judged=judged, unjudged="exclude")
    run = cf.Run(sparse(case.scores, stored), **case.ids)
    for by, per in (("F", "concept"), ("example.F", "run"), ("F", "run")):
        tuned = cf.tune(truth, run, by, per=per)  # type: ignore[arg-type]
        name = {"concept": "concept.F"}.get(per, by if "." in by else "micro.F")
        assert scored(truth, tuned.apply(run), name).value == pytest.approx(tuned.score)


def test_measures_of_more_than_counts_are_tried_at_quantiles_and_that_is_noted() -> None:
    case = problem(2, items=30, values=None)
    tuned = cf.tune(case.truth(), case.run(), "OS", per="run", **case.knowledge)
    assert tuned.notes[0].startswith("tried at ")
    assert tuned.notes[0].endswith("thresholds, quantiles of the scores")
    applied = scored(case.truth(), tuned.apply(case.run()), "OS", **case.knowledge)
    assert applied.value == pytest.approx(tuned.score)
    assert tuned.score >= scored(case.truth(), case.run(), "OS", **case.knowledge).value


def test_few_scores_are_all_tried() -> None:
    case = problem(1, values=5)
    wanted = best_by_trying_with_knowledge(case)
    tuned = cf.tune(case.truth(), case.run(), "HS", per="run", **case.knowledge)
    assert tuned.score == pytest.approx(wanted)


def best_by_trying_with_knowledge(case: Problem) -> float:
    return max(
        scored(case.truth(), case.run(threshold=t), "HS", **case.knowledge).value
        for t in every_threshold(case)
    )


def test_a_concept_without_positives_gets_the_threshold_of_all_and_is_named() -> None:
    labels = np.array([[1, 0], [0, 0], [1, 0], [0, 0]])
    scores = np.array([[0.9, 0.2], [0.3, 0.1], [0.8, 0.4], [0.1, 0.3]])
    truth = cf.Truth(labels, concepts=["sky", "snow"])
    tuned = cf.tune(truth, cf.Run(scores, concepts=["sky", "snow"]), "F")
    assert tuned["sky"] == 0.8
    assert tuned["snow"] == 0.8
    assert tuned.notes == (
        "1 concept without a best threshold got that of all cells together, 0.8: 'snow'",
    )
    assert [row["score"] for row in tuned.rows()] == [1.0, None]
    assert tuned.score == 1.0


def test_accuracy_is_defined_without_positives_and_says_never() -> None:
    truth, run = cf.Truth([[0], [0]]), cf.Run([[0.7], [0.2]])
    tuned = cf.tune(truth, run, "accuracy")
    assert tuned.score == 1.0
    assert not tuned.apply(run).assigned.any()


def test_a_concept_of_which_nothing_was_retrieved_gets_the_threshold_of_all() -> None:
    stored = np.array([[1, 0], [1, 0]], dtype=bool)
    run = cf.Run(sparse(np.array([[0.9, 0.0], [0.3, 0.0]]), stored))
    tuned = cf.tune(cf.Truth([[1, 1], [0, 0]]), run)
    assert tuned.values.tolist() == [0.9, 0.9]
    assert "'1'" in tuned.notes[0]


def test_a_truth_without_positives_cannot_be_tuned_on() -> None:
    with pytest.raises(cf.InputError, match="F is undefined at every threshold of run 'run'; tune"):
        cf.tune(cf.Truth([[0], [0]]), cf.Run([[0.7], [0.2]]))


# ── applying ──────────────────────────────────────────────────────────────────────────────────


def test_thresholds_travel_to_another_run_by_the_ids_of_concepts() -> None:
    case = problem(8, items=40, values=None)
    tuned = cf.tune(case.truth(), case.run())
    columns = [4, 0, 2]
    other = cf.Run(
        case.scores[:, columns],
        concepts=[case.concepts[j] for j in columns],
        name="test",
        group="g",
    )
    applied = tuned.apply(other)
    assert np.array_equal(applied.threshold, tuned.values[columns])
    assert (applied.name, applied.group) == ("test", "g")
    assert np.array_equal(applied.assigned, case.scores[:, columns] >= tuned.values[columns])


def test_one_threshold_stays_one_number_so_that_signatures_show_it() -> None:
    case = problem(8)
    tuned = cf.tune(case.truth(), case.run(), per="run")
    applied = tuned.apply(case.run())
    assert applied.threshold == tuned.values[0]
    signature = scored(case.truth(), applied, "micro.F").signature
    assert f"decisions=>={float(tuned.values[0])!r}," in signature


def test_decisions_that_a_run_brings_give_way() -> None:
    run = cf.Run([[0.2], [0.7]], labels=[[1], [0]])
    assert cf.statistics.Thresholds.of({"0": 0.5}).apply(run).assigned.tolist() == [[False], [True]]


def test_float32_scores_meet_the_threshold_they_gave() -> None:
    case = problem(9, dtype=np.float32, values=None, concepts=2, empty=False)
    tuned = cf.tune(case.truth(), case.run())
    applied = scored(case.truth(), tuned.apply(case.run()), "concept.F")
    assert applied.value == pytest.approx(tuned.score, abs=0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda case: cf.statistics.Thresholds.of({"c00": 0.5}).apply(case.run()),
            "threshold of run 'run': 6 concepts of the run without a value: 'c01', 'c02'",
        ),
        (lambda case: cf.statistics.Thresholds.of({"c00": np.inf}), "finite numbers; mend 'c00'"),
        (
            lambda case: cf.statistics.Thresholds.of({"c00": 0.5})["x"],
            "there is no threshold of 'x'",
        ),
        (
            lambda case: cf.statistics.Thresholds.of({"c00": 0.5}).apply(
                cf.Run(labels=case.labels)
            ),
            "run 'run' has decisions and no confidences",
        ),
        (
            lambda case: cf.tune(case.truth(), cf.Run(labels=case.labels, **case.ids)),
            "run 'run' has decisions and no confidences, so there is nothing to tune",
        ),
        (
            lambda case: cf.tune(case.truth(), case.run(), per="item"),
            "per='item'; choose 'concept'",
        ),
        (
            lambda case: cf.tune(case.truth(), case.run(), "example.F"),
            "example.F looks at several concepts at once",
        ),
        (lambda case: cf.tune(case.truth(), case.run(), "micro.F"), "several concepts at once"),
        (lambda case: cf.tune(case.truth(), case.run(), "OS"), "several concepts at once"),
        (lambda case: cf.tune(case.truth(), case.run(), "AUC"), "which does not judge decisions"),
        (lambda case: cf.tune(case.truth(), case.run(), "F(gamma=2)"), "takes no option 'gamma'"),
    ],
)
def test_what_cannot_be_done_is_refused(call: Any, message: str) -> None:
    with pytest.raises(cf.CranfieldError, match=message.replace("(", r"\(")):
        call(problem(1))


# ── on disk ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.csv.gz"])
def test_thresholds_return_from_disk_bit_by_bit(tmp_path: Path, name: str) -> None:
    values = {"plain": 0.1 + 0.2, 'a "quoted, one"': -1e300, "ü": 5e-324, "0": 7.0}
    cf.formats.write_thresholds(cf.statistics.Thresholds.of(values), tmp_path / name)
    read = cf.formats.read_thresholds(tmp_path / name)
    assert dict(zip(read.concepts, read.values.tolist(), strict=True)) == values
    assert (read.by, read.per) == (None, "concept")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("concept,value\na,1\n", r":1: the header is 'concept,value'; write concept,threshold"),
        ("concept,threshold\na,high\n", r":2: "),
        ("concept,threshold\na,1\na,2\n", r":3: concept 'a' stands on line 2 already"),
        ("concept,threshold\na,\n", r":2: 'a' has no value; write a number"),
        ("concept,threshold\na,inf\n", r"t\.csv:2: "),
    ],
)
def test_bad_files_are_refused_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    with pytest.raises(cf.FileError, match=message):
        cf.formats.read_thresholds(path)


def test_a_run_takes_thresholds_by_id_from_a_mapping() -> None:
    run = cf.Run([[0.3, 0.3]], concepts=["b", "a"], threshold={"a": 0.2, "b": 0.4, "c": 0.0})
    assert run.assigned.tolist() == [[False, True]]
