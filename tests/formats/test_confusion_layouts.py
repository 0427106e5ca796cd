"""Confusion matrices laid out either way read as the same matrix; unclear titles are refused."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.metrics import accuracy_score, confusion_matrix, recall_score

import cranfield as cf
from cranfield.formats.confusion import read_loss

Write = Callable[..., Path]

CLASSES = ["woman", "man", "child"]
TRUE = ["woman"] * 20 + ["man"] * 20 + ["child"] * 60
SAID = [
    *("woman",) * 13 + ("man",) * 2 + ("child",) * 5,
    *("woman",) * 4 + ("man",) * 15 + ("child",),
    *("woman",) * 2 + ("man",) + ("child",) * 57,
]
COUNTS = confusion_matrix(TRUE, SAID, labels=CLASSES)
TRUTH_ROWS = "woman,13,2,5\nman,4,15,1\nchild,2,1,57\n"
SYSTEM_ROWS = "woman,13,4,2\nman,2,15,1\nchild,5,1,57\n"
NAMES = ",woman,man,child\n"


def crosstab(**options: Any) -> pd.DataFrame:
    return pd.crosstab(pd.Series(SAID, name="Predicted"), pd.Series(TRUE, name="Actual"), **options)


def printed(frame: pd.DataFrame) -> str:
    return str(frame.to_string()) + "\n"


LAYOUTS = {
    # What R prints of table(Prediction = said, Reference = true), as caret and yardstick do.
    "caret": "          Reference\nPrediction woman man child\n     woman    13   4     2\n"
    "     man       2  15     1\n     child     5   1    57\n",
    "caret's whole output": "Confusion Matrix and Statistics\n\n          Reference\n"
    "Prediction woman man child\n     woman    13   4     2\n     man       2  15     1\n"
    "     child     5   1    57\n\nOverall Statistics\n                                          \n"
    "               Accuracy : 0.85            \n                 95% CI : (0.76, 0.91)\n",
    "R's table in two parts": "       pred\ntruth   woman man\n  woman    13   2\n"
    "  man       4  15\n  child     2   1\n"
    "       pred\ntruth   child\n  woman     5\n  man       1\n  child    57\n",
    "R's data frame": '"","Prediction","Reference","Freq"\n'
    + "".join(
        f'"{place}","{said}","{true}",{COUNTS[CLASSES.index(true), CLASSES.index(said)]}\n'
        for place, (said, true) in enumerate(
            ((said, true) for true in CLASSES for said in CLASSES), start=1
        )
    ),
    "pandas crosstab as CSV": crosstab().to_csv(),
    "pandas crosstab as text": printed(crosstab()),
    "pandas crosstab of truth rows": printed(crosstab().T),
    "pandas crosstab stacked": crosstab().stack().reset_index().to_csv(index=False),
    "scikit-learn with named axes": pd.DataFrame(
        COUNTS, [f"true:{name}" for name in CLASSES], [f"pred:{name}" for name in CLASSES]
    ).to_csv(),
    "scikit-learn transposed": pd.DataFrame(
        COUNTS.T, [f"Predicted {name}" for name in CLASSES], [f"Actual {name}" for name in CLASSES]
    ).to_csv(),
    "one axis named": ",pred_woman,pred_man,pred_child\n" + TRUTH_ROWS,
    "weka": " a  b  c   <-- classified as\n13  2  5 |  a = woman\n 4 15  1 |  b = man\n"
    " 2  1 57 |  c = child\n",
    "items, the system first": "item,predicted,actual\n"
    + "".join(f"{place},{s},{t}\n" for place, (s, t) in enumerate(zip(SAID, TRUE, strict=True))),
    "labels, the system first": "y_pred,y_true\n"
    + "".join(f"{s},{t}\n" for s, t in zip(SAID, TRUE, strict=True)),
    **{
        f"corner {corner!r}": corner + NAMES + TRUTH_ROWS
        for corner in (
            *(
                "",
                "class",
                "Confusion matrix",
                "true",
                "Actual class",
                "y_true",
                "gold",
                "truth",
                "true/said",
            ),
            *("reference \\ hypothesis", "Actual vs. predicted", "columns: predicted"),
            *("rows = truth; columns = system output", "ground truth"),
        )
    },
    **{
        f"corner {corner!r}": corner + NAMES + SYSTEM_ROWS
        for corner in (
            *("said", "Predicted", "recognised", "recognized", "system", "output", "y_pred"),
            *("predicted\\actual", "Prediction/Reference", "said | true", "columns: true"),
            *("classified as", "rows: predicted; columns: actual", "predicted class"),
        )
    },
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_the_same_matrix(layout: str, file: Write) -> None:
    text = LAYOUTS[layout]
    system = cf.formats.read_confusion(
        file(text, "m.csv" if "," in text.splitlines()[0] else "m.txt")
    )
    assert sorted(system.classes) == sorted(CLASSES)
    assert system.in_order(CLASSES).counts.tolist() == COUNTS.tolist()
    assert system["accuracy"] == accuracy_score(TRUE, SAID)
    by_class = dict(zip(*system.by_class()["class", "TPR"], strict=True))
    recalls = recall_score(TRUE, SAID, labels=CLASSES, average=None)
    assert [by_class[name] for name in CLASSES] == pytest.approx(recalls.tolist())


@pytest.mark.parametrize("text", ["13,4,2\n2,15,1\n5,1,57\n", NAMES + SYSTEM_ROWS])
def test_rows_of_a_table_without_titles_can_be_stated(text: str, file: Write) -> None:
    path = file(text)
    assert cf.formats.read_confusion(path, rows="system").counts.tolist() == COUNTS.tolist()
    assert cf.formats.read_confusion(path).counts.tolist() == COUNTS.T.tolist()
    assert cf.formats.read_confusion(path, rows="truth").counts.tolist() == COUNTS.T.tolist()


@pytest.mark.parametrize(
    "corner",
    [
        *("true → said", "actual→/predicted↓", "true/said/true", "true rows, predicted columns"),
        *("erkannt", "heard", "listener's answer", "rows: heard"),
    ],
)
def test_a_corner_that_says_both_or_neither_unclearly_is_refused(corner: str, file: Write) -> None:
    path = file('"' + corner + '"' + NAMES + TRUTH_ROWS, "unclear.csv")
    with pytest.raises(cf.FileError, match=r"unclear\.csv: .* rows="):
        cf.formats.read_confusion(path)
    assert cf.formats.read_confusion(path, rows="truth").counts.tolist() == COUNTS.tolist()


def test_titles_that_name_the_same_side_twice_are_refused(file: Write) -> None:
    path = file("predicted,pred:woman,pred:man,pred:child\n" + TRUTH_ROWS)
    with pytest.raises(cf.FileError, match="name the same side"):
        cf.formats.read_confusion(path)
    with pytest.raises(cf.FileError, match="name the same side"):
        cf.formats.read_confusion(file("Predicted a b\nSaid\na 1 2\nb 3 4\n", "m.txt"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (crosstab(margins=True).to_csv(), "holds the sums"),
        ("true" + NAMES[:-1] + ",Total\n" + "woman,13,2,5,20\nman,4,15,1,20\n", "holds the sums"),
        ("woman,man,child\n13,2,5\n4,15,1\n2,1,57\n", "each row with its class"),
        ("id,y_true,y_pred,p\n1,0,0,0.5\n2,1,0,0.5\n", "names columns of labels"),
        ("predicted,actual,probability\n0,1,5\n1,0,3\n", "names columns of labels"),
        ("pred truth a\n", "no lines with values"),
        ("Reference\nPrediction a b\na 1 x\n", "'a 1 x' is no row of the table"),
        ("Reference\nPrediction a b\na 1 2\nb 3\n", "'b 3' is no row of the table"),
    ],
)
def test_what_would_be_taken_for_classes_is_refused(text: str, message: str, file: Write) -> None:
    with pytest.raises(cf.FileError, match=message):
        cf.formats.read_confusion(file(text, "m.csv" if "," in text else "m.txt"))


def test_classes_that_are_called_like_titles_stay_classes(file: Write) -> None:
    text = "true,true crime,true love\ntrue crime,3,1\ntrue love,0,2\n"
    system = cf.formats.read_confusion(file(text, "books.csv"))
    assert system.classes == ("true crime", "true love")
    told = cf.formats.read_confusion(file("class,true,false\ntrue,3,1\nfalse,0,2\n", "facts.csv"))
    assert told.counts.tolist() == [[3, 1], [0, 2]]


def test_frames_say_by_their_axes_which_way_they_lie() -> None:
    expected = cf.Confusion.from_labels(TRUE, SAID).counts.tolist()
    assert cf.Confusion(crosstab()).counts.tolist() == expected
    assert cf.Confusion(crosstab().T).counts.tolist() == expected
    assert cf.Confusion(crosstab().rename_axis(index=None)).counts.tolist() == expected
    named = pd.DataFrame(
        COUNTS.T, [f"pred:{name}" for name in CLASSES], [f"true:{name}" for name in CLASSES]
    )
    assert cf.Confusion(named).in_order(CLASSES).counts.tolist() == COUNTS.tolist()
    polars = pl.from_pandas(crosstab().reset_index())
    assert cf.Confusion(polars).counts.tolist() == expected
    plain = crosstab().rename_axis(index=None, columns=None)
    assert cf.Confusion(plain, rows="system").counts.tolist() == expected
    assert cf.Confusion(COUNTS.T, CLASSES, rows="system").counts.tolist() == COUNTS.tolist()
    with pytest.raises(cf.InputError, match="name the same side"):
        cf.Confusion(crosstab().rename_axis(columns="output"))
    with pytest.raises(cf.InputError, match="choose 'truth' or 'system'"):
        cf.Confusion(COUNTS, rows="columns")  # type: ignore[arg-type]


def test_a_matrix_that_is_not_square_keeps_its_sides(file: Write) -> None:
    system = cf.formats.read_confusion(file("said,x,y\nx,3,1\ny,0,2\nunsure,1,0\n"))
    assert (system.true, system.said) == (("x", "y"), ("x", "y", "unsure"))
    assert system.counts.tolist() == [[3, 0, 1], [1, 2, 0]]


def test_costs_follow_their_titles_too(file: Write) -> None:
    people = cf.Confusion(COUNTS, CLASSES)
    costs = np.array([[0, 1, 2], [3, 0, 5], [4, 6, -1]])
    frame = pd.DataFrame(costs, CLASSES, CLASSES)
    for rows in (frame.rename_axis(index="true"), frame.T.rename_axis(index="predicted")):
        buffer = io.StringIO()
        rows.to_csv(buffer)
        priced = read_loss(file(buffer.getvalue(), "costs.csv"), people)
        assert priced["loss(kind=custom)"] == people.loss(costs)
        assert people.loss(rows) == people.loss(costs)


def test_files_of_labels_given_the_wrong_way_round_are_refused(file: Write) -> None:
    truth = file("item,y_true\n1,a\n2,b\n", "truth.csv")
    said = file("item,y_pred\n1,a\n2,a\n", "said.csv")
    assert cf.formats.read_confusion(truth, said).counts.tolist() == [[1, 0], [1, 0]]
    with pytest.raises(cf.FileError, match=r"said\.csv:1: .*truth first"):
        cf.formats.read_confusion(said, truth)
    with pytest.raises(cf.InputError, match="rows= is for a matrix"):
        cf.formats.read_confusion(truth, said, rows="truth")


def test_a_list_says_itself_which_labels_are_true(file: Write) -> None:
    with pytest.raises(cf.FileError, match="leave it out"):
        cf.formats.read_confusion(file("true,said,count\na,b,1\n"), rows="system")
