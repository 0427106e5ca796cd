"""Path costs of an ontology as a source, held against the correlations of Nowak 2011 Table 8.5."""

import math

import numpy as np
import pytest
from scipy.stats import spearmanr

import cranfield as cf
from cranfield.knowledge.relatedness import OntologyPaths
from cranfield.studies.judgements import Judgements, photo_concepts


@pytest.mark.parametrize(
    ("tree", "expected"), [("flattest", 0.7129), ("flat", 0.7310), ("printed", 0.7055)]
)
def test_paths_of_the_photo_tagging_ontology_agree_with_people_as_published(
    tree: str, expected: float
) -> None:
    """Printed is .713, for the flattest tree."""
    judgements = Judgements.load("visual-concepts")
    source = OntologyPaths(cf.Ontology.load("pto2009"), tree=tree)
    said = judgements.values_of(source, photo_concepts())
    assert not np.isnan(said).any()
    assert spearmanr(said, judgements.scores)[0] == pytest.approx(expected, abs=5e-5)


def test_relatedness_is_one_minus_the_cost() -> None:
    ontology = cf.Ontology.load("pto2009")
    related = OntologyPaths(ontology).matrix(ontology.concepts)
    assert np.array_equal(related.map.values, 1 - ontology.costs())
    assert related.coverage.unknown == ()
    assert related.map.name == "pto2009"
    assert "1 − DDMC, tree flat" in related.map.provenance.source


def test_nodes_are_found_in_any_case_with_blanks_and_by_what_they_are_called() -> None:
    ontology = cf.Ontology(
        {"/m/1": (), "/m/2": ("/m/1",), "/m/3": ("/m/1",), "Big_Group": ("/m/1",)},
        labels={"/m/1": "Animal", "/m/2": "Dog", "/m/3": "Dog"},
    )
    source = OntologyPaths(ontology, kind="DIMC")
    assert source.relatedness("animal", "/m/2") == 0.5
    assert source.covers("big group")
    assert not source.covers("dog"), "two nodes are called so"
    assert math.isnan(source.relatedness("animal", "cat"))


def test_a_word_may_be_asked_for_twice() -> None:
    table = OntologyPaths(cf.Ontology.load("pto2009")).table(["Sky", "sky", "nowhere"])
    assert table[:2, :2].tolist() == [[1, 1], [1, 1]]
    assert np.isnan(table[2]).all()


def test_categories_that_a_tree_leaves_out_are_not_covered() -> None:
    ontology = cf.Ontology.load("pto2009")
    assert OntologyPaths(ontology, tree="printed").covers("SceneDescription")
    assert not OntologyPaths(ontology, tree="flat").covers("SceneDescription")


def test_an_unknown_tree_is_refused() -> None:
    with pytest.raises(cf.InputError, match="choose flat, flattest or printed"):
        OntologyPaths(cf.Ontology.load("pto2009"), tree="tall")
