"""The study of incomplete truths says what the documentation says."""

from __future__ import annotations

from pathlib import Path

from cranfield.studies.incomplete import SAMPLINGS, closing_study, closing_table, study, table

PAGE = Path(__file__).parents[2] / "docs" / "incomplete-truths.md"


def test_values_and_bounds_on_the_page_are_those_of_the_study() -> None:
    """Neither depends on how many samples are drawn, so two are enough to tell."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    for sampling in SAMPLINGS:
        shown = lines[lines.index(f"**{sampling.name}**") + 2 :]
        for line, printed in zip(
            table(study(sampling, items=300, samples=2, draws=20)), shown, strict=False
        ):
            ours, theirs = line.split(" | "), printed.split(" | ")
            assert (ours[:2], ours[-1]) == (theirs[:2], theirs[-1])


def test_estimates_are_nearer_than_counting_unjudged_cells_as_negative() -> None:
    records = study(SAMPLINGS[1], items=100, samples=5, draws=40)
    for name in ("micro.P", "example.P", "example.F", "example.hamming"):
        record = records[name]
        assert abs(sum(record.estimated)) < abs(sum(record.negative)) / 2


def test_closing_narrows_bounds_and_spoils_estimates_of_precision() -> None:
    found = closing_study(0.5, items=100, samples=5)
    assert all(one.span_closed < one.span for one in found.values())
    assert found["micro.P"].closed < found["micro.P"].as_judged - 0.02
    assert len(list(closing_table(found))) == len(found) + 2
