"""Curves, threshold sweeps and reliability diagrams: marks where the numbers are."""

from __future__ import annotations

from typing import Any

import pytest
from drawn import svg
from sklearn import metrics

import cranfield as cf
from cranfield.core.chart import Chart
from cranfield.show.vega import page_of
from cranfield.statistics import reliability, roc_table
from problems import problem

CASE = problem(7, items=60, values=None)
RUNS = [CASE.run(name="one"), cf.Run(CASE.scores[::-1].copy(), name="two", **CASE.ids)]
CONCEPT = "c02"
COLUMN = 2


# ── curves ────────────────────────────────────────────────────────────────────────────────────


def chart(found: cf.tasks.Curves) -> Chart:
    (drawn,) = found.full_result.charts
    assert isinstance(drawn, Chart)
    return drawn


def test_a_precision_recall_curve_runs_through_all_its_pairs() -> None:
    found = cf.curves(CASE.truth(), RUNS[0], CONCEPT)
    line = chart(found).rows
    assert [(one["recall"], one["precision"]) for one in line] == list(
        zip(found[0].recall.tolist(), found[0].precision.tolist(), strict=True)
    )
    assert found[0].threshold is not None
    assert [one["threshold"] for one in line] == found[0].threshold.tolist()


def test_a_roc_curve_leads_from_corner_to_corner_beside_the_line_of_chance() -> None:
    drawing = chart(cf.curves(CASE.truth(), RUNS[0], CONCEPT, kind="roc"))
    assert drawing.diagonal
    drawn = [(one["fallout"], one["recall"]) for one in drawing.rows]
    assert drawn[0] == (0, 0)
    assert drawn[-1] == (1, 1)
    labels, scores = CASE.labels[:, COLUMN], CASE.scores[:, COLUMN]
    area = metrics.auc([x for x, _ in drawn], [y for _, y in drawn])
    assert area == pytest.approx(metrics.roc_auc_score(labels, scores))
    svg(page_of([drawing]))


def test_the_staircase_begins_at_no_recall_and_the_pairs_are_dots() -> None:
    found = cf.curves(CASE.truth(), RUNS[0], CONCEPT, interpolated=True)
    drawing = chart(found)
    assert drawing.stairs
    assert drawing.rows[0]["recall"] == 0
    steps = zip(found[0].recall.tolist(), found[0].interpolated.tolist(), strict=True)
    drawn = [(one["recall"], one["precision"]) for one in drawing.rows[1:]]
    assert list(dict.fromkeys(drawn)) == list(dict.fromkeys(steps))
    assert [one["precision"] for one in drawing.dots] == found[0].precision.tolist()
    svg(page_of([drawing]))


def test_operating_points_are_where_the_decisions_of_runs_are() -> None:
    points = chart(cf.curves(CASE.truth(), RUNS, CONCEPT)).highlights
    assert [one["run"] for one in points] == ["one", "two"]
    decided = RUNS[0].assigned[:, COLUMN]
    labels = CASE.labels[:, COLUMN]
    assert points[0]["precision"] == pytest.approx(metrics.precision_score(labels, decided))
    assert points[0]["recall"] == pytest.approx(metrics.recall_score(labels, decided))


def test_runs_share_a_frame_and_concepts_have_one_each() -> None:
    drawing = chart(cf.curves(CASE.truth(), RUNS, ["c02", "c03", "c04", "c05"]))
    assert drawing.panels == "concept"
    panels = {(row["concept"], row["run"]) for row in drawing.rows}
    assert len(panels) == 8
    assert ">two<" in svg(page_of([drawing]))


@pytest.mark.parametrize("average", ["ranks", "recall", "pooled"])
def test_averages_are_one_curve_for_each_run(average: Any) -> None:
    found = cf.curves(CASE.truth(), RUNS, average=average)
    drawing = chart(found)
    second = [row for row in drawing.rows if row["run"] == "two"]
    assert second[0]["precision"] == found[1].precision[0]
    svg(page_of([drawing]))


