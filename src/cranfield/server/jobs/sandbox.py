"""A child process for what strangers sent: limited in memory and time, so that a hostile file costs
a job and nothing more.

Children are forked by a server process that has loaded the library and nothing else: no database,
no secret, no open connection. They answer in JSON, since what a broken child sends is not trusted
either.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import resource
import select
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from typing import Any

_LAST_WORDS = 5.0
"""Seconds within which a child that closed its pipe must have ended."""
_FROM_OUTSIDE = (-signal.SIGKILL, 255)
"""Exit codes of children that were killed, by themselves or with the process that forks them."""
_PRELOADED = [
    "cranfield.server.jobs.scoring",
    "cranfield.server.jobs.analysing",
    "cranfield.engine.direct_calls",
    "cranfield.formats.kinds",
    "cranfield.formats.knowledge",
    "cranfield.formats.query_files",
    "cranfield.formats.reading",
    "cranfield.formats.thresholds",
    "cranfield.formats.two_columns",
    "cranfield.knowledge.reading.owl",
    "cranfield.statistics.thresholds.tuning",
    "numpy.ma",
    "rdflib.plugins.parsers.rdfxml",
    "rdflib.plugins.stores.memory",
    "xml.sax.expatreader",
]
"""What is imported on the way, too, so that no child has to."""


@dataclass(frozen=True)
class Limits:
    """What a child may use."""

    memory: int = 4 << 30
    """Bytes of address space beyond what the library itself takes."""
    seconds: float = 300.0
    answer: int = 1 << 28
    """Bytes."""
    niceness: int = 0
    """How readily it lets other processes go first."""


class ChildFailedError(Exception):
    """A child died of its file, or took too long; the message says which."""


class ChildKilledError(Exception):
    """A child was ended from outside: by whoever stops the machine, or lacks memory."""


def run_apart(
    function: Callable[[dict[str, Any]], dict[str, Any]],
    work: dict[str, Any],
    *,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    alive: Callable[[], bool] = lambda: True,
    every: float = 1.0,
) -> dict[str, Any]:
    """What a function answers in a child process.

    alive  asked every so many seconds; False ends the child
    """
    context = multiprocessing.get_context("forkserver")
    _start_forking()
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_answer, args=(sender, function, work, limits), daemon=True)
    child.start()
    sender.close()
    deadline = time.monotonic() + limits.seconds
    try:
        while not receiver.poll(min(every, max(0.0, deadline - time.monotonic()))):
            if time.monotonic() >= deadline:
                raise ChildFailedError(f"took longer than {limits.seconds:g} seconds")
            if not alive():
                raise ChildFailedError("was given up")
        return dict(json.loads(receiver.recv_bytes(limits.answer)))
    except (EOFError, OSError, ValueError, TypeError):
        child.join(_LAST_WORDS)
        if child.exitcode in _FROM_OUTSIDE:
            raise ChildKilledError("the process that read it was killed") from None
        raise ChildFailedError("needed more memory than there is, or crashed the reader") from None
    finally:
        receiver.close()
        child.kill()
        child.join()
        child.close()


_starting = threading.Lock()
_SECRETS = re.compile("CRANFIELD_(CAMPAIGN|DATABASE)|PG.*|.*(PASSWORD|SECRET|TOKEN).*")


def _start_forking() -> None:
    """Start the process that forks children, unless it runs: without what the environment knows of
    databases and secrets."""
    with _starting:
        multiprocessing.set_forkserver_preload(_PRELOADED)
        secrets = [name for name in os.environ if _SECRETS.fullmatch(name)]
        withheld = {name: os.environ.pop(name) for name in secrets}
        try:
            forkserver.ensure_running()
        finally:
            os.environ.update(withheld)


def prepare_children() -> None:
    """Have the library loaded before the first run comes."""
    run_apart(_nothing, {})


def _nothing(work: dict[str, Any]) -> dict[str, Any]:
    return {}


def _answer(
    sender: Connection,
    function: Callable[[dict[str, Any]], dict[str, Any]],
    work: dict[str, Any],
    limits: Limits,
) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):  # they are for the worker, who waits for this
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_end_with_reader, args=(sender,), daemon=True).start()
    os.nice(limits.niceness)
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    _limit(resource.RLIMIT_AS, _address_space() + limits.memory + used)
    _limit(resource.RLIMIT_CPU, int(limits.seconds * (os.cpu_count() or 1)) + 1)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, 0)
    sender.send_bytes(json.dumps(function(work), allow_nan=False).encode())


def _end_with_reader(sender: Connection) -> None:
    """Nobody reads the answer of a child whose worker was killed."""
    watched = select.poll()
    watched.register(sender.fileno(), 0)  # that the other end is gone is always reported
    watched.poll()
    os._exit(1)


def _limit(kind: int, most: int) -> None:
    _, hard = resource.getrlimit(kind)
    value = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (value, value))


def _address_space() -> int:
    """What this process has mapped already."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * resource.getpagesize()
