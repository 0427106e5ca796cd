"""Public names: what a package's stub, `__init__.pyi`, lists; imported when they are first used.

The stub is the only list: type checkers read it as it stands, and a published package reads it when
somebody looks a name up, so that `import cranfield` and `cranfield --help` wait for nothing.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any
from warnings import warn

from cranfield.caching import cached_property


def publish(package: str, moved: Mapping[str, str] | None = None) -> None:
    """Let a package have the names that its stub lists.

    moved  names that live elsewhere now (by module, blanks between); they work for one more
           version, with a warning
    """
    module = sys.modules[package]
    module.__class__ = _Published
    module.__dict__["_moved"] = {
        name: home for home, names in (moved or {}).items() for name in names.split()
    }


class _Published(ModuleType):
    """A package whose public names are imported when they are first used."""

    _moved: dict[str, str]

    @cached_property
    def _modules(self) -> dict[str, str]:
        """Where each public name is defined; of a room of the package, the package."""
        stub = Path(str(self.__file__)).with_suffix(".pyi")
        assert self.__spec__ is not None
        text = self.__spec__.loader.get_data(str(stub))  # type: ignore[union-attr]
        return {
            alias.name: node.module
            for node in ast.parse(text).body
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
        }

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            return sorted(self._modules)
        if name in self._modules:
            value = self.__dict__[name] = self._loaded(self._modules[name], name)
            return value
        if name in self._moved:
            home = self._moved[name]
            warn(
                f"{self.__name__}.{name} has moved to {home}.{name}; the old name goes with the "
                "next version",
                DeprecationWarning,
                stacklevel=2,
            )
            return self._loaded(home, name)
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")

    def _loaded(self, module: str, name: str) -> Any:
        if module == self.__name__:
            return import_module(f"{module}.{name}")
        value = getattr(import_module(module), name)
        if isinstance(value, FunctionType):
            from cranfield.core.arguments import checked

            return checked(value)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        # Importing a module sets it in its package, where a public function may have that name.
        hides = isinstance(value, ModuleType) and self._modules.get(name, self.__name__)
        if not hides or hides == self.__name__:
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return [*self.__all__, *(name for name in self.__dict__ if name.startswith("__"))]
