"""OBO, the Open Images hierarchy, tables of paths and of parents, and finding ontologies at all."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import cranfield as cf
from cranfield.knowledge import Disjoint

DATA = Path(__file__).parents[3] / "shared" / "data" / "ontologies"
OPEN_IMAGES = DATA / "bbox_labels_600_hierarchy.json"

Read = Callable[..., cf.Ontology]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def load(name: str, content: str | bytes) -> cf.Ontology:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return cf.Ontology.load(path)

    return load


@pytest.fixture
def refusal(read: Read, tmp_path: Path) -> Callable[..., str]:
    """What is said when a file is refused, without its folder."""

    def message(name: str, content: str | bytes) -> str:
        with pytest.raises(cf.FileError) as error:
            read(name, content)
        return str(error.value).removeprefix(f"{tmp_path}/")

    return message


# ── finding ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("source", ["pto2012", "", "missing.owl", "notes.txt", "a\0b.csv"])
def test_what_is_not_there_is_answered_with_what_is(source: str) -> None:
    with pytest.raises(cf.CranfieldError) as error:
        cf.Ontology.load(source)
    assert "pto2009, pto2010, pto2011" in str(error.value)
    assert ".owl .rdf .xml .ttl .obo .json .csv .tsv" in str(error.value)


def test_a_folder_is_no_ontology(tmp_path: Path) -> None:
    folder = tmp_path / "folder.owl"
    folder.mkdir()
    with pytest.raises(cf.FileError, match="cannot be read"):
        cf.Ontology.load(folder)


@pytest.mark.parametrize("name", ["x.csv.gz", "x.CSV", "x.csv"])
def test_gzip_and_capitals_do_not_matter(read: Read, name: str) -> None:
    content = b"child,parent\nsky,\n"
    ontology = read(name, gzip.compress(content) if name.endswith("gz") else content)
    assert ontology.concepts == ("sky",)
    assert ontology.name == "x"


def test_an_archive_that_grows_beyond_measure_is_refused(
    refusal: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from cranfield.knowledge.reading import statements

    monkeypatch.setattr(statements, "_MOST_UNPACKED", 1 << 20)
    packed = gzip.compress(b"child,parent\n" + b"a" * (2 << 20))
    assert refusal("x.csv.gz", packed).startswith("x.csv.gz: unpacks to more than 1 MiB")


# ── tables of paths ───────────────────────────────────────────────────────────────────────────


def test_paths_make_categories_and_concepts(read: Read) -> None:
    photos = read(
        "photos.csv",
        "concept,path\nSpring,Scene.Seasons.Spring\nArts,Scene.Art\nGraffiti,Scene.Art.Graffiti\n",
    )
    assert photos.concepts == ("Spring", "Arts", "Graffiti")
    assert photos.categories == ("Scene", "Scene.Seasons")
    assert photos.parents == {
        "Scene": (),
        "Scene.Seasons": ("Scene",),
        "Spring": ("Scene.Seasons",),
        "Arts": ("Scene",),
        "Graffiti": ("Arts",),
    }


def test_a_concept_may_follow_what_stands_below_it(read: Read) -> None:
    photos = read("x.tsv", "path\tconcept\tlabel\nA.B\tb\tBee\n\nA\ta\t\n")
    assert photos.concepts == ("b", "a")
    assert photos.parents == {"a": (), "b": ("a",)}
    assert photos.labels == {"b": "Bee"}


def test_the_paths_of_the_printed_tables_give_the_shipped_hierarchy(read: Read) -> None:
    shipped = cf.Ontology.load("pto2010")
    paths = {}
    for node in shipped.hierarchy().order:
        above = "".join(f"{paths[one]}." for one in shipped.parents[node])
        paths[node] = node if node in shipped.categories else f"{above}{node}"
    rows = "".join(f'"{name}",{paths[name]}\n' for name in shipped.concepts)
    found = read("x.csv", f"concept,path\n{rows}")
    assert found.concepts == shipped.concepts
    assert found.parents == shipped.parents


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("a,A\nb\n", "x.csv:3: 1 field, and the header has 2"),
        ("a,A\nb,B,C\n", "x.csv:3: 3 fields, and the header has 2"),
        ("a,A\n\na,B\n", "x.csv:4: 'a' stands on line 2 already"),
        ("a,A\nb,A\n", "x.csv:3: 'A' stands on line 2 already"),
        (",A\n", "x.csv:2: the concept is empty; name it"),
        ("a,A..B\n", "x.csv:2: 'a' has the path 'A..B', in which a part is empty"),
        ("a,\n", "x.csv:2: 'a' has the path '', in which a part is empty"),
        ("a,B.a\nB,C\n", "x.csv:2: 'B' is a category by this path, and a concept on line 3"),
        ("a," + ".".join("x" * 101) + "\n", "x.csv:2: 101 levels; 100 is the limit"),
        ('a,"A\n', "x.csv:2: this line cannot be cut into fields (unexpected end of data)"),
        ('a,"A"B\n', "x.csv:2: this line cannot be cut into fields"),
        ("", "x.csv: there is no concept in it"),
    ],
)
def test_tables_of_paths_are_refused_with_line_and_reason(
    refusal: Callable[..., str], rows: str, said: str
) -> None:
    assert refusal("x.csv", f"concept,path\n{rows}").startswith(said)


# ── tables of parents ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("child", ["child", "concept", "Child"])
def test_lines_of_children_and_parents_make_a_graph(read: Read, child: str) -> None:
    photos = read("x.csv", f"{child},parent\nrain,water\nrain,sky\nwater,\nsky,\n")
    assert photos.parents == {"rain": ("water", "sky"), "water": (), "sky": ()}
    assert photos.categories == ()


def test_ids_may_be_quoted_and_hold_commas(read: Read) -> None:
    photos = read("x.csv", '\ufeffchild,parent,label\r\n"a, b", ,"says ""hi"""\r\nc,"a, b",\r\n')
    assert photos.parents == {"a, b": (), "c": ("a, b",)}
    assert photos.labels == {"a, b": 'says "hi"'}


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("a,b\nc,d\n", "x.csv:2: 'a' stands below 'b', which is not in the file; mend its spel"),
        ("a,\na,\n", "x.csv:3: 'a' stands on line 2 already"),
        ("a,\nb,\na,b\n", "x.csv:4: 'a' stands on line 2 already"),
        ("b,\na,b\na,\n", "x.csv:4: 'a' stands on line 3 already"),
        ("b,\na,b\nc,\na,b\n", "x.csv:5: 'a' stands on line 3 already"),
        ("a,a\n", "x.csv:2: the hierarchy runs in a circle: a below a; remove one"),
        ("a,b\nd,c\nb,c\nc,a\n", "x.csv:5: the hierarchy runs in a circle: a below b below c"),
        (",a\n", "x.csv:2: the child is empty; name it"),
        ("a\n", "x.csv:2: 1 field, and the header has 2"),
        ("a0,\n" + "".join(f"a{i},a{i - 1}\n" for i in range(1, 600)), "x.csv: a500 stands 501"),
    ],
)
def test_tables_of_parents_are_refused_with_line_and_reason(
    refusal: Callable[..., str], rows: str, said: str
) -> None:
    assert refusal("x.csv", f"child,parent\n{rows}").startswith(said)


