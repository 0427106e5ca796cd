"""NPZ and NPY: arrays as NumPy stores them, never pickled objects.

An NPZ holds arrays named like the parameters of `Truth` and `Run`: labels, scores, items,
concepts, judged, grades, targets, threshold … A sparse matrix `scores` is three arrays:
`scores_codes` (row times columns plus column, ascending), `scores_values` and `shape`. An NPY is
one matrix: the labels of a truth, the scores of a run; so is an NPZ that SciPy's `save_npz` wrote.
Without ids, rows and columns align by position.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from cranfield.collections.collection import Collection
from cranfield.core.axes import Axis
from cranfield.core.matrices import Cells, dense
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import InputError, first_ten, several
from cranfield.formats.cells import require_known_concepts, require_known_items, require_order
from cranfield.formats.contents import IDS, JUDGEMENTS, Content
from cranfield.formats.problems import Problems
from cranfield.formats.registry import Expected, Format, Options, register
from cranfield.formats.source import Source, Target
from cranfield.formats.stored_arrays import (
    Arrays,
    as_strings,
    ids_of,
    read_npy,
    read_npz,
    telling,
    word_of,
    write_npz,
)

_TRUTH_MATRICES = ("labels", "grades", "targets", "judged", "pool", "strata")
_RUN_MATRICES = ("scores", "labels")
_KNOWN = {
    *(name + part for name in (*_TRUTH_MATRICES, "scores") for part in ("", "_codes", "_values")),
    *("shape", "items", "concepts", "threshold", "unjudged", "open", "level"),
    *("group", "tags"),
    *("format", "data", "indices", "indptr", "row", "col"),
}


# -- Reading -----------------------------------------------------------------------------------


def _matrix(arrays: Mapping[str, NDArray[Any]], name: str, *, main: str) -> Any:
    """The matrix of this name; one that SciPy stored has none and is the `main` one."""
    if name == main and _is_scipy(arrays):
        return _from_scipy(arrays)
    if f"{name}_codes" not in arrays:
        return arrays.get(name)
    try:
        shape = tuple(int(side) for side in arrays["shape"])
        codes, values = arrays[f"{name}_codes"], arrays[f"{name}_values"]
    except (KeyError, TypeError, ValueError):
        raise InputError(f"sparse {name} need {name}_codes, {name}_values and shape") from None
    inside = len(shape) == 2 and codes.ndim == 1 and codes.shape == values.shape
    if not inside or codes.dtype.kind not in "iu" or min(shape) < 0:
        raise InputError(
            f"{name}_codes and {name}_values must be lists of equal length, and shape a pair"
        )
    if len(codes) and (codes.min() < 0 or int(codes.max()) >= shape[0] * shape[1]):
        raise InputError(f"{name}_codes has cells outside the shape {shape}")
    return Cells.of((shape[0], shape[1]), *divmod(codes.astype(np.int64), max(shape[1], 1)), values)


def _is_scipy(arrays: Mapping[str, NDArray[Any]]) -> bool:
    return "format" in arrays and "data" in arrays


def _from_scipy(arrays: Mapping[str, NDArray[Any]]) -> Cells:
    """A sparse matrix as SciPy's `save_npz` stores it: by rows, by columns, or by cells."""
    kind = arrays["format"].astype("S").tobytes().rstrip(b"\0").decode("ascii", "replace")
    parts = {"csr": ("indices", "indptr"), "csc": ("indices", "indptr"), "coo": ("row", "col")}
    if kind not in parts:
        raise InputError(
            f"this is a SciPy matrix of format {first_ten([kind])}; store matrix.tocsr()"
        )
    try:
        height, width = (int(side) for side in arrays["shape"])
        data = arrays["data"]
        one, other = (arrays[name].astype(np.int64, casting="safe") for name in parts[kind])
        if kind != "coo":  # `other` says where the indices of each row, or column, begin
            ends = (len(other) - 1, other[0], other[-1])
            if ends != (height if kind == "csr" else width, 0, len(one)):
                raise ValueError
            other = np.repeat(np.arange(len(other) - 1), np.diff(other))
        rows, columns = (other, one) if kind == "csr" else (one, other)
        if not rows.shape == columns.shape == data.shape == (data.size,):
            raise ValueError
    except (KeyError, TypeError, ValueError, IndexError):
        raise InputError(
            f"the arrays of this SciPy matrix ({kind}) do not fit together; store it again"
        ) from None
    if data.size and not (0 <= rows.min() <= rows.max() < height):
        raise InputError(f"this SciPy matrix has rows outside its shape {(height, width)}")
    if data.size and not (0 <= columns.min() <= columns.max() < width):
        raise InputError(f"this SciPy matrix has columns outside its shape {(height, width)}")
    return Cells.of((height, width), rows, columns, data)


