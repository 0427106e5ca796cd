"""Pictures: valid specifications, what they show, and the files they become."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield as cf
from cranfield.report import pictures
from cranfield.report.description_pictures import description_picture, overlap_picture
from cranfield.report.pictures import write_picture
from problems import problem

LABELS = np.array([[1, 1, 0], [1, 1, 0], [1, 0, 1], [1, 0, 0]])
MAGIC = {".svg": b"<svg", ".png": b"\x89PNG", ".pdf": b"%PDF", ".html": b"<!DOCTYPE html>"}


def collection(labels: Any = LABELS, *, concepts: Any = None, **options: Any) -> cf.Collection:
    names = [f"c{n}" for n in range(labels.shape[1])] if concepts is None else concepts
    return cf.Collection(cf.Truth(labels, concepts=names), **options)


def values(spec: dict[str, Any], part: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = spec["vconcat"][part]["data"]["values"]
    return found


# ── what they show ────────────────────────────────────────────────────────────────────────────


def test_frequencies_stand_in_the_order_of_the_file_in_percent() -> None:
    spec = description_picture(cf.describe(collection()))
    shown = [(row["number"], row["concept"], row["percent"]) for row in values(spec, 0)]
    assert shown == [(1, "c0", 100.0), (2, "c1", 50.0), (3, "c2", 25.0)]


def test_the_heat_map_shows_conditional_frequencies_and_leaves_the_diagonal_out() -> None:
    spec = description_picture(cf.describe(collection()))
    shown = {(row["with"], row["also"]): row["percent"] for row in values(spec, 1)}
    assert shown["c0", "c1"] == 50.0
    assert shown["c1", "c0"] == 100.0
    assert shown["c1", "c2"] == 0.0
    assert len(shown) == 6


def test_readable_names_are_shown() -> None:
    spec = description_picture(cf.describe(collection(descriptions={"c0": "Blue sky"})))
    assert values(spec, 0)[0]["concept"] == "Blue sky"
    assert (
        '"Blue sky"'
        in json.loads(json.dumps(spec))["vconcat"][0]["encoding"]["x"]["axis"]["labelExpr"]
    )


def test_concepts_that_come_together_stand_together() -> None:
    rng = np.random.default_rng(0)
    causes = rng.random((400, 3)) < [0.5, 0.4, 0.3]
    labels = causes[:, [0, 1, 2, 0, 1, 2]] & (rng.random((400, 6)) < 0.9)
    spec = description_picture(cf.describe(collection(labels)))
    order = list(dict.fromkeys(row["with"] for row in values(spec, 1)))
    assert {frozenset(order[at : at + 2]) for at in (0, 2, 4)} == {
        frozenset(("c0", "c3")),
        frozenset(("c1", "c4")),
        frozenset(("c2", "c5")),
    }


def test_of_many_concepts_the_most_frequent_are_drawn_and_the_title_says_so() -> None:
    labels = np.random.default_rng(0).random((60, 450)) < np.linspace(0.9, 0.01, 450)
    spec = description_picture(cf.describe(collection(labels)))
    frequencies, heat_map = spec["vconcat"]
    assert len(values(spec, 0)) == 400
    assert len({row["with"] for row in values(spec, 1)}) == 100
    assert frequencies["title"]["subtitle"][-1] == "the 400 most frequent of 450 concepts"
    assert heat_map["title"]["subtitle"][-1] == "the 100 most frequent of 450 concepts"


def test_two_collections_share_a_frame_with_partners_side_by_side() -> None:
    one = collection(concepts=["Sky", "sea", "cat"], name="one")
    other = collection(LABELS[:2], concepts=["sky", "dog", "sea"], name="other")
    spec = overlap_picture(cf.overlap(one, other))
    shown = {(row["place"], row["collection"]): row["concept"] for row in values(spec, 0)}
    assert shown == {
        (0, "one"): "Sky",
        (0, "other"): "Sky",
        (1, "one"): "sea",
        (1, "other"): "sea",
        (2, "one"): "cat",
        (3, "other"): "dog",
    }
    assert len(spec["vconcat"]) == 3


def test_a_concept_without_positives_keeps_its_row() -> None:
    spec = description_picture(cf.describe(collection(np.array([[1, 1, 0], [1, 0, 0]]))))
    axes = spec["vconcat"][1]["encoding"]
    assert axes["x"]["scale"] == axes["y"]["scale"] == {"domain": [0, 1, 2]}


def test_without_positives_the_axis_starts_at_0() -> None:
    spec = description_picture(cf.describe(collection(np.zeros((3, 2)))))
    assert spec["vconcat"][0]["encoding"]["y"]["scale"] == {"domain": [0, 100]}


def test_where_no_concepts_come_together_the_title_says_so_instead_of_a_map() -> None:
    apart = collection(np.eye(3), name="apart")
    for spec in (
        description_picture(cf.describe(apart)),
        overlap_picture(cf.overlap(apart, collection(np.zeros((3, 3))))),
    ):
        (frequencies,) = spec["vconcat"]
        assert frequencies["title"]["subtitle"][0].endswith(", no two concepts come together")
    assert len(overlap_picture(cf.overlap(apart, collection()))["vconcat"]) == 2


@pytest.mark.parametrize("shape", [(0, 2), (2, 0), (3, 1)])
def test_collections_with_little_in_them_can_be_drawn(
    shape: tuple[int, int], tmp_path: Path
) -> None:
    empty = collection(np.zeros(shape))
    write_picture(description_picture(cf.describe(empty)), tmp_path / "one.svg")
    write_picture(overlap_picture(cf.overlap(empty, empty)), tmp_path / "two.svg")


# ── files ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("extension", MAGIC)
def test_a_picture_becomes_what_its_extension_says(extension: str, tmp_path: Path) -> None:
    path = tmp_path / f"picture{extension.upper()}"
    write_picture(description_picture(cf.describe(collection(problem(1).labels))), path)
    assert path.read_bytes().startswith(MAGIC[extension])


def test_json_is_the_specification_itself(tmp_path: Path) -> None:
    spec = description_picture(cf.describe(collection()))
    write_picture(spec, tmp_path / "picture.json")
    assert json.loads((tmp_path / "picture.json").read_text()) == spec


def test_a_page_needs_no_network(tmp_path: Path) -> None:
    write_picture(description_picture(cf.describe(collection())), tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "src=" not in page.partition("<body>")[2]
    assert "cdn." not in page


def test_names_of_concepts_cannot_end_the_script_of_a_page(tmp_path: Path) -> None:
    plain, tricky = (
        collection(np.ones((2, 2)), concepts=[name, "other"])
        for name in ("plain", "</script><b>\"'\\\u2028é")
    )
    counts = []
    for one in (plain, tricky):
        write_picture(description_picture(cf.describe(one)), tmp_path / "page.html")
        counts.append((tmp_path / "page.html").read_text().count("</script>"))
    assert counts[0] == counts[1]


def test_other_extensions_are_refused_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(cf.FileError, match=r"'\.gif' is no picture; use \.json, \.svg, \.png"):
        write_picture({}, tmp_path / "picture.gif")


def test_without_the_extra_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "find_spec", lambda name: None)
    with pytest.raises(cf.CranfieldError, match=r"pip install 'cranfield\[plots\]'"):
        write_picture({}, tmp_path / "picture.svg")
    write_picture({}, tmp_path / "picture.json")
    assert [path.name for path in tmp_path.iterdir()] == ["picture.json"]
