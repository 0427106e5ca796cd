"""What studies found, as rows, frames and JSON: the same things in every form."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from small_campaign import systems, world

import cranfield as cf
from cranfield.studies.records import Records

MEASURES = ["concept.AP", "example.RP", "example.F"]
DECISIONS = ["concept.F", "example.F"]


def of(study: Callable[..., Records], *arguments: Any, **options: Any) -> Records:
    return study(world(60).truth, systems(4, 60), *arguments, **options)


STUDIES: dict[str, Callable[[], Records]] = {
    "power": lambda: of(cf.power, MEASURES, samples=100, draws=20),
    "stability": lambda: of(cf.stability, MEASURES, levels=[0.1, 0.2], repeats=2),
    "correlate": lambda: of(cf.correlate, MEASURES),
    "collection_study": lambda: of(cf.collection_study, MEASURES),
    "random_guessing": lambda: of(cf.random_guessing, MEASURES),
    "label_density": lambda: of(cf.label_density, DECISIONS),
    "threshold_effect": lambda: of(cf.threshold_effect),
    "compare_cycles": lambda: cf.compare_cycles(
        cf.Cycle(world(60).truth, systems(4, 60)[:2]),
        cf.Cycle(world(60).truth, systems(4, 60)[2:]),
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
def study(request: pytest.FixtureRequest) -> tuple[str, Records]:
    return request.param, STUDIES[request.param]()


def test_a_frame_has_a_row_for_each_record(study: tuple[str, Records]) -> None:
    name, found = study
    assert found.frame.height == ROWS[name]
    assert found.frame.to_dicts() == found.rows()


def test_json_is_everything_and_strict(study: tuple[str, Records]) -> None:
    _, found = study

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    assert json.loads(found.to_json(), parse_constant=refuse) == json.loads(
        json.dumps(found.to_dict())
    )
    assert found.to_json(indent=2).startswith('{\n  "')


def test_every_table_of_a_collection_has_rows() -> None:
    found = of(cf.collection_study, MEASURES)
    assert isinstance(found, cf.CollectionStudy)
    assert found.rows("concepts")[0]["concept"] in world(60).truth.concepts
    with pytest.raises(cf.InputError, match="choose measures, groups"):
        found.rows("letters")
