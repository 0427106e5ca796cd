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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.classes.confusion import confusion_measure
from cranfield.classes.given_classes import codes_of
from cranfield.classes.monte_carlo.candidates import Candidate, candidates_of
from cranfield.classes.monte_carlo.dataset import Dataset
from cranfield.classes.monte_carlo.learning import library
from cranfield.classes.monte_carlo.result import MonteCarlo
from cranfield.contingency import Contingency, require_few
from cranfield.errors import InputError, first_ten, several
from cranfield.kernels import worker_count
from cranfield.matrices import Ints, as_array
from cranfield.measures import Measure

_MOST_SEEDS = 2**32
"""Seeds of scikit-learn are below this."""
_PATIENCE = 3.0
"""Seconds before other processes are started, which takes about as long."""


@dataclass(frozen=True)
class _Task:
    """Everything that one cross-validation depends on."""

    features: Any
    labels: NDArray[Any]
    codes: Ints
    classes: tuple[str, ...]
    folds: int
    stratified: bool


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
    progress: Callable[[], None] = lambda: None,
) -> MonteCarlo:
    """Cross-validate estimators again and again, each time with other folds.

    estimators  of scikit-learn, or short names such as "decision_tree(max_depth=3)": one, several,
                or several by name
    features    a `Dataset`, which brings its classes, or anything that the estimators take
    classes     one for each item: names or whole numbers
    folds       parts in which items are tested once in each repeat
    stratified  whether folds hold classes in like shares
    grid        a parameter with several values, to be tried with all estimators
    measures    further ones to tell about, beside r, f, accuracy and erroneous information
    seed        of the first repeat; the next ones follow
    workers     processes to use; default: one, and all cores where that takes long
    progress    called whenever an estimator has done a repeat
    """
    wanted = _measures(measures)
    data = features if isinstance(features, Dataset) else _tabulated(features, classes)
    if isinstance(features, Dataset):
        features, classes = features.features, features.classes
    elif classes is None:
        raise InputError("the features come without classes; give one for each item")
    task = _task(features, classes, folds, stratified)
    _require_numbers(repeats=repeats, seed=seed, workers=workers)
    notes = _check_folds(task)
    candidates = candidates_of(estimators, data, grid)
    found = _validated(task, candidates, repeats, seed, workers, progress)
    return MonteCarlo(
        candidates,
        {one.name: counts for one, (counts, _) in zip(candidates, found, strict=True)},
        task.classes,
        stratified=stratified,
        seed=seed,
        measures=wanted,
        data=_digest(task) if data is None else data.digest,
        notes=(*notes, *_warned(candidates, [said for _, said in found], repeats * folds)),
    )


def _measures(given: Iterable[str | Measure]) -> list[Measure]:
    """Those asked for; one that cannot score a matrix says so now, and not after all the work."""
    wanted = [confusion_measure(one) for one in given]
    for one in wanted:
        one.tabulate(Contingency(np.eye(2), ("a", "b"), ("a", "b")))
    return wanted


def _tabulated(features: Any, classes: Any) -> Dataset | None:
    """Features as a table of numbers, where they are one."""
    if classes is None:
        return None
    try:
        return Dataset(features, classes)
    except InputError:  # estimators that are no short names may still take them
        return None


def _task(features: Any, classes: Any, folds: int, stratified: bool) -> _Task:
    labels = as_array("the classes", classes)
    codes, _, names = codes_of(labels, labels, None)
    require_few(names)
    if hasattr(features, "tocsr"):
        features = features.tocsr()  # of sparse matrices, one whose rows can be taken
    items = features.shape[0] if hasattr(features, "shape") else len(features)
    if items != len(labels):
        raise InputError(
            f"there are features of {several(items, 'item')} and {len(labels)} classes; give both "
            "for every item, in the same order"
        )
    return _Task(features, labels, codes, names, folds, stratified)


# ── what can be asked ─────────────────────────────────────────────────────────────────────────


def _require_numbers(*, repeats: int, seed: int, workers: int | None) -> None:
    if repeats < 1:
        raise InputError(f"repeats={repeats}; ask for at least one")
    if not 0 <= seed <= seed + repeats <= _MOST_SEEDS:
        raise InputError(f"seed={seed}; give one from 0 to 2³² less the number of repeats")
    if workers is not None and workers < 1:
        raise InputError(f"workers={workers}; at least one must work")