def _single(array: NDArray[Any]) -> NDArray[Any]:
    """The matrix of an NPY; a vector of labels or confidences is one concept."""
    if array.ndim == 3:
        raise InputError(
            f"it holds {len(array)} matrices, and a run is one",
            mend="save each as a file of its own, which names the run: np.save('lr.npy', array[0])",
        )
    if array.ndim != 1:
        return array
    if array.dtype.kind in "USO" or (array.dtype.kind in "iu" and not np.isin(array, (0, 1)).all()):
        raise InputError(
            "it holds a class for each item, not a column for each class",
            mend="save np.eye(K)[y], K being the number of classes; or stay in Python, where "
            'cf.evaluate(y, {"lr": probabilities}) takes vectors of classes as they are',
        )
    return array[:, None]


def _truth_of(arrays: Arrays, concepts: tuple[str, ...] | None) -> Truth:
    if "" in arrays:
        arrays["labels"] = _single(arrays.pop(""))
    if not _is_scipy(arrays) and not any(
        name in arrays or f"{name}_codes" in arrays for name in ("labels", "grades", "targets")
    ):
        raise InputError(f"there are neither labels nor grades, only {first_ten(arrays)}")
    named = ids_of(arrays, "concepts")
    if named is not None and concepts is not None and set(named) != set(concepts):
        raise InputError(f"its concepts are {first_ten(named)}; expected {first_ten(concepts)}")
    return Truth(
        **{name: _matrix(arrays, name, main="labels") for name in _TRUTH_MATRICES},
        items=ids_of(arrays, "items"),
        concepts=concepts if named is None else named,
        unjudged=word_of(arrays, "unjudged") or "negative",  # type: ignore[arg-type]
        open=bool(arrays.get("open", np.False_).any()),
        copy=None,
        level=_level(arrays),
    )


def _level(arrays: Arrays) -> int:
    level = arrays.get("level", np.int64(1))
    if level.shape != () or level.dtype.kind not in "iu":
        raise InputError("level should be one whole number: the lowest grade that is relevant")
    return int(level)


def _run_of(arrays: Arrays, expected: Expected, options: Options) -> Run:
    if "" in arrays:
        arrays["scores"] = _single(arrays.pop(""))
    if not _is_scipy(arrays) and not any(
        name in arrays or f"{name}_codes" in arrays for name in _RUN_MATRICES
    ):
        raise InputError(f"there are neither scores nor labels, only {first_ten(arrays)}")
    threshold = options.threshold
    run = Run(
        **{name: _matrix(arrays, name, main="scores") for name in _RUN_MATRICES},
        items=ids_of(arrays, "items"),
        concepts=ids_of(arrays, "concepts"),
        name=options.name,
        threshold=arrays.get("threshold") if threshold is None else threshold,
        group=word_of(arrays, "group"),
        tags={str(key): str(value) for key, value in arrays.get("tags", np.empty((0, 2), str))},
        copy=None,
    )
    if run.concept_axis.ids is None:
        require_order(expected)
    for axis, size in (
        (run.concept_axis, expected.width),
        (run.item_axis, None if expected.items is None else expected.items.size),
    ):
        if axis.ids is None and size is not None and axis.size != size:
            raise InputError(
                f"it has {several(axis.size, axis.kind)} and the truth {size}; without ids "
                f"they align by position, so store {axis.kind}s in an NPZ or make the sizes equal"
            )
    if run.concept_axis.ids is None and expected.items is None and expected.concepts is not None:
        # No truth will name them.
        run.concept_axis = Axis("concept", run.concept_axis.size, expected.concepts)
    return run