def test_a_concept_has_one_label(refusal: Callable[..., str]) -> None:
    said = refusal("x.csv", "child,parent,label\nb,,\nc,,\na,b,x\na,c,y\n")
    assert said == "x.csv:5: 'a' has another label on line 4; choose one"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("x.csv", "a,b\nc,d\n", "x.csv:1: the header is 'a', 'b'; write concept,path or child"),
        ("x.csv", "\n\nconcept;path\n", "x.csv:3: the header is 'concept;path'; write"),
        ("x.tsv", "child,parent\n", "x.tsv:1: the header is 'child,parent'; write"),
        ("x.csv", "child,parent,size\n", "x.csv:1: the header is 'child', 'parent', 'size'"),
        ("x.csv", "child,parent,label,label\n", "x.csv:1: the header is"),
        ("x.csv", b"child,parent\n\xe9,\n", "x.csv:2: the text is not UTF-8"),
        ("x.csv", b"child,parent\na\0,\n", "x.csv:2: there is a NUL byte"),
        ("x.csv", "child,parent\n".encode("utf-16"), "x.csv:1: the text is UTF-16"),
        ("x.csv", "", "x.csv: the file is empty"),
        ("x.csv", 'child,parent\n"a"b,\n', "x.csv:2: this line cannot be cut"),
    ],
)
def test_what_is_no_table_is_refused_with_line_and_reason(
    refusal: Callable[..., str], name: str, content: str | bytes, said: str
) -> None:
    assert refusal(name, content).startswith(said)


# ── OBO ───────────────────────────────────────────────────────────────────────────────────────

OBO = """format-version: 1.4
ontology: photos
! a comment

[Term]
id: P:1
name: sky \\! or air ! what is above

[Term]
id: P:2 {source="x"} ! with modifiers
name: cloud
def: "Hello: world!" [x:y]
is_a: P:1 {source="x"} ! sky
is_a: P:3
disjoint_from: P:4
relationship: part_of P:1
relationship: part_of P:3

[Typedef]
id: part_of
name: part of

[Term]
id: P:3
name: water
intersection_of: P:5
intersection_of: part_of P:1
union_of: P:1

[Term]
id: P:9
is_obsolete: true

[Term]
id: P:4
disjoint_from: P:2
is_a: P:5
intersection_of: P:5

[Term]
id: P:5

[Instance]
id: one
"""


def test_obo_terms_are_concepts_with_names_and_parents(read: Read) -> None:
    photos = read("photos.obo", OBO)
    assert photos.parents == {
        "P:1": (),
        "P:2": ("P:1", "P:3"),
        "P:3": ("P:5",),
        "P:4": ("P:5",),
        "P:5": (),
    }
    assert photos.labels == {"P:1": "sky ! or air", "P:2": "cloud", "P:3": "water"}
    assert photos.disjoint == (Disjoint(("P:2", "P:4")),)


