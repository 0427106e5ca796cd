"""OWL: what each construct says about labels, real ontologies, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib import OWL, RDF, RDFS, Graph, URIRef

import cranfield as cf
from cranfield.knowledge import Disjoint, Implication, Required
from cranfield.knowledge.reading.statements import cliques

DATA = Path(__file__).parents[3] / "shared" / "data" / "ontologies"
PIZZA = DATA / "pizza.owl"

TURTLE = """
@prefix : <http://example.org/photos#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix cranfield: <urn:cranfield:vocabulary#> .
"""


@pytest.fixture
def read(tmp_path: Path):
    """Read Turtle, whose prefixes are given; the classes named are declared."""

    def load(statements: str, classes: str = "A B C D E") -> cf.Ontology:
        declared = "".join(f":{name} a owl:Class .\n" for name in classes.split())
        path = tmp_path / "photos.ttl"
        path.write_text(TURTLE + declared + statements)
        return cf.Ontology.load(path)

    return load


@pytest.fixture
def refusal(read):
    """What is said when Turtle is refused."""

    def message(statements: str, classes: str = "A B C D E") -> str:
        with pytest.raises(cf.FileError) as error:
            read(statements, classes)
        return str(error.value)

    return message


# ── classes ───────────────────────────────────────────────────────────────────────────────────


def test_named_classes_are_concepts_in_the_order_of_the_file(read) -> None:
    photos = read("", "Zebra Ant Mule")
    assert photos.concepts == ("Zebra", "Ant", "Mule")
    assert photos.categories == ()
    assert photos.name == "photos"


def test_subclasses_stand_below_and_the_class_of_all_things_is_implied(read) -> None:
    photos = read(":A rdfs:subClassOf owl:Thing . :B rdfs:subClassOf :A, :C . :C a rdfs:Class .")
    assert photos.parents == {"A": (), "B": ("A", "C"), "C": (), "D": (), "E": ()}
    assert photos.hierarchy().root is None


@pytest.mark.parametrize(
    ("iri", "name"),
    [
        ("http://example.org/x#Sky", "Sky"),
        ("http://example.org/x/Sky", "Sky"),
        ("http://example.org/x#Visual%20Arts", "Visual Arts"),
        ("http://example.org/x#%2Fm%2F0bl9f", "/m/0bl9f"),
        ("http://example.org/x#a/b:c", "a/b:c"),
        ("urn:x:Himmel", "Himmel"),
        ("http://example.org/x#Br%C3%BCcke", "Brücke"),
    ],
)
def test_the_id_is_the_last_part_of_the_iri(read, iri: str, name: str) -> None:
    assert read(f"<{iri}> a owl:Class .", "").concepts == (name,)


def test_labels_without_language_come_before_english_and_others_do_not_count(read) -> None:
    photos = read(
        ':A rdfs:label "Himmel"@de, "sky"@en, "air" . :B rdfs:label "eau"@fr, "water"@en . '
        ':C rdfs:label "Wald"@de, "bosque"@es .'
    )
    assert photos.labels == {"A": "air", "B": "water"}


def test_deprecated_classes_are_left_out_and_counted(read) -> None:
    photos = read(":A owl:deprecated true ; rdfs:subClassOf :B .")
    assert photos.concepts == ("B", "C", "D", "E")
    assert photos.ignored == {"deprecated class": 1}


# ── what a class needs ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "expression",
    [
        "[ a owl:Restriction ; owl:onProperty :has ; owl:someValuesFrom :B ]",
        "[ a owl:Restriction ; owl:onProperty :has ; owl:someValuesFrom [ owl:unionOf ( :B ) ] ]",
        "[ a owl:Restriction ; owl:onProperty :has ; owl:minQualifiedCardinality 1 ; "
        "owl:onClass :B ]",
        "[ a owl:Restriction ; owl:onProperty :has ; owl:qualifiedCardinality 2 ; owl:onClass :B ]",
        "[ a owl:Restriction ; owl:onProperty :hasB ; owl:minCardinality 1 ]",
        "[ a owl:Restriction ; owl:onProperty :hasB ; "
        'owl:cardinality "1"^^xsd:nonNegativeInteger ]',
        "[ owl:unionOf ( :B ) ]",
    ],
)
def test_a_restriction_makes_a_class_need_another(read, expression: str) -> None:
    photos = read(f":A rdfs:subClassOf {expression} . :hasB rdfs:range :B .")
    assert photos.implications == (Implication("A", ("B",)),)
    assert photos.ignored == {}


@pytest.mark.parametrize(
    "expression",
    [
        "[ owl:onProperty :has ; owl:someValuesFrom [ owl:unionOf ( :B :C ) ] ]",
        "[ owl:unionOf ( [ owl:onProperty :has ; owl:someValuesFrom :B ] "
        "[ owl:onProperty :shows ; owl:someValuesFrom :C ] ) ]",
        "[ owl:unionOf ( [ owl:onProperty :has ; owl:someValuesFrom :B ] :C ) ]",
        "[ owl:unionOf ( :B [ owl:unionOf ( :C :B ) ] ) ]",
    ],
)
def test_of_a_union_one_is_enough(read, expression: str) -> None:
    photos = read(f":A rdfs:subClassOf {expression} .")
    assert photos.implications == (Implication("A", ("B", "C")),)


def test_what_an_intersection_joins_holds_one_by_one(read) -> None:
    photos = read(
        ":A owl:equivalentClass [ owl:intersectionOf ( :B "
        "[ owl:onProperty :has ; owl:someValuesFrom :C ] "
        "[ owl:intersectionOf ( :D [ owl:onProperty :has ; owl:someValuesFrom :E ] ) ] ) ] ."
    )
    assert photos.parents["A"] == ("B", "D")
    assert set(photos.implications) == {Implication("A", ("C",)), Implication("A", ("E",))}


def test_an_intersection_may_be_said_of_the_class_itself_as_in_owl_1(read) -> None:
    photos = read(":A owl:intersectionOf ( :B [ owl:onProperty :p ; owl:someValuesFrom :C ] ) .")
    assert photos.parents["A"] == ("B",)
    assert photos.implications == (Implication("A", ("C",)),)


def test_members_of_an_equivalent_union_stand_below_and_one_is_needed(read) -> None:
    photos = read(":A owl:equivalentClass [ owl:unionOf ( :B :C ) ] .")
    assert photos.parents["B"] == photos.parents["C"] == ("A",)
    assert photos.implications == (Implication("A", ("B", "C")),)


def test_equivalent_classes_need_each_other(read) -> None:
    photos = read(":A owl:equivalentClass :B, :Elsewhere .")
    assert set(photos.implications) == {Implication("A", ("B",)), Implication("B", ("A",))}
    assert photos.ignored == {"equivalentClass outside the file": 1}


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("[ owl:onProperty :has ; owl:allValuesFrom :B ]", "allValuesFrom"),
        ("[ owl:onProperty :has ; owl:hasValue :b ]", "hasValue"),
        ("[ owl:onProperty :has ; owl:maxCardinality 1 ]", "maxCardinality"),
        ("[ owl:onProperty :has ; owl:minCardinality 0 ]", "minCardinality"),
        ("[ owl:onProperty :has ; owl:minCardinality 1 ]", "minCardinality"),
        ("[ owl:complementOf :B ]", "complementOf"),
        ("[ owl:oneOf ( :b ) ]", "oneOf"),
        ("[ owl:onProperty :has ; owl:someValuesFrom owl:Thing ]", "someValuesFrom"),
        ("[ owl:onProperty :has ; owl:someValuesFrom xsd:string ]", "someValuesFrom"),
        ("[ owl:onProperty :has ; owl:someValuesFrom [ owl:complementOf :B ] ]", "someValuesFrom"),
        ("[ owl:unionOf ( :B [ owl:onProperty :p ; owl:hasValue :b ] ) ]", "hasValue"),
        ("[ owl:onProperty :has ; owl:someValuesFrom :A ]", "relation to the class itself"),
    ],
)
def test_what_labels_cannot_say_is_counted(read, expression: str, kind: str) -> None:
    photos = read(f":A rdfs:subClassOf {expression} .")
    assert photos.rules == ()
    assert photos.ignored == {kind: 1}


def test_a_relation_to_what_is_disjoint_is_one_between_two_things(read) -> None:
    photos = read(
        ":A rdfs:subClassOf :D, [ owl:onProperty :has ; owl:someValuesFrom :B ] . "
        ":B rdfs:subClassOf :E . :D owl:disjointWith :E ."
    )
    assert photos.implications == ()
    assert photos.ignored == {"relation to what is disjoint": 1}


def test_that_a_label_stands_beside_what_excludes_it_is_a_contradiction(refusal) -> None:
    said = refusal(
        ":A rdfs:subClassOf [ owl:onProperty cranfield:beside ; owl:someValuesFrom :B ] ; "
        "owl:disjointWith :B ."
    )
    assert "“A needs B” contradicts rule “at most one of A and B”" in said


# ── disjoint classes ──────────────────────────────────────────────────────────────────────────


def test_disjoint_pairs_of_which_each_two_are_disjoint_make_one_group(read) -> None:
    photos = read(
        ":A owl:disjointWith :B, :C . :B owl:disjointWith :C . :C owl:disjointWith :A, :D ."
    )
    assert photos.disjoint == (Disjoint(("A", "B", "C")), Disjoint(("C", "D")))
    assert photos.disjoint_pairs == {frozenset(pair) for pair in ("AB", "AC", "BC", "CD")}


@given(st.lists(st.tuples(st.sampled_from("abcdefg"), st.sampled_from("abcdefg")), max_size=25))
def test_groups_hold_the_pairs_that_were_stated_and_no_other(pairs: list[tuple[str, str]]) -> None:
    stated = {frozenset(pair) for pair in pairs if len({*pair}) == 2}
    groups = cliques(pair for pair in pairs if len({*pair}) == 2)
    assert {frozenset(pair) for group in groups for pair in combinations(group, 2)} == stated
    assert all(len({*group}) == len(group) for group in groups)


def test_all_disjoint_classes_and_disjoint_unions_are_groups(read) -> None:
    photos = read(
        "[] a owl:AllDisjointClasses ; owl:members ( :A :B :C ) . "
        ":D owl:disjointUnionOf ( :C :E ) ."
    )
    assert photos.disjoint == (Disjoint(("A", "B", "C")), Disjoint(("C", "E")))
    assert photos.parents["C"] == photos.parents["E"] == ("D",)
    assert photos.implications == (Implication("D", ("C", "E")),)


def test_unnamed_classes_in_groups_are_left_out_and_counted(read) -> None:
    photos = read(
        "[] a owl:AllDisjointClasses ; owl:members ( :A :B [ owl:complementOf :C ] ) . "
        ":A owl:disjointWith [ owl:complementOf :B ] . [ owl:complementOf :C ] rdfs:subClassOf :D ."
    )
    assert photos.disjoint == (Disjoint(("A", "B")),)
    assert photos.ignored == {
        "AllDisjointClasses with an unnamed class": 1,
        "disjointWith an unnamed class": 1,
        "subClassOf of an unnamed class": 1,
    }


def test_a_functional_property_means_at_most_one_and_not_at_least_one(read) -> None:
    photos = read(
        ":hasLight a owl:ObjectProperty, owl:FunctionalProperty ; rdfs:range :Light . "
        ":Light cranfield:category true . :Bright rdfs:subClassOf :Light . "
        ":Dark rdfs:subClassOf :Light . :Black rdfs:subClassOf :Dark .",
        "Light Bright Dark Black",
    )
    assert photos.disjoint == (Disjoint(("Bright", "Dark")),)
    assert photos.required == ()


def test_a_functional_property_to_a_class_that_lists_values_takes_one_of_them(read) -> None:
    photos = read(
        ":hasLight a owl:FunctionalProperty ; rdfs:range :Light . "
        ":Bright rdfs:subClassOf :Light . :Dark rdfs:subClassOf :Light .",
        "Light Bright Dark",
    )
    assert photos.disjoint == (Disjoint(("Bright", "Dark")),)
    deeper = read(
        ":isOn a owl:FunctionalProperty ; rdfs:range :Pizza . :Named rdfs:subClassOf :Pizza . "
        ":Cheesy rdfs:subClassOf :Pizza . :Margherita rdfs:subClassOf :Named, :Cheesy .",
        "Pizza Named Cheesy Margherita",
    )
    assert deeper.disjoint == ()


def test_the_range_of_a_functional_property_may_be_a_union(read) -> None:
    photos = read(
        ":p a owl:FunctionalProperty ; rdfs:range [ owl:unionOf ( :A :B :C ) ] . "
        ":C rdfs:subClassOf :B ."
    )
    assert photos.disjoint == (Disjoint(("A", "B")),)


@pytest.mark.parametrize("range_", ["rdfs:range :A", "rdfs:range xsd:int", "a owl:ObjectProperty"])
def test_a_functional_property_to_one_class_says_nothing_about_labels(read, range_: str) -> None:
    photos = read(f":p a owl:FunctionalProperty ; {range_} . :B rdfs:subClassOf :A .")
    assert photos.disjoint == ()
    assert photos.ignored == {"FunctionalProperty": 1}


def test_a_functional_property_repeats_no_group(read) -> None:
    photos = read(
        "[] a owl:AllDisjointClasses ; owl:members ( :A :B :C ) . "
        ":p a owl:FunctionalProperty ; rdfs:range [ owl:unionOf ( :A :B ) ] ."
    )
    assert photos.disjoint == (Disjoint(("A", "B", "C")),)


# ── our own words ─────────────────────────────────────────────────────────────────────────────


def test_own_words_say_categories_positions_trees_and_required_groups(read) -> None:
    photos = read(
        ':E cranfield:category true ; cranfield:droppedIn "flat", "flattest" . '
        ":A rdfs:subClassOf :E ; cranfield:position 2 . :B cranfield:position 1 . "
        ":C cranfield:category false . [] a cranfield:AtLeastOne ; cranfield:member :A, :B ."
    )
    assert photos.concepts == ("B", "A", "C", "D")
    assert photos.categories == ("E",)
    assert photos.dropped == {"flat": {"E"}, "flattest": {"E"}}
    assert photos.required == (Required(("A", "B")),)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (":A cranfield:categroy true .", "no such words; there are category, position"),
        (":A a cranfield:Group .", "no such words"),
        (":A cranfield:category 7 .", "A has category '7'; write true"),
        (':A cranfield:position "first" .', "A has position 'first'; write a number"),
        (":A cranfield:position true .", "A has position 'true'; write a number"),
        (':A cranfield:position "x"^^xsd:integer .', "A has position 'x'; write a number"),
        ("[] a cranfield:AtLeastOne .", "has no member; add some"),
        ("[] a cranfield:AtLeastOne ; cranfield:member :X .", "photos#X is not declared"),
        (':A cranfield:droppedIn "flat" .', "tree flat leaves out concepts: 'A'"),
    ],
)
def test_own_words_used_wrongly_are_refused(refusal, statement: str, said: str) -> None:
    assert said in refusal(statement)


def test_a_file_in_which_all_is_category_is_refused(refusal) -> None:
    assert "every class in it is a category" in refusal(":A cranfield:category true .", "A")


# ── what is refused ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("statement", "axiom"),
    [
        (":A rdfs:subClassOf :X .", "“A subClassOf X”"),
        (":X rdfs:subClassOf :A .", "“X subClassOf A”"),
        (":A owl:disjointWith :X .", "“A disjointWith X”"),
        (":A rdfs:subClassOf [ owl:onProperty :has ; owl:someValuesFrom :X ] .", "(has some X)”"),
        ("[] a owl:AllDisjointClasses ; owl:members ( :A :X ) .", "“AllDisjointClasses …”"),
        (":A owl:equivalentClass [ owl:unionOf ( :B :X ) ] .", "“A unionOf …”"),
    ],
)
def test_a_class_that_is_not_declared_is_an_error_that_names_the_axiom(
    refusal, statement: str, axiom: str
) -> None:
    said = refusal(statement)
    assert axiom in said
    assert "photos#X is not declared as a class" in said
    assert "imports are not followed" in said


def test_a_circle_is_an_error_that_names_its_links(refusal) -> None:
    said = refusal(":A rdfs:subClassOf :B . :B rdfs:subClassOf :C . :C rdfs:subClassOf :A .")
    assert "photos.ttl: the hierarchy runs in a circle: A below B below C below A" in said


def test_disjoint_classes_of_which_one_is_below_the_other_contradict_the_hierarchy(
    refusal,
) -> None:
    said = refusal(":A rdfs:subClassOf :B ; owl:disjointWith :B .")
    assert "“at most one of A and B” contradicts the hierarchy, in which A stands below B" in said


def test_a_class_that_is_disjoint_with_itself_is_refused(refusal) -> None:
    assert "“at most one of A and A” names a concept twice" in refusal(":A owl:disjointWith :A .")


def test_two_classes_of_the_same_id_are_refused(refusal) -> None:
    said = refusal("<urn:other#A> a owl:Class .")
    assert "http://example.org/photos#A and urn:other#A are both 'A'; rename one" in said


def test_classes_without_a_name_are_refused(refusal) -> None:
    assert "has no name after its last / or #" in refusal("<http://example.org/> a owl:Class .")
    assert "there is no named class in it" in refusal("", "")


def test_expressions_that_contain_themselves_come_to_an_end(read, refusal) -> None:
    assert "contains itself" in refusal(
        ":A rdfs:subClassOf [ owl:unionOf _:l ] . _:l rdf:first :B ; rdf:rest _:l ."
    )
    looped = ":A rdfs:subClassOf _:e . _:e owl:%s ( :B _:e ) ."
    assert read(looped % "unionOf").implications == (Implication("A", ("B",)),)
    assert read(looped % "intersectionOf").parents["A"] == ("B",)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("x.ttl", TURTLE + ":A a owl:Class ; ; B .", ":8: this is no Turtle: "),
        ("x.ttl", TURTLE + ":A a foo:Class .", ':8: this is no Turtle: Prefix "foo:" not bound'),
        ("x.ttl", TURTLE + ":A :b " + "[" * 10_000, ": this is no Turtle: it is nested too"),
        ("x.owl", "<rdf:RDF>\n", ":1: this is no RDF/XML: "),
        ("x.owl", "<a>\n\n</b>", ":3: this is no RDF/XML: mismatched tag"),
        (
            "x.owl",
            '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n<rdf:li/></rdf:RDF>',
            ":2: this is no RDF/XML: Invalid node element",
        ),
        ("x.owl", "Ontology(<urn:x>)", ":1: this is no Turtle: "),
        ("x.rdf", b"\xff\xfe<\0a\0", ":1: this is no RDF/XML: "),
        ("x.ttl", b"\n# \xe9\n", ":2: the text is not UTF-8; save"),
        ("x.ttl", "<urn:a> a <urn:b> .".encode("utf-16"), ":1: the text is UTF-16; save"),
        ("x.ttl", " \n", ": the file is empty"),
        ("x.ttl.gz", b"\x1f\x8b\x08\0", ": the gzip archive is broken"),
    ],
)
def test_what_is_no_rdf_is_refused_with_its_line(
    tmp_path: Path, name: str, content: str | bytes, said: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(cf.FileError) as error:
        cf.Ontology.load(path)
    assert str(error.value).startswith(f"{path}{said}")


# ── RDF/XML ───────────────────────────────────────────────────────────────────────────────────

XML = """<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [
    <!ENTITY owl "http://www.w3.org/2002/07/owl#">
    {entities}
]>
<rdf:RDF xmlns="http://example.org/x#" xml:base="http://example.org/x"
    xmlns:owl="http://www.w3.org/2002/07/owl#"
    xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">
    <owl:Class rdf:about="#Sky"><rdfs:label>{label}</rdfs:label></owl:Class>
    <owl:Class rdf:ID="Clouds">
        <rdfs:subClassOf rdf:resource="#Sky"/>
        <rdfs:subClassOf rdf:resource="&owl;Thing"/>
        <owl:disjointWith><owl:Class rdf:about="#Sea"/></owl:disjointWith>
    </owl:Class>
