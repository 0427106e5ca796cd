"""What children do that break; they know nothing of Django, so it stands in a file of its own."""

from __future__ import annotations

import os
import time
from typing import Any

from cranfield.server.jobs.analysing import analyse


def crash(work: dict[str, Any]) -> dict[str, Any]:
    os.abort()


def never_ends(work: dict[str, Any]) -> dict[str, Any]:
    time.sleep(600)
    return {}


def breaks_over_bob(work: dict[str, Any]) -> dict[str, Any]:
    """Crashes where a run of bob's is among those to be analysed."""
    if any(run["label"].startswith("bob") for run in work["runs"]):
        os.abort()
    return analyse(work) | {"readable": True}
