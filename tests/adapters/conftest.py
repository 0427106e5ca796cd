"""Settings of these tests: a warning of scikit-learn's is a failure."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def strict() -> Iterator[None]:
    """What scikit-learn would hide in a warning fails here."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*converge.*")
        warnings.filterwarnings("ignore", category=FutureWarning)
        yield
