"""NPZ and NPY: arrays as NumPy stores them, never pickled objects.

An NPZ holds arrays named like the parameters of `Truth` and `Run`: labels, scores, items,
concepts, judged, grades, threshold … A sparse matrix `scores` is three arrays: `scores_codes` (row
times columns plus column, ascending), `scores_values` and `shape`. An NPY is one matrix: the labels
of a truth, the scores of a run; so is an NPZ that SciPy's `save_npz` wrote. Without ids, rows and
columns align by position.
"""

from __future__ import annotations

import math
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import BufferedIOBase
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from cranfield.collection import Collection
from cranfield.errors import FileError, InputError, first_ten, several
from cranfield.formats.cells import require_known_concepts, require_known_items, require_order
from cranfield.formats.contents import IDS, JUDGEMENTS, Content
from cranfield.formats.problems import Problems, shown
from cranfield.formats.registry import Expected, Format, Options, Target, register
from cranfield.formats.source import Source, seekable
from cranfield.matrices import Cells, dense
from cranfield.run import Run
from cranfield.truth import Truth

_TRUTH_MATRICES = ("labels", "grades", "judged", "pool", "strata")
_RUN_MATRICES = ("scores", "labels")
_KNOWN = {
    *(name + part for name in (*_TRUTH_MATRICES, "scores") for part in ("", "_codes", "_values")),
    *("shape", "items", "concepts", "threshold", "unjudged", "group", "tags"),
    *("format", "data", "indices", "indptr", "row", "col"),
}
_HEADER = re.compile(
    rb"\{'descr': '([<>|=]?[a-zA-Z]\d{0,9})', 'fortran_order': (True|False), "
    rb"'shape': \(((?:\d{1,18}(?:, ?\d{1,18}){0,31},? ?)?)\), \}\s*"
)
_LONGEST_HEADER = 10_000
_BLOCK = 1 << 24

Arrays = dict[str, NDArray[Any]]


# -- Reading -----------------------------------------------------------------------------------


def _read_array(stream: BufferedIOBase | IO[bytes], what: str, *, size: int | None) -> NDArray[Any]:
    """One stored array, refused before it is loaded if it is pickled or larger than its file."""
    magic = stream.read(8)
    longer = magic[6:7] > b"\1"
    size_of_header = int.from_bytes(stream.read(4 if longer else 2), "little")
    # By pattern, not evaluated: what is not plain numbers or strings need not be understood.
    header = _HEADER.fullmatch(stream.read(min(size_of_header, _LONGEST_HEADER)))
    if magic[:6] != npy.MAGIC_PREFIX or header is None:
        raise InputError(f"{what} is not an array of plain numbers or strings, or it is broken")
    dtype = np.dtype(header[1].decode())
    shape = tuple(map(int, re.findall(rb"\d+", header[3])))
    if dtype.hasobject or dtype.kind not in "biufUS":
        raise InputError(
            f"{what} holds {'pickled objects' if dtype.hasobject else dtype}, which are not read; "
            "store numbers, and ids as an array of strings"
        )
    needed = math.prod(shape) * dtype.itemsize
    if size is not None and needed > size:
        raise InputError(f"{what} should take {needed} bytes and has {size}; copy the file again")
    flat = np.empty(math.prod(shape), dtype=dtype)
    raw = flat.view(np.uint8)
    for first in range(0, needed, _BLOCK):
        wanted = min(_BLOCK, needed - first)
        part = stream.read(wanted)
        if len(part) < wanted:
            raise InputError(f"{what} ends too early; copy or store the file again")
        raw[first : first + wanted] = np.frombuffer(part, dtype=np.uint8)
    return flat.reshape(shape, order="F" if header[2] == b"True" else "C")


def _read_npy(source: Source) -> Arrays:
    with _telling(source, "NPY file"):
        size = None if source.packed else source.path.stat().st_size
        return {"": _read_array(source.stream, "the array", size=size)}


