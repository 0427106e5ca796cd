"""Curves, threshold sweeps and reliability diagrams: marks where the numbers are."""

from __future__ import annotations

import pytest
from drawn import layers, marks, svg, titles
from sklearn import metrics

import cranfield as cf
from cranfield.report.curve_pictures import curve_picture
from cranfield.report.reliability_pictures import reliability_picture
from cranfield.report.threshold_pictures import sweep_picture
from problems import problem

CASE = problem(7, items=60, values=None)
RUNS = [CASE.run(name="one"), cf.Run(CASE.scores[::-1].copy(), name="two", **CASE.ids)]
CONCEPT = "c02"
COLUMN = 2


# ── curves ────────────────────────────────────────────────────────────────────────────────────


def test_a_precision_recall_curve_runs_through_all_its_pairs() -> None:
    found = cf.curves(CASE.truth(), RUNS[0], CONCEPT)
    (line,) = marks(curve_picture(found), "line")
    assert [(one["recall"], one["precision"]) for one in line] == list(
        zip(found[0].recall.tolist(), found[0].precision.tolist(), strict=True)
    )
    assert found[0].threshold is not None
    assert [one["threshold"] for one in line] == found[0].threshold.tolist()


def test_a_roc_curve_leads_from_corner_to_corner_beside_the_line_of_chance() -> None:
    spec = curve_picture(cf.curves(CASE.truth(), RUNS[0], CONCEPT), kind="roc")
    chance, line = marks(spec, "line")
    assert [(one["fallout"], one["recall"]) for one in chance] == [(0, 0), (1, 1)]
    drawn = [(one["fallout"], one["recall"]) for one in line]
    assert drawn[0] == (0, 0)
    assert drawn[-1] == (1, 1)
    labels, scores = CASE.labels[:, COLUMN], CASE.scores[:, COLUMN]
    area = metrics.auc([x for x, _ in drawn], [y for _, y in drawn])
    assert area == pytest.approx(metrics.roc_auc_score(labels, scores))
    svg(spec)


def test_the_staircase_begins_at_no_recall_and_the_pairs_are_dots() -> None:
    found = cf.curves(CASE.truth(), RUNS[0], CONCEPT)
    spec = curve_picture(found, interpolated=True)
    (line,) = marks(spec, "line")
    assert line[0]["recall"] == 0
    steps = zip(found[0].recall.tolist(), found[0].interpolated.tolist(), strict=True)
    drawn = [(one["recall"], one["precision"]) for one in line[1:]]
    assert list(dict.fromkeys(drawn)) == list(dict.fromkeys(steps))
    (dots,) = marks(spec, "circle")
    assert [one["precision"] for one in dots] == found[0].precision.tolist()
    (stairs,) = [one for one in layers(spec) if one["mark"]["type"] == "line"]
    assert stairs["mark"]["interpolate"] == "step-before"
    svg(spec)


def test_operating_points_are_where_the_decisions_of_runs_are() -> None:
    spec = curve_picture(cf.curves(CASE.truth(), RUNS, CONCEPT))
    (points,) = marks(spec, "point")
    assert [one["run"] for one in points] == ["one", "two"]
    decided = RUNS[0].assigned[:, COLUMN]
    labels = CASE.labels[:, COLUMN]
    assert points[0]["precision"] == pytest.approx(metrics.precision_score(labels, decided))
    assert points[0]["recall"] == pytest.approx(metrics.recall_score(labels, decided))


def test_runs_share_a_frame_and_concepts_have_one_each() -> None:
    found = cf.curves(CASE.truth(), RUNS, ["c02", "c03", "c04", "c05"])
    spec = curve_picture(found)
    assert [text for text in titles(spec) if text.startswith("c0")] == ["c02", "c03", "c04", "c05"]
    assert len(marks(spec, "line")) == 8
    assert ">two<" in svg(spec)


@pytest.mark.parametrize("average", ["ranks", "recall", "pooled"])
def test_averages_are_one_curve_for_each_run(average: str) -> None:
    found = cf.curves(CASE.truth(), RUNS, average=average)
    spec = curve_picture(found)
    lines = marks(spec, "line")
    assert [{one["run"] for one in line} for line in lines] == [{"one"}, {"two"}]
    assert lines[1][0]["precision"] == found[1].precision[0]
    svg(spec)


