"""Sharing work between the cores of this machine.

Work on rows, columns or runs is cut into blocks; every block writes its own part of the result, so
the number of threads never changes a number. Blocks started from within a block run in place.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache

from cranfield.kernels.environment import chosen_threads

_inside = threading.local()


def worker_count() -> int:
    """Threads to use: CRANFIELD_THREADS, or the cores this process may run on."""
    limit = getattr(_inside, "limit", None)
    if limit is not None:
        return int(limit)
    chosen = chosen_threads()
    if chosen is not None:
        return chosen
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on Linux
        return os.cpu_count() or 1


@contextmanager
def limited_to(workers: int) -> Iterator[None]:
    """Use this many threads within the block."""
    before = getattr(_inside, "limit", None)
    _inside.limit = workers
    try:
        yield
    finally:
        _inside.limit = before


def share(size: int, grain: int, work: Callable[[range], None]) -> None:
    """Call `work` on consecutive ranges of at most `grain` that cover range(size)."""
    blocks = deque(range(a, min(a + grain, size)) for a in range(0, size, grain))
    helpers = min(worker_count(), len(blocks)) - 1
    if helpers < 1:
        for block in blocks:
            work(block)
        return

    def take() -> None:
        with limited_to(1):
            while True:
                try:
                    block = blocks.popleft()
                except IndexError:
                    return
                work(block)

    others = [_pool(worker_count()).submit(take) for _ in range(helpers)]
    try:
        take()
    finally:
        blocks.clear()
        for other in others:
            other.result()


@cache
def _pool(workers: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(workers, thread_name_prefix="cranfield")


# Threads do not survive a fork; a child starts its own pool.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)
