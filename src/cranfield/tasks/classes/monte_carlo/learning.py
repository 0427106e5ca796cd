"""The way to scikit-learn, which only this room needs and nothing else imports."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from cranfield.errors import InputError


def library(module: str) -> Any:
    """A module of scikit-learn, or of joblib and threadpoolctl that come with it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise InputError(
            f"this needs scikit-learn, the extra learn ({error}); pip install 'cranfield[learn]'"
        ) from None
