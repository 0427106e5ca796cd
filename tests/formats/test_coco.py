"""COCO JSON at the level of images: instances, LVIS, results, and everything they may lack."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield import formats
from cranfield.core.matrices import Cells
from cranfield.formats import json_stream
from cranfield.formats.kinds import coco

Write = Callable[..., Path]

IMAGES: Any = [
    {"id": 397133, "file_name": "000000397133.jpg", "height": 427, "width": 640},
    {"id": 37777, "file_name": "000000037777.jpg", "height": 230, "width": 352},
    {"id": 252219, "file_name": "000000252219.jpg", "height": 428, "width": 640},
]
CATEGORIES: Any = [
    {"supercategory": "kitchen", "id": 44, "name": "bottle"},
    {"supercategory": "person", "id": 1, "name": "person"},
    {"supercategory": "animal", "id": 18, "name": "dog"},
]
ANNOTATIONS: Any = [
    {
        "id": 82445,
        "image_id": 397133,
        "category_id": 44,
        "iscrowd": 0,
        "area": 531.8071,
        "bbox": [217.62, 240.54, 38.99, 57.75],
        "segmentation": [[224.24, 297.18, 228.29, 297.18, 234.91, 298.29]],
    },
    {"id": 82446, "image_id": 397133, "category_id": 1, "keypoints": [0, 0, 0], "num_keypoints": 0},
    {"id": 119568, "image_id": 397133, "category_id": 44, "iscrowd": 1},
    {"id": 183126, "image_id": 252219, "category_id": 1},
]
INSTANCES: Any = {
    "info": {"year": 2017},
    "licenses": [{"id": 1}],
    "images": IMAGES,
    "annotations": ANNOTATIONS,
    "categories": CATEGORIES,
}
RESULTS: Any = [
    {"image_id": 397133, "category_id": 44, "score": 0.7, "bbox": [1, 2, 3, 4]},
    {"image_id": 397133, "category_id": 44, "score": 0.9, "bbox": [1, 2, 3, 4]},
    {"image_id": 397133, "category_id": 44, "score": 0.2, "bbox": [1, 2, 3, 4]},
    {"image_id": 37777, "category_id": 1, "score": 0.6},
    {"image_id": 252219, "category_id": 18, "score": 1},
]


def with_lists(**lists: Any) -> str:
    return json.dumps({**INSTANCES, **lists}, indent=1)


@pytest.fixture(params=[1 << 20, 16], ids=["one window", "many windows"])
def window(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(json_stream, "_BLOCK", request.param)
    monkeypatch.setattr(coco, "_BATCH", 2 if request.param == 16 else 1 << 16)
    return int(request.param)


# -- What a file means ---------------------------------------------------------------------------


def test_an_image_has_the_categories_of_its_annotations(file: Write, window: int) -> None:
    collection = cf.read_collection(file(with_lists(), "instances.json"))
    assert collection.items == ("397133", "37777", "252219")
    assert collection.concepts == ("44", "1", "18")
    assert collection.truth.states.tolist() == [[1, 1, 0], [0, 0, 0], [0, 1, 0]]
    assert collection.descriptions == {"44": "bottle", "1": "person", "18": "dog"}
    assert collection.name == "instances"


@pytest.mark.parametrize("order", list(permutations(["images", "annotations", "categories"])))
def test_the_order_of_the_lists_does_not_matter(
    order: tuple[str, ...], file: Write, window: int
) -> None:
    path = file(json.dumps({name: INSTANCES[name] for name in order}), "x.json")
    collection = cf.read_collection(path)
    assert (collection.items, collection.concepts) == (
        ("397133", "37777", "252219"),
        ("44", "1", "18"),
    )
    assert collection.truth.labels.tolist() == [[1, 1, 0], [0, 0, 0], [0, 1, 0]]


def test_lvis_says_which_categories_are_not_there(file: Write, window: int) -> None:
    images = [
        {"id": 1, "neg_category_ids": [18], "not_exhaustive_category_ids": [44]},
        {"id": 2, "neg_category_ids": [], "not_exhaustive_category_ids": []},
    ]
    path = file(with_lists(images=images, annotations=[{"image_id": 1, "category_id": 44}] * 2))
    truth = cf.read_truth(path)
    assert truth.states.tolist() == [[1, -1, 0], [-1, -1, -1]]
    assert truth.unjudged == "exclude"


def test_ids_may_be_texts(file: Write) -> None:
    lists = {
        "images": [{"id": "a b"}, {"id": "ü"}],
        "annotations": [{"image_id": "ü", "category_id": "dog"}],
        "categories": [{"id": "dog"}],
    }
    collection = cf.read_collection(file(json.dumps(lists)))
    assert collection.items == ("a b", "ü")
    assert collection.truth.labels.tolist() == [[False], [True]]
    assert collection.descriptions == {}


def test_of_several_results_the_largest_score_counts(file: Write, window: int) -> None:
    truth = cf.read_truth(file(with_lists(), "t.json"))
    run = cf.read_run(file(json.dumps(RESULTS), "r.json"), truth)
    assert run.items == ("397133", "37777", "252219")
    cells = zip(run.scores.codes.tolist(), run.scores.values.tolist(), strict=True)
    assert dict(cells) == {0: 0.9, 4: 0.6, 8: 1.0}


def test_results_are_scored_image_by_image(file: Write) -> None:
    truth = cf.read_truth(file(with_lists(), "t.json"))
    run = cf.read_run(file(json.dumps(RESULTS), "r.json"), truth)
    # Right: the bottle. Wrong: a person and a dog. Missed: two persons.
    scores = cf.evaluate(truth, run, ["micro.P", "micro.R"])
    assert (scores["r", "micro.P"], scores["r", "micro.R"]) == (1 / 3, 1 / 3)


def test_a_run_that_found_nothing_is_a_run(file: Write, truth: cf.Truth) -> None:
    run = cf.read_run(file("[]", "r.json"), truth)
    assert run.shape == (0, 0)
    assert cf.evaluate(truth, run, ["micro.R"], missing="absent")["r", "micro.R"] == 0


def test_a_category_without_a_name_is_not_described(file: Write) -> None:
    categories = [{"id": 44}, {"id": 1, "name": ""}, {"id": 18, "name": "dog"}]
    collection = cf.read_collection(file(with_lists(categories=categories)))
    assert collection.descriptions == {"18": "dog"}


def test_a_truth_without_annotations_of_any_kind_has_no_labels(file: Write) -> None:
    truth = cf.read_truth(file(with_lists(annotations=[])))
    assert truth.labels.sum() == 0
    assert truth.shape == (3, 3)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ('{"images": []}', "x.json"),
        ('\ufeff \n{ "images": []}', "x"),
        ('[ {"image_id": 1}]', "x.txt"),
        ("[]", "x.dat"),
        ("oops", "x.json"),
    ],
)
def test_json_is_recognised(content: str, name: str, file: Write) -> None:
    assert formats.check(file(content, name)).format == "coco"
    assert formats.check(file(gzip.compress(content.encode()), name)).format == "coco"


def test_columns_follow_the_concepts_that_are_asked_for(file: Write) -> None:
    path = file(with_lists())
    assert cf.read_truth(path, concepts=["1", "18", "44"]).labels[0].tolist() == [1, 0, 1]
    with pytest.raises(cf.FileError, match="1 unknown concept: '44'"):
        cf.read_truth(path, concepts=["1", "18"])
    with pytest.raises(cf.FileError, match="1 concept not among the categories: '99'"):
        cf.read_truth(path, concepts=["1", "18", "44", "99"])


# -- What is refused -----------------------------------------------------------------------------


def changed(name: str, changes: dict[str, Any]) -> str:
    """The file with its second element of a list changed, an element a line."""
    lists = {key: list(INSTANCES[key]) for key in ("images", "annotations", "categories")}
    element = {**lists[name][1], **changes}
    lists[name][1] = {key: value for key, value in element.items() if value != "gone"}
    parts = (
        f'"{key}": [\n' + ",\n".join(map(json.dumps, each)) + "\n]" for key, each in lists.items()
    )
    return "{" + ",\n".join(parts) + "}"


LINE_OF = {"images": 3, "annotations": 8, "categories": 14}


@pytest.mark.parametrize(
    ("name", "changes", "says"),
    [
        ("images", {"id": "gone"}, "images[1] lacks its id"),
        ("images", {"id": 397133}, "images[1] has the id '397133', as one on line 2 has"),
        ("images", {"id": "397133"}, "images[1] has the id '397133', as one on line 2 has"),
        ("images", {"id": 1.0}, "images[1] has the id '1.0'; write a whole number or a text"),
        ("images", {"id": True}, "images[1] has the id 'True'"),
        ("images", {"id": [1]}, "images[1] has the id '[1]'"),
        ("images", {"id": ""}, "images[1] has the id"),
        ("images", {"id": "\ud83d"}, r"images[1] has the id '\ud83d' with half a character"),
        ("images", {"neg_category_ids": 5}, "images[1] has neg_category_ids that are no list"),
        ("images", {"neg_category_ids": [None]}, "images[1] has the negative category 'None'"),
        ("annotations", {"image_id": "gone"}, "annotations[1] lacks its image_id"),
        ("annotations", {"category_id": None}, "annotations[1] lacks its category_id"),
        ("annotations", {"category_id": 1.0}, "annotations[1] has the category_id '1.0'"),
        ("annotations", {"image_id": 7}, "the images lack 1 id that other lists name: '7'"),
        ("annotations", {"category_id": 9}, "the categories lack 1 id that other lists name: '9'"),
        ("categories", {"id": 44}, "categories[1] has the id '44', as one on line 13 has"),
        ("categories", {"name": 5}, "categories[1] has the name '5'; write a text"),
        ("categories", {"name": "\udc00"}, r"categories[1] has the name '\udc00' with half"),
    ],
)
def test_a_broken_truth_is_refused_with_its_line(
    name: str, changes: dict[str, Any], says: str, file: Write, window: int
) -> None:
    path = file(changed(name, changes), "t.json")
    with pytest.raises(cf.FileError) as caught:
        cf.read_truth(path)
    assert says in str(caught.value)
    assert caught.value.line == LINE_OF[name]
    assert str(caught.value) in map(str, formats.check(path, kind="truth"))


@pytest.mark.parametrize(
    ("content", "line", "says"),
    [
        ("[]", 1, "a truth is an object with images, annotations and categories"),
        ("7", 1, "a truth is an object"),
        ('{"images": [], "categories": []}', None, "there are no annotations"),
        ('{"annotations": []}', None, "there are no images and no categories"),
        ('{"images": {}, "annotations": [], "categories": []}', 1, "images is no list"),
        ('{"images": [],\n"images": []}', 2, "images is there a second time"),
        ('{"images": [\n5]}', 2, "images[0] is '5'; write an object"),
        ('{"images": [],\n"x": NaN}', 2, "NaN is no JSON number"),
        ('{"images": [],\n"annotations": [', 2, "ends too early"),
        ('{"images": []} {', 1, "something behind the end"),
        ('{"images": [{"id": ' + "9" * 5000 + "}]}", 1, "more digits than can be read"),
        ('{"images": ' + "[" * 9999, 1, "nested too deeply"),
    ],
)
def test_what_is_no_truth_is_refused(
    content: str, line: int | None, says: str, file: Write, window: int
) -> None:
    path = file(content, "t.json")
    with pytest.raises(cf.FileError) as caught:
        cf.read_truth(path)
    assert (caught.value.line, says in str(caught.value)) == (line, True), str(caught.value)
    assert str(caught.value) in map(str, formats.check(path, kind="truth"))


def test_a_category_cannot_be_there_and_not_there(file: Write) -> None:
    images = [{"id": 397133, "neg_category_ids": [44]}, *IMAGES[1:]]
    with pytest.raises(cf.FileError, match=r"concept '44' stands on line .* with another value"):
        cf.read_truth(file(with_lists(images=images)))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"score": "gone"}, "results[1] lacks its score; write a finite number"),
        ({"score": "0.5"}, "results[1] has \"'0.5'\" as its score"),
        ({"score": True}, "results[1] has 'True' as its score"),
        ({"score": 10**400}, "as its score; write a finite number"),
        ({"image_id": None}, "results[1] lacks its image_id"),
        ({"category_id": []}, "results[1] has the category_id '[]'"),
        ({"image_id": 5}, "1 item not in the truth: '5'"),
    ],
)
def test_a_broken_run_is_refused_with_its_line(
    changes: dict[str, Any], says: str, file: Write, window: int
) -> None:
    truth = cf.read_truth(file(with_lists(), "t.json"))
    second = {key: value for key, value in (RESULTS[1] | changes).items() if value != "gone"}
    path = file(f"[{json.dumps(RESULTS[0])},\n{json.dumps(second)}]", "r.json")
    with pytest.raises(cf.FileError) as caught:
        cf.read_run(path, truth)
    assert says in str(caught.value)
    assert caught.value.line == 2
    assert str(caught.value) in map(str, formats.check(path, against=truth))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (with_lists(), "a run is a list of results"),
        ('[{"image_id": 397133, "category_id": 44, "score": 1e999}]', "'inf' as its score"),
        ('[{"image_id": 397133, "category_id": 45, "score": 1}]', "1 unknown concept: '45'"),
        ('[{"image_id": 397133, "category_id": 44, "score": NaN}]', "NaN is no JSON number"),
        ("[1]", "results[0] is '1'; write an object"),
    ],
)
def test_what_is_no_run_is_refused(content: str, says: str, file: Write) -> None:
    truth = cf.read_truth(file(with_lists(), "t.json"))
    with pytest.raises(cf.FileError) as caught:
        cf.read_run(file(content, "r.json"), truth)
    assert says in str(caught.value)


def test_every_error_of_a_truth_is_found(file: Write) -> None:
    annotations = [{"image_id": 5.5}, {}, {"image_id": "\udfff", "category_id": 1}, 5]
    found = formats.check(file(with_lists(annotations=annotations)), kind="truth")
    assert found.total == 2 + 2 + 1 + 1


# -- Writing -------------------------------------------------------------------------------------

ids = st.lists(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
    | st.integers().map(str)
    | st.sampled_from(["00", "-0", "+1", "1.0", "٣", str(10**30)]),
    min_size=2,
    max_size=2,
    unique=True,
)
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
states = st.lists(st.sampled_from([1, 0, -1]), min_size=4, max_size=4)


@settings(max_examples=100)
@given(items=ids, concepts=ids, cells=states, named=st.dictionaries(st.integers(0, 1), names))
def test_a_truth_comes_back(
    items: list[str],
    concepts: list[str],
    cells: list[int],
    named: dict[int, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = tmp_path_factory.mktemp("coco") / "t.json"
    matrix = np.array(cells).reshape(2, 2)
    truth = cf.Truth(
        matrix == 1, judged=matrix >= 0, items=items, concepts=concepts, unjudged="exclude"
    )
    descriptions = {concepts[place]: name for place, name in named.items()}
    formats.convert(cf.Collection(truth, descriptions=descriptions), path)
    back = cf.read_collection(path)
    assert back.truth.digest == truth.digest
    assert (back.items, back.concepts) == (truth.items, truth.concepts)
    assert back.truth.unjudged == "exclude" or truth.judged is None
    assert back.descriptions == descriptions


@given(
    items=ids,
    scores=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=4, max_size=4),
    absent=st.sets(st.sampled_from([1, 2])),
)
def test_a_run_comes_back_exactly(
    items: list[str],
    scores: list[float],
    absent: set[int],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = tmp_path_factory.mktemp("coco") / "r.json.gz"
    codes = np.array([code for code in range(4) if code not in absent])
    matrix = Cells((2, 2), codes, np.array(scores)[codes]) if absent else np.reshape(scores, (2, 2))
    run = cf.Run(matrix, items=items, concepts=["1", "2"], name="r")
    formats.convert(run, path)
    truth = cf.Truth([[1, 0], [0, 1]], items=items, concepts=["1", "2"])
    assert cf.read_run(path, truth).digest == run.digest


def test_what_is_written_is_json_as_others_read_it(tmp_path: Path) -> None:
    truth = cf.Truth(
        [[1, 0], [0, 0]],
        judged=[[1, 1], [0, 0]],
        items=["7", "08"],
        concepts=["1", "x"],
        unjudged="exclude",
    )
    formats.convert(cf.Collection(truth, descriptions={"1": "Bäume"}), tmp_path / "t.json")
    content = (tmp_path / "t.json").read_text(encoding="utf-8")
    assert "Bäume" in content
    assert json.loads(content) == {
        "images": [
            {"id": 7, "neg_category_ids": ["x"], "not_exhaustive_category_ids": []},
            {"id": "08", "neg_category_ids": [], "not_exhaustive_category_ids": []},
        ],
        "annotations": [{"id": 1, "image_id": 7, "category_id": 1}],
        "categories": [{"id": 1, "name": "Bäume"}, {"id": "x"}],
    }
    formats.write_run(cf.Run([[0.25, -3]], items=["7"]), tmp_path / "r.json")
    assert json.loads((tmp_path / "r.json").read_text()) == [
        {"image_id": 7, "category_id": 0, "score": 0.25},
        {"image_id": 7, "category_id": 1, "score": -3.0},
    ]


@pytest.mark.parametrize("shape", [(0, 2), (2, 0), (0, 0)])
def test_empty_truths_come_back(shape: tuple[int, int], tmp_path: Path) -> None:
    items, concepts = (tuple(map(str, range(side))) for side in shape)
    truth = cf.Truth(np.zeros(shape, dtype=bool), items=items, concepts=concepts)
    formats.convert(cf.Collection(truth), tmp_path / "t.json")
    back = cf.read_truth(tmp_path / "t.json")
    assert (back.shape, back.digest) == (shape, truth.digest)


def test_a_truth_with_few_judged_cells_comes_back(tmp_path: Path) -> None:
    judged = Cells((40, 40), np.array([0, 41, 900]), np.array([True, True, True]))
    labels = Cells((40, 40), np.array([41]), np.array([True]))
    sides = {"items": range(40), "concepts": range(100, 140)}
    truth = cf.Truth(labels, judged=judged, unjudged="exclude", **sides)
    formats.convert(cf.Collection(truth), tmp_path / "t.json")
    assert cf.read_truth(tmp_path / "t.json").digest == truth.digest


def test_a_run_with_a_concept_it_never_mentions_does_not_fit(tmp_path: Path) -> None:
    run = cf.Run(Cells((1, 2), np.array([0]), np.array([0.5])), concepts=["1", "2"])
    with pytest.raises(cf.InputError, match="loses 1 concept without any: '2'"):
        cf.write_run(run, tmp_path / "r.json")


def test_the_rule_that_unjudged_is_negative_does_not_fit(tmp_path: Path) -> None:
    truth = cf.Truth([[1, 0]], judged=[[1, 0]], items=["a"], concepts=["1", "2"])
    with pytest.raises(cf.FileError, match="would lose the rule that unjudged cells count as"):
        cf.write_truth(truth, tmp_path / "t.json")
