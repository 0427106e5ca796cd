"""Repeated cross-validation: every repeat cuts the items into folds by another seed.

Conventions
    Repeat i cuts with seed + i, as scikit-learn's StratifiedKFold (or KFold) with shuffle=True and
    that random_state does, the same folds for all estimators. An estimator with an open
    random_state gets a number that follows from the seed of the repeat and the place of the fold.
    So neither the number of workers nor which other estimators take part changes anything. The
    order of items does: folds are drawn by place.
"""

from __future__ import annotations

import hashlib
import time
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.core.axes import Axis
from cranfield.core.contingency import Contingency, require_few
from cranfield.core.frames import is_a, pandas_axis
from cranfield.core.matrices import Ints, as_array
from cranfield.core.progress import Progress, Step, silent
from cranfield.core.unit_values import unit_values
from cranfield.errors import InputError, first_ten, require_draws, require_whole, several
from cranfield.kernels import worker_count
from cranfield.measures import Measure
from cranfield.tasks.classes.class_inputs import codes_of
from cranfield.tasks.classes.monte_carlo.candidates import Candidate, candidates_of
from cranfield.tasks.classes.monte_carlo.learners import Dataset, library
from cranfield.tasks.classes.monte_carlo.result import MonteCarlo
from cranfield.tasks.classes.scores import confusion_measures

FoldCounts = NDArray[np.int32]
"""(folds, true, said)."""
Warned = Counter[str]
"""What an estimator warned of, and in how many fits."""
_MOST_SEEDS = 2**32
"""Seeds of scikit-learn are below this."""
_PATIENCE = 3.0
"""Seconds before other processes are started, which takes about as long."""


def monte_carlo(
    estimators: Any,
    features: Any,
    classes: Any = None,
    *,
    folds: int = 10,
    repeats: int = 10,
    stratified: bool = True,
    grid: Mapping[str, Sequence[Any]] | None = None,
    measures: Iterable[str | Measure] = (),
    seed: int = 0,
    workers: int | None = None,
    progress: Progress = silent,
) -> MonteCarlo:
    """Cross-validate estimators again and again, each time with other folds.

    estimators  of scikit-learn, or short names such as "decision_tree(max_depth=3)": one, several,
                or several by name
    features    a `Dataset`, which brings its classes, or anything that the estimators take
    classes     one for each item: names or whole numbers
    folds       parts in which items are tested once in each repeat
    stratified  whether folds hold classes in like shares
    grid        a parameter with several values, to be tried with all estimators
    measures    further ones to report, beside r, f, accuracy and erroneous information
    seed        of the first repeat; the next ones follow
    workers     processes to use; default: one, and all cores where that takes long
    """
    requested = _measures(measures)
    if not isinstance(features, Dataset) and classes is None:
        raise InputError("the features come without classes; give one for each item")
    data = features if isinstance(features, Dataset) else _tabulated(features, classes)
    if isinstance(features, Dataset):
        features, classes = features.features, features.classes
    task = _task(features, classes, folds, stratified)
    _require_numbers(repeats=repeats, seed=seed, workers=workers)
    notes = _check_folds(task)
    candidates = candidates_of(estimators, data, grid)
    with progress("cross-validating", len(candidates) * repeats) as step:
        outcomes = _validated(task, candidates, repeats, seed, workers, step)
    return MonteCarlo(
        candidates,
        {c.name: counts for c, (counts, _) in zip(candidates, outcomes, strict=True)},
        task.classes,
        stratified=stratified,
        seed=seed,
        measures=requested,
        data=data.digest if isinstance(data, Dataset) else _digest(task),
        notes=(*notes, *_warned(candidates, [warned for _, warned in outcomes], repeats * folds)),
    )


def _measures(measures: Iterable[str | Measure]) -> list[Measure]:
    """Those requested; one that cannot score a matrix says so now, and not after all the work."""
    listed = confusion_measures(measures)
    for measure in listed:
        try:
            measure.tabulate(Contingency(np.eye(2), ("a", "b"), ("a", "b")))
        except InputError as error:
            raise InputError(error.what, mend=error.mend, parameter="measures") from None
    return listed


def _tabulated(features: Any, classes: Any) -> Dataset | InputError:
    """Features as a table of numbers, or why they are none."""
    try:
        return Dataset(features, classes)
    except InputError as error:  # estimators that are no short names may still take them
        return error


