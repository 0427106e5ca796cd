"""Scores that another tool computed: intervals, tests, gates, plans, slices and reports of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas
import polars
import pytest

import cranfield as cf

statsmodels = pytest.importorskip("statsmodels.api")

RUNS = {"A": 0.45, "B": 0.6}


def drawn(
    seed: int = 0, items: int = 40, repeats: int = 1, width: int = 1, spread: float = 0.0
) -> list[dict[str, Any]]:
    """Scores of two runs; items of a cluster share a shift."""
    random = np.random.default_rng(seed)
    shifts = random.normal(0.0, spread, size=(2, -(-items // width)))
    hard = random.normal(0.0, 0.1, size=items)
    return [
        {
            "run": run,
            "item": f"q{item}",
            "repeat": repeat,
            "cluster": f"d{item // width}",
            "score": mean + shifts[index, item // width] + hard[item] + random.normal(0.0, 0.2),
        }
        for index, (run, mean) in enumerate(RUNS.items())
        for item in range(items)
        for repeat in range(repeats)
    ]


def without(rows: list[dict[str, Any]], *columns: str) -> list[dict[str, Any]]:
    return [{name: row[name] for name in row if name not in columns} for row in rows]


def test_the_score_of_a_run_is_the_mean_over_items_and_each_item_the_mean_of_its_repeats() -> None:
    rows = [("A", "q1", 1.0), ("A", "q1", 0.0), ("A", "q1", 1.0), ("A", "q2", 0.5)]
    table = [
        {"run": run, "item": item, "score": score, "repeat": repeat}
        for repeat, (run, item, score) in enumerate(rows)
    ]
    result = cf.Evaluation.from_scores(table)
    assert result["A", "score"] == pytest.approx((2 / 3 + 0.5) / 2)
    assert result.units("A", "score").tolist() == pytest.approx([2 / 3, 0.5])
    assert "mean of 1 to 3 repeats" in result.scores[0].notes[0]


def test_frames_columns_and_rows_give_the_same_scores_and_signatures() -> None:
    rows = drawn()
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    forms = [rows, columns, pandas.DataFrame(rows), polars.DataFrame(rows)]
    signatures = {tuple(s.signature for s in cf.Evaluation.from_scores(form)) for form in forms}
    assert len(signatures) == 1


def test_the_order_of_rows_never_shows() -> None:
    rows = drawn(repeats=3, width=4)
    shuffled = [rows[i] for i in np.random.default_rng(5).permutation(len(rows))]
    first, second = cf.Evaluation.from_scores(rows), cf.Evaluation.from_scores(shuffled)
    for run in RUNS:
        assert first[run, "score"] == second[run, "score"]
        assert first.score(run, "score").signature == second.score(run, "score").signature
    assert cf.compare(first, "score")["A", "B"] == cf.compare(second, "score")["A", "B"]


# ── clusters ──────────────────────────────────────────────────────────────────────────────────


def uneven(seed: int, clusters: int = 25) -> list[dict[str, Any]]:
    """Clusters of one to six items with a shift of their own."""
    random = np.random.default_rng(seed)
    rows = []
    for cluster in range(clusters):
        shift = random.normal(0.0, 0.3, size=2)
        for item in range(1 + cluster % 6):
            noise = random.normal(0.0, 0.2, size=2)
            rows += [
                {"run": run, "item": f"{cluster}-{item}", "cluster": cluster, "score": value}
                for run, value in zip(RUNS, shift + noise, strict=True)
            ]
    return rows


def fitted(values: Any, clusters: Any) -> Any:
    """The mean with cluster-robust standard errors, by statsmodels."""
    model = statsmodels.OLS(np.asarray(values), np.ones(len(values)))
    groups = np.unique(clusters, return_inverse=True)[1]
    return model.fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)


def test_standard_errors_are_the_cluster_robust_ones_of_statsmodels() -> None:
    frame = pandas.DataFrame(uneven(1))
    interval = cf.intervals(cf.Evaluation.from_scores(frame))["A", "score"]
    own = frame[frame.run == "A"]
    fit = fitted(own.score, own.cluster)
    assert interval.error == pytest.approx(float(fit.bse[0]))
    low, high = fit.conf_int()[0]
    assert (interval.low, interval.high) == pytest.approx((low, high))
    assert "25 clusters of items resampled" in interval.notes[0]


def test_paired_tests_and_gates_are_the_cluster_robust_ones_of_statsmodels() -> None:
    frame = pandas.DataFrame(uneven(2))
    result = cf.Evaluation.from_scores(frame)
    wide = frame.pivot(index=["item", "cluster"], columns="run", values="score").reset_index()
    fit = fitted(wide.A - wide.B, wide.cluster)
    pair = cf.compare(result, "score", test="t")["A", "B"]
    assert pair.difference == pytest.approx(float(fit.params[0]))
    assert pair.p == pytest.approx(float(fit.pvalues[0]))
    verdict = cf.gate(result, "B", run="A", margin=0.1)["score"]
    assert (verdict.low, verdict.high) == pytest.approx(tuple(fit.conf_int()[0]))
    assert (verdict.resample, verdict.units) == ("clusters", 25)


def test_plans_heed_the_clusters_of_the_table() -> None:
    rows = uneven(3)
    clusters = {row["item"]: row["cluster"] for row in rows}
    kept = cf.Evaluation.from_scores(rows)
    lost = cf.Evaluation.from_scores(without(rows, "cluster"))
    plan = cf.plan(kept, "score", run="A", margin=0.05)
    assert plan.row() == cf.plan(lost, "score", run="A", margin=0.05, clusters=clusters).row()
    assert plan.design_effect > 1.2


def simulated(count: int) -> Iterator[list[dict[str, Any]]]:
    for seed in range(count):
        yield drawn(seed, items=60, width=6, spread=0.25)


def test_intervals_of_clustered_items_hold_the_mean_as_often_as_they_say() -> None:
    held = {True: 0, False: 0}
    for rows in simulated(300):
        for clustered in held:
            table = rows if clustered else without(rows, "cluster")
            interval = cf.intervals(cf.Evaluation.from_scores(table))["A", "score"]
            held[clustered] += interval.low <= RUNS["A"] <= interval.high
    assert 0.91 <= held[True] / 300 <= 0.98
    assert held[False] / 300 < 0.8


def test_randomisation_by_clusters_keeps_its_level_where_runs_are_equally_good() -> None:
    def significant(rows: list[dict[str, Any]]) -> bool:
        result = cf.Evaluation.from_scores(rows)
        return cf.compare(result, "score", samples=400)["A", "B"].p < 0.05

    false = sum(significant(uneven(seed)) for seed in range(150))
    assert false / 150 < 0.11
    lost = sum(significant(without(uneven(seed), "cluster")) for seed in range(150))
    assert lost / 150 > 0.15


def test_slices_of_clustered_items_are_tested_on_redrawn_clusters() -> None:
    result = cf.Evaluation.from_scores(drawn(items=60, width=6, spread=0.3))
    found = cf.slices(result, {"half": ["first"] * 30 + ["second"] * 30})
    assert any("clusters of items resampled as wholes" in remark for remark in found.result.remarks)
    rows = [row for row in drawn(items=60, width=6, spread=0.3) if int(row["item"][1:]) < 30]
    alone = cf.intervals(cf.Evaluation.from_scores(rows))["A", "score"]
    half = found["A", "score", "half", "first"]
    assert (half.score, half.low, half.high) == (alone.score, alone.low, alone.high)


# ── repeats ───────────────────────────────────────────────────────────────────────────────────


def test_the_share_of_repeats_in_the_variance_is_their_noise_over_the_whole() -> None:
    rows = without(drawn(items=200, repeats=4), "cluster")
    interval = cf.intervals(cf.Evaluation.from_scores(rows))["A", "score"]
    frame = pandas.DataFrame([row for row in rows if row["run"] == "A"])
    groups = frame.groupby("item").score
    noise = (groups.var() / groups.count()).sum() / 200**2
    whole = groups.mean().var() / 200
    assert interval.error**2 == pytest.approx(whole)
    assert interval.from_repeats == pytest.approx(noise / whole)
    assert interval.from_repeats == pytest.approx(0.04 / 4 / (0.01 + 0.04 / 4), abs=0.12)


def test_repeats_narrow_intervals_but_never_count_as_items() -> None:
    often = cf.Evaluation.from_scores(without(drawn(repeats=10), "cluster"))
    assert often.score("A", "score").units == 40
    copied = [row | {"repeat": copy} for row in drawn() for copy in range(5)]
    once, again = (cf.Evaluation.from_scores(without(r, "cluster")) for r in (drawn(), copied))
    assert cf.intervals(again)["A", "score"].error == pytest.approx(
        cf.intervals(once)["A", "score"].error
    )


# ── measures from elsewhere ───────────────────────────────────────────────────────────────────


def test_measures_of_a_table_are_told_apart_and_lower_may_be_better() -> None:
    rows = [
        {"run": run, "item": item, "measure": measure, "score": score}
        for run, scores in {"A": (1, 8.0), "B": (0, 2.0)}.items()
        for item in "xyz"
        for measure, score in zip(("acc", "seconds"), scores, strict=True)
    ]
    result = cf.Evaluation.from_scores(rows, better={"seconds": "lower"})
    assert list(map(str, result.measures)) == ["acc", "seconds(better=lower)"]
    assert result["A", "seconds"] == result["A", "seconds(better=lower)"] == 8.0
    assert result.standings.order(result.measures[1]) == ("B", "A")
    assert result.measures[0].traits.range == (0.0, 1.0)
    assert result.measures[1].traits.range == (-math.inf, math.inf)


def test_items_that_a_run_lacks_are_refused_or_count_as_the_worst_score() -> None:
    rows = [{"run": "A", "item": i, "score": 1} for i in "xy"]
    rows += [{"run": "B", "item": "x", "score": 1}]
    with pytest.raises(cf.InputError, match=r"(?s)'B'.*'y'.*absent"):
        cf.Evaluation.from_scores(rows)
    assert cf.Evaluation.from_scores(rows, missing="absent")["B", "score"] == 0.5
    seconds = [row | {"score": 5.0} for row in rows]
    with pytest.raises(cf.InputError, match=r"worst.*score\(high=…\)"):
        cf.Evaluation.from_scores(seconds, better="lower", missing="absent")


def test_a_measure_that_no_run_has_of_an_item_skips_it_for_all() -> None:
    rows = [
        {"run": run, "item": item, "measure": measure, "score": 0.5}
        for run in "AB"
        for item, measure in (("x", "acc"), ("y", "acc"), ("y", "bleu"))
    ]
    result = cf.Evaluation.from_scores(rows)
    assert (result.score("A", "bleu").units, result.score("A", "bleu").skipped) == (1, 1)


def test_what_needs_a_truth_says_so() -> None:
    result = cf.Evaluation.from_scores(drawn())
    with pytest.raises(cf.InputError, match="come from elsewhere"):
        result.explain("A", "score", "q1")


def test_a_report_shows_items_and_no_concepts() -> None:
    page = cf.Report(cf.Evaluation.from_scores(drawn(width=4))).html
    assert "Which items are hard?" in page
    assert "concept" not in page.partition("How to cite")[2]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"score": math.nan}, r"row 3: the score is nothing; give a number"),
        ({"score": "good"}, r"row 3: the score is 'good'; give a number"),
        ({"score": math.inf}, r"row 3: the score is inf"),
        ({"run": None}, r"row 3: there is no run; name it"),
        ({"cluster": ""}, r"row 3: there is no cluster; name it, or leave out the column"),
        ({"item": "q1"}, r"row 3: item 'q1' of run 'A' has a score in the same repeat on row 2"),
        ({"run": "B", "item": "q0"}, r"row 41: item 'q0' of run 'B' .* on row 3 already"),
        ({"item": "q0", "repeat": 1}, r"row 3: item 'q0' is of cluster 'd2' here and of 'd0'"),
    ],
)
def test_a_row_that_is_wrong_is_named_with_what_to_do(change: dict[str, Any], message: str) -> None:
    rows = drawn(width=1)
    rows[2] |= change
    if change.get("run") == "B":
        rows[2]["cluster"] = "d0"
    with pytest.raises(cf.InputError, match=message):
        cf.Evaluation.from_scores(rows)


def test_tables_without_their_columns_or_rows_are_refused() -> None:
    with pytest.raises(cf.InputError, match=r"no column run and no column item.*'model'"):
        cf.Evaluation.from_scores({"model": ["A"], "score": [1]})
    with pytest.raises(cf.InputError, match="no score in the table"):
        cf.Evaluation.from_scores({"run": [], "item": [], "score": []})
    with pytest.raises(cf.InputError, match=r"cf\.read_scores"):
        cf.Evaluation.from_scores("scores.csv")
    with pytest.raises(cf.InputError, match="number them in a column repeat"):
        cf.Evaluation.from_scores({"run": "AA", "item": "xx", "score": [1, 0]})
