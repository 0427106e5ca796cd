"""Writing CSV and TSV: what wide and long files have in common."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.core.matrices import Bools, Cells
from cranfield.errors import InputError
from cranfield.formats.problems import shown


def stored_cells(matrix: NDArray[Any] | Cells) -> Bools | None:
    """Which cells a sparse matrix stores; None = all."""
    if not isinstance(matrix, Cells):
        return None
    stored = np.zeros(matrix.shape, dtype=np.bool_)
    stored.ravel()[matrix.codes] = True
    return stored


def line_of(names: Iterable[str], numbers: Iterable[str], separator: str) -> bytes:
    """A line of CSV or TSV, names quoted where they need it."""
    fields = [*(_quoted(name, separator) for name in names), *numbers]
    return (separator.join(fields) + "\n").encode()


def _quoted(text: str, separator: str) -> str:
    if "\r" in text or "\0" in text:
        raise InputError(
            f"the id {shown(text)} cannot be written as CSV or TSV; write .npz instead"
        )
    if text.strip(" \t") != text or any(mark in text for mark in (separator, '"', "\n")):
        return '"' + text.replace('"', '""') + '"'
    return text
