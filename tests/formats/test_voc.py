"""PASCAL VOC: a file for each class, their names, and folders that hold all sorts of things."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield import formats
from cranfield.core.matrices import Cells
from cranfield.formats.registry import makes_one

Folder = Callable[..., Path]

JUDGED = {
    "car_val.txt": "000005 -1\n000007  1\n000009 -1\n",
    "dog_val.txt": "000005  1\n000007  0\n000009 -1\n",
    "tv_monitor_val.txt": "000009 -1\n000007 -1\n000005 -1\n",
}
CONFIDENCES = {
    "comp1_cls_val_car.txt": "000005 0.1\n000007 0.9\n000009 0.6\n",
    "comp1_cls_val_dog.txt": "000007 0.8\n000005 0.7\n",
    "comp1_cls_val_tv_monitor.txt": "",
}


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A folder with the given files."""

    def make(files: dict[str, str | bytes], name: str = "voc") -> Path:
        path = tmp_path / name
        path.mkdir(parents=True)
        for file, content in files.items():
            (path / file).write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return make


# -- What files mean -----------------------------------------------------------------------------


def test_a_truth_is_a_file_for_each_class(folder: Folder, parser: str) -> None:
    truth = cf.read_truth(folder(JUDGED))
    assert truth.items == ("000005", "000007", "000009")
    assert truth.concepts == ("car", "dog", "tv_monitor")
    assert truth.states.tolist() == [[0, 1, 0], [1, -1, 0], [0, 0, 0]]
    assert truth.unjudged == "exclude"


def test_a_run_is_a_file_for_each_class_and_may_find_nothing(folder: Folder, parser: str) -> None:
    truth = cf.read_truth(folder(JUDGED))
    run = cf.read_run(folder(CONFIDENCES, "my_run"), truth)
    assert run.name == "my_run"
    assert run.concepts == ("car", "dog", "tv_monitor")
    cells = zip(run.scores.codes.tolist(), run.scores.values.tolist(), strict=True)
    assert dict(cells) == {0: 0.1, 1: 0.7, 3: 0.9, 4: 0.8, 6: 0.6}


def test_of_the_boxes_on_an_image_the_surest_counts(folder: Folder, parser: str) -> None:
    boxes = "000005 0.5 1 2 3 4\n000007 0.1 1 2 3 4\n000005 0.75 5.5 6 7 8\n000005 .25 1 1 1 1\n"
    run = cf.read_run(folder({"comp3_det_val_car.txt": boxes}), cf.read_truth(folder(JUDGED, "t")))
    assert run.items == ("000005", "000007")
    assert run.scores.tolist() == [[0.75], [0.1]]


def test_difficult_images_do_not_count_in_an_evaluation(folder: Folder) -> None:
    truth = cf.read_collection(folder(JUDGED))
    run = cf.read_run(folder(CONFIDENCES, "my_run"), truth)
    scores = cf.evaluate(truth, run, ["micro.P", "micro.P(unjudged=negative)", "concept.AP"])
    # The dog on 000007 is difficult; of the three others at 0.5 and above, one car is wrong.
    assert scores["my_run", "micro.P"] == 2 / 3
    assert scores["my_run", "micro.P(unjudged=negative)"] == 2 / 4
    assert scores["my_run", "concept.AP"] == 1


def test_a_single_file_is_a_truth_or_a_run_of_one_class(folder: Folder) -> None:
    truth = cf.read_truth(folder(JUDGED) / "tv_monitor_val.txt")
    assert (truth.concepts, truth.shape) == (("tv_monitor",), (3, 1))
    truth = cf.read_truth(folder(JUDGED, "t"))
    run = cf.read_run(folder(CONFIDENCES, "r") / "comp1_cls_val_dog.txt", truth)
    assert (run.concepts, run.scores.tolist()) == (("dog",), [[0.8], [0.7]])


def test_the_list_of_a_set_chooses_among_several(folder: Folder) -> None:
    other = {name.replace("val", "train"): "a 1\nb -1\n" for name in JUDGED}
    lists = {"train.txt": "a\nb\n", "val.txt": "000005\n000007\n000009\n"}
    main = folder({**JUDGED, **other, **lists}, "ImageSets/Main")
    assert cf.read_truth(main / "val.txt").digest == cf.read_truth(folder(JUDGED)).digest
    assert cf.read_truth(main / "train.txt").items == ("a", "b")
    with pytest.raises(cf.FileError, match=r"several sets \('train', 'val'\); keep .* train\.txt"):
        cf.read_truth(main)


