"""Progress: how long work says how far it is, and what it meets. Terminals, notebooks and servers
listen.

with progress("scoring", len(runs)) as step:
    for run in runs:
        ...
        step(1)

notify("3 lines were left out")
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol, runtime_checkable

Step = Callable[[float], None]
"""Called with how much was done since the last call; threads may call it."""


@runtime_checkable
class Progress(Protocol):
    """A listener: a bar, the page of a browser, a log."""

    def __call__(self, stage: str, total: float) -> AbstractContextManager[Step]:
        """Begin a stage of work of this total, 0 if nobody knows; it ends with the context."""


def part_of(step: Step) -> Progress:
    """A listener for a part of some work: its steps are steps of the whole."""
    return lambda stage, total: nullcontext(step)


def silent(stage: str, total: float) -> AbstractContextManager[Step]:
    """Nobody listens."""
    return nullcontext(lambda amount: None)


Notify = Callable[[str], None]
"""A listener for what is no result but must be read: lines that were left out, odd answers."""


def unheard(notice: str) -> None:
    """Nobody listens."""