def _in_step(features: Any, classes: Any) -> Any:
    """The classes in the order of the features, where they carry an index of pandas."""
    if not is_a(classes, "pandas", "DataFrame", "Series"):
        return classes
    if not is_a(features, "pandas", "DataFrame", "Series"):
        axis = Axis("item", len(classes))
    elif features.index.equals(classes.index):
        return classes
    else:
        axis = pandas_axis("the features", features.index, "item")
    return unit_values("the classes", classes, axis, "the features")


def _task(features: Any, classes: Any, folds: int, stratified: bool) -> Task:
    labels = as_array("the classes", _in_step(features, classes))
    codes, _, names = codes_of(labels, labels, None)
    require_few(names)
    if hasattr(features, "tocsr"):
        features = features.tocsr()  # of sparse matrices, one whose rows can be taken
    if not hasattr(features, "shape") and not hasattr(features, "__len__"):
        raise InputError(
            f"the features are of type {type(features).__name__}; give a matrix with a row for "
            "each item"
        )
    items = features.shape[0] if getattr(features, "shape", ()) else len(features)
    if items != len(labels):
        raise InputError(
            f"there are features of {several(items, 'item')} and {len(labels)} classes; give both "
            "for every item, in the same order"
        )
    return Task(features, labels, codes, names, folds, stratified)


# ── what is possible ─────────────────────────────────────────────────────────────────────────


def _require_numbers(*, repeats: int, seed: int, workers: int | None) -> None:
    require_draws("repeats", repeats)
    require_whole("seed", seed, least=0)
    if not seed + repeats <= _MOST_SEEDS:
        raise InputError(f"seed={seed}; give one from 0 to 2³² less the number of repeats")
    if workers is not None:
        require_whole("workers", workers, least=1)


def _check_folds(task: Task) -> list[str]:
    """Refuse folds that cannot be made; tell of classes that some of them lack."""
    sizes = np.bincount(task.codes, minlength=len(task.classes))
    require_whole("folds", task.folds, least=2)
    if not len(task.codes):
        raise InputError("there are no items; give features and a class for at least two")
    if len(task.classes) < 2:
        raise InputError(
            f"all items are of class {first_ten(task.classes)}; there is nothing to learn with "
            "fewer than two classes"
        )
    if task.folds > len(task.codes):
        raise InputError(
            f"folds={task.folds}; cut {several(len(task.codes), 'item')} into no more folds than "
            "there are items"
        )
    if task.stratified and sizes.max() < task.folds:
        raise InputError(
            f"folds={task.folds}, but the largest class has {several(int(sizes.max()), 'item')}, "
            "so no class is in every fold; are these numbers instead of classes?",
            mend="take fewer folds, or {stratified=False}",
        )
    rare = [name for name, size in zip(task.classes, sizes, strict=True) if size < task.folds]
    return [f"classes with fewer items than folds: {first_ten(rare)}"] if rare else []


# ── the work ──────────────────────────────────────────────────────────────────────────────────


def _validated(
    task: Task,
    candidates: Sequence[Candidate],
    repeats: int,
    seed: int,
    workers: int | None,
    step: Step,
) -> list[tuple[FoldCounts, Warned]]:
    """For each candidate its counts (repeats, folds, true, said) and what it warned of."""
    jobs = [(candidate, seed + repeat) for candidate in candidates for repeat in range(repeats)]
    done = []
    for outcome in _outcomes(task, jobs, workers):
        done.append(outcome)
        step(1)
    outcomes: list[tuple[FoldCounts, Warned]] = []
    for first in range(0, len(done), repeats):
        counts, warned = zip(*done[first : first + repeats], strict=True)
        outcomes.append((np.stack(counts), sum(warned, start=Counter())))
    return outcomes


def _outcomes(
    task: Task, jobs: Sequence[tuple[Candidate, int]], workers: int | None
) -> Iterator[tuple[FoldCounts, Warned]]:
    """What became of each job, in their order; raises what made one fail."""
    begin, first = time.monotonic(), 0
    while workers is None and first < len(jobs) and time.monotonic() - begin < _PATIENCE:
        yield _succeeded(attempt(task, *jobs[first]))
        first += 1
    if first == len(jobs):
        return
    joblib = library("joblib")
    shared = joblib.Parallel(
        min(workers or worker_count(), len(jobs) - first), return_as="generator"
    )
    outcomes = shared(joblib.delayed(attempt)(task, *job) for job in jobs[first:])
    for outcome in outcomes:
        if isinstance(outcome, InputError):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that jobs are left undone
                outcomes.close()
        yield _succeeded(outcome)


