"""A map that somebody computed before is a source like any other."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield as cf
from cranfield.knowledge.relatedness import Embeddings, GivenMap

VALUES = [[9.0, 0.5, 0.2], [0.4, 9.0, 0.1], [0.2, 0.1, 9.0]]
GIVEN = cf.RelatednessMap(
    VALUES,
    ["Sky", "Sea_Side", "cat"],
    name="FTS",
    provenance=cf.knowledge.Provenance("by hand", "2011-03-01"),
)


def test_concepts_are_found_by_their_ids_in_any_case_and_with_blanks() -> None:
    source = GivenMap(GIVEN)
    assert source.name == "FTS"
    assert source.relatedness("sky", "sea side") == 0.5
    assert source.relatedness("sea side", "sky") == 0.4
    assert source.covers("CAT")
    assert not source.covers("dog")
    assert np.isnan(source.relatedness("dog", "cat"))


def test_a_part_of_a_map_is_a_map_of_the_same_origin() -> None:
    related = GivenMap(GIVEN).matrix(["cat", "Sky", "dog"])
    np.testing.assert_array_equal(related.map.values, [[9, 0.2, 0], [0.2, 9, 0], [0, 0, 0]])
    assert related.map.provenance == GIVEN.provenance
    assert str(related.coverage) == "2 of 3 concepts known, not 'dog'"


@pytest.mark.parametrize(
    ("value", "normalisation"), [(0.5, "none"), (1.0, "none"), (7.0, "max"), (-0.5, "minmax")]
)
def test_its_scale_is_what_it_holds_off_the_diagonal(value: float, normalisation: str) -> None:
    source = GivenMap(cf.RelatednessMap([[9.0, value], [value, 9.0]], ["a", "b"]))
    assert source.normalisation == normalisation


def test_what_is_not_known_is_the_least_related_even_below_zero() -> None:
    class Vectors:
        name = "vectors"
        origin = "vectors"

        def find(self, words: object) -> dict[str, np.ndarray]:
            return {"up": np.array([0.0, 1.0]), "down": np.array([0.1, -1.0])}

    related = Embeddings(Vectors()).matrix(["up", "down", "else"]).map
    assert related["up", "else"] == related["up", "down"] < -0.9