def test_what_obo_says_of_things_and_not_of_labels_is_counted(read: Read) -> None:
    assert read("photos.obo", OBO).ignored == {
        "intersection_of with a relation": 1,
        "obsolete term": 1,
        "relationship": 2,
        "union_of": 1,
    }


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[Term]\nid: a\nis_a: b\n", "x.obo:3: 'a' stands below 'b', which is not in the file"),
        ("[Term]\nid: a\ndisjoint_from: b\n", "x.obo:3: 'a' is disjoint from 'b', which is not"),
        ("[Term]\nid: a\n[Term]\nid: a\n", "x.obo:4: 'a' is a term on line 2 already"),
        ("[Term]\nid: a\nid: b\n", "x.obo:3: this term has a second id"),
        ("\n[Term]\nname: a\n", "x.obo:2: this term has no id"),
        ("[Term]\nid: ! nothing\n", "x.obo:2: the id is empty"),
        ("[Term]\nid: a\nhello\n", "x.obo:3: 'hello' is no “tag: value” line"),
        ("hello\n", "x.obo:1: 'hello' is no “tag: value” line"),
        ("ontology: x\n", "x.obo: there is no [Term] in it that counts"),
        (
            "[Term]\nid: a\nis_a: b\n[Term]\nid: b\nis_a: a\n",
            "x.obo:6: the hierarchy runs in a circle: a below b below a; remove",
        ),
        (
            "[Term]\nid: a\n[Term]\nid: b\nis_a: a\ndisjoint_from: a\n",
            "x.obo: rule “at most one of b and a” contradicts the hierarchy",
        ),
    ],
)
def test_obo_is_refused_with_line_and_reason(
    refusal: Callable[..., str], content: str, said: str
) -> None:
    assert refusal("x.obo", content).startswith(said)


# ── Open Images ───────────────────────────────────────────────────────────────────────────────


def nested(name: str, *below: object, **more: object) -> dict[str, object]:
    return {"LabelName": name, **({"Subcategory": list(below)} if below else {}), **more}


def test_subcategories_stand_below_and_the_outermost_node_is_a_category(read: Read) -> None:
    tree = nested("e", nested("a", nested("c")), nested("b", nested("c")), nested("c"))
    found = read("x.json", json.dumps(tree))
    assert found.parents == {"e": (), "a": ("e",), "b": ("e",), "c": ("e", "a", "b")}
    assert found.categories == ("e",)


def test_parts_are_nodes_but_no_kinds_of_their_whole(read: Read) -> None:
    wheel = nested("wheel", nested("rim"))
    tree = nested("e", nested("car", Part=[wheel, nested("bolt")]), nested("bolt"))
    found = read("x.json", json.dumps(tree))
    assert found.parents == {
        "e": (),
        "car": ("e",),
        "bolt": ("e",),
        "wheel": ("e",),
        "rim": ("wheel",),
    }
    assert found.ignored == {"Part": 2}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"LabelName":\n"a"', "x.json:2: this is no JSON: Expecting"),
        ("1", "x.json: the outermost node has no LabelName"),
        ("[1]", "x.json: class 1 of the list is no object"),
        ('{"LabelName": ""}', "x.json: the outermost node has no LabelName"),
        ('{"LabelName": "a", "Subcategory": 3}', "x.json: Subcategory of 'a' is no list"),
        ('{"LabelName": "a", "Subcategory": [{}]}', "x.json: a Subcategory of 'a' has no Label"),
        ('{"LabelName": "a", "Part": [7]}', "x.json: a Part of 'a' has no LabelName"),
        ('{"LabelName": "a"}', "x.json: 'a' has no Subcategory"),
        (
            '{"LabelName": "a", "Subcategory": [{"LabelName": "a"}]}',
            "x.json: 'a' has no Subcategory",
        ),
        (
            json.dumps(nested("a", nested("b", nested("c", nested("b"))))),
            "x.json: the hierarchy runs in a circle: b below c below b",
        ),
        ("[" * 100_000, "x.json: the JSON is nested too deeply"),
        ('{"LabelName": ' + "9" * 5000 + "}", "x.json: the JSON cannot be read"),
        ('{"LabelName": "\\ud800", "Subcategory": [{"LabelName": "b"}]}', "x.json: a concept id"),
    ],
)
def test_json_is_refused_with_where_and_reason(
    refusal: Callable[..., str], content: str, said: str
) -> None:
    assert refusal("x.json", content).startswith(said)


@pytest.mark.skipif(not OPEN_IMAGES.is_file(), reason="the Open Images hierarchy is not there")
def test_the_open_images_hierarchy_has_602_nodes() -> None:
    found = cf.Ontology.load(OPEN_IMAGES)
    names = [
        line.split('"')[3] for line in OPEN_IMAGES.read_text().splitlines() if '"LabelName"' in line
    ]
    assert set(found.parents) == set(names)
    assert len(found.parents) == 602
    assert len(found.concepts) == 601
    assert found.categories == ("/m/0bl9f",)
    assert found.hierarchy().root == "/m/0bl9f"
    assert found.hierarchy().height == 5
    assert found.costs().max() <= 1
