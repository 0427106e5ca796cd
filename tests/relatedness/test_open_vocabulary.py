"""Free tags become concepts, or are scored by how closely they are related to them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import cranfield as cf
from cranfield.core.matrices import Floats
from cranfield.knowledge import Ontology, Provenance
from cranfield.knowledge.open_vocabulary import (
    MOST_OUTSIDE,
    Match,
    Step,
    effects,
    map_tags,
    opened,
    truth_with,
)
from cranfield.knowledge.relatedness import Source

CONCEPTS = ("Dog", "Sea_Side", "Sky")
NEAR = {("puppy", "dog"): 0.8, ("wave", "sea side"): 0.6, ("wave", "sky"): 0.6, ("car", "sky"): 0.1}


class Said(Source):
    name = "said"

    def covers(self, word: str) -> bool:
        return any(word.lower() in pair for pair in NEAR)

    def relatedness(self, one: str, other: str) -> float:
        one, other = one.lower(), other.lower()
        if not (self.covers(one) and self.covers(other)):
            return float("nan")
        return 1.0 if one == other else max(NEAR.get(p, 0.0) for p in ((one, other), (other, one)))

    @property
    def provenance(self) -> Provenance:
        return Provenance("a test")


def mapped(*tags: str, threshold: float = 0.5) -> dict[str, Match]:
    found = map_tags(tags, CONCEPTS, synonyms={"Dog": ("hound",)}, steps=[Step(Said(), threshold)])
    return {match.tag: match for match in found.matches}


def test_spelling_goes_before_synonyms_and_these_before_sources() -> None:
    found = mapped("sea-side", "DOG", "Hound", "puppy", "car")
    assert found["sea-side"] == Match("sea-side", "Sea_Side", "exact")
    assert found["DOG"].concept == "Dog"
    assert found["Hound"] == Match("Hound", "Dog", "synonym")
    assert found["puppy"] == Match("puppy", "Dog", "said", 0.8)
    assert found["car"] == Match("car", None, "", 0.0)


def test_a_source_maps_what_is_close_enough_and_ties_go_to_the_first_concept() -> None:
    found = map_tags(["puppy", "wave", "car"], CONCEPTS, steps=[Step(Said(), 0.5)])
    assert [match.concept for match in found.matches] == ["Dog", "Sea_Side", None]
    assert found.counts() == {"exact": 0, "said": 2}
    assert found.outside == ("car",)


RUN = cf.Run(
    scores=[[0.9, 0.2, 0.0, 0.7], [0.1, 0.6, 0.8, 0.0]],
    items=["a", "b"],
    concepts=["puppy", "dog", "wave", "car"],
    name="free",
)
TAGS = map_tags(RUN.concepts, CONCEPTS, steps=[Step(Said(), 0.5)])
TRUTH = cf.Truth([[1, 0, 0], [1, 1, 0]], items=["a", "b"], concepts=CONCEPTS)


def test_of_several_tags_for_one_concept_the_highest_score_counts() -> None:
    run = TAGS.apply(RUN)
    assert run.concepts == CONCEPTS
    found = cf.evaluate(TRUTH, run, ["example.F", "concept.AP"])
    assert found["free", "example.F"] == 1.0
    np.testing.assert_array_equal(run.assigned.dense(), [[1, 0, 0], [1, 1, 0]])


def test_tags_with_thresholds_of_their_own_are_decided_before_they_are_mapped() -> None:
    run = cf.Run(RUN.scores, concepts=RUN.concepts, threshold=[0.95, 0.5, 0.5, 0.5], name="free")
    np.testing.assert_array_equal(TAGS.apply(run).assigned.dense(), [[0, 0, 0], [1, 1, 0]])


def test_steps_can_be_taken_back_to_see_their_effect() -> None:
    steps = effects(TAGS)
    assert list(steps) == ["exact", "said"]
    scores = [
        cf.evaluate(TRUTH, one.apply(RUN), "example.F")["free", "example.F"]
        for one in steps.values()
    ]
    assert scores == [pytest.approx(1 / 3), 1.0]


def test_tags_outside_are_scored_by_what_they_are_related_to() -> None:
    wide = opened(TRUTH, RUN, TAGS, Said(), ontology=Ontology(dict.fromkeys(CONCEPTS, ())))
    assert wide.truth.concepts == (*CONCEPTS, "car")
    found = cf.evaluate(
        wide.truth, wide.run, "OS", ontology=wide.ontology, costs=wide.relatedness.costs()
    )
    # The car of the first item is false and unrelated to its dog.
    np.testing.assert_allclose(found.units("free", "OS"), [1 - 1.0 / 2, 1.0])


class Watched(Said):
    """Remembers how many words it was asked for at once."""

    def __init__(self) -> None:
        self.largest = 0

    def table(self, words: Sequence[str]) -> Floats:
        self.largest = max(self.largest, len(words))
        values = np.full((len(words), len(words)), np.nan)
        known = [i for i, word in enumerate(words) if self.covers(word)]
        values[np.ix_(known, known)] = super().table([words[i] for i in known])
        return values


def test_many_tags_are_asked_for_a_block_at_a_time() -> None:
    source = Watched()
    tags = [*(f"tag{i}" for i in range(1500)), "puppy"]
    found = map_tags(tags, CONCEPTS, steps=[Step(source, 0.5)])
    assert found.matches[-1] == Match("puppy", "Dog", "said", 0.8)
    assert source.largest <= 600


def test_two_tags_outside_are_never_asked_for_nor_needed() -> None:
    names = ["dog", *(f"tag{i}" for i in range(1200)), "car"]
    run = cf.Run(np.ones((2, len(names))), items=["a", "b"], concepts=names, name="free")
    source = Watched()
    wide = opened(TRUTH, run, map_tags(names, CONCEPTS), source)
    assert source.largest <= 600
    assert wide.relatedness["car", "Sky"] == wide.relatedness["Sky", "car"] == 0.1
    assert wide.relatedness["car", "tag7"] == 0.0
    assert wide.coverage.unknown == tuple(names[1:-1])


def test_tags_that_the_run_never_says_are_not_kept() -> None:
    run = cf.Run(labels=[[1, 1, 0], [1, 0, 0]], concepts=["dog", "car", "boat"], name="free")
    wide = opened(TRUTH, run, map_tags(run.concepts, CONCEPTS), Said())
    assert wide.truth.concepts == (*CONCEPTS, "car")


def test_more_tags_outside_than_pairs_can_be_held_for_are_refused() -> None:
    names = [f"tag{i}" for i in range(MOST_OUTSIDE + 1)]
    run = cf.Run(np.ones((1, len(names))), concepts=names, name="free")
    with pytest.raises(cf.InputError, match=r"3001 tags outside .* at most 3000 .* map more"):
        opened(TRUTH, run, map_tags(names, CONCEPTS), Said())


def test_a_truth_gets_further_concepts_that_no_item_has() -> None:
    partial = cf.Truth([[1, 0], [0, 1]], concepts=["x", "y"], judged=[[1, 0], [1, 1]])
    wider = truth_with(partial, ["z"])
    np.testing.assert_array_equal(wider.labels, [[1, 0, 0], [0, 1, 0]])
    np.testing.assert_array_equal(wider.judged, [[1, 0, 1], [1, 1, 1]])


def test_a_run_with_tags_nobody_mapped_is_refused() -> None:
    with pytest.raises(cf.InputError, match="1 tag that were not mapped: 'boat'"):
        TAGS.apply(cf.Run([[0.5]], concepts=["boat"]))
    with pytest.raises(cf.InputError, match="synonyms of 1 concept that are not"):
        map_tags(["x"], ["y"], synonyms={"z": ("x",)})
