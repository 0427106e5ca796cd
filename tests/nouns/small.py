"""The small truth and scores that the tests of the nouns share."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import cranfield as cf
from problems import problem

Y = np.array([[1, 0, 1], [0, 1, 0]])
S = np.array([[0.9, 0.2, 0.6], [0.1, 0.8, 0.4]])
CASE = problem(1)


def refused(message: str, error: type[Exception] = cf.InputError) -> Any:
    """Expect an error whose message holds this text as it stands."""
    return pytest.raises(error, match=re.escape(message))


def changed(matrix: Any, value: float, row: int = 1, column: int = 2) -> Any:
    out = np.array(matrix, dtype=float)
    out[row, column] = value
    return out