def test_points_on_one_spot_are_drawn_once_and_the_ends_always() -> None:
    big = problem(1, items=20_000, concepts=1, values=None, empty=False)
    found = cf.curves(big.truth(), big.run())
    (line,) = marks(curve_picture(found), "line")
    assert len(line) < len(found[0].recall) / 2
    assert line[-1]["recall"] == 1.0
    grid = 2 * 440
    spots = {(round(one["recall"] * grid), round(one["precision"] * grid)) for one in line}
    everything = zip(found[0].recall * grid, found[0].precision * grid, strict=True)
    assert {(round(x), round(y)) for x, y in everything} == spots


def test_roc_curves_are_not_averaged_and_nothing_is_not_drawn() -> None:
    with pytest.raises(cf.InputError, match="is for precision and recall"):
        curve_picture(cf.curves(CASE.truth(), RUNS, average="ranks"), kind="roc")
    with pytest.raises(cf.InputError, match="no concept has positives"):
        curve_picture(cf.curves(cf.Truth([[0], [0]]), cf.Run([[0.1], [0.2]])))


def test_a_concept_that_all_items_have_leaves_an_empty_frame_of_roc() -> None:
    found = cf.curves(cf.Truth([[1], [1]]), cf.Run([[0.1], [0.2]]))
    svg(curve_picture(found, kind="roc"))


# ── thresholds ────────────────────────────────────────────────────────────────────────────────


def test_a_sweep_shows_rates_at_every_threshold() -> None:
    table = cf.roc_table(CASE.truth(), RUNS[0], CONCEPT)
    spec = sweep_picture(table, "F")
    (line,) = marks(spec, "line")
    labels, scores = CASE.labels[:, COLUMN], CASE.scores[:, COLUMN]
    for one in line[:: len(line) // 17]:
        decided = scores >= one["threshold"]
        rate = {
            "precision": metrics.precision_score,
            "recall": metrics.recall_score,
            "F": metrics.f1_score,
            "accuracy": metrics.accuracy_score,
        }[one["rate"]]
        assert one["value"] == pytest.approx(rate(labels, decided), abs=1e-6)
        assert one["accepted"] == decided.sum()
    svg(spec)


def test_the_best_threshold_is_a_line_with_its_name() -> None:
    table = cf.roc_table(CASE.truth(), RUNS[0], CONCEPT)
    best = table.best("accuracy")
    assert best is not None
    (rule,) = marks(sweep_picture(table, "accuracy"), "rule")
    assert rule == [
        {"threshold": best.threshold, "best": f"best by accuracy: {best.threshold:.4g}"}
    ]


def test_one_threshold_for_everything_can_be_swept_and_none_is_refused() -> None:
    truth = cf.Truth([[1], [0]])
    svg(sweep_picture(cf.roc_table(truth, cf.Run([[0.5], [0.5]]))))
    from scipy.sparse import coo_array

    nothing = cf.Run(coo_array((2, 1)), name="silent")
    with pytest.raises(cf.InputError, match="'silent' retrieved nothing"):
        sweep_picture(cf.roc_table(truth, nothing))


# ── reliability ───────────────────────────────────────────────────────────────────────────────


def test_a_reliability_diagram_shows_each_bin_that_holds_something() -> None:
    bins = {run.name: cf.reliability(CASE.truth(), run) for run in RUNS}
    spec = reliability_picture(bins)
    (points,) = marks(spec, "point")
    rows = [row for row in bins["one"].rows() if row["count"]]
    mine = [one for one in points if one["run"] == "one"]
    assert [(one["confidence"], one["positive"]) for one in mine] == [
        (round(row["confidence"], 6), round(row["positive"], 6)) for row in rows
    ]
    counts = marks(spec, "rect")
    assert [sum(one["count"] for one in run) for run in counts] == [CASE.scores.size] * 2
    errors = {run.name: cf.evaluate(CASE.truth(), run, "micro.ECE") for run in RUNS}
    said = ", ".join(f"{name} {found[name, 'micro.ECE']:.4f}" for name, found in errors.items())
    assert f"expected calibration error: {said}" in titles(spec)
    svg(spec)
