"""Names of reference runs: what systems are held against, and never tested or ranked as one.

Random0 … Random100 and AllOnes know nothing, perfect says what is true (`studies.reference_runs`
makes them, `cranfield simulate` writes some). A run with one of these names is taken for it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

ALL_ONES, PERFECT = "AllOnes", "perfect"
_BLIND = re.compile(rf"Random(\d|[1-9]\d|100)|{ALL_ONES}")


def is_blind(name: str) -> bool:
    """Whether a run of this name is one that knows nothing."""
    return _BLIND.fullmatch(name) is not None


def is_system(name: str) -> bool:
    """Whether a run of this name is neither a random one nor the perfect one."""
    return not is_blind(name) and name != PERFECT


def references_remark(names: Sequence[str]) -> str:
    """What to tell readers of a test or ranking about the reference runs that it leaves out."""
    shown = ", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")
    return f"{shown}: reference runs by their names, neither tested nor ranked as systems"
