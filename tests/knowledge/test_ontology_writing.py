"""Written as OWL and read again, an ontology says the same; files are whole or not there."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rdflib import OWL, RDF, RDFS, Graph
from rdflib.compare import isomorphic

import cranfield as cf
from cranfield.knowledge import Disjoint, Implication, Required

DATA = Path(__file__).parents[3] / "shared" / "data" / "ontologies"
ENDINGS = [".owl", ".ttl"]

names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
texts = st.text(
    st.characters(
        exclude_categories=["Cs", "Cc"],
        include_characters="\t\n\r",
        exclude_characters="\ufffe\uffff",
    ),
    max_size=8,
)
"""What XML can hold."""


@st.composite
def ontologies(draw: st.DrawFn) -> cf.Ontology:
    """Any hierarchy without circles, with rules that do not contradict each other at once."""
    nodes = draw(st.lists(names, min_size=1, max_size=9, unique=True))
    some = st.lists(st.sampled_from(nodes), max_size=min(3, len(nodes)), unique=True)
    parents = {
        node: tuple(one for one in draw(some) if nodes.index(one) < i)
        for i, node in enumerate(nodes)
    }
    concepts = draw(st.permutations(nodes))[: draw(st.integers(1, len(nodes)))]
    categories = [node for node in nodes if node not in concepts]
    above = cf.Ontology(parents).hierarchy().ancestors
    groups = [
        Disjoint(tuple(group))
        for group in draw(st.lists(some, max_size=3))
        if group and not any(a in above[b] or b in above[a] for a, b in combinations(group, 2))
    ]
    pairs = {frozenset(pair) for group in groups for pair in combinations(group.members, 2)}
    needs = [
        Implication(node, tuple(group))
        for node, group in draw(st.lists(st.tuples(st.sampled_from(nodes), some), max_size=3))
        if group and node not in group and not all({node, one} in pairs for one in group)
    ]
    dropped = {
        tree: frozenset(one for one in draw(some) if one in categories)
        for tree in draw(st.lists(st.sampled_from(["flat", "flattest", "a b"]), unique=True))
    }
    return cf.Ontology(
        parents,
        concepts=tuple(concepts),
        disjoint=tuple(groups),
        implications=tuple(needs),
        required=tuple(Required(tuple(one)) for one in draw(st.lists(some, max_size=2)) if one),
        dropped=dropped,
        labels=draw(st.dictionaries(st.sampled_from(nodes), texts, max_size=len(nodes))),
        name=draw(names),
    )


@pytest.mark.parametrize("ending", ENDINGS)
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ontology=ontologies())
def test_any_ontology_survives_writing_and_reading(
    ontology: cf.Ontology, ending: str, tmp_path: Path
) -> None:
    path = tmp_path / f"x{ending}"
    ontology.write(path)
    found = cf.Ontology.load(path)
    assert found.digest == ontology.digest
    assert found.concepts == ontology.concepts
    assert list(found.parents) == list(ontology.parents)
    assert set(found.rules) == set(ontology.rules)
    assert found.labels == ontology.labels
    assert found.ignored == {}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(
    "source",
    ["pto2009", "pto2010", "pto2011", "pizza.owl", "bbox_labels_600_hierarchy.json"],
)
def test_known_ontologies_survive_writing_and_reading(
    source: str, ending: str, tmp_path: Path
) -> None:
    path = DATA / source if "." in source else source
    if isinstance(path, Path) and not path.is_file():
        pytest.skip(f"{source} is not there")
    ontology = cf.Ontology.load(path)
    ontology.write(tmp_path / f"x{ending}")
    found = cf.Ontology.load(tmp_path / f"x{ending}")
    assert found.digest == ontology.digest
    assert found.concepts == ontology.concepts
    assert found.labels == ontology.labels
    assert found.contradictions == ontology.contradictions


def test_both_syntaxes_say_the_same_and_rdflib_finds_it_there(tmp_path: Path) -> None:
    ontology = cf.Ontology.load("pto2011")
    graphs = []
    for ending, syntax in ((".owl", "xml"), (".ttl", "turtle")):
        ontology.write(tmp_path / f"x{ending}")
        graphs.append(Graph().parse(tmp_path / f"x{ending}", format=syntax))
    assert isomorphic(*graphs)
    classes = {one for one in graphs[0].subjects(RDF.type, OWL.Class) if "#" in one}
    assert len(classes) == len(ontology.parents)
    links = {
        (str(one).rpartition("#")[-1], str(two).rpartition("#")[-1])
        for one, two in graphs[0].subject_objects(RDFS.subClassOf)
        if "#" in two
    }
    assert links == {(node, above) for node, up in ontology.parents.items() for above in up}
    assert len(list(graphs[0].subjects(RDF.type, OWL.AllDisjointClasses))) == 6


def test_equal_ontologies_give_equal_files(tmp_path: Path) -> None:
    for ending in ENDINGS:
        contents = set()
        for number in range(2):
            path = tmp_path / f"{number}{ending}"
            cf.Ontology.load("pto2010").write(path)
            contents.add(path.read_bytes())
        assert len(contents) == 1


def test_what_xml_cannot_hold_is_refused_and_turtle_holds_it(tmp_path: Path) -> None:
    ontology = cf.Ontology({"a": ()}, labels={"a": "bell \a"})
    with pytest.raises(cf.FileError, match=r"a label holds '\\x07', which XML cannot"):
        ontology.write(tmp_path / "x.owl")
    assert not list(tmp_path.iterdir())
    ontology.write(tmp_path / "x.ttl")
    assert cf.Ontology.load(tmp_path / "x.ttl").labels == {"a": "bell \a"}


@pytest.mark.parametrize("name", ["x", "x.obo", "x.csv", "x.owl.gz"])
def test_other_endings_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(cf.FileError, match=r"written to \.owl, \.rdf, \.xml, \.ttl; choose"):
        cf.Ontology({"a": ()}).write(tmp_path / name)


def test_a_file_that_cannot_be_replaced_stays_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "x.owl"
    folder.mkdir()
    with pytest.raises(cf.FileError, match="cannot be written"):
        cf.Ontology({"a": ()}).write(folder)
    with pytest.raises(cf.FileError, match="cannot be written"):
        cf.Ontology({"a": ()}).write(tmp_path / "nowhere" / "x.owl")
    assert list(tmp_path.rglob("*")) == [folder]