</rdf:RDF>
"""


def test_rdf_xml_is_read_with_its_entities(tmp_path: Path) -> None:
    path = tmp_path / "x.owl"
    path.write_text(XML.format(entities='<!ENTITY s "sky">', label="the &s;"))
    ontology = cf.Ontology.load(path)
    assert ontology.parents == {"Sky": (), "Clouds": ("Sky",), "Sea": ()}
    assert ontology.disjoint == (Disjoint(("Clouds", "Sea")),)
    assert ontology.labels == {"Sky": "the sky"}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.ttl", TURTLE + "<#Sky> a owl:Class . <Sea> a owl:Class ; rdfs:subClassOf <#Sky> ."),
        (
            "x.rdf",
            XML.format(entities="", label="")
            .replace(' xml:base="http://example.org/x"', "")
            .replace("Clouds", "Sea")
            .replace("disjointWith", "seeAlso"),
        ),
    ],
)
def test_iris_may_be_relative_to_the_file(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    assert cf.Ontology.load(tmp_path / name).parents == {"Sky": (), "Sea": ("Sky",)}


def test_nothing_outside_the_file_is_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    path = tmp_path / "x.owl"
    path.write_text(XML.format(entities=f'<!ENTITY s SYSTEM "{secret.as_uri()}">', label="a&s;b"))
    assert cf.Ontology.load(path).labels == {"Sky": "ab"}
    path.write_text(
        TURTLE + f"<urn:x> a owl:Ontology ; owl:imports <{secret.as_uri()}> . :A a owl:Class ."
    )
    assert cf.Ontology.load(path).concepts == ("A",)


@pytest.mark.parametrize("levels", [4, 9])
def test_entities_that_grow_beyond_measure_are_refused(tmp_path: Path, levels: int) -> None:
    tens = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, levels + 1))
    path = tmp_path / "x.owl"
    path.write_text(
        XML.format(entities=f'<!ENTITY e0 "{"haha" * 10}">{tens}', label=f"&e{levels};")
    )
    with pytest.raises(cf.FileError, match=r"x\.owl:10: a text, with its entities, is longer"):
        cf.Ontology.load(path)


def test_what_rdflib_remarks_is_kept_off_standard_error(tmp_path: Path) -> None:
    path = tmp_path / "x.ttl"
    path.write_text(TURTLE + ':A a owl:Class ; :size "x"^^xsd:integer . <urn:a b> a owl:Class .')
    code = f"import cranfield as cf; cf.Ontology.load({str(path)!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stderr == b""


@pytest.mark.parametrize(
    "axiom",
    [
        "[] a owl:AllDisjointClasses ; owl:members :A .",
        ":B owl:disjointUnionOf :A .",
        ":B owl:equivalentClass [ owl:unionOf :A ] .",
        ":B rdfs:subClassOf [ owl:intersectionOf :A ] .",
    ],
)
def test_what_is_no_list_is_refused(refusal, axiom: str) -> None:
    assert "#A' stands where a list of classes belongs; write ( … )" in refusal(axiom)


def test_a_text_where_a_class_belongs_is_counted(read) -> None:
    assert read(':A rdfs:subClassOf "B" .').ignored == {"text for a class": 1}


def test_rdflib_is_imported_only_for_owl(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("child,parent\na,\n")
    code = (
        "import sys, cranfield as cf; "
        f"cf.Ontology.load({str(tmp_path / 'x.csv')!r}); assert 'rdflib' not in sys.modules; "
        "cf.Ontology.load('pto2009'); assert 'rdflib' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# ── an ontology nobody here wrote ─────────────────────────────────────────────────────────────

needs_pizza = pytest.mark.skipif(not PIZZA.is_file(), reason="the pizza ontology is not there")


@pytest.fixture(scope="module")
def pizza() -> cf.Ontology:
    return cf.Ontology.load(PIZZA)


@needs_pizza
def test_pizza_has_99_classes_and_398_disjoint_pairs(pizza: cf.Ontology) -> None:
    graph = Graph().parse(PIZZA, format="xml")
    stated = {frozenset(map(_name, pair)) for pair in graph.subject_objects(OWL.disjointWith)}
    assert len(pizza.concepts) == 99
    assert len(pizza.disjoint_pairs) == 398
    assert pizza.disjoint_pairs == stated
    assert len(pizza.disjoint) < 20  # groups, not pairs


@needs_pizza
def test_the_hierarchy_of_pizza_is_the_one_rdflib_finds(pizza: cf.Ontology) -> None:
    graph = Graph().parse(PIZZA, format="xml")
    member = OWL.intersectionOf / (RDF.rest * "*") / RDF.first
    for node, genus in graph.subject_objects(OWL.equivalentClass / member):
        graph.add((node, RDFS.subClassOf, genus))
    above = pizza.hierarchy().ancestors
    nodes = [one for one in graph.subjects(RDF.type, OWL.Class) if isinstance(one, URIRef)]
    assert len(nodes) == len(pizza.parents)
    for node in nodes:
        broader = graph.transitive_objects(node, RDFS.subClassOf)
        named = {_name(one) for one in broader if isinstance(one, URIRef)} - {"Thing"}
        assert above[_name(node)] | {_name(node)} == named


@needs_pizza
def test_the_class_of_pizza_that_was_meant_to_be_impossible_is_found(pizza: cf.Ontology) -> None:
    assert list(pizza.contradictions) == ["CheeseyVegetableTopping"]
    assert pizza.ignored["allValuesFrom"] == 26


def _name(node: object) -> str:
    return str(node).rpartition("#")[-1]
