"""Confusion matrices in files: every form reads as the same matrix, and errors say where."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

import cranfield as cf
from cranfield.formats.confusion import read_loss

Write = Callable[..., Path]

CLASSES = ("woman", "man", "child")
COUNTS = [[13, 2, 5], [4, 15, 1], [2, 1, 57]]
KRKOPT = Path(__file__).parents[3] / "shared" / "data" / "uci_krkopt" / "weka_3.6.14_confusion"

NAMED = {
    "csv": "true,woman,man,child\nwoman,13,2,5\nman,4,15,1\nchild,2,1,57\n",
    "tsv": "\twoman\tman\tchild\nwoman\t13\t2\t5\nman\t4\t15\t1\nchild\t2\t1\t57\n",
    "blanks": "true woman man child\nwoman 13 2 5\n\nman 4 15 1\nchild 2 1 57",
    "quoted": '"true","woman","man","child"\n"woman",13,2,5\n"man",4,15,1\n"child",2,1,57\n',
    "rows in another order": "true,woman,man,child\nchild,2,1,57\nwoman,13,2,5\nman,4,15,1\n",
    "cells": "true,said,count\n"
    + "".join(
        f"{true},{said},{count}\n"
        for true, row in zip(CLASSES, COUNTS, strict=True)
        for said, count in zip(CLASSES, row, strict=True)
    ),
    "items": "item,actual,predicted\n"
    + "".join(
        f"{true}-{said}-{place},{true},{said}\n"
        for true, row in zip(CLASSES, COUNTS, strict=True)
        for said, count in zip(CLASSES, row, strict=True)
        for place in range(count)
    ),
    "labels": "y_true\ty_pred\n"
    + "".join(
        f"{true}\t{said}\n" * count
        for true, row in zip(CLASSES, COUNTS, strict=True)
        for said, count in zip(CLASSES, row, strict=True)
    ),
    "weka": "=== Confusion Matrix ===\n\n  a  b  c   <-- classified as\n 13  2  5 |  a = woman\n"
    "  4 15  1 |  b = man\n  2  1 57 |  c = child\n\n",
}


@pytest.mark.parametrize("form", NAMED)
def test_every_form_is_the_same_matrix(form: str, file: Write) -> None:
    path = file(NAMED[form], "people.tsv" if form in ("tsv", "labels") else "people")
    system = cf.formats.read_confusion(path)
    assert sorted(system.classes) == sorted(CLASSES)
    assert system.in_order(CLASSES).counts.tolist() == COUNTS
    assert system.name == "people"


@pytest.mark.parametrize(
    "text",
    ["13,2,5\n4,15,1\n2,1,57\n", "13 2 5\n 4 15 1 \n2 1 57", "13\t2\t5\n4\t15\t1\n2\t1\t57\n"],
)
def test_a_matrix_of_numbers_has_numbered_classes(text: str, file: Write) -> None:
    system = cf.formats.read_confusion(file(text, "numbers.txt"))
    assert system.classes == ("0", "1", "2")
    assert system.counts.tolist() == COUNTS


def test_a_packed_file_is_read_as_any_other(tmp_path: Path) -> None:
    path = tmp_path / "people.csv.gz"
    path.write_bytes(gzip.compress(NAMED["csv"].encode()))
    assert cf.formats.read_confusion(path).counts.tolist() == COUNTS


def test_a_matrix_need_not_be_square(file: Write) -> None:
    system = cf.formats.read_confusion(file("true,x,y,unsure\nx,3,0,1\ny,1,2,0\n"))
    assert (system.true, system.said) == (("x", "y"), ("x", "y", "unsure"))


@pytest.mark.parametrize("ending", ["csv", "tsv", "csv.gz"])
def test_what_is_written_reads_back(ending: str, tmp_path: Path) -> None:
    odd = cf.Confusion([[0.1, 2, 0], [1e-7, 3, 1]], ['a,"b"', "c d"], said=["c d", "e\tf", "g"])
    path = tmp_path / f"m.{ending}"
    cf.formats.write_confusion(odd, path)
    back = cf.formats.read_confusion(path)
    assert (back.true, back.said) == (odd.true, odd.said)
    assert back.counts.tolist() == odd.counts.tolist()


def test_two_files_of_labels_align_by_item(file: Write) -> None:
    truth = file("item,label\n1,a\n2,b\n3,b\n", "truth.csv")
    said = file("id\tclass\n3\ta\n1\ta\n2\tb\n", "mine.tsv")
    system = cf.formats.read_confusion(truth, said)
    assert system.name == "mine"
    assert system.counts.tolist() == [[1, 0], [1, 1]]


def test_two_files_must_hold_the_same_items(file: Write) -> None:
    truth = file("item,label\n1,a\n2,b\n", "truth.csv")
    with pytest.raises(cf.FileError, match=r"less\.csv: 1 item without a label: '2'"):
        cf.formats.read_confusion(truth, file("item,label\n1,a\n", "less.csv"))
    with pytest.raises(cf.FileError, match=r"truth\.csv: 1 item without a label: '9'"):
        cf.formats.read_confusion(truth, file("item,label\n1,a\n2,b\n9,a\n", "more.csv"))


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("true,a,b\na,1,-2\n", 2, "row 'a', column 'b': -2"),
        ("true,a,b\na,1,x\n", 2, "'x' is not a number"),
        ("true,a,b\na,1,\n", 2, "no value"),
        ("true,a,b\na,1,nan\n", 2, "'nan' is not a number"),
        ("true,a,b\na,1\n", 2, "has 1 value; expected 2 as the header names"),
        ("true,a,b\na,1,2\na,3,4\n", 3, "stands on line 2 already"),
        ("true,a,a\na,1,2\n", 1, "names 'a' more than once"),
        ("true,a,\na,1,2\n", 1, "leaves a class without name"),
        ("true;a;b\na;1;2\n", 1, "semicolons"),
        ("true,a,b\n", None, "no lines with values"),
        ("1,2\n3\n", 2, "row '3' has 0 values; expected 1 more"),
        ("1,2\nx,4\n", 2, "value 1: 'x' is not a number"),
        ("1,2\n3,1e999\n", 2, "too large"),
        ("hello\n", 1, "write a matrix with the header"),
        ("item,label\n1,a\n", 1, "give two such files"),
        ("true,said,count\na,b,1\na,b,2\n", 3, "stands on line 2 already"),
        ("true,said,count\na,b,-1\n", 2, "true class 'a', said 'b': -1"),
        ("true,said,count\na,b\n", 2, "expected one count"),
        ("item,true,said\n1,a,b\n1,a,a\n", 3, "item '1' stands on line 2 already"),
        ("item,true,said\n1,a\n", 2, "expected item,true,said"),
        ("a b <-- classified as\n1 2 | a = x\n3 | b = y\n", 3, "no row of Weka's matrix"),
        ("a b <-- classified as\n1 2 | a = x\n", None, "it needs a row for each class"),
        ("a b <-- classified as\n1 2 | a = x\n3 4 | b = x\n", 3, "has a row already"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(
    text: str, line: int | None, message: str, file: Write
) -> None:
    with pytest.raises(cf.FileError, match=message.replace("|", r"\|")) as caught:
        cf.formats.read_confusion(file(text, "bad.csv" if "<--" not in text else "bad.txt"))
    assert caught.value.line == line


def test_a_folder_is_no_confusion_matrix(tmp_path: Path) -> None:
    with pytest.raises(cf.FileError, match="this is a folder"):
        cf.formats.read_confusion(tmp_path)


def test_costs_are_read_with_and_without_names_and_may_be_negative(file: Write) -> None:
    people = cf.Confusion(COUNTS, CLASSES)
    expected = people.loss([[0, 1, 2], [1, 0, 5], [2, 5, -1]])
    named = file("true,man,woman,child\nchild,5,2,-1\nwoman,1,0,2\nman,0,1,5\n", "named.csv")
    plain = file("0,1,2\n1,0,5\n2,5,-1\n", "plain.csv")
    for path in (named, plain):
        assert read_loss(path, people)["loss(kind=custom)"] == pytest.approx(expected)
    with pytest.raises(cf.FileError, match=r"few\.csv: costs lack classes: 'woman'"):
        read_loss(file("true,man,child\nman,0,1\nchild,1,0\n", "few.csv"), people)
    with pytest.raises(cf.FileError, match="write a cost for every cell"):
        read_loss(file("0,1,2\n1,,5\n2,5,-1\n", "gap.csv"), people)


@pytest.mark.skipif(not KRKOPT.is_dir(), reason="the matrices of the chess end game are not here")
def test_naive_bayes_on_the_chess_end_game_scores_as_holt_et_al_print() -> None:
    system = cf.formats.read_confusion(KRKOPT / "cm_bayes.NaiveBayes.csv")
    assert system["false_ratio"] == pytest.approx(0.653, abs=0.002)
    assert system["completeness"] == pytest.approx(0.238, abs=0.002)
    matrices = [cf.formats.read_confusion(path) for path in sorted(KRKOPT.glob("*.csv"))]
    assert [one.total for one in matrices] == [28056] * 4


@pytest.mark.parametrize("ending", ["csv", "tsv", "txt"])
@pytest.mark.parametrize("matrix", [[[5]], [[5], [3]], [[1, 2, 3], [4, 5, 6.5]]])
def test_a_matrix_without_names_reads_back_without_names(
    matrix: list[list[float]], ending: str, tmp_path: Path
) -> None:
    path = tmp_path / f"m.{ending}"
    cf.formats.write_confusion(cf.Confusion(matrix), path)
    back = cf.formats.read_confusion(path)
    assert back.counts.tolist() == matrix
    assert not back.table.named


def test_tabs_in_names_read_back_whatever_the_file_is_called(tmp_path: Path) -> None:
    cf.formats.write_confusion(cf.Confusion([[1, 2], [3, 4]], ["a\tb", "c"]), tmp_path / "m.txt")
    assert cf.formats.read_confusion(tmp_path / "m.txt").classes == ("a\tb", "c")


@pytest.mark.parametrize("name", ["", "a\rb"])
def test_what_could_not_be_read_back_is_not_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(cf.InputError, match="give it another name"):
        cf.formats.write_confusion(cf.Confusion([[1, 2], [3, 4]], [name, "c"]), tmp_path / "m.csv")
    assert not (tmp_path / "m.csv").exists()


@pytest.mark.parametrize("blank", ["\v", "\f", " \v\f "])
@pytest.mark.usefixtures("parser")
def test_lines_of_any_white_space_are_blank(tmp_path: Path, blank: str) -> None:
    path = tmp_path / "table.tsv"
    path.write_text(f"113 \n{blank}\n")
    assert cf.formats.read_confusion(path).counts.tolist() == [[113]]
