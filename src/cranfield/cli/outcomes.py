"""Outcomes: how a command ends. 0 done, 1 bad input, 2 usage, 130 interrupted, 141 pipe closed;
gates besides: 3 fail, 4 undecided.

Errors that users can cause are one paragraph on standard error, never a traceback.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from cranfield.errors import CranfieldError, MeasureError, UsageError, python_spelling

BAD_INPUT, USAGE, INTERRUPTED, PIPE_CLOSED = 1, 2, 130, 141


def exit_code(error: BaseException) -> int:
    """Say what went wrong; the exit code that tells it to other programs."""
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    if isinstance(error, OSError):
        return _lost(error)
    if isinstance(error, MemoryError):
        _complain("this needs more memory than there is; take fewer items, concepts or runs")
        return BAD_INPUT
    _complain(str(error))
    return USAGE if isinstance(error, MeasureError) else BAD_INPUT


def is_wrong_usage(error: CranfieldError) -> bool:
    """Whether something that was typed is wrong, not what files hold."""
    return bool(error.parameter) or isinstance(error, UsageError)


def spelled_for_shells(error: CranfieldError) -> CranfieldError:
    """The error, whose advice names options, unless a command has said better."""
    if error.spelling is python_spelling:
        error.spelling = flag_spelling
    return error


def flag_spelling(parameter: str, value: str) -> str:
    """A parameter as it is typed here: --missing absent, --lossy."""
    return f"--{parameter.replace('_', '-')} {'' if value == 'True' else value}".rstrip()


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


def _complain(message: str) -> None:
    from cranfield.cli.screen import errors

    errors().print("[bold red]error:[/bold red]", end=" ")
    errors().print(message, markup=False, soft_wrap=True)
