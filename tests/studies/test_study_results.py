"""Results of studies as rows, frames, JSON and files: the same things in every form."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_campaign import systems, world

import cranfield as cf
from cranfield import studies
from cranfield.core.result import Analysis, load
from cranfield.show import FORMS, rendered
from cranfield.show.vega import page_of

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


def test_a_saved_study_is_shown_as_the_one_that_was_saved(
    study: tuple[str, Analysis], tmp_path: Path
) -> None:
    _, found = study
    found.save(tmp_path / "study.json")
    again = load(tmp_path / "study.json")
    for form in FORMS.values():
        assert rendered(again, form) == rendered(found.full_result, form), form
    assert page_of(again.charts) == page_of(found.full_result.charts)


def test_every_table_of_a_collection_has_rows() -> None:
    found = of(studies.collection_study, MEASURES)
    assert isinstance(found, studies.CollectionStudy)
    assert found.rows("concepts")[0]["concept"] in world(60).truth.concepts
    with pytest.raises(cf.InputError, match="choose measures, groups"):
        found.rows("letters")
