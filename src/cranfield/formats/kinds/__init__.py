"""Kinds of files that hold truths and runs: every module or folder here is a format, or several.

A module that stands here is imported when the first format is needed and calls
`register(Format(…))`. It is then read, recognised, written, checked and offered by `format=` like
every other; no list names it.
"""

from importlib import import_module
from pkgutil import iter_modules

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
