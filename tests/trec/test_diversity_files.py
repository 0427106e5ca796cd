"""Judgements of subtopics: how they are recognised, read, kept and written."""

from __future__ import annotations

from pathlib import Path

import pytest

import cranfield as cf
from cranfield.formats import write_truth

JUDGED = "1 1 a 1\n1 2 a 1\n1 1 b 1\n1 3 c 2\n1 1 d 0\n2 1 a 1\n2 2 e -1\n"
RUN = "1 Q0 b 1 3 r\n1 Q0 a 2 2 r\n1 Q0 z 3 1 r\n2 Q0 e 1 2 r\n2 Q0 a 2 1 r\n"


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", ["truth.qrels", "qrels.txt", "x.dqrels"])
def test_documents_with_several_second_columns_have_subtopics(tmp_path: Path, name: str) -> None:
    truth = cf.read_truth(written(tmp_path, name, JUDGED))
    assert truth.open
    assert truth.subtopics is not None
    assert list(truth.subtopics) == ["1", "2", "3"]
    assert truth.subtopics["1"].dense()[truth.items.index("d"), 0] == 0
    relevant = {item: truth.labels[row].tolist() for row, item in enumerate(truth.items)}
    assert relevant["a"] == [True, True]
    assert relevant["e"] == [False, False]
    assert truth.largest_grade == 2


def test_a_second_column_that_tells_nothing_apart_says_nothing_unless_the_name_does(
    tmp_path: Path,
) -> None:
    text = "1 1 a 1\n1 2 b 1\n"
    assert cf.read_truth(written(tmp_path, "x.qrels", text)).subtopics is None
    assert cf.read_truth(written(tmp_path, "x.qrels", text), format="diversity").subtopics
    assert cf.read_truth(written(tmp_path, "qrels.diversity.txt", text)).subtopics
    plain = written(tmp_path, "y.qrels", "1 0 a 1\n1 0 a 1\n")
    with pytest.raises(cf.CranfieldError, match="stands on line 1 already"):
        cf.read_truth(plain)


def test_a_line_that_stands_twice_is_an_error_with_both_lines(tmp_path: Path) -> None:
    path = written(tmp_path, "x.qrels", JUDGED + "1 2 a 0\n")
    with pytest.raises(cf.CranfieldError) as refused:
        cf.read_truth(path)
    assert "x.qrels:8: topic '1', subtopic '2', document 'a' stands on line 2" in str(refused.value)


def test_grades_that_are_no_whole_numbers_are_errors_of_their_lines(tmp_path: Path) -> None:
    path = written(tmp_path, "x.dqrels", "1 1 a 1\n1 2 a 0.5\n")
    with pytest.raises(cf.CranfieldError, match=r"x.dqrels:2: .*grades are whole numbers"):
        cf.read_truth(path)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    truth = cf.read_truth(written(tmp_path, "x.qrels", JUDGED))
    write_truth(truth, tmp_path / "y.dqrels")
    again = cf.read_truth(tmp_path / "y.dqrels")
    assert again.digest == truth.digest
    assert sorted((tmp_path / "y.dqrels").read_text().splitlines()[:-1]) == sorted(
        JUDGED.splitlines()[:-1]
    )
    for other in ("z.qrels", "z.csv", "z.npz"):
        with pytest.raises(cf.CranfieldError, match=r"would lose .*subtopics"):
            write_truth(truth, tmp_path / other)


def test_parts_keep_their_subtopics_and_the_digest_knows_them(tmp_path: Path) -> None:
    truth = cf.read_truth(written(tmp_path, "x.qrels", JUDGED))
    part = truth.select(items=["a", "b", "e"], concepts=["1"])
    assert part.subtopics is not None
    assert part.subtopics["2"].dense()[:, 0].tolist() == [1, 0, 0]
    moved = cf.read_truth(written(tmp_path, "m.qrels", JUDGED.replace("1 1 b 1", "1 2 b 1")))
    assert moved.digest != truth.digest


def test_contradictions_between_labels_and_subtopics_are_errors() -> None:
    with pytest.raises(cf.CranfieldError, match="is relevant to a subtopic but not positive"):
        cf.Truth([[0]], subtopics={"1": [[1]]})
    with pytest.raises(cf.CranfieldError, match="is positive but relevant to no subtopic"):
        cf.Truth([[1]], subtopics={"1": [[0]]})


def test_a_collection_folder_with_subtopics_is_scored(tmp_path: Path) -> None:
    folder = tmp_path / "web"
    (folder / "runs").mkdir(parents=True)
    written(folder, "truth.qrels", JUDGED)
    written(folder / "runs", "r.run", RUN)
    collection = cf.read_collection(folder)
    run = cf.read_run(folder / "runs" / "r.run", collection)
    result = cf.evaluate(collection, run, ["concept.alpha_nDCG@10", "concept.P@1"])
    assert 0 < result[run.name, "concept.alpha_nDCG@10"] < 1
