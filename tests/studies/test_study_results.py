"""Results of studies as rows, frames, JSON and files: the same things in every form."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from small_campaign import systems, world

import cranfield as cf
from cranfield import studies
from cranfield.core.result import Analysis

MEASURES = ["concept.AP", "example.RP", "example.F"]
DECISIONS = ["concept.F", "example.F"]


def of(study: Callable[..., Analysis], *arguments: Any, **options: Any) -> Analysis:
    return study(world(60).truth, systems(4, 60), *arguments, **options)


STUDIES: dict[str, Callable[[], Analysis]] = {
    "power": lambda: of(studies.power, MEASURES, samples=100, draws=20),
    "stability": lambda: of(studies.stability, MEASURES, levels=[0.1, 0.2], repeats=2),
    "correlate": lambda: of(studies.correlate, MEASURES),
    "collection_study": lambda: of(studies.collection_study, MEASURES),
    "random_guessing": lambda: of(studies.random_guessing, MEASURES),
    "label_density": lambda: of(studies.label_density, DECISIONS),
    "threshold_effect": lambda: of(studies.threshold_effect),
    "compare_cycles": lambda: studies.compare_cycles(
        studies.Cycle(world(60).truth, systems(4, 60)[:2]),
        studies.Cycle(world(60).truth, systems(4, 60)[2:]),
        MEASURES,
        samples=100,
    ),
}
ROWS = {
    "power": 3,
    "stability": 2 * 3 * 2,
    "correlate": 3,
    "collection_study": 3,
    "random_guessing": 3,
    "label_density": 4 + 11 + 1,
    "threshold_effect": 4,
    "compare_cycles": 4 * 3,
}
"""Measures; references by measures and levels; pairs; all runs; systems; stands by measures."""


@pytest.fixture(scope="module", params=STUDIES)
def study(request: pytest.FixtureRequest) -> tuple[str, Analysis]:
    return request.param, STUDIES[request.param]()


def test_a_frame_has_a_row_for_each_record(study: tuple[str, Analysis]) -> None:
    name, found = study
    assert found.frame.height == ROWS[name]
    assert found.frame.fill_nan(None).to_dicts() == found.rows()


def test_json_is_everything_and_strict(study: tuple[str, Analysis]) -> None:
    _, found = study

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    assert json.loads(found.to_json(), parse_constant=refuse) == json.loads(
        json.dumps(found.to_dict())
    )
    assert found.to_json(indent=2).startswith('{\n  "')


def test_every_table_of_a_collection_has_rows() -> None:
    found = of(studies.collection_study, MEASURES)
    assert isinstance(found, studies.CollectionStudy)
    assert found.rows("concepts")[0]["concept"] in world(60).truth.concepts
    with pytest.raises(cf.InputError, match="choose measures, groups"):
        found.rows("letters")


def test_measures_need_not_be_named_and_what_is_left_out_is_said() -> None:
    truth, runs = world(60).truth, systems(4, 60)
    logits = [
        cf.Run(5 * run.ranking - 2, name=run.name, items=truth.items, concepts=truth.concepts)
        for run in runs
    ]
    result = studies.power(truth, logits, samples=100, draws=10)
    assert not any(p.measure.traits.prediction == "decisions" for p in result.measures)
    assert "measures of decisions are left out" in result.warnings[0]
    named = studies.power(truth, logits, ["concept.AP"], samples=100, draws=10)
    assert named.warnings == ()


def test_charts_hold_every_run_measure_and_pair() -> None:
    charts = of(studies.correlate, MEASURES, draw=["items"]).full_result.charts
    (dots,) = charts
    assert {row["run"] for row in dots.rows} == {run.name for run in systems(4, 60)}
    assert sum(row["items"] for row in dots.rows) <= 4 * 60
    p_values, swaps = of(studies.power, MEASURES, samples=100, draws=20).full_result.charts
    assert {row["measure"] for row in p_values.rows} == set(MEASURES)
    assert {row["measure"] for row in swaps.rows} == set(MEASURES)
    (ranks,) = of(studies.threshold_effect).full_result.charts
    assert len(ranks.rows) == 4 * 4


def test_items_are_only_drawn_where_they_are_ranked() -> None:
    with pytest.raises(cf.InputError, match="two example-based measures"):
        of(studies.correlate, ["concept.AP", "example.F"], draw=["items"])


def test_a_table_without_rows_is_refused() -> None:
    with pytest.raises(cf.InputError, match="no measure by item"):
        of(studies.collection_study, ["concept.AP"], table="items")
    by_item = of(studies.collection_study, ["example.F"])
    assert by_item.result.tables_for("programs")[0].name == "items"


def test_audits_of_several_measures_hold_their_cards() -> None:
    result = studies.audits(["example.F", "example.hamming"], cells=2, drawn=0, cards=True)
    assert result["example.hamming"].is_metric
    assert len(result.rows()) == 2 * len(result["example.F"].findings)
