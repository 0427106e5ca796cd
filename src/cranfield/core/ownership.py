"""Ownership: truths and runs keep what they were made from, whatever becomes of people's arrays.

What somebody could still change is copied. Where sharing was requested, fingerprints tell whether
an array is what it was, and work on one that is not is refused. What is handed out is read-only;
people's own arrays stay as writeable as they were.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from cranfield import kernels
from cranfield.core.matrices import Cells
from cranfield.errors import InputError

Copy = bool | None
"""True: what somebody could change is copied. False: it is shared, and watched. None: it is handed
over, and nobody will write to it again."""

_Matrix = TypeVar("_Matrix", bound=NDArray[Any] | Cells)


def read_only(matrix: _Matrix) -> _Matrix:
    """The same memory, in which nothing can be written."""
    locked: Any = matrix
    if isinstance(matrix, Cells):
        if matrix.codes.flags.writeable or matrix.values.flags.writeable:
            locked = Cells(matrix.shape, read_only(matrix.codes), read_only(matrix.values))
    elif matrix.flags.writeable:
        locked = matrix.view()
        locked.flags.writeable = False
    same: _Matrix = locked
    return same


def owned(matrix: Any, source: Any, copy: Copy) -> Any:
    """A matrix, read-only, and in memory of its own if it should be a copy.

    source  what it was made from, with which it may share memory
    """
    if isinstance(matrix, Cells):
        parts = source if isinstance(source, Cells) else matrix
        return Cells(
            matrix.shape,
            owned(matrix.codes, parts.codes, copy),
            owned(matrix.values, parts.values, copy),
        )
    shared = isinstance(source, np.ndarray) and np.may_share_memory(matrix, source)
    if shared and copy and is_changeable(matrix):
        matrix, shared = matrix.copy(), False
    if matrix.flags.owndata and (copy is None or not shared):
        matrix.flags.writeable = False
        return matrix.view()
    return read_only(matrix)


def is_changeable(array: NDArray[Any]) -> bool:
    """Whether somebody may write to its memory: through it, or through what it is a view of."""
    base = array.base
    if array.flags.writeable or base is None:  # an owner can make itself writeable again
        return True
    while isinstance(base, np.ndarray):
        if base.flags.writeable:
            return True
        base = base.base
    return False


def locked_again(state: dict[str, Any]) -> dict[str, Any]:
    """The attributes of an object whose arrays were pickled, which makes them writeable."""
    return {
        name: read_only(value) if isinstance(value, np.ndarray | Cells) else value
        for name, value in state.items()
    }


class Watch:
    """Matrices that are shared with somebody who may change them, and their fingerprints."""

    def __init__(
        self, what: str, matrices: Mapping[str, NDArray[Any] | Cells | None], copy: Copy
    ) -> None:
        self._what = what
        self._arrays = [
            (name, array)
            for name, matrix in matrices.items()
            for array in _arrays(matrix)
            if copy is not None and not copy and is_changeable(array)
        ]
        self._prints = [kernels.fingerprint(array) for _, array in self._arrays]

    def require_unchanged(self) -> None:
        for (name, array), before in zip(self._arrays, self._prints, strict=True):
            if kernels.fingerprint(array) != before:
                raise InputError(
                    f"the {name} of {self._what} have changed since it was made with copy=False; "
                    "make it anew after each change, or leave copy=False out"
                )


def _arrays(matrix: NDArray[Any] | Cells | None) -> tuple[NDArray[Any], ...]:
    if matrix is None:
        return ()
    return (matrix.codes, matrix.values) if isinstance(matrix, Cells) else (matrix,)
