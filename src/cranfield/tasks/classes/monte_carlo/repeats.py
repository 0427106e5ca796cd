"""One repeat: in every fold an estimator is trained on all other items and asked about these."""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.core.matrices import Ints
from cranfield.errors import InputError, first_ten
from cranfield.tasks.classes.monte_carlo.candidates import Candidate
from cranfield.tasks.classes.monte_carlo.learning import library

FoldCounts = NDArray[np.int32]
"""(folds, true, said)."""
Warned = Counter[str]
"""What an estimator warned of, and in how many fits."""


@dataclass(frozen=True)
class Task:
    """What all repeats of all estimators have in common."""

    features: Any
    labels: NDArray[Any]
    """The classes as given, for estimators to learn."""
    codes: Ints
    """The same as places in `classes`."""
    classes: tuple[str, ...]
    folds: int
    stratified: bool


def attempt(task: Task, candidate: Candidate, seed: int) -> tuple[FoldCounts, Warned] | InputError:
    """One repeat; an error is handed over, so that the first job that fails is the one named."""
    try:
        return _repeat(task, candidate, seed)
    except InputError as error:
        return error


def _repeat(task: Task, candidate: Candidate, seed: int) -> tuple[FoldCounts, Warned]:
    """One cross-validation: true by said classes of every fold, and warnings by number of fits."""
    size = len(task.classes)
    counts = np.zeros((task.folds, size, size), dtype=np.int32)
    said: Warned = Counter()
    # One thread each, so that sums do not depend on how many there are.
    with library("threadpoolctl").threadpool_limits(1):
        for fold, (train, test) in enumerate(_folds(task, seed)):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                answers = _answers(task, candidate, train, test, seed, fold)
            np.add.at(counts[fold], (task.codes[test], answers), 1)
            said.update({f"{one.category.__name__}: {_brief(one.message)}" for one in caught})
    return counts, said


def _folds(task: Task, seed: int) -> list[tuple[Ints, Ints]]:
    """The places of training and test items."""
    selection = library("sklearn.model_selection")
    kind = selection.StratifiedKFold if task.stratified else selection.KFold
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of small classes, which notes tell
        cut = kind(task.folds, shuffle=True, random_state=seed)
        return list(cut.split(task.codes, task.codes))


def _answers(
    task: Task, candidate: Candidate, train: Ints, test: Ints, seed: int, fold: int
) -> Ints:
    """What an estimator says of the test part after the training part, as places of classes."""
    try:
        estimator = library("sklearn.base").clone(candidate.estimator)
        _settle_chance(estimator, seed, fold)
        estimator.fit(_rows(task.features, train), task.labels[train])
        said = np.asarray(estimator.predict(_rows(task.features, test))).reshape(len(test))
        values, places = np.unique(said, return_inverse=True)
    except InputError:
        raise
    except Exception as error:  # estimators may be anybody's
        raise InputError(
            f"{candidate.name}: fold {fold + 1} of seed {seed}: {type(error).__name__}: {error}"
        ) from None
    known = {name: place for place, name in enumerate(task.classes)}
    names = [_name(value) for value in values.tolist()]
    strange = [name for name in names if name not in known]
    if strange:
        raise InputError(
            f"{candidate.name}: said {first_ten(strange)}, which is no class; classes: "
            f"{first_ten(task.classes)}; is this a regression?"
        )
    return np.array([known[name] for name in names])[places]


def _settle_chance(estimator: Any, seed: int, fold: int) -> None:
    """Give every open random_state, also those of inner estimators, a number."""
    drawn = int(np.random.SeedSequence((seed, fold)).generate_state(1)[0])
    open_ones = {
        key: drawn
        for key, value in estimator.get_params(deep=True).items()
        if value is None and (key == "random_state" or key.endswith("__random_state"))
    }
    if open_ones:
        estimator.set_params(**open_ones)


def _rows(features: Any, places: Ints) -> Any:
    if hasattr(features, "iloc"):
        return features.iloc[places]
    return features[places] if hasattr(features, "shape") else [features[i] for i in places]


def _name(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _brief(message: object) -> str:
    return str(message).strip().partition("\n")[0].rstrip(" .:")