def _read_npz(source: Source) -> Arrays:
    arrays: Arrays = {}
    others: list[str] = []
    with (
        _telling(source, "NPZ archive"),
        seekable(source) as stream,
        zipfile.ZipFile(stream) as archive,
    ):
        for entry in archive.infolist():
            name = entry.filename.removesuffix(".npy")
            if name in _KNOWN:
                with archive.open(entry) as member:
                    arrays[name] = _read_array(member, name, size=entry.file_size)
            else:
                others.append(name)
    if not arrays:
        raise FileError(
            source.path,
            f"the archive holds no array by a known name, only {first_ten(others) or 'nothing'}; "
            "name them labels or scores",
        )
    return arrays


@contextmanager
def _telling(source: Source, what: str) -> Iterator[None]:
    try:
        yield
    except FileError:
        raise
    except InputError as error:
        raise FileError(source.path, str(error)) from None
    except MemoryError:
        raise FileError(source.path, f"the {what} needs more memory than there is") from None
    # The readers of NumPy and zipfile raise a dozen kinds of error on broken bytes.
    except Exception as error:
        why = f" ({error})" if isinstance(error, (OSError, zipfile.BadZipFile)) else ""
        raise FileError(
            source.path, f"the {what} is broken{why}; copy or store the file again"
        ) from None


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


def _ids(arrays: Mapping[str, NDArray[Any]], name: str) -> list[str] | None:
    ids = arrays.get(name)
    if ids is None:
        return None
    if ids.ndim != 1:
        raise InputError(f"{name} must be a list of ids; got shape {ids.shape}")
    if ids.dtype.kind == "S":
        ids = np.char.decode(ids, "utf-8")
    return [str(name) for name in ids.tolist()]


def _one(arrays: Mapping[str, NDArray[Any]], name: str) -> str | None:
    value = arrays.get(name)
    return None if value is None else str(value[()])


def _truth_of(arrays: Arrays, concepts: tuple[str, ...] | None) -> Truth:
    if "" in arrays:
        arrays["labels"] = arrays.pop("")
    if not _is_scipy(arrays) and not any(
        name in arrays or f"{name}_codes" in arrays for name in ("labels", "grades")
    ):
        raise InputError(f"there are neither labels nor grades, only {first_ten(arrays)}")
    named = _ids(arrays, "concepts")
    if named is not None and concepts is not None and set(named) != set(concepts):
        raise InputError(f"its concepts are {first_ten(named)}; expected {first_ten(concepts)}")
    return Truth(
        **{name: _matrix(arrays, name, main="labels") for name in _TRUTH_MATRICES},
        items=_ids(arrays, "items"),
        concepts=concepts if named is None else named,
        unjudged=_one(arrays, "unjudged") or "negative",  # type: ignore[arg-type]
    )