def test_files_may_be_packed(folder: Folder) -> None:
    packed = {f"{name}.gz": gzip.compress(text.encode()) for name, text in JUDGED.items()}
    assert cf.read_truth(folder(packed)).digest == cf.read_truth(folder(JUDGED, "t")).digest


def test_columns_follow_the_concepts_that_are_asked_for(folder: Folder) -> None:
    path = folder(JUDGED)
    truth = cf.read_truth(path, concepts=["dog", "tv_monitor", "car"])
    assert truth.labels[0].tolist() == [True, False, False]
    with pytest.raises(cf.FileError, match=r"tv_monitor_val\.txt: 1 unknown concept"):
        cf.read_truth(path, concepts=["dog", "car"])
    with pytest.raises(cf.FileError, match="1 concept without a file: 'cow'"):
        cf.read_truth(path, concepts=["dog", "tv_monitor", "car", "cow"])


# -- Which folders are recognised ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "known"),
    [
        (JUDGED, True),
        (CONFIDENCES, True),
        ({"comp1_cls_test_car.txt": "", "comp1_cls_test_dog.txt": "a 0.5\n"}, True),
        ({"my_cls_test_car.txt": "a 0.5\n"}, True),
        ({"car_test.txt": "a 1\nb 1\n", "dog_test.txt": "a -1\nb 1"}, True),
        ({"one_test.txt": "a 0.5 0.25\n", "two_test.txt": "a -1 1\n"}, False),
        ({"one_test.txt": "a 1\nb 0\n"}, False),
        ({"one_cls_v1_a.txt": "a 0.5 0.25\n"}, False),
        ({"run.txt": "a -1\n"}, False),
        ({"car_mine.txt": "a -1\n"}, False),
        ({"._car_test.txt": "a -1\n"}, False),
        ({"test.txt": "a\nb\n"}, False),
        ({}, False),
    ],
)
def test_a_folder_is_recognised_by_names_and_content(
    files: dict[str, str], known: bool, folder: Folder
) -> None:
    path = folder(files)
    assert makes_one(path) == known
    for name in files:
        if files[name].strip() and "-1" not in files[name] and "_cls_" not in name:
            assert formats.check(path / name).format != "voc"


def test_a_collection_may_have_folders_for_truth_and_runs(folder: Folder, tmp_path: Path) -> None:
    folder(JUDGED, "c/truth.voc")
    folder(CONFIDENCES, "c/runs/mine")
    collection = cf.read_collection(tmp_path / "c")
    assert collection.truth.shape == (3, 3)
    assert [cf.read_run(path, collection).name for path in collection.runs] == ["mine"]


def test_what_does_not_belong_is_passed_over(folder: Folder, tmp_path: Path) -> None:
    path = folder({**JUDGED, "val.txt": "000005\n", "readme.md": "x", "._dog_val.txt": b"\0"})
    (path / "cow_val.txt").mkdir()
    (path / "loop").symlink_to(path)
    assert cf.read_truth(path).digest == cf.read_truth(folder(JUDGED, "t")).digest


# -- What is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "line", "says"),
    [
        ("dog_val.txt", "000005 1\n000007 2\n000009 1\n", 2, "item '000007', concept 'dog': 2;"),
        ("dog_val.txt", "000005 1\n000007 yes\n", 2, "concept 'dog': 'yes' is not a number"),
        ("dog_val.txt", "000005 1\n000007 1 1\n", 2, "has 2 values; expected one: 1, -1 or 0"),
        ("dog_val.txt", "000005 1\n000007 1\n000005 1\n", 3, "stands on line 1 already"),
        ("dog_val.txt", "000005 1\n000009 1\n", None, "lacks 1 image that car_val.txt lists: '000"),
        ("dog_val.txt", JUDGED["dog_val.txt"] + "x 1\n", 4, "1 image that car_val.txt lacks: 'x'"),
        ("dog_val.txt", "", None, "is empty"),
        ("dog_val.txt", "\n", None, "no lines with values"),
        ("dog_val.txt", b"\xff -1\n", 1, "is not UTF-8"),
    ],
)
def test_a_broken_truth_is_refused_with_file_and_line(
    name: str, content: str | bytes, line: int | None, says: str, folder: Folder, parser: str
) -> None:
    path = folder({**JUDGED, name: content})
    with pytest.raises(cf.FileError) as caught:
        cf.read_truth(path)
    assert caught.value.path == str(path / name)
    assert (caught.value.line, says in str(caught.value)) == (line, True), str(caught.value)
    assert list(map(str, formats.check(path, kind="truth"))) == [str(caught.value)]


