"""Options that several commands share, and that arrive as one."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

Command = Callable[..., None]


def sharing(parameter: str, options: Callable[..., Any]) -> Callable[[Command], Command]:
    """Commands with the options of a function after their own; what it makes of them is handed to
    the parameter of this name. A command that has an option of the same name keeps its own."""
    all_shared = inspect.signature(options, eval_str=True).parameters

    def shares(command: Command) -> Command:
        own = inspect.signature(command, eval_str=True)
        shared = {n: option for n, option in all_shared.items() if n not in own.parameters}
        kept = [one for name, one in own.parameters.items() if name != parameter]

        @wraps(command)
        def told(**given: Any) -> None:
            made = options(**{name: given.pop(name) for name in shared})
            command(**{parameter: made}, **given)

        # Typer asks the signature what to put on the command line.
        told.__signature__ = own.replace(  # type: ignore[attr-defined]
            parameters=[*kept, *shared.values()]
        )
        return told

    return shares
