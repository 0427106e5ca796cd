"""Public names: one list of them, and old ones that still work, with a warning."""

from __future__ import annotations

import importlib
import warnings

import pytest

import cranfield as cf

ROOMS = ("assessment", "collections", "statistics", "studies", "tasks")


def test_the_package_has_about_fifty_names_and_no_more() -> None:
    assert 45 <= len(cf.__all__) <= 60


@pytest.mark.parametrize("package", ["cranfield", *(f"cranfield.{room}" for room in ROOMS)])
def test_every_listed_name_is_there(package: str) -> None:
    module = importlib.import_module(package)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert all(getattr(module, name) is not None for name in module.__all__)
    assert set(module.__all__) <= set(dir(module))


def test_a_name_that_moved_works_for_one_more_version_with_a_warning() -> None:
    for name, home in cf._moved.items():  # type: ignore[attr-defined]
        with pytest.warns(DeprecationWarning, match=f"moved to {home}.{name};"):
            old = getattr(cf, name)
        new = getattr(importlib.import_module(home), name)
        assert old is new or old.__wrapped__ in (new, getattr(new, "__wrapped__", None))


def test_a_function_is_not_hidden_by_the_module_of_its_name() -> None:
    importlib.import_module("cranfield.studies.stability")
    importlib.import_module("cranfield.measures")
    assert callable(cf.studies.stability)
    assert callable(cf.measures)


def test_an_unknown_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = cf.nonsense  # type: ignore[attr-defined]
