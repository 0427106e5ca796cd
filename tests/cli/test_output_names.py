"""Names of files to write that say nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.cli.targets import chosen_form
from cranfield.errors import UsageError


def test_a_folder_to_write_to_is_named() -> None:
    with pytest.raises(UsageError, match=r"^\.: the extension '' does not say what"):
        chosen_form({"json": False}, Path("."), {".json": "json"})
