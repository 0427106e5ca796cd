"""Outcomes: how a command ends. 0 done, 1 bad input, 2 usage, 130 interrupted, 141 pipe closed;
gates besides: 3 fail, 4 undecided.

Errors that users can cause are one paragraph on standard error, never a traceback.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Any

import typer
from typer.core import TyperGroup

from cranfield.core import pipes
from cranfield.core.printable import printable
from cranfield.errors import CranfieldError, MeasureError, python_spelling

BAD_INPUT, USAGE, INTERRUPTED, PIPE_CLOSED = 1, 2, 130, 141


class Commands(TyperGroup):
    """The group of all commands; turns what they raise into messages and exit codes."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().main(*args, **kwargs)
        except OSError as error:  # of --help and --version, which are printed before `invoke`
            sys.exit(_lost(error))

    def get_params(self, ctx: Any) -> list[Any]:
        params = super().get_params(ctx)
        for param in params:
            if getattr(param, "is_flag", False):
                param.metavar = ""
                # Typer loads pydantic, a tenth of a second, for a flag that is None: those of
                # completion, whatever somebody types.
                param.default = param.default or False
        return params

    def invoke(self, ctx: Any) -> Any:
        try:
            with pipes.kept():
                answer = super().invoke(ctx)
            sys.stdout.flush()
        except typer.BadParameter as error:
            error.message = printable(error.message.removeprefix("Value error, "))
            raise
        except MeasureError as error:
            _complain(_spelled(error))
            raise typer.Exit(USAGE) from None
        except CranfieldError as error:
            if error.parameter:  # a value that somebody typed
                hint = f"--{error.parameter.replace('_', '-')}"
                raise typer.BadParameter(_spelled(error), ctx, param_hint=hint) from None
            _complain(_spelled(error))
            raise typer.Exit(BAD_INPUT) from None
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        except OSError as error:
            raise typer.Exit(_lost(error)) from None
        except MemoryError:
            _complain("this needs more memory than there is; take fewer items, concepts or runs")
            raise typer.Exit(BAD_INPUT) from None
        return answer


def _lost(error: OSError) -> int:
    """The exit code where the system refused something that no reader or writer has met."""
    if error.filename is not None:
        why = error.strerror or error
        _complain(f"{os.fsdecode(error.filename)}: {why}; check the name and its permissions")
        return BAD_INPUT
    # The interpreter would complain again on exit about what it could not write.
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):  # whoever reads us has seen enough
        return PIPE_CLOSED
    _complain(
        f"standard output cannot be written ({error.strerror or error}); "
        "make room, or send it elsewhere"
    )
    return BAD_INPUT


def flag_spelling(parameter: str, value: str) -> str:
    """A parameter as it is typed here: --missing absent, --lossy."""
    return f"--{parameter.replace('_', '-')} {'' if value == 'True' else value}".rstrip()


def _spelled(error: CranfieldError) -> str:
    if error.spelling is python_spelling:  # no command has said better
        error.spelling = flag_spelling
    return str(error)


def _complain(message: str) -> None:
    from cranfield.cli.screen import errors

    errors().print("[bold red]error:[/bold red]", end=" ")
    errors().print(message, markup=False, soft_wrap=True)