def test_points_on_one_spot_are_drawn_once_and_the_ends_always() -> None:
    big = problem(1, items=20_000, concepts=1, values=None, empty=False)
    found = cf.curves(big.truth(), big.run())
    line = chart(found).rows
    assert len(line) < len(found[0].recall) / 2
    assert line[-1]["recall"] == 1.0
    grid = 2 * 440
    spots = {(round(one["recall"] * grid), round(one["precision"] * grid)) for one in line}
    everything = zip(found[0].recall * grid, found[0].precision * grid, strict=True)
    assert {(round(x), round(y)) for x, y in everything} == spots


def test_roc_curves_are_not_averaged_and_nothing_is_not_drawn() -> None:
    with pytest.raises(cf.InputError, match="are for precision and recall"):
        cf.curves(CASE.truth(), RUNS, average="ranks", kind="roc")
    assert not cf.curves(cf.Truth([[0], [0]]), cf.Run([[0.1], [0.2]])).full_result.charts


def test_a_concept_that_all_items_have_leaves_an_empty_frame_of_roc() -> None:
    found = cf.curves(cf.Truth([[1], [1]]), cf.Run([[0.1], [0.2]]), kind="roc")
    svg(page_of(found.full_result.charts))


# ── thresholds ────────────────────────────────────────────────────────────────────────────────


def test_a_sweep_shows_rates_at_every_threshold() -> None:
    drawing = roc_table(CASE.truth(), RUNS[0], CONCEPT, by="F").sweep_chart()
    labels, scores = CASE.labels[:, COLUMN], CASE.scores[:, COLUMN]
    for one in drawing.rows[:: len(drawing.rows) // 17]:
        decided = scores >= one["threshold"]
        rate = {
            "precision": metrics.precision_score,
            "recall": metrics.recall_score,
            "F": metrics.f1_score,
            "accuracy": metrics.accuracy_score,
        }[one["rate"]]
        assert one["value"] == pytest.approx(rate(labels, decided), abs=1e-6)
        assert one["accepted"] == decided.sum()
    svg(page_of([drawing]))


def test_the_best_threshold_is_marked_with_its_name() -> None:
    table = roc_table(CASE.truth(), RUNS[0], CONCEPT, by="accuracy")
    best = table.best("accuracy")
    assert best is not None
    (mark,) = table.sweep_chart().highlights
    assert mark["best"] == f"best by accuracy: {best.threshold:.4g}"
    assert mark["value"] == pytest.approx(best.value)
    for kind in ("roc", "pr"):
        (mark,) = table.curve_chart(kind).highlights  # type: ignore[arg-type]
        assert mark["TPR"] == table.tpr[best.row]
    svg(page_of(table.full_result.charts))


def test_a_single_threshold_can_be_swept_and_none_is_refused() -> None:
    truth = cf.Truth([[1], [0]])
    svg(page_of([roc_table(truth, cf.Run([[0.5], [0.5]])).sweep_chart()]))
    from scipy.sparse import coo_array

    nothing = cf.Run(coo_array((2, 1)), name="silent")
    with pytest.raises(cf.InputError, match="'silent' retrieved nothing"):
        roc_table(truth, nothing).sweep_chart()


# ── reliability ───────────────────────────────────────────────────────────────────────────────


def test_a_reliability_diagram_shows_each_bin_that_holds_something() -> None:
    bins = reliability(CASE.truth(), RUNS[0])
    diagram, counts = bins.full_result.charts
    assert isinstance(diagram, Chart)
    assert isinstance(counts, Chart)
    rows = [row for row in bins.rows() if row["count"]]
    assert [(one["confidence"], one["positive"]) for one in diagram.rows] == [
        (row["confidence"], row["positive"]) for row in rows
    ]
    assert sum(one["count"] for one in counts.rows) == CASE.scores.size
    error = cf.evaluate(CASE.truth(), RUNS[0], "micro.ECE")["one", "micro.ECE"]
    assert diagram.subtitle == f"one; expected calibration error {error:.4f}"
    svg(page_of(bins.full_result.charts))
