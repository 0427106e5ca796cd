"""The charts of a picture that a command wrote as a specification."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def charts(picture: Path) -> list[dict[str, Any]]:
    """Column by column, downwards."""
    spec = json.loads(picture.read_text())
    columns = spec.get("hconcat", [spec])
    return [chart for column in columns for chart in column["vconcat"]]