def _check_folds(task: _Task) -> list[str]:
    """Refuse folds that cannot be made; tell of classes that some of them lack."""
    sizes = np.bincount(task.codes, minlength=len(task.classes))
    if len(task.classes) < 2:
        raise InputError(
            f"all items are of class {first_ten(task.classes)}; there is nothing to learn with "
            "fewer than two classes"
        )
    if not 2 <= task.folds <= len(task.codes):
        raise InputError(
            f"folds={task.folds}; cut {several(len(task.codes), 'item')} into at least 2 folds, "
            "and not into more than there are items"
        )
    if task.stratified and sizes.max() < task.folds:
        raise InputError(
            f"folds={task.folds}, but the largest class has {several(int(sizes.max()), 'item')}, "
            "so no class is in every fold; take fewer folds, or stratified=False (on the command "
            "line --not-stratified); are these numbers instead of classes?"
        )
    rare = [name for name, size in zip(task.classes, sizes, strict=True) if size < task.folds]
    return [f"classes with fewer items than folds: {first_ten(rare)}"] if rare else []


# ── the work ──────────────────────────────────────────────────────────────────────────────────

_Counts = NDArray[np.int32]
_Said = Counter[str]


def _validated(
    task: _Task,
    candidates: Sequence[Candidate],
    repeats: int,
    seed: int,
    workers: int | None,
    progress: Callable[[], None],
) -> list[tuple[_Counts, _Said]]:
    """For each candidate its counts (repeats, folds, R, R) and what it warned of."""
    jobs = [(one, seed + repeat) for one in candidates for repeat in range(repeats)]
    done = []
    for outcome in _outcomes(task, jobs, workers):
        done.append(outcome)
        progress()
    found: list[tuple[_Counts, _Said]] = []
    for first in range(0, len(done), repeats):
        counts, said = zip(*done[first : first + repeats], strict=True)
        found.append((np.stack(counts), sum(said, start=Counter())))
    return found


def _outcomes(
    task: _Task, jobs: Sequence[tuple[Candidate, int]], workers: int | None
) -> Iterator[tuple[_Counts, _Said]]:
    """What became of each job, in their order."""
    joblib = library("joblib")
    begin, first = time.monotonic(), 0
    while workers is None and first < len(jobs) and time.monotonic() - begin < _PATIENCE:
        yield _repeat(task, *jobs[first])
        first += 1
    rest = jobs[first:]
    if rest:
        shared = joblib.Parallel(min(workers or worker_count(), len(rest)), return_as="generator")
        yield from shared(joblib.delayed(_repeat)(task, *job) for job in rest)


def _repeat(task: _Task, candidate: Candidate, seed: int) -> tuple[_Counts, _Said]:
    """One cross-validation: true by said classes of every fold, and warnings by number of fits."""
    size = len(task.classes)
    counts = np.zeros((task.folds, size, size), dtype=np.int32)
    said: _Said = Counter()
    # One thread each, so that sums do not depend on how many there are.
    with library("threadpoolctl").threadpool_limits(1):
        for fold, (train, test) in enumerate(_folds(task, seed)):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                answers = _answers(task, candidate, train, test, seed, fold)
            np.add.at(counts[fold], (task.codes[test], answers), 1)
            said.update({f"{one.category.__name__}: {_brief(one.message)}" for one in caught})
    return counts, said


def _folds(task: _Task, seed: int) -> Iterator[tuple[Ints, Ints]]:
    selection = library("sklearn.model_selection")
    kind = selection.StratifiedKFold if task.stratified else selection.KFold
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of small classes, which notes tell
        yield from kind(task.folds, shuffle=True, random_state=seed).split(task.codes, task.codes)


def _answers(
    task: _Task, candidate: Candidate, train: Ints, test: Ints, seed: int, fold: int
) -> Ints:
    """What an estimator says of the test part after the training part, as places of classes."""
    try:
        estimator = library("sklearn.base").clone(candidate.estimator)
        _settle_chance(estimator, seed, fold)
        estimator.fit(_rows(task.features, train), task.labels[train])
        said = np.asarray(estimator.predict(_rows(task.features, test))).reshape(len(test))
    except InputError:
        raise
    except Exception as error:  # estimators may be anybody's
        raise InputError(
            f"{candidate.name}: fold {fold + 1} of seed {seed}: {type(error).__name__}: {error}"
        ) from None
    values, places = np.unique(said, return_inverse=True)
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


# ── what must be said ─────────────────────────────────────────────────────────────────────────


def _brief(message: object) -> str:
    return str(message).strip().partition("\n")[0].rstrip(" .:")


def _warned(candidates: Sequence[Candidate], said: Sequence[_Said], fits: int) -> list[str]:
    return [
        f"{one.name}: {text} (in {number} of {fits} fits)"
        for one, texts in zip(candidates, said, strict=True)
        for text, number in sorted(texts.items())
    ]


def _digest(task: _Task) -> str:
    """Hash of the classes in their order, where features may be anything."""
    told = repr([task.classes[code] for code in task.codes.tolist()])
    return hashlib.blake2b(told.encode(), digest_size=16).hexdigest()
