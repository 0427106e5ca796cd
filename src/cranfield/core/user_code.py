"""User code: modules and files that people name themselves, and where they fail.

A module is imported by name (installed, or in the working folder), a file by its path. Only what
somebody typed, or handed over in Python, comes here; never a name that stands in a file of data.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from cranfield.errors import CranfieldError, FileError, InputError

_OWN = __name__.partition(".")[0]


@dataclass(frozen=True)
class Origin:
    """Where a function was written; str() is short enough for a signature."""

    module: str
    name: str
    path: str
    """Its file, or what Python calls the cell of a notebook; "" if neither is known."""
    line: int
    digest: str
    """Of the file, so that a number can be traced to the code that made it."""

    def __str__(self) -> str:
        return f"{self.module}@{self.digest}"

    def error(self, what: str, *, line: int | None = None, mend: str = "") -> InputError:
        """Something wrong with the function, with file and line."""
        if not self.path:
            return InputError(f"{self.module}:{self.name}: {what}", mend=mend)
        return FileError(self.path, what, line=line or self.line, mend=mend)

    def call(self, function: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """What the function returns; whatever it raises is told with file and line."""
        try:
            return function(*args, **options)
        except CranfieldError:
            raise
        except (Exception, SystemExit) as error:
            line = _last_line(error, self.path) or self.line
            raise self.error(f"{self.name} failed: {_described(error)}", line=line) from error


def origin_of(function: Callable[..., Any]) -> Origin | None:
    """Where a function was written; None if it is a part of this package."""
    plain: Any = function
    while isinstance(plain, partial):
        plain = plain.func
    plain = inspect.unwrap(plain)
    module = str(getattr(plain, "__module__", "") or type(plain).__module__)
    script = getattr(sys.modules.get("__main__"), "__file__", None)
    if module == "__main__" and script:  # as it is called when somebody imports it
        module = Path(script).stem
    if module.partition(".")[0] == _OWN:
        return None
    name = getattr(plain, "__qualname__", type(plain).__qualname__)
    code = getattr(plain, "__code__", None) or getattr(type(plain).__call__, "__code__", None)
    if code is None:
        return Origin(module, name, "", 0, _digest(repr(plain).encode()))
    return Origin(module, name, code.co_filename, code.co_firstlineno, _digest(_source(code)))


def _source(code: Any) -> bytes:
    """The file, the cell of a notebook, or what Python made of it."""
    try:
        return Path(code.co_filename).read_bytes()
    except OSError:
        pass
    try:
        return inspect.getsource(code).encode()
    except OSError:
        return bytes(code.co_code)


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=4).hexdigest()


# ── importing ─────────────────────────────────────────────────────────────────────────────────


def import_code(reference: str) -> ModuleType:
    """The module of that name, or the file, "folder/my_measures.py"."""
    return _import_file(Path(reference)) if _is_file(reference) else _import_module(reference)


def import_member(reference: str) -> Any:
    """What "module:name" or "file.py:name" stands for."""
    home, _, name = reference.rpartition(":")
    module = import_code(home)
    member: Any = module
    for part in name.split("."):
        member = getattr(member, part, None)
    if member is None or not name:
        where = getattr(module, "__file__", None) or home
        raise InputError(
            f"{reference}: {home} has no function {name!r} ({where})",
            mend="write module:function or file.py:function",
        )
    return member


def _is_file(reference: str) -> bool:
    return reference.endswith(".py")


def _import_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise FileError(path, "there is no such file; check the name and the folder")
    path, name = path.resolve(), path.stem
    loaded = sys.modules.get(name)
    if loaded is not None and _same_file(getattr(loaded, "__file__", None), path):
        return loaded
    other = getattr(loaded, "__file__", None) or _location(name)
    if loaded is not None or (other is not None and not _same_file(other, path)):
        raise FileError(
            path, f"there is another module {name!r} ({other or 'built in'}); rename the file"
        )
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    _look_in(path.parent)
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, (Exception, SystemExit)):
            raise _import_error(error, str(path)) from error
        raise
    return module


def _import_module(name: str) -> ModuleType:
    if _location(name.partition(".")[0]) is None:
        _look_in(Path.cwd())
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if name != error.name and not name.startswith(f"{error.name}."):
            raise _import_error(error, _location(name) or "") from error
        raise InputError(
            f"module {name!r} cannot be imported: it is neither installed nor in this folder",
            mend="a file is written with its ending: my_measures.py",
        ) from None
    except (Exception, SystemExit) as error:  # importing runs the module, which may raise anything
        raise _import_error(error, _location(name) or "") from error


def _location(name: str) -> str | None:
    """The file of a module that Python would import; None if there is none."""
    try:
        spec = find_spec(name)
    except (ImportError, ValueError, AttributeError):
        return None
    return None if spec is None else spec.origin or ""


def _same_file(other: str | None, path: Path) -> bool:
    return other is not None and Path(other).resolve() == path


def _look_in(folder: Path) -> None:
    """Behind everything else: a file that happens to lie there never hides an installed module."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


# ── failures ──────────────────────────────────────────────────────────────────────────────────


def _import_error(error: BaseException, path: str) -> InputError:
    """Why code cannot be imported, with file and line."""
    if isinstance(error, FileError):
        return error
    if isinstance(error, SyntaxError) and error.filename:
        return FileError(
            error.filename, f"cannot be imported (SyntaxError: {error.msg})", line=error.lineno
        )
    line = _last_line(error, path)
    if isinstance(error, CranfieldError):
        return FileError(path, error.what, line=line, mend=error.mend)
    return FileError(path, f"cannot be imported ({_described(error)})", line=line)


def _last_line(error: BaseException, path: str) -> int | None:
    """The innermost line of a file that an error passed through."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == path
    ]
    return lines[-1] if lines else None


def _described(error: BaseException) -> str:
    text = str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
