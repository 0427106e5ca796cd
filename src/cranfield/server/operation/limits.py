"""Rate limits: how often somebody may do something, counted in the memory of the one process that
answers requests."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

_MOST_KEYS = 100_000
"""Those who did nothing for longest are forgotten first."""


@dataclass
class RateLimit:
    """So many times within so many seconds, for each key."""

    times: int
    seconds: float
    clock: Callable[[], float] = time.monotonic
    _seen: OrderedDict[Hashable, deque[float]] = field(default_factory=OrderedDict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def wait(self, key: Hashable) -> float:
        """0 if it may be done now, which is counted; else the seconds until it may."""
        now = self.clock()
        with self._lock:
            seen = self._seen.setdefault(key, deque())
            self._seen.move_to_end(key)
            while len(self._seen) > _MOST_KEYS:
                self._seen.popitem(last=False)
            while seen and seen[0] <= now - self.seconds:
                seen.popleft()
            if len(seen) >= self.times:
                return seen[0] + self.seconds - now
            seen.append(now)
            return 0.0