@pytest.mark.parametrize(
    ("name", "content", "line", "says"),
    [
        ("comp1_cls_val_dog.txt", "000005\n", 1, "has 0 values; expected one, its confidence"),
        ("comp1_cls_val_dog.txt", "000005 nan\n", 1, "concept 'dog': 'nan' is not a number"),
        ("comp1_cls_val_dog.txt", "000005 1\n000005 2\n", 2, "stands on line 1 already"),
        ("comp1_cls_val_dog.txt", "000005 1\nx 2\n", 2, "1 item not in the truth: 'x'"),
        ("comp1_cls_val_cow.txt", "000005 1\n", None, "1 unknown concept: 'cow'"),
    ],
)
def test_a_broken_run_is_refused_with_file_and_line(
    name: str, content: str, line: int | None, says: str, folder: Folder, parser: str
) -> None:
    truth = cf.read_truth(folder(JUDGED, "t"))
    path = folder({**CONFIDENCES, name: content})
    with pytest.raises(cf.FileError) as caught:
        cf.read_run(path, truth)
    assert caught.value.path == str(path / name)
    assert (caught.value.line, says in str(caught.value)) == (line, True), str(caught.value)
    assert list(map(str, formats.check(path, against=truth))) == [str(caught.value)]


def test_a_box_needs_its_corners(folder: Folder) -> None:
    path = folder({"comp3_det_val_car.txt": "000005 0.5 1 2 3\n"})
    (error,) = formats.check(path, format="voc")
    assert "has 4 values; expected 5, confidence x1 y1 x2 y2" in str(error)


def test_every_error_of_every_file_is_found(folder: Folder) -> None:
    broken = dict.fromkeys(JUDGED, "a x\nb x\nc 1\n")
    found = formats.check(folder(broken), kind="truth", format="voc")
    assert found.total == 6
    assert [error.line for error in found] == [1, 2] * 3
    assert [Path(error.path).name for error in found] == [n for n in JUDGED for _ in range(2)]


@pytest.mark.parametrize(
    ("files", "kind", "says"),
    [
        (
            {**CONFIDENCES, "comp2_cls_val_car.txt": "a 1\n"},
            "run",
            "runs ('comp1_cls_val', 'comp2_c",
        ),
        ({**CONFIDENCES, "comp3_det_val_car.txt": "a 1\n"}, "run", "'comp3_det_val'); keep"),
        ({**CONFIDENCES, "comp1_cls_test_car.txt": "a 1\n"}, "run", "'comp1_cls_val'); keep"),
        (CONFIDENCES, "truth", "a truth has files such as car_val.txt"),
        (JUDGED, "run", "a run has files such as comp1_cls_test_car.txt"),
        ({**JUDGED, "car_val.txt.gz": "x"}, "truth", "car_val.txt is about the same class"),
    ],
)
def test_folders_that_are_not_one_truth_or_run_are_refused(
    files: dict[str, str], kind: str, says: str, folder: Folder
) -> None:
    (error,) = formats.check(folder(files), kind=kind, format="voc")  # type: ignore[arg-type]
    assert says in str(error)


@pytest.mark.skipif(os.name == "nt", reason="links and pipes differ there")
def test_a_hostile_folder_is_refused_without_harm(folder: Folder) -> None:
    for place, make in enumerate(
        (
            lambda path: path.symlink_to(path),
            lambda path: path.symlink_to("nowhere"),
            os.mkfifo,
        )
    ):
        path = folder(JUDGED, f"t{place}")
        make(path / "cow_val.txt")
        with pytest.raises(cf.FileError, match=r"cow_val\.txt"):
            cf.read_truth(path)
    odd = folder(JUDGED, "odd")
    Path(os.fsdecode(bytes(odd) + b"/\xff_val.txt")).write_text("a 1\n")
    with pytest.raises(cf.FileError, match="is not UTF-8; rename it"):
        cf.read_truth(odd)


# -- Writing -------------------------------------------------------------------------------------

