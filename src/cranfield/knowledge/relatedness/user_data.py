"""Where data that is fetched once is kept: a folder of the user, as the platform wants it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from cranfield.kernels.environment import chosen_data_folder


def data_folder() -> Path:
    """CRANFIELD_DATA if it is set, else the platform's folder for data of applications."""
    chosen = chosen_data_folder()
    if chosen is not None:
        return chosen
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "cranfield"
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "cranfield"
