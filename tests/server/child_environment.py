"""What a child of the sandbox sees of its environment; imported by the child itself."""

from __future__ import annotations

import os
from typing import Any


def environment(work: dict[str, Any]) -> dict[str, Any]:
    return dict(os.environ)