def _readers(read: Callable[[Source], Arrays]) -> tuple[Any, Any]:
    def read_truth(source: Source, problems: Problems, concepts: tuple[str, ...] | None) -> Truth:
        arrays = read(source)
        with telling(source, "file"):
            return problems.build(lambda: _truth_of(arrays, concepts))

    def read_run(source: Source, problems: Problems, expected: Expected, options: Options) -> Run:
        arrays = read(source)
        with telling(source, "file"):
            run = problems.build(lambda: _run_of(arrays, expected, options))
        if run.item_axis.ids is not None:
            require_known_items(dict.fromkeys(run.items), expected, problems)
        if run.concept_axis.ids is not None:
            require_known_concepts(run.concepts, expected.known_concepts, problems, line=None)
        problems.settle()
        return run

    return read_truth, read_run


# -- Writing -----------------------------------------------------------------------------------


def _stored(thing: Truth | Run, matrices: tuple[str, ...]) -> dict[str, Any]:
    """Matrices and ids of a truth or a run under their names."""
    arrays: dict[str, Any] = {}
    for name in matrices:
        if isinstance(thing, Truth) and name == "labels" and not thing.has_labels:
            continue
        attribute = "matrix" if isinstance(thing, Truth) and name == "labels" else name
        matrix = getattr(thing, attribute)
        if isinstance(matrix, Cells):
            arrays |= {f"{name}_codes": matrix.codes, f"{name}_values": matrix.values}
            arrays["shape"] = np.array(matrix.shape)
        elif matrix is not None:
            arrays[name] = matrix
    for name, axis in (("items", thing.item_axis), ("concepts", thing.concept_axis)):
        if axis.ids is not None:
            arrays[name] = as_strings(axis.ids)
    return arrays


def _write_npz_truth(collection: Collection, target: Target) -> None:
    truth = collection.truth
    rules = {"unjudged": np.array(truth.unjudged)}
    if truth.open:
        rules["open"] = np.array(True)
    if truth.level > 1:
        rules["level"] = np.array(truth.level)
    write_npz(target, _stored(truth, _TRUTH_MATRICES) | rules)


def _write_npz_run(run: Run, target: Target) -> None:
    arrays = _stored(run, _RUN_MATRICES)
    if run.threshold is not None:
        arrays["threshold"] = np.asarray(run.threshold)
    if run.group is not None:
        arrays["group"] = np.array(run.group)
    if run.tags:
        arrays["tags"] = np.array(list(run.tags.items()), dtype=str)
    write_npz(target, arrays)


def _write_npy_truth(collection: Collection, target: Target) -> None:
    npy.write_array(target.stream, collection.truth.labels, allow_pickle=False)


def _write_npy_run(run: Run, target: Target) -> None:
    if run.scores is None:
        raise InputError(f"NPY holds scores only; write run {run.name!r} as .npz instead")
    npy.write_array(target.stream, dense(run.scores), allow_pickle=False)


_read_npz_truth, _read_npz_run = _readers(partial(read_npz, known=_KNOWN, main="labels or scores"))
_read_npy_truth, _read_npy_run = _readers(read_npy)

register(
    Format(
        name="npz",
        extensions=(".npz",),
        priority=0,
        holds=IDS
        | JUDGEMENTS
        | {
            Content.LEVEL,
            Content.AS_NEGATIVE,
            Content.LEFT_OUT,
            Content.POOL,
            Content.STRATA,
            Content.TARGETS,
            Content.TARGETS_BESIDE,
            Content.OPEN,
            Content.DECISIONS,
            Content.DECIDED,
            Content.THRESHOLD,
            Content.ABSENT,
            Content.ORIGIN,
        },
        recognises=lambda file: file.head.startswith(b"PK\3\4") or file.extension == ".npz",
        read_truth=_read_npz_truth,
        read_run=_read_npz_run,
        write_truth=_write_npz_truth,
        write_run=_write_npz_run,
    ),
    Format(
        name="npy",
        extensions=(".npy",),
        priority=0,
        holds=frozenset(),
        recognises=lambda file: file.head.startswith(b"\x93NUMPY") or file.extension == ".npy",
        read_truth=_read_npy_truth,
        read_run=_read_npy_run,
        write_truth=_write_npy_truth,
        write_run=_write_npy_run,
    ),
)
