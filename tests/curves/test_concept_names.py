"""Names of concepts that are not there."""

from __future__ import annotations

from cranfield.errors import no_such_concept


def test_a_concept_in_another_case_is_suggested() -> None:
    assert (
        no_such_concept(["sky"], ["Sea", "Sky"]) == "there is no concept 'sky'; did you mean 'Sky'?"
    )


def test_concepts_are_listed_where_none_is_spelled_alike() -> None:
    assert no_such_concept(["dog"], ["Sea", "Sky"]).endswith("concepts: 'Sea', 'Sky'")
