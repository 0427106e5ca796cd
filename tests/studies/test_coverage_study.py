"""Coverage of intervals: about what they promise, where enough items of each concept are there."""

from __future__ import annotations

import pytest

from cranfield.studies.coverage import coverage, main
from cranfield.studies.vocabulary import draw_vocabulary


def test_intervals_hold_the_score_of_all_items_about_as_often_as_they_say() -> None:
    words = draw_vocabulary(4, cardinality=1.6, seed=3)
    rows = coverage(samples=150, items=200, vocabulary=words, measures=["concept.AUC", "example.F"])
    assert [row.measure for row in rows] == ["concept.AUC", "example.F"]
    for row in rows:
        assert 0.88 <= row.held <= 0.99
        assert row.error == pytest.approx(row.spread, rel=0.15)
        assert row.held + row.below <= 1.0


def test_the_study_prints_a_line_for_each_measure(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--samples", "3", "--items", "40", "--measures", "OS,concept.F", "--least", "0.1"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "3 samples of 40 items"
    assert [line.split()[0] for line in lines[2:]] == ["OS", "concept.F"]
