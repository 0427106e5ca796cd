"""Whatever a file of an ontology holds, it is read or refused; `tests/fuzz.py` tries for long."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fuzz import ONTOLOGIES, PIECES, attempt_ontology, broken_ontology

many = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize("name", ONTOLOGIES)
@many
@given(content=st.binary(max_size=200) | st.lists(st.sampled_from(PIECES)).map(b"".join))
def test_any_bytes_are_an_ontology_or_refused(name: str, content: bytes, tmp_path: Path) -> None:
    attempt_ontology(tmp_path / name, content)


@pytest.mark.parametrize("seed", range(8))
def test_any_damage_to_an_ontology_is_read_or_refused(seed: int, tmp_path: Path) -> None:
    for number in range(100):
        name, content = broken_ontology(random.Random(f"{seed} {number}"))
        attempt_ontology(tmp_path / name, content)
