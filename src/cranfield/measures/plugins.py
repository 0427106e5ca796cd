"""Plug-ins: measures of other packages and of people's own files.

    entry points   the group "cranfield.measures" of an installed package: a module that declares
                   measures with decorators, or a function of two arrays under the name of the
                   entry point; looked up when a name is not known, or all measures are listed
    `load`         a module, or a file: what --import names
    `load_function`  "module:function" or "file.py:function": what -m names

Names in files (collections, baselines, saved results) load nothing.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points

from cranfield.core.user_code import import_code, import_member
from cranfield.errors import CranfieldError
from cranfield.measures import registry

GROUP = "cranfield.measures"


def load(reference: str) -> None:
    """Import a module or a file, so that the measures it declares can be named."""
    import_code(reference)


def load_function(spelling: str) -> None:
    """Import the function of "module:function(option=value)", so that it can be named so."""
    reference = registry.function_name(spelling)
    registry.name_function(reference, import_member(reference))


@cache
def load_entry_points() -> tuple[str, ...]:
    """Load the measures of all installed packages, once; returns what cannot be loaded, and why."""
    problems = []
    for entry in sorted(entry_points(group=GROUP)):
        try:
            if entry.attr:
                registry.name_function(entry.name, import_member(f"{entry.module}:{entry.attr}"))
            else:
                import_code(entry.module)
        except CranfieldError as error:
            package = "" if entry.dist is None else f" of {entry.dist.name} {entry.dist.version}"
            problems.append(f"plug-in {entry.name!r}{package} cannot be loaded: {error}")
    return tuple(problems)
