"""Readings: how truths and runs that people have in memory become `Truth` and `Run`.

A truth
    a `Truth` or a `Collection`; an array, a SciPy matrix or a frame of 0/1, items by concepts; a
    vector of 0/1, which is one concept; a vector of classes; a list of labels for each item;
    {topic: {document: grade}}, or what ranx and ir_measures have instead: `Qrels`, a frame or a
    list of query_id, doc_id, relevance.
Runs
    a `Run` or several; {name: run}; or one run: confidences or decisions (bool) in the shapes of a
    truth, the list of arrays that `predict_proba` of several outputs returns, or
    {topic: {document: score}}, `Run` of ranx, or query_id, doc_id, score of ir_measures.

Conventions
    A dict of dicts of numbers is one run of a search, any other dict holds runs by name; a list
    never does, since its runs would have no names.
    A list of lists of numbers of equal lengths is a matrix; one of texts or of unequal lengths
    holds the labels of each item.
    A vector of texts, or of whole numbers other than 0 and 1, or beside a matrix with a column for
    each class, holds classes. The columns are the sorted classes, as in `classes_` of scikit-learn,
    or 0, 1, 2 …; `classes` names them otherwise. The decision of such a run is the class of the
    highest confidence (of equal ones that with the smallest id), unless a threshold is given.
    Of two classes beside a vector of confidences, the second is the concept.
    Ids align as everywhere (`core.axes`): arrays by position, frames by their ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy as copied
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.collections.collection import Collection
from cranfield.core.axes import Axis
from cranfield.core.digests import canonical_order
from cranfield.core.frames import Frame, is_a, read_frame
from cranfield.core.matrices import Bools, Cells, Ints, as_array
from cranfield.core.ownership import Copy
from cranfield.core.run import Run
from cranfield.core.searches import (
    cells_by_topic,
    documents_by_topic,
    is_by_topic,
    judgements,
    ranking,
    require_common_topic,
)
from cranfield.core.truth import Truth
from cranfield.core.unit_values import UnitValues, read_values
from cranfield.errors import InputError, first_ten, several

AnyTruth = Any
"""A `Truth`, a `Collection`, or anything that `read_inputs` makes a truth of."""
AnyRuns = Any
"""A `Run`, several, or anything that `read_inputs` makes runs of."""

Kind = Literal["labels", "grades", "targets"]
"""What the numbers of a truth are."""

_SEVERAL = 'give several runs their names: {"a": scores, "b": scores}'
_ROUNDING = 1e-3
"""Probabilities of two classes sum to 1 but for this."""


class Inputs(NamedTuple):
    """A truth and its runs."""

    truth: Truth | Collection
    runs: list[Run]

    @property
    def plain(self) -> Truth:
        """The truth alone."""
        return self.truth.truth if isinstance(self.truth, Collection) else self.truth


def read_inputs(
    truth: AnyTruth,
    runs: AnyRuns,
    *,
    kind: Kind = "labels",
    classes: Iterable[object] | None = None,
    items: Iterable[object] | None = None,
    threshold: Any = None,
    copy: Copy = True,
) -> Inputs:
    """A truth and runs, from whatever people have.

    kind       what the numbers of a truth are that is no `Truth` yet
    classes    names of the columns of arrays: concepts, labels or classes
    items      names of their rows
    threshold  by which runs decide: as `Run` takes it, or {run: threshold}
    copy       as `Truth` and `Run` take it
    """
    named = [(name, _form(f"run {name!r}", data)) for name, data in _named(runs)]
    form = _form("the truth", truth)
    if isinstance(form, Truth | Collection):
        if classes is not None or items is not None:
            raise InputError(
                "classes= and items= name the columns and rows of arrays, and this truth has names "
                "already; leave them out"
            )
        made, single = form, False
    else:
        forms = [data for _, data in named]
        beside = next((data for data in forms if _columns(data) > 1), forms[0] if forms else None)
        made, single = _truth(form, beside, kind, classes, items, copy)
    plain = made.truth if isinstance(made, Collection) else made
    names = [name for name, _ in named]
    return Inputs(
        made,
        [
            _run(data, name, plain, _threshold_of(threshold, name, names), copy, single=single)
            for name, data in named
        ],
    )


def as_runs(value: Any) -> list[Run]:
    """Runs that need no truth to be read: `Run`, several, or {name: run}."""
    return [
        _run(_form(f"run {name!r}", data), name, None, None, True) for name, data in _named(value)
    ]


# ── what was handed in ────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class _Lists:
    """The labels of each item."""

    column: Any


@dataclass(frozen=True)
class _ByTopic:
    """Documents of topics."""

    data: Mapping[Any, Any]


_Form = Any
"""Truth, Collection, Run, Frame, SciPy matrix, array of numbers, UnitValues (names of classes),
_Lists or _ByTopic."""


def _named(value: Any) -> list[tuple[str, Any]]:
    """Runs as people hand them in, one or several, each with a name of its own."""
    if isinstance(value, Mapping) and not is_by_topic(value):
        named = [(str(name), _renamed(run, str(name))) for name, run in value.items()]
    elif isinstance(value, Run):
        named = [(value.name, value)]
    elif value is None or isinstance(value, str | Path | Truth | Collection):
        advice = "; read files with cf.read_run" if isinstance(value, str | Path) else ""
        raise InputError(
            f"runs are a {type(value).__name__}; give scores, a cf.Run or a dict of them by name"
            + advice
        )
    else:
        if isinstance(value, Iterator) or type(value).__name__ == "dict_values":
            value = list(value)
        several_runs = isinstance(value, list | tuple) and (
            not value or any(isinstance(run, Run) for run in value)
        )
        named = [(_name(run), run) for run in value] if several_runs else [("run", value)]
    names = [name for name, _ in named]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise InputError(
            f"{several(len(twice), 'run name')} more than once: {first_ten(twice)}; "
            "give each run a name of its own (name=)"
        )
    return named


def _name(run: Any) -> str:
    if not isinstance(run, Run):
        raise InputError(f"a run is a {type(run).__name__}; {_SEVERAL}")
    return run.name


def _renamed(run: Any, name: str) -> Any:
    if not isinstance(run, Run) or run.name == name:
        return run
    renamed = copied(run)
    renamed.name = name
    return renamed


def _form(what: str, data: Any) -> _Form:
    if isinstance(data, Truth | Collection | Run | Cells) or hasattr(data, "tocoo"):
        return data
    searched = documents_by_topic(data)
    if searched is not None:
        return _ByTopic(searched)
    if isinstance(data, Mapping):
        raise InputError(
            f"{what} is a dict, but not of documents by topic, {{topic: {{document: number}}}}; "
            "give an array or a frame"
        )
    if isinstance(data, str | bytes | Path):
        reader = "cf.read_truth" if what == "the truth" else "cf.read_run"
        raise InputError(f"{what} is a {type(data).__name__}; read files with {reader}")
    if _is_series_of_words(data):
        return _words(what, data)
    frame = read_frame(what, data)
    if frame is not None:
        return frame
    if isinstance(data, list | tuple):
        return _listed(what, data)
    array = as_array(what, data)
    if array.ndim == 0:
        raise InputError(f"{what} is a {type(data).__name__}; give an array or a frame")
    return array if array.dtype.kind in "biuf" else _words(what, array)


def _is_series_of_words(data: Any) -> bool:
    if is_a(data, "pandas", "Series"):
        return data.dtype.kind not in "biuf"
    return is_a(data, "polars", "Series") and not (
        data.dtype.is_numeric() or str(data.dtype) in ("Boolean", "Null")
    )


def _listed(what: str, data: Any) -> _Form:
    """A list: a matrix, a vector, labels of items, or arrays of probabilities."""
    if any(getattr(entry, "ndim", 0) > 1 for entry in data):
        return _positive_probabilities(what, data)
    try:
        array = np.asarray(data)
    except ValueError:  # of unequal lengths
        return _Lists(data)
    except TypeError:
        return as_array(what, data)
    if array.dtype.kind in "biuf" and array.shape[1:] != (0,):
        return array
    return _words(what, data)


def _words(what: str, data: Any) -> UnitValues | _Lists:
    """The name of a class for each item, or the labels of each."""
    entries = data.tolist() if hasattr(data, "tolist") else list(data)
    kinds = {type(entry) for entry in entries if entry is not None}
    if any(hasattr(kind, "__len__") and not issubclass(kind, str | bytes) for kind in kinds):
        return _Lists(data)
    return read_values(what, data, "item")


def _positive_probabilities(what: str, arrays: Any) -> NDArray[Any]:
    """Column by column the probability of the second class, from an array for each label."""
    matrices = [as_array(what, array) for array in arrays]
    shapes = {matrix.shape for matrix in matrices}
    alike = len({shape[0] for shape in shapes}) == 1
    if not alike or any(len(shape) != 2 or shape[1] != 2 for shape in shapes):
        shown = ", ".join(map(str, sorted(shapes)[:3]))
        raise InputError(
            f"{what} is a list of arrays of the shapes {shown}; {_SEVERAL}; of several outputs, "
            "predict_proba returns an (N, 2) array for each label: leave out labels of which "
            "training showed only one class"
        )
    if not all(np.allclose(matrix.sum(axis=1), 1.0, atol=_ROUNDING) for matrix in matrices):
        raise InputError(
            f"{what} is a list of arrays whose rows do not sum to 1, as those of predict_proba do; "
            f"{_SEVERAL}"
        )
    return np.column_stack([matrix[:, 1] for matrix in matrices])


def _vector(form: _Form) -> UnitValues | None:
    """One value for each item."""
    if isinstance(form, UnitValues):
        return form
    if isinstance(form, Frame) and form.is_series and form.missing is None:
        return UnitValues("", form.values[:, 0], form.item_axis)
    if isinstance(form, np.ndarray) and form.ndim == 1:
        return UnitValues("", form, Axis("item", len(form)))
    return None


def _columns(form: _Form) -> int:
    """How many concepts a run has; 0 where that is not to be seen."""
    source = form.values if isinstance(form, Frame) else form
    shape: tuple[int, ...] = getattr(source, "shape", ())
    return shape[1] if len(shape) == 2 else 0


def _as_matrix(form: _Form) -> Any:
    return form[:, None] if isinstance(form, np.ndarray) and form.ndim == 1 else form


# ── truths ────────────────────────────────────────────────────────────────────────────────────


def _truth(
    form: _Form,
    beside: _Form,
    kind: Kind,
    classes: Iterable[object] | None,
    items: Iterable[object] | None,
    copy: Copy,
) -> tuple[Truth, bool]:
    """A truth, and whether it gives each item one class.

    beside  a run, if possible one with several columns
    """
    if isinstance(form, Run):
        raise InputError("the truth is a Run; give the truth first, then the runs")
    if isinstance(form, _ByTopic):
        return judgements(*cells_by_topic("the truth", form.data, whole=True)), False
    if isinstance(form, _Lists):
        return Truth.from_lists(form.column, items=items, concepts=classes), False
    vector = _vector(form) if kind == "labels" else None
    if vector is not None and _holds_classes(vector.values, beside):
        names, columns = _classes(vector, beside, classes)
        truth = Truth(
            _marked(columns, len(names)),
            items=vector.axis if items is None else items,
            concepts=names,
            copy=None,
        )
        return truth, len(names) > 1
    if isinstance(form, UnitValues):
        raise InputError(f"the truth must hold numbers, to be {kind}; got names")
    return Truth(**{kind: _as_matrix(form)}, items=items, concepts=classes, copy=copy), False


def _holds_classes(values: Any, beside: _Form) -> bool:
    """Whether a vector names a class for each item, rather than telling of one concept."""
    if not isinstance(values, np.ndarray) or values.dtype.kind not in "biuf":
        return True
    if ((values == 0) | (values == 1)).all():
        return _columns(beside) > 1
    return bool((values == np.floor(values)).all())


def _classes(
    vector: UnitValues, beside: _Form, classes: Iterable[object] | None
) -> tuple[list[str], Ints]:
    """The names of concepts, and the column of each item; -1 = none."""
    values = _class_values(vector)
    if classes is not None:
        names = [str(name) for name in classes]
        return names, _places("the truth", values, names, vector.axis)
    own = getattr(beside, "concept_axis", None)
    if own is not None and own.ids is not None and len(own.ids) > 1:
        return list(own.ids), _places("the truth", values, list(own.ids), vector.axis)
    distinct, codes = np.unique(values, return_inverse=True)
    names = [str(name) for name in distinct.tolist()]
    columns = _columns(beside)
    if columns > 1 and columns != len(names):
        if values.dtype.kind not in "iu" or values.min(initial=1) != 0 or values.max() >= columns:
            raise InputError(
                f"the truth holds {len(names)} different classes, {first_ten(names)}, and the run "
                f"has {columns} columns; name the class of each column with classes=[…]"
            )
        return list(map(str, range(columns))), values.astype(np.int64)
    scores = _vector(beside)
    if len(names) == 2 and columns < 2 and scores is not None and not _are_classes(scores, names):
        return names[1:], codes - 1
    return names, codes.astype(np.int64)


def _class_values(vector: UnitValues) -> NDArray[Any]:
    """Texts or whole numbers, one for each item."""
    values = vector.values
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
        return values.astype(np.int64)
    listed = [v.decode() if isinstance(v, bytes) else v for v in list(values)]
    odd = next((i for i, value in enumerate(listed) if not isinstance(value, str)), None)
    if odd is not None:
        raise InputError(
            f"{vector.what}: the class of item {vector.axis.names[odd]!r} is "
            f"{str(listed[odd])[:60]}; give each item a text, or each a whole number"
        )
    return np.array(listed, dtype=np.str_) if listed else np.empty(0, dtype=np.str_)


def _are_classes(scores: UnitValues, names: list[str]) -> bool:
    """Whether a vector beside two classes predicts them, rather than being sure of the second."""
    values = scores.values
    if not isinstance(values, np.ndarray) or values.dtype.kind not in "biuf":
        return True
    return values.dtype.kind in "iu" and set(map(str, np.unique(values).tolist())) <= set(names)


def _places(what: str, values: NDArray[Any], names: list[str], items: Axis) -> Ints:
    """The column of each class: its name, or, of whole numbers, its position."""
    positions = {name: index for index, name in enumerate(names)}
    distinct, codes = np.unique(values, return_inverse=True)
    texts = list(map(str, distinct.tolist()))
    unknown = [text for text in texts if text not in positions]
    if not unknown:
        found = np.array([positions[text] for text in texts], dtype=np.int64)
    elif values.dtype.kind in "iu" and distinct[0] >= 0 and distinct[-1] < len(names):
        found = distinct.astype(np.int64)
    else:
        first = items.names[int(np.flatnonzero(codes == texts.index(unknown[0]))[0])]
        raise InputError(
            f"{what}: {unknown[0]!r}, the class of item {first!r}, is not among "
            f"{first_ten(names)}; name all classes with classes=[…]"
        )
    return found[codes]


def _marked(columns: Ints, count: int) -> Bools | Cells:
    """(N, count): each item in its column; -1 = in none."""
    rows = np.flatnonzero(columns >= 0)
    marks = np.ones(len(rows), dtype=np.bool_)
    cells = Cells.of((len(columns), count), rows, columns[rows], marks)
    return cells.dense() if cells.crowded else cells


# ── runs ──────────────────────────────────────────────────────────────────────────────────────


def _threshold_of(threshold: Any, name: str, names: list[str]) -> Any:
    by_run = isinstance(threshold, Mapping) and threshold and set(map(str, threshold)) <= set(names)
    return {str(run): cut for run, cut in threshold.items()}.get(name) if by_run else threshold


def _run(
    form: _Form,
    name: str,
    truth: Truth | None,
    threshold: Any,
    copy: Copy,
    *,
    single: bool = False,
) -> Run:
    """A run beside a truth, if there is one.

    single  whether the truth gives each item one class
    """
    if isinstance(form, Truth | Collection):
        raise InputError(f"run {name!r} is a {type(form).__name__}; give confidences or decisions")
    if isinstance(form, Run):
        return form if threshold is None else _decided(form, threshold)
    if isinstance(form, _ByTopic):
        cells, documents, topics = cells_by_topic(f"run {name!r}", form.data, whole=False)
        run = ranking(cells, documents, topics, threshold=threshold, name=name)
        if truth is not None:
            require_common_topic(truth, run)
        return run
    if isinstance(form, _Lists):
        concepts = None if truth is None else truth.concepts
        return Run.from_lists(form.column, concepts=concepts, name=name, threshold=threshold)
    vector = _vector(form)
    if vector is not None and (
        isinstance(form, UnitValues) or (truth is not None and truth.shape[1] > 1)
    ):
        return _predicted(vector, name, truth, threshold)
    matrix = _as_matrix(form)
    values = matrix.values if isinstance(matrix, Frame) else matrix
    if values.dtype == np.bool_:
        return Run(labels=matrix, name=name, threshold=threshold, copy=copy)
    labels = None
    if single and threshold is None and truth is not None:
        labels = _highest(matrix, truth)
    return Run(matrix, labels=labels, name=name, threshold=threshold, copy=copy)


def _decided(run: Run, threshold: Any) -> Run:
    if run.labels is None:
        return run.decided_by(threshold)
    raise InputError(
        f"run {run.name!r} has labels and a threshold, but labels already are decisions; leave "
        "threshold= out for this run"
    )


def _predicted(vector: UnitValues, name: str, truth: Truth | None, threshold: Any) -> Run:
    """A run that gives each item one class."""
    if truth is None:
        raise InputError(f"run {name!r} holds classes, which only a truth can tell apart")
    values = vector.values
    if isinstance(values, np.ndarray) and values.dtype.kind == "f" and (values % 1 != 0).any():
        raise InputError(
            f"run {name!r} has one number for each item, and the truth {truth.shape[1]} concepts; "
            "give a column for each (predict_proba), or predicted classes"
        )
    names = list(truth.concepts)
    columns = _places(f"run {name!r}", _class_values(vector), names, vector.axis)
    return Run(
        labels=_marked(columns, len(names)),
        items=vector.axis,
        concepts=names,
        name=name,
        threshold=threshold,
        copy=None,
    )


def _highest(matrix: Any, truth: Truth) -> Any:
    """The class of the highest confidence, of equal ones that with the smallest id; None where
    the matrix is not as it should be, which others tell."""
    values = matrix.values if isinstance(matrix, Frame) else matrix
    own = matrix.concept_axis if isinstance(matrix, Frame) else truth.concept_axis
    if not isinstance(values, np.ndarray):
        raise InputError("confidences of classes are sparse; call toarray()")
    if values.ndim != 2 or values.shape[1] != own.size or not values.size:
        return None
    if isinstance(matrix, Frame) and matrix.missing is not None:
        return None
    order = canonical_order(own)
    columns = order[values[:, order].argmax(axis=1)]
    labels = np.zeros(values.shape, dtype=np.bool_)
    labels[np.arange(len(labels)), columns] = True
    return replace(matrix, values=labels) if isinstance(matrix, Frame) else labels
