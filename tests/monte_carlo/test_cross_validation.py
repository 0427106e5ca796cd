"""Repeated cross-validation, held against scikit-learn's own."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from scipy.sparse import coo_array
from sklearn.compose import ColumnTransformer
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, confusion_matrix
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.naive_bayes import CategoricalNB, GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier
from small_data import IRIS, SPECIES, Always, Failing

import cranfield as cf
from cranfield.core.progress import Step


def refused(message: str) -> pytest.RaisesExc[cf.InputError]:
    return pytest.raises(cf.InputError, match=re.escape(message))


def validated(estimators: Any, **options: Any) -> cf.tasks.MonteCarlo:
    chosen = {"folds": 3, "repeats": 2, "workers": 1} | options
    return cf.tasks.monte_carlo(estimators, IRIS, SPECIES, **chosen)


# ── against scikit-learn ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("estimator", "stratified"),
    [(GaussianNB(), True), (GaussianNB(), False), (DecisionTreeClassifier(random_state=3), True)],
)
def test_each_repeat_is_the_confusion_matrix_of_cross_val_predict(
    estimator: Any, stratified: bool
) -> None:
    result = cf.tasks.monte_carlo(
        estimator, IRIS, SPECIES, folds=4, repeats=3, seed=7, stratified=stratified, workers=1
    )
    for repeat, seed in enumerate(result.seeds):
        kind = StratifiedKFold if stratified else KFold
        said = cross_val_predict(
            estimator, IRIS, SPECIES, cv=kind(4, shuffle=True, random_state=seed)
        )
        ours = result.confusion(result.names[0], repeat)
        np.testing.assert_array_equal(ours.counts, confusion_matrix(SPECIES, said))
        assert ours["accuracy"] == pytest.approx(accuracy_score(SPECIES, said), abs=1e-12)
    assert list(result.seeds) == [7, 8, 9]


def test_scores_of_folds_are_those_of_cross_val_score() -> None:
    result = validated(GaussianNB(), folds=5)
    for repeat, seed in enumerate(result.seeds):
        cut = StratifiedKFold(5, shuffle=True, random_state=seed)
        theirs = cross_val_score(GaussianNB(), IRIS, SPECIES, cv=cut)
        ours = result.fold_scores("GaussianNB", "accuracy")[repeat]
        np.testing.assert_allclose(ours, theirs, atol=1e-12)


def test_naive_bayes_by_its_short_name_is_categorical_naive_bayes() -> None:
    halves = np.round(IRIS).astype(int)
    codes = np.stack([np.unique(column, return_inverse=True)[1] for column in halves.T], axis=1)
    sizes = codes.max(axis=0) + 1
    result = cf.tasks.monte_carlo(
        {"ours": "naive_bayes", "theirs": CategoricalNB(min_categories=sizes)},
        codes,
        SPECIES,
        folds=5,
        repeats=2,
        workers=1,
    )
    np.testing.assert_array_equal(result.counts("ours"), result.counts("theirs"))


def test_short_names_encode_categories_and_scale_numbers() -> None:
    colours = np.array([0.0, 2.0, 1.0] * 50)
    data = cf.tasks.Dataset(
        np.column_stack([IRIS[:, 0], colours]),
        SPECIES,
        names=["sepal", "colour"],
        categories={"colour": ["red", "green", "blue"]},
    )
    plain = np.column_stack(
        [IRIS[:, 0], OneHotEncoder(sparse_output=False).fit_transform(colours[:, None])]
    )
    theirs = make_pipeline(
        ColumnTransformer([("number", StandardScaler(), [0])], remainder="passthrough"),
        LogisticRegression(max_iter=1000),
    )
    ours = cf.tasks.monte_carlo("logistic", data, folds=3, repeats=2, workers=1)
    other = cf.tasks.monte_carlo(
        {"logistic": theirs}, plain, SPECIES, folds=3, repeats=2, workers=1
    )
    np.testing.assert_array_equal(ours.counts("logistic"), other.counts("logistic"))


@pytest.mark.parametrize(
    "name", ["gaussian_nb", "decision_tree", "random_forest(n_estimators=5)", "knn", "svm"]
)
def test_every_learner_beats_the_majority(name: str) -> None:
    result = validated([name, "majority"])
    assert result.contest(name, "majority", "accuracy").wins == (1.0, 0.0)


def test_boosting_and_chance_take_categories_too() -> None:
    data = cf.tasks.Dataset(
        np.column_stack([IRIS[:, 2], np.arange(150) % 2]),
        SPECIES,
        names=["petal", "side"],
        categories={"side": ["left", "right"]},
    )
    names = ["boosting(max_iter=5)", "chance", "gaussian_nb"]
    result = cf.tasks.monte_carlo(names, data, folds=2, repeats=1, workers=1)
    better, worse = (result.scores(name, "accuracy")[0] for name in names[:2])
    assert better > 0.9 > 0.6 > worse


# ── what estimators may be given ──────────────────────────────────────────────────────────────


def test_features_may_be_texts() -> None:
    texts = [f"the {name} {number % 3}" for number, name in enumerate(SPECIES)]
    model = make_pipeline(CountVectorizer(), MultinomialNB())
    result = cf.tasks.monte_carlo(
        {"words": model}, texts, list(SPECIES), folds=3, repeats=1, workers=1
    )
    assert result.confusion("words")["accuracy"] == 1.0


def test_features_may_be_frames_and_sparse_matrices() -> None:
    import pandas as pd

    frame = pd.DataFrame(IRIS, columns=list("abcd"))
    expected = validated({"tree": "decision_tree"}).counts("tree")
    for features in (frame, coo_array(IRIS)):
        result = cf.tasks.monte_carlo(
            {"tree": DecisionTreeClassifier()}, features, SPECIES, folds=3, repeats=2, workers=1
        )
        np.testing.assert_array_equal(result.counts("tree"), expected)


@pytest.mark.parametrize("form", [coo_array, lambda x: [str(row) for row in x.tolist()]])
def test_a_signature_tells_features_apart_whatever_they_are(form: Any) -> None:
    def signature(features: Any) -> str:
        made = cf.tasks.monte_carlo(
            {"it": DummyClassifier()}, form(features), SPECIES, folds=2, repeats=1, workers=1
        )
        return made.signature("it", "accuracy")

    other = IRIS.copy()
    other[3, 2] += 1
    assert signature(IRIS) == signature(IRIS.copy()) != signature(other)


def test_classes_may_be_numbers_and_stand_in_their_order() -> None:
    result = cf.tasks.monte_carlo(
        GaussianNB(), IRIS, np.repeat([10.0, 9.0, 2.0], 50), folds=2, repeats=1, workers=1
    )
    assert result.classes == ("2", "9", "10")


# ── chance ────────────────────────────────────────────────────────────────────────────────────


def test_workers_change_nothing_even_for_estimators_that_draw() -> None:
    models = {"forest": RandomForestClassifier(5), "tree": "decision_tree(splitter=random)"}
    one, two = (validated(models, repeats=3, workers=workers) for workers in (1, 2))
    for name in models:
        np.testing.assert_array_equal(one.counts(name), two.counts(name))
    assert one.to_json() == two.to_json()


def test_estimators_do_not_depend_on_each_other() -> None:
    together = validated(["decision_tree(splitter=random)", "chance"])
    alone = validated("chance")
    np.testing.assert_array_equal(together.counts("chance"), alone.counts("chance"))


def test_later_repeats_are_those_of_later_seeds() -> None:
    long, late = validated("chance", repeats=4, seed=5), validated("chance", repeats=2, seed=7)
    np.testing.assert_array_equal(long.counts("chance")[2:], late.counts("chance"))
    assert (long.counts("chance")[0] != long.counts("chance")[1]).any()


def test_progress_is_told_of_every_repeat_of_every_estimator() -> None:
    steps: list[float] = []

    @contextmanager
    def listener(stage: str, total: float) -> Iterator[Step]:
        assert total == 6
        yield steps.append

    validated(["majority", "gaussian_nb"], repeats=3, progress=listener)
    assert len(steps) == 6


def test_what_estimators_warn_of_is_noted() -> None:
    result = validated("logistic(max_iter=1)")
    assert "ConvergenceWarning" in result.notes[0]
    assert result.notes[0].endswith("(in 6 of 6 fits)")


# ── grids ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("estimator", ["decision_tree", DecisionTreeClassifier()])
def test_a_grid_varies_one_parameter(estimator: Any) -> None:
    result = validated({"tree": estimator}, grid={"max_depth": [1, 3]})
    assert result.names == ("tree(max_depth=1)", "tree(max_depth=3)")
    assert [cloud.setting for cloud in result.clouds] == [("max_depth", 1), ("max_depth", 3)]
    assert {cloud.family for cloud in result.clouds} == {"tree"}
    single = validated("decision_tree(max_depth=1)")
    np.testing.assert_array_equal(
        result.counts("tree(max_depth=1)"), single.counts("decision_tree(max_depth=1)")
    )


def test_a_grid_joins_parameters_that_were_spelled() -> None:
    result = validated("knn(weights=distance)", grid={"n_neighbors": [1, 2]})
    assert result.names[0] == "knn(weights=distance,n_neighbors=1)"


# ── errors ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        ("bayes", "'bayes' is no estimator; choose one of naive_bayes"),
        ("knn(k=3)", "knn has no parameter 'k'"),
        ("knn(3)", "write parameters as name=value"),
        ("knn(n_neighbors=)", "write parameters as name=value"),
        ("knn(n_neighbors=-1)", "knn(n_neighbors=-1): fold 1 of seed 0: InvalidParameterError"),
        ("a b", "'a b' is no estimator"),
        ("no_such_module:model", "no_such_module:model: ModuleNotFoundError"),
        ("small_data:Missing", "small_data:Missing: AttributeError"),
        ("small_data:write_iris", "small_data:write_iris: TypeError"),
        ("naive_bayes", "feature '1' holds fractions such as 5.1; take gaussian_nb"),
        ([], "there is no estimator"),
        (["svm", "svm"], "two estimators are called 'svm'"),
        (GaussianNB, "is no estimator, it is the class GaussianNB"),
        (StandardScaler(), "is no estimator, it lacks predict"),
        (Failing(), "Failing: fold 1 of seed 0: RuntimeError: out of ideas"),
        (Always("rose"), "said 'rose', which is no class"),
        (Always(0.5), "said '0.5', which is no class"),
    ],
)
def test_estimators_that_cannot_be_used_are_named(estimator: Any, message: str) -> None:
    with refused(message):
        validated(estimator)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"folds": 1}, "folds=1; give a whole number from 2 up"),
        ({"folds": 2.5}, "folds=2.5; give a whole number"),
        ({"repeats": 2.5}, "repeats=2.5; give a whole number"),
        ({"folds": 151}, "folds=151; cut 150 items"),
        ({"folds": 60}, "the largest class has 50 items"),
        ({"repeats": 0}, "repeats=0"),
        ({"seed": -1}, "seed=-1"),
        ({"workers": 0}, "workers=0"),
        ({"grid": {"a": [1], "b": [2]}}, "the grid has 2 parameters"),
        ({"grid": {"var_smoothing": []}}, "the grid gives no value to var_smoothing"),
        ({"grid": {"depth": [1]}}, "has no parameter 'depth'"),
    ],
)
def test_wishes_that_cannot_be_met_are_named(options: dict[str, Any], message: str) -> None:
    with refused(message):
        validated(GaussianNB(), **options)


@pytest.mark.parametrize(
    ("measure", "message"),
    [("concept.AP", "no measure of a confusion matrix"), ("loss(kind=custom)", "needs a matrix")],
)
def test_measures_that_cannot_be_computed_are_refused_before_the_work(
    measure: str, message: str
) -> None:
    with pytest.raises(cf.CranfieldError, match=message):
        validated(Failing(), measures=[measure])


@pytest.mark.parametrize(
    ("features", "classes", "message"),
    [
        (IRIS, None, "the features come without classes"),
        (IRIS, SPECIES[:-1], "features of 150 items and 149 classes"),
        (IRIS, ["a"] * 150, "all items are of class 'a'"),
        (IRIS, IRIS[:, 0], "is no label"),
        (IRIS, IRIS, "give one value for each item"),
        ([], [], "there are no items"),
    ],
)
def test_data_that_cannot_be_used_are_named(features: Any, classes: Any, message: str) -> None:
    with refused(message):
        cf.tasks.monte_carlo(GaussianNB(), features, classes, folds=3, repeats=1, workers=1)


def test_short_names_want_a_table_of_numbers() -> None:
    with refused("svm needs a table of numbers or categories"):
        cf.tasks.monte_carlo("svm", ["a", "b"] * 20, [0, 1] * 20, folds=2, repeats=1)
    holed = np.where(IRIS[0, 0] == IRIS, np.nan, IRIS)
    with refused("row 1, column 1 holds nan"):
        cf.tasks.monte_carlo("gaussian_nb", holed, SPECIES, folds=2, repeats=1)


def test_errors_come_back_from_other_processes_as_they_are() -> None:
    with refused("Failing: fold 1 of seed 0: RuntimeError: out of ideas"):
        validated(Failing(), workers=2)


def test_classes_rarer_than_folds_are_noted() -> None:
    names = SPECIES.astype(object)
    names[:2] = "rare"
    result = cf.tasks.monte_carlo("majority", IRIS, names, folds=3, repeats=1, workers=1)
    assert result.notes == ("classes with fewer items than folds: 'rare'",)


def test_without_scikit_learn_the_extra_is_named() -> None:
    code = (
        "import sys; sys.modules['sklearn'] = sys.modules['sklearn.naive_bayes'] = None\n"
        "import cranfield as cf\n"
        "try: cf.tasks.monte_carlo('gaussian_nb', [[0.0], [1.0]] * 4, [0, 1] * 4, folds=2)\n"
        "except cf.CranfieldError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install 'cranfield[learn]'" in done.stdout, done.stderr


def test_the_package_imports_scikit_learn_only_to_learn() -> None:
    code = (
        "import sys, cranfield as cf\n"
        "cf.tasks.monte_carlo, cf.formats.read_dataset, cf.tasks.Dataset, cf.Confusion\n"
        "print([name for name in ('sklearn', 'joblib', 'scipy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