alphabet = st.characters(exclude_characters="/\0", exclude_categories=["Cs"])
classes = st.lists(
    st.text(alphabet, min_size=1, max_size=20)
    | st.sampled_from(["a_cls_b_c", "car_test", "_", "x.txt", "comp1_det_val_car", "test"]),
    min_size=2,
    max_size=2,
    unique=True,
)
images = st.lists(
    st.text(
        st.characters(exclude_characters=" \t\n\r\v\f\0\ufeff", exclude_categories=["Cs"]),
        min_size=1,
    ),
    min_size=2,
    max_size=2,
    unique=True,
)
states = st.lists(st.sampled_from([1, 0, -1]), min_size=4, max_size=4)


@settings(max_examples=100)
@given(items=images, concepts=classes, cells=states)
def test_a_truth_comes_back(
    items: list[str],
    concepts: list[str],
    cells: list[int],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    assume(not any(name.startswith(".") for name in concepts))
    path = tmp_path_factory.mktemp("voc") / "t"
    matrix = np.array(cells).reshape(2, 2)
    truth = cf.Truth(
        matrix == 1, judged=matrix >= 0, items=items, concepts=concepts, unjudged="exclude"
    )
    formats.convert(cf.Collection(truth), path, "voc")
    back = cf.read_truth(path, format="voc")
    assert back.digest == truth.digest
    assert back.unjudged == "exclude" or truth.judged is None


@settings(max_examples=100)
@given(
    items=images,
    concepts=classes,
    scores=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=4, max_size=4),
    absent=st.sampled_from([(), (1,), (2,), (1, 2), (1, 3), (0, 2)]),
)
def test_a_run_comes_back_exactly(
    items: list[str],
    concepts: list[str],
    scores: list[float],
    absent: tuple[int, ...],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = tmp_path_factory.mktemp("voc") / "r.voc"
    codes = np.array([code for code in range(4) if code not in absent])
    matrix = Cells((2, 2), codes, np.array(scores)[codes]) if absent else np.reshape(scores, (2, 2))
    run = cf.Run(matrix, items=items, concepts=concepts)
    formats.convert(run, path)
    truth = cf.Truth([[1, 0], [0, 1]], items=items, concepts=concepts)
    assert cf.read_run(path, truth).digest == run.digest


def test_what_is_written_looks_like_voc(tmp_path: Path) -> None:
    truth = cf.Truth(
        [[1, 0], [0, 0]], judged=[[1, 1], [0, 1]], items=["a", "b"], unjudged="exclude"
    )
    formats.convert(cf.Collection(truth), tmp_path / "t.voc")
    written = {path.name: path.read_text() for path in (tmp_path / "t.voc").iterdir()}
    assert written == {"0_test.txt": "a  1\nb  0\n", "1_test.txt": "a -1\nb -1\n"}
    formats.write_run(cf.Run([[0.5]], items=["a"], concepts=["car"]), tmp_path / "r", "voc")
    assert (tmp_path / "r" / "comp1_cls_test_car.txt").read_text() == "a 0.5\n"


@pytest.mark.parametrize(
    ("items", "concepts", "says"),
    [
        (["a"], ["b/c"], "cannot be the name of a file"),
        (["a"], ["b\0c"], "cannot be the name of a file"),
        (["a"], ["."], "hidden file"),
        (["a"], ["x" * 300], "cannot be written"),
        (["a b"], ["c"], "has a blank in its id"),
        (["a"], [], "nothing to list"),
        ([], ["c"], "nothing to list"),
    ],
)
def test_names_that_do_not_fit_leave_nothing_behind(
    items: list[str], concepts: list[str], says: str, tmp_path: Path
) -> None:
    labels = np.ones((len(items), len(concepts)))
    truth = cf.Truth(labels, items=items, concepts=concepts)
    with pytest.raises(cf.InputError, match=says):
        cf.write_truth(truth, tmp_path / "t", "voc")
    assert list(tmp_path.iterdir()) == []


def test_a_run_with_an_item_it_never_mentions_does_not_fit(tmp_path: Path) -> None:
    run = cf.Run(Cells((2, 1), np.array([0]), np.array([0.5])), items=["a", "b"])
    with pytest.raises(cf.InputError, match="loses 1 item without any: 'b'"):
        cf.write_run(run, tmp_path / "r", "voc")


def test_a_folder_that_holds_something_is_not_replaced(tmp_path: Path, truth: cf.Truth) -> None:
    (tmp_path / "note.txt").write_text("mine")
    with pytest.raises(cf.FileError, match="is there already"):
        cf.write_truth(truth, tmp_path, "voc")
    assert (tmp_path / "note.txt").read_text() == "mine"
