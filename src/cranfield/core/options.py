"""Options: what a signature cannot say about a parameter; stands in `Annotated`.

    def stability(truth, runs, *, repeats: Annotated[int, Option(metavar="N", minimum=1)] = 10):

Command lines, documentation pages and web forms are made of signatures, these notes and docstrings.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

Suggestion = Literal["", "measures", "unchecked measures"]
"""Names of measures are checked before anything is read, unless a command checks them."""
Written = Literal["", "file", "truth", "votes", "map", "page", "folder", "tables"]
"""What a file is to hold; its ending must suit. A folder must be new or empty, one of tables need
not; that of a map is made."""


@dataclass(frozen=True, kw_only=True)
class Argument:
    """A parameter that is typed without a name: TRUTH RUN…"""

    metavar: str
    suggest: Suggestion = ""
    """What can be completed while somebody types."""


@dataclass(frozen=True, kw_only=True)
class Option:
    """A parameter that is typed by name: --repeats 10."""

    name: str = ""
    """How front ends call it, if not as Python does: measure for measures."""
    also: str = ""
    """Another name that front ends take."""
    short: str = ""
    """One letter: -m."""
    metavar: str = ""
    minimum: float | None = None
    maximum: float | None = None
    parse: Callable[[str], Any] | None = None
    """Makes the value of what was typed; raises ValueError with what to type instead."""
    default: str = ""
    """The default in words, where it depends on the data."""
    help: str = ""
    """What it is, where several functions share it; a line of a docstring goes before it."""
    panel: str = ""
    """The heading it stands under in help and forms."""
    needs: str | tuple[str, ...] = ""
    """Another parameter, without which this one means nothing; any of several."""
    excludes: tuple[str, ...] = ()
    """Parameters that contradict this one."""
    suggest: Suggestion = ""
    """What can be completed while somebody types."""
    writes: Written = ""
    """Of a path that the command writes to: what is written there. Inputs are never replaced."""


Seed = Annotated[int, Option(minimum=0, help="Seed of what is drawn")]
"""Of random draws."""


def finite_number(text: str) -> float:
    """A finite number, for `parse`."""
    try:
        number = float(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a number; give one such as 0.5") from None
    if not math.isfinite(number):
        raise ValueError(f"{text} is not finite; give a finite number")
    return number


def numbers(text: str) -> tuple[float, ...]:
    """Numbers with commas between, for `parse`."""
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise ValueError(f"{text!r}; give numbers with commas between, such as 0.1,0.2") from None
