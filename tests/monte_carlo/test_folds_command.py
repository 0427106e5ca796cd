"""`cranfield cross-validate`."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from small_data import IRIS, SPECIES, write_iris
from typer.testing import CliRunner, Result

import cranfield as cf
from cranfield.cli.program import app


def call(*words: object) -> Result:
    return CliRunner(env={"COLUMNS": "200"}).invoke(app, ["cross-validate", *map(str, words)])


@pytest.fixture
def iris(tmp_path: Path) -> Path:
    return write_iris(tmp_path / "iris.csv")


def quick(iris: Path, *words: object) -> Result:
    return call(iris, "--folds", 3, "--repeats", 2, "--workers", 1, *words)


def test_json_holds_what_scikit_learn_finds(iris: Path) -> None:
    done = quick(iris, "--estimator", "gaussian_nb", "--seed", 4, "--json", "-m", "kappa")
    (estimator,) = json.loads(done.output)["estimators"]
    scores = {one["measure"]: one["repeats"] for one in estimator["scores"]}
    for repeat, seed in enumerate((4, 5)):
        cut = StratifiedKFold(3, shuffle=True, random_state=seed)
        said = cross_val_predict(GaussianNB(), IRIS, SPECIES, cv=cut)
        theirs = cf.Confusion.from_labels(SPECIES, said)
        for name in ("false_ratio", "completeness", "accuracy", "kappa"):
            assert scores[f"confusion.{name}"][repeat] == pytest.approx(theirs[name], abs=1e-12)


def test_the_table_shows_estimators_pairs_and_what_was_done(iris: Path) -> None:
    done = quick(iris, "--estimator", "majority", "--estimator", "knn", "--no-stratified")
    lines = [line.split() for line in done.output.splitlines() if line.strip()]
    firsts = [line[0] for line in lines]
    assert firsts.index("knn") < firsts.index("majority"), "the best is on top"
    assert "A = knn, B = majority" in done.output
    assert "2 repeats of 3 folds, seeds 0 to 1" in done.output
    assert "corrected resampled t-test" in done.output


def test_names_and_numbers_stay_whole_on_a_narrow_screen(iris: Path) -> None:
    words = ["--folds", "3", "--repeats", "2", "--estimator", "gaussian_nb", "-m", "kappa"]
    done = CliRunner(env={"COLUMNS": "60"}).invoke(app, ["cross-validate", str(iris), *words])
    assert done.output.count("gaussian_nb") > 1, "columns go on in further tables"
    assert "…" not in done.output


def test_csv_has_a_line_for_each_repeat(iris: Path) -> None:
    done = quick(iris, "--estimator", "knn", "--grid", "n_neighbors=1,3", "--csv")
    rows = list(csv.DictReader(io.StringIO(done.output)))
    assert [row["estimator"] for row in rows] == [
        *["knn(n_neighbors=1)"] * 2,
        *["knn(n_neighbors=3)"] * 2,
    ]
    assert all(0.9 < float(row["accuracy"]) < 1 for row in rows)


def test_a_grid_keeps_its_order_and_many_pairs_shrink_to_the_best(iris: Path) -> None:
    done = quick(iris, "--estimator", "knn", "--grid", "n_neighbors=60,1,3,5,9,11")
    names = [line.split()[0] for line in done.output.splitlines() if line.startswith("  knn(")]
    assert names[:3] == [f"knn(n_neighbors={n})" for n in (60, 1, 3)]
    assert "against the others; JSON holds all pairs" in done.output


def test_files_are_written_by_their_ending(iris: Path, tmp_path: Path) -> None:
    for name, begin in (
        ("out.json", "{"),
        ("out.csv", "estimator,"),
        ("out.tex", r"\begin{tabular}"),
        ("out.txt", "\n  estimator"),
    ):
        done = quick(iris, "--estimator", "majority", "-o", tmp_path / name)
        assert done.exit_code == 0, done.output
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(begin)


def test_files_without_header_and_with_categories_are_read(tmp_path: Path) -> None:
    path = tmp_path / "codes.data"
    codes = np.round(IRIS).astype(int)
    lines = [",".join(map(str, [*row, name])) for row, name in zip(codes, SPECIES, strict=True)]
    path.write_text("\n".join(lines) + "\n")
    by_number = quick(path, "--no-header", "--estimator", "naive_bayes", "--json")
    by_name = quick(
        path, "--no-header", "--categorical", "all", "--estimator", "naive_bayes", "--json"
    )
    counted, named = (json.loads(done.output)["estimators"][0] for done in (by_number, by_name))
    assert counted["scores"][2]["repeats"] == named["scores"][2]["repeats"]
    assert counted["scores"][2]["mean"] > 0.9


def test_estimators_of_ones_own_are_found_where_one_works(
    iris: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine_only_here.py").write_text(
        "from sklearn.tree import DecisionTreeClassifier\n"
        "def stump(depth=1): return DecisionTreeClassifier(max_depth=depth)\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    done = quick(iris, "--estimator", "mine_only_here:stump(depth=2)", "--csv")
    assert done.exit_code == 0, done.output
    assert "mine_only_here:stump(depth=2)" in done.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--folds", 3], "Missing option '--estimator'"),
        (["--folds", 3, "--estimator", "knn", "--grid", "k"], "such as max_depth=2,4,8"),
        (["--folds", 1, "--estimator", "knn"], "--folds"),
        (["--folds", 3, "--estimator", "bayes"], "'bayes' is no estimator"),
        (["--folds", 3, "--estimator", "knn", "--grid", "k=1,2"], "has no parameter 'k'"),
        (["--folds", 3, "--estimator", "knn", "-m", "loss(kind=custom)"], "costs"),
        (["--folds", 3, "--estimator", "knn", "-m", "concept.AP"], "is no measure of"),
        (["--folds", 3, "--estimator", "knn", "-o", "x.doc"], "does not say what to write"),
    ],
)
def test_wrong_usage_ends_with_2(iris: Path, words: list[object], message: str) -> None:
    done = call(iris, *words)
    assert done.exit_code == 2, done.output
    assert message in " ".join(done.output.replace("│", " ").split())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--estimator", "knn", "--target", "sort"], "there is no column 'sort'"),
        (["--estimator", "knn", "--no-header"], "iris.csv"),
    ],
)
def test_bad_input_ends_with_1_and_no_traceback(
    iris: Path, words: list[object], message: str
) -> None:
    done = quick(iris, *words)
    assert done.exit_code == 1, done.output
    assert message in done.output
    assert "Traceback" not in done.output


def test_confusion_says_where_cross_validation_went(iris: Path) -> None:
    words = ["confusion", str(iris), "--folds", "3", "--estimator", "knn"]
    done = CliRunner(env={"COLUMNS": "200"}).invoke(app, words)
    assert done.exit_code == 2
    assert "cranfield cross-validate DATA --folds K" in done.output


def test_data_are_never_written_over(iris: Path) -> None:
    before = iris.read_bytes()
    done = quick(iris, "--estimator", "majority", "-o", iris)
    assert done.exit_code == 2
    assert iris.read_bytes() == before
