"""Whatever bytes come in, only errors meant for users come out; `tests/fuzz.py` tries for long."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fuzz import (
    CONFUSIONS,
    JUDGEMENTS,
    MAPS,
    NAMES,
    PIECES,
    SCORE_NAMES,
    SCORES,
    VOTES,
    attempt,
    attempt_confusion,
    attempt_folder,
    attempt_judgements,
    attempt_scores,
    attempt_votes,
    broken_file,
    broken_folder,
)

many = settings(
    max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)


@many
@given(content=st.binary(max_size=300), name=st.sampled_from(NAMES))
def test_any_bytes_are_read_or_refused(content: bytes, name: str, tmp_path: Path) -> None:
    attempt(tmp_path / name, content)


@many
@given(content=st.lists(st.sampled_from(PIECES), max_size=60), name=st.sampled_from(NAMES))
def test_any_mixture_of_likely_pieces_is_read_or_refused(
    content: list[bytes], name: str, tmp_path: Path
) -> None:
    attempt(tmp_path / name, b"".join(content))


@pytest.mark.parametrize("seed", range(10))
def test_any_damage_to_a_good_file_is_read_or_refused(seed: int, tmp_path: Path) -> None:
    for number in range(100):
        draw = random.Random(f"{seed} {number}")
        attempt(tmp_path / draw.choice(NAMES), broken_file(draw))


@pytest.mark.parametrize("seed", range(5))
def test_any_damage_to_a_map_is_read_or_refused(seed: int, tmp_path: Path) -> None:
    for number in range(40):
        draw = random.Random(f"{seed} {number}")
        attempt(tmp_path / draw.choice(NAMES), broken_file(draw, MAPS))


@pytest.mark.parametrize("seed", range(5))
def test_any_damage_to_a_folder_is_read_or_refused(seed: int, tmp_path: Path) -> None:
    for number in range(50):
        attempt_folder(tmp_path / str(number), broken_folder(random.Random(f"{seed} {number}")))


@pytest.mark.parametrize("seed", range(5))
def test_any_damage_to_a_confusion_matrix_is_read_or_refused(seed: int, tmp_path: Path) -> None:
    for number in range(60):
        draw = random.Random(f"{seed} {number}")
        attempt_confusion(tmp_path / draw.choice(NAMES), broken_file(draw, CONFUSIONS))


@pytest.mark.parametrize("seed", range(3))
def test_any_damage_to_votes_is_read_or_refused(seed: int, tmp_path: Path) -> None:
    for number in range(40):
        draw = random.Random(f"{seed} {number}")
        attempt_votes(tmp_path / draw.choice(NAMES), broken_file(draw, VOTES))


@pytest.mark.parametrize("seed", range(3))
def test_any_damage_to_scores_is_read_or_refused(seed: int, tmp_path: Path) -> None:
    for number in range(60):
        draw = random.Random(f"{seed} {number}")
        attempt_scores(tmp_path / draw.choice(SCORE_NAMES), broken_file(draw, SCORES))
        attempt_judgements(tmp_path / draw.choice(SCORE_NAMES), broken_file(draw, JUDGEMENTS))