def _succeeded(outcome: tuple[FoldCounts, Warned] | InputError) -> tuple[FoldCounts, Warned]:
    if isinstance(outcome, InputError):
        raise outcome
    return outcome


# ── one repeat ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Task:
    """What all repeats of all estimators have in common."""

    features: Any
    labels: NDArray[Any]
    """The classes as they are, for estimators to learn."""
    codes: Ints
    """The same as indices in `classes`."""
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
    """The indices of training and test items."""
    selection = library("sklearn.model_selection")
    kind = selection.StratifiedKFold if task.stratified else selection.KFold
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of small classes, which notes tell
        cut = kind(task.folds, shuffle=True, random_state=seed)
        return list(cut.split(task.codes, task.codes))


def _answers(
    task: Task, candidate: Candidate, train: Ints, test: Ints, seed: int, fold: int
) -> Ints:
    """What an estimator says of the test part after the training part, as indices of classes."""
    try:
        estimator = library("sklearn.base").clone(candidate.estimator)
        _settle_chance(estimator, seed, fold)
        estimator.fit(_rows(task.features, train), task.labels[train])
        predicted = np.asarray(estimator.predict(_rows(task.features, test))).reshape(len(test))
        values, codes = np.unique(predicted, return_inverse=True)
    except InputError:
        raise
    except Exception as error:  # estimators may be anybody's
        raise InputError(
            f"{candidate.name}: fold {fold + 1} of seed {seed}: {type(error).__name__}: {error}"
        ) from None
    indices = {name: index for index, name in enumerate(task.classes)}
    names = [_name(value) for value in values.tolist()]
    strange = [name for name in names if name not in indices]
    if strange:
        raise InputError(
            f"{candidate.name}: said {first_ten(strange)}, which is no class; classes: "
            f"{first_ten(task.classes)}; is this a regression?"
        )
    return np.array([indices[name] for name in names])[codes]


def _settle_chance(estimator: Any, seed: int, fold: int) -> None:
    """Give every open random_state, also those of inner estimators, a number."""
    drawn = int(np.random.SeedSequence((seed, fold)).generate_state(1)[0])
    unset = {
        key: drawn
        for key, value in estimator.get_params(deep=True).items()
        if value is None and (key == "random_state" or key.endswith("__random_state"))
    }
    if unset:
        estimator.set_params(**unset)


def _rows(features: Any, indices: Ints) -> Any:
    if hasattr(features, "iloc"):
        return features.iloc[indices]
    return features[indices] if hasattr(features, "shape") else [features[i] for i in indices]


def _name(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _brief(message: object) -> str:
    return str(message).strip().partition("\n")[0].rstrip(" .:")


# ── notes and digest ──────────────────────────────────────────────────────────────────────────


def _warned(candidates: Sequence[Candidate], warned: Sequence[Warned], fits: int) -> list[str]:
    return [
        f"{candidate.name}: {text} (in {number} of {fits} fits)"
        for candidate, texts in zip(candidates, warned, strict=True)
        for text, number in sorted(texts.items())
    ]


def _digest(task: Task) -> str:
    """Hash of the classes in their order and of features, which may be anything."""
    classes = repr([task.classes[code] for code in task.codes.tolist()]).encode()
    return hashlib.blake2b(classes + _bytes(task.features), digest_size=16).hexdigest()


def _bytes(features: Any) -> bytes:
    """Sparse matrices by their cells, numbers as they are, all else as it is written."""
    if hasattr(features, "tocoo"):
        cells = features.tocoo()
        order = np.lexsort((cells.col, cells.row))
        listed = (cells.row.astype(np.int64), cells.col.astype(np.int64), cells.data)
        return repr(features.shape).encode() + b"".join(x[order].tobytes() for x in listed)
    if isinstance(features, list | tuple):
        return repr(features).encode()
    values = np.asarray(features)
    if values.dtype.kind in "biuf":
        return repr((values.shape, values.dtype.str)).encode() + values.tobytes()
    return repr(values.tolist()).encode()
