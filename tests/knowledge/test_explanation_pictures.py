"""What pictures of explanations show: labels, matches, costs, and broken rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fragment import CONCEPTS, FRAGMENT, RUN, TRUTH

import cranfield as cf
from cranfield.show.vega import page_of, write_charts


def drawn(*measures: str, run: cf.Run = RUN, names: dict[str, str] | None = None) -> dict[str, Any]:
    result = cf.evaluate(TRUTH, run, measures, ontology=FRAGMENT)
    return page_of(result.explanations(["photo"], names).full_result.charts)


def values(part: dict[str, Any], mark: str) -> list[dict[str, Any]]:
    return [
        record
        for layer in part["layer"]
        if layer["mark"]["type"] == mark
        for record in layer["data"]["values"]
    ]


def words(part: dict[str, Any]) -> list[str]:
    return [record["words"] for record in values(part, "text") if record["words"]]


def test_every_label_is_drawn_once_on_each_side_that_has_it() -> None:
    (part,) = drawn("OS")["vconcat"]
    shown = [(record["side"], record["says"]) for record in values(part, "point")]
    assert sorted(shown) == sorted(
        [("true", name) for name in ("plants", "water", "sky", "mountains", "single", "portrait")]
        + [("assigned", name) for name in ("trees", "clouds", "mountains", "portrait")]
    )


def test_matches_are_lines_with_their_cost_beside_the_label() -> None:
    (part,) = drawn("OS")["vconcat"]
    lines = {(record["kind"], record["says"]) for record in values(part, "line")}
    assert lines == {
        ("right", "mountains"),
        ("missed", "plants, trees: 0.0714"),
        ("missed", "water, mountains: 0.2857"),
        ("missed", "sky, clouds: 0.0714"),
        ("missed", "single, mountains: 0.9286"),
    }
    assert {"0.2857", "0.9286"} <= set(words(part))


def test_broken_rules_stand_beside_the_labels_that_break_them() -> None:
    (part,) = drawn("OS")["vconcat"]
    assert "1: portrait needs Persons" in words(part)
    kinds = {(r["side"], r["says"]): r["kind"] for r in values(part, "point")}
    assert kinds["assigned", "portrait"] == "breaks a rule"
    assert kinds["true", "portrait"] == "right"


def test_the_arithmetic_stands_below_the_title() -> None:
    (part,) = drawn("HS")["vconcat"]
    assert part["title"]["text"] == "photo: HS of system = 0.8125"
    assert part["title"]["subtitle"][-1] == "score = 1 − 1.5 / 8 = 0.8125"


def test_readable_names_are_shown() -> None:
    (part,) = drawn("HS", names={"sky": "The blue sky"})["vconcat"]
    assert "The blue sky" in words(part)
    assert "sky" not in words(part)


def test_no_two_labels_of_a_side_share_a_row() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        run = cf.Run(
            labels=rng.random((1, len(CONCEPTS))) < 0.5,
            items=["photo"],
            concepts=CONCEPTS,
            name="system",
        )
        spec = drawn("OS", "HS", "SRP-DDMC", "example.F", run=run)
        for part in (part for column in spec.get("hconcat", [spec]) for part in column["vconcat"]):
            places = [(record["x"], record["y"]) for record in values(part, "point")]
            assert len(set(places)) == len(places)
            assert max(y for _, y in places) < part["height"]


@pytest.mark.parametrize("extension", [".svg", ".png"])
def test_all_kinds_of_explanations_can_be_drawn(extension: str, tmp_path: Path) -> None:
    empty = cf.Run(labels=np.zeros((1, 14)), items=["photo"], concepts=CONCEPTS, name="system")
    measures = ("OS", "SRP-DDMC", "example.AP", "example.F", "concept.F")
    for run in (RUN, empty):
        explained = cf.evaluate(TRUTH, run, measures, ontology=FRAGMENT).explanations(["photo"])
        write_charts(explained.full_result.charts, tmp_path / f"picture{extension}")
