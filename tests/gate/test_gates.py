"""Gates: a run beside its baseline, and what does not compare."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import cranfield as cf
from cranfield.statistics.gating import Record, record
from cranfield.statistics.influence import item_values

RNG = np.random.default_rng(31)
LABELS = (RNG.random((150, 6)) < 0.3).astype(int)
NOISE = RNG.normal(0, 0.2, LABELS.shape)
NAMES = [f"i{n}" for n in range(150)]
MEASURES = ["concept.AP", "concept.EER", "example.F", "micro.F"]


def run(name: str, gain: float) -> cf.Run:
    scores = np.clip(0.3 + gain * LABELS + NOISE + RNG.normal(0, 0.05, LABELS.shape), 0, 1)
    return cf.Run(scores=scores, name=name, items=NAMES)


OLD, SAME, BETTER, WORSE = run("old", 0.3), run("same", 0.3), run("better", 0.4), run("worse", 0.1)


def evaluated(*runs: cf.Run, measures: Any = MEASURES, **options: Any) -> cf.Evaluation:
    return cf.evaluate(cf.Truth(LABELS, items=NAMES), runs, measures, **options)


@pytest.mark.parametrize("name", MEASURES)
def test_differences_are_paired_item_by_item(name: str) -> None:
    result = evaluated(OLD, SAME, measures=name)
    one = cf.gate(result, "old", margin=0.02)[name]
    old, new = (item_values(result.score(run, name), widened=True) for run in ("old", "same"))
    wanted = stats.t.interval(0.95, 149, (new - old).mean(), stats.sem(new - old))
    assert one.difference == pytest.approx(result["same", name] - result["old", name])
    assert (one.low, one.high) == pytest.approx(wanted)
    assert (one.units, one.resample) == (150, "items")


def test_better_runs_pass_worse_ones_fail_by_every_measure_whichever_way_it_points() -> None:
    for new, outcome in ((BETTER, "pass"), (WORSE, "fail")):
        found = cf.gate(evaluated(OLD, new), "old", margin=0.005)
        assert found.outcome == outcome
        assert [one.outcome for one in found.verdicts] == [outcome] * 4
    assert found["concept.EER"].difference > 0.005 > found["concept.AP"].difference


def test_a_run_that_equals_its_baseline_passes_whatever_the_margin() -> None:
    copy = cf.Run(scores=OLD.scores, name="copy", items=NAMES)
    assert cf.gate(evaluated(OLD, copy), "old", margin=0.0).outcome == "pass"


def test_a_gate_passes_if_all_measures_do_and_fails_if_one_does() -> None:
    result = evaluated(OLD, SAME, measures=["concept.AP", "example.F"])
    wide, narrow = cf.gate(result, "old", margin=0.5), cf.gate(result, "old", margin=1e-4)
    assert (wide.outcome, narrow.outcome) == ("pass", "undecided")
    mixed = cf.gate(result, "old", margin={"concept.AP": 1e-4, "example.F": 0.5})
    assert [one.outcome for one in mixed.verdicts] == ["undecided", "pass"]
    assert mixed.outcome == "undecided"
    assert mixed.more == mixed["concept.AP"].more > 0


def test_neither_the_order_of_items_nor_of_runs_matters() -> None:
    plain = cf.gate(evaluated(OLD, SAME), "old", margin=0.01)
    order = RNG.permutation(150)
    truth = cf.Truth(LABELS[order], items=np.array(NAMES)[order].tolist())
    turned = cf.gate(cf.evaluate(truth, [SAME, OLD], MEASURES), "old", margin=0.01)
    for one, other in zip(plain.verdicts, turned.verdicts, strict=True):
        assert (one.low, one.high) == pytest.approx((other.low, other.high))
        assert (one.outcome, one.signature) == (other.outcome, other.signature)


def test_topics_are_the_units_of_open_truths() -> None:
    from scipy.sparse import coo_array

    truth = cf.Truth(coo_array(LABELS), items=NAMES, open=True)
    result = cf.evaluate(truth, [OLD, SAME], "concept.AP")
    one = cf.gate(result, "old", margin=0.05)["concept.AP"]
    assert (one.resample, one.units) == ("concepts", 6)
    by_topic = result.units("same", "concept.AP") - result.units("old", "concept.AP")
    wanted = stats.t.interval(0.95, 5, by_topic.mean(), stats.sem(by_topic))
    assert (one.low, one.high) == pytest.approx(wanted)


# ── stored baselines ──────────────────────────────────────────────────────────────────────────


def stored(result: cf.Evaluation, run: str = "old") -> list[Record]:
    return [record(score) for score in result if score.run.name == run]


def test_a_stored_baseline_decides_as_the_run_itself(tmp_path: Path) -> None:
    both = cf.gate(evaluated(OLD, SAME), "old", margin=0.01)
    for name in ("baseline.json", "baseline.json.gz"):
        cf.formats.write_baseline(stored(evaluated(OLD)), tmp_path / name)
        again = cf.gate(evaluated(SAME), cf.formats.read_baseline(tmp_path / name), margin=0.01)
        assert again.to_json() == both.to_json()


def test_scores_by_item_of_an_evaluation_are_a_baseline(tmp_path: Path) -> None:

    path = tmp_path / "scores.json"
    path.write_text(evaluated(OLD, measures="example.F").by_unit().to_json())
    result = evaluated(SAME, measures="example.F")
    again = cf.gate(result, cf.formats.read_baseline(path), margin=0.01)
    assert (
        again.verdicts
        == cf.gate(evaluated(OLD, SAME, measures="example.F"), "old", margin=0.01).verdicts
    )


OTHER_TRUTH = cf.Truth(1 - LABELS, items=NAMES)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"measure": "concept.AP(ties=trec)"}, "ties is trec there and grouped here"),
        ({"measure": "concept.AP(unjudged=exclude)"}, "unjudged is exclude there"),
        (
            {"measure": "concept.AUC"},
            "the baseline has no score by concept.AP; measures there: 'con",
        ),
        ({"truth": OTHER_TRUTH}, "score the old run again on this truth"),
        ({"weights": np.arange(1.0, 7.0)}, "weights is "),
        ({"resample": "concepts"}, "it holds numbers of concepts, and here items are compared"),
    ],
)
def test_what_was_made_otherwise_is_refused_and_the_difference_named(
    change: dict[str, Any], what: str
) -> None:
    options = {"weights": change["weights"]} if "weights" in change else {}
    truth = change.get("truth", cf.Truth(LABELS, items=NAMES))
    before = cf.evaluate(truth, OLD, change.get("measure", "concept.AP"), **options)
    old = [record(before.scores[0], change.get("resample", "auto"))]
    with pytest.raises(cf.InputError) as raised:
        cf.gate(evaluated(SAME, measures="concept.AP"), old, margin=0.01)
    assert what in str(raised.value)


def test_another_version_is_refused() -> None:
    old = stored(evaluated(OLD, measures="concept.AP"))[0]
    aged = replace(old, signature=old.signature.replace("|cranfield=", "|cranfield=0.0."))
    with pytest.raises(cf.InputError, match=r"cranfield is 0\.0\.\S+ there and .* this version"):
        cf.gate(evaluated(SAME, measures="concept.AP"), [aged], margin=0.01)


def test_how_a_run_came_to_its_decisions_is_its_own_affair() -> None:
    other = cf.Run(scores=SAME.scores, name="same", items=NAMES, threshold=0.45)
    found = cf.gate(evaluated(other, measures="example.F"), stored(evaluated(OLD)), margin=0.5)
    assert found.outcome == "pass"


def test_units_that_only_one_of_them_has_are_named() -> None:
    old = stored(evaluated(OLD, measures="example.F"))[0]
    less = replace(old, values={name: v for name, v in old.values.items() if name != "i7"})
    with pytest.raises(cf.InputError, match=r"only one of them has a score of 1 item: 'i7'"):
        cf.gate(evaluated(SAME, measures="example.F"), [less], margin=0.01)


def test_a_baseline_of_several_runs_is_refused_whichever_measure_each_has() -> None:
    mixed = [
        *stored(evaluated(OLD, measures="concept.AP")),
        *stored(evaluated(BETTER, measures="example.F"), "better"),
    ]
    result = evaluated(SAME, measures=["concept.AP", "example.F"])
    with pytest.raises(cf.InputError, match=r"holds several runs: 'old', 'better'; store one"):
        cf.gate(result, mixed, margin=0.01)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda row: {"signature": "rubbish"}, "has no signature that can be read: 'rubbish'"),
        (lambda row: {"signature": row["signature"].partition("|truth=")[0]}, "has no signature"),
        (
            lambda row: {"signature": re.sub(r"truth=(\w)\w*", r"truth=\1", row["signature"])},
            "has no signature that can be read",
        ),
        (lambda row: {"measure": "concept.ZZ"}, "is called concept.ZZ, and its signature says"),
    ],
)
def test_a_stored_score_that_contradicts_its_signature_is_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], dict[str, Any]], what: str
) -> None:
    row = stored(evaluated(OLD, measures="concept.AP"))[0].row()
    path = tmp_path / "baseline.json"
    path.write_text(json.dumps({"baseline": [row | change(row)]}))
    with pytest.raises(cf.FileError, match=r"baseline\.json") as raised:
        cf.formats.read_baseline(path)
    assert what in str(raised.value)


def test_a_short_hash_of_the_truth_is_enough() -> None:
    old = stored(evaluated(OLD, measures="concept.AP"))[0]
    short = replace(old, signature=re.sub(r"truth=(\w{8})\w*", r"truth=\1", old.signature))
    result = evaluated(SAME, measures="concept.AP")
    found = [cf.gate(result, [one], margin=0.01).outcome for one in (old, short)]
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("{", "this is no JSON"),
        ("[]", "holds no scores; write it with cranfield gate --write-baseline"),
        ('{"scores": []}', "holds no scores"),
        ('{"baseline": [{"measure": "concept.AP"}]}', "the score 'concept.AP' cannot be read"),
        ('{"baseline": [3]}', "the score 'no object' cannot be read"),
        ('{"scores": [{"measure": "micro.F", "by_unit": {}}]}', "micro.F comes without numbers"),
        ('{"scores": [{"measure": "nobody.knows"}]}', "nobody.knows"),
    ],
)
def test_broken_baselines_are_refused(tmp_path: Path, content: str, what: str) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(content)
    with pytest.raises(cf.FileError, match=r"baseline\.json") as raised:
        cf.formats.read_baseline(path)
    assert what in str(raised.value)


def test_scores_that_are_no_mean_of_their_units_are_refused(tmp_path: Path) -> None:
    row = stored(evaluated(OLD, measures="example.F"))[0].row() | {"score": 0.9}
    path = tmp_path / "baseline.json"
    path.write_text(json.dumps({"baseline": [row]}))
    with pytest.raises(cf.FileError, match=r"the score 0\.9 is not the mean of its items"):
        cf.formats.read_baseline(path)


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"margin": -1.0}, "-1 is no margin; a number from 0 up is"),
        ({"margin": float("nan")}, "nan is no margin"),
        ({"margin": {"example.F": 0.1}}, "there is no margin for concept.AP"),
        ({"margin": 0.1, "level": 1.0}, "1 is not between 0 and 1; give level="),
        ({"margin": 0.1, "run": "nobody"}, "run='nobody'; give run= one of 'same', 'better'"),
        ({"margin": 0.1, "run": None}, "2 runs beside the baseline; give run="),
    ],
)
def test_what_cannot_be_decided_is_said(options: dict[str, Any], what: str) -> None:
    result = evaluated(OLD, SAME, BETTER, measures="concept.AP")
    with pytest.raises(cf.InputError) as raised:
        cf.gate(result, "old", **{"run": "same", **options})
    assert what in str(raised.value)


def test_measures_that_call_nobody_better_are_refused() -> None:
    with pytest.raises(cf.MeasureError, match="leave it out"):
        cf.gate(evaluated(OLD, SAME, measures="concept.generality"), "old", margin=0.1)


def test_a_gate_says_in_one_sentence_what_it_means() -> None:
    passed = cf.gate(evaluated(OLD, BETTER, measures="concept.AP"), "old", margin=0.005)
    assert passed.meaning.startswith("pass: better may replace old: it gains at least 0.")
    failed = cf.gate(evaluated(OLD, WORSE, measures="concept.EER"), "old", margin=0.005)
    least = failed["concept.EER"].low
    assert failed.meaning == (
        f"fail: worse should not replace old: it loses at least {least:.4f} by concept.EER, and "
        "only 0.005 is allowed"
    )
    open_ = cf.gate(evaluated(OLD, SAME, measures="concept.AP"), "old", margin=1e-4)
    verdict = open_["concept.AP"]
    expected = "fail" if verdict.difference < -1e-4 else "pass"
    assert verdict.tends == expected
    assert open_.meaning.startswith(
        "undecided: 150 items cannot tell whether same loses more against old than 0.0001 by "
        f"concept.AP; with about {open_.more:,} more items it would probably {expected}"
    )
    assert json.loads(open_.to_json())["meaning"] == open_.meaning
    assert open_.meaning in open_.to_junit()
    assert open_.result.remarks[0] == open_.meaning
