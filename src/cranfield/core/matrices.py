"""Matrices as people hand them in, brought to the few forms used inside.

Dense: a C-contiguous NumPy array, bool for labels, float32 or float64 for scores. Sparse: `Cells`,
the stored cells in row-major order. Lists, NumPy, SciPy sparse matrices and torch tensors are
accepted; float32 stays float32, every other number becomes float64.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield import kernels
from cranfield.caching import cached_property
from cranfield.errors import InputError, several
from cranfield.kernels.groups import Bools as Bools
from cranfield.kernels.groups import Floats as Floats
from cranfield.kernels.groups import Ints as Ints
from cranfield.kernels.groups import Scores as Scores
from cranfield.kernels.problems import Lists

_CROWDED = 1 / 16
_BEYOND_INT64 = 2**63
_BLOCK = 2_000_000
"""Cells of a block of rows."""

LISTS = "for lists of label ids use cf.Truth.from_lists or cf.Run.from_lists"
"""What to say to people who hand in lists instead of a matrix."""

CellName = Callable[[int, int], str]
"""What to call a cell, given its row and column."""


@dataclass(frozen=True)
class Cells:
    """The stored cells of a sparse matrix, in row-major order, each once."""

    shape: tuple[int, int]
    codes: Ints
    """row · columns + column, ascending."""
    values: NDArray[Any]

    @classmethod
    def of(
        cls,
        shape: tuple[int, int],
        rows: Ints,
        columns: Ints,
        values: NDArray[Any],
        *,
        cell: CellName = "row {}, column {}".format,
    ) -> Cells:
        if shape[0] * shape[1] >= _BEYOND_INT64:
            raise InputError(f"a matrix of {shape[0]} × {shape[1]} cells; it can have up to 2⁶³")
        codes = rows.astype(np.int64) * shape[1] + columns
        if (codes[1:] > codes[:-1]).all():
            return cls(shape, codes, values)
        order = stable_order(codes, shape[0] * shape[1])
        codes = codes[order]
        twice = np.flatnonzero(codes[1:] == codes[:-1])
        if len(twice):
            raise InputError(
                f"{several(len(twice), 'cell')} stored twice, first "
                f"{cell(*divmod(int(codes[twice[0]]), shape[1]))}; store each cell once"
            )
        return cls(shape, codes, values[order])

    @property
    def crowded(self) -> bool:
        """Whether so many cells are stored that a dense matrix is smaller and faster."""
        return len(self.codes) > _CROWDED * self.shape[0] * self.shape[1]

    @cached_property
    def rows(self) -> Ints:
        return self.codes // self.shape[1]

    @cached_property
    def columns(self) -> Ints:
        return self.codes % self.shape[1]

    @cached_property
    def by_column(self) -> Lists:
        """The cells of each column."""
        order = stable_order(self.columns, self.shape[1])
        offsets = _offsets(self.columns, self.shape[1])
        return Lists(offsets, self.rows[order], self.values[order])

    @cached_property
    def by_row(self) -> Lists:
        """The cells of each row."""
        return Lists(_offsets(self.rows, self.shape[0]), self.columns, self.values)

    def at(self, codes: Ints) -> NDArray[Any]:
        """Values at the given cells; zero where nothing is stored."""
        if len(self.codes) == len(codes) and (self.codes == codes).all():
            return self.values
        if len(self.codes) == 0:
            return np.zeros(len(codes), dtype=self.values.dtype)
        if len(codes) > len(self.codes) and (codes[1:] > codes[:-1]).all():
            # Few are stored: look for them among the many, instead of the other way round.
            values = np.zeros(len(codes), dtype=self.values.dtype)
            index = np.minimum(np.searchsorted(codes, self.codes), len(codes) - 1)
            stored = codes[index] == self.codes
            values[index[stored]] = self.values[stored]
            return values
        index = np.minimum(np.searchsorted(self.codes, codes), len(self.codes) - 1)
        stored = self.codes[index] == codes
        return np.where(stored, self.values[index], self.values.dtype.type(0))

    def dense(self) -> NDArray[Any]:
        out = np.zeros(self.shape, dtype=self.values.dtype)
        out.ravel()[self.codes] = self.values
        return out

    def widened(self, rows: int, columns: int) -> Cells:
        """The same cells in a matrix with more rows below and more columns to the right."""
        if columns == self.shape[1]:
            wide = Cells((rows, columns), self.codes, self.values)
            for known in ("by_column", "rows", "columns"):  # stay as they are
                if known in self.__dict__:
                    wide.__dict__[known] = self.__dict__[known]
            return wide
        return Cells((rows, columns), self.rows * columns + self.columns, self.values)

    def part(self, rows: Ints) -> Cells:
        """The cells of some rows, each given once, in their order."""
        places = np.full(self.shape[0], -1, dtype=np.int64)
        places[rows] = np.arange(len(rows))
        moved = places[self.rows]
        remaining = moved >= 0
        shape = (len(rows), self.shape[1])
        return Cells.of(shape, moved[remaining], self.columns[remaining], self.values[remaining])

    def same_cells(self, other: Cells) -> bool:
        """Whether both store the same cells."""
        return self.codes is other.codes or np.array_equal(self.codes, other.codes)

    def total(self, axis: int) -> Ints:
        """Nonzero cells by column (axis=0) or by row (axis=1)."""
        side = self.columns if axis == 0 else self.rows
        return np.bincount(side[self.values != 0], minlength=self.shape[1 - axis])


def stable_order(numbers: Ints, below: int) -> Ints:
    """The order that sorts whole numbers from 0 up; equal ones stay in theirs.

    NumPy sorts 16-bit numbers by counting, and any values faster than it finds their order: larger
    numbers are sorted with their places in the bits below.
    """
    if below <= 1 << 16:
        return np.argsort(numbers.astype(np.uint16), kind="stable")
    bits = len(numbers).bit_length()
    if below.bit_length() + bits > 63:
        return np.argsort(numbers, kind="stable")
    keys = np.left_shift(numbers, bits, dtype=np.int64) | np.arange(len(numbers))
    keys.sort()
    return keys & ((1 << bits) - 1)


def _offsets(side: Ints, size: int) -> Ints:
    """Where the lists of numbered cells begin when they stand one after the other."""
    return np.concatenate([[0], np.cumsum(np.bincount(side, minlength=size))])


def as_cells(matrix: NDArray[Any] | Cells) -> Cells:
    """A matrix with every cell stored, or the cells that are."""
    if isinstance(matrix, Cells):
        return matrix
    rows, columns = matrix.shape
    return Cells((rows, columns), np.arange(matrix.size), matrix.ravel())


def total(matrix: Bools | Cells, axis: int) -> Ints:
    """True cells by column (axis=0) or by row (axis=1)."""
    if isinstance(matrix, Cells):
        return matrix.total(axis)
    return np.asarray(np.count_nonzero(matrix, axis=axis), dtype=np.int64)


def row_blocks(shape: tuple[int, int]) -> Iterator[slice]:
    """Slices that cover all rows, each of about two million cells, so that little memory is needed
    beside a matrix."""
    rows, columns = shape
    step = max(1, _BLOCK // max(1, columns))
    for first in range(0, rows, step):
        yield slice(first, min(first + step, rows))


def share(part: int, whole: int) -> float | None:
    """None of nothing."""
    return part / whole if whole else None


def shares(parts: Any, wholes: Ints | Floats) -> Floats:
    """Parts divided by wholes; NaN of nothing."""
    out = np.full(np.broadcast_shapes(np.shape(parts), wholes.shape), np.nan)
    np.divide(parts, wholes, out=out, where=wholes != 0)
    return out


def at(matrix: NDArray[Any] | Cells, codes: Ints) -> NDArray[Any]:
    """Values at the given cells of a matrix of either form."""
    return matrix.at(codes) if isinstance(matrix, Cells) else matrix.ravel()[codes]


def rows_of(matrix: NDArray[Any] | Cells, rows: Ints) -> Any:
    """Some rows, each given once, in their order; the form stays."""
    return matrix.part(rows) if isinstance(matrix, Cells) else matrix[rows]


def columns_of(matrix: NDArray[Any] | Cells, columns: Ints) -> Any:
    """Some columns, each given once, in their order; the form stays."""
    if not isinstance(matrix, Cells):
        return np.ascontiguousarray(matrix[:, columns])
    places = np.full(matrix.shape[1], -1, dtype=np.int64)
    places[columns] = np.arange(len(columns))
    moved = places[matrix.columns]
    remaining = moved >= 0
    shape = (matrix.shape[0], len(columns))
    return Cells.of(shape, matrix.rows[remaining], moved[remaining], matrix.values[remaining])


def dense(matrix: NDArray[Any] | Cells) -> NDArray[Any]:
    return matrix.dense() if isinstance(matrix, Cells) else matrix


def sparse_where_empty(matrix: NDArray[Any], empty: Bools) -> NDArray[Any] | Cells:
    """The matrix as it is, or its other cells if some are empty."""
    stored = np.flatnonzero(~empty)
    if len(stored) == matrix.size:
        return matrix
    return Cells((matrix.shape[0], matrix.shape[1]), stored, matrix.ravel()[stored])


def as_matrix(what: str, given: Any) -> NDArray[Any] | Cells:
    """Any accepted input as a two-dimensional array or as sparse cells, values untouched."""
    if isinstance(given, Cells):
        return given
    if hasattr(given, "tocoo"):
        coo = given.tocoo()
        if len(coo.shape) != 2:
            raise InputError(f"{what} must have two dimensions, items by concepts; got {coo.shape}")
        shape = (int(coo.shape[0]), int(coo.shape[1]))
        return Cells.of(shape, np.asarray(coo.row), np.asarray(coo.col), np.asarray(coo.data))
    array = as_array(what, given)
    if array.ndim != 2:
        single = LISTS if array.dtype == object else "for a single concept pass an (N, 1) array"
        raise InputError(
            f"{what} must have two dimensions, items by concepts; got shape {array.shape}"
            + (f"; {single}" if array.ndim == 1 else "")
        )
    return array


def as_array(what: str, given: Any) -> NDArray[Any]:
    """Lists, arrays and tensors as an array of any shape."""
    if isinstance(given, np.ma.MaskedArray):
        raise InputError(
            f"{what} is a masked array; pass its data, and say with judged=~mask (truths) or a "
            "sparse matrix (runs) which cells are there"
        )
    try:
        return np.asarray(_from_tensor(given))
    except (ValueError, TypeError) as error:
        raise InputError(
            f"{what} cannot be read as a matrix ({error}); all rows need equal lengths; {LISTS}"
        ) from None


def _from_tensor(given: Any) -> Any:
    """A torch tensor as something NumPy can read; anything else as it is."""
    if not hasattr(given, "detach"):
        return given
    tensor = given.detach().cpu()
    return tensor.float() if "bfloat16" in str(tensor.dtype) else tensor


def as_labels(what: str, given: Any, cell: CellName) -> Bools | Cells:
    """A 0/1 matrix; `cell` names a cell in messages."""
    matrix = as_matrix(what, given)
    values = matrix.values if isinstance(matrix, Cells) else matrix
    if values.dtype != np.bool_:
        _require_numbers(what, values)
        wrong = (values != 0) & (values != 1)
        if wrong.any():
            raise InputError(f"{what}: {_first_cell(matrix, wrong, cell)}; only 0 and 1 are labels")
    if isinstance(matrix, Cells):
        return Cells(matrix.shape, matrix.codes, plain_bools(values.astype(np.bool_, copy=False)))
    return np.ascontiguousarray(plain_bools(values.astype(np.bool_, copy=False)))


def plain_bools(marks: Bools) -> Bools:
    """The same marks, each the byte 0 or 1.

    A view of bytes, such as a mask of 255 from an image library, may hold others. NumPy looks at
    whether they are 0; C adds them up.
    """
    octets = marks.view(np.uint8)
    return octets != 0 if octets.max(initial=0) > 1 else marks


def as_integers(what: str, given: Any, cell: CellName) -> Ints | Cells:
    """A matrix of whole numbers, none below zero; `cell` names a cell in messages."""
    matrix = as_matrix(what, given)
    values = matrix.values if isinstance(matrix, Cells) else matrix
    _require_numbers(what, values)
    wrong = values < 0
    if values.dtype.kind == "f":
        wrong |= ~np.isfinite(values) | (values != np.floor(values))
    if wrong.any():
        raise InputError(
            f"{what}: {_first_cell(matrix, wrong, cell)}; only whole numbers from 0 up"
        )
    if values.size and int(values.max()) >= _BEYOND_INT64:
        wrong = values >= _BEYOND_INT64
        raise InputError(
            f"{what}: {_first_cell(matrix, wrong, cell)}; only whole numbers below 2⁶³"
        )
    numbers: Ints | Cells = _with_type(matrix, np.int64)
    return numbers


def as_scores(what: str, given: Any) -> Scores | Cells:
    """A matrix of numbers, float32 if it came so, else float64; not yet checked for NaN."""
    matrix = as_matrix(what, given)
    values = matrix.values if isinstance(matrix, Cells) else matrix
    _require_numbers(what, values)
    single = values.dtype.kind == "f" and values.dtype.itemsize == 4  # in either order of bytes
    kind = np.float32 if single else np.float64
    scores: Scores | Cells = _with_type(matrix, kind)
    return scores


def count_rounded(values: NDArray[Any]) -> int:
    """How many numbers float64 cannot hold: whole ones beyond 2⁵³, and longer floats."""
    if values.dtype.kind == "f":
        if values.dtype.itemsize <= 8:
            return 0
        with np.errstate(over="ignore"):
            return int(np.count_nonzero(values.astype(np.float64) != values))
    if values.dtype.kind not in "iu" or values.dtype.itemsize < 8:
        return 0
    native = values.astype(values.dtype.newbyteorder("="), copy=False)
    signed = native.dtype.kind == "i"
    large = native[(native > 2**53) | (native < -(2**53))] if signed else native[native > 2**53]
    size = (np.abs(large) if signed else large).astype(np.uint64)
    # float64 keeps 53 binary digits: what stands behind them must be 0.
    behind = np.frexp(size.astype(np.float64))[1] - 53
    return int(np.count_nonzero(size & ((np.uint64(1) << behind.astype(np.uint64)) - np.uint64(1))))


def _require_numbers(what: str, values: NDArray[Any]) -> None:
    if values.dtype.kind not in "biuf":
        raise InputError(f"{what} must hold numbers; got {values.dtype}")


def _with_type(matrix: NDArray[Any] | Cells, kind: Any) -> Any:
    if isinstance(matrix, Cells):
        return Cells(matrix.shape, matrix.codes, matrix.values.astype(kind, copy=False))
    return np.ascontiguousarray(matrix, dtype=kind)


def _first_cell(matrix: NDArray[Any] | Cells, wrong: Bools, cell: CellName) -> str:
    values = matrix.values if isinstance(matrix, Cells) else matrix
    first = int(np.flatnonzero(wrong.ravel())[0])
    code = int(matrix.codes[first]) if isinstance(matrix, Cells) else first
    return f"{cell(*divmod(code, matrix.shape[1]))} holds {values.ravel()[first]}"


def ratio(part: Any, whole: Any) -> Floats:
    """part / whole, NaN where whole is 0."""
    part, whole = np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64)
    out: Floats = np.full(whole.shape, np.nan)
    np.divide(part, whole, out=out, where=whole != 0)
    return out


def mean_of_defined(values: Floats) -> Floats:
    """The mean along the last axis of what is defined; NaN where nothing is."""
    defined = ~np.isnan(values)
    return ratio(kernels.row_sums(np.where(defined, values, 0.0)), defined.sum(axis=-1))