def _run_of(arrays: Arrays, expected: Expected, options: Options) -> Run:
    if "" in arrays:
        arrays["scores"] = arrays.pop("")
    if not _is_scipy(arrays) and not any(
        name in arrays or f"{name}_codes" in arrays for name in _RUN_MATRICES
    ):
        raise InputError(f"there are neither scores nor labels, only {first_ten(arrays)}")
    threshold = options.threshold
    run = Run(
        **{name: _matrix(arrays, name, main="scores") for name in _RUN_MATRICES},
        items=_ids(arrays, "items"),
        concepts=_ids(arrays, "concepts"),
        name=options.name,
        threshold=arrays.get("threshold") if threshold is None else threshold,
        group=_one(arrays, "group"),
        tags={str(key): str(value) for key, value in arrays.get("tags", np.empty((0, 2), str))},
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
    return run


def _readers(read: Callable[[Source], Arrays]) -> tuple[Any, Any]:
    def read_truth(source: Source, problems: Problems, concepts: tuple[str, ...] | None) -> Truth:
        arrays = read(source)
        with _telling(source, "file"):
            return problems.build(lambda: _truth_of(arrays, concepts))

    def read_run(source: Source, problems: Problems, expected: Expected, options: Options) -> Run:
        arrays = read(source)
        with _telling(source, "file"):
            run = problems.build(lambda: _run_of(arrays, expected, options))
        if run.item_axis.ids is not None:
            require_known_items(dict.fromkeys(run.items), expected, problems)
        if run.concept_axis.ids is not None:
            require_known_concepts(run.concepts, expected.concepts, problems, line=None)
        problems.settle()
        return run

    return read_truth, read_run


# -- Writing -----------------------------------------------------------------------------------


class _Forward:
    """A stream that is only written forwards, as archives within gzip must be."""

    def __init__(self, stream: BufferedIOBase) -> None:
        self.write = stream.write
        self.flush = stream.flush


def _write_npz(target: Target, arrays: Mapping[str, Any]) -> None:
    with zipfile.ZipFile(_Forward(target.stream), "w") as archive:  # type: ignore[call-overload]
        for name, array in arrays.items():
            # An entry made by hand carries no time, so equal content gives equal files.
            with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
                npy.write_array(member, np.asarray(array), allow_pickle=False)


def _stored(thing: Truth | Run, matrices: tuple[str, ...]) -> dict[str, Any]:
    """Matrices and ids of a truth or a run under their names."""
    arrays: dict[str, Any] = {}
    for name in matrices:
        attribute = "matrix" if isinstance(thing, Truth) and name == "labels" else name
        matrix = getattr(thing, attribute)
        if isinstance(matrix, Cells):
            arrays |= {f"{name}_codes": matrix.codes, f"{name}_values": matrix.values}
            arrays["shape"] = np.array(matrix.shape)
        elif matrix is not None:
            arrays[name] = matrix
    for name, axis in (("items", thing.item_axis), ("concepts", thing.concept_axis)):
        if axis.ids is not None:
            arrays[name] = _as_strings(axis.ids)
    return arrays


def _as_strings(ids: tuple[str, ...]) -> NDArray[Any]:
    for name in ids:
        if name.endswith("\0"):
            raise InputError(
                f"the id {shown(name)} ends with a NUL character, which NumPy drops; rename it"
            )
    return np.array(ids, dtype=str)


def _write_npz_truth(collection: Collection, target: Target) -> None:
    truth = collection.truth
    _write_npz(target, _stored(truth, _TRUTH_MATRICES) | {"unjudged": np.array(truth.unjudged)})


def _write_npz_run(run: Run, target: Target) -> None:
    arrays = _stored(run, _RUN_MATRICES)
    if run.threshold is not None:
        arrays["threshold"] = np.asarray(run.threshold)
    if run.group is not None:
        arrays["group"] = np.array(run.group)
    if run.tags:
        arrays["tags"] = np.array(list(run.tags.items()), dtype=str)
    _write_npz(target, arrays)


def _write_npy_truth(collection: Collection, target: Target) -> None:
    npy.write_array(target.stream, collection.truth.labels, allow_pickle=False)


def _write_npy_run(run: Run, target: Target) -> None:
    if run.scores is None:
        raise InputError(f"NPY holds scores only; write run {run.name!r} as .npz instead")
    npy.write_array(target.stream, dense(run.scores), allow_pickle=False)


_read_npz_truth, _read_npz_run = _readers(_read_npz)
_read_npy_truth, _read_npy_run = _readers(_read_npy)

register(
    Format(
        name="npz",
        extensions=(".npz",),
        asked=0,
        holds=IDS
        | JUDGEMENTS
        | {
            Content.AS_NEGATIVE,
            Content.LEFT_OUT,
            Content.POOL,
            Content.STRATA,
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
        asked=0,
        holds=frozenset(),
        recognises=lambda file: file.head.startswith(b"\x93NUMPY") or file.extension == ".npy",
        read_truth=_read_npy_truth,
        read_run=_read_npy_run,
        write_truth=_write_npy_truth,
        write_run=_write_npy_run,
    ),
)
