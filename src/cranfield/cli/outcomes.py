"""Outcomes: how a command ends. 0 done, 1 bad input, 2 usage, 130 interrupted, 141 pipe closed.

Errors that users can cause are one paragraph on standard error, never a traceback.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import typer
from typer.core import TyperGroup

from cranfield.errors import CranfieldError, MeasureError

_FLAGS = {
    'missing="absent"': "--missing absent",
    "with format=": "with --format",
    "has labels= and threshold=; give one of them, since labels already are decisions": (
        "brings decisions of its own; leave --threshold out, or score this run apart"
    ),
}
"""What the library tells people who write Python, and what it is called here."""

BAD_INPUT, USAGE, INTERRUPTED, PIPE_CLOSED = 1, 2, 130, 141


class Commands(TyperGroup):
    """The group of all commands; turns what they raise into messages and exit codes."""

    def invoke(self, ctx: Any) -> Any:
        try:
            answer = super().invoke(ctx)
            sys.stdout.flush()
        except MeasureError as error:
            _complain(str(error))
            raise typer.Exit(USAGE) from None
        except CranfieldError as error:
            _complain(str(error))
            raise typer.Exit(BAD_INPUT) from None
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            # Whoever reads us has seen enough. The interpreter would complain again on exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(PIPE_CLOSED) from None
        return answer


def _complain(message: str) -> None:
    from cranfield.cli.screen import errors

    for keyword, flag in _FLAGS.items():
        message = message.replace(keyword, flag)
    errors().print("[bold red]error:[/bold red]", end=" ")
    errors().print(message, markup=False, soft_wrap=True)
