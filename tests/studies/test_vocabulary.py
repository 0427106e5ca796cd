"""Vocabularies: frequencies, exclusive groups, and the cardinality one wishes for."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield import FileError, InputError
from cranfield.studies.vocabulary import (
    Vocabulary,
    draw_vocabulary,
    photo_concepts,
    read_vocabulary,
)


def test_the_photo_concepts_are_53_with_about_nine_labels_a_photo() -> None:
    words = photo_concepts()
    assert len(words) == len(set(words.names)) == 53
    assert words.names[0] == "Partylife"
    assert words.names[-1] == "Fancy"
    assert words.cardinality == pytest.approx(9, abs=0.5)


def test_the_photo_concepts_have_the_exclusive_groups_of_the_ontology() -> None:
    sizes = {group: len(members) for group, members in photo_concepts().members().items()}
    assert sizes == {
        "Seasons": 5,
        "Place": 3,
        "TimeOfDay": 3,
        "Illumination": 3,
        "Blurring": 4,
        "Persons": 4,
    }


@pytest.mark.parametrize("wished", [6.5, 9, 20])
def test_cardinality_is_as_wished_and_groups_stay_whole(wished: float) -> None:
    words = photo_concepts().with_cardinality(wished)
    assert words.cardinality == pytest.approx(wished, abs=1e-6)
    for members in words.members().values():
        assert sum(words.frequencies[place] for place in members) == pytest.approx(1)


@pytest.mark.parametrize("wished", [6, 60])
def test_a_cardinality_out_of_reach_is_refused(wished: float) -> None:
    with pytest.raises(InputError, match="cannot be reached"):
        photo_concepts().with_cardinality(wished)


def test_drawn_vocabularies_depend_on_the_seed_alone() -> None:
    first = draw_vocabulary(40, cardinality=5, seed=1)
    assert first == draw_vocabulary(40, cardinality=5, seed=1)
    assert first != draw_vocabulary(40, cardinality=5, seed=2)
    assert first.cardinality == pytest.approx(5, abs=1e-6)
    assert max(first.frequencies) > 3 * min(first.frequencies)


def test_a_group_must_add_up_to_one() -> None:
    with pytest.raises(InputError, match=r"'Place' add up to 0\.9"):
        Vocabulary(("In", "Out"), (0.4, 0.5), ("Place", "Place"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("name,frequency\na,0.5\n", ":1: needs the header"),
        ("concept,frequency\na,0.5\nb,often\n", ":3: frequency 'often' is not a number"),
        ("concept,frequency\na,0.5\na,0.5\n", "'a' stands twice"),
        ("concept,frequency\na,1.5\n", "give one in"),
        ("concept,frequency\n", "lists no concepts"),
        ("", "needs the header"),
    ],
)
def test_bad_files_are_refused_with_file_and_reason(
    tmp_path: Path, text: str, complaint: str
) -> None:
    path = tmp_path / "concepts.csv"
    path.write_text(text)
    with pytest.raises(FileError, match=complaint) as caught:
        read_vocabulary(path)
    assert str(path) in str(caught.value)


def test_a_file_that_is_not_there_is_a_file_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read"):
        read_vocabulary(tmp_path / "nowhere.csv")
