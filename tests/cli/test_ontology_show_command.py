"""`cranfield ontology show`: the tree, its marks, its folds, and every form of the answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from cranfield.knowledge import Ontology
from cranfield.show import vega

Cranfield = Callable[..., Result]


@pytest.fixture
def vehicles(tmp_path: Path) -> Path:
    """A directed graph: amphibians stand below cars and boats."""
    path = tmp_path / "vehicles.csv"
    path.write_text(
        "child,parent\nvehicle,\ncar,vehicle\nboat,vehicle\namphibian,car\namphibian,boat\nduck,amphibian\n"
    )
    return path


def lines(said: Result) -> list[str]:
    assert said.exit_code == 0, said.stderr
    return [" ".join(line.split()) for line in said.stdout.splitlines()]


# --- the tree ---


def test_facts_stand_above_the_tree(cranfield: Cranfield) -> None:
    shown = lines(cranfield("ontology", "show", "pto2009"))
    for fact in (
        "concepts 53 can be assigned",
        "categories 14 only give order",
        "depth 3 links from the deepest node to the root",
        "exactly one 6 groups of which one is expected, and no more",
        "needs 1 nodes that stand only beside certain others",
    ):
        assert fact in shown


def test_every_node_is_in_the_tree_with_its_rules(cranfield: Cranfield) -> None:
    shown = lines(cranfield("ontology", "show", "pto2009"))
    names = [line.lstrip("│├└─ ").split(" ")[0] for line in shown]
    assert set(Ontology.load("pto2009").parents) <= set(names)
    assert "│ ├── SceneDescription.Seasons ⊥ exactly one" in shown
    assert "│ ├── Portrait → needs Single_Person, Small_Group, Big_Group or Animals" in shown
    assert "│ ├── Day ⊥1" in shown
    assert "⊥1 exactly one of Day, Night and No_Visual_Time" in shown


def test_flatter_trees_leave_levels_out(cranfield: Cranfield) -> None:
    flat = lines(cranfield("ontology", "show", "pto2009", "--tree", "flat"))
    assert not any(line.endswith("─ SceneDescription") for line in flat)
    assert "├── SceneDescription.Seasons ⊥ exactly one" in flat
    assert "categories 13 only give order" in flat


def test_folded_levels_are_counted(cranfield: Cranfield) -> None:
    shown = lines(cranfield("ontology", "show", "pto2009", "--depth", 1))
    assert "├── LandscapeElements … 10 below" in shown
    assert "62 nodes below depth 1 folded; depth 3 shows all of them" in shown
    assert not any("Clouds" in line for line in shown)


def test_a_node_with_several_parents_stands_below_each(
    vehicles: Path, cranfield: Cranfield
) -> None:
    shown = lines(cranfield("ontology", "show", vehicles))
    assert "several parents 1 nodes, which stand below each" in shown
    assert "│ └── amphibian ↑ also below boat" in shown
    assert "└── amphibian ↑ also below car … as above" in shown
    assert sum("duck" in line for line in shown) == 1


def test_of_hundreds_of_nodes_the_lowest_stand_side_by_side(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    path = tmp_path / "many.csv"
    rows = [f"leaf{n},branch{n % 4}" for n in range(400)] + [f"branch{n},all" for n in range(4)]
    path.write_text("child,parent\nall,\n" + "\n".join(rows) + "\n")
    said = cranfield("ontology", "show", path)
    assert len(lines(said)) < 80
    assert all(f"leaf{n}" in said.stdout for n in range(400))


def test_very_long_trees_are_folded_unless_told_otherwise(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    path = tmp_path / "deep.csv"
    rows = [f"n{n},n{n // 2}" for n in range(2, 2048)]
    path.write_text("child,parent\nn1,\n" + "\n".join(rows) + "\n")
    said = cranfield("ontology", "show", path)
    assert "folded; depth 10 shows all of them" in said.stdout
    assert len(lines(said)) < 600
    assert "folded" not in cranfield("ontology", "show", path, "--depth", 10).stdout


def test_a_chain_of_hundreds_is_folded_where_lines_would_run_out_of_the_screen(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    path = tmp_path / "chain.csv"
    path.write_text("child,parent\nn0,\n" + "".join(f"n{n},n{n - 1}\n" for n in range(1, 400)))
    said = cranfield("ontology", "show", path)
    assert "379 nodes below depth 20 folded; depth 399 shows all of them" in said.stdout
    drawn = cranfield("ontology", "show", path, "-o", tmp_path / "chain.svg")
    assert drawn.exit_code == 0, drawn.stderr


def test_contradictions_and_what_was_not_used_are_told(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    path = tmp_path / "odd.ttl"
    path.write_text(
        "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        "@prefix : <http://example.org/#> .\n"
        ":a a owl:Class ; owl:disjointWith :b . :b a owl:Class .\n"
        ":c a owl:Class ; rdfs:subClassOf :a, :b,\n"
        "  [ a owl:Restriction ; owl:onProperty :p ; owl:allValuesFrom :a ] .\n"
        ":p a owl:ObjectProperty .\n"
    )
    said = cranfield("ontology", "show", path)
    shown = lines(said)
    assert "contradictions 1 concepts that can never be assigned" in shown
    assert "c c stands below a and b, but at most one of a and b" in shown
    assert any(line.startswith("not used 1 statements of the file") for line in shown)


# --- other forms ---


def test_json_holds_nodes_and_rules(cranfield: Cranfield) -> None:
    said = cranfield("ontology", "show", "pto2009", "--json")
    told = json.loads(said.stdout)
    assert said.stderr == ""
    assert (told["concepts"], told["categories"], told["depth"]) == (53, 14, 3)
    nodes = {node["id"]: node for node in told["nodes"]}
    assert nodes["Clouds"] == {
        "id": "Clouds",
        "label": None,
        "kind": "concept",
        "depth": 3,
        "parents": ["Sky"],
    }
    assert told["needs"][0]["concept"] == "Portrait"
    assert ["Indoor", "Outdoor", "No_Visual_Place"] in told["disjoint"]
    assert told["required"] == told["disjoint"]


@pytest.mark.parametrize("extension", [".json", ".txt"])
def test_files_hold_what_the_screen_shows(
    tmp_path: Path, extension: str, cranfield: Cranfield
) -> None:
    path = tmp_path / f"out{extension}"
    assert cranfield("ontology", "show", "pto2009", "-o", path).stdout == ""
    flags = ["--json"] if extension == ".json" else []
    shown = cranfield("ontology", "show", "pto2009", *flags).stdout
    assert path.read_text().split() == shown.split()


@pytest.mark.parametrize("extension", [".svg", ".html", ".png", ".pdf"])
def test_a_picture_is_drawn(tmp_path: Path, extension: str, cranfield: Cranfield) -> None:
    path = tmp_path / f"pto{extension}"
    said = cranfield("ontology", "show", "pto2009", "-o", path)
    assert (said.exit_code, said.stdout) == (0, "")
    assert said.stderr == f"wrote {path}\n"
    assert path.stat().st_size > 10_000


def test_without_the_extra_nothing_is_drawn(
    tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vega, "find_spec", lambda name: None)
    said = cranfield("ontology", "show", "pto2009", "-o", tmp_path / "pto.svg")
    assert said.exit_code == 1
    assert "pip install 'cranfield[plots]'" in said.stderr


# --- what goes wrong ---


def test_wrong_usage_is_said_before_anything_is_read(tmp_path: Path, cranfield: Cranfield) -> None:
    for words in (("-o", "out.gif"), ("--depth", 0), ("--tree", "round")):
        said = cranfield("ontology", "show", tmp_path / "nowhere.owl", *words)
        assert (said.exit_code, said.stdout) == (2, "")


def test_an_ontology_is_not_written_over(vehicles: Path, cranfield: Cranfield) -> None:
    said = cranfield("ontology", "show", vehicles, "--json", "-o", vehicles)
    assert said.exit_code == 2
    assert vehicles.read_text().startswith("child,parent")


def test_a_circle_is_bad_input(tmp_path: Path, cranfield: Cranfield) -> None:
    path = tmp_path / "ring.csv"
    path.write_text("child,parent\na,b\nb,a\n")
    said = cranfield("ontology", "show", path)
    assert said.exit_code == 1
    assert "circle" in said.stderr
    assert "Traceback" not in said.stderr


def test_papers_print_the_tree_in_ascii(cranfield: Cranfield) -> None:
    tex = cranfield("ontology", "show", "pto2009", "--latex").stdout
    assert r"\textbf{-- -- -- Beach\_Holidays} \\" in tex
    assert r"-- -- SceneDescription.Seasons  $\bot$ exactly one \\" in tex
    printed = [line for line in tex.splitlines() if not line.startswith("%")]
    assert all(map(str.isascii, printed))
