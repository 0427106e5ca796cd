"""Finds WordNet's database on this machine.

In this order: a given folder; WNSEARCHDIR, or dict below WNHOME; where `install` puts it; folders
of system packages; the data of NLTK, as a folder or zipped. Only the first two may hold a version
other than 3.0: numbers must not depend on what else happens to be on a machine.
"""

from __future__ import annotations

import os
import sys
import zipfile
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from pathlib import Path

from cranfield.errors import FileError, InputError
from cranfield.knowledge.relatedness.user_data import data_folder

_FILE = "data.noun"
_SYSTEM = (
    "/usr/share/wordnet",
    "/usr/share/wordnet/dict",
    "/usr/local/share/wordnet",
    "/usr/local/WordNet-3.0/dict",
    "/usr/lib/wnres/dict",
    "/opt/homebrew/opt/wordnet/dict",
    "/usr/local/opt/wordnet/dict",
    "/opt/local/share/WordNet-3.0/dict",
    "C:/Program Files/WordNet/3.0/dict",
)


def installed_folder() -> Path:
    """Where `install` puts WordNet."""
    return data_folder() / "wordnet-3.0"


def located(folder: Path | Traversable | str | None = None) -> Path | Traversable:
    """The folder of WordNet's database.

    folder  with data.noun, or with dict/data.noun below it; default: as described above
    """
    found = _found(folder)
    if found is None:
        raise InputError(
            "WordNet 3.0 is not on this machine; install it with "
            "cranfield.knowledge.relatedness.wordnet.install(), set WNHOME, or give its folder"
        )
    return found


def is_there() -> bool:
    """Whether it is found without being told where."""
    return _found(None) is not None


def _found(folder: Path | Traversable | str | None) -> Path | Traversable | None:
    return _named(folder) or next(filter(_holds_30, _usual()), None)


def _named(folder: Path | Traversable | str | None) -> Path | Traversable | None:
    """The folder that is given, or else named by the environment."""
    told = {"WNSEARCHDIR": "WNSEARCHDIR names it", "WNHOME": "WNHOME names it"}
    if folder is None:
        variable = next((name for name in told if os.environ.get(name)), None)
        if variable is None:
            return None
        folder, why = os.environ[variable], f"; {told[variable]}"
    else:
        why = ""
    start = Path(folder).expanduser() if isinstance(folder, str) else folder
    for place in (start, start / "dict"):
        if (place / _FILE).is_file():
            return place
    raise FileError(str(start), f"has no {_FILE}, as WordNet's database has{why}")


def _usual() -> Iterator[Path | Traversable]:
    yield installed_folder()
    yield from map(Path, _SYSTEM)
    for data in _nltk_data():
        yield data / "corpora" / "wordnet"
        archive = data / "corpora" / "wordnet.zip"
        if zipfile.is_zipfile(archive):
            yield zipfile.Path(archive, "wordnet/")


def _nltk_data() -> Iterator[Path]:
    """Folders in which NLTK looks for its data."""
    told = os.environ.get("NLTK_DATA", "")
    yield from map(Path, filter(None, told.split(os.pathsep)))
    yield Path.home() / "nltk_data"
    for prefix in (sys.prefix, "/usr", "/usr/local"):
        yield from (Path(prefix) / "share/nltk_data", Path(prefix) / "lib/nltk_data")
    yield Path(sys.prefix) / "nltk_data"


def _holds_30(place: Path | Traversable) -> bool:
    """Whether a folder holds WordNet 3.0, by the licence at the top of its first file."""
    try:
        with (place / _FILE).open("rb") as file:
            return b"WordNet 3.0 " in file.read(4096)
    except (OSError, KeyError):
        return False
